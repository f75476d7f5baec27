"""Compiled functions are kept until a function that they call is another."""

import importlib.util
import os
import pkgutil
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import numba
import pytest

from condprob import fit, jit
from condprob.jit import EXACT, PACKAGE, njit

CALLER = """
from condprob.jit import EXACT, njit
from condprob.methods.smoothing import coefficients
from kernels.called import called


@njit(**EXACT)
def caller(x):
    return called(x) + coefficients(0.0, 0.0, 1.0, 0.0, 0.0)[2]
"""
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
    """Return what `caller` gives in so many processes at once."""
    how = {"env": environment_of(kernels), "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", RUN]
    started = [subprocess.Popen(command, cwd=kernels.parent, **how) for _ in range(times)]
    return [int(process.communicate()[0].split()[0]) for process in started]


def test_a_changed_function_never_runs_as_it_was(kernels):
    """As after an upgrade in place: in the package's folder, and in one that is given."""
    base, kept = kernels / "__pycache__", kernels.parent / "kept"
    assert run_at_once(kernels, 2) == [15, 15]
    assert run(kernels) == [15, 1]
    # A number in a module without compiled functions is part of the compiled code, as is what is
    # called of condprob: one of them as it was would give 85, or 22.
    (kernels / "constants.py").write_text("FACTOR = 3.0", encoding="utf-8")
    smoothing = kernels.parent / "condprob/methods/smoothing.py"
    source = smoothing.read_text(encoding="utf-8")
    changed = source.replace("z = total + (seen", "z = 70.0 + total + (seen", 1)
    assert changed != source
    smoothing.write_text(changed, encoding="utf-8")
    assert run(kernels) == [92, 0]
    (before,) = folders_of(base, "kernels")
    assert run(kernels, NUMBA_CACHE_DIR=str(kept)) == [92, 0]
    assert len(folders_of(kept, "kernels")) == len(folders_of(kept, "condprob")) == 1
    assert folders_of(base, "kernels") == [before]


PAIRS = [("a", "x"), ("a", "y"), ("b", "x")]
FIT = f"""
from condprob import fit

print(fit({PAIRS}, method="mf-sgd", rank=2, seed=1).prob("b", "y"))
"""


def run_fit(kernels, **further):
    """Return what a fit prints in a process that finds the copy, and what it warns of."""
    how = {"env": environment_of(kernels, **further), "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-c", FIT], cwd=kernels.parent, check=True, **how)
    return float(done.stdout), done.stderr


@pytest.mark.parametrize("place", ["nowhere to keep functions", "an archive"])
def test_where_nothing_can_be_kept_functions_are_compiled_with_one_warning(place, kernels):
    """A read-only installation, and a home without room; a package in a zip archive."""
    copy, archive = kernels.parent / "condprob", kernels.parent / "site.zip"
    if place == "an archive":
        with zipfile.ZipFile(archive, "w") as file:
            for path in copy.rglob("*.py"):
                file.write(path, path.relative_to(kernels.parent))
        shutil.rmtree(copy)
        environment = {"PYTHONPATH": str(archive)}
    else:
        (copy / "__pycache__").write_text("no folder")
        environment = {"NUMBA_CACHE_DIR": "/dev/null/a", "XDG_CACHE_HOME": "/dev/null/b"}
    found, warned = run_fit(kernels, **environment)
    assert found == fit(PAIRS, method="mf-sgd", rank=2, seed=1).prob("b", "y")
    assert warned.count("RuntimeWarning") == 1
    assert "NUMBA_CACHE_DIR" in warned


SLOW = """
import numpy as np
from condprob import method

print("begins", flush=True)
matrix = method("ad-lr", rank=3, iterations=40).fit(np.eye(30, dtype=int) + 1, seed=1)
print(matrix.dense().tobytes().hex())
"""


def test_an_interrupt_while_functions_are_compiled_gives_no_half_fit(tmp_path):
    """Python may lose an interrupt in the compiler: then the fit is whole."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command, folder = [sys.executable, "-c", SLOW], {"NUMBA_CACHE_DIR": str(tmp_path)}
    ended = []
    for seconds in (0.05, 0.6):
        process = subprocess.Popen(command, env=os.environ | folder, **how)
        assert process.stdout.readline() == "begins\n"
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        ended.append((process.communicate()[0], process.returncode))
    again = subprocess.run(command, env=os.environ | folder, check=True, **how)
    expected = again.stdout.partition("\n")[2]
    for found, status in ended:
        assert found == (expected if status == 0 else "")


def test_nobody_without_a_home_gets_a_folder_named_tilde(tmp_path, monkeypatch):
    """`expanduser` leaves "~" where the system knows neither the user nor a home."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "__pycache__").write_text("no folder can be made here")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
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
                found |= {value for value in values if hasattr(value, "py_func")}
    return found


def test_no_compiled_function_reorders_sums():
    """Each caller would have its own version, with last digits that a load's order tells.

    And each processor its own order.
    """
    functions = compiled_functions()
    assert len(functions) > 30
    assert [each.__name__ for each in functions if each.targetoptions.get("fastmath")] == []


def test_both_passes_are_compiled_for_later_processes():
    """Few pairs and many are visited by passes of their own."""
    code = "from condprob.catalogue import compile_functions; compile_functions(['ad-lr'])"
    code += "; from condprob.methods.em.passes import visit, visit_densely"
    code += "; functions = visit, visit_densely"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print([len(each.signatures) for each in functions])"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[1, 1]\n"


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
        found.append((ran.returncode, ran.stdout))
    assert found[0] == found[1]
    assert found[0][0] == 0
