"""Factors stored by cache lines: an access to a row touches as few of them as can be."""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

LINE = 8  # floats in a cache line, and in the widest vector


def in_lines(factor):
    """Return a factor stored so that every row starts at a cache line: itself, if it is so."""
    if factor.strides == _strides(factor.shape) and factor.ctypes.data % (8 * LINE) == 0:
        return factor
    stored = lines(factor.shape)
    stored[:] = factor
    return stored


def lines(shape):
    """Return zeros of that shape, every row of which starts at a cache line."""
    row, item = _strides(shape)[-2:]
    size = math.prod(shape[:-1]) * row // item
    buffer = np.zeros(size + LINE)
    start = -buffer.ctypes.data // item % LINE
    return buffer[start : start + size].reshape(*shape[:-1], row // item)[..., : shape[-1]]


def _strides(shape):
    """Return the strides, in bytes, of an array stored in lines."""
    *others, rows, m = shape
    row = -(-m // LINE) * LINE * 8
    return (*(rows * row for _ in others), row, 8)


def with_padding(factor):
    """Return a factor stored in lines with the columns added, as one contiguous array."""
    strides = _strides(factor.shape)
    return as_strided(factor, (*factor.shape[:-1], strides[-2] // strides[-1]), strides)
