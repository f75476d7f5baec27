"""Good-Turing estimates of seen pairs, and Katz's back-off (Katz 1987), which rests on them."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.checks.entries import blocks
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.direct import with_row
from condprob.methods.kneser_ney import Discounted, share_out
from condprob.options import AtLeastOne
from condprob.run import Run
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.text.backoff_model import BackoffModel
from condprob.text.ngrams import discount_of, fall_back, list_ngrams
from condprob.text.sentences import NgramCounts, Sentences
from condprob.text.suffixes import sums_of_subtrees

# Times what an outcome has by the shorter history: from there on rounding would count, and unseen
# outcomes share equally. Chosen by hand; texts do not come near it.
LARGEST_WEIGHT = 1e6


@dataclass(frozen=True)
class GoodTuring(Estimator):
    """Good-Turing: a pair seen ``r`` times counts ``r* = (r + 1) n_(r+1) / n_r`` times.

    ``n_r`` is the number of pairs seen ``r`` times. What the seen outcomes of a context lose, the
    unseen ones share equally. A context never seen has the distribution of the pooled counts,
    estimated in the same way.

    READING: counts above ``largest`` keep their value, as in Katz (1987), because few pairs have
    them. Where ``r*`` is undefined or not between 0 and ``r``, it is ``r - D`` with
    ``D = n_1 / (n_1 + 2 n_2)``. A context whose counts all keep their value gives its unseen
    outcomes one count more. A count with a fraction belongs to the next whole number.

    Attributes
    ----------
    largest : int
        The largest count that is estimated.
    """

    largest: AtLeastOne = 5

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        uniform = np.full(counts.shape[1], 1 / counts.shape[1])
        matrix = self._share(counts, uniform)
        return with_row(matrix, counts.row_sums == 0, self.pooled(counts))

    def pooled(self, counts: CountMatrix) -> np.ndarray:
        """Return the distribution of the pooled outcomes, shape (outcomes,)."""
        sums = counts.column_sums
        if not counts.n:
            return np.full(sums.size, 1 / sums.size)
        lost = self._lost(sums[sums > 0])
        kept = sums.astype(float)
        kept[sums > 0] -= lost
        total, freed = float(counts.n), float(lost.sum())
        if freed == 0.0 and not (sums > 0).all():
            total, freed = total + 1, 1.0
        return (kept + freed / sums.size) / total

    def ratios(self, numbers: np.ndarray) -> np.ndarray:
        """Return the fraction that is kept of each count from 0 to ``largest + 1``.

        ``numbers``, shape (largest + 1,), says how many counts are 1, 2, ... The last ratio is one.
        """
        once = numbers[0]
        stand_in, found = discount_of(numbers), np.ones(self.largest + 2)
        for r in range(1, self.largest + 1):
            here, above = numbers[r - 1], numbers[r]
            ratio = self.ratio(r, (r + 1) * above / here, once, numbers[-1]) if here else 0.0
            found[r] = ratio if 0 < ratio < 1 else 1 - stand_in / r
        return found

    def ratio(self, r: int, estimate: float, once: int, beyond: int) -> float:
        """Return the fraction that is kept of a count ``r`` whose estimate is ``r*``.

        ``once`` and ``beyond`` are how many counts are one, and how many are ``largest + 1``.
        """
        return estimate / r

    def _lost(self, values: np.ndarray) -> np.ndarray:
        """Return what each positive count loses."""
        classes = np.empty(values.size, dtype=np.int64)
        for part in blocks(values.size):
            classes[part] = np.minimum(np.ceil(values[part]), self.largest + 1)
        numbers = _numbers_of(np.where(values > self.largest + 1, 0, classes), self.largest)
        return (1 - self.ratios(numbers))[classes] * values

    def _share(self, counts: CountMatrix, lower: np.ndarray) -> SparsePlusLowRank:
        """Return rows in which the unseen outcomes share what is lost, as a lower order says."""
        lost, sums = self._lost(counts.values), counts.row_sums
        freed = np.bincount(counts.contexts, lost, minlength=counts.shape[0])
        keeps = (freed == 0) & (sums > 0)
        left = np.where(keeps, sums / (sums + 1), freed)
        lost = np.where(keeps[counts.contexts], counts.values / (sums + 1)[counts.contexts], lost)
        weights, entries = share_out(counts, Discounted(lost, left, lower), "backoff")
        small = weights > LARGEST_WEIGHT
        if not small.any():
            return SparsePlusLowRank.on_pattern(counts, weights[:, None], lower[None], entries)
        equal = np.full(lower.size, 1 / lower.size)
        others, of_others = share_out(counts, Discounted(lost, left, equal), "backoff")
        entries = np.where(small[counts.contexts], of_others, entries)
        both = np.column_stack([np.where(small, 0.0, weights), np.where(small, others, 0.0)])
        return SparsePlusLowRank.on_pattern(counts, both, np.vstack([lower, equal]), entries)


@dataclass(frozen=True)
class Katz(GoodTuring):
    """Katz's back-off of any order, with Good-Turing discounts of counts up to five.

    What the counts lose goes to unseen outcomes as a shorter history says.

    A pair seen ``r`` times, up to ``largest``, keeps the fraction

        d_r = (r* / r - a) / (1 - a),   a = (largest + 1) n_(largest+1) / n_1,

    so that all pairs together lose ``n_1`` counts, as Good-Turing says. The shorter history of a
    single word is the pooled distribution, whose losses all outcomes share equally. A text has
    n-grams of any order, and each order has its own numbers ``n_r``.

    READING: see `GoodTuring`. The fraction ``1 - D / r`` stands for ``d_r`` where that is undefined
    or not between 0 and 1.

    Attributes
    ----------
    largest : int
        The largest count that is estimated: 5 in Katz's paper.
    """

    backs_off: ClassVar[bool] = True
    counts_ngrams: ClassVar[bool] = True

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        lower = self.pooled(counts)
        matrix = self._share(counts, lower)
        unseen = counts.row_sums == 0
        return with_row(matrix, unseen, lower) if unseen.any() else matrix

    def fit_sentences(
        self, sentences: Sentences | NgramCounts, order: int, run: Run
    ) -> BackoffModel:
        """Fit n-grams of an order: see `Estimator.fit_text`; there is nothing random."""
        ngrams = list_ngrams(sentences, order)
        counts = sums_of_subtrees(ngrams.pairs.upper, ngrams.pairs.own)
        lengths = np.repeat(ngrams.tree.depth, np.diff(ngrams.pairs.first))
        numbers = (_numbers_of(counts[lengths == d], self.largest) for d in range(order))
        lost = np.array([1 - self.ratios(of_order) for of_order in numbers])
        fixed = lost * np.arange(self.largest + 2)
        return fall_back(ngrams, counts, fixed, np.zeros(order), "uniform", "backoff", spare=True)

    def ratio(self, r: int, estimate: float, once: int, beyond: int) -> float:
        """Return ``d_r`` of a count ``r`` whose estimate is ``r*``; see `GoodTuring.ratio`."""
        if not once or (a := (self.largest + 1) * beyond / once) >= 1:
            return 0.0
        return (estimate / r - a) / (1 - a)


def _numbers_of(counts: np.ndarray, largest: int) -> np.ndarray:
    """Return how many whole counts are 1, 2, ..., ``largest + 1``, shape (largest + 1,)."""
    return np.array([int((counts == r).sum()) for r in range(1, largest + 2)])
