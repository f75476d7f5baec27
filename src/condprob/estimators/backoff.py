"""Methods that fall back on pooled counts: stupid backoff and Kneser-Ney (Section 7, 5 and 6)."""

from dataclasses import dataclass

import numpy as np

from condprob.estimators.direct import check_choice, unigram
from condprob.matrices.sparse_low_rank import ConditionalMatrix
from condprob.smoothing import AbsoluteDiscount, check_discount


@dataclass(frozen=True)
class StupidBackoff:
    """SB (Brants et al. 2007): ``C_ij / C_i`` where seen, else ``weight`` times the unigram.

    READING: the published numbers are those of the score divided by its sum over outcomes, over
    the unigram distribution smoothed by absolute discounting. With ``normalised=False`` the
    score is left as Brants et al. published it: its rows do not sum to one, it is not a
    distribution, and what `cross_entropy` makes of it is not comparable with the others.
    """

    weight: float = 0.4
    discount: float = 0.75
    normalised: bool = True

    def __post_init__(self):
        check_discount(self.discount)
        if not (np.isfinite(self.weight) and self.weight > 0):
            raise ValueError(f"weight = {self.weight!r}: a number > 0 is needed")

    @property
    def name(self):
        """What to call it in print."""
        return "SB" if self.normalised else "SB as published (score, not a distribution)"

    def fit(self, counts, seed=None):
        """Fit a `CountMatrix`; the method uses no randomness and ignores ``seed``."""
        lower = unigram(counts, self.discount)
        rows, outcomes = counts.contexts, counts.outcomes
        seen = counts.row_sums > 0
        scores = counts.values / counts.row_sums[rows]
        total = 1 + self.weight * _mass_of_unseen(counts, lower)
        if self.normalised:
            weights = np.where(seen, self.weight / total, 1.0)
            scores = scores / total[rows]
        else:
            weights = np.full(counts.k, self.weight)
        entries = scores - weights[rows] * lower[outcomes]
        return ConditionalMatrix(counts, weights[:, None], lower[None], entries)


@dataclass(frozen=True)
class KneserNey:
    """KN: absolute discounting over the continuation distribution of the outcomes.

    READING: the paper names no variant. ``continuation`` says how the number of distinct
    contexts before ``j``, ``N_j``, becomes a lower-order distribution that is nowhere zero:

    ``"discounted"``
        absolute discounting of ``N``, shared by the unseen outcomes (the strongest found);
    ``"uniform"``
        ``max(N_j - discount, 0)`` interpolated with the uniform (the textbook's);
    ``"floor"``
        proportional to ``max(N_j, 1)``.

    ``form`` is ``"interpolated"`` (the lower order is added to every outcome) or ``"backoff"``
    (to the unseen ones alone). Contexts never seen get the continuation distribution, or the
    unigram add-1/2 one (``unseen="unigram"``). ``discount`` is a number or ``"estimated"``:
    ``n1 / (n1 + 2 n2)`` from the numbers of pairs seen once and twice (Ney et al. 1994).
    """

    discount: float | str = 0.75
    continuation: str = "discounted"
    form: str = "interpolated"
    unseen: str = "continuation"

    def __post_init__(self):
        if self.discount != "estimated":
            check_discount(self.discount)
        check_choice("continuation", self.continuation, ("discounted", "uniform", "floor"))
        check_choice("form", self.form, ("interpolated", "backoff"))
        check_choice("unseen", self.unseen, ("continuation", "unigram"))

    def fit(self, counts, seed=None):
        """Fit a `CountMatrix`; the method uses no randomness and ignores ``seed``."""
        discount = estimate_discount(counts) if self.discount == "estimated" else self.discount
        lower = _continuation(counts, discount, self.continuation)
        rows, outcomes = counts.contexts, counts.outcomes
        seen = counts.row_sums > 0
        row_sums = np.where(seen, counts.row_sums, 1)
        freed = discount * counts.distinct_outcomes / row_sums
        entries = (counts.values - discount) / row_sums[rows]
        if self.form == "interpolated":
            weights = freed
        else:
            mass = _mass_of_unseen(counts, lower)
            full = counts.distinct_outcomes == counts.k  # nobody to back off to: as in AD
            entries = np.where(full[rows], counts.values / row_sums[rows], entries)
            weights = np.where(full, 0.0, freed / np.where(mass > 0, mass, 1.0))
            entries = entries - weights[rows] * lower[outcomes]
        if self.unseen == "continuation":
            return ConditionalMatrix(
                counts, np.where(seen, weights, 1.0)[:, None], lower[None], entries
            )
        pooled = (counts.column_sums + 0.5) / (counts.n + counts.k / 2)
        left = np.column_stack([weights, ~seen]).astype(float)
        return ConditionalMatrix(counts, left, np.vstack([lower, pooled]), entries)


def estimate_discount(counts):
    """Return ``n1 / (n1 + 2 n2)`` (Ney, Essen and Kneser 1994), 3/4 where it is undefined."""
    once, twice = (int((counts.values == times).sum()) for times in (1, 2))
    return once / (once + 2 * twice) if once and twice else 0.75


def _continuation(counts, discount, kind):
    """Return the lower-order distribution of Kneser-Ney, shape (k,)."""
    distinct = counts.distinct_contexts
    if kind == "discounted" or counts.nnz == 0:
        return AbsoluteDiscount(discount)(distinct)
    if kind == "floor":
        floored = np.maximum(distinct, 1)
        return floored / floored.sum()
    freed = discount * np.count_nonzero(distinct) / distinct.sum()
    return np.maximum(distinct - discount, 0) / distinct.sum() + freed / counts.k


def _mass_of_unseen(counts, lower):
    """Return what ``lower`` gives to the outcomes not seen after each context, shape (k,)."""
    seen = np.bincount(counts.contexts, lower[counts.outcomes], minlength=counts.k)
    return np.maximum(1 - seen, 0.0)
