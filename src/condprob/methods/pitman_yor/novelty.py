"""What outcomes that were never seen get, by Good and Turing: Eq. (10) of docs/py-lr-model.md."""

from typing import Literal

import numpy as np

from condprob.counts import CountMatrix
from condprob.methods.pitman_yor import constants


def bin_of(row_sums: np.ndarray) -> np.ndarray:
    """Return the bin of each context, shape (contexts,), by how often it was seen."""
    return np.searchsorted(constants.BINS, row_sums, side="right")


def unseen_mass(
    counts: CountMatrix, bins: np.ndarray, size: int, of: Literal["pairs", "tokens"] = "pairs"
) -> np.ndarray:
    """Return the probability of the outcomes never seen, after contexts of each bin, shape (size,).

    Parameters
    ----------
    counts : CountMatrix
        In tokens.
    bins : numpy.ndarray of int, shape (contexts,)
    size : int
        Number of bins.
    of : "pairs" or "tokens"
        Whether an observation is a distinct pair, or each of its tokens.
    """
    unseen = np.count_nonzero(counts.column_sums == 0)
    if of == "pairs":
        times, of_outcome = np.ones(counts.nnz), counts.distinct_contexts
    else:
        times, of_outcome = np.asarray(counts.values, float), counts.column_sums
    lonely = np.count_nonzero((of_outcome > 0) & (of_outcome <= 1))
    if not unseen or not lonely:
        return np.zeros(size)
    bin_of_pair, is_only = bins[counts.contexts], of_outcome[counts.outcomes] <= 1
    only = np.bincount(bin_of_pair, times * is_only, minlength=size)
    observed = np.bincount(bin_of_pair, times, minlength=size)
    of_all = only.sum() / (times.sum() + 1)  # less than one, also where each has no other
    # An unseen outcome has no more than one that was seen once.
    each, like = min(unseen / lonely, 1.0), constants.LIKE_PAIRS
    return each * (only + like * of_all) / (observed + like)


def lacking_shares(
    counts: CountMatrix,
    given: np.ndarray,
    bins: np.ndarray,
    size: int,
    of: Literal["pairs", "tokens"] = "pairs",
) -> np.ndarray:
    """Return the share of the rows of each bin that outcomes never seen lack, shape (size,).

    ``given``, shape (contexts,), is the probability that each row gives to them; all else is as in
    `unseen_mass`. Rows weigh as much as they were seen, and rows never seen weigh one.
    """
    weights = np.where(counts.row_sums > 0, counts.row_sums, 1.0)
    of_bins = np.bincount(bins, weights, minlength=size)
    mean = np.bincount(bins, weights * given, minlength=size) / np.where(of_bins > 0, of_bins, 1.0)
    lacking = unseen_mass(counts, bins, size, of) - mean
    return np.divide(lacking, 1 - mean, out=np.zeros(size), where=lacking > 0)
