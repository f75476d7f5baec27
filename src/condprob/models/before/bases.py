"""The components of a base of Pitman-Yor rows: low-rank matrices, and backgrounds.

A kind of low-rank matrix fixes which counts are factorised and how the factors are smoothed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.em import Schedule, run
from condprob.em.leave_one_out import LeaveOneOut
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem
from condprob.em.starts import starting_factors
from condprob.entries import products_of_pairs
from condprob.kneser_ney import KneserNey
from condprob.low_rank import AddHalfLowRank, DiscountingLowRank
from condprob.options import Start
from condprob.progress import chunks

# Of the fits by types and by tokens, measured against none in 570a500:docs/settings.md, "Momentum",
# and against others in 570a500:benchmarks/constants.csv.
MOMENTUM = 0.7
# The paper's, of the unigram and of real counts' continuation. constants.csv, for the first.
PLAIN_DISCOUNT = 0.75
BACKGROUNDS = ("continuation", "unigram", "uniform")


@dataclass(frozen=True)
class Fitting:
    """How a low-rank base is fitted: see `estimator.PitmanYorLowRank`."""

    initial: Start
    iterations: int
    of_tokens: int  # iterations of the bases by tokens, which settle more slowly
    tol: float
    soft_counts: str
    threads: int


class FittedBase(NamedTuple):
    """A component of the base as it was fitted.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,)
        Empirical risk at the start and after each iteration, nats per token: a constant minus the
        mean log likelihood. The kinds by types and by tokens report the risk with a token left out,
        if the fit leaves one out, and have no entry after the last iteration. Empty for a
        background.
    """

    W: np.ndarray
    H: np.ndarray
    history: np.ndarray

    def at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``W H`` at pairs, shape (pairs,)."""
        return products_of_pairs(self.W, self.H, contexts, outcomes)


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

    def counted(self, counts: CountMatrix) -> CountMatrix:
        """Return the counts that are factorised."""
        if not self.types:
            return counts
        return CountMatrix(counts.shape, counts.indptr, counts.outcomes, counts.clipped)

    def fit(self, counts: CountMatrix, m: int, seed: Seed, how: Fitting) -> FittedBase:
        """Return factors of rank ``m``."""
        rows, columns = counts.shape
        u = np.full(columns, (1 - self.continuation) / columns)
        if self.continuation:
            u += self.continuation * continuation_of(counts)
        counts = self.counted(counts)
        seen = counts.seen_contexts, counts.seen_outcomes
        W, H = starting_factors(how.initial, counts, m, seed)
        seen_W, seen_H = W[seen[0]], np.ascontiguousarray(H[:, seen[1]].T)
        del W, H  # the start serves no more, its memory does
        strength, left_out = self.strength * columns, float(how.soft_counts == "leave-one-out")
        engine = LeaveOneOut(
            Problem.of_counts(counts),
            seen_W,
            seen_H,
            Smoothing(self.constant, 0.0, self.discount),
            how.threads,
            base=u[seen[1]],
            strength=strength,
            left_out=left_out,
            momentum=MOMENTUM,
            is_evaluated=False,
        )
        iterations = how.iterations if self.types else how.of_tokens
        fit = run(engine, Schedule(iterations, how.tol, how.threads))
        W, H = np.full((rows, m), 1 / m), fit.rest[:, None] * u
        W[seen[0]], H[:, seen[1]] = seen_W, seen_H.T
        # The last entry is of no iteration.
        return FittedBase(W, H, fit.risk[:-1] / (counts.n or 1))


@dataclass(frozen=True)
class OfThePaper:
    """A base that is one of the paper's estimates, by EM."""

    estimator: type[AddHalfLowRank] | type[DiscountingLowRank]

    @property
    def constant(self) -> float:
        """Added to the soft counts of ``W``."""
        return self.estimator().smoothers[0].added_and_taken[0]

    def counted(self, counts: CountMatrix) -> CountMatrix:
        """Return the counts that are factorised."""
        return counts

    def fit(self, counts: CountMatrix, m: int, seed: Seed, how: Fitting) -> FittedBase:
        """Return factors of rank ``m``."""
        given = {"tol": how.tol, "threads": how.threads}
        found = self.estimator(m, how.iterations, how.initial, **given).fit_factors(counts, seed)
        return FittedBase(found.W, found.H, found.history)


