"""Structural learning as an embedding of contexts, and a softmax of it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from condprob.checks import Sparse
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.methods.choice import fit_chosen
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.methods.softmax import fit_outcomes
from condprob.methods.survey.structure import Negatives, shared_subspace
from condprob.options import AtLeastOne, AtLeastZero, Discount, Positive, Proportion, Whole
from condprob.run import Run

# To choose from, each beginning where the one before it ended. Not measured.
RIDGES_OF_PREDICTORS = (1e-2, 1e-3, 1e-4)


@dataclass(frozen=True)
class StructuralSoftmax(Estimator):
    """Alternating structure optimisation (Ando and Zhang 2005).

    Contexts lie in the subspace that linear predictors of the commonest outcomes share.

    Each of the auxiliary problems predicts only from the context whether one outcome follows. The
    left singular vectors of the predictors' weights embed the contexts (`structure`), and
    ``Q_ij`` goes with ``q_j exp(phi_i psi_j + b_j)``, where ``q`` is the unigram distribution, of
    which a share is also mixed in. The source has this for classification; the conditional model
    is ours.

    READING: ``psi`` and ``b`` have a ridge, which the source's ``v`` has not: of so many outcomes
    most are seen a few times, and their ``psi_j`` would have no end.

    Attributes
    ----------
    rank : int
        Number of dimensions of the embedding.
    problems : int
        Number of auxiliary problems, which predict the most frequent outcomes.
    strength : float
        Ridge of the auxiliary predictors, which counts as much as this many pairs of a context.
    negatives : "zero" or "kept"
        Whether negative weights are set to zero before the SVD, or kept.
    ridge : float or "learned"
        Ridge of the softmax, in nats per pair.
    iterations : int
        Largest number of L-BFGS iterations.
    weight : float or "learned"
        Weight of the unigram distribution that is mixed in; by default learned on held-out pairs,
        together with the ridge.
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    is_random: ClassVar[bool] = True
    multiplies_matrices: ClassVar[bool] = True
    rank: AtLeastOne = 50
    problems: AtLeastOne = 1000
    strength: Positive = 30.0  # of 10, 30 and 100 the best on pairs of Genesis that were held out
    negatives: Negatives = "zero"
    ridge: AtLeastZero | Literal["learned"] = "learned"
    iterations: Whole = 60
    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        problems = min(self.problems, shape[1])
        cells = problems * (shape[0] if self.negatives == "kept" else problems)
        return 8 * (sum(shape) * min(self.rank, *shape) + cells)

    def fit_counts(self, counts: CountMatrix, run: Run) -> LinkedMatrix:
        ridges = RIDGES_OF_PREDICTORS if self.ridge == "learned" else (self.ridge,)
        last: dict[CountMatrix, LinkedMatrix] = {}  # of each counts: the next begins there

        def fit(these: CountMatrix, ridge: float) -> LinkedMatrix:
            last[these] = self._fit_scores(these, ridge, last.get(these), run.progress)
            return last[these]

        return fit_chosen(ridges, fit, counts, self, run)

    def _fit_scores(self, counts, ridge, start=None, progress=False):
        """Return the fit without a share of the unigram distribution."""
        base = unigram(counts, self.discount)
        left = np.ones((counts.shape[0], 1))
        psi, ended = np.zeros((1, counts.shape[1])), "settled"
        if counts.n:
            left = np.column_stack([embed_by_structure(self, counts), left])
            begun = None if start is None else start.right[:-1]
            psi, settled = fit_outcomes(counts, left, base, ridge, self.iterations, begun, progress)
            ended = "settled" if settled else "limit"
        return LinkedMatrix(
            left=np.column_stack([left, np.ones(len(left))]),
            right=np.vstack([psi, np.log(base)]),
            base=base,
            weight=0.0,
            link="softmax",
            seen=(counts.seen_contexts, counts.seen_outcomes),
            ended=ended,
        )


def embed_by_structure(aso: StructuralSoftmax, counts: CountMatrix) -> np.ndarray:
    """Return ``Phi'``, scaled to entries whose mean square is one over the contexts seen."""
    W = auxiliary_weights(counts, aso.problems, aso.strength, aso.negatives)
    seen = counts.seen_contexts
    phi = shared_subspace(W[seen], aso.rank)
    points = np.zeros((counts.shape[0], len(phi)))
    points[seen] = phi.T * np.sqrt(seen.size)
    return points


def auxiliary_weights(
    counts: CountMatrix, problems: int, strength: float, negatives: Negatives = "kept"
) -> np.ndarray | Sparse:
    """Return the weights of the ridge regressions of the commonest outcomes on one-hot contexts.

    That of outcome ``j`` minimises ``sum_i C_ij (1 - b - u_i)^2 + (C_i - C_ij) (b + u_i)^2 +
    strength u_i^2``: ``u_i = (C_ij - C_i b) / (C_i + strength)``, where the constant, which has no
    ridge, is ``b = sum_i a_i C_ij / sum_i a_i C_i`` with ``a_i = 1 / (C_i + strength)``.

    Returns
    -------
    array, shape (contexts, at most problems)
        A sparse one if negative weights are set to zero: only pairs that were seen have others.
    """
    common = np.argsort(-counts.column_sums, kind="stable")[:problems]
    C, sums = counts.sparse()[:, common[counts.column_sums[common] > 0]], counts.row_sums
    share = 1 / (sums + strength)
    constant = (C.T @ share) / (sums @ share)
    if negatives == "kept":
        return (C.toarray() - np.outer(sums, constant)) * share[:, None]
    C = C.tocoo()
    context, outcome = C.coords
    above = np.maximum(C.data - sums[context] * constant[outcome], 0)
    return csr_array((above * share[context], (context, outcome)), C.shape)
