"""The one reader of labelled data: pairs of labels from whatever holds them.

`docs/recipes.md` has the table of forms. Every door reads by `pairs_of`: `fit` with the names of
columns that it is given, and all later ones by `further_pairs` with the names of that fit.

No table library is imported here, and none is needed: a table is an object that returns a column by
its name, as in pandas, polars and Arrow.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from importlib import import_module
from math import inf
from numbers import Real
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, issparse

from condprob.checks import in_brief
from condprob.counts import CountMatrix
from condprob.values import as_label, as_labels, as_list, as_number, kept_rows
from condprob.vocabulary import Vocabulary, in_order_of_numbers

NEVER_MISSING = frozenset({str, int, bool, bytes})  # types of which no value stands for none
MOST_NAMES_SHOWN = 10  # names of columns in a message
MARGIN_TOLERANCE = 1e-9  # relative difference allowed between a sum and the cells
Names = tuple[Any, Any, Any]  # of the columns of contexts, outcomes and weights
NO_NAMES: Names = (None, None, None)
Known = tuple[Iterable[Hashable] | None, Iterable[Hashable] | None]  # contexts and outcomes


class PairData(NamedTuple):
    """Pairs of labels, perhaps with weights.

    Attributes
    ----------
    contexts, outcomes : list of labels, length n
    weights : list of numbers, length n, or None
    """

    contexts: list[Any]
    outcomes: list[Any]
    weights: list[Any] | None = None

    @property
    def amounts(self) -> list[Any]:
        """How much each pair counts: its weight, or one."""
        return [1] * len(self.contexts) if self.weights is None else self.weights

    def counted(self, contexts: Vocabulary, outcomes: Vocabulary) -> CountMatrix:
        """Return the counts of the pairs, shape (contexts + 1, outcomes).

        The last row is that of contexts that are not in the vocabulary: no pair of a fit has such.
        """
        rows = contexts.numbers(self.contexts, otherwise=len(contexts))
        shape = len(contexts) + 1, len(outcomes)
        columns = outcomes.numbers(self.outcomes)
        return CountMatrix.from_pairs(rows, columns, shape=shape, weights=self.weights)

    def within(self, contexts: Vocabulary, outcomes: Vocabulary) -> tuple["PairData", float]:
        """Return the pairs with known labels, and the number or the weight of the other pairs.

        Pairs of weight zero are ignored.
        """
        kept, others = [], 0
        rows = zip(self.contexts, self.outcomes, self.amounts, strict=True)
        for place, (context, outcome, weight) in enumerate(rows):
            if context not in contexts or outcome not in outcomes:
                others += weight
            elif weight:
                kept.append(place)
        columns = (column and [column[place] for place in kept] for column in self)
        return PairData(*columns), others if others % 1 else int(others)


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


def counts_of(
    data: Any, names: Names, further: Known = (None, None)
) -> tuple[CountMatrix, tuple[Vocabulary, Vocabulary]]:
    """Return the counts of labelled data, and its contexts and outcomes with further ones.

    Further labels have the first numbers; those of the data follow in sorted order. The counts have
    one more row, which is empty: it stands for contexts that were never seen.
    """
    both = zip(further, ("contexts", "outcomes"), strict=True)
    known = tuple(None if labels is None else as_known(labels, name) for labels, name in both)
    pairs = pairs_of(data, names, known)
    contexts = Vocabulary.in_order(pairs.contexts, known[0] or ())
    outcomes = Vocabulary.in_order(pairs.outcomes, known[1] or ())
    if not pairs.contexts:
        raise ValueError("the data have no pair of labels")
    return pairs.counted(contexts, outcomes), (contexts, outcomes)


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
    if any(map(_is_missing, listed)):
        raise ValueError(f"{name} has a missing label: leave it out")
    return list(Vocabulary.in_order(listed)) if isinstance(labels, Set) else listed


def _is_counted(labels: Any, listed: list) -> bool:
    """Whether labels are a pandas column of numbers with texts as index, such as value_counts."""
    if has_columns(labels) or index_levels(labels) != 1 or not listed:
        return False
    are_numbers = all(isinstance(label, int | float) for label in listed)
    return are_numbers and not any(as_number(label) is not None for label in as_list(labels.index))


def pairs_of(data: Any, names: Names = NO_NAMES, labels: Known = (None, None)) -> PairData:
    """Return the pairs of labels in data, with labels and weights as values of Python.

    Parameters
    ----------
    data, names, labels
        See `pairs_as_given`.

    Raises
    ------
    ValueError
        If the data have another form, or could have two; or a column, a label or a weight is
        missing or wrong.
    ImportError
        If the table needs pyarrow, and pyarrow is not installed: see `computed`.
    """
    return _checked(pairs_as_given(data, names, labels))


def pairs_as_given(data: Any, names: Names = NO_NAMES, labels: Known = (None, None)) -> PairData:
    """Return the pairs of labels in data as they stand there, labels and weights unchecked.

    Parameters
    ----------
    data : table, cross table, mapping, matrix or iterable
        See `condprob.fit`.
    names : (context, outcome, weight)
        Names of columns of a table with a row for each pair, or None.
    labels : (contexts, outcomes)
        Labels of the rows and columns of a matrix. A dictionary of lists with a known context is
        no table.

    Raises
    ------
    ValueError
        If the data have another form, or could have two, or a column is missing.
    ImportError
        If the table needs pyarrow, and pyarrow is not installed: see `computed`.
    """
    context, outcome, weight = names
    if weight is not None and context is None and outcome is None:
        hint = "it names a column, and so must context and outcome"
        raise ValueError(f"weight = {in_brief(weight)}: {hint}")
    if isinstance(data, str | PathLike):
        hint = "read the file first, such as with pandas.read_csv or csv.DictReader"
        raise ValueError(f"{in_brief(data)} is no table: {hint}")
    data = computed(data, names)
    if isinstance(data, PairData):
        found = data
    elif context is not None or outcome is not None:
        found = pairs_of_table(data, names)
    elif isinstance(data, Mapping):
        found = _from_mapping(data, labels[0])
    elif index_levels(data) == 2 and len(_columns(data)) < 2:
        # Such as df.groupby([...]).size() and .sum(). A pair may stand there more than once.
        column = data[data.columns[0]] if len(_columns(data)) else data
        counted = zip(as_list(data.index), as_list(column), strict=True)
        found = _from_rows((*pair, count) for pair, count in counted)
    elif index_levels(data) == 1 and not has_columns(data):
        found = _from_series(data, labels[0])
    elif isinstance(data, np.ndarray) and any(isinstance(label, str) for label in data[:1].flat):
        found = _from_rows(data.tolist())
    elif isinstance(data, CountMatrix) or issparse(data) or isinstance(data, np.ndarray):
        found = _from_matrix(data, *labels)
    elif has_columns(data):
        found = _from_rows(_rows_of_crosstab(data))
    else:
        found = _from_rows(data)
        _refuse_rows_of_counts(found, *labels)
    return found


def further_pairs(
    data: Any,
    names: Names,
    labels: tuple[Vocabulary | None, Vocabulary | None] = (None, None),
    needs_weights: bool = True,
) -> PairData:
    """Return the pairs of data that come after a fit; a table has the columns named in the fit.

    A matrix has ``labels``. Without ``needs_weights`` a table may lack the column of weights.
    """
    return _checked(further_pairs_as_given(data, names, labels, needs_weights))


def further_pairs_as_given(
    data: Any,
    names: Names,
    labels: tuple[Vocabulary | None, Vocabulary | None],
    needs_weights: bool,
) -> PairData:
    """Do what `further_pairs` says, labels and weights unchecked."""
    data = computed(data, names)
    names = names_in(data, names)
    context, outcome, weight = names
    is_table = has_columns(data) and not isinstance(data, Mapping)
    if context is None and is_table and index_levels(data) != 2:
        _refuse_unknown(column_names(data), labels[1], "outcome")
    if not needs_weights and weight is not None and weight not in column_names(data):
        weight = None
    return pairs_as_given(data, (context, outcome, weight), labels)


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
    collected. An object that gives its rows to Arrow alone, such as a relation of DuckDB or a
    reader of Arrow, becomes an Arrow table. An iterator becomes a list. Records become columns: a
    dictionary or a dataclass for each row, and with ``names`` of their fields also named tuples and
    rows of SQLite.

    Raises
    ------
    ImportError
        If pyarrow is needed, and not installed.
    """
    if isinstance(data, Mapping) or (hasattr(data, "__array__") and has_columns(data)):
        return data
    if is_foreign_matrix(data):
        return data.to_pandas() if hasattr(data, "to_pandas") else np.asarray(data)
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        return data.collect()
    data = kept_rows(data)
    if _is_list(data) and len(data):
        return _columns_of_records(data, names) or data
    # Columns of a table can become arrays, too.
    if not hasattr(data, "__arrow_c_stream__") or hasattr(data, "__array__"):
        return data
    try:
        return import_module("pyarrow").table(data)
    except ImportError:
        kind = type(data).__name__
        raise ImportError(f"a table of type {kind} needs pyarrow: pip install pyarrow") from None


