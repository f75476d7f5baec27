"""Sufficient dimensionality reduction (Globerson and Tishby 2003), and the log-bilinear bigram.

SDR is the joint model ``p(d, w) = exp(phi(d) psi(w) + A(d) + B(w)) / Z``. Its conditional rows are
``softmax_w(phi(d) psi(w) + B(w))``: the log-bilinear bigram of Mnih and Hinton (2007), and the
neural model of Bengio et al. with nothing but linear links. ``A`` can make the marginal of contexts
any there is and is in no row, so that maximum likelihood of the joint model and of its rows have
the same ``phi``, ``psi`` and ``B``, with a ridge on the factors as well; at it ``A(d)`` is
``log p(d)`` less the logarithm of the row's normaliser. They differ only in how the biases
are held.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.choice import fit_chosen
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.methods.survey.alternating import alternate
from condprob.methods.survey.bilinear_fit import (
    FittedScores,
    GroupedCounts,
    Penalty,
    minimise_loss,
    start_scores,
)
from condprob.options import AtLeastOne, Discount, Positive, Proportion, Whole
from condprob.progress import Progress
from condprob.run import Run

RIDGES = (8.0, 4.0, 2.0, 1.0, 0.5)  # candidates, in this order; not measured
# Nats by which an outcome never seen is below all others: nothing beside them.
NATS_BELOW_ALL_OTHERS = 700.0


@dataclass(frozen=True)
class SufficientReduction(Estimator):
    """Sufficient dimensionality reduction, a joint model (Globerson and Tishby 2003).

    It has ``phi(d) psi(w)`` and free biases of contexts and of outcomes.

    At the optimum both marginals are those of the pairs. An outcome that was never seen has
    probability zero but for the share of the unigram distribution.

    Zeros among the counts drive factors to infinity; the ridge, on all of them, holds them. It is
    half of ``ridge`` times the sum of their squares, added to the log-loss of all pairs. A context
    that was never seen has ``phi = 0``.

    Attributes
    ----------
    rank : int
        Number of features: columns of ``phi`` and rows of ``psi``.
    ridge : float or "learned"
        Weight of the squares of the factors. By default it is chosen from 8, 4, 2, 1 and 0.5, in
        this order, as long as a smaller one improves the likelihood of a random tenth of the pairs.
    weight : float or "learned"
        Weight of the unigram distribution that is mixed in; by default learned on the same pairs.
    algorithm : "gradient" or "projection"
        L-BFGS, or the alternating projection of Globerson and Tishby, which takes many more passes
        over the cells and keeps all cells in memory (`methods.survey.alternating`).
    iterations : int
        Largest number of L-BFGS iterations, or of pairs of projections.
    tol : float
        Stop when an iteration changes the objective by less than this, in nats per pair.
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    is_random: ClassVar[bool] = True
    multiplies_matrices: ClassVar[bool] = True
    rank: AtLeastOne = 20
    ridge: Positive | Literal["learned"] = "learned"
    weight: Proportion | Literal["learned"] = "learned"
    algorithm: Literal["gradient", "projection"] = "gradient"
    iterations: Whole = 200
    tol: Positive = 1e-4
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors, and the steps that L-BFGS keeps, or the cells."""
        of_factors = 16 * sum(shape) * (self.rank + 1)
        return of_factors + (32 * shape[0] * shape[1] if self.algorithm == "projection" else 0)

    def fit_counts(self, counts: CountMatrix, run: Run) -> LinkedMatrix:
        ridges = RIDGES if self.ridge == "learned" else (self.ridge,)
        last: dict[CountMatrix, FittedScores] = {}  # each ridge starts from the one before it

        def fit(these, ridge):
            matrix, solution = self.fit_scores(these, ridge, run.progress, last.get(these))
            last[these] = solution
            return matrix

        return fit_chosen(ridges, fit, counts, self, run)

    def fit_scores(
        self,
        counts: CountMatrix,
        ridge: float,
        progress: Progress = False,
        last: FittedScores | None = None,
    ) -> tuple[LinkedMatrix, FittedScores | None]:
        """Return the fit without a share of the unigram, and its solution; none without pairs.

        ``last`` is the solution with another ridge, from which the fit starts.
        """
        base, seen = unigram(counts, self.discount), (counts.seen_contexts, counts.seen_outcomes)
        left = np.column_stack([np.zeros((counts.shape[0], self.rank)), np.ones(counts.shape[0])])
        right = np.vstack([np.zeros((self.rank, counts.shape[1])), np.log(base)])
        if not counts.n:
            return LinkedMatrix(left, right, base, 0.0, "softmax", seen), None
        problem, penalty = self._pose(counts, base, ridge)
        start = start_scores(problem, self.rank) if last is None else last.scores
        if penalty.centre is not None and last is None:
            start = start._replace(B=penalty.centre)
        ends = self.tol, self.iterations, progress
        if self.algorithm == "projection":
            solution = alternate(problem, start, ridge, *ends)
        else:
            solution = minimise_loss(problem, start, penalty, *ends)
        phi, psi, B = solution.scores
        left[seen[0], :-1] = phi[problem.row_of]
        of_outcomes = np.column_stack([psi, B])
        right[-1] = B.min() - NATS_BELOW_ALL_OTHERS
        if B.size > problem.column_of.max() + 1:
            right[:] = of_outcomes[-1][:, None]
        right[:, seen[1]] = of_outcomes[problem.column_of].T
        ended = solution.ended
        return LinkedMatrix(left, right, base, 0.0, "softmax", seen, ended, ridge), solution

    def _pose(self, counts, base, ridge) -> tuple[GroupedCounts, Penalty]:
        """Return the grouped counts and the penalty."""
        return GroupedCounts.of_counts(counts, with_unseen=False), Penalty(ridge)


@dataclass(frozen=True)
class ConditionalReduction(SufficientReduction):
    """Sufficient dimensionality reduction of the rows: log-bilinear bigram.

    Its biases are held like all else.

    READING: with free biases its rows are those of ``sdr`` (see the module). Here the ridge holds
    the bias of each outcome around the logarithm of its share of the unigram distribution, so that
    outcomes never seen have a part in the softmax, all of them the same.

    Attributes
    ----------
    algorithm : "gradient"
        L-BFGS: the alternating projection belongs to the joint model.
    """

    algorithm: Literal["gradient"] = "gradient"

    def _pose(self, counts, base, ridge) -> tuple[GroupedCounts, Penalty]:
        problem = GroupedCounts.of_counts(counts, with_unseen=True)
        logs, centre = np.log(base), np.empty(problem.columns.size)
        centre[problem.column_of] = logs[counts.seen_outcomes]
        centre[problem.column_of.max() + 1 :] = logs[counts.column_sums == 0][:1]
        return problem, Penalty(ridge, centre)
