"""The matrix of PY-LR: rows around a mixed base, of the counts or of further contexts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from condprob.counts import CountMatrix
from condprob.em.folding import fold_rows
from condprob.entries import take, take_shares
from condprob.model import SETTLED
from condprob.models.before.bases import KINDS, FittedBase
from condprob.models.before.rows import (
    BINS,
    Rows,
    Taken,
    add_novelty,
    bin_of,
    make_room,
    mix,
    rows_around,
    rows_around_taken,
    three_discounts,
)
from condprob.models.before.settings import Learned
from condprob.sparse_plus_low_rank import SparsePart, SparsePlusLowRank


@dataclass(frozen=True, eq=False, repr=False)
class RowsAroundBase(SparsePlusLowRank, kind="pitman-yor"):
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


def assemble(
    counts: CountMatrix,
    names: Sequence[str],
    fits: Sequence[Sequence[FittedBase]],
    learned: Learned,
    novelty: float,
    **fields: Any,
) -> RowsAroundBase:
    """Return the matrix of fits to all the counts.

    Parameters
    ----------
    counts : CountMatrix
    names : sequence of str
        Of the components.
    fits : sequence of sequences of FittedBase
        Of each component, which is their mean.
    learned : Learned
    novelty : float
        Share of `rows.novel_shares` that is moved to outcomes never seen.
    **fields
        Further fields of the matrix.
    """
    bins, novel = bin_of(counts.row_sums), np.zeros(BINS.size + 1)
    around = rows_around(counts, learned.strength, learned.discount)
    has_entries = not np.isinf(learned.strength)
    rows = mix(around, fits, learned.shares[bins], has_entries=has_entries)
    if novelty:
        rows, novel = add_novelty(counts, rows, bins, novel.size, novelty)
    return RowsAroundBase.on_pattern(
        counts,
        rows.left,
        np.asfortranarray(rows.right),
        rows.entries,
        strength=float(learned.strength),
        discounts=three_discounts(counts, learned.strength, learned.discount),
        components=np.array(names),
        shares=learned.shares,
        bins=BINS,
        novel=novel,
        history=_histories(fits),
        **fields,
    )


def _histories(fits):
    """Return the histories of all fits, (components, starts, longest): see `RowsAroundBase`."""
    longest = max(base.history.size for of_component in fits for base in of_component)
    starts = max(map(len, fits))
    found = np.full((len(fits), starts, longest), np.nan)
    for b, of_component in enumerate(fits):
        for start, base in enumerate(of_component):
            found[b, start, : base.history.size] = base.history
    return found


def fold_in(matrix: RowsAroundBase, counts: CountMatrix) -> RowsAroundBase:
    """Return the rows of further contexts, at the classes and settings of a fit.

    A row of each ``W`` is iterated to the optimum at its ``H`` (`em.folding.fold_rows`): of a
    context that had no part in ``H`` nothing has to be left out.

    Parameters
    ----------
    matrix : RowsAroundBase
    counts : CountMatrix
        Of the further contexts, over the same outcomes. A count has the discount of the
        whole number below it; a count below one has that part of the discount of one.

    Raises
    ------
    ValueError
        If the matrix has components that ``py-lr`` does not fit.
    """
    bins = np.searchsorted(matrix.bins, counts.row_sums, side="right")
    fits = list(_fold_components(matrix, counts))
    has_entries = not np.isinf(matrix.strength)
    rows = mix(_rows_around(matrix, counts), fits, matrix.shares[bins], has_entries=has_entries)
    if matrix.novel.any():
        rows = make_room(counts, rows, matrix.novel[bins], matrix.right[-1])
    sparse = None
    if rows.entries is not None:
        sparse = SparsePart(counts.indptr, counts.outcomes, rows.entries)
    known = None if matrix.seen is None else np.union1d(matrix.seen[1], counts.seen_outcomes)
    seen = None if known is None else (counts.seen_contexts, known)
    return replace(matrix, left=rows.left, sparse=sparse, seen=seen)


def _rows_around(matrix: RowsAroundBase, counts: CountMatrix) -> Rows:
    """Return the rows without the base, with the discounts of the fit."""
    whole = np.clip(counts.values, 1, 3).astype(int)  # the part after the point is cut off
    taken = matrix.discounts[whole - 1] * counts.clipped
    freed = np.bincount(counts.contexts, taken, minlength=counts.shape[0])
    return rows_around_taken(counts, Taken(taken, freed), matrix.strength)


def _fold_components(matrix: RowsAroundBase, counts: CountMatrix) -> Iterator[list[FittedBase]]:
    """Yield the fits of each component, with rows of ``W`` for the further contexts."""
    names = [str(name).partition(" ") for name in matrix.components]
    bases = [(kind, int(rank)) for kind, _, rank in names if rank]
    if not {kind for kind, _ in bases} <= KINDS.keys():
        raise ValueError(f"a fit of py-lr over {counts.shape[1]} outcomes is needed")
    right = matrix.right[:-1] if matrix.novel.any() else matrix.right
    starts = (len(right) - len(names) + len(bases)) // max(sum(rank for _, rank in bases), 1)
    counted = {kind: KINDS[kind].counted(counts) for kind, _ in bases}
    at = 0
    for kind, rank in bases:  # which stand before the backgrounds
        found = []
        for _ in range(starts):
            H = right[at : at + rank]
            W = fold_rows(counted[kind], H, KINDS[kind].constant)
            found.append(FittedBase(W, H, np.empty(0)))
            at += rank
        yield found
    for each in right[at:, None]:
        yield [FittedBase(np.ones((counts.shape[0], 1)), each, np.empty(0))]
