"""Tempered EM of the aggregate model: the slow formula, and EM itself at temperature one."""

import numpy as np
from inputs import random_counts, random_start

from condprob import method
from condprob.methods import em
from condprob.methods.em import Problem
from condprob.methods.survey.tempering import Tempered
from condprob.run import Run

COUNTS = random_counts(3, 12, 80)
START = random_start(4, 12, 3)
SEEN = COUNTS.seen_contexts, COUNTS.seen_outcomes
AMONG = COUNTS.sparse()[SEEN[0]][:, SEEN[1]]


def iterate(temperature, iterations, W=START[0][SEEN[0]], H=START[1][:, SEEN[1]].T, tol=None):
    W, H = W.copy(), H.copy()
    engine = Tempered(Problem.of_counts(COUNTS), W, H, temperature)
    return W, H, em.iterate(engine, Run(), iterations, tol, history=True)


def test_at_temperature_one_it_is_em():
    W, H, found = iterate(1.0, 9)
    fit = method("lr", rank=3, iterations=9, initial=START, history=True).fit(COUNTS)
    np.testing.assert_allclose(W, fit.W[SEEN[0]], rtol=1e-9)
    np.testing.assert_allclose(H.T, fit.H[:, SEEN[1]], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.objective / COUNTS.n, fit.history, rtol=1e-9)
    short = iterate(1.0, 300, tol=1e-3)[2]
    assert short.converged
    changes = abs(np.diff(short.objective)) / COUNTS.n  # the one after shows that it settled
    assert changes[-2] < 1e-3 <= changes[:-2].min()


def test_below_one_it_is_the_slow_formula():
    C, W, H = AMONG.toarray(), START[0][SEEN[0]], START[1][:, SEEN[1]]
    for _ in range(3):
        powers = np.einsum("il,lj->ijl", W, H) ** 0.6
        soft = C[:, :, None] * powers / powers.sum(axis=2, keepdims=True)
        W = soft.sum(axis=1) / soft.sum(axis=(1, 2))[:, None]
        H = (soft.sum(axis=0) / soft.sum(axis=(0, 1))).T
    found = iterate(0.6, 3)
    np.testing.assert_allclose(found[0], W)
    np.testing.assert_allclose(found[1].T, H)


def test_classes_that_die_leave_distributions():
    start = np.eye(3)[[0] * SEEN[0].size], START[1][:, SEEN[1]].T
    W, H, _ = iterate(1.0, 1, *start)
    np.testing.assert_allclose(W, start[0])
    np.testing.assert_allclose(H.sum(axis=0), 1)
