"""Labelled data of every form as pairs of labels.

`docs/tables.md` lists the forms. Every function that takes labelled data reads it by `pairs_of`:
`fit` with the names of columns that it is given, and later calls by `further_pairs` with the names
of that fit. `computed` makes lazy tables, iterators, records and files into data that hold their
rows; narwhals recognises tables, and none of their libraries is imported here.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from math import isfinite
from numbers import Real
from os import PathLike, fspath
from os.path import isfile
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from condprob.checks import in_brief, read_number
from condprob.checks.sums import name_of_sums
from condprob.checks.values import as_label, as_labels, as_list, as_number, kept_rows
from condprob.counts import CountMatrix
from condprob.files.data_files import OF_TABLES, ending_of
from condprob.files.tables import read_columns, read_crosstab
from condprob.labels.columns import Column, is_missing, weights_of
from condprob.vocabulary import Vocabulary, in_order_of_numbers

MOST_NAMES_SHOWN = 10  # names of columns in a message
NEEDS_BOTH = "name both columns of the table, context=... and outcome=..."
_PLAIN = (list, tuple, set, frozenset, np.ndarray, bytes, CountMatrix)  # which are no tables
Names = tuple[Any, Any, Any]  # of the columns of contexts, outcomes and weights
NO_NAMES: Names = (None, None, None)
Known = tuple[Iterable[Hashable] | None, Iterable[Hashable] | None]  # contexts and outcomes


class PairData(NamedTuple):
    """Pairs of labels, perhaps with weights.

    Attributes
    ----------
    contexts, outcomes : Column or list of labels, length n
    weights : array or list of numbers, length n, or None
    titles : (context, outcome)
        What the data call them: names of columns, or of the index of a cross table; or None.
    """

    contexts: Any
    outcomes: Any
    weights: Any = None
    titles: tuple[Any, Any] = (None, None)

    @property
    def amounts(self) -> Any:
        """How much each pair counts: its weight, or one."""
        return np.ones(len(self.contexts), int) if self.weights is None else self.weights

    def counted(self, contexts: Vocabulary, outcomes: Vocabulary) -> CountMatrix:
        """Return the counts of the pairs, shape (contexts + 1, outcomes).

        The last row is that of contexts that are not in the vocabulary: no pair of a fit has such.
        """
        shape = len(contexts) + 1, len(outcomes)
        numbers = self.numbered(contexts, outcomes)
        return CountMatrix.from_pairs(*numbers, shape=shape, weights=self.weights)

    def numbered(self, contexts: Vocabulary, outcomes: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of contexts and outcomes, in the order of the pairs."""
        rows = contexts.numbers(self.contexts, otherwise=len(contexts))
        return rows, outcomes.numbers(self.outcomes)

    def within(self, contexts: Vocabulary, outcomes: Vocabulary) -> tuple["PairData", float]:
        """Return the pairs with known labels, and the number or the weight of the other pairs.

        Pairs of weight zero are ignored.
        """
        rows, columns = Column.of(self.contexts), Column.of(self.outcomes)
        is_known = (contexts.numbers(rows, -1) >= 0) & (outcomes.numbers(columns, -1) >= 0)
        amounts = self.amounts
        if isinstance(amounts, list):  # of Python's numbers, whose integers stay exact
            amounts = np.array([*amounts, None], dtype=object)[:-1]
        others, kept = amounts[~is_known].sum(), is_known & (amounts > 0)
        weights = None if self.weights is None else amounts[kept]
        known = PairData(rows.where(kept), columns.where(kept), weights, self.titles)
        return known, float(others) if others % 1 else int(others)


class Records(dict):
    """Columns by name, made of records: a dictionary, a dataclass or a row of SQL for each pair.

    Attributes
    ----------
    rows : collection
        The records themselves.
    """

    def __init__(self, columns: Mapping, rows: Collection) -> None:
        super().__init__(columns)
        self.rows = rows


