"""Methods that fall back on pooled counts: stupid backoff and Kneser-Ney (Section 7, 5 and 6)."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator, wrong_fit
from condprob.matrix import ConditionalMatrix
from condprob.methods.direct import unigram
from condprob.methods.smoothing import AbsoluteDiscount
from condprob.options import Discount, Range
from condprob.run import Run
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.text.backoff_model import BackoffModel
from condprob.text.ngrams import (
    continuation_of,
    discount_of,
    discounts_of,
    estimate_discounts,
    fit_kneser_ney,
)
from condprob.text.sentences import Sentences

# A product of two numbers is rounded by 2 ** -53 of its value, a short sum by little more. The
# margin was not measured.
PRODUCT_TOLERANCE = 2.0**-50


@dataclass(frozen=True)
class StupidBackoff(Estimator):
    """Stupid backoff, divided by its sum (Brants et al. 2007).

    ``C_ij / C_i`` where seen, else ``weight`` times the unigram.

    READING: the published numbers are those of the score divided by its sum over outcomes, over
    the unigram distribution smoothed by absolute discounting. With ``normalised=False`` the
    score is left as Brants et al. published it: its rows do not sum to one, it is not a
    distribution, and its `cross_entropy` is not comparable with that of other methods.

    Attributes
    ----------
    weight : float
        Factor of the unigram distribution for unseen pairs.
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    normalised : bool
        Whether to divide the scores by their sum.
    """

    weight: Annotated[float, Range(0, 100)] = 0.4
    discount: Discount = 0.75
    normalised: bool = True

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        lower = unigram(counts, self.discount)
        rows, outcomes = counts.contexts, counts.outcomes
        seen = counts.row_sums > 0
        scores = counts.values / counts.row_sums[rows]
        total = 1 + self.weight * _mass_of_unseen(counts, lower)
        if self.normalised:
            weights = np.where(seen, self.weight / total, 1.0)
            scores = scores / total[rows]
        else:
            weights = np.full(counts.shape[0], self.weight)
        entries = _instead_of(weights[rows] * lower[outcomes], scores)
        return SparsePlusLowRank.on_pattern(counts, weights[:, None], lower[None], entries)


class Discounted(NamedTuple):
    """Discounted counts, and the lower order that receives the discounts."""

    taken: np.ndarray  # shape (nnz,): discount of each count
    freed: np.ndarray  # shape (contexts,): sum of the discounts of each row
    lower: np.ndarray  # shape (outcomes,): the lower order, such as the continuation distribution


@dataclass(frozen=True)
class KneserNey(Estimator):
    """Kneser-Ney: absolute discounting over the continuation distribution.

    READING: the paper names no variant. ``continuation`` says how the number of distinct
    contexts before ``j``, ``N_j``, becomes a lower-order distribution that is nowhere zero:

    ``"discounted"``
        absolute discounting of ``N``, shared by the unseen outcomes (the strongest found);
    ``"uniform"``
        ``max(N_j - discount, 0)`` interpolated with the uniform (the textbook's);
    ``"floor"``
        proportional to ``max(N_j, 1)``.

    ``form`` is ``"interpolated"`` (the lower order is added to every outcome) or ``"backoff"``
    (only to the unseen ones). Contexts never seen get the continuation distribution, or the
    unigram add-1/2 one (``unseen="unigram"``).

    ``discount`` is a number; ``"estimated"`` from the numbers of pairs seen once and twice
    (`estimate_discount`); or ``"modified"``, three, for pairs seen once, twice and more often
    (`estimate_discounts`), and three of the lower order's own.

    A text has Kneser-Ney of any order (`fit_text`).

    Attributes
    ----------
    discount : float, "estimated" or "modified"
        Amount to subtract from every count: a number, or estimated from the pairs seen once and
        twice, or three values, for pairs seen once, twice and more often.
    continuation : str
        How the numbers of distinct contexts are smoothed into the lower order, which must not
        contain zeros.
    form : "interpolated" or "backoff"
        Whether the lower order is added to every outcome, or only to the unseen ones.
    unseen : "continuation" or "unigram"
        Row of an unseen context: the continuation distribution, or the unigram.
    """

    backs_off: ClassVar[bool] = True
    counts_ngrams: ClassVar[bool] = True
    discount: Discount | Literal["estimated", "modified"] = 0.75
    continuation: Literal["discounted", "uniform", "floor"] = "discounted"
    form: Literal["interpolated", "backoff"] = "interpolated"
    unseen: Literal["continuation", "unigram"] = "continuation"

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        discounted, seen = self.discounted(counts), counts.row_sums > 0
        weights, entries = share_out(counts, discounted, self.form)
        lower = discounted.lower
        if self.unseen == "continuation":
            left, right = np.where(seen, weights, 1.0)[:, None], lower[None]
        else:
            pooled = (counts.column_sums + 0.5) / (counts.n + counts.shape[1] / 2)
            left = np.column_stack([weights, ~seen]).astype(float)
            right = np.vstack([lower, pooled])
        return SparsePlusLowRank.on_pattern(counts, left, right, entries)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> SparsePlusLowRank:
        """See `Estimator.fold_in`: rows of this discount around the lower order of the fit."""
        counts = as_counts(counts)
        if not isinstance(matrix, SparsePlusLowRank) or matrix.right.shape != (1, counts.shape[1]):
            raise wrong_fit("kn with one lower order (unseen='continuation')", matrix, counts)
        if isinstance(self.discount, str) or self.form != "interpolated":
            raise ValueError("kn folds contexts in only if interpolated, with a number as discount")
        weights, entries = share_out(counts, self.discounted(counts), self.form)
        left = np.where(counts.row_sums > 0, weights, 1.0)
        return SparsePlusLowRank.on_pattern(counts, left[:, None], matrix.right, entries)

    def fit_sentences(self, sentences: Sentences, order: int, run: Run) -> BackoffModel:
        """Fit Kneser-Ney of an order: the discounts of a history go to the next shorter history.

        Each order has its own estimated discounts; ``continuation`` defines the shortest order. At
        order 2 the probabilities are those of `fit` to the pairs, but there a single estimated
        discount serves both orders. The fit is direct and not random.

        Raises
        ------
        ValueError
            If ``unseen`` is ``"unigram"``: in a text, shorter histories replace a history that was
            never seen.
        """
        if self.unseen != "continuation":
            raise ValueError(f"unseen = {self.unseen!r}: must be 'continuation' for a text")
        return fit_kneser_ney(sentences, order, self.discount, self.continuation, self.form)

    def discounted(self, counts: CountMatrix) -> Discounted:
        """Return the discounts of the counts, and the lower order."""
        if self.discount == "modified":
            taken = discounts_of(counts.seldom, counts.is_whole).of(counts.values)
            freed = np.bincount(counts.contexts, taken, minlength=counts.shape[0])
            distinct = counts.distinct_contexts
            of_distinct = estimate_discounts(distinct).of(distinct)
            lower = continuation_of(distinct, of_distinct, of_distinct.sum(), self.continuation)
            return Discounted(taken, freed, lower)
        discount = estimate_discount(counts) if self.discount == "estimated" else self.discount
        distinct = counts.clipped_column_sums
        if self.continuation == "discounted":
            lower = AbsoluteDiscount(discount)(distinct)
        else:
            clipped = np.minimum(distinct, 1)
            taken = discount * clipped
            lower = continuation_of(distinct, taken, discount * clipped.sum(), self.continuation)
        return Discounted(discount * counts.clipped, discount * counts.clipped_row_sums, lower)


@dataclass(frozen=True)
class ModifiedKneserNey(KneserNey):
    """Kneser-Ney with three discounts for each order (Chen and Goodman 1998).

    This is the default for texts.

    It is `KneserNey` with ``discount="modified"``, under an id of its own: the ``kn`` of the paper
    has one discount of 0.75.

    Attributes
    ----------
    discount : "modified"
        Three discounts: of pairs seen once, twice and more often. They need whole counts.
    """

    discount: Literal["modified"] = "modified"

    fold_in = Estimator.fold_in  # `KneserNey` folds in with a number as discount


def share_out(
    counts: CountMatrix, discounted: Discounted, form: Literal["interpolated", "backoff"]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of the lower order in each row, (contexts,), and the entries next to it.

    Parameters
    ----------
    counts : CountMatrix
    discounted : Discounted
    form : str
        "interpolated" or "backoff": see `KneserNey`.
    """
    rows, lower = counts.contexts, discounted.lower
    row_sums = np.where(counts.row_sums > 0, counts.row_sums, 1)
    weights = discounted.freed / row_sums
    entries = (counts.values - discounted.taken) / row_sums[rows]
    if form == "interpolated":
        return weights, entries
    mass = _mass_of_unseen(counts, lower)
    full = counts.distinct_outcomes == counts.shape[1]  # nobody to back off to: as in AD
    entries = np.where(full[rows], counts.values / row_sums[rows], entries)
    weights = np.where(full, 0.0, weights / np.where(mass > 0, mass, 1.0))
    return weights, _instead_of(weights[rows] * lower[counts.outcomes], entries)


def estimate_discount(counts: CountMatrix) -> float:
    """Return ``n1 / (n1 + 2 n2)`` (Ney, Essen and Kneser 1994), 3/4 where it is undefined.

    Raises
    ------
    ValueError
        If the counts are not whole: there are no pairs seen once or twice then.
    """
    if not counts.is_whole:
        raise ValueError("discount = 'estimated' requires whole counts, but these have fractions")
    return discount_of(counts.seldom)


def _instead_of(product: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the sparse entries that replace the low-rank product by the values of cells.

    A cell below the rounding of the product would become zero, although the pair was seen. It is
    as large as the rounding instead.
    """
    least = (PRODUCT_TOLERANCE - 1) * product
    return np.where(cells > 0, np.maximum(cells - product, least), cells - product)


def _mass_of_unseen(counts: CountMatrix, lower: np.ndarray) -> np.ndarray:
    """Return the mass of ``lower`` on the outcomes not seen after each context, (contexts,)."""
    seen = np.bincount(counts.contexts, lower[counts.outcomes], minlength=counts.shape[0])
    is_full = counts.distinct_outcomes == counts.shape[1]  # where a rounding would be left
    return np.where(is_full, 0.0, np.maximum(1 - seen, 0.0))
