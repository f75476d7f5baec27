"""Logarithms by vectors, against the standard library's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condprob.jit import SMALLEST, log, sum_of_logs, weighted_logs


@given(st.floats(min_value=SMALLEST, allow_infinity=False))
def test_log_is_the_logarithm(x):
    assert log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize(
    "x", [1.0, 0.5, 2.0, math.sqrt(0.5), np.nextafter(1, 0), np.nextafter(1, 2)]
)
def test_log_near_where_its_branches_meet(x):
    assert log(float(x)) == pytest.approx(math.log(x), rel=1e-15, abs=1e-300)


def test_sums_of_logs():
    x = np.random.default_rng(0).random((7, 5)) * 10.0 ** np.arange(-30, 5, 7)
    np.testing.assert_allclose(sum_of_logs(x), np.log(x).sum(), rtol=1e-14)
    weights = np.arange(35.0)
    np.testing.assert_allclose(weighted_logs(weights, x.ravel()), weights @ np.log(x.ravel()))


@pytest.mark.parametrize("wrong", [0.0, math.nan, -1.0])
def test_what_has_no_logarithm_matters_where_it_has_weight(wrong):
    x = np.array([0.5, wrong])
    assert weighted_logs(np.array([1.0, 2.0]), x) == -math.inf
    if wrong == 0:
        assert weighted_logs(np.array([1.0, 0.0]), x) == pytest.approx(math.log(0.5))
