"""Low-rank methods (Section 5): maximum likelihood, the naive smoothings and the paper's own.

All are one algorithm, `em.iterate`. They differ in what it is given, the counts or the counts
smoothed beforehand, and in how it smooths its factors.
"""

from dataclasses import dataclass

import numpy as np

from condprob.counts import check_integer
from condprob.em.layout import in_lines
from condprob.em.problem import Cells
from condprob.em.starts import starting_factors
from condprob.estimators.direct import check_choice, unigram, with_unigram
from condprob.matrices.sparse_low_rank import LowRankMatrix, add_up_classes, seen_and_one
from condprob.smoothing import AbsoluteDiscount, AddConstant

START_DISCOUNT = 0.75  # of a start by clusters, for the methods that have no discount


@dataclass(frozen=True)
class LowRank:
    """``Q_LR``: the maximum-likelihood factorisation of rank ``m``, not smoothed.

    Attributes
    ----------
    rank : int
        Number of latent classes, ``m``. It may exceed ``k``.
    iterations : int
        EM iterations, ``T``.
    initial : "random", "clusters" or a pair (W, H)
        See `initial.starting_factors`.
    update : "simultaneous" or "alternating"
        Both factors from the same old product, as the paper prints it; or ``H`` from the product
        with the new ``W``.
    unseen : "factors" or "unigram"
        READING: the row of a context never seen is ``W H`` as it stands, or the unigram
        absolute-discounting distribution.
    threads : int
        Of one fit: for large matrices, in which two are nearly twice as fast. The order of sums,
        and so the last digits, depend on it.
    """

    rank: int = 50
    iterations: int = 200
    initial: object = "random"
    update: str = "simultaneous"
    unseen: str = "factors"
    threads: int = 1

    def __post_init__(self):
        check_integer("rank", self.rank, 1)
        check_integer("iterations", self.iterations, 0)
        check_integer("threads", self.threads, 1)
        check_choice("update", self.update, ("simultaneous", "alternating"))
        check_choice("unseen", self.unseen, ("factors", "unigram"))
        self._smoothers()  # they check their own parameters

    def fit(self, counts, seed=0, progress=False):
        """Fit a `CountMatrix`.

        Parameters
        ----------
        counts : CountMatrix
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Of the start.
        progress : bool
            Show a bar of the iterations. Between two of its steps a fit can be interrupted.

        Returns
        -------
        LowRankMatrix

        Raises
        ------
        ValueError
            If factors given as ``initial`` do not fit (see `initial.starting_factors`).
        """
        W, H, history = self._run(counts, seed, progress)
        right = np.ascontiguousarray(H.T).T  # columns contiguous: `at` gathers them
        matrix = LowRankMatrix(
            counts, W, right, exchangeable=self.iterations > 0, W=W, H=right, history=history
        )
        return matrix if self.unseen == "factors" else with_unigram(matrix, self.start_discount)

    @property
    def start_discount(self):
        """Discount of a start by clusters, and of the unigram rows of unseen contexts."""
        return getattr(self, "discount", START_DISCOUNT)

    def _smoothers(self):
        """Return the vector smoothers of the rows of ``W`` and of ``H``."""
        return AddConstant(0.0), AddConstant(0.0)

    def _start(self, counts, seed):
        return starting_factors(self.initial, counts, self.rank, seed, self.start_discount)

    def _run(self, counts, seed, progress):
        """Return the factors and the history of EM."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        _, smooth_H = self._smoothers()
        penalty = getattr(smooth_H, "constant", 0.0)  # Eq. (3)
        cells = Cells.of_counts(counts)
        W, H = self._start(counts, seed)
        if penalty:
            with np.errstate(divide="ignore"):  # a start with zeros has an infinite penalty
                logs_of_start = np.log(W).sum() + np.log(H).sum()
        seen_W, seen_H = in_lines(W[contexts]), in_lines(H[:, outcomes].T)
        if self.iterations:
            del W, H  # the start serves no more, its memory does
        risk, logs, rest = self._iterate(cells, seen_W, seen_H, counts.k, progress)
        if penalty:
            unseen_W = (counts.k - contexts.size) * self.rank * np.log(1 / self.rank)
            risk[1:] -= penalty * (logs + unseen_W)
            risk[0] -= penalty * logs_of_start
        if self.iterations:
            W = np.full((counts.k, self.rank), 1 / self.rank)
            H = np.repeat(rest[None], counts.k, axis=0).T
            W[contexts], H[:, outcomes] = seen_W, seen_H.T
        return W, H, risk / max(counts.n, 1)

    def _iterate(self, cells, W, H, k, progress):
        how = (self.iterations, self.update == "alternating", self.threads, progress)
        return cells.iterate(W, H, k, *self._smoothers(), *how)


@dataclass(frozen=True)
class AddHalfLowRank(LowRank):
    """Add-1/2-LR: add 1/2 to every soft count of both factors, inside each iteration.

    Decreases the penalised empirical risk of Eq. (3) (Theorem 2).
    """

    constant: float = 0.5

    def _smoothers(self):
        return AddConstant(self.constant), AddConstant(self.constant)


@dataclass(frozen=True)
class DiscountingLowRank(LowRank):
    """AD-LR: add 1/2 to the soft counts of ``W``, soft absolute discounting of those of ``H``.

    Attributes
    ----------
    constant : float
        Added to the soft counts of ``W``.
    discount : float
        ``alpha``, of the rows of ``H``.
    """

    constant: float = 0.5
    discount: float = 0.75

    def _smoothers(self):
        return AddConstant(self.constant), AbsoluteDiscount(self.discount)


@dataclass(frozen=True)
class NaiveLowRank(LowRank):
    """What the naive methods share: smooth first, then factorise without smoothing.

    Every cell is positive then. Contexts that the counts cannot tell apart (the unseen ones) are
    factorised as one, and so are the unseen outcomes.

    READING: such contexts start from the mean of their starting rows, such outcomes from theirs.
    """

    def _before(self, counts):
        """Return the row smoother, the weight of each row, and the row of an unseen context."""
        raise NotImplementedError

    def _run(self, counts, seed, progress):
        smoother, weights, unseen_row = self._before(counts)
        W, H = self._start(counts, seed)
        _, row_of = seen_and_one(counts.seen_contexts, counts.k)
        _, column_of = seen_and_one(counts.seen_outcomes, counts.k)
        class_W = add_up_classes(W, row_of) / np.bincount(row_of)[:, None]
        class_H = add_up_classes(H.T, column_of)
        cells = Cells.of_smoothed(counts, smoother, weights, unseen_row)
        risk, _, _ = self._iterate(cells, class_W, class_H, len(class_H), progress)
        class_H /= np.bincount(column_of)[:, None]
        total = weights.sum()
        return class_W[row_of], class_H[column_of].T, risk / (total if total else 1)


@dataclass(frozen=True)
class NaiveAddHalfLowRank(NaiveLowRank):
    """Naive Add-1/2 Low-Rank: ``Q_LR(C + 1/2)``."""

    constant: float = 0.5

    def __post_init__(self):
        super().__post_init__()
        AddConstant(self.constant)  # it checks its parameter

    def _before(self, counts):
        weights = counts.row_sums + counts.k * self.constant
        return AddConstant(self.constant), weights, np.full(counts.k, 1 / counts.k)


@dataclass(frozen=True)
class NaiveDiscountingLowRank(NaiveLowRank):
    """Naive AD Low-Rank: ``Q_LR(n P_AD)``.

    READING: every context then weighs the same (``weighting="equal"``, as printed); the other
    candidate multiplies row ``i`` by ``C_i`` (``"counts"``).
    """

    discount: float = 0.75
    weighting: str = "equal"

    def __post_init__(self):
        super().__post_init__()
        AbsoluteDiscount(self.discount)  # it checks its parameter
        check_choice("weighting", self.weighting, ("equal", "counts"))

    def _before(self, counts):
        equal = self.weighting == "equal"
        weights = np.full(counts.k, float(counts.n)) if equal else counts.row_sums.astype(float)
        return AbsoluteDiscount(self.discount), weights, unigram(counts, self.discount)
