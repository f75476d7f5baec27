"""The log-loss of distributions ``softmax(left right)``, its gradient, and a fit of one side."""

from itertools import count
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from condprob.counts import CountMatrix
from condprob.model import CELLS_AT_ONCE
from condprob.progress import Progress, shown

# Of the loss: an iteration of `fit_outcomes` that gains less is the last; not measured.
LOSS_TOLERANCE = 1e-5
GRADIENT_TOLERANCE = 1e-7  # and so is one after which no derivative is larger; not measured


class SoftmaxLoss(NamedTuple):
    """A loss and its gradient."""

    value: float  # nats per pair
    left: np.ndarray  # its derivatives by ``left``, shape (contexts, r)
    right: np.ndarray  # and by ``right``, shape (r, outcomes)


def softmax_loss(counts: CountMatrix, left: np.ndarray, right: np.ndarray) -> SoftmaxLoss:
    """Return ``-(1/n) sum_ij C_ij log Q_ij`` with ``Q_ij = exp(s_ij) / Z_i``, ``s = left right``.

    With ``G = (C_i Q_ij - C_ij) / n`` its derivatives are ``G right'`` and ``left' G``. Contexts
    are taken some at a time; contexts never seen cost nothing. Biases are one more class, against a
    row or a column of ones.

    Parameters
    ----------
    counts : CountMatrix
        At least one pair.
    left : numpy.ndarray, shape (contexts, r)
    right : numpy.ndarray, shape (r, outcomes)
    """
    value, of_left, of_right = 0.0, np.zeros(left.shape), np.zeros(right.shape)
    seen, rows = counts.seen_contexts, counts.sparse()
    step = max(CELLS_AT_ONCE // counts.shape[1], 1)
    for start in range(0, seen.size, step):
        some = seen[start : start + step]
        C, sums = rows[some], counts.row_sums[some]
        context, outcome = np.repeat(np.arange(some.size), np.diff(C.indptr)), C.indices
        G = left[some] @ right
        G -= G.max(axis=1, keepdims=True)
        observed = C.data @ G[context, outcome]
        np.exp(G, out=G)
        totals = G.sum(axis=1)
        value += sums @ np.log(totals) - observed
        G *= (sums / totals)[:, None]
        G[context, outcome] -= C.data
        of_left[some] = G @ right.T
        of_right += left[some].T @ G
    return SoftmaxLoss(float(value / counts.n), of_left / counts.n, of_right / counts.n)


class Fitted(NamedTuple):
    """The fitted side, and whether the fit converged."""

    psi: np.ndarray  # shape (r, outcomes)
    converged: bool


def fit_outcomes(
    counts: CountMatrix,
    left: np.ndarray,
    base: np.ndarray,
    ridge: float,
    iterations: int,
    start: np.ndarray | None = None,
    progress: Progress = False,
) -> Fitted:
    """Fit a multinomial logistic model of contexts whose features are given, by L-BFGS.

    Minimises `softmax_loss` of the scores ``log base_j + left_i psi_j``, plus
    ``ridge/2 |psi|^2``. The problem is convex. Contexts that are alike are one, and so are the
    outcomes never seen, whose ``psi_j`` and whose parts of ``base`` are equal.

    Parameters
    ----------
    counts : CountMatrix
        At least one pair.
    left : numpy.ndarray, shape (contexts, r)
    base : numpy.ndarray, shape (outcomes,)
        A distribution without zeros.
    ridge : float
    iterations : int
        At most; fewer where one gains less than `LOSS_TOLERANCE` of the loss.
    start : numpy.ndarray, shape (r, outcomes), optional
    progress : bool
    """
    seen, outcomes = counts.seen_outcomes, counts.shape[1]
    alone = seen.size < outcomes  # one class stands for all outcomes never seen
    place = np.full(outcomes, seen.size)
    place[seen] = np.arange(seen.size)
    size = np.append(np.ones(seen.size), [outcomes - seen.size] * alone)
    first = np.append(seen, np.setdiff1d(np.arange(outcomes), seen)[:1])
    rows = counts.seen_contexts
    features, row = np.unique(left[rows], axis=0, return_inverse=True)
    number = np.zeros(counts.shape[0], dtype=np.int64)
    number[rows] = row.ravel()
    pairs = number[counts.contexts], place[counts.outcomes]
    merged = CountMatrix.from_pairs(*pairs, shape=(len(features), size.size), weights=counts.values)
    mass = base[first] * size
    # The diagonal of the Hessian at the scores of the base: a step for each entry.
    squares = merged.row_sums @ features**2 / merged.n
    scale = np.sqrt(np.outer(squares, mass) + ridge * size) + np.finfo(float).tiny
    both = np.column_stack([features, np.ones(len(features))])

    def risk(x):
        psi = x.reshape(scale.shape) / scale
        loss = softmax_loss(merged, both, np.vstack([psi, np.log(mass)]))
        gradient = loss.right[:-1] + ridge * size * psi
        return loss.value + ridge / 2 * (size * psi**2).sum(), (gradient / scale).ravel()

    psi = np.zeros(scale.shape) if start is None else start[:, first]
    how = {
        "maxiter": iterations,
        "maxfun": 2 * iterations + 1,
        "ftol": LOSS_TOLERANCE,
        "gtol": GRADIENT_TOLERANCE,
    }
    begin, done = (psi * scale).ravel(), count(1)
    with shown(iterations, progress=progress) as show:
        found = minimize(
            risk,
            begin,
            jac=True,
            method="L-BFGS-B",
            callback=lambda _: show(next(done)),
            options=how,
        )
    return Fitted((found.x.reshape(scale.shape) / scale)[:, place], found.status == 0)
