"""One fit on many machines, by Dask: rows stay where they are, and sums over rows travel.

The rows of all shards together are cut into blocks, as many as there are shards, with about the
same number of pairs. A worker adds up the rows of its blocks, and keeps them and their rows of
``W``. An iteration writes ``H`` to a folder that all machines share. Each block runs `em.passes` on
its rows, and the soft counts of ``H`` are added up along a binary tree of the blocks.

Blocks and tree depend on the shards alone: the numbers are the same bits whatever the workers are,
and one block has those of a fit in one process. A worker that has lost a block, or never had it,
makes it anew: from the shards, the last checkpoint of its ``W``, and each ``H`` since.
"""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from math import ceil
from os import PathLike
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy as np

from condprob import __version__
from condprob.blocks import Block, Plan, add, forget, work
from condprob.checkpoints import Checkpoint, checksum
from condprob.checks import Seed, check_seed
from condprob.counts import CountMatrix
from condprob.em import Expectation
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem
from condprob.em.starts import draw_rows, skip
from condprob.em.threads import share_out
from condprob.io import replacing, write_arrays
from condprob.jit import sum_of_logs
from condprob.model import worst_end
from condprob.sharded_matrix import ShardedMatrix
from condprob.shards import Part, Shards, Totals

if TYPE_CHECKING:
    from condprob.estimator import Estimator

PATIENCE = 1.0  # seconds between two looks at the workers while a sum is awaited; not measured
LONGEST = 300.0  # seconds that a fit waits for a first worker, or for another one; not measured
# Results that a task adds up: it takes the scheduler as long as any other. A power of two, so that
# the sums are those of a binary tree. The number itself was not measured.
SUMMANDS = 8


def fit_shards(
    estimator: "Estimator",
    shards: Shards,
    seed: Seed,
    client: Any,
    progress: bool,
    place: str | PathLike[str] | Checkpoint | None,
) -> ShardedMatrix:
    """Fit the sum of counts in files on the workers of a Dask client: see `Estimator.fit`.

    Raises
    ------
    ValueError
        If the method or its options need all pairs in one process, the shards do not go together,
        or the seed is a generator that cannot skip numbers.
    """
    check_seed(seed)
    if not estimator.fits_shards:
        raise ValueError(f"client: {type(estimator).__name__} needs all pairs in one process")
    if not isinstance(shards, list | tuple) or not shards:
        raise ValueError("client: a list of files of counts is needed, as add_shards takes it")
    files = [os.path.abspath(shard) for shard in shards]
    checkpoint = Checkpoint.at(place or Path(files[0]).with_name("fit"))
    with Machines(client, estimator, files, seed, checkpoint) as machines:
        machines.prepare()
        return machines.save(estimator.fit_on(machines, progress))


