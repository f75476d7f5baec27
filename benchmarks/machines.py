"""The parts of a fit on Dask workers, and a fit of 5e9 pairs on 16 machines that adds them up.

    python benchmarks/machines.py FOLDER

Times are those of processors, so that other work on the machine matters little. They are of whole
processes, by `getrusage`, less the time that idle processes take. The client and the scheduler are
this process. An iteration is what a fit of more iterations takes beyond a fit of fewer. Each round
measures everything once, and a quotient is of times of one round. Results go to
benchmarks/machines.csv.
"""

import resource
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import dask
import numpy as np
from dask.distributed import Client, LocalCluster
from em_kernels import Library
from measure import Results
from problems import Problem

from condprob import CountMatrix, distributed, method

CSV = Path(__file__).parent / "machines.csv"
PAIRS, CONTEXTS, OUTCOMES, RANK = 10_200_000, 1_000_000, 20_000, 16  # of a shard, as drawn
FEW = 300  # pairs of a shard whose passes take no time
ROUNDS = 5
# Iterations, before the first checkpoint; with pairs their time is many times that of a start.
FEWER, MORE, MORE_OF_FEW = 2, 44, 14
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


def draw(folder, number, of, pairs=PAIRS):
    """Write a shard of ``of``, whose contexts are its own, unless it is there; return its file."""
    if not (file := folder / f"{number}-{of}-{pairs}.safetensors").exists():
        rng, own = np.random.default_rng(number), CONTEXTS * pairs // PAIRS
        contexts = rng.integers(0, own, pairs) + number * own
        outcomes = (rng.random(pairs) ** 1.6 * OUTCOMES).astype(np.int32)
        shape = of * own, OUTCOMES
        CountMatrix.from_pairs(contexts, outcomes, shape=shape).save(file)
    return str(file)


def iteration_of(meter, folder, of, pairs=PAIRS):
    """Return a function that returns the seconds of an iteration: of workers, and of the rest."""
    files = [draw(folder, each, of, pairs) for each in range(of)]
    more = MORE if pairs == PAIRS else MORE_OF_FEW

    def fit(iterations):
        with TemporaryDirectory(dir=folder) as place:
            estimator = method("ad-lr", rank=RANK, iterations=iterations)
            distributed.fit(estimator, files, meter.client, path=place / "model")

    def measured():
        short, long = (meter.time(partial(fit, iterations)) for iterations in (FEWER, more))
        return (long - short) / (more - FEWER)

    return measured


def in_thread(run, times=1):
    """Return a function that returns the seconds of this thread that a call takes."""

    def timed():
        start = time.thread_time()
        for _ in range(times):
            run()
        return (time.thread_time() - start) / times

    return timed


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
        runs = {
            "alone": in_thread(partial(Library(Problem("", counts, RANK)).iterate, 1), 12),
            "load": in_thread(partial(CountMatrix.load, draw(folder, 0, 1), mmap=True)),
            "one": iteration_of(meter, folder, 1),
            "two": iteration_of(meter, folder, 2),
            "few": iteration_of(meter, folder, 2, FEW),
            "many": iteration_of(meter, folder, 32, FEW),
        }
        found = {name: [] for name in runs}
        for _ in range(ROUNDS + 1):  # the first compiles
            for name, run in runs.items():
                found[name].append(run())
    found = {name: np.array(values[1:]) for name, values in found.items()}
    each = np.median(found["many"] - found["few"], axis=0)[1] / 30
    cores, size = MACHINES * CORES, ON_PAPER / counts.nnz
    passes = size / cores * np.median(found["one"][:, 0])
    own = np.median(found["few"][:, 1]) + each * (cores - 2)
    on_paper = f"on paper: nnz={ON_PAPER:.0e} k={OUTCOMES} m={RANK}, {MACHINES} x {CORES} cores"
    for problem, quantity, unit, values in [
        (
            f"nnz={counts.nnz} k={OUTCOMES} m={RANK}",
            "iteration in one process",
            "s",
            found["alone"],
        ),
        (
            "",
            "iteration on a worker / in one process",
            "times",
            found["one"][:, 0] / found["alone"],
        ),
        (
            "",
            "the same, with client and scheduler",
            "times",
            found["one"].sum(axis=1) / found["alone"],
        ),
        (
            "",
            "two shards on two workers / twice one",
            "times",
            found["two"][:, 0] / found["one"][:, 0] / 2,
        ),
        ("", "read and check a shard", "s", found["load"]),
        (
            f"no pairs, k={OUTCOMES} m={RANK}",
            "iteration of 2 parts: workers",
            "s",
            found["few"][:, 0],
        ),
        ("", "iteration of 2 parts: client and scheduler", "s", found["few"][:, 1]),
        ("", "iteration of 32 parts: workers", "s", found["many"][:, 0]),
        ("", "iteration of 32 parts: client and scheduler", "s", found["many"][:, 1]),
        ("two workers", "idle, of a second: workers", "s", meter.idle[:1]),
        ("", "idle, of a second: client and scheduler", "s", meter.idle[1:]),
        (on_paper, "iteration: passes", "s", [passes]),
        ("", "iteration: client and scheduler", "s", [own]),
        ("", f"{ITERATIONS} iterations", "min", [ITERATIONS * (passes + own) / 60]),
        ("", "read and check all shards, each machine", "s", [size * np.median(found["load"])]),
    ]:
        results.add("machines", problem or results.rows[-1]["problem"], quantity, unit, values)
    results.write(CSV)


if __name__ == "__main__":
    main()
