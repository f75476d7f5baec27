"""Mixtures of methods: AD-LR averaged over its starts, and Kneser-Ney with AD-LR."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.em.starts import Start, as_start
from condprob.estimator import Estimator
from condprob.kneser_ney import KneserNey
from condprob.low_rank import DiscountingLowRank
from condprob.mixtures import MixtureMatrix
from condprob.options import AtLeastOne, Discount, Proportion, Whole
from condprob.runtime.progress import Parts
from condprob.sparse_plus_low_rank import LowRankMatrix
from condprob.splits import HELD_OUT, hold_out

# The weights have at most so many steps of EM, and end when none moves by more. Not measured; but
# where they move slowly they end up to 1e-4 from the maximum that `shares.fit_shares` would find,
# and the numbers of kn-ad-lr are those of EM.
EM_STEPS, STILL = 1000, 1e-10


@dataclass(frozen=True)
class AveragedLowRank(Estimator):
    """The mean of AD-LR's estimates from several starts.

    Attributes
    ----------
    rank, iterations, initial, discount
        Those of each fit of AD-LR: see `low_rank.DiscountingLowRank`.
    starts : int
        How many fits, each from factors of its own.
    """

    rank: AtLeastOne = 50
    iterations: Whole = 200
    initial: Start = "random"
    discount: Discount = 0.75
    starts: AtLeastOne = 5

    def __post_init__(self) -> None:
        object.__setattr__(self, "initial", as_start(self.initial))
        super().__post_init__()

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 8 * sum(shape) * self.rank * self.starts + 16 * self.iterations

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> MixtureMatrix:
        """See `Estimator.fit`."""
        estimator = DiscountingLowRank(
            self.rank, self.iterations, self.initial, discount=self.discount
        )
        seeds = np.random.default_rng(seed).integers(2**63, size=self.starts)
        parts = fit_starts(estimator, counts, seeds, Parts("fit", self.starts, progress))
        return MixtureMatrix.of(counts, parts, np.full(self.starts, 1 / self.starts))


def fit_starts(
    estimator: DiscountingLowRank, counts: CountMatrix, seeds: np.ndarray, told: Parts
) -> list[LowRankMatrix]:
    """Return the fits from so many starts, each the next of the parts that are told."""
    found = []
    for each in seeds:
        with told.next():
            found.append(estimator.fit(counts, int(each), progress=told.progress))
    return found


@dataclass(frozen=True)
class KneserNeyWithLowRank(Estimator):
    """``(1 - weight) KN + weight AD-LR``.

    Attributes
    ----------
    weight : float or "learned"
        A learned one has the largest likelihood on a tenth of the training pairs, drawn at random,
        of both methods fitted to the others; both are then fitted to all.
    rank, iterations, initial, discount
        Those of AD-LR: see `low_rank.DiscountingLowRank`; the discount is Kneser-Ney's, too.
    """

    weight: Proportion | Literal["learned"] = "learned"
    rank: AtLeastOne = 50
    iterations: Whole = 200
    initial: Start = "random"
    discount: Discount = 0.75

    def __post_init__(self) -> None:
        object.__setattr__(self, "initial", as_start(self.initial))
        super().__post_init__()

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: as of AD-LR."""
        return 16 * (sum(shape) * self.rank + self.iterations)

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> MixtureMatrix:
        """See `Estimator.fit`."""
        rng = np.random.default_rng(seed)
        held_out_seed, start = (int(each) for each in rng.integers(2**63, size=2))
        low_rank = DiscountingLowRank(
            self.rank, self.iterations, self.initial, discount=self.discount
        )

        told = Parts("fit", 2 if self.weight == "learned" else 1, progress)

        def fit_both(these):
            with told.next():
                return [
                    KneserNey(self.discount).fit(these),
                    low_rank.fit(these, start, progress=progress),
                ]

        weights = np.array([0.5, 0.5])
        if self.weight != "learned":
            weights = np.array([1 - self.weight, self.weight])
        else:
            rest, held_out = hold_out(counts, HELD_OUT, held_out_seed)
            if rest.n and held_out.n:
                pairs = held_out.contexts, held_out.outcomes
                probabilities = np.column_stack([part.at(*pairs) for part in fit_both(rest)])
                weights = learn_weights(probabilities, held_out.values)
        return MixtureMatrix.of(counts, fit_both(counts), weights)


def learn_weights(probabilities: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the weights of a mixture that maximise its likelihood, by EM, shape (components,).

    `held_out` solves the same problem for shares of bases, with a prior, by Newton's method; to
    take that would change the last digits here. ``probabilities``, shape (pairs, components), are
    what each component gives to each pair, of which some is above zero.
    """
    weights = np.full(probabilities.shape[1], 1 / probabilities.shape[1])
    for _ in range(EM_STEPS):
        joint = weights * probabilities
        new = counts @ (joint / joint.sum(axis=1, keepdims=True)) / counts.sum()
        moved, weights = abs(new - weights).max(), new
        if moved < STILL:
            break
    return weights
