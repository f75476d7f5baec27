"""What a chain learns from its tables, against the optima of the likelihoods."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln

from condprob.pitman_yor.chain import learn_constants, learn_strength_of_classes
from condprob.pitman_yor.estimator import LIKE_CHAIN, weigh


def dirichlet_multinomial(counted, a):
    """Return the log-likelihood of rows of counts, but for a constant."""
    sums = counted.sum(axis=1)
    found = gammaln(a.sum()) - gammaln(a.sum() + sums)
    return (found + (gammaln(counted + a) - gammaln(a)).sum(axis=1)).sum()


def draw(a, rows, size, seed=1):
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(rng.integers(size), p) for p in rng.dirichlet(a, rows)])


def test_constants_of_classes_end_at_the_likeliest():
    counted = draw([0.2, 1.0, 3.0], 60, 30)
    a = np.full(3, 0.1)
    for _ in range(3000):
        a = learn_constants(counted, counted.sum(axis=1), a)
    best = minimize(
        lambda log_a: -dirichlet_multinomial(counted, np.exp(log_a)), np.zeros(3), tol=1e-10
    )
    np.testing.assert_allclose(a, np.exp(best.x), rtol=1e-3)
    empty = np.zeros((4, 3))
    np.testing.assert_array_equal(learn_constants(empty, np.zeros(4), a), a)


def test_the_strength_of_classes_ends_at_the_likeliest():
    of_classes = draw(np.full(40, 0.15), 12, 400)
    b = 1.0
    for _ in range(3000):
        b = learn_strength_of_classes(of_classes.T, of_classes.sum(axis=1), b)
    best = minimize(
        lambda log_b: -dirichlet_multinomial(of_classes, np.full(40, np.exp(log_b[0]) / 40)),
        np.zeros(1),
        tol=1e-10,
    )
    assert b == pytest.approx(np.exp(best.x[0]), rel=1e-3)
    assert learn_strength_of_classes(np.zeros((40, 2)), np.zeros(2), b) == b


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_weights_of_chains_are_the_likeliest_with_their_pseudo_tokens(scale):
    rng = np.random.default_rng(3)
    given, values = rng.dirichlet(np.full(200, 0.3), 5) + 1e-6, scale * rng.integers(1, 9, 200)

    def loss(weights):
        return -values @ np.log(weights @ given) - LIKE_CHAIN * np.log(weights).sum()

    best = minimize(
        lambda x: loss(np.exp(x) / np.exp(x).sum()) / values.sum(), np.zeros(5), tol=1e-12
    )
    found = weigh(given, values)
    assert found.sum() == pytest.approx(1)
    assert loss(found) < best.fun * values.sum() + 0.01
    np.testing.assert_allclose(found, np.exp(best.x) / np.exp(best.x).sum(), atol=2e-3)


def test_chains_that_are_alike_have_equal_weights_and_no_tokens_too():
    given = np.tile(np.random.default_rng(1).uniform(0, 1, 30), (4, 1))
    np.testing.assert_allclose(weigh(given, np.ones(30)), 1 / 4)
    np.testing.assert_allclose(weigh(np.empty((3, 0)), np.empty(0)), 1 / 3)
