"""Checks of arguments: each returns what it was given, or raises a ValueError of one line."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike


def check_integer(name: str, value: object, least: int) -> int:
    """Return ``value`` as an integer >= ``least``, or raise ValueError."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} = {value!r}: an integer >= {least} is needed")
    return int(value)


def check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise ValueError unless ``value`` is one of ``allowed``."""
    if value not in allowed:
        raise ValueError(f"{name} = {value!r}: one of {', '.join(allowed)} is needed")


def check_shape(shape: object) -> tuple[int, int]:
    """Return ``shape`` as (contexts, outcomes), or raise ValueError."""
    if not isinstance(shape, Sequence) or isinstance(shape, str) or len(shape) != 2:
        raise ValueError(f"shape = {shape!r}: a pair (contexts, outcomes) is needed")
    rows, columns = (check_integer("shape", size, 1) for size in shape)
    if rows * columns >= 2**63:
        raise ValueError(f"shape = {shape!r}: a matrix with fewer than 2**63 entries is needed")
    return rows, columns


def check_labels(labels: ArrayLike, size: int, name: str) -> np.ndarray:
    """Return ``labels`` as an int64 array with values in ``0..size-1``, or raise ValueError."""
    if np.ma.isMaskedArray(labels):
        raise ValueError(f"{name} is a masked array: integers 0..{size - 1} are needed")
    labels = np.asarray(labels)
    if labels.size and not np.issubdtype(labels.dtype, np.integer):
        raise ValueError(f"{name} of type {labels.dtype}: integers 0..{size - 1} are needed")
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


def check_weights(values: ArrayLike, name: str = "counts") -> np.ndarray:
    """Return finite numbers >= 0: as int64 where all are whole, else as float64.

    Raises
    ------
    ValueError
        If a value is negative, not finite or no number, if the array is masked, or if whole
        numbers add up to more than an int64 holds.
    """
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name} are a masked array: say what the masked values are")
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{name} of type {values.dtype}: numbers >= 0 are needed")
    if not (np.isfinite(values) & (values >= 0)).all():
        bad = values[~(np.isfinite(values) & (values >= 0))].ravel()[0]
        raise ValueError(f"{name} have the value {bad}: finite numbers >= 0 are needed")
    if values.dtype.kind == "f" and not (values == np.floor(values)).all():
        return values.astype(np.float64)
    check_total(values.sum(dtype=float), name)
    return values.astype(np.int64)


def check_total(total: float, name: str) -> None:
    """Raise ValueError unless whole numbers with this sum can be added up in an int64."""
    if total >= 2**63:
        raise ValueError(f"{name} add up to {total:.3g}: less than 2**63 fit")