def pairs_and_labels(
    data: Any, names: Names, further: Known = (None, None)
) -> tuple[PairData, tuple[Vocabulary, Vocabulary]]:
    """Return the pairs of labelled data in their order, and the labels of both sides.

    Further labels have the first numbers; those of the data follow in sorted order.
    """
    both = zip(further, ("contexts", "outcomes"), strict=True)
    known = tuple(None if labels is None else as_known(labels, name) for labels, name in both)
    pairs = pairs_of(data, names, known)
    contexts = Vocabulary.in_order(pairs.contexts, known[0] or ())
    outcomes = Vocabulary.in_order(pairs.outcomes, known[1] or ())
    if not pairs.contexts:
        raise ValueError("the data contain no pairs")
    return pairs, (contexts, outcomes)


def as_known(labels: Iterable[Hashable], name: str) -> list[Any]:
    """Return given labels as values of Python, in their order; those of a set are sorted.

    A mapping says the number of each label, or the label of each number, as scikit-learn's
    ``vocabulary_`` and gensim's ``id2word`` do.

    Raises
    ------
    ValueError
        If a mapping does not number its labels, a column of numbers has labels as its index, or a
        label is missing.
    """
    if isinstance(labels, Mapping):
        return in_order_of_numbers(labels, name)
    listed = [as_label(label) for label in as_list(labels)]
    if _is_counted(labels, listed):
        problem = f"{name} is a column of numbers whose index has labels"
        raise ValueError(f"{problem}: the labels are its index, such as list(column.index)")
    if any(map(is_missing, listed)):
        raise ValueError(f"{name} has a missing label: leave it out")
    return list(Vocabulary.in_order(listed)) if isinstance(labels, Set) else listed


def _is_counted(labels: Any, listed: list) -> bool:
    """Whether labels are a pandas column of numbers with texts as index, such as value_counts."""
    if not listed or has_columns(labels) or index_levels(labels) != 1:
        return False
    are_numbers = all(isinstance(label, int | float) for label in listed)
    return are_numbers and not any(as_number(label) is not None for label in as_list(labels.index))


def pairs_of(
    data: Any,
    names: Names = NO_NAMES,
    labels: Known = (None, None),
    nouns: tuple[str, str] = ("context", "outcome"),
    numbers_of: Callable[[Any], Any] = weights_of,
) -> PairData:
    """Return the pairs of labels in data, with labels and weights as values of Python.

    Parameters
    ----------
    data : table, path, cross table, mapping, matrix or iterable
        See `condprob.fit`.
    names : (context, outcome, weight)
        Names of columns of a table with a row for each pair, or None.
    labels : (contexts, outcomes)
        Labels of the rows and columns of a matrix. A dictionary of lists with a known context is
        no table.
    nouns : (str, str)
        What messages on missing labels call a context and an outcome.
    numbers_of : callable
        Reads the weights: the result is a number for each, or a ValueError.

    Raises
    ------
    ValueError
        If the data have another form, or could have two; or a column, a label or a weight is
        missing or wrong; or counts contain their own sums.
    ImportError
        If the table needs pyarrow, and pyarrow is not installed: see `computed`.
    """
    found = _as_given(data, names, labels)
    contexts, outcomes = map(Column.of, (found.contexts, found.outcomes), nouns)
    if found.weights is None:
        return PairData(contexts, outcomes, titles=found.titles)
    weights = numbers_of(found.weights)
    sums = name_of_sums(contexts, outcomes, weights)
    if sums is not None:
        hint = "leave them out, as pandas.crosstab does with margins=False"
        raise ValueError(f"the data contain their own sums, {in_brief(sums)}: {hint}")
    return PairData(contexts, outcomes, weights, found.titles)


