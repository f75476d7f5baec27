"""The flags of compiled functions, and interrupts that fall among them."""

from collections.abc import Iterator
from contextlib import contextmanager

# Compiled once and kept; without Python's global lock; and dividing by zero is no exception.
EXACT = {"cache": True, "nogil": True, "error_model": "numpy"}
# Sums may be reordered, which lets them run by vectors; inf and nan stay. docs/performance.md says
# what that earns.
JIT = EXACT | {"fastmath": {"reassoc", "contract", "arcp", "nsz"}}


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let an interrupt of Python's own be itself, wherever it falls in what is within.

    Numba runs Python code to return an array. An interrupt there comes out as a SystemError, whose
    causes lead back to it.
    """
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__
        if cause is None:
            raise
        raise KeyboardInterrupt from error
