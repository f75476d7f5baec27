"""Counts larger than memory: the time and the memory of counting and of fitting them.

    python benchmarks/large.py FOLDER duckdb      count 1e8 pairs by the recipe of docs/scale.md
    python benchmarks/large.py FOLDER shards      draw 5e8 distinct pairs in shards, add them up
    python benchmarks/large.py FOLDER iteration   time iterations of AD-LR on them
    python benchmarks/large.py FOLDER resume      stop a fit, go on, compare with one in one go

Each is a process of its own, so that the memory it tells is its own; none is part of `make bench`,
for together they take half an hour and 20 GB of disk. Results are added to
benchmarks/large.csv.
"""

import hashlib
import re
import threading
import time
from argparse import ArgumentParser
from functools import partial
from pathlib import Path

import numpy as np
from measure import Results

from condprob import CountMatrix, add_shards, method

CSV = Path(__file__).parent / "large.csv"
RECIPES = Path(__file__).parent.parent / "docs" / "scale.md"
PARTS = 20  # files into which the pairs are drawn


class Memory:
    """The most memory that the process holds within the block, as the system tells it.

    ``resident`` is all of it, mapped files included; ``anonymous`` is without files.
    """

    def __enter__(self):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # VmHWM starts anew
        self.anonymous, self.is_over = 0, threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        return self

    def watch(self):
        while not self.is_over.wait(0.05):
            self.anonymous = max(self.anonymous, read_status("RssAnon"))

    def __exit__(self, *raised):
        self.is_over.set()
        self.watcher.join()
        self.resident = read_status("VmHWM")


def read_status(name):
    """Return a number of the process's status, bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.partition(f"{name}:")[2].split()[0])


def measure(results, problem, quantity, runs):
    """Call some functions; add their times and memory, and return the result of the last one."""
    seconds, busy, resident, anonymous = [], [], [], []
    for run in runs:
        with Memory() as memory:
            start, before = time.perf_counter(), time.process_time()
            found = run()
            seconds.append(time.perf_counter() - start)
            busy.append(time.process_time() - before)
        resident.append(memory.resident / 1e9)
        anonymous.append(memory.anonymous / 1e9)
    results.add("large", problem, quantity, "s", seconds)
    results.add("large", problem, f"{quantity}: processor", "s", busy)
    results.add("large", problem, f"{quantity}: resident", "GB", resident)
    results.add("large", problem, f"{quantity}: not of files", "GB", anonymous)
    return found


def draw_pairs(seed, n, k):
    """Draw independent contexts and outcomes, each label about as often as in Zipf's law."""
    rng = np.random.default_rng(seed)
    return tuple((np.exp(rng.random(n) * np.log(k + 1)) - 1).astype(np.int32) for _ in range(2))


def count_with_duckdb(results, options):
    """Draw pairs into Parquet files and count them by the recipe."""
    import duckdb

    folder, n = options.folder / "pairs", int(options.pairs or 1e8)
    folder.mkdir(exist_ok=True)
    for part in range(PARTS):
        contexts, outcomes = draw_pairs(part, n // PARTS, options.k)
        with duckdb.connect() as database:
            database.register("pairs", {"context": contexts, "outcome": outcomes})
            database.execute(f"COPY pairs TO '{folder}/{part:02d}.parquet'")
    del contexts, outcomes
    recipe = re.search(r"```python\n(.*?)```", RECIPES.read_text(encoding="utf-8"), re.DOTALL)
    known, problem = {}, f"pairs={n} k={options.k}"
    exec(recipe[1], known)
    run = partial(known["count_files"], folder, (options.k, options.k))
    total = measure(results, problem, "count with DuckDB and add up", [run])
    assert total.n == n // PARTS * PARTS
    results.add("large", problem, "distinct pairs", "", [total.nnz])


def draw_shards(results, options):
    """Draw counts in shards, and add them up into one file."""
    n = int(options.pairs or 1.07e9)
    problem, each = f"pairs={n} k={options.k}", f"pairs={n // PARTS} k={options.k}"
    paths = [options.folder / f"shard-{part:02d}.npz" for part in range(PARTS)]

    def count(pairs, path):
        CountMatrix.from_pairs(*pairs, options.k).save(path)

    runs = (
        partial(count, draw_pairs(part, n // PARTS, options.k), path)
        for part, path in enumerate(paths)
    )
    measure(results, each, "count and save a shard", runs)
    run = partial(add_shards, paths, options.folder / "counts.npz")
    total = measure(results, problem, f"add up {PARTS} shards", [run])
    assert total.n == n // PARTS * PARTS
    results.add("large", problem, "distinct pairs", "", [total.nnz])
    for path in paths:
        path.unlink()


def time_iterations(results, options):
    """Time iterations of AD-LR on counts that stay on disk."""
    from em_kernels import Library
    from problems import Problem

    counts = CountMatrix.load(options.folder / "counts.npz", mmap=True)
    problem = f"nnz={counts.nnz} k={counts.k} m={options.rank}"
    for threads in (2, 1):
        kernel = Library(Problem(problem, counts, options.rank), threads=threads)
        run = partial(kernel.iterate, 1)
        measure(results, problem, f"iteration, threads={threads}", [run] * options.iterations)
        del kernel, run


def resume_a_fit(results, options):
    """Fit in two parts with a checkpoint, and in one go; compare them bit for bit."""
    counts = CountMatrix.load(options.folder / "counts.npz", mmap=True)
    problem = f"nnz={counts.nnz} k={counts.k} m={options.rank}"
    path = options.folder / "fit.npz"

    def fit(iterations, checkpoint=None):
        estimator = method("ad-lr", rank=options.rank, iterations=iterations, threads=2)
        return checksums(estimator.fit(counts, seed=0, progress=True, checkpoint=checkpoint))

    first = options.iterations // 2
    measure(results, problem, f"fit of {first} iterations", [partial(fit, first, path)])
    run = partial(fit, options.iterations, path)
    resumed = measure(results, problem, f"the same, resumed, up to {options.iterations}", [run])
    results.add("large", problem, "checkpoint", "GB", [path.stat().st_size / 1e9])
    path.unlink()
    assert fit(options.iterations) == resumed, "the resumed fit differs"
    results.add("large", problem, "resumed fit beside one in one go", "", [], "the same bits")


def checksums(matrix):
    """Return a checksum of each array of a fit."""
    arrays = (matrix.W, matrix.H.T, matrix.history)
    return [hashlib.sha256(np.ascontiguousarray(array)).hexdigest() for array in arrays]


STAGES = {
    "duckdb": count_with_duckdb,
    "shards": draw_shards,
    "iteration": time_iterations,
    "resume": resume_a_fit,
}


def main():
    """Run one stage."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("stage", choices=STAGES)
    parser.add_argument("--pairs", type=float, help="drawn in all (1e8 for duckdb, else 1.07e9)")
    parser.add_argument("--k", type=lambda text: int(float(text)), default=2_000_000)
    parser.add_argument("--rank", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=4)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    results = Results()
    STAGES[options.stage](results, options)
    Results([*(Results.read(CSV).rows if CSV.exists() else []), *results.rows]).write(CSV)


if __name__ == "__main__":
    main()
