"""Products of two factors: all cells, or some; and the threads that they take."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

# Cells of a matrix of counts from which BLAS may use all its threads (chosen by hand).
CELLS_OF_SEVERAL_THREADS = 4_000_000


@contextmanager
def few_threads(shape: tuple[int, int]) -> Iterator[None]:
    """Let BLAS use one thread within, where matrices of counts of this shape are small.

    Threads that wait for each other at the end of each small product take most of the time where
    other programs run. Without threadpoolctl nothing is limited.
    """
    controller = _blas() if shape[0] * shape[1] < CELLS_OF_SEVERAL_THREADS else None
    if controller is None:
        yield
        return
    with controller.limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> Any:
    """Return the controller of the threads of BLAS, or None; libraries are looked for once."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


# Floats of a factor that `products_of_pairs` holds at a time: half a megabyte stays in the cache.
# Of 2^14, 2^16, 2^18 and 2^20 the middle two were the fastest (25 November 2026).
FLOATS_AT_ONCE = 1 << 16


def product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return ``left @ right`` of factors that are finite, and may be of 32 bits.

    OpenBLAS multiplies rows of five such numbers with a kernel (AVX-512, ``sgemv_t``) that also
    computes with a part of a register that was never written. No result depends on it, but
    NumPy may find the processor's flag for invalid numbers set, and warn. Finite factors have an
    invalid product only after an overflow, which is still told.
    """
    with np.errstate(invalid="ignore"):
        return np.matmul(left, right)


def products_of_pairs(
    left: np.ndarray, right: np.ndarray, rows: np.ndarray, columns: np.ndarray
) -> np.ndarray:
    """Return the cells of ``left @ right`` at pairs of a row and a column, shape (pairs,).

    It compiles nothing, as a first look at a model or a file should not: fits, which take the same
    products again and again, have `jit.products_at`.

    Parameters
    ----------
    left : numpy.ndarray, shape (contexts, r)
    right : numpy.ndarray, shape (r, outcomes)
        Of which a copy is made where the pairs are more than the outcomes.
    rows, columns : numpy.ndarray of int, shape (pairs,)
    """
    across = right.T
    if columns.size > len(across):  # then the numbers of a column are better side by side
        across = np.ascontiguousarray(across)
    found, step = np.empty(rows.size), FLOATS_AT_ONCE // max(len(right), 1) + 1
    for start in range(0, rows.size, step):
        some = slice(start, start + step)
        found[some] = np.einsum("sr,sr->s", left[rows[some]], across[columns[some]])
    return found
