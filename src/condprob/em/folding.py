"""New rows of ``W`` at a fixed ``H``: EM of each row alone, to its one optimum."""

import numpy as np
from numba import njit

from condprob.counts import CountMatrix
from condprob.runtime.jit import JIT

ITERATIONS = 20_000  # at most, of a row; not measured
# Change of an entry of a row at which it ends: near rounding. Not measured.
SETTLED = 1e-13


def fold_rows(counts: CountMatrix, H: np.ndarray, constant: float) -> np.ndarray:
    """Return the rows of ``W`` for further contexts, shape (contexts, rank).

    A row maximises ``sum_j C_j log (w H)_j + constant sum_l log w_l``, which is concave: it is what
    a fit with this ``H`` held fixed comes to. A row without counts is uniform.

    Parameters
    ----------
    counts : CountMatrix
    H : numpy.ndarray, shape (rank, outcomes)
    constant : float
        Added to the soft counts.
    """
    columns = np.ascontiguousarray(H.T)
    values = counts.values.astype(float)
    return _fold(counts.indptr, counts.outcomes.astype(np.int64), values, columns, float(constant))


@njit(**JIT)
def _fold(indptr, outcomes, values, columns, constant):
    contexts, rank = indptr.size - 1, columns.shape[1]
    W = np.full((contexts, rank), 1 / rank)
    soft = np.empty(rank)
    for i in range(contexts):
        first, stop = indptr[i], indptr[i + 1]
        if first == stop:
            continue
        row = W[i]
        for _ in range(ITERATIONS):
            soft[:] = 0.0
            for p in range(first, stop):
                column = columns[outcomes[p]]
                q = 0.0
                for c in range(rank):
                    q += row[c] * column[c]
                if q > 0:
                    for c in range(rank):
                        soft[c] += values[p] / q * column[c]
            total, change = 0.0, 0.0
            for c in range(rank):
                soft[c] = soft[c] * row[c] + constant
                total += soft[c]
            for c in range(rank):
                new = soft[c] / total if total > 0 else 1 / rank
                change = max(change, abs(new - row[c]))
                row[c] = new
            if change < SETTLED:
                break
    return W
