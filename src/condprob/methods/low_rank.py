"""Low-rank methods (Section 5): maximum likelihood, Add-1/2-LR and AD-LR.

All are one algorithm, `em`. They differ in the smoothing of its factors.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from condprob.checks import Seed, warn_caller
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator, wrong_fit
from condprob.matrix import ConditionalMatrix
from condprob.methods.em import Fit, Problem, iterate
from condprob.methods.em.engines import Expectation
from condprob.methods.em.starts import START_DISCOUNT, starting_factors
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant, Smoothing, VectorSmoother
from condprob.options import AtLeastOne, AtLeastZero, Discount, Positive, Start, Threads, Whole
from condprob.run import Run
from condprob.sparse_plus_low_rank import LowRankMatrix


class ConvergenceWarning(UserWarning):
    """Warning that a fit did not reach its ``tol`` within its ``iterations``."""


@dataclass(frozen=True)
class LowRank(Estimator[LowRankMatrix]):
    """Low rank by maximum likelihood, not smoothed.

    ``Q_LR``, the factorisation of rank ``m``.

    Attributes
    ----------
    rank : int
        Number of latent classes, ``m``. It may exceed ``k``.
    iterations : int
        Number of EM iterations, ``T``.
    initial : "random", "clusters" or a pair (W, H)
        Initial factors: random, from clusters of contexts, or given; see
        `em.starts.starting_factors`.
    update : "simultaneous" or "alternating"
        Whether both factors are updated from the same old product, as the paper prints it, or ``H``
        from the product with the new ``W``.
    unseen : "factors" or "unigram"
        READING: the row of an unseen context, which is ``W H`` unchanged, or the unigram
        distribution smoothed by absolute discounting.
    threads : int
        Number of threads of a fit. For large matrices, two are nearly twice as fast. The order of
        sums, and therefore the last bit of each, depends on this number; AD-LR amplifies such
        differences, see `DiscountingLowRank`.
    tol : float or None
        Stop when an iteration changes the objective by less than this, in nats per pair. With None,
        as in the paper, the fit runs all iterations. Add-1/2-LR reaches any ``tol`` above rounding
        (Theorem 2), whereas AD-LR may never reach it, see `DiscountingLowRank`.
    history : bool
        Whether to record the objective of every iteration, which takes time. A fit with ``tol``
        always records it; otherwise only the values before and after the last iteration are kept.
    """

    is_random: ClassVar[bool] = True
    keeps_checkpoint: ClassVar[bool] = True
    rank: AtLeastOne = 50
    iterations: Whole = 200
    initial: Start = "random"
    update: Literal["simultaneous", "alternating"] = "simultaneous"
    unseen: Literal["factors", "unigram"] = "factors"
    threads: Threads = 1
    tol: Positive | None = None
    history: bool = False

    def fit_counts(self, counts: CountMatrix, run: Run) -> LowRankMatrix:
        """See `Estimator.fit`.

        Raises
        ------
        ValueError
            If the pair ``initial`` has wrong shapes or rows (see `em.starts.starting_factors`), or
            gives probability zero to a pair that was seen, from which EM cannot recover.
        ImportError
            If the start by clusters needs a package that is not installed.

        Warns
        -----
        ConvergenceWarning
            If ``tol`` was given and not met.
        """
        W, H, fit = self.fit_factors(counts, run)
        self.warn_unless(fit.converged)
        return self.matrix_of(counts, W, H, fit)

    def warn_unless(self, converged: bool | None) -> None:
        """Warn if a ``tol`` was given and not met."""
        if converged is False:
            message = f"tol = {self.tol:g} was not met in {self.iterations} iterations"
            warn_caller(message, ConvergenceWarning)

    def matrix_of(
        self, counts: CountMatrix, W: np.ndarray, H: np.ndarray, fit: Fit
    ) -> LowRankMatrix:
        """Return the matrix of fitted factors; the objective of the fit is in nats per pair."""
        H = np.ascontiguousarray(H.T).T  # Columns are contiguous: `at` gathers them.
        fields = {"W": W, "H": H, "history": fit.objective, "converged": fit.converged}
        matrix = LowRankMatrix.on_pattern(counts, W, H, **fields)
        if not self.iterations:  # A start may tell contexts apart that were never seen.
            matrix = replace(matrix, seen=None)
        if self.unseen == "factors":
            return matrix
        from condprob.methods.direct import with_unigram

        return with_unigram(matrix, counts, self.start_discount)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> LowRankMatrix:
        """See `Estimator.fold_in`: each row of ``W`` is iterated to its optimum at this ``H``.

        A context without counts has the row that ``unseen`` gave such contexts in the fit.
        """
        counts = as_counts(counts)
        if not isinstance(matrix, LowRankMatrix) or matrix.shape[1] != counts.shape[1]:
            raise wrong_fit("a low-rank method", matrix, counts)
        W, H = self._fold_rows(matrix, counts), matrix.H
        folded = LowRankMatrix(W, H, W=W, H=H, history=np.zeros(1), converged=True)
        if self.unseen == "factors":
            return folded
        if len(matrix.right) == len(H):
            raise ValueError("unseen = 'unigram': the fit must have been made with the same option")
        from condprob.methods.direct import with_row

        return with_row(folded, counts.row_sums == 0, matrix.right[len(H)])

    def _fold_rows(self, matrix: LowRankMatrix, counts: CountMatrix) -> np.ndarray:
        """Return the rows of ``W`` for further contexts, shape (contexts, rank)."""
        from condprob.methods.em.folding import fold_rows

        return fold_rows(counts, matrix.H, self.smoothers[0].added_and_taken[0])

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: both factors, the start as well, and the history."""
        return 16 * (sum(shape) * self.rank + self.iterations)

    @property
    def start_discount(self) -> float:
        """Discount of a start by clusters, and of the unigram rows of unseen contexts."""
        return START_DISCOUNT

    @property
    def smoothers(self) -> tuple[AddConstant, VectorSmoother]:
        """The vector smoothers of the rows of ``W`` and of ``H``."""
        return AddConstant(0.0), AddConstant(0.0)

    @property
    def penalty(self) -> float:
        """The weight in Eq. (3) of the logarithm of each entry of the factors."""
        return 0.0

    def fit_factors(self, counts: CountMatrix, run: Run) -> tuple[np.ndarray, np.ndarray, Fit]:
        """Return the factors and the course of EM, nats per pair: see `fit_counts`."""
        rows, seen = counts.shape[0], (counts.seen_contexts, counts.seen_outcomes)
        W, H = self._start(counts, run.seed)
        of_start = 0.0
        if self.penalty:
            with np.errstate(divide="ignore"):  # minus infinity if there is a zero
                of_start = (np.log(W).sum() + np.log(H).sum()) * self.penalty
        seen_W, seen_H = W[seen[0]], np.ascontiguousarray(H[:, seen[1]].T)
        if self.iterations:
            del W, H  # frees the memory of the start
        # Contexts without counts are left out of EM: their rows of W are alike after one iteration.
        of_unseen = self.penalty * (rows - seen[0].size) * self.rank * np.log(1 / self.rank)
        engine = self._engine(Problem.of_counts(counts), seen_W, seen_H, of_start - of_unseen)
        del seen_W, seen_H
        fit = iterate(engine, run, self.iterations, self.tol, self.history)
        if self.iterations:
            W, H = complete_factors(counts, engine.W, engine.H, fit.rest)
        return W, H, fit._replace(objective=(fit.objective - of_unseen) / (counts.n or 1))

    def _start(self, counts: CountMatrix, seed: Seed) -> tuple[np.ndarray, np.ndarray]:
        """Return the first factors, shapes (contexts, rank) and (rank, outcomes)."""
        return starting_factors(self.initial, counts, self.rank, seed, self.start_discount)

    def _engine(self, problem: Problem, W: np.ndarray, H: np.ndarray, penalty: float = 0.0) -> Any:
        """Return the engine of a fit; the parameters are those of `em.engines.Expectation`."""
        smoothing, alternating = Smoothing.of(*self.smoothers), self.update == "alternating"
        return Expectation(problem, W, H, smoothing, alternating, penalty, self.threads)


