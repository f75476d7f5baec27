"""Compiled functions are kept until a function that they call is another; logarithms by vectors."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condprob.jit import SMALLEST, log, sum_of_logs, weighted_logs

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
    from condprob.jit import log
lines = [str(each.message) for each in caught]
print(round(log(2.0), 6), [line for line in lines if "NUMBA_CACHE_DIR" in line])
"""


def test_where_nothing_can_be_kept_functions_are_compiled_and_it_is_said():
    done = subprocess.run(
        [sys.executable, "-c", NOWHERE], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "0.693147 ['no folder can be written to where compiled functions are kept: each process "
        "compiles them anew, for seconds; set NUMBA_CACHE_DIR to one of yours']\n"
    )


COMPILES = (
    "from condprob.jit import log, sum_of_logs; log(2.0); sum_of_logs(__import__('numpy').eye(1))"
)


def lines_at_a_terminal(folder):
    """Return the lines that `COMPILES`, of two functions, writes to a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    subprocess.run([sys.executable, "-c", COMPILES], stderr=theirs, env=environment, check=True)
    os.write(theirs, b"end\n")
    written = b""
    while b"end" not in written:
        written += os.read(ours, 1000)
    os.close(theirs)
    os.close(ours)
    return written.decode().splitlines()[:-1]


def test_a_terminal_is_notified_once_while_functions_are_compiled(tmp_path):
    line = "condprob: functions are compiled, for some seconds; they are kept for later runs"
    assert lines_at_a_terminal(tmp_path) == [line]
    assert lines_at_a_terminal(tmp_path) == []  # they were kept


def test_a_file_is_not_notified(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", COMPILES], capture_output=True, env=environment, check=True
    )
    assert done.stderr == b""


def test_both_passes_are_compiled_for_later_processes():
    """Few pairs and many are visited by passes of their own; each is a version of `iterate`."""
    code = "import condprob.catalogue as c, condprob.em.passes as p; c.compile_functions(['ad-lr'])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print(len(p.iterate.signatures))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "2\n"


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


@given(st.floats(min_value=SMALLEST, allow_infinity=False))
def test_log_is_the_logarithm(x):
    assert log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize(
    "x", [1.0, 0.5, 2.0, math.sqrt(0.5), np.nextafter(1, 0), np.nextafter(1, 2)]
)
def test_log_near_where_its_branches_meet(x):
    assert log(float(x)) == pytest.approx(math.log(x), rel=1e-15, abs=1e-300)


def test_sums_of_logs():
    x = np.random.default_rng(0).random((7, 5)) * 10.0 ** np.arange(-30, 5, 7)
    np.testing.assert_allclose(sum_of_logs(x), np.log(x).sum(), rtol=1e-14)
    weights = np.arange(35.0)
    np.testing.assert_allclose(weighted_logs(weights, x.ravel()), weights @ np.log(x.ravel()))


@pytest.mark.parametrize("wrong", [0.0, math.nan, -1.0])
def test_what_has_no_logarithm_matters_where_it_has_weight(wrong):
    x = np.array([0.5, wrong])
    assert weighted_logs(np.array([1.0, 2.0]), x) == -math.inf
    if wrong == 0:
        assert weighted_logs(np.array([1.0, 0.0]), x) == pytest.approx(math.log(0.5))


def test_a_command_runs_without_a_compiler_and_says_in_a_line_what_numba_cannot_read(tmp_path):
    """Debuggers and tools that measure coverage need plain functions."""
    (tmp_path / "pairs").write_text("a\tb\na\tb\nb\ta\n", encoding="utf-8")
    found = []
    for disabled in ("0", "1"):
        env = os.environ | {"NUMBA_DISABLE_JIT": disabled, "NUMBA_NUM_THREADS": "abc"}
        command = [sys.executable, "-m", "condprob", "fit", "pairs", "--pairs", "-o", "m.npz"]
        command += ["--method", "ad-lr", "--set", "rank=2", "--set", "iterations=2"]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert ran.stderr.startswith("condprob: warning: Environment variable 'NUMBA_NUM_THREADS'")
        assert ran.stderr.count("\n") == 1
        assert "Traceback" not in ran.stderr
        found.append((ran.returncode, ran.stdout))
    assert found[0] == found[1]
    assert found[0][0] == 0
