"""Latent semantic analysis (Deerwester et al. 1990): a truncated SVD, and links to rows."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator, wrong_fit
from condprob.matrix import ConditionalMatrix
from condprob.methods.choice import fit_chosen
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import Link, LinkedMatrix
from condprob.methods.svd import is_small, truncated_svd
from condprob.options import AtLeastOne, Discount, Proportion
from condprob.run import Run

CellWeighting = Literal["sqrt", "counts", "probability", "ppmi"]
LINKS: dict[str, Link] = {
    "sqrt": "square",
    "counts": "clip",
    "probability": "clip",
    "ppmi": "softmax",
}
# Of the norm of a row: a smaller rest is rounding of a row outside the SVD; not measured.
NORM_TOLERANCE = 1e-10


@dataclass(frozen=True)
class LatentSemanticAnalysis(Estimator[LinkedMatrix]):
    """Latent semantic analysis.

    The best approximation of a rank to weighted counts, made into rows by a link.

    With ``X = U S V'`` truncated, a row is made of ``(U S) V'``. Where ``X`` has the square roots
    of counts, a row is proportional to the squares of its positive part. Where ``X`` has counts or
    ``C_ij / C_i``, it is proportional to the positive part itself. Where ``X`` has
    ``max(log(C_ij / (C_i q_j)), 0)``, it is proportional to ``q_j exp(.)``. ``q`` is the unigram
    distribution with absolute discounting. A share of it is mixed in, and it is the row of a
    context never seen.

    READING: LSA is no model of probabilities; the links are ours. Positive pointwise mutual
    information is that with ``q``, so that its softmax gives back the pairs that it holds whole.

    Attributes
    ----------
    rank : int
        Number of singular values to keep; all of them if there are fewer.
    weighting : "sqrt", "counts", "probability" or "ppmi"
        Matrix to approximate: the square roots of counts, the counts, relative frequencies, or
        positive pointwise mutual information.
    weight : float or "learned"
        Weight of the unigram distribution that is mixed in; by default learned on a random tenth of
        the pairs.
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    is_random: ClassVar[bool] = True
    multiplies_matrices: ClassVar[bool] = True
    rank: AtLeastOne = 50
    weighting: CellWeighting = "sqrt"
    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors twice, or all singular vectors and the matrix."""
        if is_small(shape, self.rank):
            return 8 * (2 * shape[0] * shape[1] + sum(shape) * min(shape))
        return 16 * sum(shape) * self.rank

    def fit_counts(self, counts: CountMatrix, run: Run) -> LinkedMatrix:
        return fit_chosen([None], lambda these, _: self.fit_scores(these), counts, self, run)

    def fit_scores(self, counts: CountMatrix) -> LinkedMatrix:
        """Return the fit without a share of the unigram distribution."""
        base, seen = unigram(counts, self.discount), (counts.seen_contexts, counts.seen_outcomes)
        X = self._weigh(counts, base)
        U, s, V = truncated_svd(X[seen[0]][:, seen[1]], self.rank)
        left, right = np.zeros((counts.shape[0], s.size)), np.zeros((s.size, counts.shape[1]))
        left[seen[0]], right[:, seen[1]] = _without_noise(U * s, X[seen[0]]), V
        return self._link(left, right, base, seen)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> LinkedMatrix:
        """See `Estimator.fold_in`: rows ``x V`` of weighted counts ``x``, as those of a fit are."""
        counts, link = as_counts(counts), LINKS[self.weighting]
        is_ours = isinstance(matrix, LinkedMatrix) and matrix.link == link
        if not is_ours or matrix.shape[1] != counts.shape[1]:
            raise wrong_fit(f"lsa with weighting={self.weighting!r}", matrix, counts)
        V = matrix.right[:-1] if link == "softmax" else matrix.right
        X = self._weigh(counts, matrix.base)
        return replace(self._link(_without_noise(X @ V.T, X), V, matrix.base), weight=matrix.weight)

    def similarity(self, matrix: ConditionalMatrix, queries: Counts) -> np.ndarray:
        """Return how similar queries are to the contexts of a fit, such as documents.

        Of a query ``q`` and a document ``x``, both columns of weighted counts, it is
        ``(S^1/2 Phi' q)' (S^1/2 Phi' x)``, where ``Phi`` are the singular vectors of words and
        ``S`` the singular values (Blitzer's survey, section 3.1; Deerwester et al. 1990).

        Parameters
        ----------
        matrix : LinkedMatrix
            A fit by LSA with this weighting: documents by words.
        queries : CountMatrix, array or scipy sparse array, shape (queries, words)

        Returns
        -------
        numpy.ndarray, shape (queries, documents)

        Raises
        ------
        ValueError
            If the fit is of another weighting, or over other words.
        """
        folded = self.fold_in(matrix, queries)
        left, others = (self._scores(each) for each in (matrix, folded))
        return others * np.linalg.norm(left, axis=0) @ left.T

    def _scores(self, matrix: LinkedMatrix) -> np.ndarray:
        """Return ``X Phi``, shape (contexts, rank): a softmax has a column of biases as well."""
        return matrix.left[:, :-1] if matrix.link == "softmax" else matrix.left

    def _weigh(self, counts: CountMatrix, base: np.ndarray) -> csr_array:
        """Return the weighted counts, shape (contexts, outcomes)."""
        values = counts.values.astype(float)
        if self.weighting == "sqrt":
            values = np.sqrt(values)
        elif self.weighting != "counts":
            values = values / counts.row_sums[counts.contexts]
            if self.weighting == "ppmi":
                values = np.maximum(np.log(values / base[counts.outcomes]), 0.0)
        return csr_array((values, counts.outcomes, counts.indptr), counts.shape)

    def _link(self, left, right, base, seen=None) -> LinkedMatrix:
        """Return the matrix of scores, without a share of the unigram distribution."""
        link = LINKS[self.weighting]
        if link == "softmax":
            left = np.column_stack([left, np.ones(len(left))])
            right = np.vstack([right, np.log(base)])
        return LinkedMatrix(left, right, base, 0.0, link, seen)


def _without_noise(left: np.ndarray, X: csr_array) -> np.ndarray:
    """Return the rows of ``U S``, zero where they are only rounding next to those of ``X``."""
    norms = np.sqrt(np.asarray((X * X).sum(axis=1)).ravel())
    return np.where((np.linalg.norm(left, axis=1) > NORM_TOLERANCE * norms)[:, None], left, 0.0)
