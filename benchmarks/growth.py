"""How time and memory grow: each fit in a process of its own, which does nothing else.

``python growth.py COUNTS.npz RANK ITERATIONS`` is such a process; it prints its measurements.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from em_kernels import Library
from problems import ALL_OF_BROWN, Problem, count_text, power_law_counts

from condprob import CountMatrix, method


def measure_growth(results, texts, quick):
    """Measure in pairs, in ``k`` and in ``m``: powers of ten about one middle."""
    sizes = [(max(2000, nnz // 20), nnz, 50) for nnz in (10**4, 10**5, 10**6, 10**7)]
    by = {
        "pairs": sizes[: 2 if quick else 4],
        "k": [(k, 10**5 if quick else 10**6, 50) for k in (5_000, 50_000, 500_000)],
        "m": [(50_000, 10**5 if quick else 10**6, m) for m in (5, 20, 50, 100, 400)],
    }
    for name, settings in by.items():
        for k, nnz, rank in settings:
            _add(results, f"growth in {name}", power_law_counts(k, nnz), rank)
    if ALL_OF_BROWN in texts:
        text = texts[ALL_OF_BROWN]
        for words in (10**4, 10**5, 10**6):
            _add(results, f"growth in words of {ALL_OF_BROWN}", count_text(text, words), 50)
    for name in (*(f"growth in {name}" for name in by), f"growth in words of {ALL_OF_BROWN}"):
        _add_exponent(results, name)


def _add(results, section, counts, rank, iterations=None):
    """Fit in a process of its own; add its time and its memory."""
    iterations = iterations or max(3, min(50, int(2e8 / (counts.nnz * rank))))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.npz"
        np.savez(path, shape=counts.shape, indptr=counts.indptr, outcomes=counts.outcomes,
                 values=counts.values)  # fmt: skip
        command = [sys.executable, __file__, str(path), str(rank), str(iterations)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    problem = f"nnz={counts.nnz} k={counts.k} m={rank}"
    results.add_times(section, problem, {"iteration": found["seconds"]})
    results.add(section, problem, "memory of the fit", "MB", [found["bytes"] / 1e6])
    limit = 8 * (counts.nnz + 2 * counts.k * rank)
    results.add(section, problem, "floats a pair or entry", "", [found["bytes"] / limit])


def _add_exponent(results, section):
    """Fit ``time = c (nnz m)^exponent`` to the iterations of a section; ``c k^exponent`` in k."""
    rows = results.find(section, quantity="iteration")
    if len(rows) < 2:
        return
    sizes = [dict(part.split("=") for part in row["problem"].split()) for row in rows]
    by_k = section == "growth in k"
    work = [float(s["k"]) if by_k else float(s["nnz"]) * float(s["m"]) for s in sizes]
    slope = np.polyfit(np.log(work), np.log([row["median"] for row in rows]), 1)[0]
    results.add(section, "all", "exponent of time", "", [slope])


def fit_alone(path, rank, iterations):
    """Fit the counts of a file; return the bytes of the fit and the seconds of an iteration."""
    # Compiling and importing are not part of the fit.
    method("ad-lr", rank=2, iterations=1).fit(CountMatrix.from_dense(np.eye(3, dtype=int)))
    before = peak_memory()
    with np.load(path) as file:
        counts = CountMatrix(
            tuple(file["shape"].tolist()), file["indptr"], file["outcomes"], file["values"]
        )
    method("ad-lr", rank=rank, iterations=iterations).fit(counts)
    found = {"bytes": peak_memory() - before, "seconds": []}
    kernel = Library(Problem(str(path), counts, rank))
    kernel.iterate(1)
    for _ in range(5):
        start = time.perf_counter()
        kernel.iterate(iterations)
        found["seconds"].append((time.perf_counter() - start) / iterations)
    return found


def peak_memory():
    """Return the most memory that this process has held, in bytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    except OSError:  # not Linux, where `ru_maxrss` is at least that of the parent
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    print(json.dumps(fit_alone(sys.argv[1], *map(int, sys.argv[2:]))))
