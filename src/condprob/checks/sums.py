"""Sums in a table of counts, such as pandas adds to a cross table with ``margins=True``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf, isclose
from typing import Any

import numpy as np

TOLERANCE = 1e-9  # relative difference allowed between a sum and the cells


def name_of_sums(contexts: Sequence[Any], outcomes: Sequence[Any], counts: Any) -> Any | None:
    """Return what a table of counts calls its own sums; None for one without sums.

    Sums have one name, of a context and of an outcome. With them a table adds up to four times its
    counts: its cells, the sums of rows and those of columns, and the total, where the two meet; or
    to three times, if the total is left out. Where no sum is of several cells, such as in a cycle
    of three labels, equal counts look like sums, and are counts.

    Parameters
    ----------
    contexts, outcomes : sequence or `Column`, length n
        Labels of the cells that have a count.
    counts : array or list of numbers, length n
    """
    try:
        cells = np.asarray(counts, dtype=float)
    except OverflowError:  # an integer that no float is
        return None
    with np.errstate(over="ignore"):
        total = cells.sum()
    if not 0 < total < inf:
        return None
    places = np.flatnonzero(abs(cells - total / 4) <= TOLERANCE * total).tolist()
    if _has_edge(contexts, cells) or _has_edge(outcomes, cells):
        places.append(-1)
    for place in places:
        for name in {_name(contexts[place]), _name(outcomes[place])}:
            sides = (contexts, outcomes), (outcomes, contexts)
            sizes = [_size_of_sums(name, *each, cells) for each in sides]
            if min(sizes) > 0 and max(sizes) > 1:
                return name
    return None


def _has_edge(labels: Sequence[Any], cells: np.ndarray) -> bool:
    """Whether the last cells, those of one label, are a third of all: sums without their total."""
    first = len(cells) - 1
    while first > 0 and labels[first - 1] == labels[-1]:
        first -= 1
    return isclose(cells[first:].sum(), cells.sum() / 3, rel_tol=TOLERANCE)


def _name(label: Any) -> Any:
    """Return the first part of a label of several levels if the others are empty."""
    has_name = isinstance(label, tuple) and label and all(part == "" for part in label[1:])
    return label[0] if has_name else label


def _size_of_sums(
    name: Any, labels: Iterable[Any], across: Iterable[Any], cells: np.ndarray
) -> int:
    """Return how many cells the longest sum of a name has; zero if its cells are no sums.

    They are sums if they are those of the other cells, across each label that has a sum.
    """
    sums: Counter[Any] = Counter()
    others: Counter[Any] = Counter()
    sizes: Counter[Any] = Counter()
    for label, other, count in zip(labels, across, cells.tolist(), strict=True):
        is_sum = _name(label) == name
        (sums if is_sum else others)[other] += count
        sizes[other] += not is_sum and count > 0
    has_total = any(_name(x) == name for x in sums)
    summed = [x for x in {*sums, *others} if has_total or _name(x) != name]
    agree = all(isclose(sums[x], others[x], rel_tol=TOLERANCE) for x in summed)
    return max(sizes[x] for x in summed) if sums and summed and agree else 0
