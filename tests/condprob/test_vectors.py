"""Rows as vectors in compiled code, beside NumPy on arrays."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from condprob.em.passes import sparse_pass
from condprob.vectors import (
    LANES,
    alone,
    in_lines,
    larger,
    load,
    smaller,
    store,
    total,
    width_of,
    zero_below,
    zeros,
)

SIZES = [1, 2, 3, 4, 5, 8, 9, 16, 23, 64]


@njit
def compute(width, a, b, number, found):
    x, y = load(width, a, 0, 0), load(width, b, 0, 0)
    rows = (x + y, x - y, x * y, x * number, number - x, smaller(x, number), zero_below(y, number))
    for i, row in enumerate(rows):
        store(found, i, 0, row)
    for i, row in enumerate((zeros(width), alone(width, number), larger(x, number), y / number)):
        store(found, 7 + i, 0, row)
    return total(x)


@pytest.mark.parametrize("size", SIZES)
def test_rows_are_computed_entry_by_entry(size):
    rng = np.random.default_rng(size)
    (x, y), number = rng.normal(size=(2, 1, size)), 0.25
    a, b = in_lines(x), in_lines(y)
    found = np.ones((11, a.shape[1]))
    sum_of_x = compute(width_of(size), a, b, number, found)
    x, y = a[0], b[0]
    expected = [x + y, x - y, x * y, x * number, number - x, np.minimum(x, number)]
    expected += [np.where(y < number, 0, y), np.zeros(x.size), number * (np.arange(x.size) == 0)]
    expected += [np.maximum(x, number), y / number]
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(sum_of_x, x.sum(), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("size", [*SIZES, 65, 200])
def test_stored_rows_are_whole_vectors(size):
    rows = np.random.default_rng(0).random((3, size))
    stored = in_lines(rows)
    assert stored.shape == (3, len(width_of(size)) * LANES)
    assert size <= stored.shape[1] < size + LANES
    assert stored.ctypes.data % 64 == 0
    assert stored.flags.c_contiguous
    np.testing.assert_array_equal(stored[:, :size], rows)
    assert not stored[:, size:].any()


def test_there_are_eight_widths_up_to_64_each_with_a_pass_of_its_own_name():
    # Processes that compile a pass each may give both the same number: the name alone is theirs.
    widths = {width_of(size) for size in range(1, 65)}
    assert len(widths) == 8
    assert len({sparse_pass(width).py_func.__qualname__ for width in widths}) == 8


FITS = """
import sys, numpy as np
from condprob import CountMatrix, method
counts = CountMatrix.from_dense(np.random.default_rng(0).poisson(0.3, (30, 20)))
fits = [method("ad-lr", rank=rank, iterations=3).fit(counts) for rank in (3, 70)]
fits.append(method("naive-ad-lr", rank=3, iterations=3).fit(counts))
np.savez(sys.argv[1], *(each.dense() for each in fits))
"""


def test_rows_without_a_compiler_are_the_same(tmp_path):
    """Whole rows, rows vector by vector, and whole rows of a matrix without zeros."""
    found = []
    for disabled in ("0", "1"):
        env, path = os.environ | {"NUMBA_DISABLE_JIT": disabled}, tmp_path / f"{disabled}.npz"
        subprocess.run([sys.executable, "-W", "ignore", "-c", FITS, path], env=env, check=True)
        found.append(np.load(path))
    for name in found[0]:
        np.testing.assert_allclose(found[1][name], found[0][name], rtol=1e-11)
