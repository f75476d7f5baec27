"""Class bigrams: a class of contexts, the class that follows, and a word of that class."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.jit import EXACT, njit
from condprob.methods.em.clusters import Centres, cluster_contexts
from condprob.methods.smoothing import AbsoluteDiscount
from condprob.options import AtLeastOne, Discount, Whole
from condprob.progress import Parts, Progress, chunks
from condprob.run import Run
from condprob.sparse_plus_low_rank import LowRankMatrix, SparsePlusLowRank

NO_CLASS = -1  # the class of contexts and outcomes never seen
GAIN_TOLERANCE = 1e-12  # of the likelihood: a move that gains less is none; not measured


@dataclass(frozen=True)
class ClassBigram(Estimator):
    """``P(d_j | c_i) P(j | d_j)`` with classes ``c`` of contexts and ``d`` of outcomes.

    The class that follows has absolute discounting; a word has its share of its class. Outcomes
    never seen are a class of their own, and contexts never seen the pooled counts of all classes.

    READING: sources have one class for each word, before and after. The contexts of pairs may be
    something else than the outcomes, such as whole histories, and so both have classes of their
    own: for words, that is one map more than Brown et al. (1992) have.

    Attributes
    ----------
    rank : int
        Classes of contexts, and of outcomes; there are fewer where fewer differ.
    discount : float
        Taken of how often a class follows another, for classes that never did.
    """

    rank: AtLeastOne = 50
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        return 8 * sum(shape) * (min(self.rank, max(shape)) + 1)

    def factors(self, counts: CountMatrix, labels: tuple[np.ndarray, np.ndarray]):
        """Return ``P(d | c_i)``, (contexts, classes), and ``P(j | d)``, (classes, outcomes)."""
        pooled = counts.column_sums.astype(float)
        last = labels[0].max(initial=NO_CLASS) + 1  # the class of contexts never seen
        context = np.where(labels[0] == NO_CLASS, last, labels[0])
        _, outcome = np.unique(labels[1], return_inverse=True)
        N = _count_classes(counts, context, outcome, last + 1)
        smooth = AbsoluteDiscount(self.discount)
        after = smooth(N)
        after[last] = smooth(N.sum(axis=0))
        words, sums = np.zeros((N.shape[1], outcome.size)), np.bincount(outcome, pooled)
        ones = np.bincount(outcome)
        each = np.where(
            sums[outcome] > 0, pooled / np.where(sums > 0, sums, 1)[outcome], 1 / ones[outcome]
        )
        words[outcome, np.arange(outcome.size)] = each
        return after[context], words


@dataclass(frozen=True)
class KMeansClasses(ClassBigram):
    """Class bigram, its classes by k-means.

    See `em.clusters.cluster_contexts`.

    Contexts are clustered by ``sqrt(C_ij / C_i)``, and outcomes likewise by the
    contexts before them.

    Attributes
    ----------
    initial : "greedy", "k-means++" or "random"
        The first centres: see `em.clusters.cluster_contexts`.
    """

    is_random: ClassVar[bool] = True
    initial: Centres = "greedy"

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        rng = run.generator()
        parts, labels = Parts("side", 2, run.progress), []
        for each in (counts, counts.T):
            with parts.next():
                labels.append(cluster_contexts(each, self.rank, rng, self.initial))
        return SparsePlusLowRank.on_pattern(counts, *self.factors(counts, tuple(labels)))


@dataclass(frozen=True)
class ExchangeClasses(ClassBigram):
    """Class bigram, its classes by the exchange algorithm.

    They are the classes that make the pairs likely.

    In turns each context, then each outcome, goes to the class with which the likelihood is
    largest (Kneser and Ney 1993; the objective is that of Brown et al. 1992). It never falls, and
    ends where no single move gains: not the best partition, but one that no neighbour beats.

    Attributes
    ----------
    iterations : int
        Rounds of all contexts and all outcomes, at most.
    """

    iterations: Whole = 20

    def fit_counts(self, counts: CountMatrix, run: Run) -> LowRankMatrix:
        labels, history, settled = exchange(
            counts, self.rank, self.iterations, progress=run.progress
        )
        W, H = self.factors(counts, labels)
        return LowRankMatrix.on_pattern(
            counts, W, H, W=W, H=H, history=history, converged=settled or None
        )


def exchange(
    counts: CountMatrix,
    rank: int,
    iterations: int,
    progress: Progress = False,
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, bool]:
    """Return the classes of contexts and outcomes, `NO_CLASS` for those never seen.

    Labels begin in turns, from the most frequent on, which is also the order of the moves.

    Returns
    -------
    labels : (numpy.ndarray of int, numpy.ndarray of int)
    history : numpy.ndarray, shape (rounds + 1,)
        Minus the likelihood of the pairs under unsmoothed classes, nats per pair.
    settled : bool
        Whether the last round moved nothing.
    """
    sides = counts, counts.T
    rank = min(rank, max(counts.shape))
    labels = tuple(_first_classes(side.row_sums, rank) for side in sides)
    history, moved = [_loss(counts, labels, rank)], 1
    for _ in chunks(iterations if counts.n else 0, 1, progress, "round"):
        moved = 0
        for side in (0, 1):
            here, there = sides[side], labels[1 - side]
            N = _count_classes(here, labels[side], there, rank)
            order = np.argsort(-here.row_sums, kind="stable")[: here.seen_contexts.size]
            rows = here.indptr, there[here.outcomes], here.values.astype(float)
            moved += _move_rows(*rows, order, labels[side], N, N.sum(axis=1))
        history.append(_loss(counts, labels, rank))
        if not moved:
            break
    return labels, np.array(history), not moved or not counts.n


def _first_classes(sums, rank):
    """Return a class for each, in turns from the largest sum on; `NO_CLASS` for no sum."""
    label = np.full(sums.size, NO_CLASS)
    order = np.argsort(-sums, kind="stable")[: np.count_nonzero(sums)]
    label[order] = np.arange(order.size) % rank
    return label


def _count_classes(counts, context, outcome, classes):
    """Return the counts of pairs of classes, shape (classes, classes of outcomes)."""
    N = np.zeros((classes, max(outcome.max(initial=0) + 1, 1)))
    np.add.at(N, (context[counts.contexts], outcome[counts.outcomes]), counts.values.astype(float))
    return N


def _loss(counts, labels, rank):
    """Return minus the likelihood of the pairs when each factor is a relative frequency."""
    if not counts.n:
        return 0.0
    N = _count_classes(counts, *labels, rank)
    parts = (N, 1), (N.sum(axis=1), -1), (N.sum(axis=0), -1), (counts.column_sums, 1)
    total = sum(sign * (x * np.log(np.where(x > 0, x, 1))).sum() for x, sign in parts)
    return float(-total / counts.n)


@njit(**EXACT)
def x_log_x(x):
    """Return ``x log x``, zero where rounding has left less than nothing."""
    return x * np.log(x) if x > 0.0 else 0.0


@njit(**EXACT)
def _move_rows(indptr, outcome, values, order, label, N, sums):
    """Move each row to its best class, the columns' classes given; return how many moved.

    ``label``, ``N`` and ``sums``, the counts of pairs of classes and of classes of rows, follow.
    """
    own, touched = np.zeros(N.shape[1]), np.empty(N.shape[1], dtype=np.int64)
    least, moved = GAIN_TOLERANCE * x_log_x(sums.sum()), 0
    for i in order:
        size, total = 0, 0.0
        for s in range(indptr[i], indptr[i + 1]):
            if own[outcome[s]] == 0.0:
                touched[size] = outcome[s]
                size += 1
            own[outcome[s]] += values[s]
            total += values[s]
        home = label[i]
        for t in range(size):
            N[home, touched[t]] -= own[touched[t]]
        sums[home] -= total
        best, most = home, gain(N, sums, home, own, touched[:size], total) + least
        for c in range(sums.size):
            if c != home:
                found = gain(N, sums, c, own, touched[:size], total)
                if found > most:
                    best, most = c, found
        for t in range(size):
            N[best, touched[t]] += own[touched[t]]
            own[touched[t]] = 0.0
        sums[best] += total
        label[i] = best
        moved += best != home
    return moved


@njit(**EXACT)
def gain(N, sums, c, own, touched, total):
    """Return the gain in log-likelihood if a row joins class ``c``, nats."""
    found = x_log_x(sums[c]) - x_log_x(sums[c] + total)
    for d in touched:
        found += x_log_x(N[c, d] + own[d]) - x_log_x(N[c, d])
    return found
