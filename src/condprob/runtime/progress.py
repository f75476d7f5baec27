"""A fit in chunks, between which it can be interrupted and tells how far it is."""

import sys
from collections.abc import Iterator
from time import monotonic

EVERY = 1.0  # seconds between two lines; not measured


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
        if progress and sys.stderr is not None and (stop == total or now - last >= EVERY):
            last, spent = now, now - begun
            left = spent * (total - stop) / (stop - done)
            end = "\n" if stop == total or not sys.stderr.isatty() else "\r"
            told = f"{of}{stop}/{total} {unit}s, {spent:.0f} s, at most {left:.0f} s left"
            print(f"{told:<60}", end=end, file=sys.stderr, flush=True)
