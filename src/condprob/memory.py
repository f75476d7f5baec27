"""Memory that is used again: arrays that come and go, each as large as one before it."""

from collections import defaultdict

import numpy as np


class Memory:
    """Memory for arrays of float64; that of an array which nobody has any more is used again.

    The system clears new memory, page by page, as it is written first. No array shares memory with
    another as long as it, or a view of it, is there. Threads may ask at once. A copy of the object,
    such as in another process, has no memory.
    """

    def __init__(self) -> None:
        self.free: dict[int, list[np.ndarray]] = defaultdict(list)

    def __reduce__(self) -> tuple[type, tuple]:
        """Return how a copy or a pickle is made."""
        return Memory, ()

    def empty(self, size: int) -> np.ndarray:
        """Return an array, shape (size,), with any numbers in it."""
        free = self.free[size]
        try:
            floats = free.pop()
        except IndexError:  # also where another thread was faster
            floats = np.empty(size)
        return np.asarray(_Lent(floats, free))


class _Lent:
    """What an array and all its views hold on to; the memory is free again when it goes.

    A view of an array may hold on to the base of that array alone, and not to the array itself.
    """

    def __init__(self, floats: np.ndarray, free: list[np.ndarray]) -> None:
        self.floats, self.free = floats, free
        self.__array_interface__ = floats.__array_interface__

    def __del__(self) -> None:
        self.free.append(self.floats)
