"""The blocks of a fit on many machines, in the memory of its workers: see `machines`.

A task of Dask is a method of `Block` on a block of a plan. It brings its block to where it has to
be, whatever this process has of it: so it may run anywhere, and more than once.
"""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.em import Expectation
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem
from condprob.em.starts import draw_rows, skip
from condprob.io import read_arrays, write_arrays
from condprob.jit import sum_of_logs
from condprob.shards import Part, Totals, add_rows, check_shapes

# By the name of a fit its blocks, by number, and its shards, by path, each checked once. A fit that
# is over has None: its last tasks may come late, and must not make a block anew.
_MEMORY: dict[str, dict[int | str, Any] | None] = {}


class Plan(NamedTuple):
    """What a worker needs to make any block."""

    name: str  # of the fit, for the memory of the workers
    estimator: Any
    seed: Seed
    shards: list[str]
    rows: list[tuple[int, int]]  # of each block, ``(start, stop)``
    result: str  # a folder that all machines share
    state: str  # a folder in it, with the state of the fit; empty before the fit has a name

    def file(self, name: str) -> Path:
        """Return a file of the state."""
        return Path(self.state, name)

    def file_of_H(self, passes: int, update_W: bool) -> Path:
        """Return where ``H`` is after so many passes: for the next one, or for a look alone."""
        return self.file(f"{'H' if update_W else 'look'}-{passes}")

    def read_H(self, passes: int, update_W: bool) -> np.ndarray:
        """Return the array of that file, shape (columns, m)."""
        return np.fromfile(self.file_of_H(passes, update_W)).reshape(-1, self.estimator.rank)


class Block:
    """Rows of the counts in the memory of a worker, and their ``W`` after some passes.

    The public methods are tasks. Each returns a tuple; those of all blocks are added up.
    """

    def __init__(self, plan: Plan, number: int, memory: dict[int | str, Any]) -> None:
        self.plan, self.number, self.memory, self.lock = plan, number, memory, Lock()
        self.passes = -1  # that ``W`` has seen; there is none yet

    @cached_property
    def _counts(self) -> CountMatrix:
        """The rows, added up from the shards."""
        return add_rows(list(map(self._shard, self.plan.shards)), self.plan.rows[self.number])

    @cached_property
    def _part(self) -> Part:
        """The rows as a part of all."""
        return Part.of(self._counts, Totals(**read_arrays(self.plan.file("totals.npz"))))

    @cached_property
    def _problem(self) -> Problem:
        """The rows as EM reads them."""
        return Problem.of_counts(self._part)

    def _shard(self, file: str) -> CountMatrix:
        if file not in self.memory:
            self.memory[file] = CountMatrix.load(file, mmap=True)
        return self.memory[file]

    def find_starts(self) -> tuple[np.ndarray]:
        """Return how many pairs the shard of this number has before each row.

        Shape (contexts + 1,). Raises ValueError if the first shard has another shape.
        """
        files = [self.plan.shards[0], self.plan.shards[self.number]]
        first, own = map(self._shard, files)
        check_shapes(files, [first.shape, own.shape])
        return (own.indptr,)

    def find_totals(self) -> tuple:
        """Return the `Totals` of the rows."""
        return tuple(Totals.of(self._counts))

    def begin(self) -> tuple[float, float, int]:
        """Draw the start of ``W`` as one process does, shape (rows, m).

        Return `Problem.entropy`, the sum of the logarithms of ``W``, and of rows without counts.
        """
        (start, stop), m = self.plan.rows[self.number], self.plan.estimator.rank
        W = draw_rows(skip(self.plan.seed, start * m), stop - start, m)
        self.W, self.passes = W[self._part.seen_contexts], 0
        return self._problem.entropy, float(np.log(W).sum()), len(W) - len(self.W)

    def visit(self, passes: int, update_W: bool, is_due: bool) -> tuple[np.ndarray, float, float]:
        """Do a pass after so many others; if it is due, write ``W`` to its checkpoint.

        Return the soft counts of ``H``, the likelihood, nats, and for the penalty the sum of the
        logarithms of ``W``.
        """
        self._reach(passes)
        found = self._pass(update_W)
        if is_due:
            kept = {"W": self.W, "passes": np.array(self.passes)}
            write_arrays(self.plan.file(f"W-{self.number}.npz"), kept)
        return *found, sum_of_logs(self.W) if self.plan.estimator.penalty else 0.0

    def save(self, passes: int, fitted: Any) -> tuple[list[str], list[str]]:
        """Write the matrix of the rows; return its file, and how its fit ended.

        ``fitted`` is the result of `Estimator.fit_on`.
        """
        if fitted is None:
            matrix = self.plan.estimator.fit_counts(self._part, self.plan.seed, False)
        else:
            self._reach(passes)
            H = self.plan.read_H(passes, False)
            matrix = self.plan.estimator.matrix_of_part(self._part, self.W, H, fitted)
        matrix.save(file := Path(self.plan.result, f"rows-{self.number}.npz"))
        return [str(file)], [matrix.ended]

    def _reach(self, passes: int) -> None:
        """Bring ``W`` to where it is after so many passes."""
        if self.passes > passes:
            self.passes = -1
        if self.passes < passes and (file := self.plan.file(f"W-{self.number}.npz")).exists():
            kept = read_arrays(file)
            if self.passes < kept["passes"] <= passes:
                self.W, self.passes = kept["W"], int(kept["passes"])
        if self.passes < 0:
            self.begin()
        while self.passes < passes:
            self._pass(True)

    def _pass(self, update_W: bool) -> tuple[np.ndarray, float]:
        """Pass over the rows; return the soft counts of ``H``, and the likelihood, nats."""
        H = self.plan.read_H(self.passes, update_W)
        smoothing = Smoothing.of(*self.plan.estimator.smoothers)
        engine = Expectation(self._problem, self.W, H, smoothing)
        likelihood = engine.visit(update_W)
        self.passes += update_W
        return engine.soft_H[0], likelihood


def work(plan: Plan, b: int, task: Callable, *arguments: Any) -> tuple:
    """Do a task on a block, which is made here if it is not there."""
    memory = _MEMORY.setdefault(plan.name, {})
    if memory is None:
        return ()
    block = memory.setdefault(b, Block(plan, b, memory))
    with block.lock:
        block.plan = plan  # the first tasks of a fit have no folder yet
        return task(block, *arguments)


def forget(name: str) -> None:
    """Free the memory of a fit in this process."""
    _MEMORY[name] = None


def add(*results: tuple) -> tuple:
    """Return the sum of results: of neighbours, then of their sums, and so on."""
    while len(results) > 1:
        pairs, odd = zip(results[::2], results[1::2], strict=False), len(results) % 2
        sums = [tuple(a + b for a, b in zip(x, y, strict=True)) for x, y in pairs]
        results = (*sums, *results[len(results) - odd :])
    return results[0]
