"""Random splits of labelled data into a part to fit and a part to test."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, MutableSequence
from copy import copy
from os import PathLike
from typing import Any

import numpy as np

from condprob.checks import Seed, check_number, check_seed, in_brief
from condprob.checks.values import as_labels
from condprob.labels.pairs import (
    PairData,
    has_columns,
    in_memory,
    is_crosstab,
    is_many,
    listed,
    pairs_of,
)
from condprob.splits import choose_pairs
from condprob.vocabulary import Vocabulary


def split_pairs(
    data: Any,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    *,
    share: float = 0.2,
    seed: Seed = 0,
) -> tuple[Any, Any]:
    """Split labelled data at random into a training and a test set.

    All copies of a pair go to the same set, so that the test set contains only pairs that are
    unseen in training. At least one pair of every context stays in the training set.

    Parameters
    ----------
    data : whatever `condprob.fit` takes
        The data to split.
    context, outcome, weight : label of a column, optional
        Names of the columns of a table. Pass the same names to `fit` for both parts.
    share : float
        Fraction of the distinct pairs to put into the test set, between 0 and 1.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.

    Returns
    -------
    train, test : the type of ``data``
        Two data sets: a table is split into two tables, a list into two lists, a dictionary into
        two dictionaries.

    Notes
    -----
    A pandas cross table gives two cross tables with zeros in the cells of the other set. Paths and
    cross tables of other libraries give lists of ``(context, outcome, count)``; iterators and lazy
    tables are read first. The pair of a context that stays in training is the first in the order of
    the outcomes. The order of rows does not matter.

    Examples
    --------
    >>> from condprob import split_pairs
    >>> table = {"user": ["ann", "ann", "ann", "bob"], "item": ["tea", "gin", "rum", "tea"]}
    >>> train, test = split_pairs(table, "user", "item", share=0.5, seed=1)
    >>> len(train["user"]) + len(test["user"])
    4
    """
    share, seed = check_number("share", share), check_seed(seed)
    if not 0 <= share <= 1:
        raise ValueError(f"share = {share:g}: must be a number between 0 and 1")
    names = context, outcome, weight
    data = in_memory(data)
    pairs = pairs_of(data, names)
    rows, columns = map(Vocabulary.in_order, (pairs.contexts, pairs.outcomes))
    numbers = pairs.numbered(rows, columns)
    goes = choose_pairs(*numbers, np.array(pairs.amounts) > 0, share, seed)
    is_table = context is not None
    return _part(data, is_table, pairs, ~goes), _part(data, is_table, pairs, goes)


def _part(data: Any, is_table: bool, pairs: PairData, is_in: np.ndarray) -> Any:
    """Return the pairs that are in a part, in the form of the data that they come from."""
    if isinstance(data, str | PathLike) or (is_crosstab(data) and not is_table):
        cells = zip(pairs.contexts, pairs.outcomes, pairs.amounts, strict=True)
        part = [cell for cell, is_here in zip(cells, is_in, strict=True) if is_here]
        return _part_of_crosstab(data, part) if hasattr(data, "iloc") else part
    if isinstance(data, Mapping) and not is_table:
        return _part_of_mapping(data, iter(is_in.tolist()))
    places = np.flatnonzero(is_in).tolist()
    if isinstance(data, Mapping):
        return {name: _take(column, places) for name, column in data.items()}
    if isinstance(data, set | frozenset):
        return {pair for pair, is_here in zip(data, is_in, strict=True) if is_here}
    if hasattr(data, "iloc") and not has_columns(data) and any(map(is_many, data)):
        parts = _parts_of_values(data, iter(is_in.tolist()))
        return type(data)(parts, index=data.index, name=data.name, dtype=object)
    return _take(data, places)


def _part_of_crosstab(table: Any, cells: list[tuple]) -> Any:
    """Return a cross table of pandas with some of its cells, and zero in the others."""
    chosen = {(context, outcome) for context, outcome, _ in cells}
    first = table.iloc[:, :1].to_numpy().ravel()
    has_contexts = any(isinstance(label, str) for label in first)  # and not the index
    contexts = as_labels(first if has_contexts else table.index)
    outcomes = as_labels(table.columns)
    stays = [[(c, o) in chosen for o in outcomes] for c in contexts]
    mask = np.array(stays, dtype=bool).reshape(table.shape)
    if has_contexts:
        mask[:, 0] = True
    return table.where(mask, 0)


def _part_of_mapping(data: Mapping, is_in: Iterator[bool]) -> Any:
    """Return the entries of a dictionary that are in a part, one truth for each pair in turn."""
    found: Any = copy(data)  # of its kind, such as a Counter
    found.clear()
    for key, value in data.items():
        if isinstance(value, Mapping) or is_many(value):
            (found[key],) = _parts_of_values([value], is_in)
        elif next(is_in):
            found[key] = value
    return found


def _parts_of_values(values: Iterable, is_in: Iterator[bool]) -> list[Any]:
    """Return what of the outcomes of each context, a list or counts, is in a part."""
    return [
        {outcome: n for outcome, n in value.items() if next(is_in)}
        if isinstance(value, Mapping)
        else [outcome for outcome in listed(value) if next(is_in)]
        for value in values
    ]


def _take(rows: Any, places: list[int]) -> Any:
    """Return some rows of a table, a column or a list."""
    if hasattr(rows, "iloc"):
        return rows.iloc[places]
    if isinstance(rows, MutableSequence | tuple):  # such as a list or a deque
        return type(rows)([rows[place] for place in places]) if rows else rows
    if hasattr(rows, "column_names") or hasattr(rows, "to_pylist"):  # of Arrow
        return rows.take(places)
    try:
        return rows[places]
    except (TypeError, IndexError):
        raise ValueError(f"{in_brief(type(rows))} cannot be split: give a list of pairs") from None
