"""Values of other libraries as values of Python: a label, a number, a column.

Each of these has one function, which every entry point of the library calls: fits, counts,
vocabularies and questions to a model read the same value alike. No other library is imported for
it.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

# Methods that make a list: of columns of pandas and polars, of columns of Arrow, of NumPy's arrays.
LISTERS = ("to_list", "to_pylist", "tolist")
PLAIN_TYPES = frozenset({str, int, float, bool, bytes})  # types of labels that stay as they are
MOST_DIGITS = 400  # of a whole Decimal that becomes an integer: more than any float has


def unpacked(value: Any) -> Any:
    """Return what an array without dimensions holds, of any library; another value as it is."""
    if isinstance(value, np.generic) or getattr(value, "ndim", None) != 0:
        return value
    if isinstance(value, np.ndarray):  # whose `item` makes numbers of times
        return value[()]
    return value.item() if hasattr(value, "item") else value


def as_label(value: Any) -> Any:
    """Return a label as the equal value of Python.

    A number, a text or a date of NumPy, a value of Arrow and a Decimal, as SQL has it, become
    values of Python; so do the parts of a tuple. A date of NumPy becomes a datetime; with
    nanoseconds, or before the year 1, it stays as it is. An array without dimensions is the value
    in it. Any other value stays as it is.
    """
    if type(value) in PLAIN_TYPES:
        return value
    value = unpacked(value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        plain = value.astype(f"{value.dtype.kind}8[us]")
        is_exact = plain == value and not isinstance(plain.item(), int)
        return plain.item() if is_exact else value
    if isinstance(value, np.longdouble):
        return float(value) if float(value) == value else value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Decimal):
        return _as_exact(value)
    if isinstance(value, tuple):
        return tuple(map(as_label, value))
    return as_label(value.as_py()) if hasattr(value, "as_py") else value


def _as_exact(value: Decimal) -> int | float | Decimal:
    """Return a Decimal as an integer, or as the float with these digits, or else as it is."""
    if not value.is_finite() or abs(value.adjusted()) > MOST_DIGITS:
        return value
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else value


def as_labels(values: Iterable[Any]) -> list[Any]:
    """Return the labels of a column, an index, an array, a list or a text of single letters."""
    values = unpacked(values)
    labels = list(values) if isinstance(values, str) else as_list(values)
    if PLAIN_TYPES.issuperset(map(type, labels)):
        return labels
    return list(map(as_label, labels))


def as_number(value: Any) -> int | float | None:
    """Return a number of any library as an integer or a float, None for what is no number."""
    if type(value) is float:  # as most are
        return value
    value = unpacked(value)
    if hasattr(value, "as_py"):
        value = value.as_py()
    if isinstance(value, np.datetime64 | np.timedelta64):  # whose `item` may be a whole number
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Decimal):
        is_whole = value.is_finite() and value.adjusted() < MOST_DIGITS
        is_whole = is_whole and value == value.to_integral_value()
        return int(value) if is_whole else float(value)
    if isinstance(value, Integral):
        return int(value)  # also True
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    if not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return inf


def as_argument(value: Any) -> Any:
    """Return a number, a truth or a text of any library as one of Python; any other as it is.

    Every option, seed and other argument passes here as it enters, so that a record of it, a file
    and a later fit have the value that the fit had.
    """
    value = unpacked(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    number = as_number(value)
    return value if number is None else number


def as_list(values: Any) -> list[Any]:
    """Return the values of a column, an index, an array or a list as a list.

    Raises
    ------
    ValueError
        For a text or an array without dimensions, which is one value; each character of a text
        would become one.
    """
    if isinstance(values, str | bytes) or getattr(values, "ndim", None) == 0:
        text = f"{values!r:.60}"
        raise ValueError(f"{text} is one label: pass a list, [{text}]")
    if isinstance(values, list):
        return list(values)
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM":  # `tolist` makes numbers of ns
        return list(map(as_label, values))
    for lister in LISTERS:
        if hasattr(values, lister):
            return getattr(values, lister)()
    return list(values)


def kept_rows(data: Any) -> Any:
    """Return data that can be read more than once: the list of an iterator, a reader's table.

    A reader of Arrow is an iterator of batches, and not of rows.
    """
    if not isinstance(data, Iterator):
        return data
    return data.read_all() if hasattr(data, "read_all") else list(data)
