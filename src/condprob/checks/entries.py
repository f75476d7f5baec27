"""The entries of sparse rows, numbers and places in arrays: checks, types and sums of them.

Arrays of entries may stay on disk, and are read some entries at a time.
"""

import mmap
from collections.abc import Iterator, Sequence
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import SMALLEST_NUMBER
from condprob.checks.frozen import read_only
from condprob.checks.values import as_number

ENTRIES_AT_ONCE = 1 << 22  # entries that are held at a time: 32 MB as floats; not measured
LARGEST_EXACT = 2**53  # above it floats of 64 bits leave out whole numbers: a format


def blocks(size: int) -> Iterator[slice]:
    """Yield the parts of ``size`` entries that are held at a time, in order."""
    for start in range(0, size, ENTRIES_AT_ONCE):
        yield slice(start, min(start + ENTRIES_AT_ONCE, size))


def sum_of_x_log_x(x: np.ndarray) -> float:
    """Return ``sum x log x`` of positive numbers, which become floats block by block."""
    return sum((y := x[part].astype(float)) @ np.log(y) for part in blocks(x.size))


def weighted_logs(weights: np.ndarray, x: np.ndarray) -> float:
    """Return ``sum weights log(x)``; ``-inf`` where a positive weight meets a zero or a nan."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(x)
        found *= weights
    if not weights.all():
        found[weights == 0] = 0.0
    total = float(found.sum())
    return total if total == total else -np.inf


def renumber(labels: np.ndarray, kept: np.ndarray, size: int) -> np.ndarray:
    """Return the place of each label, below ``size``, among those that are kept; read-only.

    If the labels are on disk, the places are in a temporary file, which is deleted after its last
    use. A look-up of the places in each pass of a fit would take a quarter of its time.
    """
    places = np.zeros(size, dtype=np.int32)
    places[kept] = np.arange(kept.size)
    if isinstance(labels, np.memmap):
        with TemporaryFile() as file:
            for part in blocks(labels.size):
                places[labels[part]].tofile(file)
            file.flush()
            return np.memmap(file, places.dtype, "r")
    return read_only(places[labels])


def count_seldom(values: np.ndarray) -> np.ndarray:
    """Return how many values are one, two, three and four, shape (4,)."""
    return np.array([int((values == times).sum()) for times in range(1, 5)])


def is_mapped(array: np.ndarray) -> bool:
    """Whether an array is a whole one on disk, in the order of bytes of this machine.

    Slices of mapped arrays, and results computed from them, have their class and are not mapped.
    """
    is_whole = isinstance(array, np.memmap) and isinstance(array.base, mmap.mmap)
    return is_whole and array.dtype.isnative


def read_slice(array: np.ndarray, part: slice) -> np.ndarray:
    """Return a part of an array; of one on disk a copy, so that the part need not stay in memory.

    The bytes are those of the array itself, even if another file has its name by now.
    """
    if not is_mapped(array):
        return array[part]
    found, mapping = np.array(array[part]), array.base
    # Pages that were read stay in memory until the system hears that nobody needs them. A mapping
    # for reading alone can read them again; one for writing may hold numbers that no file has.
    if memoryview(mapping).readonly and hasattr(mmap, "MADV_DONTNEED"):
        mapping.madvise(mmap.MADV_DONTNEED)
    return found


def narrow_type(largest: int) -> type:
    """Return the narrower type of integers, of 32 or 64 bits, that holds ``0..largest``."""
    return np.int32 if largest < 2**31 else np.int64


def narrow(array: np.ndarray) -> np.ndarray:
    """Return whole numbers >= 0 as integers of 32 bits where they fit, which is half the memory."""
    return array.astype(narrow_type(array.max(initial=0)), copy=False)


def type_of_sum(parts: Sequence[np.ndarray]) -> type:
    """Return a type for the sums of counts, whichever entries of the parts add up."""
    if any(values.dtype.kind == "f" for values in parts):
        return np.float64
    return narrow_type(sum(int(values.max(initial=0)) for values in parts))


def in_type(values: np.ndarray, kind: type) -> np.ndarray:
    """Return counts in a type that `type_of_sum` has found, or raise ValueError if one changes."""
    if kind is np.float64:
        return as_floats(values, "counts")
    return values.astype(kind, copy=False)


def refuse_masked(values: ArrayLike, name: str) -> None:
    """Raise ValueError if an array is masked: NumPy ignores the mask."""
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name} are a masked array: fill it first, with .filled(...)")


def check_labels(labels: ArrayLike, size: int, name: str) -> np.ndarray:
    """Return ``labels`` as an int64 array with values in ``0..size-1``, or raise ValueError."""
    refuse_masked(labels, name)
    labels = np.asarray(labels)
    if labels.size and labels.dtype.kind not in "iu":  # and times are no numbers
        hint = "; of labels the numbers, as `Vocabulary.numbers` has them"
        message = f"{name} of type {labels.dtype}: must be integers 0..{size - 1}"
        raise ValueError(message + hint * (labels.dtype.kind in "OU"))
    if labels.size and (labels.min() < 0 or labels.max() >= size):
        bad = labels[(labels < 0) | (labels >= size)][0]
        raise ValueError(f"{name} contain {bad}, but must be integers 0..{size - 1}")
    return labels.astype(np.int64, copy=False)


def check_pairs(
    contexts: ArrayLike,
    outcomes: ArrayLike,
    shape: tuple[int, int],
    weights: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return contexts, outcomes and weights as flat arrays of one size, or raise ValueError.

    Without weights each is one.
    """
    contexts = check_labels(contexts, shape[0], "contexts").ravel()
    outcomes = check_labels(outcomes, shape[1], "outcomes").ravel()
    if contexts.size != outcomes.size:
        sizes = f"{contexts.size} and {outcomes.size}"
        raise ValueError(f"contexts and outcomes must have the same length (got {sizes})")
    if weights is None:
        return contexts, outcomes, np.ones(contexts.size, narrow_type(contexts.size))
    counted = check_weights(weights, "weights").ravel()
    if counted.size != contexts.size:
        raise ValueError(f"{counted.size} weights for {contexts.size} pairs")
    return contexts, outcomes, counted


