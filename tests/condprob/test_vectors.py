"""Rows as vectors in compiled code, beside NumPy on arrays."""

import numpy as np
import pytest
from numba import njit

from condprob.vectors import in_lines, load, store, total, width_of, zero_below, zeros

SIZES = [1, 2, 3, 4, 5, 8, 9, 16, 23, 64]


@njit
def compute(width, a, b, number, found):
    x, y = load(width, a, 0, 0), load(width, b, 0, 0)
    rows = (x + y, x - y, x * y, x * number, number - x, min(x, number), zero_below(y, number))
    for i, row in enumerate(rows):
        store(found, i, 0, row)
    store(found, 7, 0, zeros(width))
    return total(x)


@pytest.mark.parametrize("size", SIZES)
def test_rows_are_computed_entry_by_entry(size):
    rng = np.random.default_rng(size)
    (x, y), number = rng.normal(size=(2, 1, size)), 0.25
    a, b = in_lines(x), in_lines(y)
    found = np.ones((8, a.shape[1]))
    sum_of_x = compute(width_of(size), a, b, number, found)
    x, y = a[0], b[0]
    expected = [x + y, x - y, x * y, x * number, number - x, np.minimum(x, number)]
    expected += [np.where(y < number, 0, y), np.zeros(x.size)]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(sum_of_x, x.sum(), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("size", [*SIZES, 65, 200])
def test_stored_rows_are_whole_vectors(size):
    rows = np.random.default_rng(0).random((3, size))
    stored = in_lines(rows)
    vectors, lanes = map(len, width_of(size))
    assert stored.shape == (3, vectors * lanes)
    assert size <= vectors * lanes < size + lanes
    assert lanes in (1, 2, 4, 8)
    assert stored.ctypes.data % 64 == 0
    assert stored.flags.c_contiguous
    np.testing.assert_array_equal(stored[:, :size], rows)
    assert not stored[:, size:].any()


def test_there_are_eleven_widths_up_to_64():
    assert len({width_of(size) for size in range(1, 65)}) == 11
