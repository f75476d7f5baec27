"""The estimators of models/since against optimum conditions, EM, exact counts and hand cases."""

import numpy as np
import pytest
from inputs import random_counts
from scipy.optimize import brentq

from condprob import CountMatrix, draw_model, method, sample_counts
from condprob.models.since.good_turing import LEVELS, MEANS, POISSON, empirical_bayes, learn_priors
from condprob.models.since.nuclear import STEP, iterate, largest_penalty, start


def fit(id, counts, **options):
    """Fit without a share of the unigram distribution, as the publications have it."""
    return method(id, weight=0, **options).fit(CountMatrix.from_dense(counts)).dense()


def log_loss(counts, Q):
    seen = counts > 0
    return -(counts[seen] * np.log(Q[seen])).sum() / counts.sum()


def lower_bound(counts, Z):
    """The least ``-(1/n) sum C log p + <Z, p>`` over rows of distributions, one row at a time.

    ``p_j = w_j / (z_j + t)``. Where even the least ``t`` leaves mass, it goes to the least ``z_j``.
    """
    total = 0.0
    for w, z in zip(counts / counts.sum(), Z, strict=True):
        seen, least = w > 0, -z.min()

        def excess(t, w=w, z=z, seen=seen):
            return (w[seen] / (z[seen] + t)).sum() - 1

        low = max(least, -z[seen].min() + 1e-12)
        t = low if excess(low) < 0 else brentq(excess, low, low + 10, xtol=1e-14)
        p = np.where(seen, w / np.where(seen, z + t, 1), 0)
        total += -(w[seen] * np.log(p[seen])).sum() + z @ p + max(1 - p.sum(), 0) * z.min()
    return total


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_nuclear_norm_is_at_its_minimum(share):
    """Duality: for any Z of a spectral norm up to the penalty the bound is below the minimum."""
    counts = random_counts(3, k=12, n=200).dense()
    counts = counts[counts.any(axis=1)][:, counts.any(axis=0)].astype(float)
    penalty = share * largest_penalty(counts)
    state = iterate(counts, start(counts), penalty, 0.0, 1000)
    Z = STEP * state.Y
    Z *= min(1.0, penalty / np.linalg.norm(Z, 2))
    objective = log_loss(counts, state.P) + penalty * np.linalg.norm(state.P, "nuc")
    assert 0 <= objective - lower_bound(counts, Z) < 1e-6


def test_without_a_penalty_the_rows_are_relative_frequencies():
    counts = random_counts(3, k=8, n=300).dense() + np.eye(8, dtype=int)
    Q = fit("nuclear-ml", counts, penalty=1e-9, iterations=2000)
    np.testing.assert_allclose(Q, counts / counts.sum(axis=1, keepdims=True), atol=1e-5)


def test_a_rank_of_one_is_the_unigram_distribution():
    counts = random_counts(3, k=8, n=300).dense() + np.eye(8, dtype=int)
    Q = fit("rank-ml", counts, rank=1, iterations=50)
    np.testing.assert_allclose(Q, np.tile(counts.sum(axis=0) / counts.sum(), (8, 1)), atol=2e-3)


def test_a_rank_of_two_is_as_likely_as_the_best_of_em():
    """A non-negative matrix of rank two has non-negative factors: EM has the same minimum."""
    counts = sample_counts(draw_model(20, 2, seed=1), 4000, 1)
    em = [method("lr", rank=2, iterations=2000).fit(counts, seed).dense() for seed in range(5)]
    Q = fit("rank-ml", counts.dense(), rank=2, iterations=20)
    best = min(log_loss(counts.dense(), each) for each in em)
    assert abs(log_loss(counts.dense(), Q) - best) < 5e-4
    assert np.linalg.svd(Q)[1][2] < 1e-3


