"""One EM iteration: the library beside C and its peers, on one thread and on two."""

import time
from dataclasses import replace

import em_kernels as kernels
from compiled import Unavailable
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
RANKS = (2, 10)  # beside that of the problems, for C alone


def time_kernels(results, problems, repetitions):
    """Time an iteration of every kernel on every problem, and of C at lower ranks."""
    for problem in problems:
        built = {OURS: kernels.Library(problem)}
        for name, (kernel, method) in PEERS.items():
            try:
                built[name] = kernel(problem, method)
            except Unavailable as reason:
                results.add("iteration", problem.name, name, "ms", note=str(reason))
        seconds = _time(built, repetitions)
        results.add_times("iteration", problem.name, seconds, problem.size)
        results.add_ratios("iteration", problem.name, seconds, OURS)
        if "C" not in built:
            continue
        _compare_with_c(results, problem.name, seconds)
        for rank in RANKS:
            lower = replace(problem, rank=rank)
            built = {OURS: kernels.Library(lower), "C": kernels.WrittenInC(lower)}
            _compare_with_c(results, f"{problem.name}, m = {rank}", _time(built, repetitions))


def _compare_with_c(results, problem, seconds):
    beside = {name: seconds[name] for name in (OURS, "C")}
    results.add_ratios("limit", problem, beside, "C")


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
