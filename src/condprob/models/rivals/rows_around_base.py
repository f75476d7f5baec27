"""Pitman-Yor rows around a base that mixes several components, as a matrix.

    Q_ij = (C_ij - d_ij) / (strength + C_i) + left_i B_ij,
    left_i = (strength + d_i) / (strength + C_i),

where ``d_ij`` is the discount of a count and ``d_i`` the sum of the discounts over the row. The
base ``B`` mixes components with shares that depend on how often a context was seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import products_of_pairs, take, take_shares
from condprob.kneser_ney import KneserNey
from condprob.model import SETTLED
from condprob.pitman_yor.matrix import PitmanYorMatrix
from condprob.pitman_yor.novelty import BINS, RowsOfFactors, add_novelty, bin_of
from condprob.pitman_yor.rows import weigh
from condprob.sequences.ngrams import estimate_discounts
from condprob.sparse_plus_low_rank import SparsePlusLowRank


class FittedBase(NamedTuple):
    """A component of the base as it was fitted.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,)
        Empirical risk at the start and after each iteration, nats per token: a constant minus the
        mean log likelihood. Empty for a component without iterations.
    """

    W: np.ndarray
    H: np.ndarray
    history: np.ndarray

    def at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``W H`` at pairs, shape (pairs,)."""
        return products_of_pairs(self.W, self.H, contexts, outcomes)


class Learned(NamedTuple):
    """The settings of the rows: see `learning.learn`.

    Attributes
    ----------
    strength : float
        Infinite where the rows are the base.
    discount : float or "modified"
    shares : numpy.ndarray, shape (bins + 1, components)
        For contexts by how often they were seen: see `novelty.bin_of`.
    likelihood : float
        Of the held-out pairs, nats, with one share of each component for all contexts.
    """

    strength: float
    discount: float | str
    shares: np.ndarray
    likelihood: float


class Rows(NamedTuple):
    """Rows around a base, but for the base: see the module.

    Attributes
    ----------
    entries : numpy.ndarray, shape (nnz,), or None
        None where the rows are the base.
    left : numpy.ndarray, shape (contexts,)
    """

    entries: np.ndarray | None
    left: np.ndarray


def take_discounts(counts: CountMatrix, discount: float | str) -> tuple[np.ndarray, np.ndarray]:
    """Return a discount of each count, shape (nnz,), and their sums by rows, shape (contexts,).

    Parameters
    ----------
    counts : CountMatrix
    discount : float or "modified"
        Zero, or see `kneser_ney.KneserNey`; "modified" needs whole counts.
    """
    if discount == 0.0:
        return np.zeros(counts.nnz), np.zeros(counts.shape[0])
    discounted = KneserNey(discount).discounted(counts)
    return discounted.taken, discounted.freed


def rows_around(counts: CountMatrix, strength: float, discount: float | str) -> Rows:
    """Return the rows of counts around a base, with the parameters of `weigh`, `take_discounts`."""
    if np.isinf(strength):
        return Rows(None, np.ones(counts.shape[0]))
    taken, freed = take_discounts(counts, discount)
    divisor, left = weigh(counts.row_sums, freed, strength)
    return Rows((counts.values - taken) / divisor[counts.contexts], left)


