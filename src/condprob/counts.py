"""Sparse counts of (context, outcome) pairs: all that an estimator sees."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array, issparse

from condprob.checks import (
    SMALLEST_NUMBER,
    Sparse,
    check_integer,
    check_memory,
    check_number,
    in_brief,
    rounded,
    shorten,
)
from condprob.checks.entries import (
    add_up_pairs,
    as_array,
    check_entries,
    check_labels,
    check_pairs,
    check_rising,
    check_total,
    check_weights,
    count_columns,
    count_seldom,
    in_type,
    refuse_masked,
    sum_columns,
    sum_rows,
    type_of_sum,
)
from condprob.checks.frozen import read_only
from condprob.files.arrays import read_stored, save
from condprob.files.stored import Stored, stored

if TYPE_CHECKING:
    from condprob.vocabulary import Vocabulary

UNCHECKED = {"low": -np.inf, "high": np.inf, "nan": True}  # `CountMatrix` itself checks its numbers


@dataclass(frozen=True, eq=False, repr=False)
class CountMatrix(Stored, kind="counts"):
    """Counts of pairs, contexts by outcomes.

    Create one with `from_pairs`, `from_labels`, `from_sparse` or `from_dense`, and pass it to the
    ``fit`` of a method. Counts of the same shape can be added up, and multiplied by a number.

    Attributes
    ----------
    shape : (int, int)
        Numbers of contexts and of outcomes.
    indptr : numpy.ndarray of int, shape (contexts + 1,)
        The entries of row ``i`` are ``indptr[i]:indptr[i + 1]``.
    outcomes : numpy.ndarray of int, shape (nnz,)
        Outcome of each entry.
    values : numpy.ndarray, shape (nnz,)
        Count of each entry, above zero: an integer if all counts are whole, otherwise a float.

    Notes
    -----
    The fields are a canonical compressed sparse row form: rows in order, outcomes ascending within
    a row, no zeros. The constructor checks them and does not copy them, so leave the arrays as they
    are. Integers take 32 bits if that suffices.

    Examples
    --------
    >>> from condprob import CountMatrix
    >>> counts = CountMatrix.from_pairs([0, 0, 1], [1, 2, 2], k=3)
    >>> counts.n, counts.shape
    (3, (3, 3))
    >>> (counts + counts).n
    6
    """

    reader: ClassVar[str] = "CountMatrix.load"

    shape: tuple[int, int] = stored("i", 2, low=1)
    indptr: np.ndarray = stored("i", "contexts+1", **UNCHECKED)
    outcomes: np.ndarray = stored("i", "entries", **UNCHECKED)
    values: np.ndarray = stored("if", "entries", **UNCHECKED)

    def __post_init__(self) -> None:
        # The one place where counts are checked: every constructor and `read_stored` ends here.
        shape = _check_shape(self.shape)
        parts = check_entries(self.indptr, self.outcomes, self.values, shape)
        for name, value in zip(("indptr", "outcomes", "values"), parts, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "shape", shape)

    @classmethod
    def from_pairs(
        cls,
        contexts: ArrayLike,
        outcomes: ArrayLike,
        k: int | tuple[int, int] | None = None,
        *,
        shape: tuple[int, int] | None = None,
        weights: ArrayLike | None = None,
    ) -> "CountMatrix":
        """Count pairs of numbers ``(contexts[s], outcomes[s])``.

        Parameters
        ----------
        contexts, outcomes : array_like of int, shape (n,)
            Numbers of the contexts and outcomes, from zero.
        k : int, optional
            Number of contexts and of outcomes, if they are equal.
        shape : (int, int), optional
            Numbers of contexts and of outcomes. Give either this or ``k``.
        weights : array_like of float, shape (n,), optional
            Weight of each pair; one by default. The weights of a pair are added from the smallest
            to the largest, so that their order does not change the sum.

        Raises
        ------
        ValueError
            If the lengths differ, a value is not an integer or is outside its range, or a weight is
            negative or not finite.
        """
        if (k is None) == (shape is None):
            raise ValueError("pass the size of the matrix: k=..., or shape=(contexts, outcomes)")
        if shape is None:
            shape = k if isinstance(k, tuple) else (check_integer("k", k, 1),) * 2
        shape = _check_shape(shape)
        contexts, outcomes, counted = check_pairs(contexts, outcomes, shape, weights)
        if counted.dtype.kind == "f":
            contexts, outcomes, counted = add_up_pairs(contexts, outcomes, counted, shape)
        return cls._from_canonical(coo_array((counted, (contexts, outcomes)), shape).tocsr())

    @classmethod
    def from_labels(
        cls,
        contexts: Iterable[Hashable],
        outcomes: Iterable[Hashable],
        vocabulary: "Vocabulary | tuple[Vocabulary, Vocabulary]",
        weights: ArrayLike | None = None,
    ) -> "CountMatrix":
        """Count pairs of labels, such as words or two columns of a table.

        Parameters
        ----------
        contexts, outcomes : iterable of hashable, length n
            Labels of the pairs.
        vocabulary : Vocabulary or (Vocabulary, Vocabulary)
            Numbers of the labels: one vocabulary for both, or that of the contexts and that of the
            outcomes.
        weights : array_like of float, shape (n,), optional
            Weight of each pair; one by default.

        Raises
        ------
        ValueError
            If a label is not in its vocabulary, or as in `from_pairs`.
        """
        both = vocabulary if isinstance(vocabulary, tuple | list) else (vocabulary, vocabulary)
        if len(both) != 2 or not all(hasattr(each, "numbers") for each in both):
            raise ValueError("pass a Vocabulary, or one of contexts and one of outcomes")
        of_contexts, of_outcomes = both
        pairs = of_contexts.numbers(contexts), of_outcomes.numbers(outcomes)
        return cls.from_pairs(*pairs, shape=(len(of_contexts), len(of_outcomes)), weights=weights)

    @classmethod
    def from_sparse(cls, matrix: Sparse) -> "CountMatrix":
        """Take the counts from any scipy sparse array or matrix, of any shape.

        Parameters
        ----------
        matrix : scipy.sparse array or matrix, shape (contexts, outcomes)
            Finite numbers >= 0, whole or not; it is left as it is.

        Raises
        ------
        ValueError
            If it is not sparse, its structure is damaged, or it holds a value, one of a sum
            included, that is negative or not finite.
        """
        return cls._from_canonical(_read_sparse(matrix))

    @classmethod
    def from_dense(cls, array: ArrayLike) -> "CountMatrix":
        """Take the counts from a two-dimensional array, or from a pandas table.

        Raises
        ------
        ValueError
            If it is not two-dimensional, or a value is negative or not finite.
        """
        if issparse(array):
            return cls.from_sparse(array)
        array = np.asarray(as_array(array, "counts"))
        if array.ndim != 2 or array.size == 0:
            raise ValueError(f"expected a 2-D array of counts (got shape {array.shape})")
        contexts, outcomes = np.nonzero(array)
        indptr = np.searchsorted(contexts, np.arange(len(array) + 1))
        return cls(array.shape, indptr, outcomes, array[contexts, outcomes])

    @classmethod
    def _from_canonical(cls, rows: csr_array) -> "CountMatrix":
        """Build from compressed rows that may hold duplicates, zeros, or outcomes in any order."""
        rows.sum_duplicates()
        rows.eliminate_zeros()
        return cls(rows.shape, rows.indptr, rows.indices, rows.data)

    def __add__(self, other: "CountMatrix") -> "CountMatrix":
        """Add the counts of two parts of the data, such as shards of a corpus."""
        if not isinstance(other, CountMatrix):
            return NotImplemented
        if self.shape != other.shape:
            raise ValueError(f"counts of shapes {self.shape} and {other.shape} cannot be added")
        kind = type_of_sum((self.values, other.values))
        rows, others = (
            csr_array((in_type(part.values, kind), part.outcomes, part.indptr), self.shape)
            for part in (self, other)
        )
        return self._from_canonical(rows + others)

    def __radd__(self, other: object) -> "CountMatrix":
        """Begin the sum of a list of counts, which Python begins with zero."""
        return self if other == 0 else NotImplemented

    def __mul__(self, factor: float) -> "CountMatrix":
        """Multiply all counts: ``0.9 * old + new`` forgets old counts.

        Products below 1e-100 become zero.
        """
        factor = check_number("factor", factor)
        if self.is_whole and factor.is_integer():  # products beyond 2^53 are no floats
            check_total(self.n * int(factor), "counts")
            values = self.values.astype(np.int64) * int(factor)
            rows = csr_array((values, self.outcomes, self.indptr), self.shape, copy=True)
            return self._from_canonical(rows)
        rows = self.sparse() * factor
        rows.data[abs(rows.data) < SMALLEST_NUMBER] = 0.0
        return self._from_canonical(rows)

    __rmul__ = __mul__

    def resized(self, shape: tuple[int, int]) -> "CountMatrix":
        """Return the counts with further contexts and outcomes, which have none yet."""
        more, outcomes = (
            new - old for new, old in zip(_check_shape(shape), self.shape, strict=True)
        )
        if min(more, outcomes) < 0:
            raise ValueError(f"shape {shape}: must be at least {self.shape}")
        indptr = np.append(self.indptr, np.full(more, self.indptr[-1]))
        return CountMatrix(shape, indptr, self.outcomes, self.values)

    @property
    def T(self) -> "CountMatrix":
        """The counts with contexts and outcomes exchanged."""
        entries = coo_array((self.values, (self.outcomes, self.contexts)), self.shape[::-1])
        return self._from_canonical(entries.tocsr())

    __array_ufunc__ = None  # an array beside counts in a sum is refused, not taken apart

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return `dense`, or raise ValueError if there is no room for it."""
        rows, columns = self.shape
        check_memory(f"an array of {rows:,} x {columns:,} counts", 8.0 * rows * columns)
        return np.asarray(self.dense(), dtype)

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<CountMatrix: {rows:,} x {columns:,}, n = {rounded(self.n)}, nnz = {self.nnz:,}>"

    @property
    def k(self) -> int:
        """Number of contexts and of outcomes, where they are as many."""
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"a {self.shape[0]} x {self.shape[1]} matrix has no k: see its shape")
        return self.shape[0]

    @property
    def is_whole(self) -> bool:
        """Whether every count is an integer."""
        return self.values.dtype.kind != "f"

    @cached_property
    def n(self) -> int | float:
        """Number of pairs, or the sum of their weights."""
        return int(self.values.sum(dtype=np.int64)) if self.is_whole else float(self.values.sum())

    @property
    def nnz(self) -> int:
        """Number of distinct pairs seen."""
        return self.values.size

    @cached_property
    def seldom(self) -> np.ndarray:
        """How many pairs were seen once, twice, three and four times, shape (4,)."""
        return read_only(count_seldom(self.values))

    @cached_property
    def contexts(self) -> np.ndarray:
        """Context of each entry, shape (nnz,)."""
        return read_only(np.repeat(np.arange(self.shape[0]), self.distinct_outcomes))

    @cached_property
    def clipped(self) -> np.ndarray:
        """Return ``min(C_ij, 1)`` of each entry, shape (nnz,); one where counts are whole."""
        return read_only(np.minimum(self.values, 1))

    @cached_property
    def row_sums(self) -> np.ndarray:
        """Times each context was seen, ``C_i``, shape (contexts,)."""
        return read_only(sum_rows(self.values, self.indptr))

    @cached_property
    def clipped_row_sums(self) -> np.ndarray:
        """Return ``sum_j min(C_ij, 1)``, shape (contexts,); ``D_i`` where counts are whole."""
        if self.is_whole:
            return self.distinct_outcomes
        return read_only(sum_rows(self.clipped, self.indptr))

    @cached_property
    def column_sums(self) -> np.ndarray:
        """Times each outcome was seen, shape (outcomes,)."""
        return read_only(sum_columns(self.values, self.outcomes, self.shape[1]))

    @cached_property
    def clipped_column_sums(self) -> np.ndarray:
        """Return ``sum_i min(C_ij, 1)``, shape (outcomes,), ``N1+(. j)`` where counts are whole."""
        if self.is_whole:
            return self.distinct_contexts
        return read_only(sum_columns(self.clipped, self.outcomes, self.shape[1]))

    @cached_property
    def distinct_outcomes(self) -> np.ndarray:
        """``D_i``, the number of distinct outcomes after each context, shape (contexts,)."""
        return read_only(np.diff(self.indptr))

    @cached_property
    def distinct_contexts(self) -> np.ndarray:
        """``N1+(. j)``, the number of distinct contexts before each outcome, shape (outcomes,)."""
        return read_only(count_columns(self.outcomes, self.shape[1]))

    @cached_property
    def seen_contexts(self) -> np.ndarray:
        """Contexts seen at least once, ascending."""
        return read_only(np.flatnonzero(self.distinct_outcomes))

    @cached_property
    def seen_outcomes(self) -> np.ndarray:
        """Outcomes seen at least once, ascending."""
        return read_only(np.flatnonzero(self.distinct_contexts))

    def dense(self) -> np.ndarray:
        """Return the array of counts, shape (contexts, outcomes)."""
        array = np.zeros(self.shape, dtype=np.int64 if self.is_whole else np.float64)
        array[self.contexts, self.outcomes] = self.values
        return array

    def sparse(self) -> csr_array:
        """Return the counts as a `scipy.sparse.csr_array` of floats."""
        return csr_array((self.values.astype(float), self.outcomes, self.indptr), shape=self.shape)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the counts to a file: arrays in the layout of safetensors, without pickle."""
        save(path, self)

    @classmethod
    def load(cls, path: str | PathLike[str], *, mmap: bool = False) -> "CountMatrix":
        """Read counts from a file that `save` wrote.

        Parameters
        ----------
        path : str or path
            The file.
        mmap : bool
            Leave the arrays on disk until they are used. They are read once to be checked. Do not
            change the file while the counts are in use.

        Raises
        ------
        ValueError
            If the file does not contain counts, or is damaged.
        OSError
            If the file cannot be read.
        """
        return read_stored(path, cls, mmap=mmap)

    def check(self, arrays: dict[str, np.ndarray]) -> None:
        """See `Stored`: the constructor has checked all."""

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """See `Stored`: the constructor checks all."""
        return cls(**values | {"shape": tuple(values["shape"].tolist())})


Counts = CountMatrix | Sparse | ArrayLike  # the counts that a fit takes


class PairsInOrder(NamedTuple):
    """Pairs of a sequence, in their order; `Estimator.fit` takes them like counts.

    Most methods only count them.

    Attributes
    ----------
    contexts, outcomes : array_like of int, shape (n,)
        Numbers of the contexts and outcomes, from zero.
    shape : int or (int, int)
        Numbers of contexts and of outcomes; one number for both.

    Examples
    --------
    >>> from condprob import PairsInOrder, method
    >>> method("kn").fit(PairsInOrder([0, 1, 0], [1, 0, 1], shape=2)).shape
    (2, 2)
    """

    contexts: ArrayLike
    outcomes: ArrayLike
    shape: int | tuple[int, int]


def as_counts(counts: Counts) -> CountMatrix:
    """Return counts as a `CountMatrix`, also those of a scipy sparse matrix or a 2-D array."""
    return counts if isinstance(counts, CountMatrix) else CountMatrix.from_dense(counts)


def _check_shape(shape: object) -> tuple[int, int]:
    """Return the shape of counts as (contexts, outcomes); ValueError if they cannot be so large."""
    if not isinstance(shape, Sequence) or isinstance(shape, str) or len(shape) != 2:
        raise ValueError(f"shape = {in_brief(shape)}: must be a pair (contexts, outcomes)")
    rows, columns = (check_integer("shape", size, 1) for size in shape)
    if rows * columns >= 2**63:
        raise ValueError(f"shape = {shape!r}: the matrix must have fewer than 2**63 entries")
    check_memory(f"counts of shape {(rows, columns)}", 8.0 * (rows + columns))
    return rows, columns


def _read_sparse(matrix: Sparse) -> csr_array:
    """Return compressed rows with the numbers of a scipy sparse matrix, checked, in 64 bits.

    Raises
    ------
    ValueError
        If it is none, its structure is damaged, a number is not finite or below zero, or there is
        no room for its rows.
    """
    if not issparse(matrix) or matrix.ndim != 2:
        raise ValueError(f"{type(matrix).__name__}: must be a scipy sparse matrix")
    shape = _check_shape(matrix.shape)
    refuse_masked(getattr(matrix, "data", None), "counts")
    try:
        # scipy's compiled code follows whatever indices it is given: all are checked here.
        if matrix.format in ("csr", "csc", "bsr"):
            check_rising(np.asarray(matrix.indptr), matrix.indptr[-1], "indptr")
            of_block = getattr(matrix, "blocksize", (1, 1))[1]
            width = shape[0] if matrix.format == "csc" else shape[1] // of_block
            check_labels(matrix.indices, width, "indices")
            matrix.check_format(full_check=False)
        elif matrix.format == "coo":
            check_pairs(*matrix.coords, shape)
        elif matrix.format == "lil" and list(map(len, matrix.rows)) != list(map(len, matrix.data)):
            raise ValueError("a row has different numbers of outcomes and of values")
        entries = matrix.astype(matrix.dtype.newbyteorder("="))  # a copy, put together anew
        entries = entries if matrix.format in ("csr", "csc") else entries.tocoo()
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
        reason = shorten(" ".join(str(error).split()), 200)  # characters, of a line; not measured
        raise ValueError(f"a damaged {type(matrix).__name__}: {reason}") from None
    entries.data = check_weights(entries.data)  # before any are added up
    if entries.data.dtype.kind == "f":
        entries = entries.tocoo(copy=False)
        rows, columns, sums = add_up_pairs(*entries.coords, entries.data, shape)
        entries = coo_array((sums, (rows, columns)), shape)
    return csr_array(entries)
