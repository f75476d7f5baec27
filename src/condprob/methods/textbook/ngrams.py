"""Relative frequencies, and mixtures of them with shorter histories.

`MaximumLikelihood` and `Interpolated` read texts of any order. `JelinekMercer` and `WittenBell`
interpolate the rows of a matrix with a unigram distribution.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.choice import SMALLEST_WEIGHT, learn_share
from condprob.methods.direct import unigram
from condprob.methods.kneser_ney import Discounted, share_out
from condprob.options import Discount, Proportion
from condprob.run import Run
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.text.backoff_model import BackoffModel
from condprob.text.ngrams import Ngrams, fall_back, list_ngrams
from condprob.text.sentences import Sentences
from condprob.text.suffixes import NOWHERE, nodes_of, sums_of_subtrees

# EM has at most so many steps, and ends when no weight moves by more. Not measured.
MOST_EM_STEPS, WEIGHT_TOLERANCE = 500, 1e-6


@dataclass(frozen=True)
class Interpolated(Estimator):
    """Relative frequencies of every order, interpolated.

    Each is mixed with the next shorter one.

    ``p(j | h) = (1 - w) C(h j) / C(h) + w p(j | h')``, where ``h'`` is the history without its
    farthest word, and ``w`` belongs to its length; the shortest is the unigram distribution, mixed
    with the uniform. A history never seen has the distribution of ``h'``. With
    ``form="backoff"`` words seen after ``h`` have only the first part, and the unseen ones share
    ``w`` in proportion to ``p(j | h')``.

    READING: textbooks that only replace zeros by the shorter history's probabilities have rows
    that do not sum to one. Here the share of the unseen words is taken from the seen ones.

    Attributes
    ----------
    weight : float or "learned"
        Weight of the shorter history, the same for all lengths. By default there is one for each
        length, learned by EM so that the training words are probable when each is left out in turn
        (`learn_interpolation`).
    form : str
        Whether the shorter history contributes to all words, or only to those that are unseen after
        the longer one.
    """

    backs_off: ClassVar[bool] = True
    counts_ngrams: ClassVar[bool] = True
    weight: Proportion | Literal["learned"] = "learned"
    form: Literal["interpolated", "backoff"] = "interpolated"

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        chains = [
            (counts.column_sums[counts.outcomes], np.full(counts.nnz, counts.n)),
            (counts.values, counts.row_sums[counts.contexts]),
        ]
        weights = self._weights(chains, counts.values, counts.shape[1])
        lower = np.full(counts.shape[1], 1 / counts.shape[1])
        if counts.n:
            lower = (1 - weights[0]) * counts.column_sums / counts.n + weights[0] * lower
        taken, freed = weights[1] * counts.values, weights[1] * counts.row_sums
        left, entries = share_out(counts, Discounted(taken, freed, lower), self.form)
        left = np.where(counts.row_sums > 0, left, 1.0)
        return SparsePlusLowRank.on_pattern(counts, left[:, None], lower[None], entries)

    def fit_sentences(self, sentences: Sentences, order: int, run: Run) -> BackoffModel:
        """Fit n-grams of an order: see `Estimator.fit_text`; there is nothing random."""
        ngrams = list_ngrams(sentences, order)
        counts, nothing = (
            sums_of_subtrees(ngrams.pairs.upper, ngrams.pairs.own),
            np.zeros((order, 4)),
        )
        weights = self._weights(*_chains_of(ngrams, counts), sentences.k)
        return fall_back(ngrams, counts, nothing, weights, "uniform", self.form)

    def _weights(self, chains, counts, outcomes):
        if self.weight != "learned":
            return np.full(len(chains), float(self.weight))
        return learn_interpolation(chains, counts, outcomes, self.form)


@dataclass(frozen=True)
class MaximumLikelihood(Estimator):
    """Relative frequencies (maximum likelihood).

    ``C(h j) / C(h)``, zero for a pair never seen.

    READING: after a history that was never seen it is 0/0. It is then that of the longest part of
    the history that was, in the end the unigram's: `Interpolated` without weights.
    """

    backs_off: ClassVar[bool] = True
    counts_ngrams: ClassVar[bool] = True

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        return Interpolated(0.0).fit_counts(counts, run)

    def fit_sentences(self, sentences: Sentences, order: int, run: Run) -> BackoffModel:
        """Fit n-grams of an order: see `Estimator.fit_text`; there is nothing random."""
        return Interpolated(0.0).fit_sentences(sentences, order, run)


def learn_interpolation(
    chains: list[tuple[np.ndarray, np.ndarray]],
    counts: np.ndarray,
    outcomes: int,
    form: Literal["interpolated", "backoff"] = "interpolated",
) -> np.ndarray:
    """Return a weight for each length of history: EM, where each word is left out in its turn.

    A word walks from its longest history to shorter ones: at each that is seen without it, it stays
    or goes on, with the weight's probability. The weight is the share of words that go on. In the
    form of a back-off it stays wherever it was seen, and all is known after one step.

    Parameters
    ----------
    chains : list of (numpy.ndarray, numpy.ndarray)
        For each length of history, the empty one first: how often each n-gram was seen, and how
        often its history; zero for both where a sentence has no such history.
    counts : numpy.ndarray, shape (n-grams,)
        How often each n-gram was seen with its whole history.
    outcomes : int
    form : str

    Returns
    -------
    numpy.ndarray, shape (lengths,)
        One half where nothing tells the weight.
    """
    rest = [(np.maximum(c - 1.0, 0.0), np.maximum(sums - 1.0, 0.0)) for c, sums in chains]
    seen = [sums > 0 for _, sums in rest]
    found = [np.divide(c, s, out=np.zeros(c.size), where=s > 0) for c, s in rest]
    weights = np.full(len(chains), 0.5)
    for _ in range(MOST_EM_STEPS):
        mixed = [np.full(counts.size, 1 / outcomes)]  # of each length, and before all: uniform
        for weight, frequency, there in zip(weights, found, seen, strict=True):
            both = (1 - weight) * frequency + weight * mixed[-1]
            mixed.append(np.where(there, both, mixed[-1]))
        walking, new = np.asarray(counts, float), weights.copy()
        for length in reversed(range(len(chains))):
            stays = (1 - weights[length]) * found[length] / mixed[length + 1]
            if form == "backoff" and length:
                stays = found[length] > 0
            goes_on = np.where(seen[length], walking * (1 - stays), walking)
            if (reached := walking @ seen[length]) > 0:
                share = goes_on @ seen[length] / reached
                new[length] = min(max(share, SMALLEST_WEIGHT), 1 - SMALLEST_WEIGHT)
            walking = goes_on
        moved, weights = abs(new - weights).max(), new
        if moved < WEIGHT_TOLERANCE:
            break
    return weights


def _chains_of(ngrams: Ngrams, counts: np.ndarray):
    """Return the `learn_interpolation` of the n-grams with which a word has its whole history."""
    pairs, depth = ngrams.pairs, ngrams.tree.depth
    context = nodes_of(pairs.first)
    sums = np.bincount(context, counts, minlength=depth.size)
    whole = np.flatnonzero(pairs.own > 0)
    whole = whole[np.lexsort((-context[whole], pairs.word[whole]))]  # by word, then by history
    here, chains = whole, [np.zeros((2, whole.size)) for _ in range(ngrams.order)]
    for length in reversed(range(ngrams.order)):
        at = depth[context[here]] == length
        chains[length][:, at] = counts[here[at]], sums[context[here[at]]]
        upper = pairs.upper[here]
        here = np.where(at & (upper != NOWHERE), upper, here)
    return [tuple(chain) for chain in chains], pairs.own[whole]


@dataclass(frozen=True)
class JelinekMercer(Estimator):
    """Jelinek-Mercer: relative frequencies, interpolated with the unigram.

    ``(1 - weight) C_ij / C_i + weight u_j`` (Jelinek and Mercer 1980).

    ``u`` is the unigram distribution, smoothed by absolute discounting as in stupid backoff. A
    context never seen has it as its row.

    READING: Jelinek and Mercer learn a weight for each of many groups of contexts; this is the
    plain form of Chen and Goodman (1998), one weight for all.

    Attributes
    ----------
    weight : float or "learned"
        Weight of the unigram distribution. By default it maximises the likelihood of the training
        pairs when each is left out in turn (`learn_weight`).
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        lower = unigram(counts, self.discount)
        weight = learn_weight(counts, lower) if self.weight == "learned" else self.weight
        entries = (1 - weight) * counts.values / counts.row_sums[counts.contexts]
        left = np.where(counts.row_sums > 0, weight, 1.0)[:, None]
        return SparsePlusLowRank.on_pattern(counts, left, lower[None], entries)


@dataclass(frozen=True)
class WittenBell(Estimator):
    """Witten-Bell: a new outcome is as likely as new ones have been (method C).

    ``(C_ij + D_i u_j) / (C_i + D_i)`` (Witten and Bell 1991).

    A new outcome is as likely as new ones have been: ``D_i`` is the number of distinct outcomes
    seen after ``i``. The lower order ``u`` is the same of the pooled counts and the uniform
    distribution; a context never seen has it as its row.

    READING: of real counts, a pair whose count is below one stands for that part of an outcome.
    """

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
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
    if not counts.nnz:
        return 0.5
    others = np.maximum(counts.row_sums - 1.0, 0.0)[counts.contexts]
    rest = np.maximum(counts.values - 1.0, 0.0)
    frequency = np.divide(rest, others, out=np.zeros(counts.nnz), where=others > 0)
    return learn_share(np.column_stack([frequency, lower[counts.outcomes]]), counts.values)
