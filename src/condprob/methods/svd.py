"""The largest singular values of a matrix, and their vectors, the same ones each time."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

# From so many rows or columns on, and of ranks below half of them, ARPACK's Lanczos iterations
# find the largest; else the whole decomposition is made. Not measured.
LANCZOS_FROM = 400


def truncated_svd(matrix: csr_array, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ``U``, ``s`` and ``V'`` of the best approximation of a rank, the largest first.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array, shape (rows, columns)
    rank : int
        Where it is more than the matrix can have, it is as much as that.

    Returns
    -------
    U : numpy.ndarray, shape (rows, rank)
    s : numpy.ndarray, shape (rank,)
    V : numpy.ndarray, shape (rank, columns)
    """
    if is_small(matrix.shape, rank):
        U, s, V = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return U[:, :rank], s[:rank], V[:rank]
    # Drawn once for all: a start that is orthogonal to no singular vector.
    start = np.random.default_rng(0).standard_normal(min(matrix.shape))
    U, s, V = svds(matrix, rank, v0=start)
    order = np.argsort(-s)
    return U[:, order], s[order], V[order]


def is_small(shape: tuple[int, int], rank: int) -> bool:
    """Whether the whole decomposition is made."""
    return min(shape) < LANCZOS_FROM or rank > min(shape) // 2
