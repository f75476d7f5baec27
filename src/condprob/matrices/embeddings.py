"""Contexts and outcomes as points: how similar they are, and what is nearest to what."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import check_choice, check_integer, check_labels
from condprob.matrices.contract import ConditionalMatrix
from condprob.matrices.linked import LinkedMatrix
from condprob.matrices.sparse_plus_low_rank import LowRankMatrix


@dataclass(frozen=True, eq=False, repr=False)
class Embedding:
    """A vector for each context, or outcome; `embed` makes it.

    Attributes
    ----------
    vectors : numpy.ndarray, shape (items, r)
        The first coordinates tell most: two of them are a map.
    """

    vectors: np.ndarray

    def cosines(self, items: ArrayLike, others: ArrayLike) -> np.ndarray:
        """Return the cosine of each of some items with each of others, shape (items, others).

        A vector of zeros, of what was never seen, has the cosine zero with all.
        """
        one, other = (self._unit(check_labels(which, len(self.vectors), name).ravel())
                      for which, name in ((items, "items"), (others, "others")))  # fmt: skip
        return one @ other.T

    def nearest(self, items: ArrayLike, n: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Return the other items whose cosines are largest, the largest first, and the cosines.

        Both have the shape (items, min(n, all others)).
        """
        everyone = np.arange(len(self.vectors))
        items = check_labels(items, everyone.size, "items").ravel()
        cosines = self.cosines(items, everyone)
        cosines[np.arange(items.size), items] = -np.inf
        size = min(check_integer("n", n, 0), everyone.size - 1)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :size]
        return best, np.take_along_axis(cosines, best, axis=1)

    def _unit(self, items):
        vectors = self.vectors[items]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1.0)


def embed(
    matrix: ConditionalMatrix,
    of: Literal["contexts", "outcomes"] = "contexts",
    axes_of: ConditionalMatrix | None = None,
) -> Embedding:
    """Return the vectors of contexts or outcomes in a fit by factors.

    With ``U S V'`` the singular value decomposition of the product of the factors, contexts are the
    rows of ``U S`` and outcomes those of ``V S``: their scalar products are those of the rows, or
    columns, of the product, whatever the factors are. The product is ``W H`` of a low-rank fit; of
    LSA it is the approximation, so that ``U S`` is its own; of SDR and of log-bilinear models it is
    the scores without the biases.

    Parameters
    ----------
    matrix : LowRankMatrix or LinkedMatrix
    of : "contexts" or "outcomes"
    axes_of : LowRankMatrix or LinkedMatrix, optional
        The fit into which the matrix was folded (`Estimator.fold_in`): vectors are then in its
        coordinates, and can be compared with its own.

    Raises
    ------
    ValueError
        If a fit has no such factors, or the two do not go together.
    """
    check_choice("of", of, ("contexts", "outcomes"))
    left, right = _factors(matrix)
    of_axes = (left, right) if axes_of is None else _factors(axes_of)
    side = right if of == "contexts" else left.T
    other = of_axes[1] if of == "contexts" else of_axes[0].T
    if side.shape != other.shape:
        raise ValueError(f"factors of shapes {side.shape} and {other.shape}: not of one fit")
    rows, of_rows = np.linalg.qr(of_axes[0])
    columns, of_columns = np.linalg.qr(of_axes[1].T)
    U, _, V = np.linalg.svd(of_rows @ of_columns.T, full_matrices=False)
    if of == "contexts":
        return Embedding(left @ (right @ (columns @ V.T)))
    return Embedding(right.T @ (left.T @ (rows @ U)))


def _factors(matrix):
    if isinstance(matrix, LowRankMatrix):
        return matrix.W, matrix.H
    if not isinstance(matrix, LinkedMatrix):
        raise ValueError(f"a {type(matrix).__name__} has no vectors: a fit by factors is needed")
    if matrix.link != "softmax":
        return matrix.left, matrix.right
    # A class of ones has the biases of outcomes.
    is_bias = (matrix.left == 1).all(axis=0)
    return matrix.left[:, ~is_bias], matrix.right[~is_bias]
