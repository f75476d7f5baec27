"""Vector smoothers: properties that hold for every vector of counts."""

import subprocess
import sys

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from inputs import EDGES, exactly, random_counts

from condprob.methods.smoothing import (
    FULL_BELOW,
    AbsoluteDiscount,
    AddConstant,
    coefficients,
    coefficients_of_vectors,
    plain_coefficients,
)

# Whole, fractional, huge and tiny counts, and those beside 1, where the formula changes branch.
count = st.one_of(
    st.integers(0, 4).map(float),
    st.floats(0, 2, allow_subnormal=False),
    st.floats(1, 1e15),
    st.sampled_from([1 - 2.0**-53, 1 - 1e-12, 1 - 1e-10, 1 - 1e-8, 1 + 2.0**-52, 1e-300, 1e-17]),
)
vector = st.lists(count, min_size=1, max_size=30).map(np.array)
whole_vector = st.lists(st.integers(0, 5), min_size=1, max_size=30).map(np.array)
discount = st.floats(0.01, 0.99)
smoother = st.one_of(
    discount.map(AbsoluteDiscount), st.sampled_from([0.0, 0.5, 3.0]).map(AddConstant)
)


@given(st.floats(0.01, 3), discount, vector)
def test_one_formula_adds_a_constant_and_takes_a_discount(constant, discount, counts):
    # c + constant - discount min(c, 1) + what was taken, in parts as 1 - min(c, 1).
    clipped = np.minimum(counts, 1)
    seen, unseen = clipped.sum(), (1 - clipped).sum()
    b, a, z = coefficients(constant, discount, counts.sum(), seen, unseen)
    p = (counts + b * clipped + a * (1 - clipped)) / z
    assert abs(p.sum() - 1) < 1e-9
    if unseen >= FULL_BELOW:
        expected = counts + constant - discount * clipped + discount * seen * (1 - clipped) / unseen
        np.testing.assert_allclose(p, expected / (counts.sum() + counts.size * constant), rtol=1e-9)


@given(smoother, vector)
def test_the_result_is_a_distribution(smoother, counts):
    p = smoother(counts)
    assert p.shape == counts.shape
    assert (p >= 0).all()
    assert abs(p.sum() - 1) < 1e-12


@given(smoother, vector, st.randoms(use_true_random=False))
def test_permuting_the_outcomes_permutes_the_result(smoother, counts, random):
    order = random.sample(range(counts.size), counts.size)
    # Which side of FULL_BELOW a sum falls on may depend on its order, so it must not be close.
    shortfall = (1 - np.minimum(counts, 1)).sum()
    assume(abs(shortfall / FULL_BELOW - 1) > 1e-6)
    np.testing.assert_allclose(smoother(counts[order]), smoother(counts)[order], rtol=1e-9)


@given(discount, vector)
def test_soft_discounting_is_the_printed_formula(discount, counts):
    shortfall = (1 - np.minimum(counts, 1)).sum()
    assume(shortfall == 0 or shortfall > 1e-3)  # the printed k - D - d cancels below that
    expected = reference.absolute_discount(counts, discount)
    np.testing.assert_allclose(AbsoluteDiscount(discount)(counts), expected, rtol=1e-9, atol=1e-300)


@given(discount, st.lists(st.floats(1, 1e15), min_size=1, max_size=30).map(np.array))
def test_where_every_outcome_was_seen_nothing_changes_hands(discount, counts):
    np.testing.assert_allclose(AbsoluteDiscount(discount)(counts), counts / counts.sum())


@pytest.mark.parametrize("below", [2.0**-53, 1e-13, 1e-11])
def test_a_soft_count_of_one_may_be_a_rounding_below_it(below):
    # As printed, the first outcome would receive all that the other three give: 3 alpha / S.
    counts = np.array([1 - below, 1, 2, 4])
    np.testing.assert_allclose(AbsoluteDiscount(0.75)(counts), np.array([1, 1, 2, 4]) / 8)


def test_just_below_full_the_one_short_of_one_receives_everything():
    # k = 4, D = 3, d = 1 - 1e-6, alpha = 1/2: the last gets (d + D + d) / 2 = 5/2 - 1e-6 of S = 8.
    p = AbsoluteDiscount(0.5)([1, 2, 4, 1 - 1e-6])
    np.testing.assert_allclose(p, np.array([0.5, 1.5, 3.5, 2.5]) / 8, rtol=1e-6)
    assert abs(p.sum() - 1) < 1e-15


@pytest.mark.parametrize("smoother", [AddConstant(0), AddConstant(0.5), AbsoluteDiscount(0.75)])
@pytest.mark.parametrize("k", [1, 2, 7])
def test_a_vector_without_counts_becomes_uniform(smoother, k):
    np.testing.assert_array_equal(smoother(np.zeros(k)), np.full(k, 1 / k))


