"""One EM iteration: the library beside C and its peers, on one thread and on two."""

import em_kernels as kernels
from compiled import Unavailable
from measure import interleave, often
from problems import zipf_problem

OURS = "condprob"
PEERS = {
    "C": (kernels.WrittenInC, "ad-lr"),
    "numpy and scipy": (kernels.Scipy, "ad-lr"),
    "enstop": (kernels.Enstop, "lr"),
    "scikit-learn NMF": (kernels.ScikitLearn, "lr"),
    "dense numpy": (kernels.Dense, "ad-lr"),
}
SLOW = {"numpy and scipy", "dense numpy"}


def time_kernels(results, problems, few, many):
    """Time an iteration of every kernel on every problem; slow kernels have fewer repetitions."""
    for problem in problems:
        built = {OURS: kernels.Library(problem)}
        for name, (kernel, method) in PEERS.items():
            try:
                built[name] = kernel(problem, method)
            except Unavailable as reason:
                results.add("iteration", problem.name, name, "ms", note=str(reason))
        slow = {name: built.pop(name) for name in SLOW & built.keys()}
        seconds = _time(built, many)
        _add(results, problem, seconds)
        if slow:
            _add(results, problem, _time({OURS: built[OURS], **slow}, few), known={OURS})
        if "C" in seconds:
            results.add_ratios("limit", problem.name,
                               {name: seconds[name] for name in (OURS, "C")}, "C")  # fmt: skip


def _add(results, problem, seconds, known=()):
    """Add the times of kernels that have none yet, and their ratios to the library's."""
    new = {name: values for name, values in seconds.items() if name not in known}
    results.add_times("iteration", problem.name, new, problem.size)
    results.add_ratios("iteration", problem.name, seconds, OURS)


def time_threads(results, problems, repetitions, quick):
    """Time an iteration on one thread and on two, where the matrix is large."""
    large = [problem for problem in problems if problem.counts.nnz > 10**5]
    if not quick:
        large.append(zipf_problem(k=200_000, pairs=9_000_000))
    for problem in large:
        built = {"1 thread": kernels.Library(problem)}
        built["2 threads"] = kernels.Library(problem, threads=2)
        seconds = _time(built, repetitions)
        results.add_times("threads", problem.name, seconds, problem.size)
        results.add_ratios("threads", problem.name, seconds, "2 threads")


def _time(built, repetitions):
    """Return the seconds of one iteration of each kernel, one value for each repetition.

    The slow ones are repeated less: a repetition of the fast ones is many iterations.
    """
    for kernel in built.values():
        kernel.iterate(2)
    iterations = {name: often(lambda k=kernel: k.iterate(1)) for name, kernel in built.items()}
    runs = {
        name: lambda k=kernel, t=iterations[name]: k.iterate(t) for name, kernel in built.items()
    }
    seconds = interleave(runs, repetitions, warm_up=False)
    return {name: [s / iterations[name] for s in values] for name, values in seconds.items()}
