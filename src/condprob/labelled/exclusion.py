"""What is not to be listed: outcomes, outcomes by context, or pairs as `condprob.fit` has them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from numbers import Real
from typing import Any

from condprob.checks import in_brief
from condprob.data_files import PairData
from condprob.labelled.tables import column_names, has_columns, is_many, labels_of
from condprob.vocabulary import Vocabulary

SHOWN = 3  # labels in a message, which is to stay one line; not measured


def outcomes_to_exclude(data: Any, outcomes: Vocabulary) -> list | None:
    """Return the outcomes that are left out after every context; None where data are pairs.

    A text or a number is one, and a tuple that is an outcome. Of a list, a set, an array or a
    column the entries are, unless there are tuples or lists among them, and no tuple is an outcome.
    """
    if isinstance(data, str | bytes | Real) or _is_known(data, outcomes):
        return [data]
    if isinstance(data, Collection) and not len(data):
        return []
    if isinstance(data, Mapping) or _levels(data) > 1 or not is_many(data):
        return None
    labels = labels_of(data)
    parts = [label for label in labels if isinstance(label, tuple) or is_many(label)]
    return None if parts and not any(_is_known(part, outcomes) for part in parts) else labels


def without_names(data: Any, contexts: Vocabulary, outcomes: Vocabulary) -> Any:
    """Return data as `condprob.fit` reads them without names of columns.

    ``{context: [outcome, ...]}`` becomes pairs, and a column of pandas whose entries are lists or
    sets, with its index, too. In place of the outcomes ``{outcome: count}`` is taken, as there.

    Raises
    ------
    ValueError
        If it looks like a table with columns of labels, whose names the fit was not told.
    """
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(data, Mapping):
        items = data.items()
    elif has_columns(data):
        names = column_names(data)
        if not any(name in outcomes for name in names):
            _refuse(names, "outcome")
    elif _levels(data) == 1:
        items = zip(labels_of(data.index), labels_of(data), strict=True)
    by_context = list(items)
    if not by_context or not all(is_many(several) for _, several in by_context):
        return data
    _refuse_columns(by_context, contexts)
    rows = [(context, *each) for context, several in by_context for each in _weighed(several)]
    return PairData(*map(list, zip(*rows, strict=True))) if rows else PairData([], [])


def _refuse(names: list, what: str) -> None:
    told = f"exclude: {', '.join(map(in_brief, names[:SHOWN]))}: no {what} that the estimate knows"
    raise ValueError(f"{told}; a table needs the names of columns that the fit was told")


def _weighed(several: Collection) -> Iterator[tuple[Any, Any]]:
    if isinstance(several, Mapping):
        yield from several.items()
    else:
        yield from ((outcome, 1) for outcome in labels_of(several))


def _levels(data: Any) -> int:
    """Return how many levels the index of what pandas made has; zero where there is none."""
    return getattr(getattr(data, "index", None), "nlevels", 0)


def _is_known(label: Any, outcomes: Vocabulary) -> bool:
    return isinstance(label, tuple | frozenset) and label in outcomes


def _refuse_columns(by_context: list[tuple[Any, Any]], contexts: Vocabulary) -> None:
    """Raise ValueError for lists as long as each other, with contexts among them and not before."""
    names = [name for name, _ in by_context]
    if len(names) < 2 or any(name in contexts for name in names):
        return
    columns = [labels_of(several) for _, several in by_context]
    if len({*map(len, columns)}) == 1 and any(label in contexts for c in columns for label in c):
        _refuse(names, "context")
