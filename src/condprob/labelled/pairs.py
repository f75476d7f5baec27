"""Pairs of labels from tables, cross tables, dictionaries, matrices, or pairs as they are."""

from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from math import inf
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from condprob.checks import in_brief
from condprob.counts import CountMatrix
from condprob.data_files import PairData
from condprob.labelled.tables import (
    NoColumnError,
    column_names,
    computed,
    has_columns,
    is_missing,
    pairs_of_table,
    refuse_twice,
    rows_of_crosstab,
)
from condprob.vocabulary import Vocabulary, labels_of

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
    elif getattr(getattr(data, "index", None), "nlevels", 1) == 2 and not hasattr(data, "columns"):
        # A pandas column such as df.groupby([...]).size(). A pair may stand there more than once.
        counted = zip(labels_of(data.index), labels_of(data), strict=True)
        found = _from_iterable((*pair, count) for pair, count in counted)
    elif isinstance(data, CountMatrix) or issparse(data) or isinstance(data, np.ndarray):
        found = _from_matrix(data, contexts, outcomes)
    elif has_columns(data):
        found = _from_iterable(rows_of_crosstab(data))
    else:
        found = _from_iterable(data)
    return _checked(found)


def _checked(pairs: PairData) -> PairData:
    """Return pairs with numbers as weights, or raise ValueError for a missing label or weight."""
    for name, labels in (("context", pairs.contexts), ("outcome", pairs.outcomes)):
        places = [place for place, label in enumerate(labels) if is_missing(label)]
        if places:
            more = f", and {len(places) - 1:,} more like it" if len(places) > 1 else ""
            raise ValueError(
                f"pair {places[0]} has no {name}{more}: leave out pairs with a missing label"
            )
    if pairs.weights is None:
        return pairs
    weights = [_as_number(weight) for weight in pairs.weights]
    for place, weight in enumerate(weights):
        if not isinstance(weight, Real) or not 0 <= weight < inf:
            value = in_brief(weight)
            raise ValueError(f"pair {place} has the weight {value}: a number >= 0 is needed")
    return pairs._replace(weights=weights)


def _as_number(weight):
    """Return a decimal, as SQL has it for a sum of whole numbers, as an integer or a float."""
    if not isinstance(weight, Decimal):
        return weight
    is_whole = weight.is_finite() and weight == weight.to_integral_value()
    return int(weight) if is_whole else float(weight)


def count_pairs(pairs: PairData, contexts: Vocabulary, outcomes: Vocabulary) -> CountMatrix:
    """Return counts of labelled pairs, shape (contexts + 1, outcomes).

    The last row is empty: it stands for contexts that were never seen.
    """
    numbers = contexts.numbers(pairs.contexts), outcomes.numbers(pairs.outcomes)
    shape = (len(contexts) + 1, len(outcomes))
    return CountMatrix.from_pairs(*numbers, shape=shape, weights=pairs.weights)


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
    try:
        return pairs_of(data, context, outcome, weight, *labels)
    except NoColumnError as error:
        named = ", ".join(repr(name) for name in names if name is not None)
        hint = "; data without weights have a column of ones" if names[2] is not None else ""
        raise NoColumnError(f"{error}; the fit's were {named}{hint}") from None


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
    """Return the pairs of tuples (context, outcome), each perhaps with a weight."""
    try:
        data = list(data)
        # A text and a set are no pairs: a set has no order.
        rows = [(row,) if isinstance(row, str | set | frozenset) else tuple(row) for row in data]
    except TypeError:
        kind = type(data).__name__
        raise ValueError(f"{kind}: pairs of labels, or a table, are needed") from None
    record = next((row for row in data if isinstance(row, Mapping)), None)
    if record is not None:
        hint = "of records make a table first, such as by pandas.DataFrame, and name its columns"
        raise ValueError(f"{in_brief(record)} is no pair: {hint}")
    if set(map(len, rows)) not in ({2}, {3}):
        place = next((place for place, row in enumerate(rows) if len(row) not in (2, 3)), 0)
        problem = f"entry {place} is {in_brief(rows[place])}" if rows else "no entry"
        raise ValueError(f"{problem}: (context, outcome) is needed, or a weight beside each")
    return PairData(*map(list, zip(*rows, strict=True)))


def _from_matrix(matrix, contexts, outcomes):
    """Return the entries of a matrix whose rows and columns have these labels."""
    if contexts is None or outcomes is None:
        raise ValueError("a matrix has no labels: give it contexts=[...] and outcomes=[...]")
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
