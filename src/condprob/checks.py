"""Checks of arguments: each returns its argument, or raises a ValueError of one line.

The module also writes values into one line, and warns the caller of the library.
"""

import math
import os
import re
import warnings
from collections.abc import Sequence
from inspect import currentframe
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import sparray, spmatrix

from condprob.values import as_number, unpacked

Seed = int | np.random.SeedSequence | np.random.Generator  # all of which make a generator
Sparse = sparray | spmatrix  # both families of scipy's
Conditions = ArrayLike | Sequence[Sequence[int]]  # contexts of a matrix, or histories
LABELS_HAVE_NUMBERS = "; of labels the numbers, as `Vocabulary.numbers` has them"
PACKAGE = __name__.partition(".")[0]
# Characters of a value in a message, which is to stay one line; not measured.
LONGEST_VALUE_SHOWN = 60
MOST_WORDS = 1000  # that a model sees at once: far more than repeat; not measured
LARGEST_INTEGER = 2**63 - 1  # of NumPy's int64: a format
EXACT = 2**53  # above it floats of 64 bits leave out whole numbers: a format
# The sizes with which sums and products of numbers neither end nor vanish. Options of a method,
# exponents and all numbers of a configuration lie between them, or are zero; counts may be larger.
SMALLEST, LARGEST = 1e-100, 10**12
ROW_SUM_TOLERANCE = 1e-6  # how far from one the sum of a distribution may be; not measured
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def shorten(text: str, longest: int = LONGEST_VALUE_SHOWN) -> str:
    """Return a text, or its beginning and three dots where it is longer."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def spell_out(text: str, but: str = "") -> str:
    """Return a text with numbers in place of characters that control a terminal, ``but`` some.

    These are Unicode's control characters, the ends of lines, and marks that turn letters around.
    """
    return _CONTROLS.sub(lambda at: at[0] if at[0] in but else repr(at[0])[1:-1], text)


def in_brief(value: object) -> str:
    """Return the `repr` of a value in one short line."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no integer of more than 4,300 digits
        return "a huge number"
    return shorten(text)


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
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def check_integer(name: str, value: object, least: int) -> int:
    """Return ``value`` as an integer >= ``least`` that NumPy can hold, or raise ValueError."""
    value = unpacked(value)
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} = {in_brief(value)}: an integer >= {least} is needed")
    if value > LARGEST_INTEGER:
        raise ValueError(f"{name} = {in_brief(value)}: an integer below 2**63 is needed")
    return int(value)


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
    value = unpacked(value)
    if isinstance(value, bool) or not isinstance(value, Real) or not abs(value) <= LARGEST:
        raise ValueError(f"{name} = {in_brief(value)}: a number of at most {LARGEST:g} is needed")
    return float(value)


def check_seed(seed: object) -> None:
    """Raise ValueError unless NumPy makes a generator of random numbers of ``seed``."""
    if isinstance(seed, np.random.SeedSequence):
        return
    try:
        np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"seed = {in_brief(seed)}: an integer >= 0, a SeedSequence or a Generator is needed"
        ) from error


def check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise ValueError unless ``value`` is one of ``allowed``."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} = {in_brief(value)}: one of {', '.join(allowed)} is needed")


def check_shape(shape: object) -> tuple[int, int]:
    """Return the shape of counts as (contexts, outcomes); ValueError if they cannot be so large."""
    if not isinstance(shape, Sequence) or isinstance(shape, str) or len(shape) != 2:
        raise ValueError(f"shape = {in_brief(shape)}: a pair (contexts, outcomes) is needed")
    rows, columns = (check_integer("shape", size, 1) for size in shape)
    if rows * columns >= 2**63:
        raise ValueError(f"shape = {shape!r}: a matrix with fewer than 2**63 entries is needed")
    check_memory(f"counts of shape {(rows, columns)}", 8.0 * (rows + columns))
    return rows, columns


def refuse_masked(values: ArrayLike, name: str) -> None:
    """Raise ValueError if an array is masked: NumPy ignores the mask."""
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name} are a masked array: say what the masked values are")


def check_labels(labels: ArrayLike, size: int, name: str) -> np.ndarray:
    """Return ``labels`` as an int64 array with values in ``0..size-1``, or raise ValueError."""
    refuse_masked(labels, name)
    labels = np.asarray(labels)
    if labels.size and labels.dtype.kind not in "iu":  # and times are no numbers
        message = f"{name} of type {labels.dtype}: integers 0..{size - 1} are needed"
        raise ValueError(message + LABELS_HAVE_NUMBERS * (labels.dtype.kind in "OU"))
    if labels.size and (labels.min() < 0 or labels.max() >= size):
        bad = labels[(labels < 0) | (labels >= size)][0]
        raise ValueError(f"{name} has the value {bad}: integers 0..{size - 1} are needed")
    return labels.astype(np.int64, copy=False)


