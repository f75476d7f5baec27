"""Kneser-Ney and AD-LR together: the parts, and the likeliest weights; Good-Turing by hand."""

import numpy as np
import pytest
from inputs import random_counts
from scipy.optimize import minimize_scalar

from condprob import method
from condprob.models.rivals.kn_ad_lr import move_to_unseen
from condprob.models.rivals.learning import deal_out
from condprob.pitman_yor.novelty import RowsOfFactors, bin_of
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


MANY = random_counts(5, 30, 500)
OPTIONS = {"rank": 3, "discount": 0.8, "starts": 2, "iterations": 6}


def best_weight(kn, low_rank, counts, prior):
    """Return the weight of AD-LR under which pairs and pseudo-pairs are likeliest."""

    def loss(w):
        return -(counts @ np.log((1 - w) * kn + w * low_rank) + prior @ np.log([1 - w, w]))

    return minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-9}).x


def fit_parts(counts, seeds):
    """Return Kneser-Ney and the mean of AD-LR."""
    ad_lr = method("ad-lr", rank=3, iterations=6, discount=0.8)
    low_rank = np.mean([ad_lr.fit(counts, int(seed)).dense() for seed in seeds], axis=0)
    return method("kn", discount="modified").fit(counts).dense(), low_rank


def test_weights_by_bins_are_the_likeliest():
    rng = np.random.default_rng(7)
    folds = []
    for rest, held_out in deal_out(MANY, rng)[:2]:
        pairs = held_out.contexts, held_out.outcomes
        parts = [part[pairs] for part in fit_parts(rest, rng.integers(2**63, size=2))]
        folds.append([*parts, held_out.values, bin_of(rest.row_sums[held_out.contexts])])
    kn, low_rank, values, bins = map(np.concatenate, zip(*folds, strict=True))
    of_all = best_weight(kn, low_rank, values, np.array([0.5, 0.5]))
    weights = np.full(7, of_all)
    for bin in np.unique(bins):
        inside = bins == bin
        prior = 50 * np.array([1 - of_all, of_all])
        weights[bin] = best_weight(kn[inside], low_rank[inside], values[inside], prior)
    parts = fit_parts(MANY, rng.integers(2**63, size=2))
    w = weights[bin_of(MANY.row_sums)][:, None]
    expected = (1 - w) * parts[0] + w * parts[1]
    plain, moved = (
        method("kn-ad-lr-bins", **OPTIONS, novelty=novelty).fit(MANY, 7)
        for novelty in ("none", "good-turing")
    )
    assert plain.weights[1] == pytest.approx(of_all, abs=1e-5)
    np.testing.assert_allclose(plain.dense(), expected, rtol=1e-4)
    rows = move_to_unseen(MANY, RowsOfFactors(plain.left, plain.right, plain.sparse.values))
    expected = plain.on_pattern(MANY, *rows, weights=plain.weights).dense()
    np.testing.assert_allclose(moved.dense(), expected)
    assert plain.ended == "limit"


def test_the_rank_that_is_chosen_is_the_likeliest(monkeypatch):
    # One of two: classes that are there, or a single one, which cannot tell contexts apart.
    monkeypatch.setattr("condprob.models.rivals.kn_ad_lr.RANKS", (1, 4))
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=40)
    C = rng.poisson(np.where(labels[:, None] == rng.integers(4, size=40), 2.0, 0.05))
    options = {"discount": 0.8, "starts": 2, "iterations": 40}
    found = method("kn-ad-lr-bins", **options).fit(C, 1)
    fixed = method("kn-ad-lr-bins", rank=1, **options).fit(C, 1)
    assert found.right.shape[0] == 1 + 2 * 4
    assert found.weights[1] > fixed.weights[1]


def test_a_case_by_hand():
    C = np.array([[2, 1, 0, 0], [0, 1, 0, 0]])
    # Two pairs once, one twice: Y = 2 / (2 + 2), which is also what is taken of a one, 1 - 2 Y / 2,
    # and stands for the others. So 1 of 3 and 1/2 of 1 are freed. Distinct contexts of the outcomes
    # are 1, 2, 0, 0: one and one, Y = 1/3 is taken of each, and the 2/3 go to the two never seen.
    lower = np.array([2, 5, 1, 1]) / 9
    rows = np.array([[1.5, 0.5, 0, 0], [0, 0.5, 0, 0]]) / [[3], [1]]
    rows += np.array([[1 / 3], [1 / 2]]) * lower
    # Of three distinct pairs one is an outcome's only one: a share of 1 / (3 + 1), in the one bin
    # there is (1 + 50 / 4) / (3 + 50). The rows have 2/27 and 1/9, by tokens (3 * 2/27 + 1/9) / 4.
    wanted, given = 13.5 / 53, 1 / 12
    novel = (wanted - given) / (1 - given)
    expected = (1 - novel) * rows + novel * np.array([0, 0, 0.5, 0.5])
    np.testing.assert_allclose(method("kn-gt").fit(C).dense(), expected)


def test_where_every_outcome_was_seen_it_is_kneser_ney():
    C = np.array([[2, 1], [0, 1]])
    expected = method("kn", discount=0.4).fit(C).dense()
    np.testing.assert_array_equal(method("kn-gt", discount=0.4).fit(C).dense(), expected)
