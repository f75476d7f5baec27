"""The same as `loop.iterate` on several threads, for one fit of a large matrix.

The compiled functions let go of Python's global lock, so ordinary threads do; handing out the
work costs a fraction of a millisecond an iteration. Each thread has blocks of rows of its own,
dealt out in turn, for pairs of frequent contexts take longer; and soft counts of ``H`` of its own.
Results depend on the number of threads, in the order of sums, and on nothing else.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numba import njit

from condprob.em.kernels import add_up, coefficients_of_classes, dense_pass, smooth, sparse_pass
from condprob.em.simd import JIT, sum_of_logs
from condprob.em.state import is_penalised, is_settled

BLOCKS = 8  # of rows, for each thread


def iterate(rows, dense, factors, smoothing, alternating, course, start, stop, tolerance):
    """See `loop.iterate`."""
    with Team(rows, dense, factors) as team:
        for t in range(start, stop):
            course.likelihood[t] = team.visit(smoothing.of_W, update_W=True)
            if alternating:
                factors.soft_H[:] = 0.0
                team.visit(smoothing.of_W, update_W=False)
            b, a, scale = coefficients_of_classes(smoothing, *team.add_up(smoothing.outcomes))
            factors.rest[:] = a * scale
            logs = team.smooth(b, a, scale, is_penalised(smoothing))
            if is_penalised(smoothing):
                unseen_outcomes = smoothing.outcomes - len(factors.H)
                logs += unseen_outcomes * np.log(factors.rest).sum()
                course.penalty[t + 1] = smoothing.constant * logs
            if is_settled(course, t, tolerance):
                return t + 1
    return stop


def evaluate(rows, dense, factors):
    """See `loop.evaluate`."""
    with Team(rows, dense, factors) as team:
        found = team.visit(0.0, update_W=False)
    factors.soft_H[:] = 0.0
    return found


class Team:
    """Threads that share out the rows of a problem, and its columns."""

    def __init__(self, rows, dense, factors):
        self.given, self.factors, self.threads = rows, factors, len(factors.soft_H)
        self.pass_over = dense_pass if dense else sparse_pass
        blocks = self.threads * (1 if dense else BLOCKS)
        self.blocks = list(pairwise(share_out(rows.indptr, blocks)))
        self.rows = np.arange(self.threads + 1) * len(factors.W) // self.threads
        self.columns = np.arange(self.threads + 1) * len(factors.H) // self.threads
        self.pool = ThreadPoolExecutor(self.threads)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.pool.shutdown()

    def each(self, work):
        """Return ``work(r)`` of every thread ``r``."""
        return list(self.pool.map(work, range(self.threads)))

    def visit(self, of_W, update_W):
        """Pass over all rows, each thread over its blocks; return ``sum C log(W H)``."""
        W, H, soft_H, _ = self.factors

        def visit_blocks(r):
            blocks = self.blocks[r :: self.threads]
            given = (of_W, update_W, W, H, soft_H[r])
            return sum(self.pass_over(self.given, *block, *given) for block in blocks)

        return sum(self.each(visit_blocks))

    def add_up(self, outcomes):
        """Do what `kernels.add_up` does; return its three sums, each of shape (m,)."""
        _, H, soft_H, _ = self.factors
        sums = np.zeros((self.threads, 3, H.shape[1]))
        sums[0, 2] = outcomes - len(H)
        self.each(lambda r: collect(H, soft_H, *self.columns[r : r + 2], *sums[r]))
        return sums.sum(axis=0)

    def smooth(self, b, a, scale, with_logs):
        """Do what `kernels.smooth` does; return the sum of the logarithms, if asked for."""
        W, H, _, _ = self.factors

        def smooth_columns(r):
            smooth(H, *self.columns[r : r + 2], b, a, scale)
            if not with_logs:
                return 0.0
            part_W, part_H = (slice(*bounds[r : r + 2]) for bounds in (self.rows, self.columns))
            return sum_of_logs(W[part_W]) + sum_of_logs(H[part_H])

        return sum(self.each(smooth_columns))


def share_out(indptr, blocks):
    """Return the bounds of ``blocks`` ranges of rows with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return bounds


@njit(**JIT)
def collect(H, soft_H, start, stop, total, seen, unseen):
    """Do what `kernels.add_up` does for the sum of the threads' soft counts.

    Its parameters are the same but for ``soft_H``, of shape (threads, columns, m).
    """
    for j in range(start, stop):
        for r in range(1, len(soft_H)):
            for l in range(total.size):
                soft_H[0, j, l] += soft_H[r, j, l]
                soft_H[r, j, l] = 0.0
        add_up(H, soft_H[0], j, j + 1, total, seen, unseen)
