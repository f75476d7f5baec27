"""Rows of rivals whose outcomes never seen have the share that Good and Turing say, as in PY-LR."""

from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.methods.pitman_yor.novelty import lacking_shares


class RowsOfFactors(NamedTuple):
    """Rows ``entries + left right``.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, components)
    right : numpy.ndarray, shape (components, outcomes)
    entries : numpy.ndarray, shape (nnz,), or None
        Added to ``left right`` where pairs were seen; None where nothing is.
    """

    left: np.ndarray
    right: np.ndarray
    entries: np.ndarray | None


def add_novelty(
    counts: CountMatrix, rows: RowsOfFactors, bins: np.ndarray, size: int
) -> tuple[RowsOfFactors, np.ndarray]:
    """Give outcomes never seen, all alike, what they lack; the rest of a row is scaled down.

    Parameters
    ----------
    counts : CountMatrix
    rows : RowsOfFactors
    bins, size
        See `unseen_mass`.

    Returns
    -------
    rows : RowsOfFactors
        With one more component; unchanged where nothing is lacking.
    shares : numpy.ndarray, shape (size,)
        The share of the rows of each bin that was moved.
    """
    is_new = counts.column_sums == 0
    given = rows.left @ rows.right[:, is_new].sum(axis=1)
    shares = lacking_shares(counts, given, bins, size)
    if not shares.any():
        return rows, shares
    return make_room(counts, rows, shares[bins], is_new / is_new.sum()), shares


def make_room(
    counts: CountMatrix, rows: RowsOfFactors, share: np.ndarray, to: np.ndarray
) -> RowsOfFactors:
    """Give a share of each row, shape (contexts,), to a distribution, shape (outcomes,)."""
    kept = 1 - share
    left = np.column_stack([rows.left * kept[:, None], 1 - kept])
    entries = None if rows.entries is None else rows.entries * kept[counts.contexts]
    return RowsOfFactors(left, np.vstack([rows.right, to]), entries)