def _as_given(data: Any, names: Names, labels: Known) -> PairData:
    """Return the pairs of data as they stand there, labels and weights unchecked."""
    context, outcome, weight = names
    if weight is not None and context is None and outcome is None:
        hint = "it names a column, and so must context and outcome"
        raise ValueError(f"weight = {in_brief(weight)}: {hint}")
    data = computed(data, names)
    if isinstance(data, PairData):
        found = data
    elif context is not None or outcome is not None:
        found = _from_columns(data, names)
    elif isinstance(data, Mapping):
        found = _from_mapping(data, labels[0])
    elif index_levels(data) == 2 and len(_columns(data)) < 2:
        # Such as df.groupby([...]).size() and .sum(). A pair may stand there more than once.
        column = data[data.columns[0]] if len(_columns(data)) else data
        counted = zip(as_list(data.index), as_list(column), strict=True)
        found = _from_rows((*pair, count) for pair, count in counted)
        found = found._replace(titles=tuple(data.index.names))
    elif index_levels(data) == 1 and not has_columns(data):
        found = _from_series(data, labels[0])._replace(titles=(data.index.name, data.name))
    elif isinstance(data, np.ndarray) and any(isinstance(label, str) for label in data[:1].flat):
        found = _from_rows(data.tolist())
    elif isinstance(data, CountMatrix) or issparse(data) or isinstance(data, np.ndarray):
        found = _from_matrix(data, *labels)
    elif has_columns(data):
        rows, titles = _rows_of_crosstab(data)
        found = _from_rows(rows)._replace(titles=titles)
    else:
        found = _from_rows(data)
        _refuse_rows_of_counts(found, *labels)
    return found


def further_pairs(
    data: Any,
    names: Names,
    labels: tuple[Vocabulary | None, Vocabulary | None] = (None, None),
    needs_weights: bool = True,
    **how: Any,
) -> PairData:
    """Return the pairs of data that come after a fit; a table has the columns named in the fit.

    A matrix has ``labels``. Without ``needs_weights`` a table may lack the column of weights.
    Further arguments are those of `pairs_of`.
    """
    if isinstance(data, str | PathLike) and not needs_weights:
        names = (*names[:2], None)
    data = computed(data, names)
    names = names_in(data, names)
    context, outcome, weight = names
    is_table = has_columns(data) and not isinstance(data, Mapping)
    if context is None and is_table and index_levels(data) != 2:
        _refuse_unknown(column_names(data), labels[1], "outcome")
    if not needs_weights and weight is not None and weight not in column_names(data):
        weight = None
    return pairs_of(data, (context, outcome, weight), labels, **how)


def names_in(data: Any, names: Names) -> Names:
    """Return the names of columns from a fit, or `NO_NAMES` for data without such columns.

    A dictionary with none of these keys holds counts, or lists by context. A pandas table with none
    of these columns is a cross table: its index may be called like the contexts.
    """
    if not has_columns(data):
        return NO_NAMES
    are_counts = not isinstance(data, Records) and set(column_names(data)).isdisjoint(names)
    is_free = isinstance(data, Mapping) or (hasattr(data, "index") and index_levels(data) == 1)
    return NO_NAMES if are_counts and is_free else names


def is_many(labels: Any) -> bool:
    """Whether labels are several: a list, an array or a column. A text or a tuple is one label."""
    if isinstance(labels, str | bytes | tuple | frozenset):
        return False
    is_list = isinstance(labels, Collection) or hasattr(labels, "to_pylist")
    is_list = is_list or hasattr(labels, "to_list")
    return is_list and len(getattr(labels, "shape", (0,))) == 1


def listed(labels: Any) -> list:
    """Return several labels, or one, as a list of values of Python."""
    return as_labels(labels) if is_many(labels) else [as_label(labels)]


def listed_in_order(labels: Any) -> list:
    """Do what `listed` says, and raise ValueError for a set: the answer has an order."""
    if isinstance(labels, Set) and not isinstance(labels, frozenset):
        raise ValueError(f"{in_brief(labels)} has no order: give a list, such as sorted(...)")
    return listed(labels)


