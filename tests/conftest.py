"""Settings of the whole suite."""

import compileall
import gc
import os
import shutil
import signal
import sys
from pathlib import Path

# pytest has a process for each core. Threads of linear algebra beside them wait for each other at
# work: twice the processor time was measured. This has to stand before the first import of numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Processes that tests start would all compile the project's modules anew, a second for each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import pytest
from hypothesis import settings

# A job in the background of a shell, or under nohup, ignores these signals, and so would the
# commands that tests start and interrupt: they would wait for ever.
for _signal in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_signal) is signal.SIG_IGN:
        is_interrupt = _signal is signal.SIGINT
        signal.signal(_signal, signal.default_int_handler if is_interrupt else signal.SIG_DFL)

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# The same examples on every run and machine, and no failure because a machine was busy.
settings.register_profile("suite", derandomize=True, deadline=None, max_examples=40)
# More, and others on every run, with what is needed to see a failure again (`make explore`, or
# `pytest --hypothesis-profile=random`).
settings.register_profile(
    "random", derandomize=False, deadline=None, print_blob=True, max_examples=400
)
settings.load_profile("suite")

try:
    # It registers the rivals of a study: before any test lists the methods.
    import reproduction.methods  # noqa: F401
except ModuleNotFoundError:
    # The library alone is installed, as from a wheel: the pipeline runs from a checkout only.
    collect_ignore = ["reproduction", "workflow"]


def pytest_configure():
    """Compile the project's modules once, before several processes do so at the same time."""
    source = Path(__file__).parents[1] / "src"
    if "PYTEST_XDIST_WORKER" not in os.environ and source.is_dir():
        compileall.compile_dir(source, quiet=2)


def pytest_collection_modifyitems(items):
    """Begin with what takes longest on one core, runs of whole copies of the project; end with what
    is short, the tests of the library, which then find it compiled.
    """
    library = Path(__file__).with_name("condprob")
    runs = {"first", "stopped"}
    items.sort(key=lambda item: (not runs & {*item.fixturenames}, library in item.path.parents))


def pytest_collection_finish():
    """Collect garbage less often: imports leave none, and tests little (5 % of their time)."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure():
    """End what tests of the pipeline have started."""
    if "forks" in sys.modules:
        sys.modules["forks"].stop()


def pytest_report_header():
    """Say what is left out, and how to run it."""
    if "collect_ignore" in globals():
        return (
            "tests of the reproduction and its workflow are left out: the library alone is "
            "installed (`make test` runs all)"
        )
    return None


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window, for the pages; a test without one is skipped with its reason."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser on the path: none of {', '.join(BROWSERS)}")
    # Chromium has no sandbox for the superuser, who runs many a container.
    options = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=options)
        yield started
        started.close()
