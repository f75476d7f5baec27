"""The log-loss of a softmax: the formula cell by cell, and differences."""

import numpy as np
import pytest

from condprob import CountMatrix
from condprob.methods import softmax

RNG = np.random.default_rng(5)


def test_the_loss_is_the_formula_and_its_gradient_that_of_differences(monkeypatch):
    C = RNG.poisson(0.8, (7, 5))
    C[3], C[:, 2] = 0, 0  # a context and an outcome never seen
    counts, near = CountMatrix.from_dense(C), 1e-6
    parts = [RNG.normal(size=(7, 3)), RNG.normal(size=(3, 5))]

    def slow(left, right):
        Q = np.exp(left @ right)
        Q /= Q.sum(axis=1, keepdims=True)
        return -(C * np.log(Q)).sum() / C.sum()

    whole = softmax.softmax_loss(counts, *parts)
    monkeypatch.setattr(softmax, "CELLS_AT_ONCE", 11)  # two contexts at a time
    found = softmax.softmax_loss(counts, *parts)
    assert found.value == pytest.approx(slow(*parts), rel=1e-12)
    for number, gradient in enumerate((found.left, found.right)):
        np.testing.assert_allclose(gradient, (whole.left, whole.right)[number], atol=1e-15)
        for place in np.ndindex(gradient.shape):
            ends = []
            for step in (near, -near):
                moved = [each.copy() for each in parts]
                moved[number][place] += step
                ends.append(slow(*moved))
            assert gradient[place] == pytest.approx((ends[0] - ends[1]) / (2 * near), abs=1e-9)
    assert not found.left[3].any()
    # Scores of any size: the largest of a row is taken off before the exponential.
    far = softmax.softmax_loss(counts, 1e4 * parts[0], parts[1])
    assert np.isfinite(far.value)