def computed(data: Any, names: Names = NO_NAMES) -> Any:
    """Return data that hold their rows, for such as do not; anything else as it is.

    A table of pandas, polars or Arrow, and a dictionary, hold them. A lazy table of polars is
    collected. An object that gives its rows only to Arrow, such as a relation of DuckDB or a
    reader of Arrow, becomes an Arrow table. An iterator becomes a list. Records become columns: a
    dictionary or a dataclass for each row, and with ``names`` of their fields also named tuples and
    rows of SQLite.

    Raises
    ------
    ImportError
        If pyarrow is needed, and not installed.
    """
    if isinstance(data, Mapping | PairData) or hasattr(data, "iloc"):  # of pandas
        return data
    if isinstance(data, str | PathLike):
        return _from_file(data, names)
    if is_foreign_matrix(data):
        return data.to_pandas() if has_coordinates(data) else np.asarray(data)
    data = kept_rows(data)
    if _is_list(data) and len(data):
        return _columns_of_records(data, names) or data
    is_held = isinstance(data, _PLAIN) or issparse(data)
    return data if is_held else _in_memory(data)


def _in_memory(data: Any) -> Any:
    """Return a table that holds its rows, for a lazy one or one that gives them to Arrow."""
    import narwhals as nw

    table = nw.from_native(data, pass_through=True)
    if isinstance(table, nw.DataFrame):
        return table.to_native()
    try:
        if isinstance(table, nw.LazyFrame):
            return table.collect().to_native()
        # Columns of a table can become arrays, too.
        if hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__array__"):
            return nw.from_arrow(data, backend="pyarrow").to_native()
    except ImportError:
        kind = type(data).__name__
        raise ImportError(f"a table of type {kind} needs pyarrow: pip install pyarrow") from None
    return data


def is_foreign_matrix(data: Any) -> bool:
    """Whether data are an array of another library than NumPy with two dimensions or more.

    Such are tensors, and tables of xarray, whose coordinates are labels.
    """
    if isinstance(data, np.ndarray) or not hasattr(data, "__array__") or issparse(data):
        return False
    return getattr(data, "ndim", 0) > 1 and not has_columns(data)


def has_coordinates(array: Any) -> bool:
    """Whether an array is one of xarray with labels along every dimension."""
    dims, coords = getattr(array, "dims", ()), getattr(array, "coords", ())
    return hasattr(array, "to_pandas") and bool(dims) and all(dim in coords for dim in dims)


def _is_list(data: Any) -> bool:
    """Whether data are a list, or are read as one: a tuple, a deque, an array of objects."""
    if isinstance(data, np.ndarray):
        return data.dtype == object and data.ndim == 1
    return isinstance(data, Sequence) and not isinstance(data, str | bytes | bytearray | memoryview)


def _columns_of_records(data: Collection, names: Names) -> Records | None:
    """Return the columns of records, None for other rows."""
    found: dict[Any, None] = {}
    for row in data:
        if isinstance(row, Mapping):
            own: Iterable[Any] = row
        elif is_dataclass(row) and not isinstance(row, type):
            own = (field.name for field in fields(row))
        elif names[0] is not None or names[1] is not None:
            own = _fields_of_row(row)
            if not all(name in own for name in names if name is not None):
                return None
        else:
            return None
        found.update(dict.fromkeys(own))
    return Records({name: [_field_of(row, name) for row in data] for name in found}, data)


def _fields_of_row(row: Any) -> list:
    """Return the names of the fields of a named tuple, or of a row of SQLite."""
    if isinstance(row, tuple):
        return list(getattr(row, "_fields", ()))
    return list(row.keys()) if hasattr(row, "keys") else []


def _field_of(row: Any, name: Any) -> Any:
    if isinstance(row, Mapping):
        return row.get(name)
    if is_dataclass(row) or isinstance(row, tuple):
        return getattr(row, name, None)
    return row[name]


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
        raise ValueError(f"{type(table).__name__}: expected a table with named columns")
    return as_list(names)


def _columns(data):
    """Return the names of the columns of a pandas table; none for any other data."""
    return getattr(data, "columns", ())


