"""Pitman-Yor rows around a base, and the bins of contexts that have shares of their own.

    Q_ij = (C_ij - d_ij) / (strength + C_i) + left_i B_ij,
    left_i = (strength + d_i) / (strength + C_i),

where ``d_ij`` is the discount of a count and ``d_i`` the sum of these over the row.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.kneser_ney import KneserNey, estimate_discount, estimate_discounts
from condprob.pitman_yor.bases import FittedBase

# Contexts have shares by how often they were seen: less than once, less than 4 times, less than 16,
# and so on, and 1024 times or more. Finer and coarser: 570a500:benchmarks/constants.csv.
BINS = 4.0 ** np.arange(6)


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
    """Arrays of one shape: what discounted counts are divided by, and what is left to the base."""

    divisor: np.ndarray
    left: np.ndarray


def weigh(sums: np.ndarray, freed: np.ndarray, strength: float) -> Weights:
    """Weigh rows against their base; a row never seen is the base alone.

    Parameters
    ----------
    sums, freed : numpy.ndarray, of one shape
        The sum of a row's counts, and of what is taken of them.
    strength : float
        An infinite one leaves nothing but the base.
    """
    if np.isinf(strength):
        return Weights(np.full(sums.shape, np.inf), np.ones(sums.shape))
    seen = sums > 0
    divisor = np.where(seen, sums + strength, 1.0)
    return Weights(divisor, np.where(seen, (strength + freed) / divisor, 1.0))


class Taken(NamedTuple):
    """What discounts take of each count, shape (nnz,), and of each row, shape (contexts,)."""

    of_counts: np.ndarray
    of_rows: np.ndarray


def take(counts: CountMatrix, discount: float | str) -> Taken:
    """Take a discount of the counts.

    Parameters
    ----------
    counts : CountMatrix
    discount : float, "estimated" or "modified"
        See `backoff.KneserNey`.

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
    """Return the rows of counts around a base; their parameters are those of `weigh` and `take`."""
    return rows_around_taken(
        counts, take(counts, 0.0 if np.isinf(strength) else discount), strength
    )


def rows_around_taken(counts: CountMatrix, taken: Taken, strength: float) -> Rows:
    """Return the rows of counts of which something was taken; see `weigh` for the strength."""
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
        What the rows have beside ``left right`` where pairs were seen, if anything.
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
        Whether the rows have anything besides the base.
    """
    left, right = [], []
    for b, of_component in enumerate(fits):
        weights = (rows.left * shares[:, b] / len(of_component))[:, None]
        left += [weights * base.W for base in of_component]
        right += [base.H for base in of_component]
    entries = rows.entries if has_entries else None
    return RowsOfFactors(np.hstack(left), np.vstack(right), entries)


def three_discounts(counts: CountMatrix, strength: float, discount: float | str) -> np.ndarray:
    """Return what `rows_around` takes of a count of one, of two, and of a larger one, (3,)."""
    if np.isinf(strength):
        return np.zeros(3)
    if discount == "modified":
        return np.array(estimate_discounts(counts.values))
    if discount == "estimated":
        return np.full(3, estimate_discount(counts))
    return np.full(3, float(discount))
