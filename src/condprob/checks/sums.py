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
    counts: its cells, the sums of rows and those of columns, and the total, where the two meet. Two
    contexts and two outcomes with equal counts look like it, and are counts.

    Parameters
    ----------
    contexts, outcomes : sequence or `Column`, length n
        Labels of the cells that have a count.
    counts : array or list of numbers, length n
    """
    rows, columns = (
        {label: _name(label) for label in getattr(labels, "distinct", labels)}  # of a `Column`
        for labels in (contexts, outcomes)
    )
    if not {*rows.values()} & {*columns.values()} or len(rows) == len(columns) == 2:
        return None
    try:
        cells = np.asarray(counts, dtype=float)
    except OverflowError:  # an integer that no float is
        return None
    with np.errstate(over="ignore"):
        total = cells.sum() / 4
    if not 0 < total < inf:
        return None
    for place in np.flatnonzero(np.isclose(cells, total, rtol=TOLERANCE, atol=0)):
        name = rows[contexts[place]]
        if name != columns[outcomes[place]]:
            continue
        are_sums = (rows[label] == name for label in contexts)
        if _sums_agree(are_sums, outcomes, cells):
            are_sums = (columns[label] == name for label in outcomes)
            if _sums_agree(are_sums, contexts, cells):
                return name
    return None


def _name(label: Any) -> Any:
    """Return the first part of a label of several levels if the others are empty."""
    has_name = isinstance(label, tuple) and label and all(part == "" for part in label[1:])
    return label[0] if has_name else label


def _sums_agree(are_sums: Iterable[bool], across: Iterable[Any], counts: np.ndarray) -> bool:
    """Whether the sums across each label are the sums of its other cells."""
    sums: Counter[Any] = Counter()
    others: Counter[Any] = Counter()
    for is_sum, label, count in zip(are_sums, across, counts.tolist(), strict=True):
        (sums if is_sum else others)[label] += count
    return all(isclose(sums[x], others[x], rel_tol=TOLERANCE) for x in {*sums, *others})
