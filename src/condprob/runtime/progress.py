"""A fit in chunks, between which it can be interrupted and tells how far it is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf, isfinite, log
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from condprob.checks import spell_out

if TYPE_CHECKING:
    from condprob.runtime.checkpoints import Keeper

EVERY = 1.0  # seconds between two lines; not measured
# Seconds after which a command at a terminal tells by itself how far it is; not measured.
PATIENCE = 3.0
# By so much a number has to fall before it tells when it will be small enough: gaps of log-linear
# models stay where they are for half a minute, and then fall. Not measured.
FALLEN = 2.0
_silent_until: ContextVar[float] = ContextVar("_silent_until", default=-inf)


class Part(NamedTuple):
    """One of several parts of a fit."""

    name: str
    number: int  # from 1 on
    total: int
    begun: float  # when the first of them did
    may_end: bool = False  # whether there may be fewer in all
    is_only: bool = False  # whether nothing comes after it, whatever the numbers say

    def __str__(self) -> str:
        if self.is_only:
            return f"last {self.name}: "
        return f"{self.name} {self.number} of {'at most ' * self.may_end}{self.total}: "


_parts: ContextVar[tuple[Part, ...]] = ContextVar("_parts", default=())
_is_line_open: ContextVar[bool] = ContextVar("_is_line_open", default=False)


@contextmanager
def telling_after(seconds: float) -> Iterator[None]:
    """Let no fit within tell how far it is before so many seconds have passed; end its line."""
    token = _silent_until.set(monotonic() + seconds)
    try:
        yield
    finally:
        _silent_until.reset(token)
        if _is_line_open.get() and sys.stderr is not None:
            print(file=sys.stderr, flush=True)
            _is_line_open.set(False)


def is_at_terminal() -> bool:
    """Whether somebody may look at what goes to standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


class Parts:
    """Parts of a fit, one after the other: what is told within one says which it is.

    Parameters
    ----------
    name : str
        What a part is called.
    total : int
        How many there are.
    progress : bool
    may_end : bool
        Whether a search ends with fewer. Then nobody knows what is left of all of them.
    """

    def __init__(self, name: str, total: int, progress: bool, may_end: bool = False) -> None:
        self.name, self.total, self.progress, self.may_end = name, total, progress, may_end
        self.begun = self.told = monotonic()
        self.number = 0

    @contextmanager
    def next(self, is_last: bool = False) -> Iterator[None]:
        """Do the next part within; ``is_last`` says that it is the last of those that may end."""
        self.number, begun = self.number + 1, monotonic()
        part = Part(self.name, self.number, self.total, self.begun, self.may_end)
        if is_last and self.may_end:
            part = Part(self.name, 1, 1, begun, is_only=True)
        outer = _parts.get()
        token = _parts.set((*outer, part) if self.total > 1 else outer)
        try:
            yield
            now = monotonic()
            if self.progress and self.total > 1 and now - self.told >= EVERY:
                self.told = now
                _tell("done", 1.0, begun, now)
        finally:
            _parts.reset(token)


def drive(
    iterate: Callable[[int, int], tuple[int, bool]],
    done: int,
    iterations: int,
    steps: int,
    keeper: "Keeper | None" = None,
    progress: bool = False,
    goal: "Goal | None" = None,
) -> bool:
    """Run a fit in chunks, between which it is saved, shows its progress and can be interrupted.

    Parameters
    ----------
    iterate : callable
        ``iterate(start, stop)`` runs iterations ``start..stop-1``, fewer once the fit has settled.
        It returns how many are done, and whether the fit has settled.
    done, iterations : int
        Iterations that are done already, and all of them.
    steps : int
        Iterations of a chunk.
    keeper : Keeper, optional
        Saves the fit after each chunk, if a minute is over or it was the last.
    progress, goal
        See `chunks`.

    Returns
    -------
    bool
        Whether the fit has settled.
    """
    for start, stop in chunks(iterations, steps, progress, done=done, goal=goal):
        done, is_settled = iterate(start, stop)
        if keeper:
            keeper.save(done, is_last=is_settled or done == iterations)
        if is_settled:
            return True
    return False


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
    within: Part | None = None,
    goal: Goal | None = None,
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk; on request tell on standard error how far it is.

    What is left is estimated from what was spent: at most so much, if all iterations are needed
    and all parts of the fit take as long. With a goal it is about as long as that takes if it goes
    on to fall as it did; where it has hardly fallen nothing is told but how far it is.

    Parameters
    ----------
    total : int
        Iterations in all; with a goal, at most.
    steps : int
        Of a chunk, but the last may have fewer.
    progress : bool
    unit : str
        What an iteration is called.
    done : int
        Iterations that are done already.
    within : Part, optional
        What they are all of.
    goal : Goal, optional
        What may end them sooner.
    """
    begun = last = monotonic()
    course: list[tuple[float, float]] = []  # when, and what was left to the goal
    for start in range(done, total, steps):
        stop = min(start + steps, total)
        yield start, stop
        if not progress:
            continue
        now = monotonic()
        if goal:
            course.append((now, min(goal.now(), course[-1][1] if course else inf)))
        is_end = stop == total and (within is not None or not _parts.get())
        if is_end or now - last >= EVERY:
            last = now
            share, told = (stop - done) / (total - done), f"{stop}/{total} {unit}s"
            if goal and stop < total:
                share = _share_to(goal, course, begun, share)
                told = f"{stop} {unit}s, {goal.name} {course[-1][1]:.2g} (to {goal.end:.2g})"
            _tell(told, share, begun, now, within, goal is not None)


def _share_to(goal, course, begun, least):
    """Return which part of the time is over, by how a number has fallen; None if it is silent.

    It speaks once it has fallen to a part of what it was, in the later half of the time or in all.
    """
    now, value = course[-1]
    if value <= goal.end:
        return 1.0
    later = next(one for one in course if one[0] >= (begun + now) / 2)
    for then, before in (later, course[0]):
        if goal.end > 0 and isfinite(before) and FALLEN * value <= before:
            left = (now - then) * log(value / goal.end) / log(before / value)
            return max((now - begun) / (now - begun + left), least)
    return None


def _tell(what, share, begun, now, within=None, is_about=False):
    """Tell what is done and what is left: of all parts, or of the last that are not counted."""
    parts = (*_parts.get(), within) if within else _parts.get()
    if sys.stderr is None or now < _silent_until.get():
        return
    is_whole = True
    for part in reversed(parts):
        is_whole = not part.may_end
        if part.may_end or share is None:
            break
        share, begun = (part.number - 1 + share) / part.total, part.begun
    told = f"{what}, {now - begun:.0f} s"
    if share is not None and (share < 1 or is_whole):
        left = (now - begun) * (1 - share) / share
        told += f", {'about' if is_about else 'at most'} {left:.0f} s left"
        told += "" if is_whole else " of it"
    _print([*map(str, parts), told], is_over=share == 1 and is_whole)


def _print(told, is_over):
    """Print a line; at a terminal one replaces the other, and what does not fit is left out."""
    is_kept, width = is_over or not is_at_terminal(), 60
    if is_at_terminal():
        width = get_terminal_size().columns - 1
        while len(told) > 1 and sum(map(len, told)) > width:
            told = told[1:]
    _is_line_open.set(not is_kept)
    end = "\n" if is_kept else "\r"
    print(f"{''.join(told):<{width}}", end=end, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Tell a warning in one line on standard error."""
    if sys.stderr is not None:
        print(f"condprob: warning: {spell_out(text)}", file=sys.stderr)
