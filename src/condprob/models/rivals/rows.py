"""Pitman-Yor rows around bases of other methods, with learned settings.

`AggregateRows` has the aggregate Markov model ``P(j | i) = sum_l W_il H_lj`` (Saul and Pereira
1997) by tempered EM (Hofmann 1999): the responsibilities ``gamma_ijl`` are proportional to
``(W_il H_lj)^temperature``. Below one they are softer than those of EM, which fits the pairs less
closely.

`ClassRows` has class bigrams from random starts, averaged (Emami and Jelinek 2005). The exchange
algorithm ends in another maximum from each start, and the mean of such class bigrams is better than
any of them. READING: recalled, for the paper was not at hand. Its classes are of words, before and
after alike; here, as in `textbook.classes`, contexts and outcomes have classes of their own.

`BilinearRows` has the log-bilinear bigram (Mnih and Hinton 2007) by L-BFGS: SDR of the rows,
``sdr-conditional``. A softmax has no low rank: contexts with the same counts have the same row, and
each kind of context is one class.

`gibbs_rows` has samples of the aggregate model.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.checks import Seed, check_memory
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.em import Schedule, run
from condprob.em.problem import Problem
from condprob.em.starts import random_factors
from condprob.estimator import Estimator
from condprob.models.rivals.kn_ad_lr import PLAIN_DISCOUNT, kneser_ney_of
from condprob.models.rivals.learning import (
    DISCOUNTS,
    TELLING,
    count_once,
    deal_often,
    learn,
    predict_fold,
    without_pairs,
)
from condprob.models.rivals.rows_around_base import FittedBase, RowsAroundBase, assemble
from condprob.models.survey.sdr import ConditionalReduction
from condprob.models.survey.tempering import Tempered
from condprob.models.textbook.classes import ExchangeClasses, exchange
from condprob.options import AtLeastOne, Discount, Positive, Proportion
from condprob.progress import Parts

# Distinct pairs: folds are held out in turn until so many have been fitted. Not measured.
ENOUGH = 20000
BACKGROUNDS = ("continuation", "unigram", "uniform")
# Pseudo-pairs that all components share equally, and further ones of the base. They decide where a
# dozen held-out pairs cannot: 570a500:benchmarks/constants.csv.
PRIOR_OF_ALL, PRIOR_OF_BASE = 0.1, 3.0


@dataclass(frozen=True)
class RowsAround(Estimator):
    """Pitman-Yor rows around a base and `BACKGROUNDS`, with PY-LR's rule for outcomes never seen.

    Strength and shares are learned from one fit of the base to each fold. The matrix then has the
    mean of ``starts`` fits to all pairs.

    Attributes
    ----------
    starts : int
        An option of the subclass.
    """

    @abstractmethod
    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """Return a fit; contexts without counts are alike in it, and so are such outcomes."""

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> RowsAroundBase:
        """See `Estimator.fit`."""
        rng, bases = np.random.default_rng(seed), int(counts.nnz > 0)
        folds, starts = deal_often(counts, ENOUGH, TELLING, rng), self.starts * bases
        parts = Parts("fit", len(folds) * bases + starts, progress)

        def fit_to(these, number):
            fits = []
            for _ in range(number):
                with parts.next():
                    fits.append(self.fit_base(these, rng, progress))
            return fits

        held_out = [
            predict_fold(fold, [*fit_to(fold.rest, bases), *fit_backgrounds(fold.rest)])
            for fold in folds
        ]
        learned = _learn(held_out, counts, bases + len(BACKGROUNDS))
        fits = [fit_to(counts, starts)] * bases + [[each] for each in fit_backgrounds(counts)]
        return assemble(counts, fits, learned)


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


@dataclass(frozen=True)
class AggregateRows(RowsAround):
    """Rows around aggregate Markov models by tempered EM.

    Attributes
    ----------
    classes : int
        Latent classes.
    starts : int
        Random starts, whose models are averaged.
    iterations : int
        Of tempered EM.
    temperature : float
        Exponent of the responsibilities: at 1 it is EM.
    """

    classes: AtLeastOne = 34
    starts: AtLeastOne = 4
    iterations: AtLeastOne = 30
    temperature: Proportion = 0.6

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 16 * sum(shape) * self.classes * self.starts

    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `RowsAround`; outcomes without counts have probability zero."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        start = random_factors(counts, self.classes, rng)
        W, H = start[0][contexts], start[1][:, outcomes].T
        schedule = Schedule(self.iterations, progress=progress)
        fit = run(Tempered(Problem.of_counts(counts), W, H, self.temperature), schedule)
        of_contexts = np.full((counts.shape[0], self.classes), 1 / self.classes)
        of_classes = np.zeros((self.classes, counts.shape[1]))
        of_contexts[contexts], of_classes[:, outcomes] = W, H.T
        return FittedBase(of_contexts, of_classes, fit.risk[:-1] / counts.n)


@dataclass(frozen=True)
class ClassRows(RowsAround):
    """Rows around the mean of class bigrams.

    Attributes
    ----------
    classes : int
        Of contexts, and of outcomes.
    starts : int
        Random starts, whose models are averaged.
    iterations : int
        Sweeps over all labels, at most.
    discount : float
        Of the pairs of classes.
    """

    classes: AtLeastOne = 50
    starts: AtLeastOne = 10
    iterations: AtLeastOne = 20
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 8 * sum(shape) * self.classes * self.starts

    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `RowsAround`."""
        labels, history, _ = exchange(counts, self.classes, self.iterations, rng, progress)
        bigram = ExchangeClasses(self.classes, self.discount)
        return FittedBase(*bigram.factors(counts, labels), history)


@dataclass(frozen=True)
class BilinearRows(RowsAround):
    """Rows around the log-bilinear bigram.

    Rank and ridge are of ranks 10, 20 and 50 and of ridges 4, 8 and 16 on training halves of
    Genesis, Brown and pydoc, halved again: the best within .005 nats on each.

    Attributes
    ----------
    rank : int
        Of the scores.
    ridge : float
        See `sdr.SufficientReduction`.
    iterations : int
        Of L-BFGS, at most.
    """

    rank: AtLeastOne = 20
    ridge: Positive = 8.0
    iterations: AtLeastOne = 100
    starts: ClassVar[int] = 1

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors; `fit_base` knows how many rows there are."""
        return 16 * sum(shape) * (self.rank + 1)

    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `RowsAround`; it has no randomness."""
        bigram = ConditionalReduction(self.rank, self.ridge, 0.0, self.iterations)
        matrix, solution = bigram.fit_scores(counts, self.ridge, progress)
        _, first, kind = np.unique(matrix.left, axis=0, return_index=True, return_inverse=True)
        rows = f"log-bilinear rows of {first.size:,} kinds of contexts"
        check_memory(rows, 8.0 * first.size * sum(counts.shape))
        W = np.zeros((kind.size, first.size))
        W[np.arange(kind.size), kind] = 1.0
        return FittedBase(W, matrix.rows(first), solution.history)
