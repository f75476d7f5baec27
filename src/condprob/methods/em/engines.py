"""The engine of EM, on one thread or several, which `em.iterate` calls.

An engine of other soft counts has the methods ``step``, ``steps`` and ``objective``, and the
attributes ``problem``, ``W``, ``H``, ``rest``, ``state`` and ``options``.

Compiled work lets go of Python's global lock, so threads share it; handing it out costs a fraction
of a millisecond each time.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from math import inf, isfinite
from typing import Any

import numpy as np

from condprob.checks.entries import weighted_logs
from condprob.methods.em import Problem, passes
from condprob.methods.smoothing import Smoothing, coefficients_of_vectors
from condprob.methods.vectors import LANES, empty_lines, in_lines

# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS_OF_THREAD = 8
# Products whose logarithms are taken together: bounds their memory. Not measured.
PRODUCTS_AT_ONCE = 1 << 20
NO_PRODUCTS = np.empty(0)
# Floats that iterations visit between two looks at progress and checkpoint, about two milliseconds
# of work; and those whose visit would take as long as the two calls of an iteration.
FLOATS_BETWEEN_LOOKS, FLOATS_OF_CALLS = 1 << 22, 1 << 12


class Expectation:
    """The engine of EM: passes over the rows of a problem.

    A subclass whose passes are done elsewhere has its own `visit_all`.

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
        They end with the engine. ``soft_H`` has an entry for each.

    Attributes
    ----------
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The factors after the last iteration, views of ``lines``: of both as `passes` has them.
    rest, soft_H : numpy.ndarray
        See `passes`. Before the first iteration ``rest`` is zero, between two ``soft_H`` is.
    state : dict of numpy.ndarray
        What an iteration changes in place, for a checkpoint.
    options : tuple
        Numbers and names that, with problem, start and `iterate`'s options, determine the fit.
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
        self.problem, self.smoothing, self.alternating = problem, smoothing, alternating
        self.penalty_of_start, self.threads = penalty, threads
        self.lines = in_lines(W), in_lines(H)
        self.W, self.H = (lines[:, : W.shape[1]] for lines in self.lines)
        shape, self.rest = self.lines[1].shape, np.zeros(W.shape[1])
        self.soft_H = in_lines(np.zeros((threads, self.lines[1].size))).reshape(threads, *shape)
        self.sums = np.empty((threads, 3, shape[1]))
        self.of_H = smoothing.constant, smoothing.discount, problem.k - len(H)
        arrays = self.lines[1], self.soft_H, *self.of_H, self.sums, self.rest
        self.update_columns = partial(passes.update_columns, *arrays)
        self.state = {"W": self.W, "H": self.H, "rest": self.rest}
        self.options: tuple = (*smoothing, alternating)
        self.blocks = [(0, problem.sums.size)]
        if threads > 1:
            self.pool = ThreadPoolExecutor(threads)
            self.blocks = split_by_pairs(
                problem.indptr, threads * (1 if problem.is_dense else BLOCKS_OF_THREAD)
            )
            self.columns = split_evenly(len(H), threads)
            self.options += (threads,)
        of_classes = np.zeros(problem.sums.shape), np.full(problem.sums.shape, float(W.shape[1]))
        _, a, z = coefficients_of_vectors(smoothing.of_W, 0.0, problem.sums, *of_classes)
        self.scale, self.share = 1.0 / z, a / z
        self.is_dense = problem.is_dense
        floats = problem.values.size * shape[1]
        if self.is_dense:
            floats = self.scale.size * self.lines[1].size
            self.room = [in_fours(2 + 2 * W.shape[1], len(H)) for _ in range(threads)]
            self.base = in_fours(1, len(H))[0]
            self.base[: len(H)], self.base[len(H) :] = problem.base, 0.0
        else:
            self.room = [empty_lines(1, W.shape[1])[0] for _ in range(threads)]
        self.at_once = 1 + FLOATS_BETWEEN_LOOKS // (floats + FLOATS_OF_CALLS)

    def step(self, wanted: bool = True) -> float:
        """Do an iteration; return the objective before it, nats, infinite unless ``wanted``."""
        penalty = self.penalty() if wanted else 0.0
        likelihood = self.visit_all(True, wanted)
        if self.alternating:
            self.soft_H[:] = 0.0
            self.visit_all(False, False)
        self.update_H()
        return self._objective(likelihood, penalty) if wanted else inf

    def steps(self, most: int) -> int:
        """Do iterations, at most so many, without the objective; return how many."""
        count = min(most, self.at_once)
        if self.threads > 1 or self.alternating:
            for _ in range(count):
                self.step(False)
            return count
        visit = self._pass(self.blocks[0], 0, True, self.lines[0])
        for _ in range(count):
            visit()
            self.update_columns()
        return count

    def objective(self) -> float:
        """Return the objective of the factors as they are, nats."""
        likelihood = self.visit_all(False, True)
        self.soft_H[:] = 0.0
        return self._objective(likelihood, self.penalty())

    def _objective(self, likelihood: float, penalty: float) -> float:
        check_possible(likelihood)
        return self.problem.entropy - likelihood - penalty

    def visit_all(self, update_W: bool, wanted: bool) -> float:
        """Pass over all rows, each thread over its blocks, and add up the soft counts of ``H``.

        Returns the likelihood before the pass, ``sum C log(W H)``, nats, or zero unless it is
        ``wanted``.
        """
        if self.threads == 1:
            return self.visit_rows(self.blocks[0], 0, update_W, wanted)

        def visit_blocks(r: int) -> float:
            blocks = self.blocks[r :: self.threads]
            return sum([self.visit_rows(rows, r, update_W, wanted) for rows in blocks])

        return sum(self.each(visit_blocks))

    def visit_rows(
        self,
        rows: tuple[int, int],
        thread: int,
        update_W: bool,
        wanted: bool,
        new_W: np.ndarray | None = None,
    ) -> float:
        """Pass over the pairs of some rows, ``(start, stop)``; ``new_W`` is ``W`` by default."""
        given = thread, update_W, self.lines[0] if new_W is None else new_W
        if not wanted:
            self._pass(rows, *given)()
            return 0.0
        return sum(self._visit(part, *given) for part in self._parts(*rows))

    def _pass(
        self,
        rows: tuple[int, int],
        thread: int,
        update_W: bool,
        new_W: np.ndarray,
        products: np.ndarray = NO_PRODUCTS,
    ) -> Callable[[], None]:
        """Return the compiled pass over some rows, with all that it takes: see `passes`."""
        P, (W, H) = self.problem, self.lines
        arrays = W, new_W, H, self.soft_H[thread], self.scale, self.share, self.room[thread]
        further = *rows, *arrays, update_W, products
        pairs = P.indptr, P.outcomes, P.values
        if self.is_dense:
            return partial(passes.visit_densely, *pairs, P.background, self.base, *further)
        return partial(passes.visit, *pairs, *further)

    def _parts(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield parts of a range of rows, of about `PRODUCTS_AT_ONCE` products or of one row."""
        indptr, width = self.problem.indptr, len(self.H)
        while start < stop:
            if self.is_dense:
                end = start + PRODUCTS_AT_ONCE // max(width, 1)
            else:
                most = indptr[start] + PRODUCTS_AT_ONCE
                end = int(np.searchsorted(indptr, most, "right")) - 1
            end = min(max(end, start + 1), stop)
            yield start, end
            start = end

    def _visit(
        self, rows: tuple[int, int], thread: int, update_W: bool, new_W: np.ndarray
    ) -> float:
        """Pass over some rows; return the likelihood of their pairs, nats."""
        (start, stop), P, width = rows, self.problem, len(self.H)
        pairs = slice(P.indptr[start], P.indptr[stop])
        if not self.is_dense:
            products = np.empty(pairs.stop - pairs.start)
            self._pass(rows, thread, update_W, new_W, products)()
            return weighted_logs(P.values[pairs], products)
        products = np.empty(0) if start == stop else in_fours(stop - start, width).ravel()
        self._pass(rows, thread, update_W, new_W, products)()
        counts = np.multiply.outer(P.background[start:stop], P.base)
        of_pairs = np.repeat(np.arange(stop - start), np.diff(P.indptr[start : stop + 1]))
        counts[of_pairs, P.outcomes[pairs]] += P.values[pairs]
        return weighted_logs(counts, products.reshape(stop - start, -1)[:, :width])

    def update_H(self) -> None:
        """Replace ``H`` by its soft counts, smoothed; each thread has its columns."""
        if self.threads == 1:
            self.update_columns()
            return
        H, sums = self.lines[1], self.sums
        self.each(lambda r: passes.add_up_columns(H, self.soft_H, *self.columns[r], sums[r]))
        passes.find_coefficients(*self.of_H, sums, self.rest)
        self.each(lambda r: passes.smooth(H, *self.columns[r], sums[0]))

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``; there are several."""
        return list(self.pool.map(work, range(self.threads)))

    def penalty(self) -> float:
        """Return the penalty of Eq. (3) of the factors as they are, nats."""
        if not (self.smoothing.is_penalised and self.rest.any()):
            return self.penalty_of_start
        logs_of_unseen = (self.problem.k - len(self.H)) * float(np.log(self.rest).sum())
        return self.smoothing.constant * (sum(self.sums_of_logs()) + logs_of_unseen)

    def sums_of_logs(self) -> tuple[float, float]:
        """Return the sums of the logarithms of ``W`` and of ``H``."""
        return float(np.log(self.W).sum()), float(np.log(self.H).sum())


def in_fours(rows: int, columns: int) -> np.ndarray:
    """Return room for rows of so many columns, of whole lines in fours, of any numbers."""
    return empty_lines(rows, -(-columns // (4 * LANES)) * 4 * LANES)


def split_by_pairs(indptr: np.ndarray, blocks: int) -> list[tuple[int, int]]:
    """Return so many ranges of rows, ``(start, stop)``, with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return list(pairwise(bounds.tolist()))


def split_evenly(size: int, parts: int) -> list[tuple[int, int]]:
    """Return so many ranges, ``(start, stop)``, of about the same size."""
    return list(pairwise((np.arange(parts + 1) * size // parts).tolist()))


def check_possible(likelihood: float) -> None:
    """Raise ValueError unless a likelihood is finite."""
    if not isfinite(likelihood):
        raise ValueError("initial: the factors give probability zero to an observed pair")