def test_the_unbiased_risk_of_relative_frequencies():
    """``d log(C_ij / C_i) / d C_ij = 1/C_ij - 1/C_i``: times C_ij they add up to pairs - rows."""
    counts = random_counts(3, k=8, n=300).dense() + np.eye(8, dtype=int)
    nuclear = method("nuclear-ml", penalty=1e-9, iterations=300, weight=0)
    found = [
        trial.unbiased
        for seed in range(40)
        for trial in nuclear.trace(CountMatrix.from_dense(counts), seed, unbiased=True)
    ]
    loss = log_loss(counts, counts / counts.sum(axis=1, keepdims=True))
    expected = loss + ((counts > 0).sum() - 8) / counts.sum()
    assert abs(np.mean(found) - expected) < 4 * np.std(found) / np.sqrt(40)
    assert np.std(found) < 0.2 * (expected - loss)


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("spectral", {"rank": 3}),
        ("spectral", {"rank": 3, "scaling": "marginals"}),
        ("blocks", {"constant": 1e-6}),
        ("aggregation", {"rank": 3}),
    ],
)
def test_exact_frequencies_are_recovered(id, options):
    """Without noise each is exact; aggregation needs an outcome of its own in each class."""
    rng = np.random.default_rng(5)
    A, B = rng.dirichlet(np.ones(3), 12), rng.dirichlet(np.ones(12), 3)
    B[:, :3] *= np.eye(3)
    B /= B.sum(axis=1, keepdims=True)
    counts = 1e4 * rng.dirichlet(np.ones(12))[:, None] * (A @ B)
    np.testing.assert_allclose(fit(id, counts, **options), A @ B, atol=1e-9)


def test_a_block_keeps_the_values_above_its_threshold():
    """Four labels of 8 pairs: one block, each value 1/4, and noise sqrt((1/4) / 32) = .0884."""
    counts = 8 * np.eye(4, dtype=int)
    np.testing.assert_allclose(fit("blocks", counts, constant=2.8), np.eye(4), atol=1e-12)
    np.testing.assert_allclose(fit("blocks", counts, constant=2.9), 0.25, atol=1e-12)


def test_blocks_are_of_labels_of_one_power_of_two():
    """Contexts of 64, 64 and 2 pairs: of the last the value 1/65 is below 2 sqrt((1/65) / 130)."""
    counts = np.array([[64, 0, 0], [0, 64, 0], [0, 0, 2]])
    Q = fit("blocks", counts, constant=2)
    np.testing.assert_allclose(Q[:2], np.eye(3)[:2], atol=1e-12)
    assert 0 < Q[2, 0] == Q[2, 1]


@pytest.mark.parametrize(
    ("row", "scores"),
    [
        # N_1 = 2, N_2 = N_4 = 0: counts stay, and two unseen have (0 + 1) (2 + 1) / 2 each.
        ([3, 1, 1, 0, 0], [3, 1, 1, 1.5, 1.5]),
        # N_2 = 3: a count of 1 becomes 2 (3 + 1) / 4; N_3 = 0: 2 stays; unseen: (4 + 1) / 2.
        ([1, 1, 1, 1, 2, 2, 2, 0, 0], [2, 2, 2, 2, 2, 2, 2, 2.5, 2.5]),
        ([4, 1], [4, 1]),
    ],
)
def test_good_turing_by_hand(row, scores):
    Q = method("good-turing-rows").fit([row, np.zeros_like(row)]).dense()
    np.testing.assert_allclose(Q, np.tile(scores, (2, 1)) / np.sum(scores), rtol=1e-12)


def test_the_prior_is_the_likeliest():
    """At the maximum no mean of the grid has a slope above zero (Lindsay 1983)."""
    N = np.bincount(np.random.default_rng(1).poisson(3, 500), minlength=LEVELS.size)[None]
    slopes = (N / (learn_priors(N) @ POISSON)) @ POISSON.T / N.sum()
    assert 1 - 1e-9 < slopes.max() < 1.01
    # All outcomes with one mean: the posterior mean is that one for every count that is frequent.
    levels = np.array([2, 3, 4])
    seen, _ = empirical_bayes(np.zeros(3, dtype=int), levels, np.array([N[0, 0]]))
    assert seen.shape == (3,)
    assert MEANS[0] < seen.min()


def test_counts_that_are_all_large_stay_as_they_are():
    Q = method("good-turing-rows", rule="empirical-bayes").fit([[100, 300], [0, 0]]).dense()
    np.testing.assert_allclose(Q, [[0.25, 0.75]] * 2, rtol=1e-12)


def test_the_fit_is_the_best_trial():
    counts = sample_counts(draw_model(30, 2, seed=1), 6000, 1)
    for id in ("spectral", "rank-ml"):
        trials = list(method(id).trace(counts, 4))
        best = min(trials, key=lambda trial: trial.held_out)
        assert best.setting == best.rank == 2
        np.testing.assert_array_equal(method(id).fit(counts, 4).dense(), best.matrix.dense())
    trials = list(method("nuclear-ml").trace(counts, 4, unbiased=True))
    best = min(trials, key=lambda trial: trial.unbiased)
    found = method("nuclear-ml", criterion="unbiased").fit(counts, 4).dense()
    np.testing.assert_array_equal(found, best.matrix.dense())
