"""Rows around a mixed base, with the settings that were learned."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from condprob.matrices.sparse_plus_low_rank import SparsePlusLowRank
from condprob.model import SETTLED


@dataclass(frozen=True, eq=False, repr=False)
class PitmanYorMatrix(SparsePlusLowRank, kind="pitman-yor"):
    """Pitman-Yor rows around a mixed base, and the settings that the training pairs chose.

    Attributes
    ----------
    strength : float
        Tokens of the base in every row; infinite where the rows are the base.
    discounts : numpy.ndarray, shape (3,)
        What is taken of a count of one, of two, and of a larger one.
    components : numpy.ndarray of str, shape (components,)
        What is mixed in the base, such as ``types 20`` or ``continuation``.
    shares : numpy.ndarray, shape (bins + 1, components)
        Their shares for contexts seen less than ``bins[0]`` times, less than ``bins[1]``, and so
        on.
    bins : numpy.ndarray, shape (bins,)
    novel : numpy.ndarray, shape (bins + 1,)
        What rows of these contexts give to outcomes never seen, beside what the base gives them.
    history : numpy.ndarray, shape (components, starts, longest), or None
        The course of each fit of each component to all the pairs, nats per token: the empirical
        risk, which is a constant less the likelihood, at the start and by each iteration, with a
        token left out where the fit leaves one out. Of bases by types a token is a distinct pair.
        NaN after a fit's last iteration, and everywhere for a component that has no iterations, as
        the continuation. None in a matrix from a file that was written before it was kept.
    """

    strength: float = np.inf
    discounts: np.ndarray = field(repr=False, default=None)
    components: np.ndarray = field(repr=False, default=None)
    shares: np.ndarray = field(repr=False, default=None)
    bins: np.ndarray = field(repr=False, default=None)
    novel: np.ndarray = field(repr=False, default=None)
    history: np.ndarray | None = field(repr=False, default=None)

    @property
    def ended(self) -> Literal["settled", "limit", "direct"]:
        """How the fits of the bases ended; all of them have a share.

        "settled" if the last iteration of each moved its likelihood by less than `SETTLED`, and
        "limit" if one was ended by the number of its iterations before, or if that is not known;
        "direct" where no base has iterations.
        """
        if self.history is None:
            return "limit"
        courses = [course[~np.isnan(course)] for fits in self.history for course in fits]
        courses = [course for course in courses if course.size]
        if not courses:
            return "direct"
        are_settled = all(
            course.size > 1 and abs(course[-1] - course[-2]) < SETTLED for course in courses
        )
        return "settled" if are_settled else "limit"

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold."""
        names = ("discounts", "components", "shares", "bins", "novel")
        told = {name: getattr(self, name) for name in names}
        if self.history is not None:
            told["history"] = self.history
        return super().arrays() | told | {"strength": np.array(self.strength)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "PitmanYorMatrix":
        """Build the matrix from its `arrays`."""
        plain = SparsePlusLowRank.from_arrays(arrays)
        names = ("discounts", "components", "shares", "bins", "novel")
        told = {name: arrays[name] for name in names}
        return cls(
            plain.left,
            plain.right,
            plain.sparse,
            plain.seen,
            strength=float(arrays["strength"]),
            history=arrays.get("history"),
            **told,
        )