@pytest.mark.parametrize(
    ("smoother", "counts", "expected"),
    [
        # S = 4, k = 4.
        (AddConstant(0.5), [3, 1, 0, 0], [3.5 / 6, 1.5 / 6, 0.5 / 6, 0.5 / 6]),
        (AddConstant(0), [3, 1, 0, 0], [3 / 4, 1 / 4, 0, 0]),
        # D = 2 outcomes give 3/4 each, the two unseen ones share 3/2.
        (AbsoluteDiscount(0.75), [3, 1, 0, 0], [2.25 / 4, 0.25 / 4, 0.75 / 4, 0.75 / 4]),
        # S = 3, D = 1, d = 1, k - D - d = 2. c = 1/2: 1/4 1/2 + 3/4 2 (1/2) / 2 = 1/2.
        # c = 0: 3/4 2 / 2 = 3/4.  In all 5/4 + 1/2 + 1/2 + 3/4 = 3.
        (AbsoluteDiscount(0.75), [2, 0.5, 0.5, 0], [1.25 / 3, 0.5 / 3, 0.5 / 3, 0.75 / 3]),
        # All fractional: S = d = 1, k - d = 1. c = 1/2: 1/2 1/2 + 1/2 1 (1/2) / 1 = 1/2.
        (AbsoluteDiscount(0.5), [0.5, 0.5], [0.5, 0.5]),
        # A tiny total: 1/4 stays, 3/4 of it goes to both in (nearly) equal parts.
        (AbsoluteDiscount(0.75), [1e-30, 0], [0.25 + 0.375, 0.375]),
    ],
)
def test_small_vectors(smoother, counts, expected):
    np.testing.assert_allclose(smoother(counts), expected, rtol=1e-14)


@given(smoother, st.lists(whole_vector, min_size=1, max_size=4))
def test_rows_of_an_array_are_smoothed_one_by_one(smoother, vectors):
    size = min(map(len, vectors))
    array = np.array([vector[:size] for vector in vectors])
    expected = [smoother(row) for row in array]
    np.testing.assert_allclose(smoother(array), expected, rtol=1e-14)
    np.testing.assert_allclose(smoother(array[:, None]), np.array(expected)[:, None], rtol=1e-14)


@pytest.mark.parametrize("smoother", [AddConstant(0), AddConstant(0.5), AbsoluteDiscount(0.75)])
@pytest.mark.parametrize("counts", [*EDGES.values(), random_counts(1, 30, 200)])
def test_sparse_rows_are_those_of_the_dense_array(smoother, counts):
    above, unseen = smoother.sparse_rows(counts)
    dense = np.repeat(unseen[:, None], counts.k, axis=1)
    dense[counts.contexts, counts.outcomes] += above
    np.testing.assert_allclose(dense, smoother(counts.dense()), rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([], "counts must be a vector of at least one count"),
        (3, "counts must be a vector of at least one count"),
        (np.zeros((2, 0)), "counts must be a vector of at least one count"),
        ([1, -1], "counts must be finite and >= 0"),
        ([1, np.nan], "counts must be finite and >= 0"),
        ([1, np.inf], "counts must be finite and >= 0"),
    ],
)
@pytest.mark.parametrize("smoother", [AddConstant(), AbsoluteDiscount()])
def test_bad_counts_are_one_clear_line(smoother, counts, message):
    with pytest.raises(ValueError, match=exactly(message)):
        smoother(counts)


@pytest.mark.parametrize("discount", [0, 1, 1.5, -0.5, float("nan"), "0.5"])
def test_a_discount_lies_between_zero_and_one(discount):
    message = f"discount = {discount!r}: a number between 0 and 1, both excluded"
    with pytest.raises(ValueError, match=exactly(message)):
        AbsoluteDiscount(discount)


def test_few_vectors_have_the_numbers_of_many_to_the_last_bit():
    rng = np.random.default_rng(0)
    total, seen, unseen = rng.gamma(0.3, 10, size=(3, 5000))
    unseen[::7], total[::11], seen[::11] = 0, 0, 0
    for one_smoother in (AddConstant(0.5), AddConstant(0), AbsoluteDiscount(0.75)):
        how = one_smoother.added_and_taken
        many = coefficients_of_vectors(*how, total, seen, unseen)
        few = coefficients_of_vectors(*how, total[:-1], seen[:-1], unseen[:-1])
        for one, other in zip(many, few, strict=True):
            assert one[:-1].tobytes() == other.tobytes()
    none = coefficients_of_vectors(*how, *np.empty((3, 0)))
    assert [part.shape for part in none] == [(0,)] * 3


def test_a_first_small_fit_loads_no_compiled_loop():
    program = (
        "from condprob import fit; from condprob.methods import smoothing; "
        "fit([('ann', 'tea'), ('bob', 'milk')], method='kn'); "
        "print(smoothing.coefficients.signatures)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("[]\n", "")


@pytest.mark.parametrize("how", [(0.5, 0.0), (0.0, 0.75), (0.0, 0.0)])
def test_coefficients_of_many_vectors_are_those_of_each_to_the_bit(how):
    """The edges are among them: no counts, every outcome seen, and a sum that overflows."""
    rng = np.random.default_rng(1)
    sums = rng.random((3, 200)) * 10.0 ** rng.integers(-12, 12, (3, 200))
    edges = [(0, 0, 5), (3, 2, 0), (3, 2, 9e-10), (3, 2, 1e-9), (1e308, 1e308, 1e-9)]
    sums = np.hstack([sums, np.array(edges, dtype=float).T])
    plain = plain_coefficients
    expected = np.array([plain(*how, *map(float, each)) for each in sums.T]).T
    for found, wanted in zip(coefficients_of_vectors(*how, *sums), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
