"""The first second: processes that import the package, and fits where nothing is compiled yet."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from measure import processor_seconds

IMPORT = "import condprob"
FIRST = ("kn", "ad-lr", "add-half-lr", "py-lr", "ll-treeinf")


def time_first(results, repetitions):
    """Time starts of processes, with the compiled functions at hand and without."""
    fits = {
        id: f"from condprob import method; method({id!r}).fit([[1, 2], [3, 4]])" for id in FIRST
    }
    for name, code in {IMPORT: IMPORT, **fits}.items():
        compiled = name if name == IMPORT else f"first fit of {name}, compiled before"
        _add(results, compiled, [_run(code) for _ in range(1 + repetitions)][1:])
    for name, code in fits.items():
        _add(
            results, f"first fit of {name}", [_run_without_cache(code) for _ in range(repetitions)]
        )


def _add(results, quantity, seconds):
    results.add("first", "a new process", quantity, "s", seconds)


def _run(code, **environment):
    """Return the seconds of the processor of a process that runs the code."""
    before = processor_seconds()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment)
    return processor_seconds() - before


def _run_without_cache(code):
    with TemporaryDirectory() as folder:
        return _run(code, NUMBA_CACHE_DIR=folder)
