"""The same loop as `kernels.iterate` on several threads, for one fit of a large matrix.

The compiled functions let go of Python's global lock, so ordinary threads do; handing out the
work costs a fraction of a millisecond an iteration. Each thread has blocks of rows of its own,
dealt out in turn, for pairs of frequent contexts take longer; and soft counts of ``H`` of its own.
Results depend on the number of threads, in the order of sums, and on nothing else.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

from condprob.em.kernels import CONSTANT, add_up, coefficients, dense_pass, smooth, sparse_pass
from condprob.em.simd import JIT, sum_of_logs

BLOCKS = 8  # of rows, for each thread


def iterate(matrix, dense, k, m, factors, smoothing, alternating, likelihood, logs):
    """See `kernels.iterate`; ``soft_H`` has a leading axis, as long as there are threads."""
    W, H, soft_H = factors
    constant, kind, parameter = smoothing
    penalised = kind == CONSTANT and constant > 0 and parameter > 0
    threads, rest = len(soft_H), np.zeros(m)
    blocks = threads * (1 if dense else BLOCKS)
    rows, columns = _share_out(matrix[0], blocks), np.arange(threads + 1) * len(H) // threads
    visit = dense_pass if dense else sparse_pass
    sums = np.empty((threads, 3, m))

    def visit_rows(r, update_W):
        fixed = (m, constant, update_W, W, H, soft_H[r])
        return sum(visit(matrix, *rows[b : b + 2], *fixed) for b in range(r, blocks, threads))

    def smooth_columns(r, b, a, scale):
        smooth(H, columns[r], columns[r + 1], b, a, scale)
        if not penalised:
            return 0.0
        part = W[r * len(W) // threads : (r + 1) * len(W) // threads]
        return sum_of_logs(part, m) + sum_of_logs(H[columns[r] : columns[r + 1]], m)

    with ThreadPoolExecutor(threads) as pool:

        def each(work, *arguments):
            futures = [pool.submit(work, r, *arguments) for r in range(threads)]
            return [future.result() for future in futures]

        for t in range(likelihood.size):
            last = t == logs.size
            likelihood[t] = sum(each(visit_rows, not last))
            if alternating or last:
                soft_H[:] = 0.0
            if last:
                break
            if alternating:
                each(visit_rows, False)
            sums[:] = 0.0
            sums[0, 2] = k - len(H)
            each(lambda r: collect(H, soft_H, columns[r], columns[r + 1], *sums[r]))
            b, a, scale = coefficients(*sums.sum(axis=0), kind, parameter)
            rest = a * scale
            logs[t] = sum(each(smooth_columns, b, a, scale))
            if penalised:
                logs[t] += (k - len(H)) * np.log(rest).sum()
    return rest


def _share_out(indptr, blocks):
    """Return the bounds of ``blocks`` ranges of rows with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return bounds


@njit(**JIT)
def collect(H, soft_H, start, stop, total, seen, unseen):
    """Do what `em.add_up` does for the sum of the threads' soft counts."""
    for j in range(start, stop):
        for r in range(1, len(soft_H)):
            for l in range(total.size):
                soft_H[0, j, l] += soft_H[r, j, l]
                soft_H[r, j, l] = 0.0
        add_up(H, soft_H[0], j, j + 1, total, seen, unseen)
