"""Low-rank bases of the Pitman-Yor rows: what is factorised, and how its factors are smoothed."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from condprob.annotations import Seed
from condprob.counts import CountMatrix
from condprob.em.leave_one_out import LeaveOneOut
from condprob.em.problem import Problem
from condprob.em.run import run
from condprob.em.starts import starting_factors
from condprob.em.state import Schedule, Smoothing
from condprob.estimators.backoff import KneserNey
from condprob.estimators.low_rank import AddHalfLowRank, DiscountingLowRank, Start

MOMENTUM = 0.7  # of the fits by types and by tokens


@dataclass(frozen=True)
class Interpolated:
    """A base whose classes are interpolated with a distribution of the outcomes.

    Attributes
    ----------
    types : bool
        Whether each distinct pair counts once, ``min(C_ij, 1)``, as in the lower order of
        Kneser-Ney; or as often as it was seen.
    constant : float
        Added to the soft counts of ``W``.
    discount : float
        Taken from the soft counts of ``H``.
    strength : float
        Added to them, tokens for each outcome.
    continuation : float
        Share of the continuation distribution in the one that each class is interpolated with; the
        rest is uniform.
    """

    types: bool
    constant: float
    discount: float
    strength: float
    continuation: float

    def fit(self, counts: CountMatrix, seed: Seed, how: "Fitting") -> "Factors":
        """Return the factors of counts, by what `Fitting` says."""
        (rows, columns), m = counts.shape, how.rank
        u = np.full(columns, (1 - self.continuation) / columns)
        if self.continuation:
            u += self.continuation * continuation_of(counts)
        if self.types:
            counts = CountMatrix(counts.shape, counts.indptr, counts.outcomes, counts.clipped)
        seen = counts.seen_contexts, counts.seen_outcomes
        W, H = starting_factors(how.initial, counts, m, seed)
        seen_W, seen_H = W[seen[0]], np.ascontiguousarray(H[:, seen[1]].T)
        del W, H  # the start serves no more, its memory does
        strength, left_out = self.strength * columns, float(how.soft_counts == "leave-one-out")
        smoothing = Smoothing.interpolated(self.constant, self.discount, strength, u[seen[1]])
        schedule = Schedule(how.iterations, how.tol, threads=how.threads)
        given = (Problem.of_counts(counts), seen_W, seen_H, smoothing, schedule)
        fit = run(LeaveOneOut(*given, left_out, MOMENTUM))
        W, H = np.full((rows, m), 1 / m), fit.rest[:, None] * u
        W[seen[0]], H[:, seen[1]] = seen_W, seen_H.T
        return Factors(W, H)


@dataclass(frozen=True)
class OfThePaper:
    """A base that is one of the paper's estimates, by EM."""

    estimator: type[AddHalfLowRank] | type[DiscountingLowRank]

    def fit(self, counts: CountMatrix, seed: Seed, how: "Fitting") -> "Factors":
        """Return the factors of counts, by what `Fitting` says."""
        given = {"tol": how.tol, "threads": how.threads}
        estimator = self.estimator(how.rank, how.iterations, how.initial, **given)
        return Factors(*estimator.fit_factors(counts, seed)[:2])


class Fitting(NamedTuple):
    """How a base is fitted: see `pitman_yor.PitmanYorLowRank`."""

    rank: int
    initial: Start
    iterations: int
    tol: float
    soft_counts: str
    threads: int


class Factors(NamedTuple):
    """A low-rank base.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    """

    W: np.ndarray
    H: np.ndarray

    def at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``W H`` at pairs, shape (pairs,)."""
        return np.einsum("sl,sl->s", self.W[contexts], self.H.T[outcomes])


BASES = {
    # Text: the discount of nearly all makes words seen once in a class mere evidence of novelty.
    "types": Interpolated(True, constant=0.1, discount=0.9, strength=0.0, continuation=0.25),
    # Models of low rank as the paper draws them: priors like those of A and B, whole counts.
    "tokens": Interpolated(False, constant=1.0, discount=0.5, strength=0.1, continuation=0.0),
    # With a few dozen pairs nothing is left when one is left out.
    "ad-lr": OfThePaper(DiscountingLowRank),
    "add-half-lr": OfThePaper(AddHalfLowRank),
}


def continuation_of(counts: CountMatrix) -> np.ndarray:
    """Return the lower order of modified Kneser-Ney, shape (outcomes,); of real counts, of KN."""
    return KneserNey("modified" if counts.is_whole else 0.75).discounted(counts).lower
