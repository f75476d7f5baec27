"""Rows of further contexts around the bases that a fit found, with the settings that it learned."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from condprob.counts import CountMatrix
from condprob.em.folding import fold_rows
from condprob.pitman_yor.bases import KINDS, FittedBase
from condprob.pitman_yor.matrix import PitmanYorMatrix
from condprob.pitman_yor.novelty import make_room
from condprob.pitman_yor.rows import Rows, Taken, mix, rows_around_taken
from condprob.sparse_plus_low_rank import SparsePart


def fold_in(matrix: PitmanYorMatrix, counts: CountMatrix) -> PitmanYorMatrix:
    """Return the rows of further contexts, at the classes and settings of a fit.

    A row of each ``W`` is iterated to the optimum at its ``H`` (`em.folding.fold_rows`): of a
    context that had no part in ``H`` nothing has to be left out.

    Parameters
    ----------
    matrix : PitmanYorMatrix
    counts : CountMatrix
        Of the further contexts, over the same outcomes. A count has the discount that the fit took
        of the whole number below it, and below one that part of the discount of one.

    Raises
    ------
    ValueError
        If the components of the matrix are not those of a fit of ``py-lr``.
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


def _rows_around(matrix: PitmanYorMatrix, counts: CountMatrix) -> Rows:
    """Return what the rows have besides the base, with the discounts of the fit."""
    whole = np.clip(counts.values, 1, 3).astype(int)  # the part after the point is cut off
    taken = matrix.discounts[whole - 1] * counts.clipped
    freed = np.bincount(counts.contexts, taken, minlength=counts.shape[0])
    return rows_around_taken(counts, Taken(taken, freed), matrix.strength)


def _fold_components(matrix: PitmanYorMatrix, counts: CountMatrix) -> Iterator[list[FittedBase]]:
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
