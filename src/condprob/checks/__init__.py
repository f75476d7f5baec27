"""Checks of arguments: each returns its argument, or raises a ValueError of one line.

The module also writes values into one line, and warns the caller of the library.
"""

import math
import os
import re
import warnings
from collections.abc import Iterable, Sequence
from inspect import currentframe
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import sparray, spmatrix

from condprob.checks.values import as_argument

Seed = int | np.random.SeedSequence | np.random.Generator  # all of which make a generator
Sparse = sparray | spmatrix  # both families of scipy's
Conditions = ArrayLike | Sequence[Sequence[int]]  # contexts of a matrix, or histories
LIBRARY = __name__.partition(".")[0]
# Characters of a value in a message, which is to stay one line; not measured.
LONGEST_VALUE_SHOWN = 60
MOST_NAMES_SHOWN = 10  # names of columns in a message
MOST_WORDS = 1000  # that a model sees at once: far more than repeat; not measured
LARGEST_INTEGER = 2**63 - 1  # of NumPy's int64: a format
# The sizes with which sums and products of numbers neither end nor vanish. Options of a method,
# exponents and all numbers of a configuration lie between them, or are zero; counts may be larger.
SMALLEST_NUMBER, LARGEST_NUMBER = 1e-100, 10**12
ROW_SUM_TOLERANCE = 1e-6  # how far from one the sum of a distribution may be; not measured
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def shorten(text: str, longest: int = LONGEST_VALUE_SHOWN) -> str:
    """Return a text, or its beginning and three dots where it is longer."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def spell_out(text: str) -> str:
    """Return a text with numbers in place of characters that control a terminal.

    These are Unicode's control characters, the ends of lines, and marks that turn letters around.
    """
    return _CONTROLS.sub(lambda at: repr(at[0])[1:-1], text)


def in_brief(value: object) -> str:
    """Return the `repr` of a value in one short line."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "a huge number"
    return shorten(text)


def names_in_brief(names: Iterable[object]) -> str:
    """Return the first names of columns in one line, and the number of the others."""
    names = list(names)
    shown, more = list(map(in_brief, names[:MOST_NAMES_SHOWN])), len(names) - MOST_NAMES_SHOWN
    return ", ".join([*shown, f"{more:,} more"] if more > 0 else shown) or "none"


def rounded(number: float) -> str:
    """Return a number of pairs, or a sum of weights, with two decimal places at most."""
    return f"{round(number, 2):,}".removesuffix(".0")


def counted(number: float, unit: str, form: str | None = None) -> str:
    """Return a number with its unit, which ends in s unless the number is one.

    The number is `rounded`, or has a form of Python's.
    """
    shown = rounded(number) if form is None else f"{number:{form}}"
    return f"{shown} {unit}{'' if number == 1 else 's'}"


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the line that called the library, through however many functions of ours."""
    frame, level = currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == LIBRARY:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def check_integer(name: str, value: object, least: int) -> int:
    """Return ``value`` as an integer >= ``least`` that NumPy can hold, or raise ValueError."""
    value = as_argument(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} = {in_brief(value)}: must be an integer >= {least}")
    if value > LARGEST_INTEGER:
        raise ValueError(f"{name} = {in_brief(value)}: must be an integer below 2**63")
    return value


def check_order(order: object, least: int = 1) -> int:
    """Return how many words a model sees at once, an integer, or raise ValueError."""
    checked = check_integer("order", order, least)
    if checked > MOST_WORDS:
        raise ValueError(f"order = {in_brief(order)}: at most {MOST_WORDS:,} words at once")
    return checked


def memory_of_machine() -> float:
    """Return how many bytes of memory there are; infinity where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def check_memory(name: str, taken: float) -> None:
    """Raise ValueError if the thing of a name takes more bytes than this machine has."""
    if taken > memory_of_machine():
        had = f"this machine has {memory_of_machine() / 1e9:,.1f}"
        raise ValueError(f"{name} takes {taken / 1e9:,.1f} GB of memory, at least; {had}")


def check_number(name: str, value: object) -> float:
    """Return ``value`` as a finite number, or raise ValueError."""
    value = as_argument(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not abs(value) <= LARGEST_NUMBER:
        raise ValueError(
            f"{name} = {in_brief(value)}: must be a number of at most {LARGEST_NUMBER:g}"
        )
    return float(value)


def check_seed(seed: Any) -> Seed:
    """Return a seed, a number as one of Python; ValueError unless NumPy makes a generator of it."""
    seed = as_argument(seed)
    if isinstance(seed, np.random.SeedSequence):
        return seed
    try:
        np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"seed = {in_brief(seed)}: must be an integer >= 0, a SeedSequence or a Generator"
        ) from error
    return seed


def check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise ValueError unless ``value`` is one of ``allowed``."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} = {in_brief(value)}: must be one of {', '.join(allowed)}")


_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")


def read_number(text: str) -> float:
    """Return the number that a text is in the digits 0 to 9, not a number where it is none."""
    text = text.strip(" ")
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def read_integer(text: str) -> int:
    """Return the integer that a text is in the digits 0 to 9, or raise ValueError."""
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{in_brief(text)}: must be an integer")
    return int(text)


def whole_number(number: float | None, name: str, given: Any) -> int:
    """Return a number that was read as an integer >= 0, or raise ValueError."""
    if number is None or not number >= 0 or number % 1:
        raise ValueError(f"{name} {in_brief(given)}: must be a whole number >= 0")
    return int(number)