# Constant and discount of types were chosen on training halves, where all are halved and doubled:
# 570a500:benchmarks/constants.csv. With classes smoothed towards the continuation alone, the kind
# by types is worse by 0.03 to 0.1 nats per word (570a500:docs/settings.md, "Tried and not built
# in").
TOKENS = Interpolated(False, constant=1.0, discount=0.5, strength=0.1, continuation=0.0)
# Where rows of A are from a Dirichlet distribution of 0.15 or less the last is still clearly ahead
# of the one before, by .012 to .021 nats; smaller constants were not compared
# (570a500:benchmarks/few_classes_gains.csv).
HALVES = (2, 4, 8)
# For contexts that mix fewer classes than in the paper: see `few_classes`.
TOKENS_OF_FEW = {f"tokens/{n}": replace(TOKENS, constant=TOKENS.constant / n) for n in HALVES}
# Made for text. The discount leaves less than a third of a word that a class has seen once: it
# tells little of that word, and much of how often the class brings a new one.
TYPES = Interpolated(True, constant=0.05, discount=0.7, strength=0.0, continuation=0.25)
# Of contexts that have next to one class each: 570a500:benchmarks/one_class.csv.
TYPES_OF_ONE = {f"types/{n}": replace(TYPES, constant=TYPES.constant / n) for n in (4, 16, 64)}
KINDS = {
    "types": TYPES,
    **TYPES_OF_ONE,
    # Made for models of low rank as the paper draws them: priors like the laws of A and B.
    "tokens": TOKENS,
    **TOKENS_OF_FEW,
    # The paper's, by EM: with a few dozen pairs nothing is left when one is left out.
    "ad-lr": OfThePaper(DiscountingLowRank),
    "add-half-lr": OfThePaper(AddHalfLowRank),
}


def continuation_of(counts: CountMatrix) -> np.ndarray:
    """Return the lower order of modified Kneser-Ney, shape (outcomes,); of real counts, of KN."""
    discount = "modified" if counts.is_whole else PLAIN_DISCOUNT
    return KneserNey(discount).discounted(counts).lower


@dataclass(frozen=True)
class LowRankBase:
    """A component of low rank.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    rank : int
    """

    kind: str
    rank: int

    @property
    def name(self) -> str:
        """The name of the component in a `RowsAroundBase`."""
        return f"{self.kind} {self.rank}"


@dataclass(frozen=True)
class Background:
    """A component that is one distribution of the outcomes, the same after every context.

    Attributes
    ----------
    name : str
        One of `BACKGROUNDS`.
    discount : float, "estimated" or "modified"
        Of the continuation distribution, if the rows have one that is given; else None.
    """

    name: str
    discount: float | str | None = None

    def fit(self, counts: CountMatrix) -> FittedBase:
        """Return the distribution as factors of rank one."""
        if self.name == "uniform":
            found = np.full(counts.shape[1], 1 / counts.shape[1])
        elif self.name == "unigram":
            found = unigram(counts, PLAIN_DISCOUNT)
        elif self.discount is None:
            found = continuation_of(counts)
        else:
            found = KneserNey(self.discount).discounted(counts).lower
        return FittedBase(np.ones((counts.shape[0], 1)), found[None], np.empty(0))


Component = LowRankBase | Background
KINDS_COMPARED = ("types", "tokens")


def is_low_rank(components: Sequence[Component]) -> np.ndarray:
    """Return which components are of low rank, shape (components,)."""
    return np.array([isinstance(each, LowRankBase) for each in components], dtype=bool)


def is_kind(components: Sequence[Component], kind: str | None) -> np.ndarray:
    """Return which components are low-rank bases of a kind, shape (components,)."""
    return np.array([isinstance(each, LowRankBase) and each.kind == kind for each in components])


def are_both(components: Sequence[Component]) -> bool:
    """Return whether there are bases of both kinds."""
    return all(is_kind(components, kind).any() for kind in KINDS_COMPARED)


def fit_components(
    components: Sequence[Component],
    counts: CountMatrix,
    how: Fitting,
    rng: np.random.Generator,
    progress: str | None,
    starts: Sequence[FittedBase] | None = None,
) -> list[FittedBase]:
    """Fit each component to counts; between two of them it can be interrupted.

    Parameters
    ----------
    components : sequence of LowRankBase or Background
    counts : CountMatrix
    how : Fitting
    rng : numpy.random.Generator
    progress : str, optional
        The part of a fit that the bar names; without it there is no bar.
    starts : sequence of FittedBase, optional
        Where the fits begin, one for each component, in place of ``how.initial``.
    """
    found = []
    steps = chunks(len(components), 1, progress is not None, "base", within=progress)
    for component, (b, _) in zip(components, steps, strict=True):
        if isinstance(component, Background):
            found.append(component.fit(counts))
            continue
        begun = how if starts is None else replace(how, initial=(starts[b].W, starts[b].H))
        seed = int(rng.integers(2**63))
        found.append(KINDS[component.kind].fit(counts, component.rank, seed, begun))
    return found
