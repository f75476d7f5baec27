"""What one core can do at best, and how near the kernel comes."""

import ctypes
import time

import numpy as np
from compiled import Unavailable, library, pointer
from em_kernels import Library

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
    times = max(1, 2**28 // size)
    sizes = ctypes.c_int64(size // 8), ctypes.c_int64(times), ctypes.c_double(0.5)
    seconds = _seconds(lambda: functions.triad(*sizes, *map(pointer, arrays)), repetitions)
    return [3 * size * times / s / 1e9 for s in seconds]


def _add_kernel(results, problem, best, repetitions):
    """Add the rates of the pass over the pairs: what it computes, and what it moves.

    Each pair takes six operations a class, reads a row of H, and reads and writes one of its soft
    counts; the row of W stays at hand.
    """
    kernel, nnz, m = Library(problem), problem.counts.nnz, problem.rank
    kernel.iterate(2)
    seconds = np.array(_seconds(lambda: kernel.iterate(10), repetitions)) / 10
    moved = 3 * 8 * m * nnz
    level = next(
        (level for level, size in SIZES.items() if 2 * kernel.H.size * 8 <= 3 * size), "memory"
    )
    results.add("roofline", problem.name, "computed", "GF/s", 6 * m * nnz / seconds / 1e9)
    results.add("roofline", problem.name, "moved", "GB/s", moved / seconds / 1e9)
    results.add("roofline", problem.name, f"share of the triad in {level}", "%",
                100 * moved / seconds / 1e9 / best[level])  # fmt: skip


def _seconds(run, repetitions):
    run()
    seconds = []
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return seconds