def complete_factors(
    counts: CountMatrix, W: np.ndarray, H: np.ndarray, rest: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors with the rows of contexts, and columns of outcomes, without counts.

    Shapes (contexts, m) and (m, outcomes).

    Parameters
    ----------
    counts : CountMatrix
    W, H : numpy.ndarray, shapes (seen contexts, m) and (seen outcomes, m)
    rest : numpy.ndarray, shape (m,)
        See `em.Fit`.
    """
    (rows, columns), m = counts.shape, rest.size
    all_W, all_H = np.full((rows, m), 1 / m), np.repeat(rest[None], columns, axis=0).T
    all_W[counts.seen_contexts], all_H[:, counts.seen_outcomes] = W, H.T
    return all_W, all_H


@dataclass(frozen=True)
class AddHalfLowRank(LowRank):
    """Low rank, with 1/2 added to the soft counts in each iteration.

    Add-1/2-LR adds 1/2 to every soft count of both factors.

    Decreases the penalised empirical risk of Eq. (3) (Theorem 2).

    Attributes
    ----------
    constant : float
        Added to every soft count of both factors.
    """

    constant: AtLeastZero = 0.5

    @property
    def smoothers(self) -> tuple[AddConstant, VectorSmoother]:
        return AddConstant(self.constant), AddConstant(self.constant)

    @property
    def penalty(self) -> float:
        return self.constant


@dataclass(frozen=True)
class DiscountingLowRank(LowRank):
    """Low rank, with soft absolute discounting in each iteration.

    AD-LR adds 1/2 to the soft counts of ``W``, and discounts those of ``H``.

    The paper proves nothing of it, and it need not settle. Where soft counts lie around one, an
    iteration still moves the estimate by 0.01 nats after 20,000 of them: it neither cycles nor
    drifts, but wanders in a band of objectives 0.007 nats wide. On a text it comes to rest within
    some thousand (docs/studies.md). A ``tol`` may be met by chance there, or never.

    On small counts it amplifies rounding errors, such as those of another number of threads or
    shards: probabilities of 30 by 20 counts differ by 0.001 to 0.03 after 200 iterations, and in
    the paper's figure 1(b) at n = 5,000 half of the KL risks change by more than 7 %. The same call
    gives the same bits on every processor, and other methods of EM stay within 1e-14.

    Attributes
    ----------
    constant : float
        Added to the soft counts of ``W``.
    discount : float
        ``alpha``, of the rows of ``H``.
    """

    constant: AtLeastZero = 0.5
    discount: Discount = 0.75

    @property
    def smoothers(self) -> tuple[AddConstant, VectorSmoother]:
        return AddConstant(self.constant), AbsoluteDiscount(self.discount)

    @property
    def start_discount(self) -> float:
        return self.discount
