"""Pitman-Yor rows around a base, and the probability of outcomes that were never seen.

    Q_ij = (C_ij - d_ij) / (strength + C_i) + left_i B_ij,
    left_i = (strength + d_i) / (strength + C_i),

where ``d_ij`` is the discount of a count and ``d_i`` the sum of the discounts over the row.

Outcomes never seen get their probability by Good-Turing on the distinct pairs. Text repeats itself
near by: of the words of its next part, twice to three times as many are new as of tokens held out
at random. A distinct pair is therefore one observation, however often it was seen. The share of
pairs whose outcome has no other pair is the mass of unseen outcomes after a further pair. An unseen
outcome never gets more than one that was seen once. See `git show bc32e2a:docs/py-lr.md`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.kneser_ney import KneserNey, estimate_discount, estimate_discounts
from condprob.models.before.bases import FittedBase

# Contexts have shares by how often they were seen: less than once, less than 4 times, less than 16,
# and so on, and 1024 times or more. Finer and coarser: 570a500:benchmarks/constants.csv.
BINS = 4.0 ** np.arange(6)
# Pseudo-pairs, all distinct, that hold the estimate of a bin near that of all pairs. Twice as many
# would gain .002 nats on training halves: 570a500:benchmarks/constants.csv.
LIKE_ALL = 50.0


def bin_of(row_sums: np.ndarray) -> np.ndarray:
    """Return the bin of each context, shape (contexts,), by how often it was seen."""
    return np.searchsorted(BINS, row_sums, side="right")


class Rows(NamedTuple):
    """Rows around a base, but for the base: see the module.

    Attributes
    ----------
    entries : numpy.ndarray, shape (nnz,)
    left : numpy.ndarray, shape (contexts,)
    """

    entries: np.ndarray
    left: np.ndarray


class Weights(NamedTuple):
    """Arrays of one shape: the divisor of discounted counts, and the weight of the base."""

    divisor: np.ndarray
    left: np.ndarray


def weigh(sums: np.ndarray, freed: np.ndarray, strength: float) -> Weights:
    """Weigh rows against their base; a row never seen is the base alone.

    Parameters
    ----------
    sums, freed : numpy.ndarray, of one shape
        Sums of a row's counts, and of their discounts.
    strength : float
        An infinite one leaves nothing but the base.
    """
    if np.isinf(strength):
        return Weights(np.full(sums.shape, np.inf), np.ones(sums.shape))
    seen = sums > 0
    divisor = np.where(seen, sums + strength, 1.0)
    return Weights(divisor, np.where(seen, (strength + freed) / divisor, 1.0))


class Taken(NamedTuple):
    """Discounts of each count, shape (nnz,), and their sums by rows, shape (contexts,)."""

    of_counts: np.ndarray
    of_rows: np.ndarray


def take(counts: CountMatrix, discount: float | str) -> Taken:
    """Take a discount of the counts.

    Parameters
    ----------
    counts : CountMatrix
    discount : float, "estimated" or "modified"
        See `kneser_ney.KneserNey`.

    Raises
    ------
    ValueError
        If the discount is not a number and the counts are not whole.
    """
    if discount == 0.0:
        return Taken(np.zeros(counts.nnz), np.zeros(counts.shape[0]))
    discounted = KneserNey(discount).discounted(counts)
    return Taken(discounted.taken, discounted.freed)


def rows_around(counts: CountMatrix, strength: float, discount: float | str) -> Rows:
    """Return the rows of counts around a base; see `weigh` and `take` for the parameters."""
    return rows_around_taken(
        counts, take(counts, 0.0 if np.isinf(strength) else discount), strength
    )


def rows_around_taken(counts: CountMatrix, taken: Taken, strength: float) -> Rows:
    """Return the rows of discounted counts; see `weigh` for the strength."""
    weights = weigh(counts.row_sums, taken.of_rows, strength)
    entries = (counts.values - taken.of_counts) / weights.divisor[counts.contexts]
    return Rows(entries, weights.left)


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


def mix(
    rows: Rows, fits: Sequence[Sequence[FittedBase]], shares: np.ndarray, *, has_entries: bool
) -> RowsOfFactors:
    """Return the rows around the mixed base.

    Parameters
    ----------
    rows : Rows
    fits : sequence of sequences of FittedBase
        Of each component, which is their mean.
    shares : numpy.ndarray, shape (contexts, components)
    has_entries : bool
        Whether the rows have entries besides the base.
    """
    left, right = [], []
    for b, of_component in enumerate(fits):
        weights = (rows.left * shares[:, b] / len(of_component))[:, None]
        left += [weights * base.W for base in of_component]
        right += [base.H for base in of_component]
    entries = rows.entries if has_entries else None
    return RowsOfFactors(np.hstack(left), np.vstack(right), entries)


def three_discounts(counts: CountMatrix, strength: float, discount: float | str) -> np.ndarray:
    """Return the discounts of `rows_around` for counts of one, two, and more, shape (3,)."""
    if np.isinf(strength):
        return np.zeros(3)
    if discount == "modified":
        return np.array(estimate_discounts(counts.values))
    if discount == "estimated":
        return np.full(3, estimate_discount(counts))
    return np.full(3, float(discount))


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


def novel_shares(counts: CountMatrix, given: np.ndarray, bins: np.ndarray, size: int) -> np.ndarray:
    """Return the share of the rows of each bin that has to go to outcomes never seen.

    Parameters
    ----------
    counts : CountMatrix
    given : numpy.ndarray, shape (contexts,)
        Probability that each row gives to them already.
    bins, size
        See `unseen_mass`.

    Returns
    -------
    numpy.ndarray, shape (size,)
        Zero where they have enough. The rest of a row is scaled down. Rows of a bin are weighted
        by how often they were seen; rows never seen have the weight one.
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
        Share of `novel_shares` that is moved.

    Returns
    -------
    rows : RowsOfFactors
        With one more component; unchanged where no share is moved.
    shares : numpy.ndarray, shape (size,)
        The shares that were moved.
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
