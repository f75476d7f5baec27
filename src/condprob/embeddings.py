"""Contexts and outcomes as vectors: cosines, and nearest neighbours."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import check_choice, check_integer
from condprob.checks.entries import check_labels
from condprob.checks.frozen import Frozen
from condprob.labelled_model import LabelledModel
from condprob.matrix import ConditionalMatrix
from condprob.model import WITH_FACTORS, largest
from condprob.products import few_threads
from condprob.risk import check_estimate
from condprob.text import SequenceModel
from condprob.text.histories import HistoryModel
from condprob.vocabulary import Vocabulary

COSINES_AT_ONCE = 1 << 20  # of which `nearest` holds two arrays at a time (chosen by hand)


@dataclass(frozen=True, eq=False, repr=False)
class Embedding(Frozen):
    """Vectors of contexts or outcomes; the result of `embed`.

    Attributes
    ----------
    vectors : numpy.ndarray, shape (items, r)
        One vector per item. The first coordinates have the largest variance: two of them make a
        map.
    labels : Vocabulary, optional
        Names of the items; without them, methods take numbers.

    Examples
    --------
    >>> from condprob import embed, method
    >>> matrix = method("ad-lr", rank=2).fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]], seed=0)
    >>> embed(matrix).vectors.shape
    (3, 2)
    """

    vectors: np.ndarray
    labels: Vocabulary | None = None

    def __repr__(self) -> str:
        return f"<Embedding: {len(self.vectors):,} items, {self.vectors.shape[1]} coordinates>"

    def cosines(self, items: ArrayLike, others: ArrayLike) -> np.ndarray:
        """Return the cosines of items with others, shape (items, others).

        An item that was never seen has a vector of zeros, and the cosine zero with all.
        """
        one, other = self._numbers(items, "items"), self._numbers(others, "others")
        return self._unit(one) @ self._unit(other).T

    def nearest(self, items: ArrayLike, n: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Return the other items whose cosines are largest, the largest first, and the cosines.

        Both have the shape (items, min(n, all others)).
        """
        items, everyone = self._numbers(items, "items"), self._unit(slice(None))
        size = min(check_integer("n", n, 0), len(everyone) - 1)
        best = np.empty((items.size, size), dtype=np.int64)
        found = np.empty((items.size, size))
        at_once = max(COSINES_AT_ONCE // len(everyone), 1)
        for start in range(0, items.size, at_once):
            these = items[start : start + at_once]
            cosines = everyone[these] @ everyone.T
            cosines[np.arange(these.size), these] = -np.inf
            part = slice(start, start + at_once)
            best[part], found[part] = largest(cosines, size)
        if self.labels is not None:
            best = np.fromiter(self.labels, dtype=object)[best]
        return best, found

    def _numbers(self, items, name):
        if self.labels is None:
            return check_labels(items, len(self.vectors), name).ravel()
        return self.labels.numbers([items] if np.ndim(items) == 0 else items)

    def _unit(self, items):
        vectors = self.vectors[items]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1.0)


def nearest_labels(
    cosines: np.ndarray, own: int, labels: Vocabulary, n: int
) -> list[tuple[Any, float]]:
    """Return the labels with the largest cosines, and these: not that of the label's own number."""
    others = cosines.copy()
    others[own : own + 1] = -np.inf
    (best,), (found,) = largest(others[None], check_integer("n", n, 0))
    return [(labels[i], c) for i, c in zip(best.tolist(), found.tolist(), strict=True) if i >= 0]


def embed(
    matrix: ConditionalMatrix | LabelledModel,
    of: Literal["contexts", "outcomes"] = "contexts",
    axes_of: ConditionalMatrix | LabelledModel | None = None,
) -> Embedding:
    """Vectors of the contexts or outcomes of a low-rank fit.

    Items with similar vectors behave alike; the first two coordinates make a map.

    Parameters
    ----------
    matrix : LowRankMatrix or LinkedMatrix, or an Estimate or a LanguageModel with such a model
        The fit; of a text, at order 2. The embedding of a fit with labels takes and returns labels.
    of : {"contexts", "outcomes"}
        Whose vectors to return.
    axes_of : the same, optional
        Fit into which ``matrix`` was folded (`Estimator.fold_in`). The vectors then have the
        coordinates of that fit.

    Returns
    -------
    Embedding
        The vectors, with ``nearest`` to find neighbours.

    Raises
    ------
    ValueError
        If a fit has no such factors, or if the two fits do not match.

    Notes
    -----
    With ``U S V'`` the singular value decomposition of the product of the factors, contexts are the
    rows of ``U S`` and outcomes those of ``V S``, so that their scalar products equal those of the
    rows, or columns, of the product. The product is ``W H`` of a low-rank fit, the approximation of
    LSA, and the scores without biases of SDR and of log-bilinear models.

    Examples
    --------
    >>> from condprob import embed, method
    >>> matrix = method("ad-lr", rank=2).fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]], seed=0)
    >>> embed(matrix).nearest([0], 1)[0].tolist()
    [[1]]
    """
    check_choice("of", of, ("contexts", "outcomes"))
    left, right = _factors(matrix)
    of_axes = (left, right) if axes_of is None else _factors(axes_of)
    side = right if of == "contexts" else left.T
    other = of_axes[1] if of == "contexts" else of_axes[0].T
    if side.shape != other.shape:
        shapes = f"factors have shapes {side.shape} and {other.shape}"
        raise ValueError(f"axes_of: must be the fit into which the matrix was folded ({shapes})")
    with few_threads((left.shape[0], right.shape[1])):
        rows, of_rows = np.linalg.qr(of_axes[0])
        columns, of_columns = np.linalg.qr(of_axes[1].T)
        U, _, V = np.linalg.svd(of_rows @ of_columns.T, full_matrices=False)
        if of == "contexts":
            vectors = left @ (right @ (columns @ V.T))
        else:
            vectors = right.T @ (left.T @ (rows @ U))
    if not isinstance(matrix, LabelledModel):
        return Embedding(vectors)
    labels = matrix.contexts if of == "contexts" else matrix.outcomes
    return Embedding(vectors, labels)


def _factors(matrix: ConditionalMatrix | LabelledModel) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors of a fit, without rows that stand for contexts never seen."""
    if not isinstance(matrix, LabelledModel):
        check_estimate(matrix)
        left, right = matrix.factors()
        return left[: len(left) - getattr(matrix, "new_contexts", 0)], right
    model, is_text = matrix.model, isinstance(matrix.model, SequenceModel)
    if isinstance(model, HistoryModel) and model.order == 2:
        model = model.matrix  # whose contexts are the words, and the start of a sentence
    if model.rank is None:
        how = f"{WITH_FACTORS}{', and a text at order 2' * is_text}"
        raise ValueError(f"a fit of {matrix.about.method} has no factors to embed; {how}")
    left, right = model.factors()
    return left[: len(matrix.contexts)], right
