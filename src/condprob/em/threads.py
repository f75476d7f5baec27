"""The iteration of EM on several threads, for compiled work lets go of Python's global lock.

Handing out the work costs a fraction of a millisecond each time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from condprob.em import passes
from condprob.em.passes import Task
from condprob.em.problem import Problem
from condprob.jit import sum_of_logs

# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS = 8


class Team:
    """So many threads, which are there from ``with`` to its end.

    Attributes
    ----------
    size : int
    kept : dict of numpy.ndarray
        The state of a team, for a checkpoint.
    """

    kept: ClassVar[dict[str, np.ndarray]] = {}

    def __init__(self, size: int) -> None:
        self.size = size

    def __enter__(self) -> "Team":
        self._pool = ThreadPoolExecutor(self.size)
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown()

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``."""
        return list(self._pool.map(work, range(self.size)))

    def iterate(self, problem: Problem, task: Task, whole_rows: bool | None) -> tuple[float, float]:
        """Do one iteration of `passes.iterate`; return its likelihood and penalty, nats."""
        W, H, soft_H, rest, smoothing, is_alternating = task
        found, penalty = self.visit(problem, task, whole_rows, True), 0.0
        if is_alternating:
            soft_H[:] = 0.0
            self.visit(problem, task, whole_rows, False)
        columns = split_evenly(len(H), self.size)
        unseen_outcomes = problem.k - len(H)
        sums = np.zeros((self.size, 3, H.shape[1]))
        sums[0, 2] = unseen_outcomes
        self.each(lambda r: passes.add_up(H, soft_H, *columns[r], *sums[r]))
        b, a, scale = np.empty((3, rest.size))
        passes.find_coefficients(smoothing, *sums.sum(axis=0), b, a, scale)
        self.each(lambda r: passes.smooth(H, *columns[r], b, a, scale))
        rest[:] = a * scale
        if passes.is_penalised(smoothing):
            logs = self.sum_logs(W), self.sum_logs(H)
            penalty = passes.find_penalty(smoothing, *logs, unseen_outcomes, rest)
        return found, penalty

    def sum_logs(self, factor: np.ndarray) -> float:
        """Return the sum of the logarithms of a factor."""
        rows = split_evenly(len(factor), self.size)
        return sum(self.each(lambda r: sum_of_logs(factor[slice(*rows[r])])))

    def visit(self, problem: Problem, task: Task, whole_rows: bool | None, update_W: bool) -> float:
        """Pass over all rows, each thread over its blocks; return ``sum C log(W H)``, nats."""
        how = problem, task, whole_rows
        parts = share_out(problem.indptr, self.size * (BLOCKS if whole_rows is None else 1))

        def visit_blocks(r):
            return sum(passes.visit(*how, block, update_W, r) for block in parts[r :: self.size])

        return sum(self.each(visit_blocks))


def share_out(indptr: np.ndarray, blocks: int) -> list[tuple[int, int]]:
    """Return so many ranges of rows, ``(start, stop)``, with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return list(pairwise(bounds.tolist()))


def split_evenly(size: int, parts: int) -> list[tuple[int, int]]:
    """Return so many ranges, ``(start, stop)``, of about the same size."""
    return list(pairwise(np.arange(parts + 1) * size // parts))
