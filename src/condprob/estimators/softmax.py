"""The log-loss of distributions ``softmax(left right)``, and its gradient."""

from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix

CELLS_AT_ONCE = (
    1 << 20
)  # probabilities that are held at a time, 8 MB; fewer are no faster (2,700 x 4,400)


class SoftmaxLoss(NamedTuple):
    """A loss and its gradient."""

    value: float  # nats per pair
    left: np.ndarray  # its derivatives by ``left``, shape (contexts, r)
    right: np.ndarray  # and by ``right``, shape (r, outcomes)


def softmax_loss(counts: CountMatrix, left: np.ndarray, right: np.ndarray) -> SoftmaxLoss:
    """Return ``-(1/n) sum_ij C_ij log Q_ij`` with ``Q_ij = exp(s_ij) / Z_i``, ``s = left right``.

    With ``G = (C_i Q_ij - C_ij) / n`` its derivatives are ``G right'`` and ``left' G``. Contexts
    are taken some at a time; those never seen cost nothing. Biases are one more class, against a
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
        told = C.data @ G[context, outcome]
        np.exp(G, out=G)
        totals = G.sum(axis=1)
        value += sums @ np.log(totals) - told
        G *= (sums / totals)[:, None]
        G[context, outcome] -= C.data
        of_left[some] = G @ right.T
        of_right += left[some].T @ G
    return SoftmaxLoss(float(value / counts.n), of_left / counts.n, of_right / counts.n)
