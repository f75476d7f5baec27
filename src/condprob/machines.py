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
from dataclasses import replace
from math import ceil
from os import PathLike
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy as np

from condprob import __version__, blocks
from condprob.blocks import Plan
from condprob.checkpoints import Checkpoint, checksum
from condprob.checks import Seed, check_seed
from condprob.em.passes import Task
from condprob.em.problem import Problem
from condprob.em.starts import draw_rows, skip
from condprob.em.threads import Team
from condprob.io import replacing, write_arrays
from condprob.model import worst_end
from condprob.sharded_matrix import ShardedMatrix
from condprob.shards import Part, Shards, Totals, check_shapes

if TYPE_CHECKING:
    from condprob.estimator import Estimator

PATIENCE = 1.0  # seconds between two looks at the workers while a sum is awaited; not measured


def fit_shards(
    estimator: "Estimator",
    shards: Shards,
    seed: Seed,
    client: Any,
    progress: bool = False,
    checkpoint: str | PathLike[str] | Checkpoint | None = None,
) -> ShardedMatrix:
    """Fit the sum of counts in files on the workers of a Dask client.

    Parameters
    ----------
    estimator : Estimator
    shards : list of str or path
        Files that `CountMatrix.save` wrote, of one shape. A context may be in several. Their number
        is that of the blocks.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    client : dask.distributed.Client
        Its machines share the files and the folder.
    progress : bool
    checkpoint : path or Checkpoint, optional
        A folder for the result. An unfinished fit has its state in it, with ``H`` of each
        iteration, and the same call goes on from there. By default ``fit``, beside the first shard.

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
    place = Checkpoint.at(checkpoint or Path(files[0]).with_name("fit"))
    with Machines(client, estimator, files, seed, place) as machines:
        machines.prepare()
        return machines.save(estimator.fit_on(machines, progress))


class Machines(Team):
    """The workers of a client as a team of EM, whose `visit` goes to all of them.

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
        super().__init__(1)
        self.client, self.checkpoint = client, place
        self.homes: dict[int, str] = {}  # the worker of each block
        self.kept = {"passes": np.zeros(1)}
        self.saved, self.logs_of_W = monotonic(), 0.0
        self.plan = Plan(token_hex(8), estimator, seed, files, [], os.path.abspath(place.path), "")

    def prepare(self) -> None:
        """Cut the rows into blocks, add up their totals, and name the fit."""
        name, _, _, files, *_ = self.plan
        names = [name] * len(files)
        shapes = self.client.gather(self.client.map(blocks.shape_of, names, files, pure=False))
        check_shapes(files, shapes)
        starts = self._add_up(self.client.map(blocks.starts_of, names, files, pure=False))
        rows = self.client.submit(blocks.cut, starts, len(files), pure=False).result()
        self.shape, self.plan = shapes[0], self.plan._replace(rows=rows)
        whole = Totals(*map(np.asarray, self.over_blocks(blocks.totals)))
        seen = np.flatnonzero(whole.distinct_contexts)
        row = np.array([0, seen.size]), seen, whole.column_sums[seen]
        self.pooled = Part((1, self.shape[1]), *row, whole=whole)
        options = repr((__version__, self.plan.estimator))
        fit = checksum(options, self.draw_H(1), *rows, *whole)
        state = Path(self.plan.result, f"unfinished-{fit}")
        state.mkdir(parents=True, exist_ok=True)
        self.plan = self.plan._replace(state=str(state))
        write_arrays(self.plan.file_of_totals(), whole._asdict())
        self.checkpoint = replace(self.checkpoint, path=state / "course.npz")

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=False)
        if self.client.status == "running":
            self.client.run(blocks.forget, self.plan.name, on_error="ignore")

    def begin(self) -> tuple[Problem, np.ndarray, float, int]:
        """Draw the start; return the problem of the pooled counts, ``H``, and two sums over rows.

        The entropy is that of all rows, and ``H`` has shape (rank, outcomes). The sums are of the
        logarithms of ``W``, and of the contexts without counts.
        """
        entropy, logs_of_W, unseen = self.over_blocks(blocks.begin)
        problem = Problem.of_counts(self.pooled)._replace(entropy=entropy)
        return problem, self.draw_H(self.plan.estimator.rank), logs_of_W, unseen

    def draw_H(self, rank: int) -> np.ndarray:
        """Return the start of ``H`` by `em.starts.random_factors`, shape (rank, outcomes)."""
        return draw_rows(skip(self.plan.seed, self.shape[0] * rank), rank, self.shape[1])

    def visit(self, problem: Problem, task: Task, whole_rows: bool | None, update_W: bool) -> float:
        """See `Team`; ``H`` goes out in a file, and the soft counts come back."""
        passes = int(self.kept["passes"][0])
        with replacing(self.plan.file_of_H(passes, update_W)) as file:
            np.save(file, task.H)
        is_due = update_W and monotonic() - self.saved >= self.checkpoint.seconds
        found = self.over_blocks(blocks.visit, passes, update_W, is_due)
        task.soft_H[0], likelihood, self.logs_of_W = found
        self.saved = monotonic() if is_due else self.saved
        self.kept["passes"] += update_W
        return likelihood

    def sum_logs(self, factor: np.ndarray) -> float:
        """See `Team`; those of ``W``, which has no rows here, were added up in the last pass."""
        return super().sum_logs(factor) if len(factor) else self.logs_of_W

    def save(self, fitted: Any) -> ShardedMatrix:
        """Write the matrix of each block to a file, and ``model.npz`` beside them; return it.

        ``fitted`` is the result of `Estimator.fit_on`.
        """
        (ends,) = self.over_blocks(blocks.save, int(self.kept["passes"][0]), fitted)
        files = tuple(str(self.plan.file_of_rows(b)) for b in range(len(self.plan.rows)))
        bounds = np.array([0, *(stop for _, stop in self.plan.rows)])
        found = ShardedMatrix(bounds, files, self.shape[1], worst_end(ends), self.client)
        found.save(Path(self.plan.result, "model.npz"))
        rmtree(self.plan.state)
        return found

    def over_blocks(self, function: Callable, *arguments: Any) -> tuple:
        """Return the sum of the tuples that a function gives for the blocks.

        The blocks of a worker that is gone go to others, which do again what it had not finished.
        """
        given: dict[int, tuple[str, Any]] = {}  # the worker, and the future
        while True:
            alive = self._settle()
            for b, home in self.homes.items():
                if b not in given or given[b][0] not in alive:
                    # A home is strict, or an idle worker would take a block that it does not have.
                    how = {"workers": [home], "pure": False}
                    given[b] = home, self.client.submit(function, self.plan, b, *arguments, **how)
            total = self._add_up([given[b][1] for b in range(len(self.plan.rows))])
            # In a thread, as a worker may end between the last task and the transfer of its result.
            answer = self._pool.submit(total.result)
            while all(home in alive for home, _ in given.values()):
                try:
                    return answer.result(timeout=PATIENCE)
                except TimeoutError:
                    alive = self.client.nthreads()
            total.cancel()

    def _settle(self) -> dict[str, int]:
        """Give each block a home among the workers; return these with their numbers of threads.

        A block stays where it is, unless its worker is gone or has more than its share.
        """
        while not (alive := self.client.nthreads()):
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
        """Return the future of the sum of tuples: of neighbours, then of their sums, and so on."""
        while len(futures) > 1:
            pairs = [futures[i : i + 2] for i in range(0, len(futures), 2)]
            futures = [
                self.client.submit(blocks.add, *pair, pure=False) if len(pair) > 1 else pair[0]
                for pair in pairs
            ]
        return futures[0]
