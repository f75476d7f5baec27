"""Every method at the edges of numbers: its rows sum to one, a file keeps it, nothing warns.

Warnings are errors in this suite; but log-linear models may say that their gap is not as small as
was asked for. `test_contract` has the edges of the shape of counts.
"""

import ctypes

import numpy as np
import pytest
from inputs import in_case, random_counts, small_options

from condprob import METHODS, CountMatrix, method, posterior
from condprob.options import Range
from condprob.sparse_plus_low_rank import LowRankMatrix

pytestmark = [
    pytest.mark.filterwarnings("ignore:tol = .* was not met"),
    pytest.mark.usefixtures("few_steps"),
]

RNG = np.random.default_rng(8)
SIZES = 10 ** RNG.integers(0, 13, size=(7, 6))
ONE_OUTCOME = np.zeros((6, 5), dtype=int)
ONE_OUTCOME[range(6), [0, 1, 1, 2, 4, 4]] = [1, 2, 10**6, 1, 10**12, 3]
EXTREMES = {
    "counts up to 1e12, every pair": CountMatrix.from_dense(SIZES),
    "counts up to 1e12, some pairs": CountMatrix.from_dense(SIZES * (RNG.random((7, 6)) < 0.4)),
    "real counts from 1e-12 to 1e12": CountMatrix.from_dense(
        10.0 ** RNG.integers(-12, 13, size=(7, 6)) * (RNG.random((7, 6)) < 0.5)
    ),
    "real counts that nearly vanish": CountMatrix.from_dense([[1e-99, 0, 1e-99], [0, 1e-50, 0]]),
    "real counts of 1e-99 beside 1e15": CountMatrix.from_dense(
        [[1e-99, 1e15, 0.5], [1e-99, 0, 1e15], [0, 1e-50, 0], [0, 0, 0]]
    ),
    "rows of one outcome": CountMatrix.from_dense(ONE_OUTCOME),
    "columns of one context": CountMatrix.from_dense(ONE_OUTCOME.T),
    "one pair of 1e12": CountMatrix.from_dense([[10**12, 0], [0, 0]]),
    "the largest sum": CountMatrix.from_dense([[2**62, 1, 0], [0, 2**61, 0]]),
    "one outcome of 100 and 1e15, one of 1": CountMatrix.from_dense(
        [[0, 1, 0, 0], [100, 0, 0, 0], [10**15, 0, 0, 0]]
    ),
    "one row": CountMatrix.from_dense([[3, 0, 1, 2]]),
    "one column": CountMatrix.from_dense([[3], [0], [1]]),
    "one cell": CountMatrix.from_dense([[2]]),
    "all equal": CountMatrix.from_dense(np.full((4, 5), 3)),
    "real counts": CountMatrix.from_dense([[0.3, 0, 0.1], [0, 2.5, 0]]),
}
FEW = random_counts(3, k=8, n=40)


def check_rows(matrix, numbers=None):
    """Compare the sums of rows with one."""
    rows = matrix.dense() if numbers is None else matrix.rows(numbers)
    assert np.isfinite(rows).all()
    assert (rows >= 0).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "method_",
    [method("sb"), method("sb", normalised=False), method("kn", form="backoff")],
    ids=["sb", "sb as published", "kn backing off"],
)
def test_no_pair_that_was_seen_has_probability_zero(method_):
    # The sum of the low-rank part and the sparse one may be rounded to zero where the cell is not.
    for extreme in ("real counts of 1e-99 beside 1e15", "the largest sum"):
        counts = EXTREMES[extreme]
        with in_case(extreme):
            of_pairs = method_.fit(counts).at(counts.contexts, counts.outcomes)
            assert (of_pairs > 0).all()


def check_kept(matrix):
    """Compare a fit with itself after it was written and read: checks are asked of both."""
    arrays = {name: np.array(array) for name, array in matrix.arrays().items()}
    read = type(matrix).from_arrays(arrays)
    np.testing.assert_array_equal(read.dense(), matrix.dense())


@pytest.mark.parametrize("id", METHODS)
def test_counts_of_every_size(id):
    for extreme, counts in EXTREMES.items():
        if id == "kn-modified" and "real" in extreme:  # its discounts need whole counts
            continue
        with in_case(extreme):
            matrix = method(id, **small_options(METHODS[id])).fit(counts, seed=1)
            check_rows(matrix)
            check_kept(matrix)


