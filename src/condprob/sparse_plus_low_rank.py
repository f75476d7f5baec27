"""A sparse part on the seen pairs plus a product of thin factors: the form of every method here."""

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import UNIT, check_labels
from condprob.counts import CountMatrix
from condprob.entries import (
    FLOATS_AT_ONCE,
    SLACK,
    are_distributions,
    blocks,
    check_sparse_rows,
    is_nowhere_negative,
    largest_of,
    products_of_pairs,
    read_part,
    take,
)
from condprob.matrix import Classes, ConditionalMatrix, at_pairs
from condprob.model import SETTLED, Ended

FORM = 4  # fields of the form itself; a subclass adds others
SCORES = "scores_only"  # marks arrays whose rows are no distributions, as stupid backoff's


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


@dataclass(frozen=True, eq=False, repr=False)
class SparsePlusLowRank(ConditionalMatrix, kind="sparse plus low rank"):
    """``Q = S + L R``: a sparse part on the seen pairs plus a product of thin factors.

    In absolute discounting, for example, all unseen outcomes of row ``i`` have one probability
    ``u_i``. ``L R`` is ``u_i`` times a row of ones, and ``S`` is the excess of the seen pairs.

    A file has the further fields of a subclass as well, by their names.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, r)
    right : numpy.ndarray, shape (r, outcomes)
    sparse : SparsePart or None
        ``S``; None stands for zero.
    seen : (numpy.ndarray, numpy.ndarray) or None
        Ascending. All other contexts share one row, and all other outcomes share one column. None
        where all may differ.
    """

    left: np.ndarray = field(repr=False)
    right: np.ndarray = field(repr=False)
    sparse: SparsePart | None = field(repr=False, default=None)
    seen: tuple[np.ndarray, np.ndarray] | None = field(repr=False, default=None)

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
        block = self.left[contexts] @ self.right
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
        block = self.left[contexts] @ self.right[:, outcomes]
        if self.sparse is not None:
            row_of, column_of = (np.full(size, -1) for size in self.shape)
            row_of[contexts] = np.arange(len(contexts))
            column_of[outcomes] = np.arange(len(outcomes))
            row, column = row_of[self.sparse.contexts], column_of[self.sparse.outcomes]
            inside = (row >= 0) & (column >= 0)
            block[row[inside], column[inside]] += self.sparse.values[inside]
        return np.minimum(block, 1.0, out=block)  # rounding may give more

    @property
    def has_distributions(self) -> bool:
        """Whether all rows are distributions, up to rounding."""
        return are_distributions(self.left, self.right, self.sparse)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file, with a mark if rows are no distributions."""
        found = {"left": self.left, "right": self.right}
        if self.sparse is not None:
            found |= self.sparse._asdict()
        if self.seen is not None:
            found |= dict(zip(("seen_contexts", "seen_outcomes"), self.seen, strict=True))
        if not self.has_distributions:
            found[SCORES] = np.array(True)
        own = {each.name: getattr(self, each.name) for each in fields(self)[FORM:]}
        return found | {name: np.asarray(x) for name, x in own.items() if x is not None}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "SparsePlusLowRank":
        """Build the matrix from its `arrays`, or raise ValueError."""
        left = take(arrays, "left", "f", (None, None))
        right = take(arrays, "right", "f", (left.shape[1], None))
        shape, sparse = (len(left), right.shape[1]), None
        if "indptr" in arrays:
            indptr = take(arrays, "indptr", "i", (shape[0] + 1,), 0)
            outcomes = take(arrays, "outcomes", "i", (None,), 0)
            sparse = SparsePart(indptr, outcomes, take(arrays, "values", "f", (outcomes.size,)))
            check_sparse_rows(*sparse, shape)
        seen = take_seen(arrays, left, right.T)
        if seen is not None and sparse is not None:
            _check_entries(sparse, seen, shape)
        found = cls(left, right, sparse, seen, **cls.own_fields(arrays))
        if SCORES not in arrays and not found.has_distributions:
            raise ValueError("its rows are no distributions: they must be >= 0 and sum to one")
        return found

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """Return the further fields of a subclass by name, checked, from the arrays of a file."""
        return {}


@dataclass(frozen=True, eq=False, repr=False)
class LowRankMatrix(SparsePlusLowRank, kind="low rank"):
    """A matrix with its rank-``m`` factors and the course of its fit.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,) or (2,)
        Objective before each iteration and after the last, nats per pair: the empirical risk
        of Eq. (2), with the penalty of Eq. (3) where both factors are smoothed by a constant.
        A fit without ``history=True`` or a ``tol`` has those of the last iteration alone.
    converged : bool or None
        Whether the fit met its ``tol``; None without a ``tol``.
    temperature : float or None
        Temperature of a fit of ``plsa``, given or learned; None of other fits.
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

    @property
    def has_distributions(self) -> bool:
        """Whether all rows are distributions, and so are the rows of the factors."""
        return super().has_distributions and all(
            is_nowhere_negative(factor) and bool((abs(factor.sum(axis=1) - 1) <= UNIT).all())
            for factor in (self.W, self.H)
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file, without `left` and `right` if they are `W` and `H`."""
        found = super().arrays()
        if self.left is self.W and self.right is self.H:
            del found["left"], found["right"]
        return found

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "LowRankMatrix":
        """Build the matrix from its `arrays`, or raise ValueError."""
        W = take(arrays, "W", "f", (None, None), 0)
        factors = {"W": W, "H": np.asfortranarray(take(arrays, "H", "f", (W.shape[1], None), 0))}
        if "left" not in arrays:
            factors |= {"left": factors["W"], "right": factors["H"]}
        return super().from_arrays(arrays | factors)

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        found = {name: arrays[name] for name in ("W", "H")}
        shape = len(arrays["left"]), arrays["right"].shape[1]
        if (len(arrays["W"]), arrays["H"].shape[1]) != shape:
            raise ValueError("the arrays 'W' and 'H' do not go with the others")
        found["history"] = take(arrays, "history", "f", (None,), -np.inf, np.inf)
        if "converged" in arrays:
            found["converged"] = take(arrays, "converged", "b", ()).item()
        if "temperature" in arrays:
            found["temperature"] = take(arrays, "temperature", "f", (), 0, 1).item()
        return found


def take_seen(
    arrays: dict[str, np.ndarray], of_contexts: np.ndarray, of_outcomes: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the contexts and outcomes that were seen, of a file's arrays; None if it has none.

    Parameters
    ----------
    arrays : dict of numpy.ndarray
    of_contexts, of_outcomes : numpy.ndarray, shapes (contexts, r) and (outcomes, any)
        Their rows must be alike, up to rounding, for all that were not seen: where rows are added
        up, one of them stands for all.

    Raises
    ------
    ValueError
        If the numbers do not rise within their range, or rows of unseen ones differ.
    """
    if "seen_contexts" not in arrays:
        return None
    found = []
    for name, rows in (("contexts", of_contexts), ("outcomes", of_outcomes)):
        seen = take(arrays, f"seen_{name}", "i", (None,), 0, len(rows) - 1)
        if (np.diff(seen) <= 0).any():
            raise ValueError(f"the {name} that were seen must rise")
        unseen = np.flatnonzero(is_unseen(seen, len(rows)))
        first = rows[unseen[:1]]
        for some in np.array_split(unseen, unseen.size * rows.shape[1] // FLOATS_AT_ONCE + 1):
            if not np.allclose(rows[some], first, rtol=0, atol=SLACK * largest_of(first)):
                raise ValueError(f"the {name} that were not seen are not alike")
        found.append(seen)
    return tuple(found)


def is_unseen(seen: np.ndarray, size: int) -> np.ndarray:
    """Return whether each of the numbers below ``size`` is not among the seen, shape (size,)."""
    found = np.ones(size, dtype=bool)
    found[seen] = False
    return found


def _check_entries(sparse: SparsePart, seen: tuple, shape: tuple[int, int]) -> None:
    """Raise ValueError if a context or an outcome that was not seen has an entry."""
    contexts, outcomes = map(is_unseen, seen, shape)
    if np.diff(sparse.indptr)[contexts].any() or any(
        outcomes[read_part(sparse.outcomes, part)].any() for part in blocks(sparse.outcomes.size)
    ):
        raise ValueError("contexts and outcomes that were not seen have entries")


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
