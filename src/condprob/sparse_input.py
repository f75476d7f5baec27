"""Sparse matrices of scipy, whose structure is checked in full before compiled code follows it.

scipy checks a matrix when it is made. Its parts can be replaced then, and its compiled code reads,
and writes, wherever a damaged index points.
"""

from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import bsr_array, coo_array, csc_array, csr_array, issparse

from condprob.annotations import Sparse
from condprob.checks import (
    as_array,
    check_labels,
    check_memory,
    check_rising,
    check_shape,
    check_weights,
    refuse_masked,
    shorten,
)

_ARRAYS = {"csr": csr_array, "csc": csc_array, "bsr": bsr_array}


def check_sparse(matrix: Sparse) -> csr_array:
    """Return compressed rows with the numbers of a scipy sparse matrix, duplicates added up.

    Its numbers are checked one by one, and only then added, in 64 bits.

    Raises
    ------
    ValueError
        If it is none, its structure is damaged, a number is not finite or below zero, or there is
        no room for its rows.
    """
    if not issparse(matrix):
        raise ValueError(f"{type(matrix).__name__}: a scipy sparse matrix is needed")
    if matrix.ndim != 2:
        raise ValueError(f"counts of shape {matrix.shape}: a matrix is needed")
    shape = check_shape(matrix.shape)
    check_memory(f"counts of shape {shape}", 8.0 * sum(shape))
    refuse_masked(getattr(matrix, "data", None), "counts")
    dtype = getattr(matrix, "dtype", np.dtype(object))  # that of its data, if they have one
    if dtype.kind not in "biuf":
        raise ValueError(f"counts of type {dtype}: numbers >= 0 are needed")
    try:
        entries = _READERS[matrix.format](matrix)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        told = shorten(" ".join(str(error).split()), 200)  # characters, of a line; not measured
        raise ValueError(f"a damaged {type(matrix).__name__}: {told}") from None
    entries.data = check_weights(entries.data)
    rows = csr_array(entries)
    rows.sum_duplicates()
    return rows


def _read_compressed(matrix: Sparse) -> csr_array | csc_array | bsr_array:
    """Return compressed rows, columns or rows of blocks."""
    data = _numbers(matrix.data, 3 if matrix.format == "bsr" else 1)
    lines, places = matrix.shape[::-1] if matrix.format == "csc" else matrix.shape
    if matrix.format == "bsr":
        height, width = data.shape[1:]
        if not height or not width or lines % height or places % width:
            raise ValueError(f"blocks of {height} x {width} in a matrix of {lines} x {places}")
        lines, places = lines // height, places // width
    starts = _integers(matrix.indptr, len(data) + 1, "indptr")
    indices = _integers(matrix.indices, places, "indices")
    if starts.size != lines + 1 or indices.size != len(data):
        raise ValueError(f"{starts.size} starts and {indices.size} indices of {len(data)} numbers")
    used = starts[-1]  # There may be room for more.
    check_rising(starts, used, "indptr")
    parts = data[:used], indices[:used], starts
    return _ARRAYS[matrix.format](parts, shape=matrix.shape, copy=True)  # it is changed


def _read_coordinates(matrix: Sparse) -> coo_array:
    """Return entries with two coordinates each."""
    rows, columns = matrix.coords
    return _entries(_numbers(matrix.data, 1), rows, columns, matrix.shape)


def _read_diagonals(matrix: Sparse) -> coo_array:
    """Return the entries of diagonals, which may reach beyond the matrix."""
    (rows, columns), data = matrix.shape, _numbers(matrix.data, 2)
    offsets = np.asarray(matrix.offsets)
    if offsets.dtype.kind not in "iu" or offsets.shape != data.shape[:1]:
        raise ValueError(f"{offsets.size} offsets of type {offsets.dtype} of {len(data)} diagonals")
    if np.unique(offsets).size < offsets.size:
        raise ValueError("an offset stands twice")
    is_inside = (offsets > -rows) & (offsets < columns)
    data, offsets = data[is_inside, :columns], offsets[is_inside].astype(np.int64)
    outcomes = np.arange(data.shape[1])
    contexts = outcomes - offsets[:, None]
    kept = (contexts >= 0) & (contexts < rows)
    outcomes = np.broadcast_to(outcomes, contexts.shape)
    return _entries(data[kept], contexts[kept], outcomes[kept], matrix.shape)


def _read_lists(matrix: Sparse) -> coo_array:
    """Return the entries of a list of outcomes and one of numbers for each row."""
    listed, numbers = list(matrix.rows), list(matrix.data)
    sizes = [len(outcomes) for outcomes in listed]
    if len(listed) != matrix.shape[0] or sizes != [len(values) for values in numbers]:
        raise ValueError("a row has not as many outcomes as numbers")
    rows = np.repeat(np.arange(len(listed)), sizes)
    columns = list(chain.from_iterable(listed))
    data = _of_type(chain.from_iterable(numbers), matrix.dtype)
    return _entries(data, rows, columns, matrix.shape)


def _read_keys(matrix: Sparse) -> coo_array:
    """Return the entries of a dictionary by pairs of a context and an outcome."""
    items = list(matrix.items())
    pairs = [(row, column) for (row, column), _ in items]
    rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
    return _entries(_of_type((n for _, n in items), matrix.dtype), rows, columns, matrix.shape)


_READERS = {
    "csr": _read_compressed,
    "csc": _read_compressed,
    "bsr": _read_compressed,
    "coo": _read_coordinates,
    "dia": _read_diagonals,
    "lil": _read_lists,
    "dok": _read_keys,
}


def _entries(data: np.ndarray, rows: ArrayLike, columns: ArrayLike, shape: tuple) -> coo_array:
    """Return entries whose coordinates lie in the matrix, one of each for each number."""
    found = _integers(rows, shape[0], "rows"), _integers(columns, shape[1], "columns")
    if not found[0].size == found[1].size == data.size:
        raise ValueError(f"{found[0].size} and {found[1].size} coordinates of {data.size} numbers")
    return coo_array((data, found), shape=shape, copy=True)


def _integers(values: ArrayLike, size: int, name: str) -> np.ndarray:
    """Return a line of integers ``0..size-1``."""
    found = check_labels(values, size, name)
    if found.ndim != 1:
        raise ValueError(f"{name} of shape {found.shape}")
    return found


def _numbers(data: ArrayLike, dimensions: int) -> np.ndarray:
    """Return numbers in the order of bytes of this machine: scipy counts in no other."""
    found = np.asarray(data)
    if found.ndim != dimensions or found.dtype.kind not in "biuf":
        raise ValueError(f"numbers of shape {found.shape} and type {found.dtype}")
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def _of_type(numbers: Iterable, dtype: np.dtype) -> np.ndarray:
    """Return numbers that a list or a dictionary holds in the type of their matrix.

    Raises
    ------
    ValueError
        If one is another in that type, such as 2.5 in a matrix of integers.
    """
    found = as_array(list(numbers), "numbers")
    if found.dtype.kind not in "biuf" or found.ndim != 1:
        raise ValueError(f"numbers of type {found.dtype}")
    with np.errstate(invalid="ignore", over="ignore"):
        cast = found.astype(dtype)
        is_other = cast.astype(found.dtype) != found
    if is_other.any() and not found.dtype.kind == dtype.kind == "f":  # scipy, too, rounds fractions
        raise ValueError(f"{found[is_other][0]} in a matrix of {dtype}")
    return cast