def index_levels(data: Any) -> int:
    """Return the number of levels of a pandas index; zero for data without one."""
    return getattr(getattr(data, "index", None), "nlevels", 0)


def _from_file(path: Any, names: Names) -> PairData:
    """Return the pairs of a CSV file: labels are texts, and weights numbers, on every machine."""
    if isinstance(path, str) and not (ending_of(path) in OF_TABLES or isfile(path)):
        hint = "give the path of a CSV file, or a table such as of pandas.read_csv"
        raise ValueError(f"{in_brief(path)} is not a table: {hint}")
    context, outcome, weight = names
    if context is None and outcome is None:
        found, titles = _crosstab_in(path), (None, None)
    elif context is None or outcome is None:
        raise ValueError(NEEDS_BOTH)
    else:
        columns = [context, outcome] if weight is None else [context, outcome, weight]
        other = next((name for name in columns if not isinstance(name, str)), None)
        if other is not None:
            raise ValueError(f"{in_brief(other)}: columns of a file have texts as names")
        found, titles = read_columns(fspath(path), columns), (context, outcome)
    contexts, outcomes = ([label or None for label in side] for side in found[:2])
    return PairData(contexts, outcomes, found.weights, titles)


def _crosstab_in(path: Any) -> Any:
    """Return the pairs of a cross table in a file: texts, with two columns of counts or more."""
    hint = "of a table of pairs give the names of its columns, context=... and outcome=..."
    try:
        found = read_crosstab(fspath(path))
    except ValueError as error:
        raise ValueError(f"{error}; {hint}") from None
    if len({*found.outcomes}) < 2 or all(isfinite(read_number(each)) for each in found.contexts):
        problem = "a cross table has texts as contexts, and two columns of counts or more"
        raise ValueError(f"{path}: {problem}; {hint}")
    return found


def is_numbered(index: Any) -> bool:
    """Whether an index is 0, 1, ..., as pandas makes it where none is given, and has no name."""
    is_range = getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1
    return is_range and not _is_named(index)


def _is_named(index: Any) -> bool:
    return any(name is not None for name in getattr(index, "names", ()))


def _from_columns(table: Any, names: Names) -> PairData:
    """Return the pairs of a table with a row for each pair."""
    context, outcome, weight = names
    if context is None or outcome is None:
        raise ValueError(NEEDS_BOTH)
    if hasattr(table, "columns") and hasattr(table, "reset_index"):  # pandas, such as by groupby
        levels = [name for name in table.index.names if name not in table.columns]
        table = table.reset_index() if context in levels or outcome in levels else table
    named, columns = column_names(table), []
    for name in (context, outcome) if weight is None else (context, outcome, weight):
        if isinstance(name, list):
            hint = "make one column of them first, such as of their values with a space between"
            raise ValueError(f"{in_brief(name)} are several columns: {hint}")
        if name not in named:
            near = get_close_matches(name, named, n=1) if isinstance(name, str) else []
            hint = f". Did you mean {in_brief(near[0])}?" if near else ""
            there = f"the table has {_names_in_brief(named)}"
            raise ValueError(f"column {in_brief(name)} not found; {there}{hint}")
        if named.count(name) > 1:
            raise ValueError(f"{named.count(name)} columns are called {in_brief(name)}")
        column = table[name]
        is_array = hasattr(column, "dtype") or hasattr(column, "dictionary_encode")
        columns.append(column if is_array else as_list(column))
    if len(set(map(len, columns))) != 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise ValueError(f"columns must have the same length (got {lengths})")
    for name, column in zip((context, outcome), columns, strict=False):
        if any(isinstance(each, list | set | np.ndarray) for each in as_list(column[:1])):
            hint = "make a row for each of its entries first, by .explode(...)"
            raise ValueError(f"the column {in_brief(name)} contains lists: {hint}")
    contexts, outcomes, *weights = columns
    return PairData(contexts, outcomes, *(weights or [None]), (context, outcome))


