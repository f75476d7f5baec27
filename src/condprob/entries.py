"""Passes over the entries of sparse counts, some at a time: the entries may stay on disk."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array, issparse

from condprob.annotations import Sparse
from condprob.checks import (
    add_exactly,
    check_labels,
    check_rising,
    check_total,
    check_weights,
    shorten,
)

AT_ONCE = 1 << 22  # entries that are held at a time: 32 MB as floats; not measured


def blocks(size: int) -> Iterator[slice]:
    """Yield the parts of ``size`` entries that are held at a time, in order."""
    for start in range(0, size, AT_ONCE):
        yield slice(start, min(start + AT_ONCE, size))


def read_part(array: np.ndarray, part: slice) -> np.ndarray:
    """Return a part of an array; of a mapped one read from its file, which a slice would keep."""
    if not isinstance(array, np.memmap):
        return array[part]
    start = array.offset + part.start * array.itemsize
    return np.fromfile(array.filename, array.dtype, part.stop - part.start, offset=start)


def narrow_type(largest: int) -> type:
    """Return the narrower type of integers, of 32 or 64 bits, that holds ``0..largest``."""
    return np.int32 if largest < 2**31 else np.int64


def narrow(array: np.ndarray) -> np.ndarray:
    """Return non-negative integers in 32 bits where they fit, which is half the memory."""
    if array.dtype.kind == "f":
        return array
    return array.astype(narrow_type(array.max(initial=0)), copy=False)


def type_of_sum(parts: Sequence[np.ndarray]) -> type:
    """Return a type for the sums of counts, whichever entries of the parts add up."""
    if any(values.dtype.kind == "f" for values in parts):
        return np.float64
    return narrow_type(sum(int(values.max(initial=0)) for values in parts))


def check_sparse_rows(
    indptr: np.ndarray, outcomes: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> None:
    """Raise ValueError unless arrays are compressed rows, outcomes ascending within each.

    Mapped arrays are read from their file, some entries at a time.
    """
    rows, columns = shape
    if indptr.shape != (rows + 1,) or outcomes.shape != values.shape or values.ndim != 1:
        raise ValueError(
            f"indptr, outcomes and values of shapes {indptr.shape}, {outcomes.shape} and "
            f"{values.shape} are no sparse rows of a {rows} x {columns} matrix"
        )
    check_rising(indptr, values.size, "indptr")
    if outcomes.size and outcomes.dtype.kind not in "iu":
        raise ValueError(f"outcomes of type {outcomes.dtype}: integers are needed")
    for part in blocks(outcomes.size):
        these = read_part(outcomes, slice(max(part.start - 1, 0), part.stop))
        # Only the first entry of a row may have an outcome that is not above the one before it.
        falls = max(part.start, 1) + np.flatnonzero(these[1:] <= these[:-1])
        is_first = indptr[np.searchsorted(indptr, falls)] == falls
        if not is_first.all() or these.min() < 0 or these.max() >= columns:
            raise ValueError(f"the outcomes of a row must rise within 0..{columns - 1}")


def check_values(values: ArrayLike) -> np.ndarray:
    """Return counts > 0 as integers where all are whole, in 32 bits where they fit, else as floats.

    Mapped ones are read from their file, some at a time, and returned as they are.

    Raises
    ------
    ValueError
        As in `checks.check_weights`, or if a count is zero, or mapped ones have another type than
        others would get.
    """
    if np.ma.isMaskedArray(values) or np.ndim(values) != 1:
        values = check_weights(values)
    is_mapped = isinstance(values, np.memmap)
    values, is_whole, total = np.asanyarray(values), True, 0
    for part in blocks(len(values)):
        checked = check_weights(read_part(values, part))
        is_whole &= checked.dtype.kind != "f"
        total += float(checked.sum()) if checked.dtype.kind == "f" else add_exactly(checked)
        check_total(total, "counts")
        if not (checked > 0).all():
            raise ValueError("counts that are stored must be > 0: leave the zeros out")
    if is_mapped:
        if values.dtype.type not in ((np.int32, np.int64) if is_whole else (np.float64,)):
            raise ValueError(f"counts on disk of type {values.dtype}: not as they are saved")
        return values
    values = np.asarray(values)
    if not is_whole:
        return values.astype(np.float64, copy=False)
    return narrow(values.astype(np.int64) if values.dtype.kind != "i" else values)


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array, or a view of it, through which it cannot be changed."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def check_sparse(matrix: Sparse) -> csr_array:
    """Return compressed rows with the numbers of a scipy sparse matrix, duplicates added up.

    Its numbers are checked one by one, and only then added, in 64 bits.

    Raises
    ------
    ValueError
        If it is none, its structure is damaged, or a number is not finite or below zero.
    """
    if not issparse(matrix):
        raise ValueError(f"{type(matrix).__name__}: a scipy sparse matrix is needed")
    if matrix.dtype.kind not in "biuf":
        raise ValueError(f"counts of type {matrix.dtype}: numbers >= 0 are needed")
    if matrix.ndim != 2:
        raise ValueError(f"counts of shape {matrix.shape}: a matrix is needed")
    try:
        entries = _check_structure(matrix)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        told = shorten(" ".join(str(error).split()), 200)
        raise ValueError(f"a damaged {type(matrix).__name__}: {told}") from None
    entries.data = check_weights(entries.data)
    rows = csr_array(entries)
    rows.sum_duplicates()
    return rows


def _check_structure(matrix):
    """Return a copy of the index arrays of a matrix with its numbers, once scipy can follow them.

    Compiled code reads, and writes, wherever a damaged index points.
    """
    if matrix.format in ("csr", "csc", "bsr"):
        for indices in (matrix.indptr, matrix.indices):
            if np.asarray(indices).dtype.kind not in "iu":
                raise ValueError(f"indices of type {np.asarray(indices).dtype}")
        data = matrix.data.astype(matrix.dtype.newbyteorder("="))  # scipy counts in no other order
        parts = data, matrix.indices, matrix.indptr
        found = type(matrix)(parts, shape=matrix.shape, copy=True)
        found.check_format(full_check=True)
        return found
    if matrix.format == "lil" and not (
        len(matrix.rows) == len(matrix.data) == matrix.shape[0]
        and all(map(_go_together, matrix.rows, matrix.data))
    ):
        raise ValueError("a row has not as many outcomes as numbers")
    # Diagonals may reach beyond the matrix; dictionaries have no arrays.
    found = matrix if matrix.format == "coo" else matrix.tocoo(copy=True)
    for indices, size in zip(found.coords, found.shape, strict=True):
        if check_labels(indices, size, "coordinates").shape != found.data.shape:
            raise ValueError(f"{indices.shape} coordinates of {found.data.shape} numbers")
    return coo_array(found, copy=True)


def _go_together(outcomes: list, numbers: list) -> bool:
    return len(outcomes) == len(numbers)


def contexts_of(indptr: np.ndarray, part: slice) -> np.ndarray:
    """Return the context of each entry of a part, shape (entries,)."""
    first = np.searchsorted(indptr, part.start, side="right") - 1
    last = np.searchsorted(indptr, part.stop, side="left")
    starts = np.clip(indptr[first : last + 1], part.start, part.stop)
    return np.repeat(np.arange(first, last), np.diff(starts))


def sum_rows(values: np.ndarray, indptr: np.ndarray) -> np.ndarray:
    """Add up a number for each entry by rows, shape (rows,), whole numbers exactly."""
    sums = np.zeros(indptr.size - 1, dtype=_accumulator_type(values))
    for part in blocks(values.size):
        np.add.at(sums, contexts_of(indptr, part), values[part].astype(sums.dtype, copy=False))
    return sums


def sum_columns(values: np.ndarray, outcomes: np.ndarray, columns: int) -> np.ndarray:
    """Add up a number for each entry by columns, shape (columns,), whole numbers exactly."""
    sums = np.zeros(columns, dtype=_accumulator_type(values))
    for part in blocks(values.size):
        np.add.at(sums, outcomes[part], values[part].astype(sums.dtype, copy=False))
    return sums


def _accumulator_type(values: np.ndarray) -> type:
    """Return the type in which to add up: with one type `add.at` takes a thirtieth of its time."""
    return np.float64 if values.dtype.kind == "f" else np.int64


def count_columns(outcomes: np.ndarray, columns: int) -> np.ndarray:
    """Return how many entries each column has, shape (columns,).

    Raises
    ------
    ValueError
        If an outcome lies outside ``0..columns-1``, as those of a damaged file may.
    """
    found = np.zeros(columns, dtype=np.int64)
    for part in blocks(outcomes.size):
        these = outcomes[part]
        if these.min() < 0 or these.max() >= columns:
            raise ValueError(f"the outcomes of a row must rise within 0..{columns - 1}")
        found += np.bincount(these, minlength=columns)
    return found
