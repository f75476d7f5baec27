"""The iteration of EM on several threads, for compiled work lets go of Python's global lock.

Handing out the work costs a fraction of a millisecond each time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from condprob.em import Expectation, passes
from condprob.jit import sum_of_logs

# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS = 8


class InParts(Expectation):
    """The engine of EM whose passes are done elsewhere: a subclass has `visit_all`."""

    def visit_all(self, update_W: bool, wanted: bool) -> float:
        """Pass over all rows, and add up the soft counts of ``H``: see `passes.sparse_pass`."""
        raise NotImplementedError

    def update_H(self) -> None:
        """Replace ``H`` by its soft counts, smoothed."""
        H, k = self.lines[1], self.problem.k
        passes.update_H(self.block, H, self.soft_H, k, self.smoothing, self.rest)

    def iterate(self, iterations: int, wanted: bool) -> float:
        """See `Expectation`: what `passes.iterate` does, pass by pass."""
        likelihood = 0.0
        for _ in range(iterations):
            likelihood = self.visit_all(True, wanted)
            if self.alternating:
                self.soft_H[:] = 0.0
                self.visit_all(False, False)
            self.update_H()
        if not iterations:
            likelihood = self.visit_all(False, wanted)
            self.soft_H[:] = 0.0
        return likelihood


class Threads(InParts):
    """The engine of EM on so many threads; the other parameters are those of `Expectation`.

    The threads end with the engine.
    """

    def __init__(self, threads: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.size, self.pool = threads, ThreadPoolExecutor(threads)
        self.soft_H = np.zeros((threads, *self.lines[1].shape))
        self.blocks = share_out(
            self.problem.indptr, threads * (1 if self.problem.is_dense else BLOCKS)
        )
        self.columns = split_evenly(len(self.H), threads)
        self.options = (*self.options, threads)

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``."""
        return list(self.pool.map(work, range(self.size)))

    def visit_all(self, update_W: bool, wanted: bool) -> float:
        """See `InParts`: each thread passes over its blocks."""

        def visit_blocks(r):
            blocks, soft_H = self.blocks[r :: self.size], self.soft_H[r]
            return sum(self.visit_rows(rows, soft_H, update_W, wanted) for rows in blocks)

        return sum(self.each(visit_blocks))

    def update_H(self) -> None:
        """See `InParts`: each thread has its columns."""
        block, H = self.block, self.lines[1]
        sums = np.zeros((self.size, 3, H.shape[1]))
        sums[0, 2] = self.problem.k - len(H)
        self.each(lambda r: passes.add_up(block, H, self.soft_H, *self.columns[r], sums[r]))
        found = passes.find_coefficients(self.smoothing, sums.sum(axis=0), self.rest)
        self.each(lambda r: passes.smooth(block, H, *self.columns[r], found))

    def sums_of_logs(self) -> tuple[float, float]:
        return self._sum_of_logs(self.W), self._sum_of_logs(self.H)

    def _sum_of_logs(self, factor):
        rows = split_evenly(len(factor), self.size)
        return sum(self.each(lambda r: sum_of_logs(factor[slice(*rows[r])])))


def share_out(indptr: np.ndarray, blocks: int) -> list[tuple[int, int]]:
    """Return so many ranges of rows, ``(start, stop)``, with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return list(pairwise(bounds.tolist()))


def split_evenly(size: int, parts: int) -> list[tuple[int, int]]:
    """Return so many ranges, ``(start, stop)``, of about the same size."""
    return list(pairwise(np.arange(parts + 1) * size // parts))
