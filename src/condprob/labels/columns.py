"""Columns of labels and of weights, of any library, as numbers: whole arrays and not row by row."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, overload

import numpy as np

from condprob.checks import in_brief, read_number
from condprob.checks.entries import LARGEST_EXACT
from condprob.checks.values import as_label, as_labels, as_list, as_number
from condprob.vocabulary import HASHABLE

# What libraries raise where they do not number values, such as lists.
UNNUMBERED = (
    ArithmeticError,
    AttributeError,
    ImportError,
    NotImplementedError,
    TypeError,
    ValueError,
)
NEVER_MISSING = frozenset({str, int, bool, bytes})  # types of which no value stands for none


class Column(Sequence):
    """The labels of rows: which labels occur, each once, and the number of that of each row.

    Attributes
    ----------
    distinct : list of labels
        Each occurs in a row; a fresh column has them in the order of their first rows.
    codes : numpy.ndarray of int64, shape (rows,)
    """

    __slots__ = ("codes", "distinct")

    def __init__(self, distinct: list[Any], codes: np.ndarray) -> None:
        self.distinct, self.codes = distinct, codes

    @classmethod
    def of(cls, values: Any, noun: str = "label") -> "Column":
        """Return the labels of a column, a list or the like.

        Raises
        ------
        ValueError
            If a label is missing, which the message calls by the noun, or is not hashable.
        """
        if isinstance(values, cls):
            return values
        distinct, codes = _numbered(values)
        absent = codes < 0
        labels = as_labels(distinct)
        if not NEVER_MISSING.issuperset(map(type, labels)):
            absent |= np.array([*map(is_missing, labels), False])[codes]
        if absent.any():
            places = np.flatnonzero(absent)
            more = f", and {places.size - 1:,} more like it" if places.size > 1 else ""
            hint = "leave such pairs out, or replace the missing value by a label"
            raise ValueError(f"pair {places[0]} has no {noun}{more}: {hint}")
        found = dict.fromkeys(labels)
        if len(found) < len(labels):  # two values that are one label, such as Decimal("0.1") and .1
            codes = _places_in(labels, found)[codes]
        return cls(list(found), codes)

    def __len__(self) -> int:
        return self.codes.size

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: int | slice) -> Any:
        if isinstance(place, slice):
            return [self.distinct[code] for code in self.codes[place].tolist()]
        return self.distinct[self.codes[place]]

    def __iter__(self) -> Iterator[Any]:
        return map(self.distinct.__getitem__, self.codes.tolist())

    def where(self, kept: np.ndarray) -> "Column":
        """Return the rows for which an array has true."""
        codes = self.codes[kept]
        occurs = np.bincount(codes, minlength=len(self.distinct)) > 0
        labels = [self.distinct[place] for place in np.flatnonzero(occurs).tolist()]
        return Column(labels, (np.cumsum(occurs) - 1)[codes])


def _numbered(values: Any) -> tuple[list[Any], np.ndarray]:
    """Return the distinct values of a column as they stand there, and the number of each row's.

    A missing value of pandas or Arrow has a number below zero. Text columns of tables are numbered
    by their own libraries.
    """
    try:
        if hasattr(values, "factorize"):  # pandas
            codes, found = values.factorize()
            return as_list(found), np.asarray(codes, dtype=np.int64)
        if hasattr(values, "dictionary_encode") or is_polars_text(values):
            return _numbered_by_arrow(values)
    except UNNUMBERED:
        pass  # Python may
    listed = as_list(values)
    try:
        found = dict.fromkeys(listed)
    except TypeError:  # such as arrays without dimensions
        listed = as_labels(listed)
        try:
            found = dict.fromkeys(listed)
        except TypeError as error:
            hint = "give each entry a row of its own, as by .explode(), and of groups their .size()"
            raise ValueError(f"{HASHABLE}: {error}; {hint}") from None
    return list(found), _places_in(listed, found)


def is_polars_text(values: Any) -> bool:
    """Whether values are a column of polars with texts; its objects become addresses in Arrow."""
    return hasattr(values, "to_arrow") and str(values.dtype) in ("String", "Categorical", "Enum")


def _numbered_by_arrow(values: Any) -> tuple[list[Any], np.ndarray]:
    array = values.to_arrow() if hasattr(values, "to_arrow") else values
    array = array.dictionary_encode()
    if hasattr(array, "unify_dictionaries"):
        array = array.unify_dictionaries().combine_chunks()
    codes = array.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False).copy()
    labels = array.dictionary.to_pylist()
    column = Column(labels, codes[codes >= 0])  # a dictionary may have values of no row
    occurring = column.where(np.ones(len(column), dtype=bool))
    codes[codes >= 0] = occurring.codes
    return occurring.distinct, codes


def _places_in(values: Sequence[Any], found: dict[Any, Any]) -> np.ndarray:
    places = {value: place for place, value in enumerate(found)}
    return np.fromiter(map(places.__getitem__, values), np.int64, len(values))


def is_missing(value: Any) -> bool:
    """Whether a value stands for a missing one: None, NaN, or NA and NaT of pandas.

    A tuple with NaN is also missing, because no two of them are equal. None in a tuple
    equals itself, and pads n-grams.
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, tuple | frozenset):
        return any(part is not None and is_missing(part) for part in value)
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # it is no number
        return False


def weights_of(values: Any) -> Any:
    """Return weights as an array of numbers, or as a list of Python's; a numeric text is a number.

    Raises
    ------
    ValueError
        If one of them is no number >= 0.
    """
    kind = getattr(getattr(values, "dtype", None), "kind", None)
    if kind in ("i", "u", "f") or hasattr(values, "to_numpy"):
        array = np.asarray(values)
        is_plain = array.ndim == 1 and array.dtype.kind in "iuf" and array.dtype.itemsize <= 8
        # Floats from 2**53 on may stand for another whole number, which the counts refuse.
        if is_plain and ((array >= 0) & (array < LARGEST_EXACT)).all():
            return array if array.dtype.kind == "u" else array.astype(f"{array.dtype.kind}8")
    found = []
    for place, given in enumerate(as_list(values)):
        weight = number_of(given)
        if weight is None or not 0 <= weight < inf:
            hint = "must be a number >= 0; in a triple it is the third item"
            raise ValueError(f"pair {place} has the weight {in_brief(given)}: {hint}")
        found.append(weight)
    return found


def number_of(value: Any) -> int | float | None:
    """Return a number, or the number that a text is, as one of Python; None for what is none."""
    number = as_number(value)
    text = as_label(value) if number is None else None
    if not isinstance(text, str):
        return number
    number = read_number(text)
    return int(text) if text.strip().isdecimal() and text.isascii() else number