@dataclass(frozen=True, eq=False, repr=False)
class RowsAroundBase(SparsePlusLowRank, kind="pitman-yor"):
    """Pitman-Yor rows around a mixed base, and the settings that the training pairs chose.

    The fits of ``py-lr`` up to version 0.2.0 are such matrices, too.

    Attributes
    ----------
    strength : float
        Tokens of the base in every row; infinite where the rows are the base.
    discounts : numpy.ndarray, shape (3,)
        Discount of a count of one, of two, and of a larger count.
    components : numpy.ndarray of str, shape (components,)
        Names of the components of the base, such as ``classes 50`` or ``continuation``.
    shares : numpy.ndarray, shape (bins + 1, components)
        Shares of the components in contexts seen less than ``bins[0]`` times, less than
        ``bins[1]`` times, and so on.
    bins : numpy.ndarray, shape (bins,)
    novel : numpy.ndarray, shape (bins + 1,)
        Probability that rows of these contexts give to outcomes never seen, beside the base's.
    history : numpy.ndarray, shape (components, starts, longest)
        Empirical risk of each fit of each component to all the pairs, nats per token, at the start
        and after each iteration; see `FittedBase`. NaN after a fit's last iteration, and for a
        component without iterations.
    """

    strength: float = np.inf
    discounts: np.ndarray = field(repr=False, default=None)
    components: np.ndarray = field(repr=False, default=None)
    shares: np.ndarray = field(repr=False, default=None)
    bins: np.ndarray = field(repr=False, default=None)
    novel: np.ndarray = field(repr=False, default=None)
    history: np.ndarray = field(repr=False, default=None)

    @property
    def ended(self) -> Literal["settled", "limit", "direct"]:
        """How the fits of the bases ended; all of them have a share.

        "settled" if the last iteration of each moved its likelihood by less than `SETTLED`, and
        "limit" if one was ended by the number of its iterations before; "direct" where no base has
        iterations.
        """
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

    summary = PitmanYorMatrix.summary

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
        if not np.isnan(self.last_changes).all():
            most = np.nanmax(self.last_changes)
            lines += [f"fits: {self.ended}; a last iteration moved {most:.1e} nats at most"]
        return lines

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        components = take(arrays, "components", "U", (None,))
        bins = take(arrays, "bins", "f", (None,), 0)
        history = take(
            arrays, "history", "f", (components.size, None, None), -np.inf, np.inf, nan=True
        )
        is_over = np.isnan(history)
        if (is_over[..., :-1] & ~is_over[..., 1:]).any():
            raise ValueError("the course of a fit must be numbers up to its end")
        return {
            "strength": take(arrays, "strength", "f", (), 0, np.inf).item(),
            "discounts": take(arrays, "discounts", "f", (3,), 0),
            "components": components,
            "shares": take_shares(arrays, "shares", (bins.size + 1, components.size)),
            "bins": bins,
            "novel": take(arrays, "novel", "f", (bins.size + 1,), 0),
            "history": history,
        }


def assemble(
    counts: CountMatrix,
    names: Sequence[str],
    fits: Sequence[Sequence[FittedBase]],
    learned: Learned,
) -> RowsAroundBase:
    """Return the matrix of fits to all the counts, with Good-Turing for outcomes never seen.

    Parameters
    ----------
    counts : CountMatrix
    names : sequence of str
        Of the components.
    fits : sequence of sequences of FittedBase
        Of each component, which is their mean.
    learned : Learned
    """
    bins, (strength, discount, shares, _) = bin_of(counts.row_sums), learned
    entries, of_base = rows_around(counts, strength, discount)
    left, right = [], []
    for of_component, share in zip(fits, shares[bins].T, strict=True):
        weights = (of_base * share / len(of_component))[:, None]
        left += [weights * base.W for base in of_component]
        right += [base.H for base in of_component]
    rows = RowsOfFactors(np.hstack(left), np.vstack(right), entries)
    rows, novel = add_novelty(counts, rows, bins, BINS.size + 1)
    return RowsAroundBase.on_pattern(
        counts,
        rows.left,
        np.asfortranarray(rows.right),
        rows.entries,
        strength=float(strength),
        discounts=three_discounts(counts, strength, discount),
        components=np.array(names),
        shares=shares,
        bins=BINS,
        novel=novel,
        history=_histories(fits),
    )


def three_discounts(counts: CountMatrix, strength: float, discount: float | str) -> np.ndarray:
    """Return the discounts of `rows_around` for counts of one, two, and more, shape (3,)."""
    if np.isinf(strength):
        return np.zeros(3)
    if discount == "modified":
        return np.array(estimate_discounts(counts.values))
    return np.full(3, float(discount))


def _histories(fits):
    """Return the histories of all fits, (components, starts, longest): see `RowsAroundBase`."""
    longest = max(base.history.size for of_component in fits for base in of_component)
    starts = max(map(len, fits))
    found = np.full((len(fits), starts, longest), np.nan)
    for b, of_component in enumerate(fits):
        for start, base in enumerate(of_component):
            found[b, start, : base.history.size] = base.history
    return found
