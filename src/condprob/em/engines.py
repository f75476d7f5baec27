"""Engines of EM: an iteration on one thread, on several, or with its passes done elsewhere.

`em.iterate` calls the method ``step`` of an engine. Compiled work lets go of Python's global lock,
so threads share it; handing it out costs a fraction of a millisecond each time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import inf, isfinite
from typing import Any, ClassVar

import numpy as np

from condprob.em import Problem, passes
from condprob.em.passes import Smoothing
from condprob.jit import address_of, sum_of_logs
from condprob.vectors import Width, in_lines, width_of

# Classes of the widest row that is compiled as a whole: more do not stay in registers. So there are
# eleven widths at most.
WIDEST = 64
# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS = 8


class Expectation:
    """The engine of EM: passes over the rows of a problem, on one thread or several.

    An engine of other soft counts has the method `step` and the attributes but ``lines``,
    ``new_W`` and ``soft_H``. A subclass whose passes are done elsewhere has its own `visit_all`,
    and ``is_compiled`` false.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The start; copied.
    smoothing : Smoothing
    alternating : bool
        Whether ``H`` is updated from the product with the new ``W``.
    penalty : float
        The penalty of Eq. (3) at the start, nats.
    threads : int
        They end with the engine.

    Attributes
    ----------
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The factors after the last iteration, views of ``lines``.
    lines : (numpy.ndarray, numpy.ndarray), shapes (rows, entries) and (columns, entries)
        Both as they are stored: see `vectors.in_lines`.
    new_W : numpy.ndarray, shape (rows, entries)
        Where an iteration writes ``W``: in the place of the old one.
    rest : numpy.ndarray, shape (m,)
        See `em.Fit`; zero before the first iteration.
    soft_H : numpy.ndarray, shape (threads, columns, entries)
        Soft counts without their last factor, ``H``; zero between two iterations.
    state : dict of numpy.ndarray
        What an iteration changes in place, for a checkpoint.
    options : tuple
        Numbers and names that, with problem, start and schedule, determine the fit.
    is_compiled : bool
        Whether iterations on one thread are one compiled loop.
    """

    is_compiled: ClassVar[bool] = True

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
        self.problem, self.smoothing, self.alternating = problem, smoothing, alternating
        self.penalty_of_start, self.threads = penalty, threads
        self.lines = in_lines(W), in_lines(H)
        self.new_W = self.lines[0]
        self.W, self.H = (lines[:, : W.shape[1]] for lines in self.lines)
        self.soft_H, self.rest = in_lines(np.zeros(H.shape))[None], np.zeros(W.shape[1])
        self.state = {"W": self.W, "H": self.H, "rest": self.rest}
        self.options: tuple = (*smoothing, alternating)
        self.columns = split_evenly(len(H), threads)
        if threads > 1:
            self.soft_H, self.pool = np.repeat(self.soft_H, threads, 0), ThreadPoolExecutor(threads)
            self.blocks = share_out(problem.indptr, threads * (1 if problem.is_dense else BLOCKS))
            self.options += (threads,)
        self.block, self.visit = find_pass(problem, *self.lines, self.rest.size)

    def step(self, iterations: int = 1, wanted: bool = True) -> float:
        """Do iterations; return the objective before the last, nats, infinite unless ``wanted``.

        Where there are none it is that of the factors as they are. It is wanted of one or none.
        """
        penalty = self.penalty() if wanted else 0.0
        likelihood = self.iterate(iterations, wanted)
        if not wanted:
            return inf
        check_possible(likelihood)
        return self.problem.entropy - likelihood - penalty

    def iterate(self, iterations: int, wanted: bool) -> float:
        """Do iterations; return the log-likelihood before the last, nats: see `passes.iterate`.

        That does on one thread, compiled as a whole, what is done here pass by pass.
        """
        if self.is_compiled and self.threads == 1:
            return passes.iterate(
                self.visit,
                self.block,
                self.problem,
                self.alternating,
                *self.lines,
                self.soft_H,
                self.smoothing,
                self.rest,
                iterations,
                wanted,
            )
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
        self, rows: tuple[int, int], soft_H: np.ndarray, update_W: bool, wanted: bool
    ) -> float:
        """Pass over the pairs of some rows, ``(start, stop)``: see `passes.sparse_pass`."""
        arrays = self.lines[0], self.new_W, self.lines[1], soft_H
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
        block, H = self.block, self.lines[1]
        sums = np.zeros((self.threads, 3, H.shape[1]))
        sums[0, 2] = self.problem.k - len(H)
        self.each(lambda r: passes.add_up(block, H, self.soft_H, *self.columns[r], sums[r]))
        found = passes.find_coefficients(self.smoothing, sums.sum(axis=0), self.rest)
        self.each(lambda r: passes.smooth(block, H, *self.columns[r], found))

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``."""
        return list(self.pool.map(work, range(self.threads))) if self.threads > 1 else [work(0)]

    def penalty(self) -> float:
        """Return the penalty of Eq. (3) of the factors as they are, nats."""
        if not (self.smoothing.is_penalised and self.rest.any()):
            return self.penalty_of_start
        unseen = self.problem.k - len(self.H)
        return passes.find_penalty(self.smoothing, *self.sums_of_logs(), unseen, self.rest)

    def sums_of_logs(self) -> tuple[float, float]:
        """Return the sums of the logarithms of ``W`` and of ``H``."""
        return self._sum_of_logs(self.W), self._sum_of_logs(self.H)

    def _sum_of_logs(self, factor):
        if self.threads == 1:
            return sum_of_logs(np.ascontiguousarray(factor))
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


def find_pass(problem: Problem, W: np.ndarray, H: np.ndarray, m: int) -> tuple[Width, Any]:
    """Return the width of one vector, and the address of the pass over a problem.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, entries) and (columns, entries)
    m : int
        The number of classes.
    """
    width = width_of(m)
    if problem.is_dense:
        found = passes.dense_pass
    else:
        found = passes.wide_pass if m > WIDEST else passes.sparse_pass(width)
    return ((None,), width[1]), address_of(found, problem, 0, 0, W, W, H, H, m, 0.0, True, True)


def check_possible(likelihood: float) -> None:
    """Raise ValueError unless a likelihood is finite."""
    if not isfinite(likelihood):
        raise ValueError("the starting factors give probability zero to a pair that was seen")
