"""Pairs of labels, of whatever people keep them in: tables, cross tables, dictionaries, pairs.

No library of tables is imported, and none is needed: a table is what gives a column by its name.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from importlib import import_module
from math import inf
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from condprob.checks import in_brief, warn_caller
from condprob.counts import CountMatrix
from condprob.data_files import PairData
from condprob.vocabulary import Vocabulary

Labels = Sequence[Hashable] | np.ndarray
SHOWN = 10  # names of columns in a message
ROUNDING = 1e-9  # by which sums of a cross table may differ
OF_COLUMNS = ("to_list", "to_pylist")  # what columns of tables have that are no collections


class NoColumnError(ValueError):
    """A table lacks a column that was named."""


def pairs_of(
    data: Any,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    contexts: Iterable[Hashable] | None = None,
    outcomes: Iterable[Hashable] | None = None,
) -> PairData:
    """Return the pairs of labels of data.

    Parameters
    ----------
    data : table, cross table, mapping, matrix or iterable
        See `condprob.fit`.
    context, outcome, weight : label of a column, optional
        Of a table with a row for each pair.
    contexts, outcomes : iterable of labels, optional
        Those of the rows and of the columns of a matrix, which has none itself.

    Raises
    ------
    ValueError
        If the data are none of these, a column is missing, or a label is.
    ImportError
        If the table needs pyarrow, and it is not installed: see `computed`.
    """
    if isinstance(data, str | PathLike):
        told = "read the file first, such as with pandas.read_csv"
        raise ValueError(f"{in_brief(data)} is no table: {told}")
    data = computed(data)
    if weight is not None and context is None and outcome is None:
        told = "it names a column, and so must context and outcome"
        raise ValueError(f"weight = {in_brief(weight)}: {told}")
    if isinstance(data, PairData):
        found = data
    elif context is not None or outcome is not None:
        if context is None or outcome is None:
            raise ValueError("a table needs both: context=NAME and outcome=NAME")
        found = _from_table(data, context, outcome, weight)
    elif isinstance(data, Mapping):
        found = _from_mapping(data)
    elif getattr(getattr(data, "index", None), "nlevels", 1) == 2 and not hasattr(data, "columns"):
        # Of pandas, as `groupby` with `size` makes it. A pair may stand there more than once.
        counted = zip(labels_of(data.index), labels_of(data), strict=True)
        found = _from_iterable((*pair, count) for pair, count in counted)
    elif isinstance(data, CountMatrix) or issparse(data) or isinstance(data, np.ndarray):
        found = _from_matrix(data, contexts, outcomes)
    elif has_columns(data):
        found = _from_crosstab(data)
    else:
        found = _from_iterable(data)
    for what, labels in (("context", found.contexts), ("outcome", found.outcomes)):
        places = [n for n, label in enumerate(labels) if _is_missing(label)]
        if places:
            more = f", and {len(places) - 1:,} more like it" if len(places) > 1 else ""
            raise ValueError(f"pair {places[0]} has no {what}{more}: leave out what is missing")
    for place, weight in enumerate(found.weights or ()):
        if not isinstance(weight, Real) or not 0 <= weight < inf:
            raise ValueError(
                f"pair {place} has the weight {in_brief(weight)}: a number >= 0 is needed"
            )
    return found


def computed(data: Any) -> Any:
    """Return what gives its columns of a table that does not yet; anything else as it is.

    Such are a lazy table of polars, and what gives its rows to Arrow alone: a relation of DuckDB, a
    reader of Arrow.

    Raises
    ------
    ImportError
        If pyarrow is needed, and not installed.
    """
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        return data.collect()
    # Tables that hold their columns can be arrays; columns themselves can, too.
    if not hasattr(data, "__arrow_c_stream__") or hasattr(data, "__array__"):
        return data
    try:
        return import_module("pyarrow").table(data)
    except ImportError:
        told = f"a table of type {type(data).__name__} needs pyarrow: pip install pyarrow"
        raise ImportError(told) from None


def _listed_in_brief(names):
    """Return the first names of columns in a line, and how many others there are."""
    told = [str(name) for name in names[:SHOWN]]
    told += [f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else []
    return ", ".join(told) or "none"


def count_pairs(pairs: PairData, contexts: Vocabulary, outcomes: Vocabulary) -> CountMatrix:
    """Return counts of labelled pairs, and a last row without any for contexts never seen."""
    numbers = contexts.numbers(pairs.contexts), outcomes.numbers(pairs.outcomes)
    shape = (len(contexts) + 1, len(outcomes))
    return CountMatrix.from_pairs(*numbers, shape=shape, weights=pairs.weights)


def labels_of(values: Any) -> list:
    """Return the labels of a column, an index, an array or a list as a list of Python's values.

    A text alone is one label: it is refused, or each of its characters would be one.
    """
    if isinstance(values, str):
        raise ValueError(
            f"{in_brief(values)} is one label: a list, [{in_brief(values)}], is needed"
        )
    for how in ("to_list", "to_pylist", "tolist"):
        if hasattr(values, how):
            return getattr(values, how)()
    return list(values)


def _from_table(table, context, outcome, weight):
    """Return the pairs of a table with a row for each."""
    named = column_names(table)
    several = next((name for name in (context, outcome) if isinstance(name, list)), None)
    if several is not None:
        told = "make one column of them first, such as of their values with a space between"
        raise ValueError(f"{in_brief(several)} are several columns: {told}")
    columns = []
    for name in (context, outcome) if weight is None else (context, outcome, weight):
        if name not in named:
            raise NoColumnError(f"no column {in_brief(name)}: there are {_listed_in_brief(named)}")
        if named.count(name) > 1:
            raise ValueError(f"{named.count(name)} columns are called {in_brief(name)}")
        columns.append(labels_of(table[name]))
    if len(set(map(len, columns))) != 1:
        raise ValueError(f"columns of {', '.join(str(len(c)) for c in columns)} rows")
    return PairData(*columns)


def column_names(table: Any) -> list:
    """Return the names of the columns: of Arrow, of a record array, of pandas, polars or a dict.

    Raises
    ------
    ValueError
        If there are none.
    """
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray):
        return list(table.dtype.names or ())
    names = getattr(table, "column_names", None)
    found = getattr(table, "columns", None) if names is None else names
    if found is None:
        raise ValueError(f"{type(table).__name__}: a table with named columns is needed")
    return labels_of(found)


def has_columns(data: Any) -> bool:
    """Whether data are a table whose columns have names; of a dictionary the keys are such."""
    if isinstance(data, np.ndarray):
        return data.dtype.names is not None
    return isinstance(data, Mapping) or any(map(hasattr, [data] * 2, ("columns", "column_names")))


def _from_mapping(data):
    """Return the pairs of {context: {outcome: count}} or of {(context, outcome): count}."""
    rows = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            rows += [(key, outcome, count) for outcome, count in value.items()]
        elif isinstance(key, tuple) and len(key) == 2:
            rows.append((*key, value))
        else:
            wanted = "{context: {outcome: count}} or {(context, outcome): count}"
            if hasattr(value, "__len__") and not isinstance(value, str):
                wanted = "the names of its columns, context=... and outcome=..., or " + wanted
            raise ValueError(f"a dictionary with {in_brief(key)}: {wanted} is needed")
    return _from_iterable(rows)


def _from_iterable(data):
    """Return pairs as they are given: (context, outcome), perhaps with a weight."""
    try:
        data = list(data)
        # A text and a set are no pairs: a set has no order.
        rows = [(row,) if isinstance(row, str | set | frozenset) else tuple(row) for row in data]
    except TypeError:
        raise ValueError(
            f"{type(data).__name__}: pairs of labels, or a table, are needed"
        ) from None
    record = next((row for row in data if isinstance(row, Mapping)), None) if rows else None
    if record is not None:
        told = "of records make a table first, such as by pandas.DataFrame, and name its columns"
        raise ValueError(f"{in_brief(record)} is no pair: {told}")
    sizes = set(map(len, rows))
    if not rows or sizes not in ({2}, {3}):
        place = next((n for n, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        told = f"entry {place} is {in_brief(rows[place])}" if rows else "no entry"
        raise ValueError(f"{told}: (context, outcome) is needed, or a weight beside each")
    return PairData(*map(list, zip(*rows, strict=True)))


def _from_matrix(matrix, contexts, outcomes):
    """Return the entries of a matrix whose rows and columns are called so."""
    if contexts is None or outcomes is None:
        raise ValueError("a matrix has no labels: give it contexts=[...] and outcomes=[...]")
    counts = matrix if isinstance(matrix, CountMatrix) else CountMatrix.from_dense(matrix)
    rows, columns = labels_of(contexts), labels_of(outcomes)
    if counts.shape != (len(rows), len(columns)):
        told = f"{len(rows)} contexts and {len(columns)} outcomes"
        raise ValueError(f"a matrix of shape {counts.shape} and {told}")
    _refuse_twice("contexts of a matrix", rows)
    _refuse_twice("outcomes of a matrix", columns)
    pairs = coo_array(counts.sparse())
    return PairData(
        [rows[i] for i in pairs.row], [columns[j] for j in pairs.col], counts.values.tolist()
    )


def _from_crosstab(table):
    """Return the entries of a table whose index, or else whose first column, has the contexts."""
    names = column_names(table)
    if hasattr(table, "index"):
        _refuse_pairs(table)
        rows = labels_of(table.index)
    else:
        first, *names = names
        rows = labels_of(table[first])
    _refuse_twice("outcomes of a cross table", names)
    columns = [labels_of(table[name]) for name in names]
    found = []
    for name, column in zip(names, columns, strict=True):
        for context, count in zip(rows, column, strict=True):
            if isinstance(count, str):
                wanted = "name its columns, context=... and outcome=..."
                raise ValueError(f"{in_brief(count)} is no count: of a table of pairs, {wanted}")
            if not _is_missing(count):
                found.append((context, name, count))
    _refuse_twice("contexts of a cross table", rows)
    _look_at_sums(rows, names, columns)
    return _from_iterable(found)


def _refuse_pairs(table):
    """Raise ValueError if a table of pandas has names for its columns, and none for its rows."""
    if not _is_numbered(table.index) or _is_numbered(table.columns) or _is_named(table.columns):
        return
    told = f"a table with the columns {_listed_in_brief(column_names(table))} and no labelled index"
    needed = "context=... and outcome=... are needed; a cross table has its contexts in the index"
    raise ValueError(f"{told}: {needed}")


def _is_numbered(index):
    """Whether an index is the one that pandas makes where none is given."""
    begins = (getattr(index, name, None) for name in ("start", "step"))
    return tuple(begins) == (0, 1) and not _is_named(index)


def _is_named(index):
    return any(name is not None for name in getattr(index, "names", ()))


def _refuse_twice(what, labels):
    """Raise ValueError unless labels differ."""
    if len(Vocabulary(labels)) < len(labels):
        raise ValueError(f"{what} must have a label each: one stands twice")


def _look_at_sums(contexts, outcomes, columns):
    """Raise ValueError if a cross table ends in its sums; warn if it has shares, not counts."""
    try:
        counts = np.array(columns, dtype=float).T
    except (OverflowError, TypeError, ValueError):  # it is told later which is no number
        return
    counts = np.where(np.isnan(counts), 0.0, counts)
    with np.errstate(over="ignore"):
        total = counts.sum()
    if not 0 < total < inf:
        return
    name, other = _name_of_sums(contexts[-1]), _name_of_sums(outcomes[-1])
    if name == other and _ends_in_sums(counts):
        told = f"the cross table ends in its sums, {in_brief(name)}"
        raise ValueError(f"{told}: leave them out, as pandas.crosstab does with margins=False")
    sums = counts.sum(axis=1), counts.sum(axis=0), np.array(total)
    is_whole = (counts == np.floor(counts)).all()
    if not is_whole and any(np.allclose(each[each != 0], 1, rtol=ROUNDING) for each in sums):
        told = "the rows, columns or cells of the cross table sum to one: shares are taken for"
        warn_caller(f"{told} counts; give counts, which say how often each context was seen")


def _name_of_sums(label):
    """Return the first part of a label of several whose others are empty, as pandas makes it."""
    has_name = isinstance(label, tuple) and label and all(part == "" for part in label[1:])
    return label[0] if has_name else label


def _ends_in_sums(counts):
    """Whether the last row and the last column are the sums of the others.

    Two rows and two columns of one and the same count look like it, and are not taken for it.
    """
    if min(counts.shape) < 2 or counts.shape == (2, 2):
        return False
    both = ((counts[-1], counts[:-1].sum(axis=0)), (counts[:, -1], counts[:, :-1].sum(axis=1)))
    return all(np.allclose(last, others, rtol=ROUNDING, atol=0) for last, others in both)


def _is_missing(label):
    """Whether a value says that there is none: None, NaN, or what pandas calls NA and NaT."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # it is no number
        return False


