"""The parts of a fit on Dask workers, and a fit of 5e9 pairs on 16 machines that adds them up.

    python benchmarks/machines.py FOLDER

Times are those of processors, so that other work on the machine matters little. Passes over pairs
are timed in their threads. The rest is the time of whole processes by `getrusage`, less the time
that idle processes take. The client and the scheduler are this process. Results go to
benchmarks/machines.csv.
"""

import resource
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import dask
import numpy as np
from dask.distributed import Client, LocalCluster
from em_kernels import Library
from measure import Results
from problems import Problem

from condprob import Checkpoint, CountMatrix, method
from condprob.blocks import Block
from condprob.machines import Machines

CSV = Path(__file__).parent / "machines.csv"
PAIRS, CONTEXTS, OUTCOMES, RANK = 10_200_000, 1_000_000, 20_000, 16  # of a shard, as drawn
ROUNDS = 9
ON_PAPER, MACHINES, CORES, ITERATIONS = 5e9, 16, 8, 200
# Dask samples the stack of a worker a hundred times a second, and looks at its loops fifty times.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}


def processor():
    """Return the processor time of this process, seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def send_sums(block):
    """Return what a block sends after a pass, without the pass."""
    return np.zeros((OUTCOMES, block.plan.estimator.rank)), 0.0, 0.0


def visit(block, *arguments):
    """Return what `Block.visit` does, and the seconds of its thread."""
    start = time.thread_time()
    return *block.visit(*arguments), time.thread_time() - start


class Timed(Machines):
    """Machines that know how long the last pass took on all workers, ``seconds``."""

    def over_blocks(self, task, *arguments):
        if task is not Block.visit:
            return super().over_blocks(task, *arguments)
        *found, self.seconds = super().over_blocks(visit, *arguments)
        return tuple(found)


class Meter:
    """The processor time of the workers and of this process, less that of idle processes."""

    def __init__(self, client):
        self.client, self.idle = client, np.zeros(2)
        self.time(partial(time.sleep, 1))
        self.idle = self.time(partial(time.sleep, 10)) / 10

    def time(self, run):
        """Return the seconds of both that a call takes."""
        before = self.read()
        run()
        *both, wall = self.read() - before
        return both - self.idle * wall

    def read(self):
        workers = sum(self.client.run(processor).values())
        return np.array([workers, processor(), time.perf_counter()])


def draw(folder, number, of):
    """Write a shard of ``of``, whose contexts are its own, unless it is there; return its file."""
    if not (file := folder / f"{number}-{of}.npz").exists():
        rng = np.random.default_rng(number)
        contexts = rng.integers(0, CONTEXTS, PAIRS) + number * CONTEXTS
        outcomes = (rng.random(PAIRS) ** 1.6 * OUTCOMES).astype(np.int32)
        shape = of * CONTEXTS, OUTCOMES
        CountMatrix.from_pairs(contexts, outcomes, shape=shape).save(file)
    return str(file)


def passes_on_workers(stack, client, folder, of):
    """Return a function that does an iteration of so many shards; its pass takes the result."""
    estimator, files = method("ad-lr", rank=RANK), [draw(folder, each, of) for each in range(of)]
    machines = Timed(client, estimator, files, 0, Checkpoint(folder / f"fit-{of}", seconds=1e9))
    stack.enter_context(machines).prepare()
    problem, H, _, _ = machines.begin()
    H = np.ascontiguousarray(H[:, machines.pooled.seen_outcomes].T)
    engine = machines.engine(problem, H, False, 0.0)

    def iterate():
        engine.step(wanted=False)
        return machines.seconds

    return iterate


def in_thread(run):
    """Return a function that returns the seconds of this thread that a call takes."""

    def timed():
        start = time.thread_time()
        run()
        return time.thread_time() - start

    return timed


def time_sums(results, meter, stack, folder, blocks):
    """Time sums of so many blocks without passes; return the seconds of both."""
    files, place = [draw(folder, 0, 1)] * blocks, Checkpoint(folder / "none")
    team = stack.enter_context(Machines(meter.client, method("ad-lr", rank=RANK), files, 0, place))
    team.over_blocks(send_sums)
    found = np.array([meter.time(partial(team.over_blocks, send_sums)) for _ in range(ROUNDS)])
    problem = f"blocks={blocks} k={OUTCOMES} m={RANK}"
    for name, seconds in zip(("workers", "client and scheduler"), found.T, strict=True):
        results.add("machines", problem, f"sum without passes: {name}", "s", seconds)
    return np.median(found, axis=0)


def main():
    """Measure everything."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder, results = parser.parse_args().folder, Results()
    folder.mkdir(exist_ok=True)
    dask.config.set(QUIET)
    with ExitStack() as stack:
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        client = stack.enter_context(Client(stack.enter_context(cluster)))
        meter, counts = Meter(client), CountMatrix.load(draw(folder, 0, 1))
        alone = in_thread(partial(Library(Problem("", counts, RANK)).iterate, 1))
        one, two = (passes_on_workers(stack, client, folder, of) for of in (1, 2))
        load = in_thread(partial(CountMatrix.load, draw(folder, 0, 1), mmap=True))
        runs = np.array([[run() for run in (alone, one, two, load)] for _ in range(ROUNDS + 1)])
        alone, one, two, load = runs[1:].T
        few, many = (time_sums(results, meter, stack, folder, blocks) for blocks in (1, 32))
    rest = few.sum() / np.median(alone) + meter.idle.sum()
    each, (cores, size) = (many - few)[1] / 31, (MACHINES * CORES, ON_PAPER / counts.nnz)
    passes, own = size / cores * np.median(one), few[1] + each * (cores - 1)
    on_paper = f"on paper: nnz={ON_PAPER:.0e} k={OUTCOMES} m={RANK}, {MACHINES} x {CORES} cores"
    for problem, quantity, unit, values in [
        (f"nnz={counts.nnz} k={OUTCOMES} m={RANK}", "iteration in one process", "s", alone),
        ("", "pass on a worker / iteration in one process", "times", one / alone),
        ("", "the same, with its sum and idle processes", "times", one / alone + rest),
        ("", "passes of two shards on two workers / twice one", "times", two / one / 2),
        ("", "read and check a shard", "s", load),
        ("two workers", "idle, of a second: workers", "s", meter.idle[:1]),
        ("", "idle, of a second: client and scheduler", "s", meter.idle[1:]),
        (on_paper, "iteration: passes", "s", [passes]),
        ("", "iteration: client and scheduler", "s", [own]),
        ("", f"{ITERATIONS} iterations", "min", [ITERATIONS * (passes + own) / 60]),
        ("", "read and check all shards, each machine", "s", [size * np.median(load)]),
    ]:
        results.add("machines", problem or results.rows[-1]["problem"], quantity, unit, values)
    results.write(CSV)


if __name__ == "__main__":
    main()
