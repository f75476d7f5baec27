"""One EM iteration: the library beside C and its peers, on one thread and on two."""

import time
from dataclasses import replace
from itertools import product

import em_kernels as kernels
from compiled import Unavailable, in_lines
from measure import interleave, often, processor_seconds
from problems import zipf_problem

OURS = "condprob"
PEERS = {
    "C": (kernels.WrittenInC, "ad-lr"),
    "condprob lr": (kernels.Library, "lr"),
    "numpy and scipy": (kernels.Scipy, "ad-lr"),
    "enstop": (kernels.Enstop, "lr"),
    "scikit-learn NMF": (kernels.ScikitLearn, "lr"),
    "dense numpy": (kernels.Dense, "ad-lr"),
}
RANKS = (5, 10, 20, 50)  # of the yardstick: the paper's
YARDSTICK = {
    OURS: (kernels.Library, "ad-lr"),
    "C": (kernels.WrittenInC, "ad-lr"),
    "triad": (kernels.Triad, "ad-lr"),
    "enstop": (kernels.Enstop, "lr"),
    "scikit-learn NMF": (kernels.ScikitLearn, "lr"),
}
PER = "ns a pair and class"


def time_kernels(results, problems, repetitions):
    """Time an iteration of every kernel on every problem."""
    for problem in problems:
        built = _build(results, "iteration", problem, {OURS: (kernels.Library, "ad-lr")} | PEERS)
        seconds = _time(built, repetitions)
        results.add_times("iteration", problem.name, seconds, problem.size)
        results.add_ratios("iteration", problem.name, seconds, OURS)


def time_yardstick(results, problems, repetitions):
    """Time an iteration for each pair and class, beside C and a triad in the same cache."""
    for problem, rank in product(problems, RANKS):
        ranked = replace(problem, rank=rank, name=f"{problem.name}, m = {rank}")
        built = _build(results, "yardstick", ranked, YARDSTICK)
        seconds = _time(built, repetitions)
        if "triad" in seconds:
            seconds["triad"] = [s / built["triad"].share for s in seconds["triad"]]
        _, H = ranked.start()
        kilobytes = 2 * in_lines(H)[0].nbytes / 1e3
        results.add("yardstick", ranked.name, "H and its soft counts", "kB", [kilobytes])
        for name, values in seconds.items():
            each = [1e9 * s / (problem.counts.nnz * rank) for s in values]
            results.add("yardstick", ranked.name, name, PER, each)
        for base in (each for each in ("C", "triad") if each in seconds):
            beside = {name: seconds[name] for name in (OURS, base)}
            results.add_ratios("yardstick", ranked.name, beside, base)


def _build(results, section, problem, kinds):
    """Return the kernels that can be had; note why another cannot."""
    built = {}
    for name, (kernel, method) in kinds.items():
        try:
            memory = [built[OURS]] if kernel is kernels.WrittenInC else []
            built[name] = kernel(problem, method, *memory)
        except Unavailable as reason:
            results.add(section, problem.name, name, "ms", note=str(reason))
    return built


def time_threads(results, problems, repetitions, quick):
    """Time an iteration on one thread and on two, where the matrix is large."""
    large = [problem for problem in problems if problem.counts.nnz > 10**5]
    if not quick:
        large.append(zipf_problem(k=200_000, pairs=9_000_000))
    for problem in large:
        built = {"1 thread": kernels.Library(problem)}
        built["2 threads"] = kernels.Library(problem, threads=2)
        seconds = _time(built, repetitions, time.perf_counter)
        results.add_times("threads", problem.name, seconds, problem.size)
        results.add_ratios("threads", problem.name, seconds, "2 threads")


def _time(built, repetitions, clock=processor_seconds):
    """Return the seconds of one iteration of each kernel, one value for each repetition.

    A repetition of the fast ones is many iterations.
    """
    for kernel in built.values():
        kernel.iterate(2)
    iterations = {name: often(lambda k=kernel: k.iterate(1)) for name, kernel in built.items()}
    runs = {
        name: lambda k=kernel, t=iterations[name]: k.iterate(t) for name, kernel in built.items()
    }
    seconds = interleave(runs, repetitions, warm_up=False, clock=clock)
    return {name: [s / iterations[name] for s in values] for name, values in seconds.items()}