def is_many(labels: Any) -> bool:
    """Whether labels are several: a list, an array or a column, and not a tuple, a label itself."""
    is_label = isinstance(labels, str | bytes | tuple | frozenset)
    is_list = isinstance(labels, Collection) or any(map(hasattr, [labels] * 2, OF_COLUMNS))
    return is_list and not is_label and len(getattr(labels, "shape", (0,))) == 1


def listed(labels: Any) -> list:
    """Return labels as a list: several, or the one."""
    return labels_of(labels) if is_many(labels) else [labels]


def like_labels(labels: list, known: Iterable[Hashable]) -> list:
    """Return labels in the type of those that are known: numbers for texts, or texts for numbers.

    What is known already, and what stands for none of that type, stays as it is.
    """
    first = next(iter(known), None)
    kind = next((kind for kind in (bool, str, int, float) if isinstance(first, kind)), None)
    if kind is None or all(isinstance(label, kind) for label in labels):
        return labels
    return [_in_type(label, kind) for label in labels]


def _in_type(label, kind):
    if isinstance(label, kind) or not isinstance(label, str | int | float):
        return label
    if kind is bool:
        return {"True": True, "False": False}.get(str(label), label)
    try:
        read = kind(label)
    except (ValueError, OverflowError):
        return label
    # Of a whole number one spelling is it: 007 and 1_0 are other labels.
    return label if kind is int and isinstance(label, str) and str(read) != label else read
