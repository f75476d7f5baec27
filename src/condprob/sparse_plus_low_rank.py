"""A sparse part on the seen pairs plus a product of thin factors: the form of every method here."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks.entries import check_labels, check_sparse_rows
from condprob.counts import CountMatrix
from condprob.files.stored import Array, Arrays, stored, stored_together
from condprob.matrix import Classes, ConditionalMatrix, at_pairs
from condprob.model import SETTLED_BELOW, Ended
from condprob.products import product, products_of_pairs


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

        The cost is the number of pairs times the logarithm of the longest row's length.
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


def stored_seen() -> Any:
    """Return a stored field with the contexts and the outcomes that were seen, or None."""
    names = {
        "seen_contexts": Array("i", ("of contexts",), low=0, below="contexts"),
        "seen_outcomes": Array("i", ("of outcomes",), low=0, below="outcomes"),
    }
    return stored_together(tuple, default=None, optional=True, **names)


@dataclass(frozen=True, eq=False, repr=False)
class SparsePlusLowRank(ConditionalMatrix, kind="sparse plus low rank"):
    """Matrix of conditional probabilities: the sum ``S + L R`` of a sparse and a low-rank part.

    In absolute discounting, for example, all unseen outcomes of row ``i`` have the same probability
    ``u_i``: ``L R`` is ``u_i`` times a row of ones, and ``S`` is the excess of the observed pairs.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, r)
        Left factor ``L``.
    right : numpy.ndarray, shape (r, outcomes)
        Right factor ``R``.
    sparse : SparsePart or None
        Sparse part ``S``; None stands for zero.
    seen : (numpy.ndarray, numpy.ndarray) or None
        Observed contexts and outcomes, ascending. All other contexts share one row, and all other
        outcomes one column. None if all may differ.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("ad").fit([[2, 1, 0], [0, 1, 1]])
    >>> matrix.left.shape, matrix.right.shape
    ((2, 2), (2, 3))
    """

    left: np.ndarray = stored("f", "contexts", "r")
    right: np.ndarray = stored("f", "r", "outcomes")
    sparse: SparsePart | None = stored_together(
        SparsePart._make,
        indptr=Array("i", ("contexts+1",), low=0),
        outcomes=Array("i", ("entries",), low=0, below="outcomes"),
        values=Array("f", ("entries",)),
        default=None,
        optional=True,
    )
    seen: tuple[np.ndarray, np.ndarray] | None = stored_seen()

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
        """Return `at` for flat arrays of numbers in range."""
        values = products_of_pairs(self.left, self.right, contexts, outcomes)
        if self.sparse is not None and self.sparse.values.size:
            values += self.sparse.at(contexts, outcomes)
        return np.minimum(values, 1.0, out=values)  # rounding may give more

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        block = product(self.left[contexts], self.right)
        if self.sparse is not None:
            indptr, outcomes, values = self.sparse
            first, sizes = indptr[contexts], indptr[contexts + 1] - indptr[contexts]
            row = np.repeat(np.arange(sizes.size), sizes)
            place = np.arange(row.size) + np.repeat(first + sizes - np.cumsum(sizes), sizes)
            block[row, outcomes[place]] += values[place]
        return np.minimum(block, 1.0, out=block)  # rounding may give more

    def classes(self) -> tuple[Classes, Classes]:
        """Return one class for each seen context and outcome, and one for all unseen."""
        if self.seen is None:
            return super().classes()
        return tuple(map(seen_and_one, self.seen, self.shape))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        block = product(self.left[contexts], self.right[:, outcomes])
        if self.sparse is not None:
            row_of, column_of = (np.full(size, -1) for size in self.shape)
            row_of[contexts] = np.arange(len(contexts))
            column_of[outcomes] = np.arange(len(outcomes))
            row, column = row_of[self.sparse.contexts], column_of[self.sparse.outcomes]
            inside = (row >= 0) & (column >= 0)
            block[row[inside], column[inside]] += self.sparse.values[inside]
        return np.minimum(block, 1.0, out=block)  # rounding may give more

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        if found.sparse is not None:
            check_sparse_rows(*found.sparse, found.shape)
        return found


@dataclass(frozen=True, eq=False, repr=False)
class LowRankMatrix(SparsePlusLowRank, kind="low rank"):
    """Low-rank matrix of conditional probabilities ``W H``, with the record of its fit.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
        Distribution of the class given the context; rows sum to one.
    H : numpy.ndarray, shape (m, outcomes)
        Distribution of the outcome given the class; rows sum to one.
    history : numpy.ndarray, shape (iterations + 1,) or (2,)
        Objective before each iteration and after the last, in nats per pair: the empirical risk of
        Eq. (2), with the penalty of Eq. (3) if both factors are smoothed by a constant. Without
        ``history=True`` or a ``tol``, only the values before and after the last iteration.
    converged : bool or None
        Whether the fit reached its ``tol``; None without a ``tol``.
    temperature : float or None
        Temperature of a fit of ``plsa``, given or learned; None for other methods.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("ad-lr", rank=2, iterations=50).fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]])
    >>> matrix.W.shape, matrix.H.shape
    ((3, 2), (2, 3))
    """

    W: np.ndarray = stored("f", "contexts", "m", default=None, low=0)
    H: np.ndarray = stored("f", "m", "outcomes", default=None, low=0)
    history: np.ndarray = stored("f", "iterations+1", default=None, low=-np.inf, high=np.inf)
    converged: bool | None = stored("b", default=None, optional=True)
    temperature: float | None = stored("f", default=None, optional=True, low=0, high=1)

    def arrays(self) -> Arrays:
        """Return the arrays of a file: left and right only where they are not `W` and `H`."""
        same = {"left": self.left is self.W, "right": self.right is self.H}
        return {name: array for name, array in super().arrays().items() if not same.get(name)}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """Build the object from its `arrays`, or raise ValueError if they are not as declared."""
        same = {name: arrays[of] for name, of in (("left", "W"), ("right", "H")) if of in arrays}
        return super().from_arrays(same | arrays)

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        return self.W, self.H

    @property
    def last_change(self) -> float:
        """Absolute change of the objective in the last iteration, nats per pair."""
        return abs(self.history[-1] - self.history[-2]) if self.history.size > 1 else np.inf

    @property
    def ended(self) -> Ended:
        """Settled if it met its ``tol``, or its last change is below `model.SETTLED_BELOW`."""
        return "settled" if self.converged or self.last_change < SETTLED_BELOW else "limit"


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
