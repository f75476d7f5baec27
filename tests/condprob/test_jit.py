"""What numba keeps of compiled functions is forgotten when a function that they call is another."""

import os
import subprocess
import sys

CALLER = """
from numba import njit

from condprob.jit import EXACT
from kernels.called import called


@njit(**EXACT)
def caller(x):
    return called(x) + 1
"""
CALLED = """
from numba import njit

from condprob.jit import EXACT


@njit(**EXACT)
def called(x):
    return {} * x
"""
RUN = """
from pathlib import Path

from condprob.jit import forget_stale

forget_stale(Path("kernels"))
from kernels.caller import caller

print(caller(7), sum(caller.stats.cache_hits.values()))
"""


NOWHERE = """
import warnings

from numba.core import caching

caching.CacheImpl._locator_classes = []  # as where neither package nor home can be written to
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from condprob.uncertainty.priors import log_rising
lines = [str(each.message) for each in caught]
print(round(log_rising(2.0, 2), 6), [line for line in lines if "NUMBA_CACHE_DIR" in line])
"""


def test_where_nothing_can_be_kept_functions_are_compiled_and_it_is_said():
    done = subprocess.run(
        [sys.executable, "-c", NOWHERE], capture_output=True, text=True, check=True
    )
    assert done.stdout == (  # the logarithm of 2 times 3
        "1.791759 ['no folder can be written to where compiled functions are kept: each process "
        "compiles them anew, for seconds; set NUMBA_CACHE_DIR to one of yours']\n"
    )


def test_functions_that_call_a_changed_one_are_compiled_again(tmp_path):
    package = tmp_path / "kernels"
    package.mkdir()
    (package / "caller.py").write_text(CALLER, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python's own files see no change in a second
    found = []
    for factor in (2, 2, 3):
        (package / "called.py").write_text(CALLED.format(factor), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", RUN], cwd=tmp_path, env=environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.append(done.stdout.split())
    # Compiled, kept, and compiled again: what was kept has the factor of before in it.
    assert found == [["15", "0"], ["15", "1"], ["22", "0"]]
