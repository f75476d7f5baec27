"""Rows around a mixed base, with the settings that were learned."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from condprob.entries import take, take_shares
from condprob.model import SETTLED
from condprob.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False, repr=False)
class PitmanYorMatrix(SparsePlusLowRank, kind="pitman-yor"):
    """Pitman-Yor rows around a mixed base, and the settings that the training pairs chose.

    Attributes
    ----------
    strength : float
        Tokens of the base in every row; infinite where the rows are the base.
    discounts : numpy.ndarray, shape (3,)
        Discount of a count of one, of two, and of a larger count.
    components : numpy.ndarray of str, shape (components,)
        Names of the components of the base, such as ``types 20`` or ``continuation``.
    shares : numpy.ndarray, shape (bins + 1, components)
        Shares of the components in contexts seen less than ``bins[0]`` times, less than
        ``bins[1]`` times, and so on.
    bins : numpy.ndarray, shape (bins,)
    novel : numpy.ndarray, shape (bins + 1,)
        Probability that rows of these contexts give to outcomes never seen, beside the base's.
    history : numpy.ndarray, shape (components, starts, longest), or None
        Empirical risk of each fit of each component to all the pairs, nats per token, at the start
        and after each iteration; see `bases.FittedBase`. A token of bases by types is a distinct
        pair. NaN after a fit's last iteration, and for a component without iterations. None in a
        matrix from a file that was written before it was kept.
    evidence : numpy.ndarray, shape (4,), or None
        The numbers of `held_out.Evidence`: new held-out pairs, the lead of types over tokens in
        nats per new pair, its standard error, and the weight of types. None as above.
    """

    strength: float = np.inf
    discounts: np.ndarray = field(repr=False, default=None)
    components: np.ndarray = field(repr=False, default=None)
    shares: np.ndarray = field(repr=False, default=None)
    bins: np.ndarray = field(repr=False, default=None)
    novel: np.ndarray = field(repr=False, default=None)
    history: np.ndarray | None = field(repr=False, default=None)
    evidence: np.ndarray | None = field(repr=False, default=None)

    @property
    def ended(self) -> Literal["settled", "limit", "direct"]:
        """How the fits of the bases ended; all of them have a share.

        "settled" if the last iteration of each moved its likelihood by less than `SETTLED`, and
        "limit" if one was ended by the number of its iterations before, or if that is not known;
        "direct" where no base has iterations.
        """
        if self.history is None:
            return "limit"
        iterated = ~np.isnan(self.history).all(axis=2)
        if not iterated.any():
            return "direct"
        return "settled" if (self.last_changes[iterated] < SETTLED).all() else "limit"

    @property
    def last_changes(self) -> np.ndarray:
        """By how much each fit's last iteration changed its likelihood, nats per token.

        Shape (components, starts), NaN where there is no fit with two iterations.
        """
        found = np.full(self.history.shape[:2], np.nan)
        for at in np.ndindex(found.shape):
            course = self.history[at][~np.isnan(self.history[at])]
            if course.size > 1:
                found[at] = abs(course[-1] - course[-2])
        return found

    def summary(self) -> str:
        """Return the chosen settings in a few lines, with the evidence of the held-out pairs."""
        sizes = f"{self.shape[0]} contexts, {self.outcomes} outcomes"
        heading = f"{sizes}: Pitman-Yor rows around a base"
        return "\n".join([heading, *self.settings_in_lines()])

    def settings_in_lines(self) -> list[str]:
        """Return the same without the sizes."""
        first, second, more = self.discounts
        kinds = [name.split()[0] for name in self.components]
        lines = [
            f"strength {self.strength:g}; of counts of 1, 2 and more are taken "
            f"{first:.3g}, {second:.3g} and {more:.3g}",
        ]
        edges = [f"{edge:g}" for edge in self.bins]
        lines += [f"{'contexts seen less than':24}" + "".join(f"{e:>8}" for e in [*edges, "more"])]
        for kind in dict.fromkeys(kinds):
            of_kind = self.shares[:, [each == kind for each in kinds]].sum(axis=1)
            lines += [f"{'  share of ' + kind:24}" + "".join(f"{x:8.3f}" for x in of_kind)]
        lines += [f"{'  to outcomes never seen':24}" + "".join(f"{x:8.3f}" for x in self.novel)]
        if self.evidence is not None and self.evidence[0]:
            pairs, gain, error, weight = self.evidence
            lines += [
                f"{pairs:,.0f} new pairs held out: by types they are likelier than by tokens by "
                f"{gain:.4f} +- {error:.4f} nats each; weight of types {weight:.2f}"
            ]
        if self.history is not None and not np.isnan(self.last_changes).all():
            most = np.nanmax(self.last_changes)
            lines += [f"fits: {self.ended}; a last iteration moved {most:.1e} nats at most"]
        return lines

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        components = take(arrays, "components", "U", (None,))
        bins = take(arrays, "bins", "f", (None,), 0)
        found: dict[str, Any] = {
            "strength": take(arrays, "strength", "f", (), 0, np.inf).item(),
            "discounts": take(arrays, "discounts", "f", (3,), 0),
            "components": components,
            "shares": take_shares(arrays, "shares", (bins.size + 1, components.size)),
            "bins": bins,
            "novel": take(arrays, "novel", "f", (bins.size + 1,), 0),
        }
        if "history" in arrays:
            shape, ends = (components.size, None, None), (-np.inf, np.inf)
            history = take(arrays, "history", "f", shape, *ends, nan=True)
            is_over = np.isnan(history)
            if (is_over[..., :-1] & ~is_over[..., 1:]).any():
                raise ValueError("the course of a fit must be numbers up to its end")
            found["history"] = history
        if "evidence" in arrays:
            found["evidence"] = take(arrays, "evidence", "f", (4,), -np.inf, np.inf)
        return found
