"""The pieces of an iteration, each against its formula."""

import numpy as np
import pytest

from condprob.em.passes import (
    Smoothing,
    add_up,
    find_coefficients,
    is_penalised,
    is_settled,
    smooth,
    smooth_row,
)
from condprob.smoothing import AbsoluteDiscount, AddConstant

SMOOTHERS = [AddConstant(0.0), AddConstant(0.5), AbsoluteDiscount(0.75)]


@pytest.mark.parametrize("smoother", SMOOTHERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_soft_counts_of_h_are_added_up_and_smoothed_as_by_the_vector_smoother(threads, smoother):
    rng = np.random.default_rng(0)
    H, soft_H, outcomes = rng.random((6, 2)), 2 * rng.random((threads, 6, 2)), 9
    soft = H * soft_H.sum(axis=0)
    total, seen, unseen = np.zeros(2), np.zeros(2), np.full(2, outcomes - 6.0)
    for columns in ((0, 4), (4, 6)):
        add_up(H, soft_H, *columns, total, seen, unseen)
    np.testing.assert_allclose(H, soft)
    assert not soft_H.any()
    b, a, scale = np.empty((3, 2))
    smoothing = Smoothing.of(AddConstant(0.5), smoother)
    find_coefficients(smoothing, total, seen, unseen, b, a, scale)
    smooth(H, 0, 6, b, a, scale)
    expected = smoother(np.pad(soft.T, ((0, 0), (0, 3))))  # outcomes without a column, too
    np.testing.assert_allclose(H, expected[:, :6].T)
    np.testing.assert_allclose(a * scale, expected[:, 8])


def test_a_row_of_w_is_its_soft_counts_and_a_constant_over_their_sum():
    W = np.array([[0.25, 0.75], [0.5, 0.5]])
    soft_w = np.array([4.0, 2.0])  # times the row: 1 and 3/2
    smooth_row(W, 0, soft_w, 2.5, 0.5)
    np.testing.assert_allclose(W, [[3 / 7, 4 / 7], [0.5, 0.5]])
    smooth_row(W, 1, np.zeros(2), 0.0, 0.0)
    np.testing.assert_array_equal(W[1], [0.5, 0.5])


@pytest.mark.parametrize(
    ("of_W", "smoother", "expected"),
    [(0.5, AddConstant(0.5), True), (0.0, AddConstant(0.5), False), (0.5, SMOOTHERS[2], False)],
)
def test_the_penalty_is_that_of_constants_in_both_factors(of_W, smoother, expected):
    assert is_penalised(Smoothing.of(AddConstant(of_W), smoother)) == expected


def test_settled_is_less_than_the_tolerance_of_the_whole_objective():
    course = np.array([[-9.0, -5.0, -4.5, -np.inf, -np.inf], [0, -3.5, 0, 0, 0.0]])
    # The objective is -9, -8.5, -4.5, -inf, -inf.
    assert [bool(is_settled(*course, t, 0.6)) for t in range(5)] == [False, True, *3 * [False]]
    assert not is_settled(*course, 1, 0.5)
    assert not is_settled(*course, -1, 100.0)
