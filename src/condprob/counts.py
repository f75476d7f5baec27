"""Sparse counts of (context, outcome) pairs: all that an estimator sees."""

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np


@dataclass(frozen=True, eq=False)
class CountMatrix:
    """Counts ``C`` of ``n`` pairs over ``k`` contexts and ``k`` outcomes, stored by rows.

    Build one with `from_pairs` or `from_dense`; the fields are a canonical compressed sparse
    row form (rows in order, outcomes ascending within a row, no zeros).

    Attributes
    ----------
    k : int
        Number of contexts, and of outcomes.
    indptr : numpy.ndarray, shape (k + 1,)
        Row ``i`` owns the entries ``indptr[i]:indptr[i + 1]``.
    outcomes : numpy.ndarray, shape (nnz,)
        Outcome of each entry.
    values : numpy.ndarray, shape (nnz,)
        Count of each entry, a positive integer. Both are of 32 bits where that suffices.
    """

    k: int
    indptr: np.ndarray
    outcomes: np.ndarray
    values: np.ndarray

    @classmethod
    def from_pairs(cls, contexts, outcomes, k):
        """Count the pairs ``(contexts[s], outcomes[s])``.

        Parameters
        ----------
        contexts, outcomes : array_like of int, shape (n,)
            Values ``0..k-1``.
        k : int
            Number of contexts, and of outcomes.

        Raises
        ------
        ValueError
            If the lengths differ, a value is not an integer, or lies outside ``0..k-1``.
        """
        k = check_integer("k", k, 1)
        contexts = check_labels(contexts, k, "contexts")
        outcomes = check_labels(outcomes, k, "outcomes")
        if contexts.size != outcomes.size:
            raise ValueError(f"{contexts.size} contexts but {outcomes.size} outcomes: not pairs")
        cells = contexts * k + outcomes
        if k * k < cells.size:  # a counter for every cell is less work than sorting
            counters = np.bincount(cells)
            cells = np.flatnonzero(counters)
            return cls._from_cells(k, cells, counters[cells])
        if k <= 2**16:  # by radix, which numpy does for 16 bits: half the time of other sorts
            order = np.argsort(outcomes.astype(np.uint16), kind="stable")
            order = order[np.argsort(contexts[order].astype(np.uint16), kind="stable")]
            cells = cells[order]
        else:
            cells.sort()
        first = np.flatnonzero(np.diff(cells, prepend=-1))
        return cls._from_cells(k, cells[first], np.diff(first, append=cells.size))

    @classmethod
    def from_dense(cls, array):
        """Take the counts from a square array of non-negative integers."""
        array = np.asarray(array)
        if array.ndim != 2 or array.shape[0] != array.shape[1] or array.size == 0:
            raise ValueError(f"counts of shape {array.shape}: a square matrix is needed")
        if not (np.isfinite(array) & (array >= 0) & (array == np.floor(array))).all():
            raise ValueError("counts must be integers >= 0")
        cells = np.flatnonzero(array)
        return cls._from_cells(array.shape[0], cells, array.ravel()[cells].astype(np.int64))

    @classmethod
    def _from_cells(cls, k, cells, values):
        """Build from the ascending cell numbers ``i k + j`` and their counts."""
        indptr = np.zeros(k + 1, dtype=np.int64)
        np.cumsum(np.bincount(cells // k, minlength=k), out=indptr[1:])
        return cls(k, indptr, _narrow(cells % k), _narrow(values))

    @property
    def shape(self):
        """Numbers of contexts and of outcomes."""
        return (self.k, self.k)

    @property
    def n(self):
        """Number of pairs."""
        return int(self.values.sum())

    @property
    def nnz(self):
        """Number of distinct pairs seen."""
        return self.values.size

    @cached_property
    def contexts(self):
        """Context of each entry, shape (nnz,)."""
        return np.repeat(np.arange(self.k), self.distinct_outcomes)

    @cached_property
    def row_sums(self):
        """``C_i``: times each context was seen, shape (k,)."""
        totals = np.zeros(self.nnz + 1, dtype=np.int64)
        np.cumsum(self.values, out=totals[1:])
        return np.diff(totals[self.indptr])

    @cached_property
    def column_sums(self):
        """Times each outcome was seen, shape (k,)."""
        sums = np.zeros(self.k, dtype=np.int64)
        # In whole numbers, unlike `np.bincount`; of one type, or it takes thirty times as long.
        np.add.at(sums, self.outcomes, self.values.astype(np.int64))
        return sums

    @cached_property
    def distinct_outcomes(self):
        """``D_i``: number of distinct outcomes seen after each context, shape (k,)."""
        return np.diff(self.indptr)

    @cached_property
    def distinct_contexts(self):
        """``N1+(. j)``: number of distinct contexts seen before each outcome, shape (k,)."""
        return np.bincount(self.outcomes, minlength=self.k)

    @cached_property
    def seen_contexts(self):
        """Contexts seen at least once, ascending."""
        return np.flatnonzero(self.distinct_outcomes)

    @cached_property
    def seen_outcomes(self):
        """Outcomes seen at least once, ascending."""
        return np.flatnonzero(self.distinct_contexts)

    def dense(self):
        """Return the ``k x k`` array of counts."""
        array = np.zeros((self.k, self.k), dtype=np.int64)
        array[self.contexts, self.outcomes] = self.values
        return array

    def sparse(self):
        """Return the counts as a `scipy.sparse.csr_array` of floats."""
        from scipy.sparse import csr_array

        parts = (self.values.astype(float), self.outcomes, self.indptr)
        return csr_array(parts, shape=(self.k, self.k))


def _narrow(array):
    """Return non-negative integers in 32 bits where they fit, which is half the memory."""
    return array.astype(np.int32) if array.size and array.max() < 2**31 else array


def number_words(words):
    """Return words as numbers, given to types in order of first appearance, and how many types."""
    number = {word: i for i, word in enumerate(dict.fromkeys(words))}
    ids = np.fromiter(map(number.__getitem__, words), dtype=np.int64, count=len(words))
    ids.flags.writeable = False
    return ids, len(number)


def check_integer(name, value, least):
    """Return ``value`` as an integer >= ``least``, or raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} = {value!r}: an integer >= {least} is needed")
    return int(value)


def check_labels(labels, k, name):
    """Return ``labels`` as a flat int64 array with values in ``0..k-1``, or raise ValueError."""
    labels = np.asarray(labels)
    if labels.size and not np.issubdtype(labels.dtype, np.integer):
        raise ValueError(f"{name} of type {labels.dtype}: integers 0..{k - 1} are needed")
    labels = labels.ravel().astype(np.int64)
    outside = (labels < 0) | (labels >= k)
    if outside.any():
        bad = labels[outside][0]
        raise ValueError(f"{name} has the value {bad}: integers 0..{k - 1} are needed")
    return labels
