"""New rows of ``W`` at a fixed ``H``: EM of each row alone, to its one optimum."""

import numpy as np

from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit
from condprob.methods.em.passes import SMALLEST_DIVISOR

MOST_ITERATIONS = 20_000  # at most, of a row; not measured
# Change of an entry of a row at which it ends: near rounding. Not measured.
SMALLEST_CHANGE = 1e-13


def fold_rows(
    counts: CountMatrix, H: np.ndarray, constant: float, temperature: float = 1.0
) -> np.ndarray:
    """Return the rows of ``W`` for further contexts, shape (contexts, rank).

    A row maximises ``sum_j C_j log sum_l (w_l H_lj)^t / t + constant sum_l log w_l``, which is
    concave for a temperature ``t`` of at most one. A fit with this ``H`` held fixed has the same
    optimum, with its responsibilities tempered alike. A row without counts is uniform.

    Parameters
    ----------
    counts : CountMatrix
    H : numpy.ndarray, shape (rank, outcomes)
    constant : float
        Added to the soft counts.
    temperature : float
        Between zero and one, both included.
    """
    columns = np.ascontiguousarray(H.T)
    if temperature != 1:
        # A division by the largest entry leaves the soft counts as they are: no outcome vanishes.
        largest = columns.max(axis=1, keepdims=True)
        columns = (columns / np.where(largest > 0, largest, 1.0)) ** temperature
    values = counts.values.astype(float)
    stored = counts.indptr, counts.outcomes.astype(np.int64), values
    return _fold(*stored, columns, float(constant), float(temperature))


@njit(**EXACT)
def _fold(indptr, outcomes, values, columns, constant, temperature):
    contexts, rank = indptr.size - 1, columns.shape[1]
    W = np.full((contexts, rank), 1 / rank)
    soft, shares = np.empty(rank), np.empty(rank)
    for i in range(contexts):
        first, stop = indptr[i], indptr[i + 1]
        if first == stop:
            continue
        row = W[i]
        for _ in range(MOST_ITERATIONS):
            soft[:] = 0.0
            for c in range(rank):
                shares[c] = row[c] if temperature == 1.0 else row[c] ** temperature
            for p in range(first, stop):
                column = columns[outcomes[p]]
                q = 0.0
                for c in range(rank):
                    q += shares[c] * column[c]
                if q >= SMALLEST_DIVISOR:  # one over a smaller number may be infinite
                    for c in range(rank):
                        soft[c] += values[p] / q * column[c]
            total, change = 0.0, 0.0
            for c in range(rank):
                soft[c] = soft[c] * shares[c] + constant
                total += soft[c]
            for c in range(rank):
                new = soft[c] / total if total > 0 else 1 / rank
                change = max(change, abs(new - row[c]))
                row[c] = new
            if change < SMALLEST_CHANGE:
                break
    return W