class Garbage(ctypes.Structure):
    """Signalling NaNs of 32 bits: any use of one sets the processor's flag for invalid numbers."""

    _fields_ = (("numbers", ctypes.c_uint32 * (1 << 14)),)


def leave_garbage():
    """Write garbage below the end of the stack, as arguments of a C function that ignores them."""
    ctypes.pythonapi.Py_IsInitialized(Garbage((0x7FA00000,) * (1 << 14)))


@pytest.mark.parametrize("outcomes", [1, 3])
def test_nothing_warns_of_what_was_on_the_stack(outcomes, monkeypatch):
    """Products of 32 bits: OpenBLAS looks at what the program before it has left there."""
    real = np.matmul

    def product(left, right):
        leave_garbage()
        return real(left, right)

    monkeypatch.setattr(np, "matmul", product)
    counts = CountMatrix.from_dense(RNG.integers(1, 5, size=(7, outcomes)))
    for hidden in (3, 4, 5):  # of which the second makes five features
        method("nplm", embedding=5, hidden=hidden, epochs=2).fit(counts, seed=1)
    weights, classes = RNG.dirichlet(np.ones(5), 7), RNG.dirichlet(np.ones(outcomes), 5)
    factors = weights.astype(np.float32), np.asfortranarray(classes, dtype=np.float32)
    matrix = LowRankMatrix(*factors)
    for rows in (weights, weights[:1]):
        found = matrix.rows(np.arange(len(rows)))
        np.testing.assert_allclose(found, rows @ classes, rtol=1e-6)
    samples = posterior(random_counts(2, k=6, n=200), 3, rank=5, burn_in=1)
    assert np.isfinite(samples.draw(0)).all()


@pytest.mark.parametrize("id", METHODS)
def test_a_large_matrix_with_few_pairs(id):
    k = 200_000
    contexts, outcomes = np.random.default_rng(5).integers(k, size=(2, 60))
    counts = CountMatrix.from_pairs(contexts, outcomes, k)
    matrix = method(id, **small_options(METHODS[id])).fit(counts, seed=1)
    check_rows(matrix, [*counts.seen_contexts[:3], 0, k - 1])


@pytest.mark.parametrize("rank", [1, FEW.k])
@pytest.mark.parametrize("id", [*(id for id in METHODS if "rank" in METHODS[id].options), "py-lr"])
def test_the_smallest_and_the_full_rank(id, rank):
    given = {"rank": rank, "smallest_rank": rank, "largest_rank": rank, "iterations": 30}
    options = {name: value for name, value in given.items() if name in METHODS[id].options}
    check_rows(method(id, **options).fit(FEW, seed=1))


MANY = {
    id: {"rank": 3, "iterations": 5000}
    for id, record in METHODS.items()
    if {"rank", "iterations"} <= record.options.keys()
}
MANY["py-lr"] = {"largest_rank": 2, "sweeps": 5000, "chains": 1}


@pytest.mark.parametrize("id", MANY)
def test_five_thousand_iterations(id):
    check_rows(method(id, **MANY[id]).fit(FEW, seed=1))


def real_options():
    """Yield each option of a method that is a real number in a range, and that range."""
    for id, record in METHODS.items():
        for name, option in record.options.items():
            for kind, restriction in option.kinds:
                if kind is float and isinstance(restriction, Range) and name != "tol":
                    yield id, name, restriction


def ends(limits):
    """Return numbers at both ends of a range and near them, and one."""
    above = (1e6, 1e12)
    if np.isfinite(limits.high):
        above = tuple(limits.high * near for near in (1 - 1e-9, 1 - 2**-53, 1))
    return (0, 1e-100, 1e-9, 1, *above)


@pytest.mark.parametrize(("id", "name", "limits"), [*real_options()])
def test_options_at_the_ends_of_their_range(id, name, limits):
    extreme = "counts up to 1e12, every pair"
    given = {extreme: EXTREMES[extreme], "few pairs": FEW}
    for value in ends(limits):
        if not METHODS[id].options[name].accepts(value):
            continue
        options = small_options(METHODS[id]) | {name: value}
        for case, counts in given.items():
            with in_case(f"{name} = {value}, {case}"):
                check_rows(method(id, **options).fit(counts, seed=1))
