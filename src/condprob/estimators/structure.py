"""Structural learning: what the weights of many linear predictors have in common.

Ando and Zhang (2005). Predictors ``u_l = w_l + Phi' v_l`` of ``m`` auxiliary problems have the
joint risk ``sum_l (1/n) sum_i L(u_l' x_i, y_il) + ridge |u_l - Phi' v_l|^2`` with ``Phi Phi' = I``:
what lies in the space of ``Phi`` costs nothing.

READING: the print has ``u = w - Phi' v``, and columns of ``Phi`` for its rows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack, issparse

from condprob.annotations import Sparse
from condprob.estimators.svd import truncated_svd

LEAST = 1e-6  # singular values below this share of the largest are none; not measured
MEMORY = 20  # steps that L-BFGS remembers; not measured
Loss = Literal["squared", "huber"]
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
    return vectors[:, values > LEAST * values[0]].T


def ridge_weights(
    X: np.ndarray | Sparse,
    Y: np.ndarray | Sparse,
    ridge: ArrayLike,
    towards: np.ndarray | None = None,
) -> np.ndarray:
    """Return the predictors of least squares: all problems share one system of equations.

    Parameters
    ----------
    X : array or scipy sparse array, shape (n, features)
    Y : array or scipy sparse array, shape (n, problems)
    ridge : array_like of float, shape (features,)
        Weight of the square of each feature's distance from ``towards``. Where it is zero, as for
        a constant, the features have to be independent.
    towards : numpy.ndarray, shape (features, problems), optional
        Zero unless it is given.

    Returns
    -------
    numpy.ndarray, shape (features, problems)
        Minimises ``(1/n) |X U - Y|^2 + sum_f ridge_f |U_f - towards_f|^2``.
    """
    ridge, n = np.asarray(ridge, dtype=float), X.shape[0]
    gram, right = (product.toarray() if issparse(product) else product
                   for product in (X.T @ X, X.T @ Y))  # fmt: skip
    gram, right = gram / n, right / n
    gram[np.diag_indices_from(gram)] += ridge
    if towards is not None:
        right += ridge[:, None] * towards
    return cho_solve(cho_factor(gram, overwrite_a=True), right, overwrite_b=True)


def loss_of(loss: Loss, scores: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the loss of each score and its derivative.

    "squared" is ``(f - y)^2``. "huber" is the modified Huber loss of labels -1 and 1:
    ``max(0, 1 - yf)^2``, and ``-4yf`` below ``yf = -1``.
    """
    if loss == "squared":
        return (scores - Y) ** 2, 2 * (scores - Y)
    margins = Y * scores
    short = np.maximum(1 - margins, 0)
    is_far = margins < -1
    values = np.where(is_far, -4 * margins, short**2)
    return values, np.where(is_far, -4.0, -2 * short) * Y


def joint_risk(
    U: np.ndarray,
    X: np.ndarray | Sparse,
    Y: np.ndarray,
    ridge: np.ndarray,
    loss: Loss = "huber",
    towards: np.ndarray | float = 0.0,
) -> tuple[float, np.ndarray]:
    """Return the risk that `fit_predictors` minimises, and its gradient, shaped as ``U``."""
    values, slopes = loss_of(loss, X @ U, Y)
    off = U - towards
    pulled = ridge[:, None] * off
    risk = values.sum() / X.shape[0] + (pulled * off).sum()
    return float(risk), X.T @ slopes / X.shape[0] + 2 * pulled


def fit_predictors(
    X: np.ndarray | Sparse,
    Y: np.ndarray,
    ridge: ArrayLike,
    *,
    loss: Loss = "huber",
    towards: np.ndarray | None = None,
    start: np.ndarray | None = None,
    iterations: int = 500,
    tol: float = 1e-6,
) -> np.ndarray:
    """Return the predictors of least risk, by L-BFGS over all problems at once.

    Parameters
    ----------
    X, Y, ridge, towards
        See `ridge_weights`; ``Y`` holds -1 and 1 for "huber". A feature whose ridge is infinite
        is left out, and has the weight zero.
    loss : "squared" or "huber"
        See `loss_of`.
    start : numpy.ndarray, shape (features, problems), optional
    iterations : int
        At most.
    tol : float
        Of the largest derivative, per problem.

    Returns
    -------
    numpy.ndarray, shape (features, problems)
    """
    ridge = np.asarray(ridge, dtype=float)
    used = np.isfinite(ridge)
    X, kept = (X[:, np.flatnonzero(used)], ridge[used]) if not used.all() else (X, ridge)
    shape = (kept.size, Y.shape[1])
    pulled = 0.0 if towards is None else towards[used]
    first = np.zeros(shape) if start is None else start[used]

    def risk(x):
        value, gradient = joint_risk(x.reshape(shape), X, Y, kept, loss, pulled)
        return value, gradient.ravel()

    how = {"maxiter": iterations, "maxfun": 2 * iterations, "gtol": tol, "ftol": 0.0}
    how["maxcor"] = MEMORY
    found = minimize(risk, first.ravel(), jac=True, method="L-BFGS-B", options=how)
    U = np.zeros((ridge.size, Y.shape[1]))
    U[used] = found.x.reshape(shape)
    return U


@dataclass(frozen=True, eq=False)
class Structure:
    """The shared subspace of each type of features.

    Attributes
    ----------
    types : tuple of numpy.ndarray of int
        Features of each type.
    phi : tuple of numpy.ndarray, each of shape (dimensions, features of the type)
        ``Phi`` of each type.
    """

    types: tuple[np.ndarray, ...] = field(repr=False)
    phi: tuple[np.ndarray, ...] = field(repr=False)

    def embed(self, X: np.ndarray | Sparse) -> np.ndarray:
        """Return ``Phi_T x_T`` of all types side by side, shape (n, dimensions)."""
        return np.hstack([X[:, own] @ phi.T for own, phi in zip(self.types, self.phi, strict=True)])

    def extend(self, X: Sparse) -> csr_array:
        """Return ``[x; Phi_T x_T]``: weights of the second part have no ridge."""
        return csr_array(hstack([X, self.embed(X)]))

    def project(self, U: np.ndarray) -> np.ndarray:
        """Return ``Phi' Phi u`` of each column: the part of the weights that costs nothing."""
        found = np.zeros(U.shape)
        for own, phi in zip(self.types, self.phi, strict=True):
            found[own] = phi.T @ (phi @ U[own])
        return found


def learn_structure(
    fit: Callable[[np.ndarray | None], np.ndarray],
    types: Sequence[np.ndarray],
    rank: int,
    *,
    negatives: Negatives = "zero",
    passes: int = 1,
) -> Structure:
    """Learn ``Phi`` by alternating structure optimisation: predictors, their SVD, and again.

    READING: in later passes predictors are drawn towards the projection of what they were, with
    their negative weights, which are set to zero for the SVD alone.

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
        What becomes of negative weights before the SVD.
    passes : int
    """
    towards = None
    for _ in range(passes):
        U = fit(towards)
        W = np.maximum(U, 0) if negatives == "zero" else U
        found = Structure(tuple(types), tuple(shared_subspace(W[own], rank) for own in types))
        towards = found.project(U)
    return found
