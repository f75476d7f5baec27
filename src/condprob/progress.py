"""The loop of a fit, in chunks: between two it is saved, shows its progress, may be interrupted.

The bar is tqdm's. By default it is shown at a terminal or in a notebook, once a fit has taken three
seconds.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Any, NamedTuple

# Seconds between two states of a bar that goes to a file; not measured.
SECONDS_BETWEEN_STATES = 1.0
# Seconds after which a fit at a terminal shows its progress by itself; not measured.
SECONDS_OF_PATIENCE = 3.0
# The parts of a fit that are under way, the outermost first.
_parts: ContextVar[tuple[str, ...]] = ContextVar("_parts", default=())


class Later(NamedTuple):
    """Progress that is shown from a moment on, of the clock `time.monotonic`."""

    begins: float


Progress = bool | Later


def progress_of(given: bool | None) -> Progress:
    """Return the progress of a fit that begins now; None stands for the default."""
    if sys.stderr is None:
        return False
    if given is not None:
        return bool(given)
    return Later(monotonic() + SECONDS_OF_PATIENCE) if is_watched() else False


def _is_due(progress: Progress) -> bool:
    return monotonic() >= progress.begins if isinstance(progress, Later) else progress


class Goal(NamedTuple):
    """A number that falls until it is small enough, which ends the iterations."""

    name: str
    end: float
    now: Callable[[], float]


def chunks(
    total: int,
    steps: int,
    progress: Progress,
    unit: str = "iteration",
    done: int = 0,
    goal: Goal | None = None,
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk; show a bar on standard error, if it is wanted.

    The bar has the iterations, the time since the first chunk, the time left if all iterations are
    needed, and their rate over the last chunks. None of these counts the compilation before.

    Parameters
    ----------
    total : int
        Iterations in all; with a goal, at most.
    steps : int
        Iterations of a chunk; the last may have fewer.
    progress : bool or Later
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
    progress: Progress = True,
) -> Iterator[Callable[[int], None]]:
    """Show a bar; within, call the given function with the iterations done. See `chunks`.

    Functions are compiled before the first of these calls: the times of the bar begin with it.
    """
    bar: Any = None

    def show(now: int) -> None:
        nonlocal bar
        if bar is None:
            if not _is_due(progress):
                return
            bar = _bar(total, unit, now)
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
    from tqdm import tqdm

    parts = _parts.get()
    return tqdm(
        desc="".join(f"{part}: " for part in parts),
        total=total,
        initial=done,
        leave=not parts,  # the bar of a part makes room for the next
        mininterval=0.1 if is_at_terminal() else SECONDS_BETWEEN_STATES,
        miniters=1,
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
        How many there are; a search may end with fewer.
    progress : bool or Later
        Whether a part that takes more than a second says when it is done.
    """

    def __init__(self, name: str, total: int, progress: Progress) -> None:
        self.name, self.total, self.progress = name, total, progress
        self.number = 0

    @contextmanager
    def next(self) -> Iterator[None]:
        """Do the next part within."""
        self.number, begun, outer = self.number + 1, monotonic(), _parts.get()
        part = f"{self.name} {self.number} of {self.total}"
        token = _parts.set((*outer, part) if self.total > 1 else outer)
        try:
            yield
            took = monotonic() - begun
            if _is_due(self.progress) and self.total > 1 and took >= SECONDS_BETWEEN_STATES:
                line = f"{': '.join(_parts.get())}: done in {took:.0f} s"
                print(line, file=sys.stderr, flush=True)
        finally:
            _parts.reset(token)


def is_at_terminal() -> bool:
    """Whether standard error goes to a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def is_watched() -> bool:
    """Whether somebody sees standard error: at a terminal, or in a notebook."""
    return is_at_terminal() or "ipykernel" in sys.modules


def note(line: str) -> None:
    """Print a line on standard error where somebody sees it."""
    if is_watched():
        print(line, file=sys.stderr, flush=True)
