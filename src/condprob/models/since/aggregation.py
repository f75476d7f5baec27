"""State aggregation with anchors: Duan, Ke and Wang (2019, NeurIPS), Algorithm 1.

The matrix is ``P = U V'``: a context belongs to latent states with the probabilities ``U``, and a
state has a distribution of the outcomes, a column of ``V``. Each state has an anchor, an outcome
that no other state has. Then the right singular vectors of the counts, divided by the first of
them, are points of a simplex whose vertices are the anchors:

1. Divide the columns of C by the roots of their sums, and take the vectors ``h_1, ..., h_r``.
2. The point of outcome j is ``(h_2j / h_1j, ..., h_rj / h_1j)``.
3. Find the vertices.
4. Write each point as a mean of the vertices, with weights ``w_j``, negative ones set to zero.
5. ``V`` is in proportion to ``h_1j sqrt(C_j) w_jl``; its columns sum to one.
6. ``U`` is the least-squares solution of ``C_ij / C_i = U V'``, its positive part normalised.

READING: of step 3 the publication leaves the choice open. Here it is successive projection (Araujo
et al. 2001) of points that are means of their nearest neighbours, which noise moves less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist

from condprob.models.since.chosen import Chosen, Estimate, list_ranks
from condprob.options import AtLeastOne

NEAREST = 5  # each point is a mean of so many of r shares of all, itself among them; not measured
LEAST = 1e-9  # of the first singular vector, beside its largest entry: a smaller one is rounding


@dataclass(frozen=True)
class StateAggregation(Chosen):
    """Latent states that anchors reveal.

    Attributes
    ----------
    rank : int or "learned"
        Latent states.
    """

    rank: AtLeastOne | Literal["learned"] = "learned"

    def settings(self, block: np.ndarray) -> Sequence[int]:
        """See `Chosen`."""
        return list_ranks(self.rank, block)

    def estimate(self, block: np.ndarray, settings: Sequence[int]) -> Iterator[Estimate]:
        """See `Chosen`."""
        roots = np.sqrt(block.sum(axis=0))
        vectors = np.linalg.svd(block / roots, full_matrices=False)[2]
        first = abs(vectors[0])
        first = np.maximum(first, LEAST * first.max())
        shares = block / block.sum(axis=1, keepdims=True)
        for rank in settings:
            points = np.column_stack([np.ones(first.size), (vectors[1:rank] / first).T])
            corners = find_vertices(points)
            weights = np.maximum(np.linalg.lstsq(corners.T, points.T)[0].T, 0.0)
            weights /= np.maximum(weights.sum(axis=1, keepdims=True), LEAST)
            V = weights * (first * roots)[:, None]
            V /= np.maximum(V.sum(axis=0), LEAST)
            U = np.maximum(shares @ np.linalg.pinv(V.T), 0.0)
            yield Estimate(U / np.maximum(U.sum(axis=1, keepdims=True), LEAST), V.T, rank)


def find_vertices(points: np.ndarray) -> np.ndarray:
    """Return points near the vertices of the simplex that holds the points.

    Parameters
    ----------
    points : numpy.ndarray, shape (outcomes, r)
        Of an affine space: the first column has ones.

    Returns
    -------
    numpy.ndarray, shape (r, r)
    """
    size, rank = points.shape
    near = max(size // (NEAREST * rank), 1)
    places = np.argpartition(cdist(points, points), near - 1, axis=1)[:, :near]
    means = points[places].mean(axis=1)
    left, found = means.copy(), []
    for _ in range(rank):
        norms = (left * left).sum(axis=1)
        found.append(int(norms.argmax()))
        ahead = left[found[-1]] / max(np.sqrt(norms.max()), np.finfo(float).tiny)
        left -= np.outer(left @ ahead, ahead)
    return means[found]
