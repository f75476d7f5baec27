"""Products of two factors, at some pairs alone."""

import numpy as np
from numba import njit

from condprob.runtime.jit import JIT


@njit(**JIT)
def products_at(rows, columns, A, B):
    """Return ``A_i B_j`` for pairs of a row of each factor, shape (pairs,).

    Parameters
    ----------
    rows, columns : numpy.ndarray of int, shape (pairs,)
    A : numpy.ndarray, shape (rows, rank)
    B : numpy.ndarray, shape (columns, rank)
    """
    found = np.zeros(rows.size)
    for p in range(rows.size):
        total = 0.0
        for l in range(A.shape[1]):
            total += A[rows[p], l] * B[columns[p], l]
        found[p] = total
    return found
