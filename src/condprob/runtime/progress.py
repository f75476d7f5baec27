"""A fit in chunks, between which it can be interrupted and tells how far it is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

EVERY = 1.0  # seconds between two lines; not measured
# Seconds after which a command at a terminal tells by itself how far it is; not measured.
PATIENCE = 3.0
_silent_until: ContextVar[float] = ContextVar("_silent_until", default=-inf)


@contextmanager
def telling_after(seconds: float) -> Iterator[None]:
    """Let no fit within tell how far it is before so many seconds have passed."""
    token = _silent_until.set(monotonic() + seconds)
    try:
        yield
    finally:
        _silent_until.reset(token)


def is_at_terminal() -> bool:
    """Whether somebody may look at what goes to standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def chunks(
    total: int, steps: int, progress: bool, unit: str = "iteration", done: int = 0, of: str = ""
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk; on request tell on standard error how far it is.

    Parameters
    ----------
    total : int
        Iterations in all.
    steps : int
        Of a chunk, but the last may have fewer.
    progress : bool
    unit : str
        What an iteration is called.
    done : int
        Iterations that are done already.
    of : str
        What they are a part of; begins the line.
    """
    begun = last = monotonic()
    for start in range(done, total, steps):
        stop = min(start + steps, total)
        yield start, stop
        now = monotonic()
        is_due = now >= _silent_until.get() and (stop == total or now - last >= EVERY)
        if progress and sys.stderr is not None and is_due:
            last, spent = now, now - begun
            left = spent * (total - stop) / (stop - done)
            end = "\n" if stop == total or not is_at_terminal() else "\r"
            told = f"{of}{stop}/{total} {unit}s, {spent:.0f} s, at most {left:.0f} s left"
            print(f"{told:<60}", end=end, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Tell a warning in one line on standard error."""
    if sys.stderr is not None:
        print(f"condprob: warning: {text}", file=sys.stderr)
