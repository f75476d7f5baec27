"""Shares of a mixture by Newton's method, against slow EM and cases by hand."""

import numpy as np
import pytest
import reference

from reproduction.studies.beyond.rivals.shares import MixedPairs, fit_shares

EQUAL = np.full(3, 1 / 3)


def draw_pairs(seed, n=200):
    rng = np.random.default_rng(seed)
    sparse, left, counts = rng.uniform(0, 0.1, n), rng.uniform(0.2, 1, n), rng.integers(1, 9, n)
    bases = rng.dirichlet(np.full(n, 0.3), 3)
    return MixedPairs(sparse * rng.integers(2, size=n), left, bases, counts.astype(float))


def log_likelihood(pairs, shares):
    return pairs.counts @ np.log(pairs.sparse + pairs.left * (shares @ pairs.bases))


@pytest.mark.parametrize("seed", range(5))
def test_they_are_where_slow_em_stays(seed):
    pairs, prior = draw_pairs(seed), np.array([3.0, 1.0, 0.5])
    shares, likelihood = fit_shares(pairs, EQUAL, prior)
    given = pairs.sparse, pairs.left, pairs.bases.T, pairs.counts, prior
    np.testing.assert_allclose(reference.mix_shares(*given, 1, shares), shares, atol=1e-6)
    assert likelihood == pytest.approx(log_likelihood(pairs, shares), rel=1e-12)
    for other in np.random.default_rng(1).dirichlet(np.ones(3), 50):
        reached = log_likelihood(pairs, other) + prior @ np.log(other)
        assert reached < likelihood + prior @ np.log(shares)


def test_where_each_pair_has_one_component_they_are_the_counts_and_pseudo_pairs():
    # 3 + 1 of component 0, 1 + 1 of component 1, 0 + 2 of component 2: of 8 in all.
    pairs = MixedPairs(np.zeros(2), np.ones(2), np.eye(3)[:, :2].copy(), np.array([3.0, 1.0]))
    shares, _ = fit_shares(pairs, EQUAL, np.array([1.0, 1.0, 2.0]))
    np.testing.assert_allclose(shares, [1 / 2, 1 / 4, 1 / 4], atol=1e-6)


def test_a_share_of_zero_stays_and_the_others_are_as_if_it_were_not_there():
    pairs, prior = draw_pairs(1), np.ones(3)
    shares, likelihood = fit_shares(pairs, np.array([0.5, 0.0, 0.5]), prior)
    two = pairs._replace(bases=pairs.bases[[0, 2]])
    expected, of_two = fit_shares(two, np.full(2, 0.5), prior[:2])
    assert shares[1] == 0
    np.testing.assert_allclose(shares[[0, 2]], expected)
    assert likelihood == of_two


def test_a_pair_that_is_impossible_leaves_the_shares_as_they_were():
    pairs = MixedPairs(np.zeros(1), np.ones(1), np.zeros((3, 1)), np.ones(1))
    shares, likelihood = fit_shares(pairs, EQUAL, np.ones(3))
    assert likelihood == -np.inf
    np.testing.assert_array_equal(shares, EQUAL)


def test_some_of_the_pairs_are_those_of_a_mask():
    pairs = draw_pairs(2)
    inside = np.arange(200) % 3 == 0
    part = pairs.where(inside)
    for found, whole in zip(part, pairs, strict=True):
        np.testing.assert_array_equal(found, whole[..., inside])
