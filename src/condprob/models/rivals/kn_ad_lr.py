"""Kneser-Ney and AD-LR together as a sceptic would combine them, and Kneser-Ney by Good-Turing.

`KneserNeyWithLowRank` learns one weight, `KneserNeyWithMeanOfLowRank` a weight for each bin of
context counts beside all other settings. `AveragedLowRank` has no Kneser-Ney. `KneserNeyGoodTuring`
has the rule of PY-LR for outcomes never seen, and no AD-LR.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.kneser_ney import KneserNey
from condprob.low_rank import DiscountingLowRank
from condprob.mixtures import MixtureMatrix
from condprob.model import worst_end
from condprob.models.rivals.learning import deal_out, shares_of_bins
from condprob.models.rivals.rows_around_base import move_to_unseen
from condprob.models.rivals.shares import Mixed, MixedPairs, fit_shares
from condprob.options import AtLeastOne, Discount, Proportion, Start, Whole
from condprob.pitman_yor.novelty import RowsOfFactors, bin_of
from condprob.progress import Parts
from condprob.sparse_plus_low_rank import LowRankMatrix, SparsePlusLowRank
from condprob.splits import HELD_OUT, Split, hold_out
from condprob.weights import mixture_weights

PLAIN_DISCOUNT = 0.75  # the paper's, for real counts, from which three cannot be estimated
RANKS, DISCOUNTS = (5, 10, 20, 50, 100), (0.75, 0.9)  # candidates of learned ones; not measured
FOLDS = 2  # sixths of the pairs that are held out in turn; not measured
FEW_STARTS = 3  # of the mean of AD-LR while candidates are compared; not measured
EVEN = np.array([0.5, 0.5])  # shares to begin with, and pseudo-pairs: one in all; not measured


@dataclass(frozen=True)
class KneserNeyGoodTuring(Estimator):
    """KN whose rows give outcomes never seen the share that Good-Turing on distinct pairs says.

    Attributes
    ----------
    discount : float, "estimated" or "modified"
        See `kneser_ney.KneserNey`; of real counts three discounts are 3/4.
    """

    discount: Discount | Literal["estimated", "modified"] = "modified"

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> SparsePlusLowRank:
        """See `Estimator.fit`."""
        kn = kneser_ney_of(counts) if self.discount == "modified" else KneserNey(self.discount)
        matrix = kn.fit(counts)
        rows = RowsOfFactors(matrix.left, matrix.right, matrix.sparse.values)
        return SparsePlusLowRank.on_pattern(counts, *move_to_unseen(counts, rows))


def kneser_ney_of(counts: CountMatrix) -> KneserNey:
    """Return Kneser-Ney with three discounts, or of real counts, which have none, with 3/4."""
    return KneserNey("modified" if counts.is_whole else PLAIN_DISCOUNT)


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

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 8 * sum(shape) * self.rank * self.starts + 16 * self.iterations

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> MixtureMatrix:
        """See `Estimator.fit`."""
        low_rank = DiscountingLowRank(
            self.rank, self.iterations, self.initial, discount=self.discount
        )
        seeds = np.random.default_rng(seed).integers(2**63, size=self.starts)
        fits = fit_starts(low_rank, counts, seeds, Parts("fit", self.starts, progress))
        return MixtureMatrix.of(counts, fits, np.full(self.starts, 1 / self.starts))


def fit_starts(
    estimator: DiscountingLowRank, counts: CountMatrix, seeds: np.ndarray, parts: Parts
) -> list[LowRankMatrix]:
    """Return the fits from these seeds, each the next of the parts."""
    fits = []
    for each in seeds:
        with parts.next():
            fits.append(estimator.fit(counts, int(each), progress=parts.progress))
    return fits


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
        parts = Parts("fit", 2 if self.weight == "learned" else 1, progress)

        def fit_both(these):
            with parts.next():
                kn = KneserNey(self.discount).fit(these)
                return [kn, low_rank.fit(these, start, progress=progress)]

        if self.weight != "learned":
            weights = np.array([1 - self.weight, self.weight])
            return MixtureMatrix.of(counts, fit_both(counts), weights)
        weights = EVEN
        rest, held_out = hold_out(counts, HELD_OUT, held_out_seed)
        if rest.n and held_out.n:
            pairs = held_out.contexts, held_out.outcomes
            chances = np.array([part.at(*pairs) for part in fit_both(rest)])
            weights = mixture_weights(chances, held_out.values)
        return MixtureMatrix.of(counts, fit_both(counts), weights)


@dataclass(frozen=True)
class KneserNeyWithMeanOfLowRank(Estimator):
    """``(1 - w_i) KN + w_i mean of AD-LR``, with a weight for each bin of context counts.

    Kneser-Ney has three discounts (of real counts 3/4). Learned settings have the largest
    likelihood on two sixths of the pairs, held out in turn; then all is fitted to all pairs.

    Attributes
    ----------
    rank, discount : number or "learned"
        Of AD-LR: the likeliest pair of `RANKS` and `DISCOUNTS`.
    starts : int
        Fits of AD-LR in the mean.
    iterations : int
        Of EM.
    novelty : "good-turing" or "none"
        See `KneserNeyGoodTuring`.
    """

    rank: AtLeastOne | Literal["learned"] = "learned"
    discount: Discount | Literal["learned"] = "learned"
    starts: AtLeastOne = 30
    iterations: AtLeastOne = 100
    novelty: Literal["good-turing", "none"] = "none"

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        rank = max(RANKS) if self.rank == "learned" else self.rank
        return 16 * sum(shape) * rank * self.starts

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> MixtureMatrix:
        """See `Estimator.fit`."""
        rng = np.random.default_rng(seed)
        ranks = RANKS if self.rank == "learned" else (self.rank,)
        discounts = DISCOUNTS if self.discount == "learned" else (self.discount,)
        folds, few, best = deal_out(counts, rng)[:FOLDS], min(FEW_STARTS, self.starts), None
        stage = Parts("stage", 2, progress)
        trial = Parts("trial", len(ranks) * len(discounts), progress)
        with stage.next():
            for rank, discount in product(ranks, discounts):
                low_rank = DiscountingLowRank(rank, self.iterations, discount=discount)
                with trial.next():
                    *held_out, mixed = fit_folds(folds, low_rank, few, rng, progress)
                if best is None or mixed.likelihood > best[-1].likelihood:
                    best = low_rank, *held_out, mixed
        low_rank, pairs, bins, mixed = best
        shares = shares_of_bins(pairs, bins, mixed.shares)
        seeds = rng.integers(2**63, size=self.starts)
        with stage.next():
            fits = fit_starts(low_rank, counts, seeds, Parts("start", self.starts, progress))
        return self._mix(counts, fits, shares, mixed.shares)

    def _mix(self, counts, fits, shares, of_all) -> MixtureMatrix:
        """Return the mixture by shares of bins, (bins + 1, 2); its weights are ``of_all``."""
        kn = kneser_ney_of(counts).fit(counts)
        of_kn, of_low_rank = shares[bin_of(counts.row_sums)].T[:, :, None]
        left = [of_kn * kn.left, *(of_low_rank * fit.W / len(fits) for fit in fits)]
        right = [kn.right, *(fit.H for fit in fits)]
        entries = of_kn[counts.contexts, 0] * kn.sparse.values
        rows = RowsOfFactors(np.hstack(left), np.vstack(right), entries)
        if self.novelty == "good-turing":
            rows = move_to_unseen(counts, rows)
        ended = worst_end(fit.ended for fit in fits)
        return MixtureMatrix.on_pattern(counts, *rows, weights=of_all, ended=ended)


def fit_folds(
    folds: list[Split],
    low_rank: DiscountingLowRank,
    starts: int,
    rng: np.random.Generator,
    progress: bool = False,
) -> tuple[MixedPairs, np.ndarray, Mixed]:
    """Fit Kneser-Ney and a mean of AD-LR to each fold, and their shares to the held-out pairs.

    Returns the held-out pairs, the bins of their contexts, and the likeliest shares.
    """
    bases, bins, counts = [np.empty((2, 0))], [np.empty(0, int)], [np.empty(0)]
    parts = Parts("fold", len(folds), progress)
    for rest, held_out in folds:
        pairs = held_out.contexts, held_out.outcomes
        seeds = rng.integers(2**63, size=starts)
        with parts.next():
            fits = fit_starts(low_rank, rest, seeds, Parts("start", starts, progress))
            scores = [fit.at(*pairs) for fit in fits]
        bases.append(np.array([kneser_ney_of(rest).fit(rest).at(*pairs), np.mean(scores, axis=0)]))
        bins.append(bin_of(rest.row_sums[held_out.contexts]))
        counts.append(held_out.values.astype(float))
    counts, bases = np.concatenate(counts), np.hstack(bases)
    pairs = MixedPairs(np.zeros(counts.size), np.ones(counts.size), bases, counts)
    return pairs, np.concatenate(bins), fit_shares(pairs, EVEN, EVEN)
