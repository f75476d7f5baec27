"""Mixtures of methods: what they are made of, and how their weights are learned."""

import numpy as np
import pytest
from inputs import EDGES, random_counts

from condprob import cross_entropy, method
from condprob.models.rivals.kn_ad_lr import learn_weights
from condprob.splits import hold_out

COUNTS = random_counts(3, 20, 400)
FEW = {"rank": 3, "iterations": 20}


def test_the_mean_of_starts_is_the_mean_of_fits():
    matrix = method("ad-lr-mean", starts=3, **FEW).fit(COUNTS, seed=7)
    seeds = np.random.default_rng(7).integers(2**63, size=3)
    fits = [method("ad-lr", **FEW).fit(COUNTS, int(seed)).dense() for seed in seeds]
    np.testing.assert_allclose(matrix.dense(), np.mean(fits, axis=0), rtol=1e-12)
    assert not np.allclose(fits[0], fits[1])
    np.testing.assert_array_equal(matrix.weights, np.full(3, 1 / 3))


def test_the_mean_of_distributions_is_never_worse_than_their_mean():
    # By convexity of -log.
    test = random_counts(4, 20, 300)
    mean = method("ad-lr-mean", starts=4, **FEW).fit(COUNTS, seed=1)
    seeds = np.random.default_rng(1).integers(2**63, size=4)
    each = [cross_entropy(test, method("ad-lr", **FEW).fit(COUNTS, int(s))) for s in seeds]
    assert cross_entropy(test, mean) < np.mean(each)


@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_a_given_weight_mixes_kneser_ney_with_ad_lr(weight):
    matrix = method("kn-ad-lr", weight=weight, discount=0.6, **FEW).fit(COUNTS, seed=5)
    start = int(np.random.default_rng(5).integers(2**63, size=2)[1])
    kn = method("kn", discount=0.6).fit(COUNTS).dense()
    ad_lr = method("ad-lr", discount=0.6, **FEW).fit(COUNTS, start).dense()
    np.testing.assert_allclose(matrix.dense(), (1 - weight) * kn + weight * ad_lr, rtol=1e-12)


def test_a_learned_weight_is_best_on_what_was_held_out():
    matrix = method("kn-ad-lr", **FEW).fit(COUNTS, seed=5)
    held_out_seed, start = map(int, np.random.default_rng(5).integers(2**63, size=2))
    rest, held_out = hold_out(COUNTS, 0.1, held_out_seed)
    parts = method("kn").fit(rest), method("ad-lr", **FEW).fit(rest, start)
    kn, ad_lr = (part.at(held_out.contexts, held_out.outcomes) for part in parts)
    grid = np.linspace(0, 1, 2001)
    likelihood = [held_out.values @ np.log((1 - w) * kn + w * ad_lr) for w in grid]
    assert matrix.weights[1] == pytest.approx(grid[np.argmax(likelihood)], abs=1e-3)
    assert matrix.weights.sum() == pytest.approx(1)


def test_weights_by_hand():
    # Two outcomes, once each; components (1, 0) and (0, 1): the shares of the counts. (p, p) in
    # both: any weights do, and the first guess stays.
    np.testing.assert_allclose(learn_weights(np.eye(2), np.array([3, 1])), [3 / 4, 1 / 4])
    same = np.full((2, 2), 0.3)
    np.testing.assert_allclose(learn_weights(same, np.array([3, 1])), [1 / 2, 1 / 2])


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("id", ["ad-lr-mean", "kn-ad-lr"])
def test_edges(id, edge):
    matrix = method(id, rank=2, iterations=2).fit(EDGES[edge], seed=1)
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1, atol=1e-12)