class Machines:
    """The workers of a client, with the blocks of a fit.

    Attributes
    ----------
    shape : (int, int)
        Of the counts.
    pooled : Part
        One row with the sums of all rows.
    checkpoint : Checkpoint
        Of what is kept here: ``H``, the course of the fit, and the number of passes.
    """

    def __init__(
        self, client: Any, estimator: "Estimator", files: list[str], seed: Seed, place: Checkpoint
    ) -> None:
        self.client, self.checkpoint = client, place
        self.homes: dict[int, str] = {}  # the worker of each block
        self.passes, self.logs_of_W = np.zeros(1), np.zeros(1)
        self.saved, self._pool = monotonic(), ThreadPoolExecutor(1)
        rows, result = [(0, 0)] * len(files), os.path.abspath(place.path)
        self.plan = Plan(token_hex(8), estimator, seed, files, rows, result, "")

    def prepare(self) -> None:
        """Cut the rows into blocks, add up their totals, and name the fit."""
        (starts,) = self.over_blocks(Block.find_starts)
        bounds = share_out(starts, len(self.plan.rows))
        rows = [(start, stop) for start, stop in bounds if start < stop]
        self.plan = self.plan._replace(rows=rows)
        whole = Totals(*map(np.asarray, self.over_blocks(Block.find_totals)))
        self.shape = starts.size - 1, whole.column_sums.size
        seen = np.flatnonzero(whole.distinct_contexts)
        row = np.array([0, seen.size]), seen, whole.column_sums[seen]
        self.pooled = Part.of(CountMatrix((1, self.shape[1]), *row), whole)
        options = repr((__version__, self.plan.estimator))
        fit = checksum(options, skip(self.plan.seed, 0).random(), *rows, *whole)
        state = Path(self.plan.result, f"unfinished-{fit}")
        state.mkdir(parents=True, exist_ok=True)
        self.plan = self.plan._replace(state=str(state))
        write_arrays(self.plan.file("totals.npz"), whole._asdict())
        self.checkpoint = replace(self.checkpoint, path=self.plan.file("course.npz"))

    def __enter__(self) -> "Machines":
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=False)
        if self.client.status == "running":
            alive = list(self._running())
            self.client.run(forget, self.plan.name, workers=alive, on_error="ignore")

    def begin(self) -> tuple[Problem, np.ndarray, float, int]:
        """Draw the start; return the problem of the pooled counts, ``H``, and two sums over rows.

        The entropy is that of all rows, and ``H`` has shape (rank, outcomes). The sums are of the
        logarithms of ``W``, and of the contexts without counts.
        """
        entropy, logs_of_W, unseen = self.over_blocks(Block.begin)
        problem = Problem.of_counts(self.pooled)._replace(entropy=entropy)
        rank, (contexts, outcomes) = self.plan.estimator.rank, self.shape
        H = draw_rows(skip(self.plan.seed, contexts * rank), rank, outcomes)
        return problem, H, logs_of_W, unseen

    def engine(
        self, problem: Problem, H: np.ndarray, alternating: bool, penalty: float
    ) -> Expectation:
        """Return the engine of the fit: see `em.Expectation`."""
        smoothing = Smoothing.of(*self.plan.estimator.smoothers)
        W = np.empty((0, H.shape[1]))
        return _OnWorkers(self, problem, W, H, smoothing, alternating, penalty)

    def visit(self, H: np.ndarray, update_W: bool) -> tuple[np.ndarray, float]:
        """Pass over all rows; return the soft counts of ``H``, and the likelihood, nats.

        ``H`` goes out in a file, and the soft counts come back.
        """
        passes = int(self.passes[0])
        with replacing(self.plan.file_of_H(passes, update_W)) as file:
            H.tofile(file)
        is_due = update_W and monotonic() - self.saved >= self.checkpoint.seconds
        found = self.over_blocks(Block.visit, passes, update_W, is_due)
        soft_H, likelihood, self.logs_of_W[:] = found
        self.saved = monotonic() if is_due else self.saved
        self.passes += update_W
        return soft_H, likelihood

    def save(self, fitted: Any) -> ShardedMatrix:
        """Write the matrix of each block to a file, and ``model.npz`` beside them; return it.

        ``fitted`` is the result of `Estimator.fit_on`.
        """
        files, ends = self.over_blocks(Block.save, int(self.passes[0]), fitted)
        bounds = np.array([0, *(stop for _, stop in self.plan.rows)])
        found = ShardedMatrix(bounds, tuple(files), self.shape[1], worst_end(ends), self.client)
        found.save(Path(self.plan.result, "model.npz"))
        # By its new name no worker finds it, such as one that still writes for an interrupted fit.
        rmtree(Path(self.plan.state).rename(f"{self.plan.state}-{self.plan.name}"))
        return found

    def over_blocks(self, task: Callable, *arguments: Any) -> tuple:
        """Return the sum of the tuples that a method of `Block` gives for the blocks.

        The blocks of a worker that is gone go to others, which do again what it had not finished.
        """
        given: dict[int, tuple[str, Any]] = {}  # the worker, and the future
        while True:
            alive = self._settle()
            for b in range(len(self.plan.rows)):
                if b not in given:
                    # A home is strict, or an idle worker would take a block that it does not have.
                    home, how = self.homes[b], {"workers": [self.homes[b]], "pure": False}
                    future = self.client.submit(work, self.plan, b, task, *arguments, **how)
                    given[b] = home, future
            total = self._add_up([given[b][1] for b in range(len(self.plan.rows))])
            # In a thread, as a worker may end between the last task and the transfer of its result.
            answer = self._pool.submit(total.result)
            while all(home in alive for home, _ in given.values()):
                if wait([answer], PATIENCE).done:
                    return answer.result()
                alive = self._running()
            total.cancel()
            given = {b: each for b, each in given.items() if each[0] in alive}

    def _running(self) -> dict[str, int]:
        """Return the number of threads of each worker that runs.

        Dask also lists workers that were killed while they registered, and gives them no task.
        """
        return self.client.sync(self.client.scheduler.ncores_running)

    def _settle(self) -> dict[str, int]:
        """Give each block a home among the workers that run; return these: see `_running`.

        A block stays where it is, unless its worker is gone or has more than its share.
        """
        start = monotonic()
        while not (alive := self._running()):
            if monotonic() - start > LONGEST:
                message = f"no worker of the cluster ran for {LONGEST:g} seconds"
                raise RuntimeError(f"client: {message}; the same call goes on where this one was")
            sleep(PATIENCE)
        size, held, homeless = len(self.plan.rows), Counter(), []
        share = ceil(size / sum(alive.values()))  # of a thread
        for b in range(size):
            home = self.homes.get(b)
            if held[home] < share * alive.get(home, 0):
                held[home] += 1
            else:
                homeless.append(b)
        free = [home for home in sorted(alive) for _ in range(share * alive[home] - held[home])]
        self.homes |= zip(homeless, free, strict=False)
        return alive

    def _add_up(self, futures: list) -> Any:
        """Return the future of the sum of tuples, by `blocks.add`."""
        while len(futures) > 1:
            groups = [futures[i : i + SUMMANDS] for i in range(0, len(futures), SUMMANDS)]
            futures = [self.client.submit(add, *group, pure=False) for group in groups]
        return futures[0]


class _OnWorkers(Expectation):
    """The engine of a fit whose rows, and their ``W``, are on the workers."""

    def __init__(self, machines: Machines, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.machines = machines
        self.state |= {"passes": machines.passes, "logs_of_W": machines.logs_of_W}

    def visit(self, update_W: bool, wanted: bool = True) -> float:
        """See `Expectation`."""
        self.soft_H[0], likelihood = self.machines.visit(self.H, update_W)
        return likelihood

    def sums_of_logs(self) -> tuple[float, float]:
        """See `Expectation`; that of ``W`` was found in the last pass."""
        return float(self.machines.logs_of_W[0]), sum_of_logs(self.H)
