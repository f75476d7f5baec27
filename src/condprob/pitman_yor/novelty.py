"""The probability of outcomes that were never seen: Eq. (8) of docs/py-lr.md.

Outcomes never seen get their probability by Good-Turing on the distinct pairs. Text repeats itself
near by: of the words of its next part, twice to three times as many are new as of tokens held out
at random. A distinct pair is therefore one observation, however often it was seen. The share of
pairs whose outcome has no other pair is the mass of unseen outcomes after a further pair. An unseen
outcome never gets more than one that was seen once.
"""

from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix

# Contexts have shares by how often they were seen: less than once, less than 4 times, less than 16,
# and so on, and 1024 times or more. Without them whole texts lose .003 to .02 nats a word.
BINS = 4.0 ** np.arange(6)
# Pseudo-pairs, all distinct, that hold the estimate of a bin near that of all pairs.
LIKE_ALL = 50.0


def bin_of(row_sums: np.ndarray) -> np.ndarray:
    """Return the bin of each context, shape (contexts,), by how often it was seen."""
    return np.searchsorted(BINS, row_sums, side="right")


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


def unseen_mass(counts: CountMatrix, bins: np.ndarray, size: int) -> np.ndarray:
    """Return the probability of the outcomes never seen, after contexts of each bin.

    Parameters
    ----------
    counts : CountMatrix
    bins : numpy.ndarray of int, shape (contexts,)
    size : int
        Number of bins.

    Returns
    -------
    numpy.ndarray, shape (size,)
        The share of the distinct pairs whose outcome has no other; of few pairs, near that of all.
        As much less as there are fewer outcomes never seen than such pairs. Zero where every
        outcome was seen, or none.
    """
    unseen = np.count_nonzero(counts.column_sums == 0)
    is_only = counts.distinct_contexts[counts.outcomes] == 1
    if not unseen or not is_only.any():
        return np.zeros(size)
    bin_of_pair = bins[counts.contexts]
    only = np.bincount(bin_of_pair, is_only, minlength=size)
    pairs = np.bincount(bin_of_pair, minlength=size)
    of_all = is_only.sum() / (counts.nnz + 1)  # less than one, also where every pair is an only one
    # The mass of an unseen outcome, over that of an outcome in one pair.
    each = min(unseen / is_only.sum(), 1.0)
    return each * (only + LIKE_ALL * of_all) / (pairs + LIKE_ALL)


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
        The share of the rows of each bin that was moved. Rows are weighted by how often they were
        seen; rows never seen have the weight one.
    """
    is_new = counts.column_sums == 0
    given = rows.left @ rows.right[:, is_new].sum(axis=1)
    weights = np.where(counts.row_sums > 0, counts.row_sums, 1.0)
    of_bins = np.bincount(bins, weights, minlength=size)
    mean = np.bincount(bins, weights * given, minlength=size) / np.where(of_bins > 0, of_bins, 1.0)
    lacking = unseen_mass(counts, bins, size) - mean
    shares = np.divide(lacking, 1 - mean, out=np.zeros(size), where=lacking > 0)
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
