"""Probabilistic latent semantic analysis (Hofmann 1999): the low-rank method in its own habit."""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from condprob.counts import CountMatrix, Counts
from condprob.matrix import ConditionalMatrix
from condprob.methods.choice import choose, count_fits
from condprob.methods.direct import unigram
from condprob.methods.em import Fit
from condprob.methods.em.folding import fold_rows
from condprob.methods.low_rank import LowRank
from condprob.methods.survey.tempering import Tempered
from condprob.options import Discount, Proportion
from condprob.run import Run
from condprob.sparse_plus_low_rank import LowRankMatrix

# The candidates of a learned temperature, in this order; not measured.
TEMPERATURES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)


@dataclass(frozen=True)
class ProbabilisticSemanticAnalysis(LowRank):
    """Probabilistic latent semantic analysis.

    ``LowRank``, tempered or not, mixed with the unigram distribution.

    ``W`` has the topics of documents, or of previous words, ``H`` the words of topics. With weight
    zero and temperature one it is ``lr``. ``W``, ``H`` and ``history`` leave the unigram out.

    READING: Hofmann lowers the temperature in one course of iterations, as long as that helps on
    held-out pairs. Here each temperature has a fit of its own, from the same start. The best
    temperature then fits all pairs.

    Attributes
    ----------
    weight : float or "learned"
        Weight of the unigram distribution that is mixed in; by default learned on a random tenth of
        the pairs.
    temperature : float or "learned"
        Exponent of the responsibilities; one is ordinary EM (see `tempering`). A learned one is the
        best of 1, 0.9, 0.8 and so on down to 0.5 on a random tenth of the pairs. Values below one
        require simultaneous updates and use one thread.
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    weight: Proportion | Literal["learned"] = "learned"
    temperature: Proportion | Literal["learned"] = 1.0
    discount: Discount = 0.75

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.temperature != 1 and self.update != "simultaneous":
            raise ValueError(f"update = {self.update!r}: must be simultaneous where it is tempered")

    def fit_counts(self, counts: CountMatrix, run: Run) -> LowRankMatrix:
        candidates = TEMPERATURES if self.temperature == "learned" else (self.temperature,)
        plain = replace(self, weight=0.0, tol=None)

        def fit(part, temperature):
            tempered = replace(plain, temperature=temperature)
            same = replace(run, seed=deepcopy(run.seed), checkpoint=None)  # the same start for each
            return tempered._fit_alone(part, same)

        parts = count_fits(candidates, self.weight, run.progress)
        temperature, weight, _ = choose(candidates, fit, counts, self, deepcopy(run.seed), parts)
        settled = replace(self, temperature=temperature, weight=weight)
        with parts.next():
            return settled._fit_alone(counts, run)

    def _fit_alone(self, counts: CountMatrix, run: Run) -> LowRankMatrix:
        """Return the fit of `fit_counts` with these settings, none of which is learned."""
        return super().fit_counts(counts, run)

    def matrix_of(
        self, counts: CountMatrix, W: np.ndarray, H: np.ndarray, fit: Fit
    ) -> LowRankMatrix:
        """See `LowRank`; with a share of the unigram distribution."""
        matrix = super().matrix_of(counts, W, H, fit)
        matrix = replace(matrix, temperature=float(self.temperature))
        return _with_share(matrix, unigram(counts, self.discount), self.weight)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> LowRankMatrix:
        """See `Estimator.fold_in`; share of the unigram and temperature do not change."""
        folded = super().fold_in(matrix, counts)
        if len(matrix.right) == len(folded.right):
            return folded
        return _with_share(folded, matrix.right[-1], float(matrix.left[0, -1]))

    def _fold_rows(self, matrix: LowRankMatrix, counts: CountMatrix) -> np.ndarray:
        """See `LowRank`; a file without a temperature has that of the options."""
        temperature = self.temperature if matrix.temperature is None else matrix.temperature
        if temperature == "learned":
            raise ValueError("the file does not record the learned temperature: fit again")
        return fold_rows(counts, matrix.H, 0.0, temperature)

    @property
    def start_discount(self) -> float:
        return self.discount

    def _engine(self, problem, W, H, penalty=0.0):
        if self.temperature == 1:
            return super()._engine(problem, W, H, penalty)
        return Tempered(problem, W, H, self.temperature)


def _with_share(matrix: LowRankMatrix, base: np.ndarray, weight: float) -> LowRankMatrix:
    """Return the mixture of a matrix with one distribution, shape (outcomes,)."""
    if not weight:
        return matrix
    share = np.full((matrix.shape[0], 1), weight)
    left = np.hstack([(1 - weight) * matrix.left, share])
    return replace(matrix, left=left, right=np.vstack([matrix.right, base]))
