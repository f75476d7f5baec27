"""Compiled functions are kept until a function that they call is another; logarithms by vectors."""

import ctypes
import errno
import importlib.util
import math
import os
import pkgutil
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
import types

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.caching import IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

from condprob import jit
from condprob.jit import (
    EXACT,
    INNER,
    PACKAGE,
    SMALLEST_DIVISOR,
    address_of,
    call,
    log,
    njit,
    sum_of_logs,
    weighted_logs,
)

CALLER = """
from condprob.jit import EXACT, log, njit
from kernels.called import called


@njit(**EXACT)
def caller(x):
    return called(x) + log(math.e)
""".replace("math.e", str(math.e))
CALLED = """
from condprob.jit import EXACT, njit
from kernels.constants import FACTOR


@njit(**EXACT)
def called(x):
    return FACTOR * x
"""
RUN = """
from kernels.caller import caller

print(round(caller(7.0)), sum(caller.stats.cache_hits.values()))
"""


@pytest.fixture
def kernels(tmp_path):
    """A package beside a copy of condprob, whose compiled functions it calls."""
    package = tmp_path / "kernels"
    package.mkdir()
    sources = {"__init__": "", "caller": CALLER, "called": CALLED, "constants": "FACTOR = 2.0"}
    for name, source in sources.items():
        (package / f"{name}.py").write_text(source, encoding="utf-8")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "condprob", ignore=ignore)
    return package