def _names_in_brief(names):
    """Return the first names of columns in one line, and the number of the others."""
    shown = [str(name) for name in names[:MOST_NAMES_SHOWN]]
    shown += [f"{len(names) - MOST_NAMES_SHOWN:,} more"] if len(names) > MOST_NAMES_SHOWN else []
    return ", ".join(shown) or "none"


def _from_mapping(data: Mapping, known: Iterable[Hashable] | None) -> PairData:
    """Return the pairs of a dictionary: by context, or with a count for each pair.

    By context are ``{context: {outcome: count}}`` and ``{context: [outcome, ...]}``.
    """
    if isinstance(data, Records):
        hint = "give records as a list, and name their fields, context=... and outcome=..."
        raise ValueError(f"records with {_names_in_brief(list(data))}: {hint}")
    rows: list[tuple] = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            rows += [(key, outcome, count) for outcome, count in value.items()]
        elif is_many(value):
            rows += [(key, outcome, 1) for outcome in as_list(value)]
        elif isinstance(key, tuple) and len(key) == 2:
            rows.append((*key, value))
        else:
            wanted = (
                "{context: {outcome: count}}, {context: [outcome, ...]} or "
                "{(context, outcome): count}"
            )
            hint = "Counter makes counts of a list"
            raise ValueError(f"a dictionary with {in_brief(key)}: must be {wanted}; {hint}")
    _refuse_columns(data, known)
    return _by_context(rows, data.values())


def _refuse_columns(data: Mapping, known: Iterable[Hashable] | None) -> None:
    """Raise ValueError for lists by context that may be the columns of a table.

    Columns have one length, and are no sets. Of one list, or with a known context, they are none.
    """
    lengths = {
        len(several) if is_many(several) and not isinstance(several, set | Mapping) else -1
        for several in data.values()
    }
    if len(data) < 2 or len(lengths) > 1 or lengths <= {-1, 0}:
        return
    if known is not None and any(key in Vocabulary(known) for key in data):
        return
    if isinstance(known, Vocabulary):  # of a fit
        _refuse_unknown(list(data), known, "context")
    shown = _names_in_brief(list(map(in_brief, data)))
    raise ValueError(
        f"a dictionary with the keys {shown} could be columns or lists by context. If these are "
        "columns, pass context=... and outcome=...; if they are contexts, pass pairs, "
        "[(c, o) for c, several in data.items() for o in several]"
    )


def _refuse_unknown(names: list, known: Vocabulary | None, kind: str) -> None:
    """Raise ValueError if no name is a known context, or outcome: a table lacks its names."""
    if known is None or any(name in known for name in names):
        return
    shown = ", ".join(map(in_brief, names[:3]))
    hint = "name the columns of a table in the fit, context=... and outcome=..."
    raise ValueError(f"{shown}: the estimate knows no such {kind}; {hint}")


def holds_outcomes(values: Iterable) -> bool:
    """Whether values are lists of outcomes, or counts by outcome, and no labels."""
    return any(is_many(value) or isinstance(value, Mapping) for value in values)


def _from_series(data: Any, known: Iterable[Hashable] | None) -> PairData:
    """Return the pairs of a pandas column: of tuples, or of lists or counts by context.

    The contexts are its index.
    """
    index, values = as_list(data.index), as_list(data)
    if not holds_outcomes(values):
        if values and isinstance(values[0], tuple) and _is_named(data.index):
            hint = "of pairs give list(data), of outcomes by context data.map(list)"
            raise ValueError(f"{in_brief(values[0])} in a column with a named index: {hint}")
        return _from_rows(values)
    if is_numbered(data.index) and not (known and any(label in known for label in index)):
        hint = "of pairs give data.tolist(); the index of lists by context has a name or labels"
        raise ValueError(f"{in_brief(values[0])} in a column with the index 0, 1, ...: {hint}")
    rows: list[tuple] = []
    for context, value in zip(index, values, strict=True):
        several = value.items() if isinstance(value, Mapping) else ((o, 1) for o in listed(value))
        rows += [(context, outcome, count) for outcome, count in several]
    return _by_context(rows, values)


