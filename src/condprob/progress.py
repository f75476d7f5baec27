"""The loop of a fit, in chunks: between two it is saved, shows its progress, may be interrupted.

The bar of progress is that of tqdm, which is imported when a bar is wanted.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, NamedTuple

from condprob.checks import spell_out

# Seconds between two states of a bar that goes to a file; not measured.
SECONDS_BETWEEN_STATES = 1.0
# Seconds after which a command at a terminal shows its progress by itself; not measured.
SECONDS_OF_PATIENCE = 3.0
_silent_until: ContextVar[float] = ContextVar("_silent_until", default=0.0)
# The parts of a fit that are under way, the outermost first.
_parts: ContextVar[tuple[str, ...]] = ContextVar("_parts", default=())


class Goal(NamedTuple):
    """A number that falls until it is small enough, which ends the iterations."""

    name: str
    end: float
    now: Callable[[], float]


def chunks(
    total: int,
    steps: int,
    progress: bool,
    unit: str = "iteration",
    done: int = 0,
    goal: Goal | None = None,
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk; on request show a bar on standard error.

    The bar has the iterations, the time since the first chunk, the time left if all iterations are
    needed, and their rate over the last chunks. None of these counts the compilation before.

    Parameters
    ----------
    total : int
        Iterations in all; with a goal, at most.
    steps : int
        Iterations of a chunk; the last may have fewer.
    progress : bool
    unit : str
        The name of an iteration.
    done : int
        Iterations that are done already.
    goal : Goal, optional
        A number that may end them sooner.
    """
    with shown(total, unit, done, goal, progress=progress) as show:
        for start in range(done, total, steps):
            stop = min(start + steps, total)
            yield start, stop
            show(stop)


@contextmanager
def shown(
    total: int,
    unit: str = "iteration",
    done: int = 0,
    goal: Goal | None = None,
    *,
    progress: bool = True,
) -> Iterator[Callable[[int], None]]:
    """Show a bar; within, call the given function with the iterations done. See `chunks`.

    Without ``progress`` there is no bar, and the function does nothing.

    Functions are compiled before the first of these calls: the times of the bar begin with it.
    """
    bar = _bar(total, unit, done) if progress else None
    begun = False

    def show(now: int) -> None:
        nonlocal begun
        if bar is not None:
            if not begun:
                begun, bar.n, bar.initial, bar.last_print_n = True, now, now, now
                bar.unpause()
                if monotonic() >= _silent_until.get():
                    bar.refresh()
            if goal:
                state = f"{goal.name} {goal.now():.2g} (to {goal.end:.2g})"
                bar.set_postfix_str(state, refresh=False)
            bar.update(now - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()


def _bar(total: int, unit: str, done: int) -> Any:
    """Return a bar of tqdm, or None if there is no tqdm, or nothing to write to."""
    delay = max(_silent_until.get() - monotonic(), 0.0)
    if sys.stderr is None:
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        if not delay:
            warnings.warn("a bar of progress needs tqdm: pip install tqdm", stacklevel=3)
        return None
    parts = _parts.get()
    return tqdm(
        desc="".join(f"{part}: " for part in parts),
        total=total,
        initial=done,
        leave=not parts,  # the bar of a part makes room for the next
        mininterval=0.1 if is_at_terminal() else SECONDS_BETWEEN_STATES,
        miniters=1,
        delay=delay,
        bar_format=f"{{desc}}{{n_fmt}}/{{total_fmt}} {unit}s "
        "[{elapsed}<{remaining}, {rate_fmt}{postfix}]",
    )


class Parts:
    """Parts of a fit, one after the other: every bar within a part has its name.

    Parameters
    ----------
    name : str
        The name of a part.
    total : int
        How many there are.
    progress : bool
        Whether a part that takes more than a second says when it is done.
    may_end : bool
        Whether a search ends with fewer.
    """

    def __init__(self, name: str, total: int, progress: bool, may_end: bool = False) -> None:
        self.name, self.total, self.progress, self.may_end = name, total, progress, may_end
        self.number = 0

    @contextmanager
    def next(self, is_last: bool = False) -> Iterator[None]:
        """Do the next part within; ``is_last`` says that it is the last of those that may end."""
        self.number, begun, outer = self.number + 1, monotonic(), _parts.get()
        part = f"{self.name} {self.number} of {'at most ' * self.may_end}{self.total}"
        if is_last and self.may_end:
            part = f"last {self.name}"
        token = _parts.set((*outer, part) if self.total > 1 else outer)
        try:
            yield
            if self.progress and self.total > 1 and monotonic() - begun >= SECONDS_BETWEEN_STATES:
                _write(f"{': '.join(_parts.get())}: done in {monotonic() - begun:.0f} s")
        finally:
            _parts.reset(token)


def _write(line: str) -> bool:
    is_shown = sys.stderr is not None and monotonic() >= _silent_until.get()
    if is_shown:
        print(line, file=sys.stderr, flush=True)
    return is_shown


def note(line: str) -> bool:
    """Print a line on standard error if that is a terminal; return whether it did."""
    return is_at_terminal() and _write(line)


@contextmanager
def telling_after(seconds: float) -> Iterator[None]:
    """Let no fit within show its progress before so many seconds have passed, here and outside."""
    token = _silent_until.set(max(_silent_until.get(), monotonic() + seconds))
    try:
        yield
    finally:
        _silent_until.reset(token)


def is_at_terminal() -> bool:
    """Whether standard error goes to a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def warn(text: str) -> None:
    """Print a warning in one line on standard error."""
    if sys.stderr is not None:
        print(f"condprob: warning: {spell_out(text)}", file=sys.stderr)