def add_up_pairs(
    contexts: np.ndarray, outcomes: np.ndarray, weights: np.ndarray, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct pairs with the sums of their weights, which no order of the pairs changes.

    The weights of a pair are added from the smallest to the largest. A sum of fractions depends on
    their order in its last bit, and some methods amplify a last bit (`ad-lr`).
    """
    cells = np.asarray(contexts, dtype=np.int64) * shape[1] + outcomes
    if (cells[1:] > cells[:-1]).all():
        return contexts, outcomes, weights
    order = np.lexsort((weights, cells))
    cells, weights = cells[order], weights[order]
    firsts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
    if firsts.size < cells.size:
        cells, weights = cells[firsts], np.add.reduceat(weights, firsts)
    return cells // shape[1], cells % shape[1], weights


def as_array(values: ArrayLike, name: str) -> np.ndarray:
    """Return numbers as an array; numbers of Python's, such as fractions, as integers or floats.

    NumPy converts whole numbers to floats if a list or table also contains floats.

    Raises
    ------
    ValueError
        If lists have different lengths, an entry is no number, numbers do not fit 64 bits, a list
        or a table has floats from `LARGEST_EXACT` on, or an array is masked.
    """
    refuse_masked(values, name)
    try:
        array = np.asanyarray(values)
    except ValueError:
        raise ValueError(f"{name} in rows of different lengths: must be an array") from None
    numbers = list(map(as_number, array.flat)) if array.dtype.kind == "O" else [None]
    if None not in numbers:
        kind = np.int64 if all(isinstance(each, int) for each in numbers) else np.float64
        try:
            array = np.array(numbers, kind).reshape(array.shape)
        except OverflowError:
            raise ValueError(f"{name} have a number that does not fit 64 bits") from None
    if array.dtype.kind not in "biuf":
        hint = "; labels are for condprob.fit" if array.dtype.kind in "OUS" else ""
        raise ValueError(f"{name} of type {array.dtype}: must be numbers >= 0{hint}")
    if array.dtype == np.float16:  # in which `LARGEST_EXACT` is infinite
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
    is_large = np.isfinite(numbers) & (numbers >= LARGEST_EXACT)
    if is_large.any():
        value = numbers[is_large][0]
        raise ValueError(f"{name} have the value {value}: floats are exact only below 2**53")


def check_weights(values: ArrayLike, name: str = "counts") -> np.ndarray:
    """Return a copy of finite numbers >= 0: as int64 where all are whole, else as float64.

    Raises ValueError as `as_array` and `are_whole` do.
    """
    values = as_array(values, name)
    return values.astype(np.int64 if are_whole(values, name) else np.float64)


def are_whole(values: np.ndarray, name: str, *, above_zero: bool = False) -> bool:
    """Whether all numbers are whole; arrays on disk are read some numbers at a time.

    Raises
    ------
    ValueError
        If a number is negative, not finite, not exact as a float of 64 bits, or so small that its
        products vanish; if one is zero, where all must be above it; or if the numbers add up to
        more than an int64 holds.
    """
    found, total = True, 0
    flat = values if values.ndim == 1 else values.ravel()
    for part in blocks(flat.size):
        numbers = read_slice(flat, part)
        is_right = np.isfinite(numbers) & (numbers >= 0)
        if not is_right.all():
            bad = numbers[~is_right][0]
            raise ValueError(f"{name} have the value {bad}: must be finite numbers >= 0")
        if above_zero and not numbers.all():
            raise ValueError(f"{name} that are stored must be > 0: leave the zeros out")
        if numbers.dtype.kind == "f":
            numbers = as_floats(numbers, name)
            is_tiny = (numbers > 0) & (numbers < SMALLEST_NUMBER)
            if is_tiny.any():
                tiny = f"{name} have the value {numbers[is_tiny][0]}"
                raise ValueError(f"{tiny}: must be zero, or at least {SMALLEST_NUMBER:g}")
            found &= bool((numbers == np.floor(numbers)).all())
        with np.errstate(over="ignore"):
            rough = float(numbers.sum(dtype=float))
        check_total(total + rough, name)
        # The exact sum, which the rough one has shown to fit 64 bits.
        total += int(numbers.sum(dtype=np.uint64)) if found else rough
        check_total(total, name)
    return found


def check_total(total: float | int, name: str) -> None:
    """Raise ValueError unless numbers with this sum can be added up in an int64."""
    if total >= 2**63:
        raise ValueError(f"{name} add up to {total:.3g}: must be less than 2**63")


def check_rising(starts: np.ndarray, size: int, name: str) -> None:
    """Raise ValueError unless integers rise, or stay, from 0 to ``size``."""
    if starts.dtype.kind not in "iu" or starts.ndim != 1 or not starts.size:
        found = f"{name} of type {starts.dtype} and shape {starts.shape}"
        raise ValueError(f"{found}: must be a list of integers")
    if starts[0] != 0 or starts[-1] != size or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"{name} must rise from 0 to the number of entries, {size}")


def check_sparse_rows(
    indptr: np.ndarray, outcomes: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> None:
    """Raise ValueError unless arrays are compressed rows, outcomes ascending within each.

    Arrays on disk are read some entries at a time.
    """
    rows, columns = shape
    if indptr.shape != (rows + 1,) or outcomes.shape != values.shape or values.ndim != 1:
        raise ValueError(
            f"indptr, outcomes and values of shapes {indptr.shape}, {outcomes.shape} and "
            f"{values.shape} are not sparse rows of a {rows} x {columns} matrix"
        )
    check_rising(indptr, values.size, "indptr")
    if outcomes.size and outcomes.dtype.kind not in "iu":
        raise ValueError(f"outcomes of type {outcomes.dtype}: must be integers")
    for part in blocks(outcomes.size):
        these = read_slice(outcomes, slice(max(part.start - 1, 0), part.stop))
        # Only the first entry of a row may have an outcome that is not above the one before it.
        falls = max(part.start, 1) + np.flatnonzero(these[1:] <= these[:-1])
        is_first = indptr[np.searchsorted(indptr, falls)] == falls
        if not is_first.all() or these.min() < 0 or these.max() >= columns:
            raise ValueError(f"the outcomes of a row must rise within 0..{columns - 1}")


def check_values(values: ArrayLike) -> np.ndarray:
    """Return counts > 0 as integers where all are whole, in 32 bits where they fit, else as floats.

    Counts on disk are returned as they are.

    Raises
    ------
    ValueError
        As in `as_array` and `are_whole`, or if the array is not flat. Or if counts on disk are of
        another type than `CountMatrix.save` writes.
    """
    values = as_array(values, "counts")
    if values.ndim != 1:
        raise ValueError(f"counts of shape {values.shape}: expected one number for each entry")
    is_whole = are_whole(values, "counts", above_zero=True)
    if is_mapped(values):
        if values.dtype.type not in ((np.int32, np.int64) if is_whole else (np.float64,)):
            raise ValueError(f"counts on disk of type {values.dtype}: not as they are saved")
        return values
    values = np.asarray(values)
    return narrow(values) if is_whole else values.astype(np.float64, copy=False)


def check_entries(
    indptr: ArrayLike, outcomes: ArrayLike, values: ArrayLike, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays of counts read-only, integers in memory in 32 bits where they fit.

    Raises ValueError as `check_values` and `check_sparse_rows` do, or if an array is masked.
    """
    values = check_values(values)
    for name, labels in (("indptr", indptr), ("outcomes", outcomes)):
        refuse_masked(labels, name)
    indptr, outcomes = np.asarray(indptr), np.asanyarray(outcomes)
    check_sparse_rows(indptr, outcomes, values, shape)
    if not is_mapped(outcomes):
        outcomes = narrow(np.asarray(outcomes))
    return read_only(indptr.astype(np.int64, copy=False)), read_only(outcomes), read_only(values)


def contexts_of(indptr: np.ndarray, part: slice) -> np.ndarray:
    """Return the context of each entry of a part, shape (entries,)."""
    first = np.searchsorted(indptr, part.start, side="right") - 1
    last = np.searchsorted(indptr, part.stop, side="left")
    starts = np.clip(indptr[first : last + 1], part.start, part.stop)
    return np.repeat(np.arange(first, last), np.diff(starts))


def sum_rows(values: np.ndarray, indptr: np.ndarray) -> np.ndarray:
    """Add up a number for each entry by rows, shape (rows,), whole numbers exactly."""
    sums = np.zeros(indptr.size - 1, dtype=_accumulator_type(values))
    for part in blocks(values.size):
        np.add.at(sums, contexts_of(indptr, part), values[part].astype(sums.dtype, copy=False))
    return sums


def sum_columns(values: np.ndarray, outcomes: np.ndarray, columns: int) -> np.ndarray:
    """Add up a number for each entry by columns, shape (columns,), whole numbers exactly."""
    sums = np.zeros(columns, dtype=_accumulator_type(values))
    for part in blocks(values.size):
        np.add.at(sums, outcomes[part], values[part].astype(sums.dtype, copy=False))
    return sums


def _accumulator_type(values: np.ndarray) -> type:
    """Return the type in which to add up: with one type `add.at` takes a thirtieth of its time."""
    return np.float64 if values.dtype.kind == "f" else np.int64


def count_columns(outcomes: np.ndarray, columns: int) -> np.ndarray:
    """Return how many entries each column has, shape (columns,)."""
    found = np.zeros(columns, dtype=np.int64)
    for part in blocks(outcomes.size):
        found += np.bincount(outcomes[part], minlength=columns)
    return found