def environment_of(kernels, **further):
    """Return the environment of a process that finds the package and the copy beside it."""
    # Python's own files see no change within a second.
    ours = {"PYTHONPATH": str(kernels.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return kept | ours | further


def run(kernels, **further):
    """Return what `caller` gives, and how many of its versions were kept before."""
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=kernels.parent,
        env=environment_of(kernels, **further),
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(number) for number in done.stdout.split()]


def folders_of(base, package):
    """Return the folders below a base in which functions of a package are kept."""
    return [*base.glob(f"compiled-{package}-*")]


def run_at_once(kernels, times):
    """Do as `run` in so many processes at once."""
    how = {"env": environment_of(kernels), "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", RUN]
    started = [subprocess.Popen(command, cwd=kernels.parent, **how) for _ in range(times)]
    return [[*map(int, process.communicate()[0].split())] for process in started]


def test_a_function_is_compiled_once_and_a_changed_one_never_runs_as_it_was(kernels):
    """In the package's folder, and in one that is given."""
    base, kept = kernels / "__pycache__", kernels.parent / "kept"
    assert sorted(run_at_once(kernels, 3)) == [[15, 0], [15, 1], [15, 1]]
    # A number in a module without compiled functions is part of the compiled code.
    (kernels / "constants.py").write_text("FACTOR = 3.0", encoding="utf-8")
    assert run(kernels) == [22, 0]
    assert len(folders_of(base, "kernels")) == 1
    (before,) = folders_of(base, "kernels")
    assert run(kernels, NUMBA_CACHE_DIR=str(kept)) == [22, 0]
    jit = kernels.parent / "condprob" / "jit.py"
    source = jit.read_text(encoding="utf-8")
    changed = source.replace("return e * math.log(2.0)", "return 70.0 + e * math.log(2.0)")
    assert changed != source
    jit.write_text(changed, encoding="utf-8")
    assert run(kernels, NUMBA_CACHE_DIR=str(kept)) == [92, 0]
    assert len(folders_of(kept, "kernels")) == len(folders_of(kept, "condprob")) == 1
    assert folders_of(base, "kernels") == [before]


def test_a_function_is_used_though_its_folder_goes_while_it_is_compiled(tmp_path, monkeypatch):
    module = tmp_path / "alone.py"
    module.write_text("def twice(x):\n    return 2 * x\n", encoding="utf-8")
    found = runpy.run_path(str(module))
    twice = njit(**EXACT)(found["twice"])

    def fail(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "save", fail)
    assert twice(4) == 8


def test_where_nothing_can_be_kept_functions_are_compiled_and_it_is_said(kernels):
    copy = kernels.parent / "condprob"
    (copy / "__pycache__").write_text("no folder")
    nowhere = {"NUMBA_CACHE_DIR": "/dev/null/a", "XDG_CACHE_HOME": "/dev/null/b"}
    done = subprocess.run(
        [sys.executable, "-c", "from condprob.jit import log; print(round(log(2.0), 6))"],
        cwd=kernels.parent,
        env=environment_of(kernels, **nowhere),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0.693147\n"
    assert done.stderr.count("RuntimeWarning") == 1
    assert "NUMBA_CACHE_DIR" in done.stderr


def test_nobody_without_a_home_gets_a_folder_named_tilde(tmp_path, monkeypatch):
    """`expanduser` leaves "~" where the system knows neither the user nor a home."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__pycache__").write_text("no folder can be made here")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(jit.config, "CACHE_DIR", "")
    monkeypatch.chdir(tmp_path)
    assert jit.cache_folder(package) is None
    assert [each.name for each in tmp_path.iterdir()] == ["package"]


def test_functions_of_anybody_that_have_no_module_are_compiled():
    made = {}
    exec("def twice(x):\n    return 2 * x", made)
    made["twice"].__module__ = None
    assert numba.njit(made["twice"])(4) == 8
    assert njit(**EXACT)(made["twice"])(4) == 8


def test_compiled_functions_of_the_project_are_kept_by_its_own_decorator():
    """Numba's own would keep the code of called functions of other modules beyond a change."""
    sources = [*PACKAGE.rglob("*.py"), *PACKAGE.with_name("reproduction").rglob("*.py")]
    wrong = [
        path
        for path in sources
        if re.search(r"from numba import [^\n]*jit|numba\.n?jit", path.read_text(encoding="utf-8"))
    ]
    assert wrong == [PACKAGE / "jit.py"]


def compiled_functions():
    """Return the compiled functions of all modules of the project."""
    found = set()
    for package in filter(importlib.util.find_spec, ("condprob", "reproduction")):
        folder = PACKAGE.with_name(package)
        for module in pkgutil.walk_packages([str(folder)], f"{package}."):
            if not module.name.endswith("__main__"):
                values = vars(importlib.import_module(module.name)).values()
                found |= {value for value in values if isinstance(value, Dispatcher)}
    return found


def names_in(code):
    """Return the global names that a function uses, with the functions in it."""
    inner = [names_in(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*inner)


def test_compiled_functions_that_others_call_are_exact_or_inlined():
    """Of the others each caller has its own version, with last digits that a load's order tells."""
    wrong = set()
    for caller in compiled_functions():
        function = caller.py_func
        for name in names_in(function.__code__):
            called = function.__globals__.get(name)
            if isinstance(called, Dispatcher) and called is not caller:
                flags = called.targetoptions
                is_inlined = flags.get("forceinline") or flags.get("inline") == "always"
                if flags.get("fastmath") and not is_inlined:
                    wrong.add(f"{function.__name__} calls {name}")
    assert wrong == set()


COMPILES = (
    "from condprob.jit import log, sum_of_logs; log(2.0); sum_of_logs(__import__('numpy').eye(1))"
)


def lines_at_a_terminal(folder):
    """Return the lines that `COMPILES`, of two functions, writes to a terminal."""
    pty = pytest.importorskip("pty")
    try:
        ours, theirs = pty.openpty()
    except OSError as error:  # of a container without /dev/pts
        pytest.skip(str(error))
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


FITS = """
import numpy as np
from condprob import method

counts = np.random.default_rng(5).poisson(0.6, (14, 11))
for id, options in (("py-lr", {"sweeps": 6}), ("ad-lr", {"rank": 3, "iterations": 6})):
    print(method(id, **options).fit(counts, seed=3).dense().tobytes().hex())
"""


def test_the_process_that_compiles_a_fit_has_the_bits_of_later_ones(tmp_path):
    """A compiled function must keep no version of its own of another whose sums it may reorder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FITS]
    how = {"env": environment, "capture_output": True, "check": True}
    first, later = (subprocess.run(command, **how) for _ in range(2))
    assert first.stdout
    assert first.stdout == later.stdout
    assert first.stderr == later.stderr == b""  # a terminal alone is notified


def test_both_passes_are_compiled_for_later_processes():
    """Few pairs and many are visited by passes of their own; the loop is compiled once for both."""
    code = "from condprob.catalogue import compile_functions; compile_functions(['ad-lr'])"
    code += "; from condprob.em import passes; from condprob.vectors import width_of"
    functions = "passes.sparse_pass(width_of(8)), passes.dense_pass, passes.iterate"
    versions = f"[len(each.overloads) for each in ({functions})]"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print({versions})"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[1, 1, 1]\n"


@given(st.floats(min_value=SMALLEST_DIVISOR, allow_infinity=False))
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


@numba.njit(**EXACT)
def by_address(function, x, y):
    return call(function, x, y)


@numba.njit(**EXACT, **INNER)
def minus(x, y):
    return x - 2.0 * y[0]


@numba.njit(**EXACT, **INNER)
def checked(x, y):
    if x < 0:
        raise ValueError("x < 0")
    return x


def test_a_function_called_by_its_address_is_the_function_and_its_errors_are_its_own():
    arguments = 3.0, np.array([0.5])
    assert by_address(address_of(minus, *arguments), *arguments) == 2.0
    assert by_address(address_of(checked, *arguments), *arguments) == 3.0
    assert len(by_address.signatures) == 1
    with pytest.raises(ValueError, match="x < 0"):
        by_address(address_of(checked, *arguments), -1.0, arguments[1])


@pytest.mark.parametrize("fails", [False, True])
def test_an_interrupt_that_the_compiler_loses_is_raised_all_the_same(fails, capsys):
    """Python prints an exception in a function that C calls, and goes on."""

    @ctypes.CFUNCTYPE(None)
    def callback():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)  # the signal comes within

    @jit.interrupt_heard()
    def compile_function():
        callback()
        if fails:
            raise RuntimeError("no compiled object yet")

    before = signal.getsignal(signal.SIGINT), sys.unraisablehook
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            compile_function()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before[0])
    assert sys.unraisablehook is before[1]
    assert capsys.readouterr().err == ""


def test_a_handler_of_interrupts_may_name_the_next_one():
    """As that of a run does, whose second Ctrl-C says something else."""

    def handler(number, frame):
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    before = signal.signal(signal.SIGINT, handler)
    try:
        with jit.interrupt_heard():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
