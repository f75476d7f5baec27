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


class Threads(Expectation):
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

    def visit(self, update_W: bool, wanted: bool = True) -> float:
        """See `Expectation`: each thread passes over its blocks."""

        def visit_blocks(r):
            how = self.soft_H[r], update_W, wanted
            return sum(self.visit_rows(*block, *how) for block in self.blocks[r :: self.size])

        return sum(self.each(visit_blocks))

    def update_H(self) -> None:
        """See `Expectation`: each thread has its columns."""
        block, H = self.block, self.lines[1]
        sums = np.zeros((self.size, 3, H.shape[1]))
        sums[0, 2] = self.problem.k - len(H)
        self.each(lambda r: passes.add_up(block, H, self.soft_H, *self.columns[r], sums[r]))
        found = passes.find_coefficients(self.smoothing, sums.sum(axis=0), self.rest)
        self.each(lambda r: passes.smooth(block, H, *self.columns[r], found))

    def sums_of_logs(self) -> tuple[float, float]:
        """See `Expectation`."""
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
