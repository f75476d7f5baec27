"""Kneser-Ney and a mean of AD-LR together: the likeliest weights of bins, and rank."""

import numpy as np
import pytest
from inputs import random_counts
from scipy.optimize import minimize_scalar

from condprob import method
from condprob.methods.pitman_yor.novelty import bin_of
from reproduction.studies.beyond.rivals.kn_ad_lr import move_to_unseen
from reproduction.studies.beyond.rivals.learning import deal_out
from reproduction.studies.beyond.rivals.novelty import RowsOfFactors

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
    monkeypatch.setattr("reproduction.studies.beyond.rivals.kn_ad_lr.RANKS", (1, 4))
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=40)
    C = rng.poisson(np.where(labels[:, None] == rng.integers(4, size=40), 2.0, 0.05))
    options = {"discount": 0.8, "starts": 2, "iterations": 40}
    found = method("kn-ad-lr-bins", **options).fit(C, 1)
    fixed = method("kn-ad-lr-bins", rank=1, **options).fit(C, 1)
    assert found.right.shape[0] == 1 + 2 * 4
    assert found.weights[1] > fixed.weights[1]
