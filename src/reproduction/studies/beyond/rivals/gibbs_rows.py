"""The aggregate model by collapsed Gibbs sampling, its samples averaged, in Pitman-Yor rows.

Each distinct pair ``i, j`` belongs to one of ``m`` classes. The classes of a context have a
Dirichlet prior with weights ``a_l``, and a class has a distribution of the outcomes around a base
``v``. Given the classes of all other pairs, a pair is of class ``l`` with a probability in
proportion to ::

    (n_il + a_l) (x_lj - d [x_lj > 0] + (theta + d T_l) v_j) / (theta + x_l)

where ``n_il`` and ``x_lj`` count the other pairs, and ``T_l`` the outcomes that the class has.

READING: with ``d = 0`` this is the posterior of a Dirichlet prior (Griffiths and Steyvers 2004).
With a discount it is that of Pitman-Yor classes with one table for each outcome, in place of tables
that are sampled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.jit import EXACT, njit
from condprob.methods.direct import unigram
from condprob.methods.pitman_yor.chain import learn_constants
from condprob.mixtures import MixtureMatrix
from condprob.options import AtLeastOne, AtLeastZero, Discount, Positive, Whole
from condprob.progress import Parts, chunks
from condprob.run import Run
from reproduction.studies.beyond.rivals.kn_ad_lr import PLAIN_DISCOUNT, kneser_ney_of
from reproduction.studies.beyond.rivals.learning import (
    DISCOUNTS,
    TELLING,
    count_once,
    deal_often,
    learn,
    predict_fold,
    without_pairs,
)
from reproduction.studies.beyond.rivals.rows_around_base import FittedBase, assemble

# The share of the continuation in the base of a class: 570a500:benchmarks/constants.csv. Where
# weights that are learned begin, and after how many sweeps they are learned: not measured.
CONTINUATION, FIRST_CONSTANT, SETTLING = 0.25, 0.1, 5
THINNING = 3  # sweeps from one sample of a chain to the next; not measured

# Distinct pairs: folds are held out in turn until so many have been fitted. Not measured.
ENOUGH_PAIRS = 20000
BACKGROUNDS = ("continuation", "unigram", "uniform")
# Pseudo-pairs that all components share equally, and further ones of the base. They decide where a
# dozen held-out pairs cannot: 570a500:benchmarks/constants.csv.
PRIOR_OF_ALL, PRIOR_OF_BASE = 0.1, 3.0


class Classes(NamedTuple):
    """The class of each pair, and the sums over pairs of each class.

    Attributes
    ----------
    of_pairs : numpy.ndarray of int, shape (nnz,)
        -1 before the first sweep.
    of_contexts : numpy.ndarray, shape (contexts, m)
    of_outcomes : numpy.ndarray, shape (outcomes, m)
    sizes, distinct : numpy.ndarray, shape (m,)
        Pairs of each class, and outcomes that are in them.
    """

    of_pairs: np.ndarray
    of_contexts: np.ndarray
    of_outcomes: np.ndarray
    sizes: np.ndarray
    distinct: np.ndarray

    @classmethod
    def empty(cls, counts: CountMatrix, m: int) -> "Classes":
        """Return classes without pairs."""
        tables = (np.zeros((size, m)) for size in counts.shape)
        return cls(np.full(counts.nnz, -1), *tables, *np.zeros((2, m)))


@njit(**EXACT)
def sweep(contexts, outcomes, classes, a, discount, strength, v, rng):
    """Draw the class of every pair, given the classes of all others.

    Returns the sum of the log-probabilities of the pairs given all others, nats.

    Parameters
    ----------
    contexts, outcomes : numpy.ndarray of int, shape (nnz,)
    classes : Classes
        Changed in place.
    a : numpy.ndarray, shape (m,)
    discount, strength : float
    v : numpy.ndarray, shape (outcomes,)
    rng : numpy.random.Generator
    """
    of_pairs, of_contexts, of_outcomes, sizes, distinct = classes
    m, log_likelihood = a.size, 0.0
    weights = np.empty(m)
    for p in range(contexts.size):
        i, j = contexts[p], outcomes[p]
        old = of_pairs[p]
        if old >= 0:
            of_contexts[i, old] -= 1
            of_outcomes[j, old] -= 1
            sizes[old] -= 1
            distinct[old] -= of_outcomes[j, old] == 0
        total, of_row = 0.0, 0.0
        for l in range(m):
            seen, x = of_outcomes[j, l], sizes[l]
            own = seen - discount if seen > 0 else 0.0
            given = own + (strength + discount * distinct[l]) * v[j]
            given = given / (strength + x) if x > 0 else v[j]
            total += (of_contexts[i, l] + a[l]) * given
            of_row += of_contexts[i, l] + a[l]
            weights[l] = total
        log_likelihood += np.log(total / of_row)
        drawn, new = rng.random() * total, 0
        while new < m - 1 and weights[new] <= drawn:
            new += 1
        distinct[new] += of_outcomes[j, new] == 0
        of_pairs[p] = new
        of_contexts[i, new] += 1
        of_outcomes[j, new] += 1
        sizes[new] += 1
    return log_likelihood


@dataclass(frozen=True)
class GibbsRows(Estimator):
    """Pitman-Yor rows around the mean of samples of the aggregate model of the distinct pairs.

    The base has `BACKGROUNDS` besides, and outcomes never seen have PY-LR's rule. Strength and
    shares are learned from one chain for each fold of the pairs.

    Attributes
    ----------
    classes : int
        ``m``.
    starts : int
        Chains.
    samples : int
        Of each chain, every third sweep.
    burn_in : int
        Sweeps before the first.
    constant : float or "learned"
        ``a_l``: the same for every class, or one for each, by Minka's fixed point.
    discount, strength : float
        ``d`` and ``theta``.
    """

    is_random: ClassVar[bool] = True
    classes: AtLeastOne = 30
    starts: AtLeastOne = 3
    samples: AtLeastOne = 8
    burn_in: Whole = 60
    constant: Positive | Literal["learned"] = "learned"
    discount: Discount = 0.7
    strength: AtLeastZero = 0.0

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every sample."""
        return 8 * sum(shape) * self.classes * self.starts * self.samples

    def fit_counts(self, counts: CountMatrix, run: Run) -> MixtureMatrix:
        rng, bases = run.generator(), int(counts.nnz > 0)
        folds, starts = deal_often(counts, ENOUGH_PAIRS, TELLING, rng), self.starts * bases
        parts = Parts("fit", len(folds) * bases + starts, run.progress)

        def fit_to(these, number):
            fits = []
            for _ in range(number):
                with parts.next():
                    fits.append(self.fit_base(these, rng, run.progress))
            return fits

        held_out = [
            predict_fold(fold, [*fit_to(fold.rest, bases), *fit_backgrounds(fold.rest)])
            for fold in folds
        ]
        learned = _learn(held_out, counts, bases + len(BACKGROUNDS))
        fits = [fit_to(counts, starts)] * bases + [[each] for each in fit_backgrounds(counts)]
        return assemble(counts, fits, learned)

    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """Return the samples of one chain; contexts without counts are alike, and such outcomes.

        The history is one number, the mean of the samples' risks, each pair given all others: with
        no change to judge by a fit is at its limit, for nothing measures whether a chain has mixed.
        """
        outcomes = counts.shape[1]
        v = np.full(outcomes, (1 - CONTINUATION) / outcomes)
        v += CONTINUATION * continuation_of(counts)
        of_contexts, of_classes, likelihoods = zip(*self.run(counts, v, rng, progress), strict=True)
        W = np.hstack(of_contexts) / len(of_contexts)
        entropy = -np.log(np.diff(counts.indptr)[counts.contexts]).mean()
        return FittedBase(W, np.vstack(of_classes), np.array([entropy - np.mean(likelihoods)]))

    def run(
        self, counts: CountMatrix, v: np.ndarray, rng: np.random.Generator, progress: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
        """Yield the samples of a chain: means of ``W`` and of ``H`` given the classes.

        With each comes the result of `sweep`, nats per pair.
        """
        pairs = counts.contexts.astype(np.int64), counts.outcomes.astype(np.int64)
        classes, seen = Classes.empty(counts, self.classes), counts.seen_contexts
        is_learned = self.constant == "learned"
        a = np.full(self.classes, FIRST_CONSTANT if is_learned else float(self.constant))
        total = self.burn_in + self.samples * THINNING
        for _, done in chunks(total, 1, progress, "sweep"):
            found = sweep(*pairs, classes, a, self.discount, self.strength, v, rng)
            if is_learned and done > SETTLING:
                counted = classes.of_contexts[seen]
                a = learn_constants(counted, counted.sum(axis=1), a)
            after = done - self.burn_in
            if after > 0 and after % THINNING == 0:
                W = classes.of_contexts + a
                W /= W.sum(axis=1, keepdims=True)
                yield W, self.mean_of_classes(classes, v), found / counts.nnz

    def mean_of_classes(self, classes: Classes, v: np.ndarray) -> np.ndarray:
        """Return the distribution of each class, shape (m, outcomes)."""
        x, left = classes.of_outcomes.T, self.strength + self.discount * classes.distinct
        kept = np.where(x > 0, x - self.discount, 0.0) + left[:, None] * v
        is_empty = classes.sizes == 0
        divisor = np.where(is_empty, 1.0, self.strength + classes.sizes)
        return np.where(is_empty[:, None], v, kept / divisor[:, None])


def _learn(held_out, counts, components):
    """Learn the strength and the shares of the base, if there is one, and of the backgrounds."""
    discounts = ("modified",) if counts.is_whole else DISCOUNTS
    if not held_out:
        return without_pairs(discounts, components)
    prior = np.full(components, PRIOR_OF_ALL / components)
    prior[: -len(BACKGROUNDS)] += PRIOR_OF_BASE
    return learn(count_once(held_out, counts.n), discounts, prior)


def fit_backgrounds(counts: CountMatrix) -> list[FittedBase]:
    """Return the distributions `BACKGROUNDS`, the same after every context, as factors."""
    uniform = np.full(counts.shape[1], 1 / counts.shape[1])
    found = continuation_of(counts), unigram(counts, PLAIN_DISCOUNT), uniform
    ones = np.ones((counts.shape[0], 1))
    return [FittedBase(ones, each[None], np.empty(0)) for each in found]


def continuation_of(counts: CountMatrix) -> np.ndarray:
    """Return the lower order of `kneser_ney_of`, shape (outcomes,)."""
    return kneser_ney_of(counts).discounted(counts).lower
