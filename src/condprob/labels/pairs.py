"""Labelled data of every form as pairs of labels.

`docs/tables.md` lists the forms. A fit reads them by `pairs_and_labels`, with the names of columns
that it is given, and later calls by `further_pairs`, with the names of that fit. narwhals
recognises tables, and none of their libraries is imported here.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from math import isfinite
from numbers import Real
from os import PathLike, fspath
from os.path import isfile
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from condprob.checks import in_brief, names_in_brief, read_number
from condprob.checks.sums import name_of_sums
from condprob.checks.values import as_label, as_labels, as_list, as_number, kept_rows
from condprob.counts import CountMatrix
from condprob.files.data_files import OF_TABLES, ending_of
from condprob.files.tables import place_of_column, read_columns, read_crosstab
from condprob.labels.columns import Column, is_missing, weights_of
from condprob.vocabulary import Vocabulary, in_order_of_numbers, refuse_repeated

# What messages on data of another form show.
NAME_COLUMNS = "name both columns in the fit, context=... and outcome=..."
PAIRS = "(context, outcome), or a weight after each pair, as in zip(contexts, outcomes)"
EXPECTED = f"expected {PAIRS}; of a table or of records, {NAME_COLUMNS}"
CROSSTAB = (
    "a cross table has its contexts in an index with a name or labels, or as texts in the first "
    "column, and two columns of counts or more"
)
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
            amounts = np.fromiter(amounts, dtype=object, count=len(amounts))
        others, kept = amounts[~is_known].sum(), is_known & (amounts > 0)
        weights = None if self.weights is None else amounts[kept]
        known = PairData(rows.where(kept), columns.where(kept), weights, self.titles)
        return known, float(others) if others % 1 else int(others)


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
        If the table needs pyarrow, and pyarrow is not installed: see `in_memory`.
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


def further_pairs(
    data: Any,
    names: Names,
    labels: tuple[Vocabulary | None, Vocabulary | None] = (None, None),
    needs_weights: bool = True,
    **how: Any,
) -> PairData:
    """Return the pairs of data that come after a fit.

    A table has columns named in the fit; data that have none of these are of another form. A matrix
    has ``labels``. Without ``needs_weights`` a table may lack the column of weights. Further
    arguments are those of `pairs_of`.
    """
    if not isinstance(data, str | PathLike):
        data = in_memory(data)
        there = _names_in(data) & ({*names} - {None})
        if not there and is_crosstab(data):
            _refuse_unknown(column_names(data), labels[1], names)
        names = names if there else NO_NAMES
        needs_weights = needs_weights or names[2] in there
    return pairs_of(data, names if needs_weights else (*names[:2], None), labels, **how)


def _refuse_unknown(outcomes: list, known: Vocabulary | None, names: Names) -> None:
    """Raise ValueError for a cross table without known outcomes, of pairs or transposed."""
    if known is not None and not any(outcome in known for outcome in outcomes):
        of_fit = names_in_brief(name for name in names if name is not None)
        hint = NAME_COLUMNS if names == NO_NAMES else f"give the columns of the fit, {of_fit}"
        shown = names_in_brief(outcomes)
        raise ValueError(f"columns {shown}: none is a known outcome; of pairs, {hint}")


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


def in_memory(data: Any) -> Any:
    """Return data that hold their rows, for such as do not; anything else as it is.

    A lazy table of polars is collected. An object that gives its rows only to Arrow, such as a
    relation of DuckDB or a reader of Arrow, becomes an Arrow table. An iterator becomes a list. An
    array of another library than NumPy becomes one of NumPy, or with labels a table of pandas.

    Raises
    ------
    ImportError
        If pyarrow is needed, and not installed.
    """
    if isinstance(data, Mapping | PairData | str | PathLike) or hasattr(data, "iloc"):  # pandas
        return data
    if is_foreign_matrix(data):
        return data.to_pandas() if has_coordinates(data) else np.asarray(data)
    data = kept_rows(data)
    if isinstance(data, _PLAIN) or issparse(data):
        return data
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


def index_levels(data: Any) -> int:
    """Return the number of levels of a pandas index; zero for data without one."""
    return getattr(getattr(data, "index", None), "nlevels", 0)


def index_and_values(data: Any) -> tuple[list, list]:
    """Return the labels and the values of a pandas column, or of the first one of a table."""
    column = data[data.columns[0]] if has_columns(data) else data
    return as_list(data.index), as_list(column)


def is_numbered(index: Any) -> bool:
    """Whether an index has the numbers of rows and no name, as pandas makes it where none is given.

    Of a table whose rows were chosen or sorted it has some of them, in any order.
    """
    are_numbers = getattr(getattr(index, "dtype", None), "kind", None) in ("i", "u")
    return are_numbers and not _is_named(index)


def _is_named(index: Any) -> bool:
    return any(name is not None for name in getattr(index, "names", ()))


def is_crosstab(data: Any) -> bool:
    """Whether a table whose columns are not named in the fit is a cross table.

    A column with two levels, such as ``df.groupby([context, outcome]).sum()``, is none.
    """
    if not has_columns(data) or isinstance(data, Mapping):
        return False
    return index_levels(data) != 2 or len(data.columns) != 1


def fields_of(row: Any) -> Mapping | None:
    """Return the values of a record by their names; None for what is no record.

    A record is a dictionary, a dataclass, a named tuple or a row of SQLite.
    """
    if isinstance(row, Mapping):
        return row
    if hasattr(row, "_asdict"):
        return row._asdict()
    if is_dataclass(row) and not isinstance(row, type):
        return {field.name: getattr(row, field.name) for field in fields(row)}
    return {name: row[name] for name in row.keys()} if hasattr(row, "keys") else None  # noqa: SIM118


def _is_list(data: Any) -> bool:
    """Whether data are a list, or are read as one: a tuple, a deque, an array of objects."""
    is_array = isinstance(data, np.ndarray) and data.dtype == object and data.ndim == 1
    return is_array or isinstance(data, Sequence)


def _names_in(data: Any) -> set[Any]:
    """Return the names of columns, of levels of an index, or of fields of records."""
    if has_columns(data):
        return {*column_names(data), *(data.index.names if index_levels(data) > 1 else ())}
    return {*(fields_of(data[0]) or ())} if _is_list(data) and len(data) else set()


def _as_given(data: Any, names: Names, labels: Known) -> PairData:
    """Return the pairs of data as they stand there, labels and weights unchecked."""
    context, outcome, weight = names
    if weight is not None and context is None and outcome is None:
        hint = "it names a column, and so must context and outcome"
        raise ValueError(f"weight = {in_brief(weight)}: {hint}")
    data = in_memory(data)
    if isinstance(data, PairData):
        return data
    if isinstance(data, str | PathLike):
        return _from_file(data, names)
    if context is not None or outcome is not None:
        return _from_columns(data, names)
    if isinstance(data, Mapping):
        _refuse_columns(data, labels[0])
        return _from_items(data.items())
    if is_crosstab(data):
        return _from_crosstab(data)
    if index_levels(data):
        return _from_series(data, labels[0])
    is_array = isinstance(data, np.ndarray)
    if is_array and any(isinstance(label, str) for label in data.flat[:3]):
        return _from_rows(data.tolist(), labels)
    if is_array or isinstance(data, CountMatrix) or issparse(data):
        return _from_matrix(data, *labels)
    return _from_rows(data, labels)


def _from_file(path: Any, names: Names) -> PairData:
    """Return the pairs of a CSV file: labels are texts, and weights numbers, on every machine."""
    if isinstance(path, str) and not (ending_of(path) in OF_TABLES or isfile(path)):
        hint = "give the path of a CSV file, or a table such as of pandas.read_csv"
        raise ValueError(f"{in_brief(path)} is not a table: {hint}")
    columns = [name for name in names if name is not None]
    if not columns:
        try:
            found = read_crosstab(fspath(path))
        except ValueError as error:
            raise ValueError(f"{error}; of pairs, {NAME_COLUMNS}") from None
        are_numbers = all(isfinite(read_number(label)) for label in found.contexts)
        if are_numbers or len({*found.outcomes}) < 2:
            raise ValueError(f"{path}: {CROSSTAB}; of pairs, {NAME_COLUMNS}")
    elif names[0] is None or names[1] is None:
        raise ValueError(NAME_COLUMNS)
    elif not all(isinstance(name, str) for name in columns):
        raise ValueError(f"{in_brief(columns)}: columns of a file have texts as names")
    else:
        found = read_columns(fspath(path), columns)
    sides = found.contexts, found.outcomes
    contexts, outcomes = ([None if label == "" else label for label in side] for side in sides)
    return PairData(contexts, outcomes, found.weights, names[:2])


def _from_columns(table: Any, names: Names) -> PairData:
    """Return the pairs of a table with a row for each pair, or of a list of records."""
    context, outcome, weight = names
    if context is None or outcome is None:
        raise ValueError(NAME_COLUMNS)
    column = next((name for name in names if not isinstance(name, Hashable)), None)
    if column is not None:
        raise ValueError(f"a column is given by its name, not as a {type(column).__name__}")
    if _is_list(table):
        table = _columns_of_records(table)
    elif index_levels(table) and hasattr(table, "columns"):  # pandas, such as by groupby
        levels = [name for name in table.index.names if name not in table.columns]
        table = table.reset_index() if context in levels or outcome in levels else table
    there, columns = column_names(table), []
    for name in (context, outcome) if weight is None else (context, outcome, weight):
        place_of_column(name, there)
        column = table[name]
        is_array = hasattr(column, "dtype") or hasattr(column, "dictionary_encode")
        columns.append(column if is_array else as_list(column))
    if len(set(map(len, columns))) != 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise ValueError(f"columns must have the same length (got {lengths})")
    contexts, outcomes, *weights = columns
    return PairData(contexts, outcomes, *(weights or [None]), (context, outcome))


def _columns_of_records(rows: Collection) -> dict[Any, list]:
    """Return the fields of records as columns; a field that a record lacks is missing there."""
    records = list(map(fields_of, rows))
    place = next((place for place, record in enumerate(records) if record is None), None)
    if place is not None:
        shown = in_brief(list(rows)[place])
        raise ValueError(f"entry {place} is {shown}: expected a record, whose fields have names")
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _from_items(items: Iterable[tuple[Any, Any]]) -> PairData:
    """Return the pairs of outcomes or counts by context, and of counts by pair."""
    rows: list[tuple] = []
    are_lists = True
    for key, value in items:
        is_list = is_many(value) and not isinstance(value, Mapping)
        are_lists = are_lists and is_list
        if is_list:
            rows += [(key, outcome, 1) for outcome in as_list(value)]
        elif isinstance(value, Mapping):
            rows += [(key, outcome, count) for outcome, count in value.items()]
        elif isinstance(key, tuple) and len(key) == 2:
            rows.append((*key, value))
        else:
            wanted = "{context: {outcome: count}}, {context: [outcome, ...]} or {pair: count}"
            hint = "Counter makes counts of a list"
            raise ValueError(f"a dictionary with {in_brief(key)}: must be {wanted}; {hint}")
    contexts, outcomes, weights = _columns_of_rows(rows, 3)
    return PairData(contexts, outcomes, None if are_lists else weights)


def _refuse_columns(data: Mapping, known: Iterable[Hashable] | None) -> None:
    """Raise ValueError for lists by context that may be the columns of a table.

    Columns have one length, and are no sets. Of one list, or with a known context, they are none.
    """
    lengths = {
        len(several) if is_many(several) and not isinstance(several, set | Mapping) else -1
        for several in data.values()
    }
    is_known = known is not None and any(key in Vocabulary(known) for key in data)
    if len(data) < 2 or len(lengths) > 1 or lengths <= {-1, 0} or is_known:
        return
    shown = names_in_brief(data)
    raise ValueError(
        f"a dictionary with the keys {shown} could be columns or lists by context. If these are "
        f"columns, {NAME_COLUMNS}; if they are contexts, pass pairs, "
        "[(c, o) for c, several in data.items() for o in several]"
    )


def _from_series(data: Any, known: Iterable[Hashable] | None) -> PairData:
    """Return the pairs of a pandas column: of pairs, or with contexts or pairs as its index.

    Such as ``df.groupby(context)[outcome].agg(list)`` and ``df.groupby([context, outcome]).size()``
    or ``.sum()``. A pair may stand there more than once.
    """
    index, values = index_and_values(data)
    if index_levels(data) == 2:
        return _from_items(zip(index, values, strict=True))._replace(titles=tuple(data.index.names))
    if any(map(is_many, values)):
        if is_numbered(data.index) and not (known and any(label in known for label in index)):
            hint = "of pairs give data.tolist(); the index of lists by context has a name or labels"
            raise ValueError(f"{in_brief(values[0])} in a column with the numbers of rows: {hint}")
        found = _from_items(zip(index, values, strict=True))
    else:
        if values and isinstance(values[0], tuple) and _is_named(data.index):
            hint = "of pairs give list(data), of outcomes by context data.map(list)"
            raise ValueError(f"{in_brief(values[0])} in a column with a named index: {hint}")
        found = _from_rows(values)
    return found._replace(titles=(data.index.name, data.name))


def _from_rows(data: Iterable, labels: Known = (None, None)) -> PairData:
    """Return the pairs of rows (context, outcome), each perhaps with a weight."""
    if isinstance(data, bytes) or not isinstance(data, Iterable):
        raise ValueError(f"data of type {type(data).__name__}: {EXPECTED}")
    rows = [
        row if isinstance(row, tuple) else tuple(as_list(row)) if is_row(row) else (row,)
        for row in data
    ]
    if rows and _are_counts(rows, *labels):
        hint = "if it is a matrix of counts, pass numpy.array(data)"
        raise ValueError(f"data has lists of numbers, as many as there are labels: {hint}")
    if set(map(len, rows)) not in ({2}, {3}):
        place = next((place for place, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        problem = f"entry {place} is {in_brief(rows[place])}" if rows else "the data are empty"
        raise ValueError(f"{problem}: {EXPECTED}")
    if all(map(_is_counted_pair, rows)):
        hint = "dict(data) has counts by pair; contexts that are tuples need columns with names"
        raise ValueError(f"{in_brief(rows[0])} is a pair with a number: {hint}")
    return PairData(*_columns_of_rows(rows, len(rows[0])))


def _columns_of_rows(rows: list[tuple], width: int) -> list[list]:
    """Return the columns of rows; `zip` would hold an iterator for each row."""
    return [[row[place] for row in rows] for place in range(width)]


def is_row(row: Any) -> bool:
    """Whether an entry is a row of labels: a tuple, a list, an array, a row of SQLite.

    A text is none, nor are bytes, a set, which has no order, and a dictionary.
    """
    if isinstance(row, tuple | list):
        return True
    is_other = isinstance(row, str | bytes | Mapping) or getattr(row, "ndim", 1) > 1
    return not is_other and hasattr(row, "__getitem__") and hasattr(row, "__len__")


def _is_counted_pair(row: tuple) -> bool:
    """Whether a row is an item of a dictionary of counts by pair."""
    is_counted = len(row) == 2 and isinstance(row[1], Real) and not isinstance(row[1], bool)
    return is_counted and isinstance(row[0], tuple) and len(row[0]) == 2


def _are_counts(rows: list[tuple], contexts: Any, outcomes: Any) -> bool:
    """Whether rows are those of a matrix: as many numbers as labels, and none of them a label."""
    if contexts is None or outcomes is None:
        return False
    return (len(rows), len(rows[0])) == (len(contexts), len(outcomes)) and all(
        isinstance(label, Real) and label not in known
        for row in rows
        for label, known in zip(row, (contexts, outcomes), strict=False)
    )


def _from_matrix(matrix: Any, contexts: Any, outcomes: Any) -> PairData:
    """Return the entries of a matrix whose rows and columns have these labels."""
    if contexts is None or outcomes is None:
        hint = "give it contexts=[...] and outcomes=[...]; pairs are data.tolist()"
        raise ValueError(f"a matrix has no labels: {hint}")
    counts = matrix if isinstance(matrix, CountMatrix) else CountMatrix.from_dense(matrix)
    rows, columns = as_labels(contexts), as_labels(outcomes)
    if counts.shape != (len(rows), len(columns)):
        labels = f"{len(rows)} contexts and {len(columns)} outcomes"
        raise ValueError(f"a matrix of shape {counts.shape} needs a label each (got {labels})")
    refuse_repeated("matrix: context", rows)
    refuse_repeated("matrix: outcome", columns)
    contexts, outcomes = counts.contexts.tolist(), counts.outcomes.tolist()
    return PairData(
        [rows[i] for i in contexts], [columns[j] for j in outcomes], counts.values.tolist()
    )


def _from_crosstab(table: Any) -> PairData:
    """Return the cells of a cross table that have a value.

    The contexts are its index, or its first column if that alone has texts.
    """
    names = column_names(table)
    refuse_repeated("cross table: outcome", names)
    columns = [as_list(table[name]) for name in names]
    index, axis = getattr(table, "index", None), getattr(table, "columns", None)
    titles = getattr(index, "name", None), getattr(axis, "name", None)
    contexts = None
    if index is not None and not is_numbered(index):
        contexts = as_list(index)
    elif len(names) > 2 and _has_text(columns[0]) and not any(map(_has_text, columns[1:])):
        contexts, titles = columns.pop(0), (names.pop(0), titles[1])
    elif _is_named(axis):
        contexts = as_list(index)
    if contexts is None or any(map(_has_text, columns)):
        shown = names_in_brief(column_names(table))
        raise ValueError(f"columns {shown}: {CROSSTAB}; of pairs, {NAME_COLUMNS}")
    refuse_repeated("cross table: context", contexts)
    if getattr(axis, "nlevels", 1) > 1 and axis.names[0] is None:
        above = {name[0] for name in names}
        if len(above) == 1:
            problem = "the columns of the cross table have several levels, and the first one label"
            raise ValueError(f"{problem}: give table[{in_brief(*above)}]")
    cells = [
        (context, name, count)
        for name, column in zip(names, columns, strict=True)
        for context, count in zip(contexts, column, strict=True)
        if not is_missing(count)
    ]
    return PairData(*_columns_of_rows(cells, 3), titles)


def _has_text(column: list) -> bool:
    return any(isinstance(value, str) for value in column)