def check_pairs(
    contexts: ArrayLike, outcomes: ArrayLike, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return contexts and outcomes as flat arrays of the same size, or raise ValueError."""
    contexts = check_labels(contexts, shape[0], "contexts").ravel()
    outcomes = check_labels(outcomes, shape[1], "outcomes").ravel()
    if contexts.size != outcomes.size:
        raise ValueError(f"{contexts.size} contexts but {outcomes.size} outcomes: not pairs")
    return contexts, outcomes


def as_array(values: ArrayLike, name: str) -> np.ndarray:
    """Return numbers as an array; numbers of Python's, such as fractions, as integers or floats.

    NumPy makes floats of whole numbers that stand beside floats, in a list or in a table.

    Raises
    ------
    ValueError
        If lists have different lengths, numbers do not fit 64 bits, a list or a table has floats
        from `EXACT` on, or an array is masked.
    """
    refuse_masked(values, name)
    try:
        array = np.asanyarray(values)
    except ValueError:
        raise ValueError(f"{name} in rows of different lengths: an array is needed") from None
    numbers = list(map(as_number, array.flat)) if array.dtype.kind == "O" else [None]
    if None not in numbers:
        are_whole = all(isinstance(each, int) for each in numbers)
        kind = np.int64 if are_whole else np.float64
        try:
            array = np.array(numbers, kind).reshape(array.shape)
        except OverflowError:
            raise ValueError(f"{name} have a number that does not fit 64 bits") from None
    if array.dtype.kind == "f" and array.itemsize < 4:  # half precision has no numbers from `EXACT`
        array = array.astype(np.float64)
    if array.dtype.kind == "f" and array is not values:
        _refuse_large(array, name)
    return array


def as_floats(numbers: np.ndarray, name: str) -> np.ndarray:
    """Return numbers as floats of 64 bits, or raise ValueError if one of them may be changed."""
    if numbers.dtype.kind != "f" or numbers.itemsize > 8:
        _refuse_large(numbers, name)
    return numbers.astype(np.float64, copy=False)


def _refuse_large(numbers: np.ndarray, name: str) -> None:
    """Raise ValueError if one of the numbers, as a float, may stand for another whole number."""
    is_large = np.isfinite(numbers) & (numbers >= EXACT)
    if is_large.any():
        value = numbers[is_large][0]
        raise ValueError(f"{name} have the value {value}: floats are exact below 2**53 alone")


def check_weights(values: ArrayLike, name: str = "counts") -> np.ndarray:
    """Return finite numbers >= 0: as int64 where all are whole, else as float64.

    Raises
    ------
    ValueError
        If a value is negative, not finite, no number, or so small that its products vanish; if a
        list or a table has floats from `EXACT` on; if an array is masked; or if the numbers add up
        to more than an int64 holds.
    """
    values = as_array(values, name)
    if values.dtype.kind not in "biuf":
        hint = "; labels are for condprob.fit" if values.dtype.kind in "OUS" else ""
        raise ValueError(f"{name} of type {values.dtype}: numbers >= 0 are needed{hint}")
    if not (np.isfinite(values) & (values >= 0)).all():
        bad = values[~(np.isfinite(values) & (values >= 0))].ravel()[0]
        raise ValueError(f"{name} have the value {bad}: finite numbers >= 0 are needed")
    if values.dtype.kind == "f":
        values = as_floats(values, name)
    with np.errstate(over="ignore"):
        check_total(float(values.sum(dtype=float)), name)
    if values.dtype.kind == "f" and not (values == np.floor(values)).all():
        is_tiny = (values > 0) & (values < SMALLEST)
        if is_tiny.any():
            found = f"{name} have the value {values[is_tiny].ravel()[0]}"
            raise ValueError(f"{found}: zero, or at least {SMALLEST:g} is needed")
        return np.array(values)
    whole = values.astype(np.int64)
    check_total(add_exactly(whole), name)
    return whole


def add_exactly(whole: np.ndarray) -> int:
    """Return the sum of integers >= 0 of 64 bits, however large it is."""
    with np.errstate(over="ignore"):
        rough = whole.sum(dtype=float)
    if rough < 2**62:
        return int(whole.sum(dtype=np.int64))
    return (int((whole >> 32).sum()) << 32) + int((whole & 0xFFFFFFFF).sum())


def check_total(total: float | int, name: str) -> None:
    """Raise ValueError unless numbers with this sum can be added up in an int64."""
    if total >= 2**63:
        raise ValueError(f"{name} add up to {total:.3g}: less than 2**63 fit")


def check_rising(starts: np.ndarray, size: int, name: str) -> None:
    """Raise ValueError unless integers rise, or stay, from 0 to ``size``."""
    if starts.dtype.kind not in "iu" or starts.ndim != 1 or not starts.size:
        raise ValueError(f"{name} of type {starts.dtype} and shape {starts.shape}: no places")
    if starts[0] != 0 or starts[-1] != size or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"{name} must rise from 0 to the number of entries, {size}")


_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"[+-]?[0-9]+")


def read_number(text: str) -> float:
    """Return the number that a text is in the digits 0 to 9, not a number where it is none."""
    text = text.strip(" ")
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def read_integer(text: str) -> int:
    """Return the integer that a text is in the digits 0 to 9, or raise ValueError."""
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{in_brief(text)}: an integer is needed")
    return int(text)
