"""The fair rival of PY-LR: Kneser-Ney mixed with a mean of AD-LR, with all settings learned."""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.kneser_ney import KneserNey
from condprob.methods.low_rank import DiscountingLowRank
from condprob.methods.pitman_yor.novelty import bin_of
from condprob.mixtures import MixtureMatrix
from condprob.model import worst_end
from condprob.options import AtLeastOne, Discount
from condprob.progress import Parts
from condprob.run import Run
from condprob.sparse_plus_low_rank import LowRankMatrix
from condprob.splits import Split
from reproduction.studies.beyond.rivals.learning import deal_out, shares_of_bins
from reproduction.studies.beyond.rivals.novelty import RowsOfFactors
from reproduction.studies.beyond.rivals.rows_around_base import move_to_unseen
from reproduction.studies.beyond.rivals.shares import Mixed, MixedPairs, fit_shares

PLAIN_DISCOUNT = 0.75  # the paper's, for real counts, from which three cannot be estimated
RANKS, DISCOUNTS = (5, 10, 20, 50, 100), (0.75, 0.9)  # candidates of learned ones; not measured
FOLDS = 2  # sixths of the pairs that are held out in turn; not measured
FEW_STARTS = 3  # of the mean of AD-LR while candidates are compared; not measured
EVEN_SHARES = np.array(
    [0.5, 0.5]
)  # shares to begin with, and pseudo-pairs: one in all; not measured


def kneser_ney_of(counts: CountMatrix) -> KneserNey:
    """Return Kneser-Ney with three discounts, or of real counts, which have none, with 3/4."""
    return KneserNey("modified" if counts.is_whole else PLAIN_DISCOUNT)


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
class KneserNeyWithMeanOfLowRank(Estimator):
    """``(1 - w_i) KN + w_i mean of AD-LR``, with a weight for each bin of context counts.

    Kneser-Ney has three discounts (of real counts 3/4). Learned settings have the largest
    likelihood on two sixths of the pairs, held out in turn; then all is fitted to all pairs.

    Attributes
    ----------
    rank, discount : number or "learned"
        Of AD-LR: the most probable pair of `RANKS` and `DISCOUNTS`.
    starts : int
        Fits of AD-LR in the mean.
    iterations : int
        Of EM.
    novelty : "good-turing" or "none"
        Whether outcomes never seen have the share that Good-Turing on distinct pairs says, as in
        PY-LR.
    """

    is_random: ClassVar[bool] = True
    rank: AtLeastOne | Literal["learned"] = "learned"
    discount: Discount | Literal["learned"] = "learned"
    starts: AtLeastOne = 30
    iterations: AtLeastOne = 100
    novelty: Literal["good-turing", "none"] = "none"

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        rank = max(RANKS) if self.rank == "learned" else self.rank
        return 16 * sum(shape) * rank * self.starts

    def fit_counts(self, counts: CountMatrix, run: Run) -> MixtureMatrix:
        rng, progress = run.generator(), run.progress
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

    Returns the held-out pairs, the bins of their contexts, and the maximum-likelihood shares.
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
    return pairs, np.concatenate(bins), fit_shares(pairs, EVEN_SHARES, EVEN_SHARES)
