"""Structural learning: a subspace that the weights of many linear predictors share.

Ando and Zhang (2005). Predictors ``u_l = w_l + Phi' v_l`` of ``m`` auxiliary problems have the
joint risk ``sum_l (1/n) sum_i L(u_l' x_i, y_il) + ridge |u_l - Phi' v_l|^2`` with ``Phi Phi' = I``:
weights in the space of ``Phi`` cost nothing.

READING: the survey prints ``u = w - Phi' v``, and columns of ``Phi`` for its rows.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import LinearOperator

from condprob.checks import Sparse
from condprob.methods.svd import truncated_svd

# Singular values below this share of the largest are none; not measured.
SINGULAR_VALUE_TOLERANCE = 1e-6
# Steps that L-BFGS remembers. With 20 the 60 steps of a tagger from 500 and 5,000 words took 1.1
# to 1.7 times as long; the risk they ended with was 0.2 % higher to 17 % lower.
STEPS_OF_LBFGS = 10
Negatives = Literal["zero", "kept"]


def shared_subspace(U: np.ndarray | Sparse, rank: int) -> np.ndarray:
    """Return the ``Phi``, rows orthonormal, that minimises ``sum_l |u_l - Phi' Phi u_l|^2``.

    Its rows are the left singular vectors of ``U`` with the largest singular values; there are
    fewer than ``rank`` where ``U`` has fewer.

    Parameters
    ----------
    U : array or scipy sparse array, shape (features, problems)
        Weights, a column for each predictor.
    rank : int

    Returns
    -------
    numpy.ndarray, shape (at most rank, features)
    """
    U = csr_array(U)
    if not U.nnz:
        return np.zeros((0, U.shape[0]))
    vectors, values, _ = truncated_svd(U, rank)
    return vectors[:, values > SINGULAR_VALUE_TOLERANCE * values[0]].T


class Predictors(NamedTuple):
    """Fitted predictors, and whether the fit converged."""

    U: np.ndarray  # shape (features, problems)
    converged: bool


class LeastSquares:
    """Predictors of least squares with a ridge: all problems share one system of equations.

    They minimise ``(1/n) |X U - Y|^2 + sum_f ridge_f |U_f - towards_f|^2``.

    Parameters
    ----------
    X : array or scipy sparse array, shape (n, features)
    Y : array or scipy sparse array, shape (n, problems)
    ridge : array_like of float, shape (features,)
        Where it is zero, as for a constant, the features have to be independent.
    """

    def __init__(self, X: np.ndarray | Sparse, Y: np.ndarray | Sparse, ridge: ArrayLike) -> None:
        self._X, gram = X, _dense(X.T @ X) / X.shape[0]
        self._right = _dense(X.T @ Y) / X.shape[0]
        self._ridge = np.asarray(ridge, dtype=float)
        gram[np.diag_indices_from(gram)] += self._ridge
        self._factor = cho_factor(gram, overwrite_a=True)

    def weights(self, towards: np.ndarray | float = 0.0) -> np.ndarray:
        """Return ``U``, drawn towards weights of the same shape (features, problems)."""
        return cho_solve(self._factor, self._right + self._ridge[:, None] * towards)

    def with_labels(self, Y: np.ndarray | Sparse) -> "LeastSquares":
        """Return the predictors of other labels from the same features."""
        other = copy(self)
        other._right = _dense(self._X.T @ Y) / self._X.shape[0]
        return other


def _dense(product):
    return product.toarray() if issparse(product) else product


def joint_risk(
    U: np.ndarray, X: np.ndarray | Sparse | LinearOperator, Y: np.ndarray, ridge: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return the risk that `fit_predictors` minimises, and its gradient, shaped as ``U``.

    The modified Huber loss of a score ``f`` and a label ``y`` is ``max(0, 1 - yf)^2``, and
    ``-4yf`` below ``yf = -1``.
    """
    margins = Y * (X @ U)
    short = np.maximum(1 - margins, 0)
    is_far = margins < -1
    values = np.where(is_far, -4 * margins, short**2)
    slopes = np.where(is_far, -4.0, -2 * short) * Y
    pulled = ridge[:, None] * U
    risk = values.sum() / X.shape[0] + (pulled * U).sum()
    return float(risk), X.T @ slopes / X.shape[0] + 2 * pulled


def fit_predictors(
    X: np.ndarray | Sparse | LinearOperator,
    Y: np.ndarray,
    ridge: ArrayLike,
    *,
    iterations: int = 500,
    tol: float = 1e-6,
) -> Predictors:
    """Return the predictors of least risk (`joint_risk`), by L-BFGS over all problems at once.

    Parameters
    ----------
    X, Y, ridge
        See `LeastSquares`; ``Y`` holds -1 and 1. A feature whose ridge is infinite is left out, and
        has the weight zero.
    iterations : int
        At most.
    tol : float
        Of the largest derivative, per problem.
    """
    ridge = np.asarray(ridge, dtype=float)
    used = np.isfinite(ridge)
    kept = np.where(used, ridge, 0.0)
    U = np.zeros((ridge.size, Y.shape[1]))
    first = U[used]

    def risk(x):
        U[used] = x.reshape(first.shape)
        value, gradient = joint_risk(U, X, Y, kept)
        return value, gradient[used].ravel()

    how = {"maxiter": iterations, "maxfun": 2 * iterations, "gtol": tol, "ftol": 0.0}
    how["maxcor"] = STEPS_OF_LBFGS
    found = minimize(risk, first.ravel(), jac=True, method="L-BFGS-B", options=how)
    U[used] = found.x.reshape(first.shape)
    return Predictors(U, found.status == 0)


def learn_structure(
    fit: Callable[[np.ndarray | None], np.ndarray],
    types: Sequence[np.ndarray],
    rank: int,
    *,
    negatives: Negatives = "zero",
    passes: int = 1,
) -> np.ndarray:
    """Return ``Phi'`` by alternating structure optimisation: predictors, their SVD, and again.

    Its shape is (features, dimensions of all types).

    READING: in later passes predictors are drawn towards the projection of the last ones, with
    their negative weights, which are set to zero only for the SVD.

    Parameters
    ----------
    fit : function
        Takes ``Phi' v``, shape (features, problems), or None at first; returns the weights of all
        auxiliary predictors, of the same shape.
    types : sequence of numpy.ndarray of int
        Features of each type; each has a subspace of its own.
    rank : int
        Dimensions of each.
    negatives : "zero" or "kept"
        Whether negative weights become zero before the SVD.
    passes : int
    """
    U, basis = fit(None), np.zeros((0, 0))
    for done in range(passes):
        if done:
            U = fit(basis @ (basis.T @ U))
        W = np.maximum(U, 0) if negatives == "zero" else U
        blocks = []
        for own in types:
            phi = shared_subspace(W[own], rank)
            blocks.append(np.zeros((len(U), len(phi))))
            blocks[-1][own] = phi.T
        basis = np.hstack(blocks)
    return basis
