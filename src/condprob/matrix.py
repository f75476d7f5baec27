"""The base class of every fit to pairs: a matrix of conditional probabilities."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import check_memory
from condprob.checks.entries import check_labels
from condprob.counts import CountMatrix, as_counts
from condprob.model import ConditionalModel, corner_in_html

PAIRS_AT_ONCE = 1 << 16  # bounds the memory of `at_pairs`; not measured


class Classes(NamedTuple):
    """Contexts, or outcomes, that are alike."""

    representatives: np.ndarray  # int, shape (classes,): one of each class
    class_of: np.ndarray  # int, shape (contexts,) or (outcomes,): which class each belongs to


class ConditionalMatrix(ConditionalModel):
    """Matrix of conditional probabilities, contexts by outcomes.

    Attributes
    ----------
    new_contexts : int
        How many of the last rows answer for unseen contexts: one in the model of an `Estimate`.
        They are no neighbours of others and have no vectors.

    Notes
    -----
    A subclass defines `shape`, `at` and `rows`, and declares its arrays. The other methods follow
    from these; a subclass may override them with faster ones. With `classes` of contexts and
    outcomes that are alike, `kl_risk` costs as much as the observed pairs, not as the whole matrix.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("kn").fit([[2, 1, 0], [0, 1, 1]])
    >>> matrix.rows([0]).sum().round(12).tolist()
    1.0
    """

    new_contexts: ClassVar[int] = 0  # an Estimate sets it in its own model

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""

    @property
    def outcomes(self) -> int:
        """Number of outcomes."""
        return self.shape[1]

    def sizes(self) -> dict[str, int]:
        """See `Stored`: the numbers of contexts and of outcomes."""
        return dict(zip(("contexts", "outcomes"), self.shape, strict=True))

    def dense(self) -> np.ndarray:
        """Build the whole array, shape (contexts, outcomes). Nothing else does."""
        return self.rows(np.arange(self.shape[0]))

    def __getitem__(self, key: Any) -> np.ndarray:
        """Return a row, rows, or with two keys the probabilities of pairs, as `at` does."""
        if isinstance(key, tuple):
            return self.at(*key)
        contexts = np.arange(self.shape[0])[key]
        return self.rows([contexts])[0] if contexts.ndim == 0 else self.rows(contexts)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the whole matrix as an array, or raise ValueError if there is no room for it."""
        rows, columns = self.shape
        check_memory(f"an array of {rows:,} x {columns:,} probabilities", 8.0 * rows * columns)
        return np.asarray(self.dense(), dtype)

    def classes(self) -> tuple[Classes, Classes]:
        """Return the contexts and the outcomes that stand for all others like them."""
        return tuple(Classes(everyone, everyone) for everyone in map(np.arange, self.shape))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        return self.rows(contexts)[:, outcomes]

    def _repr_html_(self) -> str:
        """Return the first rows and columns as a table, as notebooks show it."""
        return corner_in_html(repr(self)[1:-1], self, *map(range, self.shape))

    def _as_list(self, condition):
        is_one = np.ndim(condition) == 0
        if np.ndim(condition) > 1:
            raise ValueError("pass a condition or a list of them, not a list of lists")
        return is_one, [condition] if is_one else condition

    def _distinct(self, conditions):
        contexts = check_labels(conditions, self.shape[0], "contexts").ravel()
        return np.unique(contexts, return_inverse=True)

    def _left_out(self, conditions, exclude):
        if not isinstance(exclude, CountMatrix) and np.ndim(exclude) < 2:  # outcomes, no counts
            return super()._left_out(conditions, exclude)
        exclude = as_counts(exclude)
        if exclude.shape != self.shape:
            raise ValueError(f"exclude of shape {exclude.shape}: must be {self.shape}")
        pairs = exclude.sparse()[check_labels(conditions, self.shape[0], "contexts")]
        return lambda part: pairs[part].tocoo().coords

    def _size(self):
        return f"{self.shape[0]:,} x {self.shape[1]:,}"


def at_pairs(
    at: Callable[[np.ndarray, np.ndarray], np.ndarray],
    shape: tuple[int, int],
    contexts: ArrayLike,
    outcomes: ArrayLike,
) -> np.ndarray:
    """Broadcast contexts and outcomes, and return ``at`` of the pairs, in blocks.

    Parameters
    ----------
    at : function
        Takes contexts and outcomes in range, flat and of one size.
    shape : (int, int)
        Of the matrix.
    contexts, outcomes : array_like of int

    Raises
    ------
    ValueError
        If a value is no integer or outside its range, or the shapes do not go together.
    """
    contexts = check_labels(contexts, shape[0], "contexts")
    outcomes = check_labels(outcomes, shape[1], "outcomes")
    try:
        contexts, outcomes = np.broadcast_arrays(contexts, outcomes)
    except ValueError:
        raise ValueError(
            f"shapes of contexts {contexts.shape} and outcomes {outcomes.shape} do not broadcast"
        ) from None
    shape = contexts.shape
    contexts, outcomes = contexts.ravel(), outcomes.ravel()
    values = np.empty(contexts.size)
    for start in range(0, contexts.size, PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        values[part] = at(contexts[part], outcomes[part])
    return values.reshape(shape)
