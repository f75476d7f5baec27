"""Ordinary threads for compiled work, which lets go of Python's global lock.

Handing out the work costs a fraction of a millisecond each time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np


class Team:
    """So many threads, which are there from ``with`` to its end; for one alone none is started.

    Attributes
    ----------
    size : int
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> "Team":
        if self.size > 1:
            self._pool = ThreadPoolExecutor(self.size)
        return self

    def __exit__(self, *raised: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def each(self, work: Callable[[int], Any]) -> list:
        """Return ``work(r)`` of every thread ``r``."""
        if not self._pool:
            return [work(0)]
        return list(self._pool.map(work, range(self.size)))


def share_out(indptr: np.ndarray, blocks: int) -> list[tuple[int, int]]:
    """Return so many ranges of rows, ``(start, stop)``, with about the same number of pairs."""
    bounds = np.searchsorted(indptr, np.arange(blocks + 1) * indptr[-1] // blocks)
    bounds[0], bounds[-1] = 0, indptr.size - 1
    return list(pairwise(bounds))


def split_evenly(size: int, parts: int) -> list[tuple[int, int]]:
    """Return so many ranges, ``(start, stop)``, of about the same size."""
    return list(pairwise(np.arange(parts + 1) * size // parts))
