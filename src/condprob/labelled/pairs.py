"""Pairs of labels from tables, cross tables, dictionaries, matrices, or pairs as they are.

No table library is imported here, and none is needed: a table is an object that returns a column by
its name, as in pandas, polars and Arrow.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from importlib import import_module
from itertools import chain
from math import inf
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from condprob.checks import Seed, check_number, check_seed, in_brief
from condprob.counts import CountMatrix
from condprob.data_files import PairData
from condprob.vocabulary import Vocabulary, as_plain

SHOWN = 10  # names of columns in a message
ROUNDING = 1e-9  # relative difference allowed between a sum and the cells
# Methods that make a list: of columns of pandas and polars, of columns of Arrow, of NumPy's arrays.
LISTERS = ("to_list", "to_pylist", "tolist")
Names = tuple[Any, Any, Any]  # of the columns of contexts, outcomes and weights
NO_NAMES: Names = (None, None, None)


def pairs_of(
    data: Any,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    contexts: Iterable[Hashable] | None = None,
    outcomes: Iterable[Hashable] | None = None,
) -> PairData:
    """Return the pairs of labels in data.

    Parameters
    ----------
    data : table, cross table, mapping, matrix or iterable
        See `condprob.fit`.
    context, outcome, weight : label of a column, optional
        For a table with a row for each pair.
    contexts, outcomes : iterable of labels, optional
        Labels of the rows and columns of a matrix.

    Raises
    ------
    ValueError
        If the data have another form, or a column, a label or a weight is missing or wrong.
    ImportError
        If the table needs pyarrow, and pyarrow is not installed: see `computed`.
    """
    if isinstance(data, str | PathLike):
        hint = "read the file first, such as with pandas.read_csv"
        raise ValueError(f"{in_brief(data)} is no table: {hint}")
    data = computed(data)
    if weight is not None and context is None and outcome is None:
        hint = "it names a column, and so must context and outcome"
        raise ValueError(f"weight = {in_brief(weight)}: {hint}")
    if isinstance(data, PairData):
        found = data
    elif context is not None or outcome is not None:
        found = pairs_of_table(data, context, outcome, weight)
    elif isinstance(data, Mapping):
        found = _from_mapping(data)
    elif getattr(getattr(data, "index", None), "nlevels", 1) == 2 and len(_columns(data)) < 2:
        # Such as df.groupby([...]).size() and .sum(). A pair may stand there more than once.
        column = data[data.columns[0]] if len(_columns(data)) else data
        counted = zip(labels_of(data.index), labels_of(column), strict=True)
        found = _from_iterable((*pair, count) for pair, count in counted)
    elif isinstance(data, np.ndarray) and any(isinstance(label, str) for label in data[:1].flat):
        found = _from_iterable(data.tolist())
    elif isinstance(data, CountMatrix) or issparse(data) or isinstance(data, np.ndarray):
        found = _from_matrix(data, contexts, outcomes)
    elif has_columns(data):
        found = _from_iterable(rows_of_crosstab(data))
    else:
        found = _from_iterable(data)
        _refuse_rows_of_counts(found, contexts, outcomes)
    return _checked(found)


def count_pairs(pairs: PairData, contexts: Vocabulary, outcomes: Vocabulary) -> CountMatrix:
    """Return counts of labelled pairs, shape (contexts + 1, outcomes).

    The last row is empty: it stands for contexts that were never seen.
    """
    numbers = contexts.numbers(pairs.contexts), outcomes.numbers(pairs.outcomes)
    shape = len(contexts) + 1, len(outcomes)
    return CountMatrix.from_pairs(*numbers, shape=shape, weights=pairs.weights)


def split_pairs(
    data: Any,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    *,
    share: float = 0.2,
    seed: Seed = 0,
) -> tuple[PairData, PairData]:
    """Split labelled data at random into training and test pairs, each whole with its weight.

    Equal pairs go together, so that no test pair was seen. The first pair of each context stays in
    the training data.

    Parameters
    ----------
    data, context, outcome, weight
        See `condprob.fit`, which takes both parts, as `Estimate.recall` does.
    share : float
        Of the distinct pairs that are for the test, between 0 and 1.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    """
    if not 0 <= check_number("share", share) <= 1:
        raise ValueError(f"share = {share}: a number between 0 and 1 is needed")
    check_seed(seed)
    pairs = pairs_of(data, context, outcome, weight)
    listed = list(zip(pairs.contexts, pairs.outcomes, strict=True))
    distinct = Vocabulary(listed)
    is_test = np.random.default_rng(seed).random(len(distinct)) < share
    first: dict[Hashable, int] = {}
    for number, (label, _) in enumerate(distinct):
        first.setdefault(label, number)
    is_test[list(first.values())] = False
    goes = is_test[distinct.numbers(listed)]
    return pairs.at(np.flatnonzero(~goes).tolist()), pairs.at(np.flatnonzero(goes).tolist())


def _columns(data):
    """Return the names of the columns of a pandas table; none for any other data."""
    return getattr(data, "columns", ())


def _checked(pairs: PairData) -> PairData:
    """Return pairs with numbers as weights, or raise ValueError for a missing label or weight."""
    for name, labels in (("context", pairs.contexts), ("outcome", pairs.outcomes)):
        places = [place for place, label in enumerate(labels) if is_missing(label)]
        if places:
            more = f", and {len(places) - 1:,} more like it" if len(places) > 1 else ""
            raise ValueError(
                f"pair {places[0]} has no {name}{more}: leave out pairs with a missing label"
            )
    # A list of pairs may hold dates of NumPy, or values of Arrow.
    contexts, outcomes = (
        labels if not labels or as_plain(labels[0]) is labels[0] else list(map(as_plain, labels))
        for labels in pairs[:2]
    )
    if pairs.weights is None:
        return PairData(contexts, outcomes)
    weights = [_as_number(weight) for weight in pairs.weights]
    for place, weight in enumerate(weights):
        if not isinstance(weight, Real) or not 0 <= weight < inf:
            value = in_brief(weight)
            hint = "a number >= 0 is needed, which stands behind the context and the outcome"
            raise ValueError(f"pair {place} has the weight {value}: {hint}")
    return PairData(contexts, outcomes, weights)


def _as_number(weight):
    """Return a decimal, as SQL has it for a sum of whole numbers, as an integer or a float."""
    if not isinstance(weight, Decimal):
        return weight
    is_whole = weight.is_finite() and weight == weight.to_integral_value()
    return int(weight) if is_whole else float(weight)


def names_in(data: Any, names: Names) -> Names:
    """Return the names of columns from a fit, or `NO_NAMES` for data without such columns."""
    are_counts = isinstance(data, Mapping) and data.keys().isdisjoint(names)
    return names if has_columns(data) and not are_counts else NO_NAMES


def further_pairs(
    data: Any,
    names: Names,
    labels: tuple[Vocabulary | None, Vocabulary | None] = (None, None),
    needs_weights: bool = True,
) -> PairData:
    """Return the pairs of data that come after a fit; a table has the columns named in the fit.

    A matrix has ``labels``. Without ``needs_weights`` a table may lack the column of weights.
    """
    data = computed(data)
    context, outcome, weight = names_in(data, names)
    if not needs_weights and weight is not None and weight not in column_names(data):
        weight = None
    return pairs_of(data, context, outcome, weight, *labels)


def _from_mapping(data):
    """Return the pairs of {context: {outcome: count}} or of {(context, outcome): count}."""
    rows = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            rows += [(key, outcome, count) for outcome, count in value.items()]
        elif isinstance(key, tuple) and len(key) == 2:
            rows.append((*key, value))
        else:
            wanted, hint = "{context: {outcome: count}} or {(context, outcome): count}", ""
            if hasattr(value, "__len__") and not isinstance(value, str):
                wanted = "the names of its columns, context=... and outcome=..., or " + wanted
                hint = "; Counter makes counts of a list"
            raise ValueError(f"a dictionary with {in_brief(key)}: {wanted} is needed{hint}")
    return _from_iterable(rows)


def _from_iterable(data):
    """Return the pairs of tuples (context, outcome), each perhaps with a weight."""
    kind = type(data).__name__
    if hasattr(data, "ngroups"):
        raise ValueError(f"{kind} has no counts yet: give its .size()")
    try:
        data = list(data)
        # A text and a set are no pairs: a set has no order.
        rows = [(row,) if isinstance(row, str | set | frozenset) else tuple(row) for row in data]
    except TypeError:
        raise ValueError(f"{kind}: pairs of labels, or a table, are needed") from None
    record = next((row for row in data if isinstance(row, Mapping)), None)
    if record is not None:
        hint = "give records as a list, and name their fields, context=... and outcome=..."
        raise ValueError(f"{in_brief(record)} is no pair: {hint}")
    if set(map(len, rows)) not in ({2}, {3}):
        place = next((place for place, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        problem = f"entry {place} is {in_brief(rows[place])}" if rows else "no entry"
        hint = ""
        if rows and isinstance(data[place], str):
            hint = "; of lines make pairs first, such as by line.split()"
        elif len(rows) in (2, 3) and len({*map(len, rows)}) == 1:
            hint = "; of columns make pairs first, zip(*data)"
        raise ValueError(f"{problem}: (context, outcome) is needed, or a weight beside each{hint}")
    _refuse_counts_by_pair(rows)
    return PairData(*map(list, zip(*rows, strict=True)))


def _refuse_counts_by_pair(rows):
    """Raise ValueError for ((context, outcome), count), as a Counter gives its items."""

    def is_counted(row):
        pair, count = row
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        return is_pair and isinstance(count, Real) and not isinstance(count, bool)

    if len(rows[0]) == 2 and all(map(is_counted, rows)):
        hint = "dict(data) has counts by pair; contexts that are tuples need columns with names"
        raise ValueError(f"{in_brief(rows[0])} is a pair with a number: {hint}")


def _refuse_rows_of_counts(pairs, contexts, outcomes):
    """Raise ValueError for lists of counts as large as the labels, which look like pairs."""
    if contexts is None or outcomes is None:
        return
    size = len(pairs.contexts), sum(column is not None for column in pairs)
    if size == (len(contexts), len(outcomes)) and all(
        isinstance(label, Real) and label not in known
        for labels, known in ((pairs.contexts, contexts), (pairs.outcomes, outcomes))
        for label in labels
    ):
        raise ValueError("rows of numbers as large as the labels: a matrix is numpy.array(data)")


def _from_matrix(matrix, contexts, outcomes):
    """Return the entries of a matrix whose rows and columns have these labels."""
    if contexts is None or outcomes is None:
        hint = "contexts=[...] and outcomes=[...]; pairs are data.tolist(), and a table needs"
        raise ValueError(f"a matrix has no labels: give it {hint} context=... and outcome=...")
    counts = matrix if isinstance(matrix, CountMatrix) else CountMatrix.from_dense(matrix)
    rows, columns = labels_of(contexts), labels_of(outcomes)
    if counts.shape != (len(rows), len(columns)):
        labels = f"{len(rows)} contexts and {len(columns)} outcomes"
        raise ValueError(f"a matrix of shape {counts.shape} and {labels}")
    refuse_twice("contexts of a matrix", rows)
    refuse_twice("outcomes of a matrix", columns)
    pairs = coo_array(counts.sparse())
    return PairData(
        [rows[i] for i in pairs.row], [columns[j] for j in pairs.col], counts.values.tolist()
    )


def is_many(labels: Any) -> bool:
    """Whether labels are several: a list, an array or a column. A text or a tuple is one label."""
    if isinstance(labels, str | bytes | tuple | frozenset):
        return False
    is_list = isinstance(labels, Collection) or hasattr(labels, "to_pylist")
    is_list = is_list or hasattr(labels, "to_list")
    return is_list and len(getattr(labels, "shape", (0,))) == 1


def labels_of(values: Any) -> list:
    """Return the labels of a column, an index, an array or a list as a list of Python values.

    Raises
    ------
    ValueError
        For a text, which is one label: each of its characters would become a label.
    """
    if isinstance(values, str):
        text = in_brief(values)
        raise ValueError(f"{text} is one label: a list, [{text}], is needed")
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM":  # `tolist` makes numbers of ns
        return list(map(as_plain, values))
    lister = next((name for name in LISTERS if hasattr(values, name)), None)
    return getattr(values, lister)() if lister else list(values)


def listed(labels: Any) -> list:
    """Return several labels, or one, as a list."""
    return labels_of(labels) if is_many(labels) else [as_plain(labels)]


def computed(data: Any) -> Any:
    """Return a table that holds its columns, for one that does not; anything else as it is.

    A lazy table of polars is collected. An object that gives its rows to Arrow alone, such as a
    relation of DuckDB or a reader of Arrow, becomes an Arrow table. Records, a dictionary for each
    row, become columns, and an iterator becomes a list.

    Raises
    ------
    ImportError
        If pyarrow is needed, and not installed.
    """
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        return data.collect()
    if isinstance(data, Iterator) and not hasattr(data, "__arrow_c_stream__"):
        data = list(data)
    if isinstance(data, list | tuple) and data and all(isinstance(row, Mapping) for row in data):
        return {name: [row.get(name) for row in data] for name in dict.fromkeys(chain(*data))}
    # Tables that hold their columns can become arrays. So can columns themselves.
    if not hasattr(data, "__arrow_c_stream__") or hasattr(data, "__array__"):
        return data
    try:
        return import_module("pyarrow").table(data)
    except ImportError:
        kind = type(data).__name__
        raise ImportError(f"a table of type {kind} needs pyarrow: pip install pyarrow") from None


def has_columns(data: Any) -> bool:
    """Whether data are a table whose columns have names; the keys of a dictionary are names."""
    if isinstance(data, np.ndarray):
        return data.dtype.names is not None
    return isinstance(data, Mapping) or hasattr(data, "columns") or hasattr(data, "column_names")


def column_names(table: Any) -> list:
    """Return the names of the columns of any table, a record array or a dictionary of columns.

    Raises
    ------
    ValueError
        If the object has no columns.
    """
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray):
        return list(table.dtype.names or ())
    # An Arrow table has the names here, and in `columns` the columns themselves.
    names = getattr(table, "column_names", None)
    names = getattr(table, "columns", None) if names is None else names
    if names is None:
        raise ValueError(f"{type(table).__name__}: a table with named columns is needed")
    return labels_of(names)


def _names_in_brief(names):
    """Return the first names of columns in one line, and the number of the others."""
    shown = [str(name) for name in names[:SHOWN]]
    shown += [f"{len(names) - SHOWN:,} more"] if len(names) > SHOWN else []
    return ", ".join(shown) or "none"


def pairs_of_table(table, context, outcome, weight):
    """Return the pairs of a table with a row for each pair."""
    if context is None or outcome is None:
        raise ValueError("a table needs both: context=NAME and outcome=NAME")
    if hasattr(table, "columns") and hasattr(table, "reset_index"):  # pandas, such as by groupby
        levels = [name for name in table.index.names if name not in table.columns]
        table = table.reset_index() if context in levels or outcome in levels else table
    named = column_names(table)
    several = next((name for name in (context, outcome) if isinstance(name, list)), None)
    if several is not None:
        hint = "make one column of them first, such as of their values with a space between"
        raise ValueError(f"{in_brief(several)} are several columns: {hint}")
    columns = []
    for name in (context, outcome) if weight is None else (context, outcome, weight):
        if name not in named:
            raise ValueError(f"no column {in_brief(name)}: there are {_names_in_brief(named)}")
        if named.count(name) > 1:
            raise ValueError(f"{named.count(name)} columns are called {in_brief(name)}")
        columns.append(labels_of(table[name]))
    if len(set(map(len, columns))) != 1:
        raise ValueError(f"columns of {', '.join(str(len(c)) for c in columns)} rows")
    return PairData(*columns)


def rows_of_crosstab(table):
    """Return (context, outcome, count) for the cells of a cross table that have a value.

    The contexts are in its index, or in its first column.
    """
    names = column_names(table)
    if hasattr(table, "index"):
        _refuse_table_of_pairs(table, _names_in_brief(names))
        rows = labels_of(table.index)
    else:
        first, *names = names
        rows = labels_of(table[first])
    refuse_twice("outcomes of a cross table", names)
    if getattr(_columns(table), "nlevels", 1) > 1 and table.columns.names[0] is None:
        above = {name[0] for name in names}
        if len(above) == 1:
            problem = "the columns of the cross table have several levels, and the first one label"
            raise ValueError(f"{problem}: give table[{in_brief(*above)}]")
    columns = [labels_of(table[name]) for name in names]
    found = []
    for name, column in zip(names, columns, strict=True):
        for context, count in zip(rows, column, strict=True):
            if isinstance(count, str):
                hint = "of a table of pairs, name its columns, context=... and outcome=..."
                raise ValueError(f"{in_brief(count)} is no count: {hint}")
            if not is_missing(count):
                found.append((context, name, count))
    refuse_twice("contexts of a cross table", rows)
    _check_sums(rows, names, columns)
    return found


def is_missing(label):
    """Whether a value stands for a missing one: None, NaN, or NA and NaT of pandas."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):  # it is no number
        return False


