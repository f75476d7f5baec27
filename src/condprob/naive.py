"""Naive low-rank methods (Section 5): smooth the counts first, then factorise without smoothing.

The algorithm is that of `low_rank`; it is given the smoothed counts.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.em.folding import fold_rows
from condprob.em.problem import Problem
from condprob.low_rank import Factorised, LowRank
from condprob.model import CELLS_AT_ONCE
from condprob.options import AtLeastZero, Discount
from condprob.runtime.checkpoints import Checkpoint
from condprob.smoothing import AbsoluteDiscount, AddConstant, VectorSmoother
from condprob.sparse_plus_low_rank import LowRankMatrix, add_up_classes, seen_and_one


class Smoothed(NamedTuple):
    """How counts are smoothed before they are factorised: see `em.problem.Problem.of_smoothed`."""

    smoother: VectorSmoother
    weights: np.ndarray
    unseen_row: np.ndarray


@dataclass(frozen=True)
class NaiveLowRank(LowRank):
    """What the naive methods share: smooth first, then factorise without smoothing.

    Every entry is positive then. Contexts that the counts cannot tell apart (the unseen ones) are
    factorised as one, and so are the unseen outcomes.

    READING: such contexts start from the mean of their starting rows, such outcomes from theirs.
    """

    def _smooth(self, counts) -> Smoothed:
        """Return how counts are smoothed before they are factorised."""
        raise NotImplementedError

    def _fold_rows(self, matrix: LowRankMatrix, counts: CountMatrix) -> np.ndarray:
        """See `LowRank`: further counts are smoothed first, as those of the fit were.

        READING: a context without counts has the row of one in the fit; where each was seen there,
        a uniform row of ``W``.
        """
        (rows, columns), smoother = counts.shape, self._smooth(counts).smoother
        W, dense = np.full((rows, len(matrix.H)), 1 / len(matrix.H)), counts.sparse()
        unseen = np.ones(len(matrix.W), dtype=bool)
        unseen[slice(None) if matrix.seen is None else matrix.seen[0]] = False
        if unseen.any():
            W[:] = matrix.W[np.argmax(unseen)]
        step = max(CELLS_AT_ONCE // columns, 1)
        for start in range(0, counts.seen_contexts.size, step):
            part = counts.seen_contexts[start : start + step]
            smoothed = CountMatrix.from_dense(smoother(dense[part].toarray()))
            W[part] = fold_rows(smoothed, matrix.H, 0.0)
        return W

    def fit_factors(
        self,
        counts: CountMatrix,
        seed: Seed,
        progress: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> Factorised:
        """See `LowRank`."""
        smoothed = self._smooth(counts)
        W, H = self._start(counts, seed)
        _, row_of = seen_and_one(counts.seen_contexts, counts.shape[0])
        _, column_of = seen_and_one(counts.seen_outcomes, counts.shape[1])
        class_W = add_up_classes(W, row_of) / np.bincount(row_of)[:, None]
        class_H = add_up_classes(H.T, column_of)
        problem = Problem.of_smoothed(counts, *smoothed)
        fit = self._run(self._engine(problem, class_W, class_H), progress, checkpoint)
        class_H /= np.bincount(column_of)[:, None]
        total = smoothed.weights.sum()
        risk = fit.risk / (total if total else 1)
        return Factorised(class_W[row_of], class_H[column_of].T, risk, fit.converged)


@dataclass(frozen=True)
class NaiveAddHalfLowRank(NaiveLowRank):
    """Naive Add-1/2 Low-Rank: ``Q_LR(C + 1/2)``.

    Attributes
    ----------
    constant : float
        Added to every count before it is factorised.
    """

    constant: AtLeastZero = 0.5

    def _smooth(self, counts):
        columns = counts.shape[1]
        weights = counts.row_sums + columns * self.constant
        return Smoothed(AddConstant(self.constant), weights, np.full(columns, 1 / columns))


@dataclass(frozen=True)
class NaiveDiscountingLowRank(NaiveLowRank):
    """Naive AD Low-Rank: ``Q_LR(n P_AD)``.

    READING: every context then weighs the same (``weighting="equal"``, as printed); the other
    candidate multiplies row ``i`` by ``C_i`` (``"counts"``).

    Attributes
    ----------
    discount : float
        Taken of every count before it is factorised, for the outcomes never seen.
    weighting : "equal" or "counts"
        Whether every context weighs the same in the factorisation, or as often as it was seen.
    """

    discount: Discount = 0.75
    weighting: Literal["equal", "counts"] = "equal"

    def _smooth(self, counts):
        equal = self.weighting == "equal"
        weights = (
            np.full(counts.shape[0], float(counts.n)) if equal else counts.row_sums.astype(float)
        )
        unseen_row = unigram(counts, self.discount)
        return Smoothed(AbsoluteDiscount(self.discount), weights, unseen_row)

    @property
    def start_discount(self) -> float:
        """See `LowRank`."""
        return self.discount
