"""Discounts of Kneser-Ney from counts of counts, and its lowest order."""

from typing import NamedTuple

import numpy as np


def discount_of(values: np.ndarray) -> float:
    """Return ``n1 / (n1 + 2 n2)`` of counts in any order, 3/4 where it is undefined."""
    once, twice = (int((values == times).sum()) for times in (1, 2))
    return once / (once + 2 * twice) if once and twice else 0.75


class Discounts(NamedTuple):
    """What is taken of a count of one, of two, and of a larger one."""

    of_one: float
    of_two: float
    of_more: float

    def of(self, counts: np.ndarray) -> np.ndarray:
        """Return what is taken of each count, zero of a zero, in their shape."""
        return np.array([0.0, *self])[np.minimum(counts, 3)]


def estimate_discounts(values: np.ndarray) -> Discounts:
    """Return the three discounts of Chen and Goodman (1998, Eq. 26) for whole counts.

    ``c - (c + 1) Y n_(c+1) / n_c`` for ``c`` = 1, 2, 3, where ``Y = n1 / (n1 + 2 n2)`` and ``n_c``
    is how many values are ``c``.

    READING: where one of them is undefined, or not between 0 and ``c``, ``Y`` stands for it, and
    3/4 for an undefined ``Y``.

    Raises
    ------
    ValueError
        If the counts are not whole.
    """
    if values.dtype.kind == "f":
        raise ValueError("discount = 'modified' needs whole counts, and these have fractions")
    n = [int((values == times).sum()) for times in range(1, 5)]
    Y = discount_of(values)
    found = []
    for c in (1, 2, 3):
        discount = c - (c + 1) * Y * n[c] / n[c - 1] if n[c - 1] else 0.0
        found.append(discount if 0 < discount < c and n[c] else Y)
    return Discounts(*found)


def continuation_of(distinct: np.ndarray, taken: np.ndarray, freed: float, kind: str) -> np.ndarray:
    """Return the lower order of Kneser-Ney, of a kind (see there): a distribution, (outcomes,).

    ``distinct``, shape (outcomes,), is the number of distinct contexts before each outcome; of real
    counts, a pair whose count is below one stands for that part of one. ``taken`` is taken of each,
    ``freed`` in all.
    """
    total, unseen = distinct.sum(), distinct == 0
    if kind == "floor" or total == 0:
        floored = np.maximum(distinct, 1)
        return floored / floored.sum()
    if kind == "uniform":
        return (distinct - taken) / total + freed / total / distinct.size
    if not unseen.any():  # nobody to give to
        return distinct / total
    return (distinct - taken + freed * unseen / unseen.sum()) / total
