"""The provenance of results: versions, processor, BLAS, threads, commit, corpora, and times.

None of it is in the code or the config, and none of it may show in any other number.
"""

import csv
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import condprob
from reproduction.study import TOP

PACKAGES = [  # on which the numbers or the figures depend
    *("numpy", "scipy", "pandas", "matplotlib", "numba", "llvmlite", "scikit-learn"),
    *("threadpoolctl", "nltk", "snakemake"),
]
TIMES = ("jobs", "clock", "longest", "processor", "memory")  # of the jobs of a rule
THREADS = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]


def collect_provenance(seed, methods, receipts, benchmarks, project=TOP):
    """Return the provenance of results: everything that is not in the config or the code.

    It has only numbers and texts, without a path of the machine. ``benchmarks`` are folders of
    Snakemake's benchmark files (see `run_times`), and ``project`` is the folder of the checkout.
    """
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": _versions(),
        "machine": _machine(),
        "blas": _blas(),
        "threads": {name: os.environ[name] for name in THREADS if name in os.environ},
        "seed": seed,
        "git": _git(project),
        "methods": methods,
        "corpora": receipts,
        "run_time": run_times(*benchmarks),
    }


def run_times(*folders):
    """Return the time and memory of the jobs of each rule in their last run, the longest first.

    The folders have Snakemake's benchmark files: ``<rule>/<name>.tsv`` or ``<rule>.tsv``, with the
    seconds by the clock ``s`` and of the processor ``cpu_time``, and the most memory ``max_rss``,
    in MB.

    Of each rule there are ``jobs``; seconds by the clock of all jobs (``clock``; jobs run side by
    side) and of the ``longest``; seconds of the ``processor``; and the most ``memory`` that one
    held, in MB. Snakemake looks at a running job twice a second at first and twice a minute later:
    of memory and processor, the figures are lower bounds.
    """
    times = {}
    files = ((folder, path) for folder in folders for path in sorted(Path(folder).rglob("*.tsv")))
    for folder, path in files:
        rule = path.relative_to(folder).with_suffix("").parts[0]
        for row in _read_benchmark(path):
            found = times.setdefault(rule, dict.fromkeys(TIMES, 0))
            found["jobs"] += 1
            found["clock"] = round(found["clock"] + row["s"], 2)
            found["longest"] = max(found["longest"], round(row["s"], 2))
            found["processor"] = round(found["processor"] + row["cpu_time"], 2)
            found["memory"] = max(found["memory"], row["max_rss"])
    return dict(sorted(times.items(), key=lambda item: -item[1]["clock"]))


def _read_benchmark(path):
    """Yield the numbers of a benchmark file; a job that ended too soon to be seen has zeros."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            numbers = {key: row[key] for key in ("s", "cpu_time", "max_rss")}
            yield {key: 0.0 if v in ("NA", "-") else float(v) for key, v in numbers.items()}


def _versions():
    """Return the versions of this package, of Python and of `PACKAGES`."""
    found = {"condprob": condprob.__version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _machine():
    """Return the properties of the machine that can move a last bit."""
    import numpy as np
    from llvmlite.binding import get_host_cpu_name

    instructions = np.show_config("dicts")["SIMD Extensions"]
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()).strip(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "simd": [*instructions.get("baseline", []), *instructions.get("found", [])],
        "compiled_for": os.environ.get("NUMBA_CPU_NAME") or get_host_cpu_name(),
    }


def processor():
    """Return the model of the processor, as the system calls it."""
    if sys.platform == "darwin":
        return _output("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _blas():
    """Return each BLAS that numpy and scipy have loaded."""
    import scipy.linalg  # noqa: F401  # loads its own
    from threadpoolctl import threadpool_info

    libraries = [
        {
            "library": pool["internal_api"],
            "version": pool["version"],
            "architecture": pool.get("architecture"),
            "threads": pool["num_threads"],
        }
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    ]
    return [pool for i, pool in enumerate(libraries) if pool not in libraries[:i]]


def _git(project):
    """Return the commit and whether the tree was ``dirty``; None where there is no checkout."""
    top = _output("git", "-C", str(project), "rev-parse", "--show-toplevel")
    commit = _output("git", "-C", str(project), "rev-parse", "--verify", "--quiet", "HEAD")
    if not (top and commit and Path(top).resolve() == Path(project).resolve()):
        return None
    return {
        "commit": commit,
        "dirty": bool(_output("git", "-C", str(project), "status", "--porcelain")),
    }


def _output(*command):
    """Return the output of a command, or nothing where it cannot run or fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
