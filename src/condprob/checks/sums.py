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
    to three times, if the total is left out. Two contexts and two outcomes with equal counts look
    like it, and are counts.

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
            if (
                _sums_agree(name, contexts, outcomes, cells)
                and _sums_agree(name, outcomes, contexts, cells)
                and not len({*contexts}) == len({*outcomes}) == 2
            ):
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


def _sums_agree(name: Any, labels: Iterable[Any], across: Iterable[Any], cells: np.ndarray) -> bool:
    """Whether the cells of a name are the sums of the others, across each label that has a sum."""
    sums: Counter[Any] = Counter()
    others: Counter[Any] = Counter()
    for label, other, count in zip(labels, across, cells.tolist(), strict=True):
        (sums if _name(label) == name else others)[other] += count
    has_total = any(_name(x) == name for x in sums)
    return bool(sums) and all(
        isclose(sums[x], others[x], rel_tol=TOLERANCE)
        for x in {*sums, *others}
        if has_total or _name(x) != name
    )