def is_foreign_matrix(data: Any) -> bool:
    """Whether data are an array of another library than NumPy with two dimensions or more.

    Such are tensors, and tables of xarray, whose coordinates are labels.
    """
    if isinstance(data, np.ndarray) or not hasattr(data, "__array__") or issparse(data):
        return False
    return getattr(data, "ndim", 0) > 1 and not has_columns(data)


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
        raise ValueError(f"{type(table).__name__}: a table with named columns is needed")
    return as_list(names)


def _columns(data):
    """Return the names of the columns of a pandas table; none for any other data."""
    return getattr(data, "columns", ())


def index_levels(data: Any) -> int:
    """Return the number of levels of a pandas index; zero for data without one."""
    return getattr(getattr(data, "index", None), "nlevels", 0)


def is_numbered(index: Any) -> bool:
    """Whether an index is 0, 1, ..., as pandas makes it where none is given, and has no name."""
    is_range = getattr(index, "start", None) == 0 and getattr(index, "step", None) == 1
    return is_range and not _is_named(index)


def _is_named(index: Any) -> bool:
    return any(name is not None for name in getattr(index, "names", ()))


def _is_missing(value: Any) -> bool:
    """Whether a value stands for a missing one: None, NaN, or NA and NaT of pandas.

    A tuple with NaN is missing, too: no two of them are equal. None in a tuple equals itself, and
    pads n-grams.
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, tuple | frozenset):
        return any(part is not None and _is_missing(part) for part in value)
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # it is no number
        return False


def with_plain_labels(pairs: PairData, nouns: tuple[str, str] = ("context", "outcome")) -> PairData:
    """Return pairs with plain labels, or raise ValueError for one that is missing."""
    columns = []
    for name, given in zip(nouns, (pairs.contexts, pairs.outcomes), strict=True):
        labels = as_labels(given)
        is_sure = NEVER_MISSING.issuperset(map(type, labels))
        places = [] if is_sure else [p for p, label in enumerate(labels) if _is_missing(label)]
        if places:
            more = f", and {len(places) - 1:,} more like it" if len(places) > 1 else ""
            raise ValueError(
                f"pair {places[0]} has no {name}{more}: leave out pairs with a missing label"
            )
        columns.append(labels)
    return PairData(*columns, pairs.weights)


def _checked(pairs: PairData) -> PairData:
    """Return pairs with plain labels and weights, or raise ValueError for what is none."""
    pairs = with_plain_labels(pairs)
    if pairs.weights is None:
        return pairs
    weights = []
    for place, given in enumerate(pairs.weights):
        weight = as_number(given)
        if weight is None or not 0 <= weight < inf:
            hint = "a number >= 0 is needed, which stands behind the context and the outcome"
            raise ValueError(f"pair {place} has the weight {in_brief(given)}: {hint}")
        weights.append(weight)
    return pairs._replace(weights=weights)


def pairs_of_table(table: Any, names: Names) -> PairData:
    """Return the pairs of a table with a row for each pair."""
    context, outcome, weight = names
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
        columns.append(as_list(table[name]))
    if len(set(map(len, columns))) != 1:
        raise ValueError(f"columns of {', '.join(str(len(c)) for c in columns)} rows")
    for name, column in zip((context, outcome), columns, strict=False):
        if any(isinstance(each, list | set | np.ndarray) for each in column[:1]):
            hint = "make a row for each of its entries first, by .explode(...)"
            raise ValueError(f"the column {in_brief(name)} holds lists: {hint}")
    return PairData(*columns)


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
            raise ValueError(f"a dictionary with {in_brief(key)}: {wanted} is needed; {hint}")
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
        f"{shown}: columns of a table or lists by context? Of columns give the names, context=... "
        "and outcome=...; of lists the pairs, [(c, o) for c, several in data.items() for o in "
        "several]"
    )


def _refuse_unknown(names: list, known: Vocabulary | None, kind: str) -> None:
    """Raise ValueError if no name is a known context, or outcome: a table lacks its names."""
    if known is None or any(name in known for name in names):
        return
    shown = ", ".join(map(in_brief, names[:3]))
    hint = "a table needs the names of columns, and the fit had others or none"
    raise ValueError(f"{shown}: no {kind} that the estimate knows; {hint}")


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
    """Return the pairs of rows with weights, which lists of outcomes alone have not."""
    contexts, outcomes, weights = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
    are_lists = all(is_many(each) and not isinstance(each, Mapping) for each in values)
    return PairData(contexts, outcomes, None if are_lists else weights)


def _from_rows(data: Iterable) -> PairData:
    """Return the pairs of rows (context, outcome), each perhaps with a weight."""
    kind = type(data).__name__
    if hasattr(data, "ngroups"):
        raise ValueError(f"{kind} has no counts yet: give its .size()")
    if isinstance(data, bytes) or not isinstance(data, Iterable):
        raise ValueError(f"{kind}: pairs of labels, or a table, are needed")
    data = list(data)
    rows = [
        row if isinstance(row, tuple) else tuple(as_list(row)) if _is_row(row) else (row,)
        for row in data
    ]
    if set(map(len, rows)) not in ({2}, {3}):
        place = next((place for place, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        problem = f"entry {place} is {in_brief(rows[place])}" if rows else "no entry"
        hint = ""
        if rows and isinstance(data[place], str):
            hint = "; of lines make pairs first, such as by line.split()"
        elif len(rows) in (2, 3) and len({*map(len, rows)}) == 1:
            hint = "; of columns make pairs first, zip(*data)"
        raise ValueError(f"{problem}: (context, outcome) is needed, or a weight beside each{hint}")
    _refuse_items(rows)
    return PairData(*map(list, zip(*rows, strict=True)))


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
    rows, columns = as_labels(contexts), as_labels(outcomes)
    if counts.shape != (len(rows), len(columns)):
        labels = f"{len(rows)} contexts and {len(columns)} outcomes"
        raise ValueError(f"a matrix of shape {counts.shape} and {labels}")
    _refuse_twice("contexts of a matrix", rows)
    _refuse_twice("outcomes of a matrix", columns)
    pairs = coo_array(counts.sparse())
    return PairData(
        [rows[i] for i in pairs.row], [columns[j] for j in pairs.col], counts.values.tolist()
    )


def _rows_of_crosstab(table):
    """Return (context, outcome, count) for the cells of a cross table that have a value.

    The contexts are in its index, or in its first column.
    """
    names = column_names(table)
    if hasattr(table, "index"):
        _refuse_table_of_pairs(table, _names_in_brief(names))
        rows = as_list(table.index)
    else:
        first, *names = names
        if len(names) < 2:
            hint = "its first column has contexts, the others counts; of pairs give the names"
            shown = _names_in_brief([first, *names])
            raise ValueError(f"{shown}: a cross table has more columns; {hint} of both columns")
        rows = as_list(table[first])
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
                raise ValueError(f"{in_brief(count)} is no count: {hint}")
            if not _is_missing(count):
                found.append((context, name, count))
    _refuse_twice("contexts of a cross table", rows)
    _check_sums(rows, names, columns)
    return found


def _refuse_table_of_pairs(table, names):
    """Raise ValueError for a pandas table that names its columns and not its rows."""
    columns = table.columns
    if is_numbered(table.index) and not is_numbered(columns) and not _is_named(columns):
        hint = "context=... and outcome=... are needed; a cross table has its contexts in the index"
        raise ValueError(f"a table with the columns {names} and no labelled index: {hint}")


def _refuse_twice(name, labels):
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
    return all(np.allclose(last, others, rtol=MARGIN_TOLERANCE, atol=0) for last, others in both)
