"""Gibbs sampling of the aggregate model: the enumerated posterior, slow sweeps, Minka's step."""

from itertools import product

import numpy as np
from inputs import random_counts
from scipy.optimize import minimize
from scipy.special import gammaln

from condprob import CountMatrix, method
from condprob.methods.pitman_yor.chain import learn_constants
from condprob.methods.pitman_yor.novelty import bin_of
from reproduction.studies.beyond.rivals.gibbs_rows import Classes, GibbsRows, sweep

V = np.array([0.2, 0.5, 0.3])
COUNTS = CountMatrix.from_dense([[4, 1, 0], [1, 0, 2], [0, 0, 0], [0, 1, 0]])
CHAINS = 20


def enumerate_posterior(contexts, outcomes, shape, m, a, theta):
    """Return the posterior mean of ``W H``: a sum over the classes of all pairs."""
    total, mean = 0.0, np.zeros(shape)
    for z in product(range(m), repeat=len(contexts)):
        n, x = np.zeros((shape[0], m)), np.zeros((m, shape[1]))
        for i, j, l in zip(contexts, outcomes, z, strict=True):
            n[i, l] += 1
            x[l, j] += 1
        log = gammaln(n + a).sum() - gammaln(n.sum(axis=1) + m * a).sum()
        log += gammaln(x + theta * V).sum() - gammaln(x.sum(axis=1) + theta).sum()
        W = (n + a) / (n.sum(axis=1, keepdims=True) + m * a)
        H = (x + theta * V) / (x.sum(axis=1, keepdims=True) + theta)
        total += np.exp(log)
        mean += np.exp(log) * W @ H
    return mean / total


def test_without_a_discount_the_samples_are_of_the_enumerated_posterior():
    # A discount of zero is no option; one this small is the same to the precision of the test.
    base = GibbsRows(2, samples=150, burn_in=20, constant=0.6, discount=1e-12, strength=1.5)
    chains = [
        np.mean([W @ H for W, H, _ in base.run(COUNTS, V, np.random.default_rng(seed))], axis=0)
        for seed in range(CHAINS)
    ]
    pairs = COUNTS.contexts, COUNTS.outcomes
    expected = enumerate_posterior(*pairs, COUNTS.shape, 2, 0.6, 1.5)
    error = np.std(chains, axis=0, ddof=1) / CHAINS**0.5
    assert 0 < error.max() < 0.01
    assert (abs(np.mean(chains, axis=0) - expected) <= 5 * error + 1e-12).all()


def sweep_slowly(pairs, z, a, d, theta, v, rng):
    """Draw the class of each pair in turn, counting all others anew; return its log-likelihood."""
    (contexts, outcomes), log_likelihood = pairs, 0.0
    for p, (i, j) in enumerate(zip(contexts, outcomes, strict=True)):
        z[p] = None
        weights = []
        for l in range(a.size):
            mine = [q for q in range(len(z)) if z[q] == l]
            same = sum(outcomes[q] == j for q in mine)
            distinct = len({outcomes[q] for q in mine})
            given = v[j]
            if mine:
                given = max(same - d, 0) + (theta + d * distinct) * v[j]
                given /= theta + len(mine)
            weights.append((sum(contexts[q] == i for q in mine) + a[l]) * given)
        uniform = rng.random() * sum(weights)
        z[p] = int(np.searchsorted(np.cumsum(weights), uniform, side="right"))
        others = sum(contexts[q] == i and z[q] is not None for q in range(len(z)) if q != p)
        log_likelihood += np.log(sum(weights) / (others + a.sum()))
    return log_likelihood


def test_sweeps_with_a_discount_are_the_slow_ones():
    counts, a, d, theta = random_counts(3, 8, 60), np.array([0.2, 1.0, 0.5]), 0.7, 0.3
    v, pairs = (
        np.full(8, 1 / 8),
        (counts.contexts.astype(np.int64), counts.outcomes.astype(np.int64)),
    )
    classes, z = Classes.empty(counts, 3), [None] * counts.nnz
    fast, slow = np.random.default_rng(5), np.random.default_rng(5)
    for _ in range(4):
        found = sweep(*pairs, classes, a, d, theta, v, fast)
        np.testing.assert_allclose(found, sweep_slowly(pairs, z, a, d, theta, v, slow))
        assert classes.of_pairs.tolist() == z
    for l in range(3):
        mine = classes.of_pairs == l
        assert classes.sizes[l] == mine.sum()
        assert classes.distinct[l] == len(set(counts.outcomes[mine]))


def test_weights_that_are_learned_come_to_the_likeliest():
    rng = np.random.default_rng(1)
    n = np.array([rng.multinomial(30, p) for p in rng.dirichlet([0.3, 1.0, 2.0], 200)]).astype(
        float
    )
    a = np.full(3, 0.1)
    for _ in range(300):
        a = learn_constants(n, n.sum(axis=1), a)

    def loss(logs):
        b = np.exp(logs)
        each = gammaln(n + b).sum() - len(n) * gammaln(b).sum()
        return -(each + len(n) * gammaln(b.sum()) - gammaln(n.sum(axis=1) + b.sum()).sum())

    best = minimize(loss, np.zeros(3), method="BFGS").x
    np.testing.assert_allclose(a, np.exp(best), rtol=1e-3)


def test_a_base_that_knows_the_classes_gets_its_share():
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=60)
    C = rng.poisson(np.where(labels[:, None] == rng.integers(4, size=60), 0.5, 0.01))
    counts = CountMatrix.from_dense(C)
    matrix = method("gibbs-rows", classes=4, starts=1, samples=2, burn_in=40).fit(counts, 1)
    # The classes of two samples are the first columns, the backgrounds the next three.
    often = bin_of(counts.row_sums) >= 2
    of_classes, of_backgrounds = matrix.left[often, :8].sum(), matrix.left[often, 8:11].sum()
    assert of_classes > 0.7 * (of_classes + of_backgrounds)
    assert matrix.ended == "limit"
