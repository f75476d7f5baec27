"""The blocks of a fit on many machines, in the memory of its workers: see `machines`.

A function of a plan and the number of a block is a task of Dask. It brings its block to where it
has to be, whatever this process has of it: so it may run anywhere, and more than once.
"""

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
from condprob.em.threads import share_out
from condprob.io import read_arrays, write_arrays
from condprob.jit import sum_of_logs
from condprob.shards import Part, Totals, add_rows


class Plan(NamedTuple):
    """What a worker needs to make any block."""

    name: str  # of the fit, for the memory of the workers
    estimator: Any
    seed: Seed
    shards: list[str]
    rows: list[tuple[int, int]]  # of each block, ``(start, stop)``
    result: str  # a folder that all machines share
    state: str  # a folder in it, with the state of the fit

    def file_of_totals(self) -> Path:
        """Return where the totals of all shards are."""
        return Path(self.state, "totals.npz")

    def file_of_H(self, passes: int, update_W: bool) -> Path:
        """Return where ``H`` is after so many passes: for the next one, or for a look alone."""
        return Path(self.state, f"{'H' if update_W else 'look'}-{passes}.npy")

    def file_of_W(self, b: int) -> Path:
        """Return the checkpoint of a block's ``W``."""
        return Path(self.state, f"W-{b}.npz")

    def file_of_rows(self, b: int) -> Path:
        """Return where the matrix of a block is in the end."""
        return Path(self.result, f"rows-{b}.npz")


class Block:
    """Rows of the counts in the memory of a worker, and their ``W`` after some passes."""

    def __init__(self, plan: Plan, b: int) -> None:
        self.plan, self.number, self.lock = plan, b, Lock()
        self.passes = -1  # that ``W`` has seen; there is none yet

    @cached_property
    def counts(self) -> CountMatrix:
        """The rows, added up from the shards."""
        shards = [_shard(self.plan.name, shard) for shard in self.plan.shards]
        return add_rows(shards, self.plan.rows[self.number])

    @cached_property
    def part(self) -> Part:
        """The rows as a part of all."""
        arrays = self.counts.indptr, self.counts.outcomes, self.counts.values
        whole = Totals(**read_arrays(self.plan.file_of_totals()))
        return Part(self.counts.shape, *arrays, whole=whole)

    @cached_property
    def problem(self) -> Problem:
        """The rows as EM reads them."""
        return Problem.of_counts(self.part)

    def start(self) -> np.ndarray:
        """Draw ``W`` as one process does; return all its rows, shape (rows, m)."""
        (start, stop), m = self.plan.rows[self.number], self.plan.estimator.rank
        W = draw_rows(skip(self.plan.seed, start * m), stop - start, m)
        self.W, self.passes = W[self.part.seen_contexts], 0
        return W

    def reach(self, passes: int) -> None:
        """Bring ``W`` to where it is after so many passes."""
        if self.passes > passes:
            self.passes = -1
        if self.passes < passes and (file := self.plan.file_of_W(self.number)).exists():
            kept = read_arrays(file)
            if self.passes < kept["passes"] <= passes:
                self.W, self.passes = kept["W"], int(kept["passes"])
        if self.passes < 0:
            self.start()
        while self.passes < passes:
            self.visit(np.load(self.plan.file_of_H(self.passes, True)), True)

    def visit(self, H: np.ndarray, update_W: bool) -> tuple[np.ndarray, float]:
        """Pass over the rows; return the soft counts of ``H``, and the likelihood, nats."""
        smoothing = Smoothing.of(*self.plan.estimator.smoothers)
        engine = Expectation(self.problem, self.W, H, smoothing)
        likelihood = engine.find_likelihood(None, update_W)
        self.passes += update_W
        return engine.task.soft_H[0], likelihood


# By the name of a fit its blocks, by number, and its shards, by path, each checked once.
_MEMORY: dict[str, dict[int | str, Any]] = {}


def _block(plan: Plan, b: int) -> Block:
    block = _MEMORY.setdefault(plan.name, {}).setdefault(b, Block(plan, b))
    block.plan = plan  # the first tasks of a fit have no folder yet
    return block


def _shard(name: str, shard: str) -> CountMatrix:
    memory = _MEMORY.setdefault(name, {})
    if shard not in memory:
        memory[shard] = CountMatrix.load(shard, mmap=True)
    return memory[shard]


def forget(name: str) -> None:
    """Free the memory of a fit in this process."""
    _MEMORY.pop(name, None)


def add(x: tuple, y: tuple) -> tuple:
    """Return the sum of two results."""
    return tuple(a + b for a, b in zip(x, y, strict=True))


def shape_of(name: str, shard: str) -> tuple[int, int]:
    """Return the shape of the counts of a file."""
    return _shard(name, shard).shape


def starts_of(name: str, shard: str) -> tuple[np.ndarray]:
    """Return how many pairs stand before each row of a file, shape (contexts + 1,)."""
    return (_shard(name, shard).indptr,)


def cut(starts: tuple[np.ndarray], blocks: int) -> list[tuple[int, int]]:
    """Return the rows of each block, of which none is empty."""
    return [(start, stop) for start, stop in share_out(starts[0], blocks) if start < stop]


def totals(plan: Plan, b: int) -> tuple:
    """Return the `Totals` of a block."""
    block = _block(plan, b)
    with block.lock:
        return tuple(Totals.of(block.counts))


def begin(plan: Plan, b: int) -> tuple[float, float, int]:
    """Draw the start of ``W``; return `Problem.entropy`, the sum of its logarithms, unseen rows."""
    block = _block(plan, b)
    with block.lock:
        W = block.start()
        return block.problem.entropy, float(np.log(W).sum()), len(W) - len(block.W)


def visit(plan: Plan, b: int, passes: int, update_W: bool, is_due: bool) -> tuple:
    """Do a pass after so many others; return what `Block.visit` does, and the logarithms of ``W``.

    If it is due, ``W`` is written to its checkpoint. The sum of logarithms is that of the penalty.
    """
    block = _block(plan, b)
    with block.lock:
        block.reach(passes)
        found = block.visit(np.load(plan.file_of_H(passes, update_W)), update_W)
        if is_due:
            kept = {"W": block.W, "passes": np.array(block.passes)}
            write_arrays(plan.file_of_W(b), kept)
        return *found, sum_of_logs(block.W) if plan.estimator.penalty else 0.0


def save(plan: Plan, b: int, passes: int, fitted: Any) -> tuple[list[str]]:
    """Write the matrix of a block; return how its fit ended. See `Estimator.fit_on`."""
    block = _block(plan, b)
    with block.lock:
        if fitted is None:
            matrix = plan.estimator.fit_counts(block.part, plan.seed, False)
        else:
            block.reach(passes)
            H = np.load(plan.file_of_H(passes, False))
            matrix = plan.estimator.matrix_of_part(block.part, block.W, H, fitted)
        matrix.save(plan.file_of_rows(b))
        return ([matrix.ended],)
