"""EM pass by pass: on several threads, or with its passes done elsewhere.

Compiled work lets go of Python's global lock, so threads share it; handing it out costs a fraction
of a millisecond each time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from condprob.em import Problem, passes
from condprob.em.engines import Expectation
from condprob.jit import sum_of_logs
from condprob.smoothing import Smoothing

# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS_OF_THREAD = 8


class PassByPass(Expectation):
    """The engine of EM whose iteration is a call for each pass, on any number of threads.

    A subclass whose passes are done elsewhere has its own `visit_all`.

    Parameters
    ----------
    problem, W, H, smoothing, alternating, penalty
        See `em.engines.Expectation`.
    threads : int
        They end with the engine. ``soft_H`` has an entry for each.
    """

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        alternating: bool = False,
        penalty: float = 0.0,
        threads: int = 1,
    ) -> None:
        super().__init__(problem, W, H, smoothing, alternating, penalty)
        self.threads, self.columns = threads, split_evenly(len(H), threads)
        if threads > 1:
            self.soft_H, self.pool = np.repeat(self.soft_H, threads, 0), ThreadPoolExecutor(threads)
            self.blocks = share_out(
                problem.indptr, threads * (1 if problem.is_dense else BLOCKS_OF_THREAD)
            )
            self.options += (threads,)

    def iterate(self, iterations: int, wanted: bool) -> float:
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

    def visit_rows(
        self,
        rows: tuple[int, int],
        soft_H: np.ndarray,
        update_W: bool,
        wanted: bool,
        new_W: np.ndarray | None = None,
    ) -> float:
        """Pass over the pairs of some rows, ``(start, stop)``; ``new_W`` is ``W`` by default."""
        W, H = self.lines
        arrays = W, W if new_W is None else new_W, H, soft_H
        of_W, m = self.smoothing.of_W, self.rest.size
        return passes.visit_rows(
            self.visit, self.problem, *rows, *arrays, m, of_W, update_W, wanted
        )

    def visit_all(self, update_W: bool, wanted: bool) -> float:
        """Pass over all rows, each thread over its blocks, and add up the soft counts of ``H``."""

        def visit_blocks(r):
            blocks, soft_H = self.blocks[r :: self.threads], self.soft_H[r]
            return sum(self.visit_rows(rows, soft_H, update_W, wanted) for rows in blocks)

        return sum(self.each(visit_blocks))

    def update_H(self) -> None:
        """Replace ``H`` by its soft counts, smoothed; each thread has its columns."""
        H = self.lines[1]
        sums = np.zeros((self.threads, 3, H.shape[1]))
        sums[0, 2] = self.problem.k - len(H)
        self.each(lambda r: passes.add_up(H, self.soft_H, *self.columns[r], sums[r]))
        found = passes.find_coefficients(self.smoothing, sums.sum(axis=0), self.rest)
        self.each(lambda r: passes.smooth(H, *self.columns[r], found))

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``."""
        return list(self.pool.map(work, range(self.threads))) if self.threads > 1 else [work(0)]

    def sums_of_logs(self) -> tuple[float, float]:
        return self._sum_of_logs(self.W), self._sum_of_logs(self.H)

    def _sum_of_logs(self, factor):
        rows = split_evenly(len(factor), self.threads)
        return sum(self.each(lambda r: sum_of_logs(factor[slice(*rows[r])])))


def share_out(indptr: np.ndarray, blocks: int) -> list[tuple[int, int]]:
    """Return so many ranges of rows, ``(start, stop)``, with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return list(pairwise(bounds.tolist()))


def split_evenly(size: int, parts: int) -> list[tuple[int, int]]:
    """Return so many ranges, ``(start, stop)``, of about the same size."""
    return list(pairwise(np.arange(parts + 1) * size // parts))
