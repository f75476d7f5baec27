"""Rows around a mixed base, with the settings that were learned."""

from dataclasses import dataclass, field

import numpy as np

from condprob.matrices.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False)
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
    """

    strength: float = np.inf
    discounts: np.ndarray = field(repr=False, default=None)
    components: np.ndarray = field(repr=False, default=None)
    shares: np.ndarray = field(repr=False, default=None)
    bins: np.ndarray = field(repr=False, default=None)
    novel: np.ndarray = field(repr=False, default=None)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold."""
        names = ("discounts", "components", "shares", "bins", "novel")
        told = {name: getattr(self, name) for name in names}
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
            **told,
        )
