"""A sparse part on the seen pairs plus a product of thin factors: the form of every method here."""

from dataclasses import dataclass, field, fields
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import check_labels
from condprob.counts import CountMatrix
from condprob.entries import check_sparse_rows, products_of_pairs
from condprob.matrix import Classes, ConditionalMatrix, at_pairs
from condprob.model import SETTLED, Ended

FORM = 4  # fields of the form itself; a subclass adds others


class SparsePart(NamedTuple):
    """A sparse matrix by rows, outcomes ascending within each."""

    indptr: np.ndarray  # int, shape (contexts + 1,)
    outcomes: np.ndarray  # int, shape (nnz,)
    values: np.ndarray  # float, shape (nnz,)

    @property
    def contexts(self) -> np.ndarray:
        """Context of each entry, shape (nnz,)."""
        return np.repeat(np.arange(self.indptr.size - 1), np.diff(self.indptr))

    def at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return the entry of each pair, zero where there is none: a bisection of all rows at once.

        Its cost is that of the pairs asked for, times the logarithm of the longest row's length.
        """
        low, end = self.indptr[contexts], self.indptr[contexts + 1]
        high = end
        while (low < high).any():
            middle = (low + high) // 2
            is_open = low < high
            before = is_open & (self.outcomes[np.where(is_open, middle, 0)] < outcomes)
            low, high = np.where(before, middle + 1, low), np.where(is_open & ~before, middle, high)
        found = low < end
        place = np.where(found, low, 0)
        found &= self.outcomes[place] == outcomes
        return np.where(found, self.values[place], 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class SparsePlusLowRank(ConditionalMatrix, kind="sparse plus low rank"):
    """``Q = S + L R``: a sparse part on the seen pairs plus a product of thin factors.

    For absolute discounting, say, an unseen outcome has the same probability ``u_i`` wherever it
    stands in row ``i``: ``L R`` is ``u_i`` times a row of ones, and ``S`` holds what the seen
    pairs have above it.

    A file has the further fields of a subclass, too: arrays, or numbers, whose default is a number.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, r)
    right : numpy.ndarray, shape (r, outcomes)
    sparse : SparsePart or None
        ``S``; None where there is none.
    seen : (numpy.ndarray, numpy.ndarray) or None
        The contexts and the outcomes that may differ from all others, ascending: all other
        contexts share one row, all other outcomes one column. None where all may differ.
    """

    left: np.ndarray = field(repr=False)
    right: np.ndarray = field(repr=False)
    sparse: SparsePart | None = field(repr=False, default=None)
    seen: tuple[np.ndarray, np.ndarray] | None = field(repr=False, default=None)
    optional: ClassVar[tuple[str, ...]] = ()  # fields that files of an older version do not have

    @classmethod
    def on_pattern(
        cls,
        counts: CountMatrix,
        left: np.ndarray,
        right: np.ndarray,
        entries: np.ndarray | None = None,
        **others,
    ) -> "SparsePlusLowRank":
        """Build from values on the seen pairs of counts, shape (nnz,).

        Contexts without counts must be alike, and so must outcomes without counts.
        """
        sparse = None if entries is None else SparsePart(counts.indptr, counts.outcomes, entries)
        seen = counts.seen_contexts, counts.seen_outcomes
        return cls(left, right, sparse, seen, **others)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return (len(self.left), self.right.shape[1])

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """Return ``Q[contexts, outcomes]``, broadcast together.

        Parameters
        ----------
        contexts, outcomes : array_like of int
            Values below the numbers of contexts and of outcomes.

        Returns
        -------
        numpy.ndarray
            Of the shape to which they broadcast.

        Raises
        ------
        ValueError
            If a value is no integer or outside its range, or the shapes do not go together.
        """
        return at_pairs(self._at, self.shape, contexts, outcomes)

    def _at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Do what `at` does for flat arrays of numbers in range."""
        values = products_of_pairs(self.left, self.right, contexts, outcomes)
        if self.sparse is not None and self.sparse.values.size:
            values += self.sparse.at(contexts, outcomes)
        return _at_most_one(values)

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        block = self.left[contexts] @ self.right
        if self.sparse is not None:
            indptr, outcomes, values = self.sparse
            for row, context in zip(block, contexts, strict=True):
                part = slice(*indptr[context : context + 2])
                row[outcomes[part]] += values[part]
        return _at_most_one(block)

    def dense(self) -> np.ndarray:
        """Build the whole array, shape (contexts, outcomes)."""
        block = self.left @ self.right
        if self.sparse is not None:
            block[self.sparse.contexts, self.sparse.outcomes] += self.sparse.values
        return _at_most_one(block)

    def row_sums(self) -> np.ndarray:
        """Return the sum of every row, shape (contexts,): one, up to rounding."""
        sums = self.left @ self.right.sum(axis=1)
        if self.sparse is not None:
            sums += np.bincount(self.sparse.contexts, self.sparse.values, minlength=self.shape[0])
        return sums

    def classes(self) -> tuple[Classes, Classes]:
        """Return the contexts and outcomes that stand for all: the seen, and one unseen."""
        if self.seen is None:
            return super().classes()
        return tuple(map(seen_and_one, self.seen, self.shape))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        block = self.left[contexts] @ self.right[:, outcomes]
        if self.sparse is not None:
            row_of, column_of = (np.full(size, -1) for size in self.shape)
            row_of[contexts] = np.arange(len(contexts))
            column_of[outcomes] = np.arange(len(outcomes))
            row, column = row_of[self.sparse.contexts], column_of[self.sparse.outcomes]
            inside = (row >= 0) & (column >= 0)
            block[row[inside], column[inside]] += self.sparse.values[inside]
        return _at_most_one(block)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold."""
        found = {"left": self.left, "right": self.right}
        if self.sparse is not None:
            found |= self.sparse._asdict()
        if self.seen is not None:
            found |= dict(zip(("seen_contexts", "seen_outcomes"), self.seen, strict=True))
        own = {each.name: getattr(self, each.name) for each in fields(self)[FORM:]}
        return found | {name: np.asarray(x) for name, x in own.items() if x is not None}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "SparsePlusLowRank":
        """Build the matrix from its `arrays`."""
        left, right, told = arrays["left"], arrays["right"], {}
        for own in fields(cls)[FORM:]:
            if own.name in arrays or own.name not in cls.optional:
                array = arrays[own.name]
                told[own.name] = array if own.default is None else array.item()
        return cls(left, right, *_pattern(arrays, _check_factors(left, right)), **told)


@dataclass(frozen=True, eq=False, repr=False)
class LowRankMatrix(SparsePlusLowRank, kind="low rank"):
    """A matrix with its rank-``m`` factors and the course of its fit.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,)
        Objective before each iteration and after the last, nats per pair: the empirical risk
        of Eq. (2), with the penalty of Eq. (3) where both factors are smoothed by a constant.
    converged : bool or None
        Whether the fit met the ``tol`` that it was given; None where it was given none.
    temperature : float or None
        Of a fit of ``plsa``, given or learned; None of other fits, and from a file that was written
        before it was kept.
    """

    W: np.ndarray = field(repr=False, default=None)
    H: np.ndarray = field(repr=False, default=None)
    history: np.ndarray = field(repr=False, default=None)
    converged: bool | None = None
    temperature: float | None = None

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """See `ConditionalModel.factors`."""
        return self.W, self.H

    @property
    def last_change(self) -> float:
        """Absolute change of the objective in the last iteration, nats per pair."""
        return abs(self.history[-1] - self.history[-2]) if self.history.size > 1 else np.inf

    @property
    def ended(self) -> Ended:
        """Settled if it met its ``tol``, or its last change is below `model.SETTLED`."""
        return "settled" if self.converged or self.last_change < SETTLED else "limit"

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold: factors that are those of `left` and `right` once."""
        found = super().arrays()
        if self.left is self.W and self.right is self.H:
            del found["left"], found["right"]
        return found

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "LowRankMatrix":
        """Build the matrix from its `arrays`."""
        W, H = arrays["W"], np.asfortranarray(arrays["H"])
        left, right = arrays.get("left", W), arrays.get("right", H)
        shape = _check_factors(W, H, _check_factors(left, right))
        converged = bool(arrays["converged"]) if "converged" in arrays else None
        temperature = arrays["temperature"].item() if "temperature" in arrays else None
        told = arrays["history"], converged, temperature
        return cls(left, right, *_pattern(arrays, shape), W, H, *told)


