"""The best rates of one core, and how near the kernel comes to them."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from compiled import Unavailable, library, pointer
from em_kernels import Library
from measure import interleave

# Three arrays that fit in: a core's own cache, the shared one, neither.
SIZES = {"L2": 2**18, "L3": 2**23, "memory": 2**28}  # bytes of one array


def measure_roofline(results, problems, repetitions):
    """Measure the triad, the multiply-add, and the kernel's share of both."""
    try:
        functions = library("roofline")
    except Unavailable as reason:
        results.add("roofline", "triad", "L2", "GB/s", note=str(reason))
        return
    best = {}
    for level, size in SIZES.items():
        rates = _triad(functions, size, repetitions)
        best[level] = np.median(rates)
        results.add("roofline", "triad", level, "GB/s", rates)
    for level in ("L3", "memory"):  # shared by the cores
        gain = _scaling(functions, SIZES[level], repetitions)
        results.add("roofline", "triad, two threads / one", level, "", gain)
    times = 10**6
    seconds = _seconds(
        lambda: functions.multiply_add(ctypes.c_int64(times), ctypes.c_double(0.5)), repetitions
    )
    results.add("roofline", "multiply-add", "registers", "GF/s",
                [256 * times / s / 1e9 for s in seconds])  # fmt: skip
    for problem in problems:
        _add_kernel(results, problem, best, repetitions)


def _triad(functions, size, repetitions):
    """Return the GB/s of each repetition, for arrays of ``size`` bytes."""
    arrays = np.zeros(size // 8), np.ones(size // 8), np.ones(size // 8)
    sizes, times = _work(size)
    seconds = _seconds(lambda: functions.triad(*sizes, *map(pointer, arrays)), repetitions)
    return [3 * size * times / s / 1e9 for s in seconds]


def _scaling(functions, size, repetitions):
    """Return the work of two threads, each in its own arrays, over the work of one thread."""
    sizes, _ = _work(size)
    arrays = [[pointer(np.ones(size // 8)) for _ in range(3)] for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:

        def run(threads):
            list(pool.map(lambda own: functions.triad(*sizes, *own), arrays[:threads]))

        seconds = interleave({threads: lambda t=threads: run(t) for threads in (1, 2)}, repetitions)
    return 2 * np.divide(seconds[1], seconds[2])


def _add_kernel(results, problem, best, repetitions):
    """Add the rates of the pass over the pairs: operations, and bytes moved.

    Each pair takes six operations a class, reads a row of H, and reads and writes one of its soft
    counts; the row of W stays at hand.
    """
    kernel, nnz, m = Library(problem), problem.counts.nnz, problem.rank
    kernel.iterate(2)
    seconds = np.array(_seconds(lambda: kernel.iterate(10), repetitions)) / 10
    moved, size_of_H = 3 * 8 * m * nnz, kernel.factors()[1].size
    level = next(
        (level for level, size in SIZES.items() if 2 * size_of_H * 8 <= 3 * size), "memory"
    )
    results.add("roofline", problem.name, "computed", "GF/s", 6 * m * nnz / seconds / 1e9)
    results.add("roofline", problem.name, "moved", "GB/s", moved / seconds / 1e9)
    results.add("roofline", problem.name, f"share of the triad in {level}", "%",
                100 * moved / seconds / 1e9 / best[level])  # fmt: skip


def _work(size):
    """Return the scalar arguments of a triad over arrays of ``size`` bytes, and its passes."""
    times = max(1, 2**28 // size)
    return (ctypes.c_int64(size // 8), ctypes.c_int64(times), ctypes.c_double(0.5)), times


def _seconds(run, repetitions):
    return interleave({"run": run}, repetitions)["run"]
