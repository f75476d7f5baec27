"""What computed the results: versions, processor, BLAS, threads, commit, corpora, and how long.

None of it is in the code or the config, and none of it may show in any other number.
"""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import condprob
from reproduction.jobs import PARTS, read_spent

PACKAGES = [  # those that have a say in the numbers or in how they are drawn
    "numpy",
    "scipy",
    "pandas",
    "matplotlib",
    "numba",
    "llvmlite",
    "scikit-learn",
    "threadpoolctl",
    "nltk",
    "snakemake",
]
THREADS = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"]


def collect_provenance(seed, methods, receipts, results, project="."):
    """Say what computed the results: everything that is not in the config or the code.

    Parameters
    ----------
    seed : int
        Root of every random number.
    methods : dict
        The config's methods and their hyperparameters.
    receipts : dict
        Of each corpus: its hashes and sizes, or why it could not be had.
    results : str or Path
        The folder of results, with a log of each job.
    project : str or Path
        The top folder of the checkout.

    Returns
    -------
    dict
        Of numbers and texts alone, without a path of the machine.
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
        "run_time": run_times(results),
    }


def run_times(results):
    """Return what the jobs of each rule took when they last ran, the most work first.

    Returns
    -------
    dict of str to dict
        ``jobs``; seconds of the processor before a script's own first line (``start``), in
        ``imports`` and at ``work``; seconds by the clock of the ``longest`` job (jobs run side by
        side); and the most ``memory`` that one held, in MB.
    """
    times = {}
    for log in sorted(Path(results, "logs").rglob("*.log")):
        rule = log.relative_to(Path(results, "logs")).with_suffix("").parts[0]
        if spent := read_spent(log):
            found = times.setdefault(
                rule, {"jobs": 0} | dict.fromkeys((*PARTS, "longest", "memory"), 0.0)
            )
            found["jobs"] += 1
            for part in PARTS:
                found[part] = round(found[part] + spent[part], 3)
            found["longest"] = max(found["longest"], spent["clock"])
            found["memory"] = max(found["memory"], spent["memory"])
    return dict(sorted(times.items(), key=lambda item: -item[1]["work"]))


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
    """Return what of the machine can move a last bit."""
    import numpy as np
    from llvmlite.binding import get_host_cpu_name

    instructions = np.show_config("dicts")["SIMD Extensions"]
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()).strip(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "simd": [*instructions.get("baseline", []), *instructions.get("found", [])],
        "compiled_for": get_host_cpu_name(),
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
    """Return what a command prints, or nothing where it cannot run or fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
