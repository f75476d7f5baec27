"""Naive low-rank methods (Section 5): smooth the counts first, then factorise without smoothing.

The algorithm is that of `low_rank`, applied to the smoothed counts.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from condprob.checks.entries import renumber
from condprob.checks.frozen import read_only
from condprob.counts import CountMatrix
from condprob.methods.direct import unigram
from condprob.methods.em import Fit, Problem, iterate, starts_of_rows
from condprob.methods.em.folding import fold_rows
from condprob.methods.low_rank import LowRank
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant, VectorSmoother
from condprob.model import CELLS_AT_ONCE
from condprob.options import AtLeastZero, Discount
from condprob.run import Run
from condprob.sparse_plus_low_rank import LowRankMatrix, add_up_classes, seen_and_one


@dataclass(frozen=True)
class NaiveLowRank(LowRank):
    """The base of the naive methods: smooth first, then factorise without smoothing.

    Every entry is positive then. Contexts without counts are alike: they are factorised as one, and
    so are the outcomes without counts.

    READING: all contexts without counts start from the mean of their starting rows; all outcomes
    without counts likewise.
    """

    def _smooth(self, counts) -> tuple[VectorSmoother, np.ndarray, np.ndarray]:
        """Return smoother, weights and unseen row: see `smoothed_problem`."""
        raise NotImplementedError

    def _fold_rows(self, matrix: LowRankMatrix, counts: CountMatrix) -> np.ndarray:
        """See `LowRank`: further counts are smoothed first, as the counts of the fit were.

        READING: a context without counts gets the row that such contexts have in the fit. If the
        fit had none, its row of ``W`` is uniform.
        """
        (rows, columns), (smoother, _, _) = counts.shape, self._smooth(counts)
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

    def fit_factors(self, counts: CountMatrix, run: Run) -> tuple[np.ndarray, np.ndarray, Fit]:
        smoother, weights, unseen_row = self._smooth(counts)
        W, H = self._start(counts, run.seed)
        _, row_of = seen_and_one(counts.seen_contexts, counts.shape[0])
        _, column_of = seen_and_one(counts.seen_outcomes, counts.shape[1])
        class_W = add_up_classes(W, row_of) / np.bincount(row_of)[:, None]
        class_H = add_up_classes(H.T, column_of)
        problem = smoothed_problem(counts, smoother, weights, unseen_row)
        engine = self._engine(problem, class_W, class_H)
        fit = iterate(engine, run, self.iterations, self.tol, self.history)
        class_H = engine.H / np.bincount(column_of)[:, None]
        fit = fit._replace(objective=fit.objective / (weights.sum() or 1))
        return engine.W[row_of], class_H[column_of].T, fit


def smoothed_problem(
    counts: CountMatrix, smoother: VectorSmoother, weights: np.ndarray, unseen_row: np.ndarray
) -> Problem:
    """Smooth each row of counts, multiply it by its weight, add up equal rows and columns.

    The last row, if any context is unseen, is ``unseen_row``, the distribution after a context
    without counts, shape (outcomes,), times their weights, shape (contexts,); the last column,
    if any outcome is, adds up the unseen outcomes.
    """
    contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
    above, unseen = smoother.sparse_rows(counts)
    alike = counts.shape[1] - outcomes.size
    base = np.ones(outcomes.size + (alike > 0))
    base[outcomes.size :] = alike
    indptr = starts_of_rows(counts)
    columns = renumber(counts.outcomes, outcomes, counts.shape[1])
    values = weights[counts.contexts] * above
    background = (weights * unseen)[contexts]
    entropy = weights[counts.contexts] @ _x_log_x(above + unseen[counts.contexts])
    in_row = weights * (counts.shape[1] - counts.distinct_outcomes) * _x_log_x(unseen)
    entropy += in_row[contexts].sum()
    in_last_column = (background * alike).sum()
    if contexts.size < counts.shape[0]:
        weight = weights[counts.row_sums == 0].sum()
        row = np.append(unseen_row[outcomes], [1 - unseen_row[outcomes].sum()][: alike > 0])
        values = np.append(values, weight * row)
        columns = np.append(columns, np.arange(row.size, dtype=columns.dtype))
        indptr = np.append(indptr, indptr[-1] + row.size)
        background = np.append(background, 0.0)
        entropy += weight * _x_log_x(unseen_row).sum()
        in_last_column += weight * row[outcomes.size :].sum()
    # The product of the added-up column is `alike` times that of each of its outcomes.
    entropy += in_last_column * np.log(max(alike, 1))
    row_of = np.repeat(np.arange(background.size), np.diff(indptr))
    sums = np.bincount(row_of, values, minlength=background.size) + background * base.sum()
    return Problem(
        indptr=indptr,
        outcomes=read_only(columns),
        values=read_only(np.asarray(values)),
        background=background,
        base=base,
        sums=sums,
        k=base.size,
        entropy=float(entropy),
    )


def _x_log_x(x: np.ndarray) -> np.ndarray:
    """Return ``x log x``, zero where ``x`` is."""
    return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)


@dataclass(frozen=True)
class NaiveAddHalfLowRank(NaiveLowRank):
    """Low-rank factorisation of counts with 1/2 added.

    Naive Add-1/2 Low-Rank, ``Q_LR(C + 1/2)``.

    Attributes
    ----------
    constant : float
        Added to every count before the factorisation.
    """

    constant: AtLeastZero = 0.5

    def _smooth(self, counts):
        columns = counts.shape[1]
        weights = counts.row_sums + columns * self.constant
        return AddConstant(self.constant), weights, np.full(columns, 1 / columns)


@dataclass(frozen=True)
class NaiveDiscountingLowRank(NaiveLowRank):
    """Low-rank factorisation of probabilities by absolute discounting.

    Naive AD Low-Rank, ``Q_LR(n P_AD)``.

    READING: every context has the same weight (``weighting="equal"``), as the formula is printed.
    The other candidate multiplies row ``i`` by ``C_i`` (``"counts"``).

    Attributes
    ----------
    discount : float
        Taken from every count before the factorisation, for the outcomes never seen.
    weighting : "equal" or "counts"
        The weight of a context in the factorisation: the same for all, or its number of pairs.
    """

    discount: Discount = 0.75
    weighting: Literal["equal", "counts"] = "equal"

    def _smooth(self, counts):
        weights = counts.row_sums.astype(float)
        if self.weighting == "equal":
            weights = np.full(counts.shape[0], float(counts.n))
        return AbsoluteDiscount(self.discount), weights, unigram(counts, self.discount)

    @property
    def start_discount(self) -> float:
        return self.discount
