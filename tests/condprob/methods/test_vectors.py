"""Rows in lines of eight in compiled code, beside NumPy on arrays; the same bits everywhere."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from condprob.methods.vectors import (
    BYTES,
    LANES,
    SHORT_BYTES,
    count_at_most,
    in_lines,
    larger,
    last,
    line_at,
    line_of,
    prefetch,
    running,
    short_line_at,
    smaller,
    store,
    total,
    where_at_most,
    zero_below,
)


@njit
def compute(a, b, number, found):
    x, y, place = line_at(a.ctypes.data), line_at(b.ctypes.data), found.ctypes.data
    for line in (x + y, x - y, x * y, x / y, x * number, number - x, number / y):
        store(place, line)
        place += BYTES
    for line in (smaller(x, number), larger(x, number), zero_below(y, number), line_of(number)):
        store(place, line)
        place += BYTES
    prefetch(place)
    return total(x)


def test_lines_are_computed_entry_by_entry():
    x, y = np.random.default_rng(0).normal(size=(2, LANES))
    number, found = 0.25, np.ones((11, LANES))
    sum_of_x = compute(in_lines(x[None]), in_lines(y[None]), number, found)
    expected = [x + y, x - y, x * y, x / y, x * number, number - x, number / y]
    expected += [np.minimum(x, number), np.maximum(x, number), np.where(y < number, 0, y)]
    np.testing.assert_array_equal(found, [*expected, np.full(LANES, number)])
    halves = x[:4] + x[4:]
    assert sum_of_x == (halves[0] + halves[2]) + (halves[1] + halves[3])


@njit
def compute_short(a, b, number, found):
    x, y, place = short_line_at(a.ctypes.data), short_line_at(b.ctypes.data), found.ctypes.data
    for line in (x + y, x - y, x * y, x / y, x * number, number - x, larger(x, number)):
        store(place, line)
        place += SHORT_BYTES
    for line in (where_at_most(x, y, x), running(x)):
        store(place, line)
        place += SHORT_BYTES
    return last(x), count_at_most(x, number)


def test_short_lines_are_computed_entry_by_entry():
    x, y = np.random.default_rng(1).normal(size=(2, LANES)).astype(np.float32)
    number, found = np.float32(0.25), np.ones((9, LANES), np.float32)
    ends = compute_short(x, y, number, found)
    expected = [x + y, x - y, x * y, x / y, x * number, number - x, np.maximum(x, number)]
    np.testing.assert_array_equal(found[:8], [*expected, np.where(x <= y, x, 0)])
    assert (found[8] == [added_up(x, end) for end in range(1, LANES + 1)]).all()
    assert ends == (x[-1], np.count_nonzero(x <= number))


def added_up(x, end):
    """Return the sum of the first entries: of two neighbours, of two such sums, and of two more."""
    pairs = [x[i] + (x[i - 1] if i else np.float32(0)) for i in range(end)]
    fours = [pairs[i] + (pairs[i - 2] if i > 1 else np.float32(0)) for i in range(end)]
    return fours[-1] + (fours[-5] if end > 4 else np.float32(0))


@pytest.mark.parametrize("size", [1, 2, 5, 8, 9, 16, 23, 64, 65, 200])
def test_stored_rows_are_whole_lines(size):
    rows = np.random.default_rng(0).random((3, size))
    stored = in_lines(rows)
    assert stored.shape[1] % LANES == 0
    assert size <= stored.shape[1] < size + LANES
    assert stored.ctypes.data % BYTES == 0
    assert stored.flags.c_contiguous
    np.testing.assert_array_equal(stored[:, :size], rows)
    assert not stored[:, size:].any()


FITS = """
import sys, numpy as np
from condprob import CountMatrix, method

def factors(times):
    rng = np.random.default_rng(0)
    few, many = (CountMatrix.from_dense(rng.poisson(mean, (60, 90))) for mean in (0.1, 2.0))
    fits = [method("ad-lr", rank=r, iterations=times, **{"update": u}).fit(few, seed=1)
            for r in (3, 8, 13, 50, 70) for u in ("simultaneous", "alternating")]
    fits += [method(id, rank=5, iterations=times).fit(counts, seed=1)
             for id in ("ad-lr", "add-half-lr", "naive-ad-lr", "plsa") for counts in (few, many)]
    parts = [part for each in fits for part in (each.W, each.H)]
    tables = CountMatrix.from_dense(rng.poisson(0.2, (20, 30)) * rng.integers(1, 4, (20, 30)))
    sampled = [method("py-lr", largest_rank=r, chains=1, sweeps=times).fit(tables, seed=1)
               for r in (5, 13)]
    return parts + [part for each in sampled for part in (each.left, each.right)]

if __name__ == "elsewhere":
    np.savez(sys.argv[1], *factors(int(sys.argv[2])))
"""


def factors(iterations):
    """Return the factors of fits in this process."""
    exec(FITS, names := {"__name__": "here"})
    return names["factors"](iterations)


def factors_elsewhere(path, iterations, **environment):
    """Return the factors of the same fits in a process of its own."""
    code = f"__name__ = 'elsewhere'\n{FITS}"
    command = [sys.executable, "-W", "ignore", "-c", code, path, str(iterations)]
    subprocess.run(command, env=os.environ | environment, check=True)
    with np.load(path) as found:
        return [found[name] for name in found.files]


@pytest.mark.filterwarnings("ignore:tol")
def test_factors_are_the_same_bits_on_every_processor(tmp_path):
    """AD-LR makes 8 % of a last bit on some counts, and a chain of py-lr draws other classes.

    This process has all instructions of its processor: wide vectors, and sums of products with one
    rounding. The other ones have neither, and the second finds what the first has compiled: a
    compiled function must keep no version of its own of another whose sums it may reorder.
    """
    expected = factors(20)
    environment = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""}
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "compiled")
    for process in ("that compiles", "that loads"):
        found = factors_elsewhere(tmp_path / "other.npz", 20, **environment)
        for one, other in zip(found, expected, strict=True):
            assert one.tobytes() == other.tobytes(), process


@pytest.mark.filterwarnings("ignore:tol")
def test_fits_without_a_compiler_are_the_same(tmp_path):
    found = factors_elsewhere(tmp_path / "found.npz", 1, NUMBA_DISABLE_JIT="1")
    for one, other in zip(found, factors(1), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-15)
