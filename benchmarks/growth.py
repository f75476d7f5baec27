"""How time and memory grow: each fit in a process of its own, which does nothing else.

``python growth.py COUNTS.safetensors RANK`` is such a process; it prints its measurements.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from em_kernels import Library
from measure import interleave, processor_seconds
from problems import Problem, draw_pairs

from condprob import CountMatrix, method
from reproduction.verdicts.cases import slope_of_logs

WORK = 2e8  # pairs times classes in one repetition of EM
QUANTITIES = ("count", "fit kn", "iteration")


def measure_growth(results, quick):
    """Measure in pairs, and in ``k`` and ``m`` about a middle."""
    drawn = (10**5, 10**6, 10**7, 10**8)[: 2 if quick else 4]
    by = {
        "pairs": [(max(2000, n // 20), n, 10) for n in drawn],
        "k": [(k, 10**6, 10) for k in (5_000, 50_000, 500_000)],
        "m": [(50_000, 10**6, m) for m in (2, 10, 50, 200)],
    }
    CountMatrix.from_pairs([0], [0], 1)  # what it imports is not part of the first count
    for name, settings in by.items():
        found = [_measure(results, f"growth in {name}", *each) for each in settings]
        for quantity in QUANTITIES if name == "pairs" else ("iteration",):
            _add_exponent(results, name, quantity, found)


def _measure(results, section, k, drawn, rank):
    """Count pairs and fit them in a process of its own; return the sizes and the seconds."""
    pairs = draw_pairs(k, drawn + drawn // 2)  # many are drawn twice
    before = processor_seconds()
    counts = CountMatrix.from_pairs(*pairs, k)
    found = {"count": [processor_seconds() - before]}
    problem, nnz = f"nnz={counts.nnz} k={k} m={rank}", counts.nnz
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.safetensors"
        counts.save(path)
        del pairs, counts
        command = [sys.executable, __file__, str(path), str(rank)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout)
    found |= answer["seconds"]
    for quantity, seconds in found.items():
        results.add(section, problem, quantity, "s", seconds)
    results.add(section, problem, "memory of the fit", "MB", [answer["bytes"] / 1e6])
    results.add(
        section, problem, "floats a pair or entry", "", [answer["bytes"] / 8 / (nnz + 2 * k * rank)]
    )
    return {"pairs": nnz, "k": k, "m": rank}, found


def _add_exponent(results, name, quantity, measured):
    """Fit ``seconds = c size^exponent`` to a quantity."""
    points = [(size[name], np.median(found[quantity])) for size, found in measured]
    slope = slope_of_logs(*np.transpose(points))
    results.add(f"growth in {name}", "all", f"exponent of {quantity}", "", [slope])


def fit_alone(path, rank):
    """Fit the counts of a file; return the bytes of AD-LR's fit, and seconds."""
    kn, counts = method("kn"), CountMatrix.from_dense(np.eye(3, dtype=int))
    for fit in (kn, method("ad-lr", rank=2, iterations=1)):
        fit.fit(counts)  # compiling and importing are not part of the fit
    before = peak_memory()
    counts = CountMatrix.load(path)
    kernel = Library(Problem(str(path), counts, rank))
    kernel.iterate(1)
    found = peak_memory() - before
    times = max(1, int(WORK / (counts.nnz * rank)))
    (iterations,) = interleave({"": lambda: kernel.iterate(times)}, 3, warm_up=False).values()
    seconds = {"iteration": [each / times for each in iterations]}
    seconds |= interleave({"fit kn": lambda: kn.fit(counts)}, 1, warm_up=False)
    return {"bytes": found, "seconds": seconds}


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
    print(json.dumps(fit_alone(sys.argv[1], int(sys.argv[2]))))