def _at_most_one(probabilities: np.ndarray) -> np.ndarray:
    """Return probabilities in place, of which rounding has put none above one."""
    return np.minimum(probabilities, 1.0, out=probabilities)


def _check_factors(left: np.ndarray, right: np.ndarray, shape=None) -> tuple[int, int]:
    """Return the shape of a product, or raise ValueError; ``shape`` is that which it must have."""
    is_product = left.ndim == right.ndim == 2 and left.shape[1] == right.shape[0]
    found = (left.shape[0], right.shape[-1]) if is_product else None
    if not is_product or shape not in (None, found) or {left.dtype.kind, right.dtype.kind} != {"f"}:
        raise ValueError(f"factors of shapes {left.shape} and {right.shape}, which make no matrix")
    return found


def _pattern(arrays: dict[str, np.ndarray], shape: tuple[int, int]):
    """Return the sparse part, and the contexts and outcomes that were seen, of a file's arrays."""
    sparse = seen = None
    if "indptr" in arrays:
        sparse = SparsePart(arrays["indptr"], arrays["outcomes"], arrays["values"])
        if not isinstance(sparse.values, np.memmap):  # what is mapped shall stay on disk
            check_sparse_rows(*sparse, shape)
    if "seen_contexts" in arrays:
        seen = arrays["seen_contexts"], arrays["seen_outcomes"]
        for name, labels, size in zip(("contexts", "outcomes"), seen, shape, strict=True):
            if not isinstance(labels, np.memmap):
                check_labels(labels, size, f"seen {name}")
    return sparse, seen


def seen_and_one(seen: np.ndarray, size: int) -> Classes:
    """Return ``seen`` and the first unseen number, if any, with the class of every number."""
    class_of = np.full(size, seen.size)
    class_of[seen] = np.arange(seen.size)
    return Classes(np.concatenate([seen, np.flatnonzero(class_of == seen.size)[:1]]), class_of)


def add_up_classes(rows: np.ndarray, class_of: np.ndarray) -> np.ndarray:
    """Add up the rows of each class, shape (classes, ...); no class is empty."""
    order = np.argsort(class_of, kind="stable")
    starts = np.searchsorted(class_of[order], np.arange(class_of.max() + 1))
    return np.add.reduceat(rows[order], starts)
