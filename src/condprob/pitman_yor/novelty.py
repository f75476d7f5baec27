"""What goes to outcomes that were never seen, by Good-Turing on the distinct pairs.

Text repeats itself near by: of the words of its next part, twice to three times as many are new as
of tokens that are held out at random. A distinct pair, seen however often, is one observation here;
the share of those that are an outcome's only one is what a further pair has for outcomes never
seen. But none of these has more than an outcome has that is in one pair: where a vocabulary has few
of them, they get less. docs/py-lr.md compares this with what comes next.
"""

import numpy as np

from condprob.counts import CountMatrix
from condprob.pitman_yor.rows import RowsOfFactors

# Pseudo-pairs, all distinct, that hold the estimate of a bin near that of all. Twice as many would
# gain .002 nats on training halves: 570a500:benchmarks/constants.csv.
LIKE_ALL = 50.0


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
    each = min(unseen / is_only.sum(), 1.0)  # of what an only one has, for an outcome never seen
    return each * (only + LIKE_ALL * of_all) / (pairs + LIKE_ALL)


def novel_shares(counts: CountMatrix, given: np.ndarray, bins: np.ndarray, size: int) -> np.ndarray:
    """Return the share of the rows of each bin that has to go to outcomes never seen.

    Parameters
    ----------
    counts : CountMatrix
    given : numpy.ndarray, shape (contexts,)
        What each row gives to them already.
    bins, size
        See `unseen_mass`.

    Returns
    -------
    numpy.ndarray, shape (size,)
        Zero where they have enough. The rest of a row is scaled down. A bin's rows count as often
        as they were seen; those never seen, alike.
    """
    weights = np.where(counts.row_sums > 0, counts.row_sums, 1.0)
    rows = np.bincount(bins, weights, minlength=size)
    mean = np.bincount(bins, weights * given, minlength=size) / np.where(rows > 0, rows, 1.0)
    lacking = unseen_mass(counts, bins, size) - mean
    return np.divide(lacking, 1 - mean, out=np.zeros(size), where=lacking > 0)


def add_novelty(
    counts: CountMatrix, rows: RowsOfFactors, bins: np.ndarray, size: int, weight: float = 1.0
) -> tuple[RowsOfFactors, np.ndarray]:
    """Move `novel_shares` of the rows to outcomes never seen, all alike.

    Parameters
    ----------
    counts : CountMatrix
    rows : RowsOfFactors
    bins, size
        See `unseen_mass`.
    weight : float
        How much of these shares is moved.

    Returns
    -------
    rows : RowsOfFactors
        The new ones, with a component more; as they were, where no share is moved.
    shares : numpy.ndarray, shape (size,)
        What was moved.
    """
    is_new = counts.column_sums == 0
    given = rows.left @ rows.right[:, is_new].sum(axis=1)
    shares = weight * novel_shares(counts, given, bins, size)
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