def _refuse_table_of_pairs(table, names):
    """Raise ValueError for a pandas table that names its columns and not its rows."""

    def is_named(index):
        return any(name is not None for name in getattr(index, "names", ()))

    def is_numbered(index):  # pandas makes 0, 1, ... where no index is given
        is_range = getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1
        return is_range and not is_named(index)

    if is_numbered(table.index) and not is_numbered(table.columns) and not is_named(table.columns):
        hint = "context=... and outcome=... are needed; a cross table has its contexts in the index"
        raise ValueError(f"a table with the columns {names} and no labelled index: {hint}")


def refuse_twice(name, labels):
    """Raise ValueError unless labels differ."""
    if len(Vocabulary(labels)) < len(labels):
        raise ValueError(f"{name} must have a label each: one stands twice")


def _check_sums(contexts, outcomes, columns):
    """Raise ValueError if a cross table ends in its sums."""
    try:
        counts = np.array(columns, dtype=float).T
    except (OverflowError, TypeError, ValueError):  # `pairs_of` names the value that is no number
        return
    counts = np.where(np.isnan(counts), 0.0, counts)
    with np.errstate(over="ignore"):
        total = counts.sum()
    if not 0 < total < inf:
        return
    name = _name_of_sums(contexts[-1])
    if name == _name_of_sums(outcomes[-1]) and _ends_in_sums(counts):
        problem = f"the cross table ends in its sums, {in_brief(name)}"
        raise ValueError(f"{problem}: leave them out, as pandas.crosstab does with margins=False")


def _name_of_sums(label):
    """Return the first part of a label of several levels if the others are empty."""
    has_name = isinstance(label, tuple) and label and all(part == "" for part in label[1:])
    return label[0] if has_name else label


def _ends_in_sums(counts):
    """Whether the last row and the last column are the sums of the others.

    A table of two rows and two columns with equal counts looks like it, and is a table of counts.
    """
    if min(counts.shape) < 2 or counts.shape == (2, 2):
        return False
    both = ((counts[-1], counts[:-1].sum(axis=0)), (counts[:, -1], counts[:, :-1].sum(axis=1)))
    return all(np.allclose(last, others, rtol=ROUNDING, atol=0) for last, others in both)
