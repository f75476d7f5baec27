"""Rows interpolated with a unigram distribution: Jelinek-Mercer and Witten-Bell."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.estimator import Estimator
from condprob.options import Discount, Proportion
from condprob.sparse_plus_low_rank import SparsePlusLowRank

ALMOST = 1e-6  # how far a learned weight keeps from zero and from one; not measured


@dataclass(frozen=True)
class JelinekMercer(Estimator):
    """JM (Jelinek and Mercer 1980): ``(1 - weight) C_ij / C_i + weight u_j``.

    ``u`` is the unigram distribution, smoothed by absolute discounting as in stupid backoff. A
    context never seen has it as its row.

    READING: Jelinek and Mercer learn a weight for each of many groups of contexts; this is the
    plain form of Chen and Goodman (1998), one weight for all.

    Attributes
    ----------
    weight : float or "learned"
        Of the unigram distribution. A learned one has the largest likelihood of the training pairs
        when each is left out in its turn (`learn_weight`).
    discount : float
        Of the unigram distribution.
    """

    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> SparsePlusLowRank:
        """See `Estimator.fit`."""
        lower = unigram(counts, self.discount)
        weight = learn_weight(counts, lower) if self.weight == "learned" else self.weight
        entries = (1 - weight) * counts.values / counts.row_sums[counts.contexts]
        left = np.where(counts.row_sums > 0, weight, 1.0)[:, None]
        return SparsePlusLowRank.on_pattern(counts, left, lower[None], entries)


@dataclass(frozen=True)
class WittenBell(Estimator):
    """WB (Witten and Bell 1991, method C): ``(C_ij + D_i u_j) / (C_i + D_i)``.

    A new outcome is as likely as new ones have been: ``D_i`` is the number of distinct outcomes
    seen after ``i``. The lower order ``u`` is the same of the pooled counts and the uniform
    distribution; a context never seen has it as its row.

    READING: of real counts, a pair whose count is below one stands for that part of an outcome.
    """

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> SparsePlusLowRank:
        """See `Estimator.fit`."""
        pooled, outcomes = counts.column_sums, counts.shape[1]
        types = np.minimum(pooled, 1).sum()
        lower = np.full(outcomes, 1 / outcomes)
        if counts.n:
            lower = (pooled + types / outcomes) / (counts.n + types)
        totals = counts.row_sums + counts.clipped_row_sums
        entries = counts.values / totals[counts.contexts]
        seen = totals > 0
        left = np.where(seen, counts.clipped_row_sums / np.where(seen, totals, 1.0), 1.0)
        return SparsePlusLowRank.on_pattern(counts, left[:, None], lower[None], entries)


def learn_weight(counts: CountMatrix, lower: np.ndarray) -> float:
    """Return the weight of ``lower`` that is best when each training pair is left out in turn.

    Maximises ``sum C_ij log((1 - weight) (C_ij - 1) / (C_i - 1) + weight u_j)``, which is concave;
    of a count below one all is left out. 1/2 where there are no pairs. ``lower``, shape
    (outcomes,), is nowhere zero.
    """
    from scipy.optimize import brentq  # takes a third of the time of importing this library

    if not counts.nnz:
        return 0.5
    others = np.maximum(counts.row_sums - 1.0, 0.0)[counts.contexts]
    rest = np.maximum(counts.values - 1.0, 0.0)
    frequency = np.divide(rest, others, out=np.zeros(counts.nnz), where=others > 0)
    base = lower[counts.outcomes]

    def slope(weight):
        return counts.values @ ((base - frequency) / ((1 - weight) * frequency + weight * base))

    low, high = ALMOST, 1 - ALMOST
    if slope(low) <= 0:
        return low
    if slope(high) >= 0:
        return high
    return float(brentq(slope, low, high, xtol=1e-14))