def _by_context(rows: list[tuple], values: Iterable) -> PairData:
    """Return the pairs of rows with weights, which plain lists of outcomes do not have."""
    contexts, outcomes, weights = columns_of_rows(rows) if rows else ([], [], [])
    are_lists = all(is_many(each) and not isinstance(each, Mapping) for each in values)
    return PairData(contexts, outcomes, None if are_lists else weights)


def _from_rows(data: Iterable) -> PairData:
    """Return the pairs of rows (context, outcome), each perhaps with a weight."""
    kind = type(data).__name__
    if hasattr(data, "ngroups"):
        raise ValueError(f"{kind} has no counts yet: pass its .size()")
    if isinstance(data, bytes) or not isinstance(data, Iterable):
        raise ValueError(f"data of type {kind}: expected pairs of labels or a table")
    data = list(data)
    rows = [
        row if isinstance(row, tuple) else tuple(as_list(row)) if _is_row(row) else (row,)
        for row in data
    ]
    if set(map(len, rows)) not in ({2}, {3}):
        place = next((place for place, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        problem = f"entry {place} is {in_brief(rows[place])}" if rows else "the data are empty"
        hint = ""
        if rows and isinstance(data[place], str):
            hint = "; of lines make pairs first, such as by line.split()"
        elif len(rows) in (2, 3) and len({*map(len, rows)}) == 1:
            hint = "; of columns make pairs first, zip(*data)"
        wanted = "expected (context, outcome), or a weight after each pair"
        raise ValueError(f"{problem}: {wanted}{hint}")
    _refuse_items(rows)
    return PairData(*columns_of_rows(rows))


def columns_of_rows(rows: list[tuple]) -> list[list]:
    """Return the columns of rows of one length; `zip` would hold an iterator for each row."""
    return [[row[place] for row in rows] for place in range(len(rows[0]))]


def _is_row(row: Any) -> bool:
    """Whether an entry is a row of labels: a tuple, a list, an array, a row of SQLite.

    A text is none, nor are bytes, a set, which has no order, and a dictionary.
    """
    if isinstance(row, tuple | list):
        return True
    is_other = isinstance(row, str | bytes | Mapping) or getattr(row, "ndim", 1) > 1
    return not is_other and hasattr(row, "__getitem__") and hasattr(row, "__len__")


def _refuse_items(rows):
    """Raise ValueError for the items of a dictionary, by pair or by context."""

    def is_counted(row):
        pair, count = row
        is_pair = isinstance(pair, tuple) and len(pair) == 2
        return is_pair and isinstance(count, Real) and not isinstance(count, bool)

    if len(rows[0]) == 2 and all(map(is_counted, rows)):
        hint = "dict(data) has counts by pair; contexts that are tuples need columns with names"
        raise ValueError(f"{in_brief(rows[0])} is a pair with a number: {hint}")
    if all(len(row) == 2 and isinstance(row[1], Mapping | list) for row in rows):
        raise ValueError(f"{in_brief(rows[0])} is a context with its outcomes: give dict(data)")


def _refuse_rows_of_counts(pairs, contexts, outcomes):
    """Raise ValueError for lists of counts as large as the labels, which look like pairs."""
    if contexts is None or outcomes is None:
        return
    size = len(pairs.contexts), 2 + (pairs.weights is not None)
    if size == (len(contexts), len(outcomes)) and all(
        isinstance(label, Real) and label not in known
        for labels, known in ((pairs.contexts, contexts), (pairs.outcomes, outcomes))
        for label in labels
    ):
        raise ValueError(
            "data is a list of lists of numbers, as many as there are labels: if it is a matrix of "
            "counts, pass numpy.array(data)"
        )


def _from_matrix(matrix, contexts, outcomes):
    """Return the entries of a matrix whose rows and columns have these labels."""
    if contexts is None or outcomes is None:
        hint = "contexts=[...] and outcomes=[...]; pairs are data.tolist(), and a table needs"
        raise ValueError(f"a matrix has no labels: give it {hint} context=... and outcome=...")
    counts = matrix if isinstance(matrix, CountMatrix) else CountMatrix.from_dense(matrix)
    rows, columns = as_labels(contexts), as_labels(outcomes)
    if counts.shape != (len(rows), len(columns)):
        labels = f"{len(rows)} contexts and {len(columns)} outcomes"
        raise ValueError(f"a matrix of shape {counts.shape} needs a label each (got {labels})")
    _refuse_twice("contexts of a matrix", rows)
    _refuse_twice("outcomes of a matrix", columns)
    contexts, outcomes = counts.contexts.tolist(), counts.outcomes.tolist()
    return PairData(
        [rows[i] for i in contexts], [columns[j] for j in outcomes], counts.values.tolist()
    )


def _rows_of_crosstab(table):
    """Return (context, outcome, count) for the cells of a cross table that have a value.

    The contexts are in its index, or in its first column. Returned are also the titles of both.
    """
    names = column_names(table)
    titles = (None, None)
    is_pandas = hasattr(table, "index")
    if is_pandas and not (is_numbered(table.index) and _begins_with_contexts(table, names)):
        _refuse_table_of_pairs(table, _names_in_brief(names))
        rows = as_list(table.index)
        if table.index.nlevels == getattr(table.columns, "nlevels", 1) == 1:
            titles = table.index.name, table.columns.name
    else:
        first, *names = names
        if len(names) < 2:
            hint = "its first column has contexts, the others counts; of pairs give the names"
            shown = _names_in_brief([first, *names])
            raise ValueError(f"{shown}: a cross table has more columns; {hint} of both columns")
        rows, titles = as_list(table[first]), (first, getattr(_columns(table), "name", None))
        if rows and all(as_number(label) is not None for label in rows):
            shown = _names_in_brief([first, *names])
            hint = "a cross table has texts as contexts, of pairs give the names of both columns"
            raise ValueError(f"{shown}: the first column has numbers; {hint}")
    _refuse_twice("outcomes of a cross table", names)
    if getattr(_columns(table), "nlevels", 1) > 1 and table.columns.names[0] is None:
        above = {name[0] for name in names}
        if len(above) == 1:
            problem = "the columns of the cross table have several levels, and the first one label"
            raise ValueError(f"{problem}: give table[{in_brief(*above)}]")
    columns = [as_list(table[name]) for name in names]
    found = []
    for name, column in zip(names, columns, strict=True):
        for context, count in zip(rows, column, strict=True):
            if isinstance(count, str):
                hint = "of a table of pairs, name its columns, context=... and outcome=..."
                raise ValueError(f"{in_brief(count)} is not a count: {hint}")
            if not is_missing(count):
                found.append((context, name, count))
    _refuse_twice("contexts of a cross table", rows)
    return found, titles


def _begins_with_contexts(table, names):
    """Whether the first column of a pandas table has texts, and the others, two at least, numbers.

    Such is a cross table after ``reset_index()``.
    """
    if len(names) < 3 or len(set(names)) < len(names):
        return False
    first, *others = (as_list(table[name]) for name in names)
    are_numbers = (
        as_number(value) is not None or is_missing(value) for column in others for value in column
    )
    return bool(first) and all(isinstance(each, str) for each in first) and all(are_numbers)


def _refuse_table_of_pairs(table, names):
    """Raise ValueError for a pandas table that names its columns and not its rows."""
    columns = table.columns
    if is_numbered(table.index) and not is_numbered(columns) and not _is_named(columns):
        hint = (
            "name its columns with context=... and outcome=...; "
            "a cross table has its contexts in the index"
        )
        raise ValueError(f"a table with the columns {names} and no labelled index: {hint}")


def _refuse_twice(name, labels):
    """Raise ValueError unless labels differ."""
    if len(Vocabulary(labels)) < len(labels):
        raise ValueError(f"{name} must be distinct: one label occurs twice")
