"""What `Estimate.top` leaves out: outcomes, outcomes by context, or pairs as in `condprob.fit`."""

from collections.abc import Collection, Mapping
from numbers import Real
from typing import Any

import numpy as np

from condprob.checks import in_brief
from condprob.counts import CountMatrix
from condprob.data_files import PairData
from condprob.labelled.pairs import (
    NO_NAMES,
    Names,
    column_names,
    computed,
    further_pairs,
    has_columns,
    is_many,
    labels_of,
    names_in,
)
from condprob.vocabulary import Vocabulary

SHOWN = 3  # labels in a message, which is to stay one line; not measured


def numbers_to_exclude(
    data: Any, names: Names, contexts: Vocabulary, outcomes: Vocabulary, shape: tuple[int, int]
) -> CountMatrix | np.ndarray:
    """Return the numbers of known outcomes, or counts of known pairs of this shape."""
    data = computed(data)
    several = _outcomes_in(data, outcomes)
    if several is not None:
        return outcomes.numbers(each for each in several if each in outcomes)
    if names_in(data, names) == NO_NAMES:
        data = _without_names(data, contexts, outcomes)
    pairs = further_pairs(data, names, (contexts, outcomes), needs_weights=False)
    known, _ = pairs.within(contexts, outcomes)
    numbers = contexts.numbers(known.contexts), outcomes.numbers(known.outcomes)
    return CountMatrix.from_pairs(*numbers, shape=shape)


def _outcomes_in(data: Any, outcomes: Vocabulary) -> list | None:
    """Return the outcomes to leave out after every context, or None if the data are pairs.

    A text, a number, or a tuple that is an outcome stands for itself. A list, a set, an array or a
    column holds outcomes, unless some entries are tuples or lists and no tuple is an outcome.
    """
    if isinstance(data, PairData):
        return None
    if isinstance(data, str | bytes | Real) or _is_known(data, outcomes):
        return [data]
    if isinstance(data, Collection) and not len(data):
        return []
    if isinstance(data, Mapping) or _levels(data) > 1 or not is_many(data):
        return None
    labels = labels_of(data)
    parts = [label for label in labels if isinstance(label, tuple) or is_many(label)]
    return None if parts and not any(_is_known(part, outcomes) for part in parts) else labels


def _without_names(data: Any, contexts: Vocabulary, outcomes: Vocabulary) -> Any:
    """Return data in a form that `condprob.fit` reads without names of columns.

    ``{context: [outcome, ...]}``, or a pandas column of lists or sets with contexts as its index,
    becomes pairs. Other data stay as they are.

    Raises
    ------
    ValueError
        If the data look like a table of labels: `condprob.fit` got no names of its columns.
    """
    by_context: list[tuple[Any, Any]] = []
    if isinstance(data, Mapping):
        by_context = list(data.items())
    elif has_columns(data):
        names = column_names(data)
        if not any(name in outcomes for name in names):
            _refuse(names, "outcome")
    elif _levels(data) == 1:
        by_context = list(zip(labels_of(data.index), labels_of(data), strict=True))
    if not by_context or not all(is_many(several) for _, several in by_context):
        return data
    _refuse_columns(by_context, contexts)
    rows = []
    for context, several in by_context:
        is_counted = isinstance(several, Mapping)
        counts = several.items() if is_counted else [(label, 1) for label in labels_of(several)]
        rows += [(context, *outcome_and_count) for outcome_and_count in counts]
    return PairData(*map(list, zip(*rows, strict=True))) if rows else PairData([], [])


def _refuse(names: list, kind: str) -> None:
    shown = ", ".join(map(in_brief, names[:SHOWN]))
    hint = "a table needs the names of columns, and the fit had others or none"
    raise ValueError(f"exclude: {shown}: no {kind} that the estimate knows; {hint}")


def _refuse_columns(by_context: list[tuple[Any, Any]], contexts: Vocabulary) -> None:
    """Raise ValueError for a dictionary of columns: lists of one length, contexts among them."""
    names = [name for name, _ in by_context]
    if len(names) < 2 or any(name in contexts for name in names):
        return
    columns = [labels_of(several) for _, several in by_context]
    if len({*map(len, columns)}) == 1 and any(label in contexts for c in columns for label in c):
        _refuse(names, "context")


def _levels(data: Any) -> int:
    """Return the number of levels of a pandas index; zero for data without one."""
    return getattr(getattr(data, "index", None), "nlevels", 0)


def _is_known(label: Any, outcomes: Vocabulary) -> bool:
    return isinstance(label, tuple | frozenset) and label in outcomes
