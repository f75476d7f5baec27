"""Kneser-Ney mixed with AD-LR as a sceptic would do it: all that can be chosen is learned."""

from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.low_rank import DiscountingLowRank
from condprob.mixtures import MixtureMatrix
from condprob.model import worst_end
from condprob.models.rivals.good_turing import kneser_ney_of
from condprob.models.rivals.mixtures import fit_starts
from condprob.options import AtLeastOne, Discount
from condprob.pitman_yor.held_out import deal_out
from condprob.pitman_yor.rows import BINS, RowsOfFactors, add_novelty, bin_of
from condprob.pitman_yor.settings import shares_of_bins
from condprob.pitman_yor.shares import Mixed, MixedPairs, fit_shares
from condprob.runtime.progress import Parts
from condprob.sparse_plus_low_rank import LowRankMatrix
from condprob.splits import Split

RANKS, DISCOUNTS = (5, 10, 20, 50, 100), (0.75, 0.9)  # tried, where they are learned; not measured
FOLDS = 2  # sixths of the pairs by which they are; not measured
FEW_STARTS = 3  # of the mean that is tried; not measured
EVEN = np.array([0.5, 0.5])  # shares to begin with, and pseudo-pairs: one in all; not measured


@dataclass(frozen=True)
class KneserNeyWithMeanOfLowRank(Estimator):
    """``(1 - w_i) KN + w_i mean of AD-LR``, with a weight for each bin of context counts.

    Kneser-Ney has three discounts (of real counts 3/4). What is learned has the largest likelihood
    on two sixths of the pairs that are held out in turn; then all is fitted to all pairs.

    Attributes
    ----------
    rank, discount : number or "learned"
        Of AD-LR: those of `RANKS` and `DISCOUNTS` whose mixture is likeliest.
    starts : int
        Fits of AD-LR in the mean: about as many as PY-LR has of its bases.
    iterations : int
        Of EM.
    novelty : "good-turing" or "none"
        See `good_turing.KneserNeyGoodTuring`.
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
        folds, best = deal_out(counts, rng)[:FOLDS], None
        stage, trial = (
            Parts("stage", 2, progress),
            Parts("trial", len(ranks) * len(discounts), progress),
        )
        with stage.next():
            for rank, discount in product(ranks, discounts):
                low_rank = DiscountingLowRank(rank, self.iterations, discount=discount)
                with trial.next():
                    few = min(FEW_STARTS, self.starts)
                    tried = ask_folds(folds, low_rank, few, rng, progress)
                if best is None or tried.found.likelihood > best[1].found.likelihood:
                    best = low_rank, tried
        low_rank, (pairs, bins, found) = best
        shares = shares_of_bins(pairs, bins, found.shares)
        seeds = rng.integers(2**63, size=self.starts)
        with stage.next():
            fits = fit_starts(low_rank, counts, seeds, Parts("start", self.starts, progress))
        return self.mix(counts, fits, shares, found.shares)

    def mix(
        self,
        counts: CountMatrix,
        fits: list[LowRankMatrix],
        shares: np.ndarray,
        of_all: np.ndarray,
    ) -> MixtureMatrix:
        """Return the mixture by its shares of bins, (bins + 1, 2), and those of all contexts."""
        bins, kn = bin_of(counts.row_sums), kneser_ney_of(counts).fit(counts)
        of_kn, of_low_rank = shares[bins].T[:, :, None]
        left = [of_kn * kn.left, *(of_low_rank * fit.W / len(fits) for fit in fits)]
        right = [kn.right, *(fit.H for fit in fits)]
        entries = of_kn[counts.contexts, 0] * kn.sparse.values
        rows = RowsOfFactors(np.hstack(left), np.vstack(right), entries)
        if self.novelty == "good-turing":
            rows, _ = add_novelty(counts, rows, bins, BINS.size + 1)
        told = {"weights": of_all, "ended": worst_end(fit.ended for fit in fits)}
        return MixtureMatrix.on_pattern(counts, *rows, **told)


class Tried(NamedTuple):
    """Held-out pairs, the bins of their contexts, and the shares of the two that explain them."""

    pairs: MixedPairs
    bins: np.ndarray
    found: Mixed


def ask_folds(
    folds: list[Split],
    low_rank: DiscountingLowRank,
    starts: int,
    rng: np.random.Generator,
    progress: bool = False,
) -> Tried:
    """Return what held-out pairs say of Kneser-Ney and a mean of AD-LR; of no folds, nothing."""
    bases, bins, counts = [np.empty((2, 0))], [np.empty(0, int)], [np.empty(0)]
    told = Parts("fold", len(folds), progress)
    for rest, held_out in folds:
        pairs = held_out.contexts, held_out.outcomes
        seeds = rng.integers(2**63, size=starts)
        with told.next():
            found = fit_starts(low_rank, rest, seeds, Parts("start", starts, progress))
            fits = [fit.at(*pairs) for fit in found]
        bases.append(np.array([kneser_ney_of(rest).fit(rest).at(*pairs), np.mean(fits, axis=0)]))
        bins.append(bin_of(rest.row_sums[held_out.contexts]))
        counts.append(held_out.values.astype(float))
    counts, bases = np.concatenate(counts), np.hstack(bases)
    pairs = MixedPairs(np.zeros(counts.size), np.ones(counts.size), bases, counts)
    return Tried(pairs, np.concatenate(bins), fit_shares(pairs, EVEN, EVEN))
