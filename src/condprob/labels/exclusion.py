"""What `Estimate.top` leaves out: outcomes of every context, or pairs as for `condprob.fit`."""

from collections.abc import Collection, Iterable, Mapping
from os import PathLike
from typing import Any

import numpy as np

from condprob.checks import in_brief
from condprob.checks.values import as_label, as_labels, unpacked
from condprob.counts import CountMatrix
from condprob.labels.pairs import (
    Names,
    PairData,
    fields_of,
    further_pairs,
    has_columns,
    in_memory,
    index_levels,
    is_many,
    is_row,
)
from condprob.vocabulary import Vocabulary


def numbers_to_exclude(
    data: Any, names: Names, contexts: Vocabulary, outcomes: Vocabulary, shape: tuple[int, int]
) -> CountMatrix | np.ndarray:
    """Return the numbers of known outcomes, or counts of known pairs of this shape."""
    data = in_memory(unpacked(data))
    several = outcomes_in(data, outcomes)
    if several is not None:
        return outcomes.numbers(each for each in several if each in outcomes)
    pairs = further_pairs(data, names, (contexts, outcomes), needs_weights=False)
    known, _ = pairs.within(contexts, outcomes)
    return CountMatrix.from_pairs(*known.numbered(contexts, outcomes), shape=shape)


def numbers_among(labels: Any, outcomes: Vocabulary) -> np.ndarray:
    """Return the numbers of the outcomes that may be returned, of those that are known.

    Raises
    ------
    ValueError
        If the labels are a table or pairs, and no outcomes.
    """
    if has_columns(labels) or (several := outcomes_in(unpacked(labels), outcomes)) is None:
        raise ValueError(f"among = {in_brief(labels)}: must be a list of outcomes")
    return outcomes.numbers(each for each in several if each in outcomes)


def outcomes_in(data: Any, outcomes: Vocabulary) -> list | None:
    """Return the outcomes to leave out after every context, or None if the data are pairs.

    A text, a number, or a tuple that is an outcome stands for itself. A list, a set, an array or a
    column holds outcomes, unless some entries are rows of labels and no tuple is an outcome.
    """
    if isinstance(data, PairData | PathLike):  # a text is an outcome
        return None
    are_several = isinstance(data, Iterable) or has_columns(data) or len(getattr(data, "shape", ()))
    if isinstance(data, str | bytes) or not are_several or _is_known(data, outcomes):
        return [as_label(data)]
    if isinstance(data, Collection) and not len(data):
        return []
    if isinstance(data, Mapping) or index_levels(data) > 1 or not is_many(data):
        return None
    labels = as_labels(data)
    parts = [e for e in labels if is_many(e) or is_row(e) or fields_of(e) is not None]
    return None if parts and not any(_is_known(part, outcomes) for part in parts) else labels


def _is_known(label: Any, outcomes: Vocabulary) -> bool:
    try:
        return isinstance(label, tuple | frozenset) and label in outcomes
    except ValueError:  # a part of it is a list: it is a row of labels, and none
        return False
