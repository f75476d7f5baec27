"""Features of the survey's classifiers: fewer columns, an embedding, a smaller rank."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import LinearOperator

from condprob.checks import Sparse


def compress(X: Sparse) -> tuple[np.ndarray | Sparse, np.ndarray | Sparse]:
    """Return ``Z`` and ``B`` with ``X = Z B'`` and ``B'B = I``: as much in fewer features.

    With one ridge for all features the predictors of least risk are ``B u``, and ``Z u`` has the
    same losses and the same ridge. So does each step of L-BFGS from zero: both give the same fit.
    Features that are equal in all examples become one; or, where that leaves fewer numbers, the
    new features span the space of the rows.

    Parameters
    ----------
    X : scipy sparse array, shape (n, features)

    Returns
    -------
    Z : array or scipy sparse array, shape (n, new features)
    B : array or scipy sparse array, shape (features, new features)
    """
    n, features = X.shape
    if n * n < X.nnz:
        B, R = np.linalg.qr(X.T.toarray())
        return R.T, B
    # Equal columns have the same product with numbers drawn at random, and no others have.
    product = X.T @ np.random.default_rng(0).random(n)
    _, first, new, often = np.unique(
        product, return_index=True, return_inverse=True, return_counts=True
    )
    lengths = np.sqrt(often)
    B = csr_array((1 / lengths[new], new, np.arange(features + 1)), (features, first.size))
    return csr_array(X[:, first] * lengths), B


def put_beside(Z: np.ndarray | Sparse, dense: np.ndarray) -> np.ndarray | LinearOperator:
    """Return ``[Z, dense]``, without giving the zeros of a sparse ``Z`` a place."""
    if not issparse(Z):
        return np.hstack([Z, dense])
    size, Z_transposed = Z.shape[1], csr_array(Z.T)

    def multiply(U):
        return Z @ U[:size] + dense @ U[size:]

    def multiply_transposed(S):
        return np.concatenate([Z_transposed @ S, dense.T @ S])

    shape = (Z.shape[0], size + dense.shape[1])
    return LinearOperator(
        shape, multiply, multiply_transposed, multiply, float, multiply_transposed
    )


def cut_basis(basis: np.ndarray, types: Sequence[np.ndarray], rank: int) -> np.ndarray:
    """Return the basis of one pass (`structure.learn_structure`) at a smaller rank."""
    first = [np.flatnonzero(basis[own].any(axis=0))[:rank] for own in types]
    return basis[:, np.concatenate(first)]
