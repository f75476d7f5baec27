"""What the tests of the library share as fixtures."""

import signal
import sys

import pytest


@pytest.fixture
def interruptible():
    """SIGINT as in a terminal: a shell's background job ignores it, and the test would hang."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def few_steps(monkeypatch):
    """Fits that stop early and hold out few pairs, for what holds of any fit.

    Rows sum to one wherever a descent stops, of which the last steps are many, and however few
    folds settings are learned on: with the usual ones each fit is eighteen.
    """
    monkeypatch.setattr("condprob.methods.structured.log_linear.ITERATIONS", 100)
    monkeypatch.setattr("condprob.methods.pitman_yor.constants.FOLDS", 2)
    monkeypatch.setattr("reproduction.studies.beyond.rivals.learning.FOLDS", 2)
    monkeypatch.setattr("reproduction.studies.beyond.rivals.learning.DEALS", 2)


@pytest.fixture(autouse=True)
def outside_a_notebook(monkeypatch):
    """Forget the kernel that a test of notebooks has imported in the same process."""
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
