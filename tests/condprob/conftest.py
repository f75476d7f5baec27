"""What the tests of the library share as fixtures."""

import signal

import pytest


@pytest.fixture
def interruptible():
    """SIGINT as in a terminal: a shell's background job ignores it, and the test would hang."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
