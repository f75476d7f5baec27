"""The matrix of PY-LR: rows around a mixed base, of the counts or of further contexts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from condprob.counts import CountMatrix
from condprob.em.folding import fold_rows
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
from condprob.models.rivals.rows_around_base import RowsAroundBase
from condprob.sparse_plus_low_rank import SparsePart


def assemble(
    counts: CountMatrix,
    names: Sequence[str],
    fits: Sequence[Sequence[FittedBase]],
    learned: Learned,
    novelty: float,
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
