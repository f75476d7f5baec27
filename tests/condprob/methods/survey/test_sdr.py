"""SDR: gradients by differences, dense references by scipy, and what holds at the optimum."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp

from condprob import CountMatrix, embed, load, method
from condprob.methods.choice import choose
from condprob.methods.direct import unigram

RNG = np.random.default_rng(11)
# Two contexts alike, two outcomes alike, a context and two outcomes never seen.
C = RNG.poisson(1.5, (8, 9)) * (RNG.random((8, 9)) < 0.7)
C[3], C[:, 5], C[6], C[:, [2, 7]] = C[1], C[:, 0], 0, 0
SPARSE = CountMatrix.from_dense(C)
POSITIVE = CountMatrix.from_dense(1 + RNG.poisson(4, (5, 4)))
EXACT = {"tol": 1e-15, "iterations": 5000, "weight": 0.0}


def dense_loss(C, phi, psi, B, ridge, centre=None):
    """The objective over all contexts and outcomes, straight from the formula; nats."""
    logs = log_softmax(phi @ psi.T + B, axis=1)
    squares = (phi**2).sum() + (psi**2).sum()
    squares += 0 if centre is None else ((B - centre) ** 2).sum()
    return -(C * logs).sum() + ridge / 2 * squares


def best_of_starts(loss, size, starts=2):
    """The least of a function that scipy finds from random starts, by its own differences."""
    found = [minimize(loss, RNG.normal(size=size), options={"gtol": 1e-7}) for _ in range(starts)]
    return min(each.fun for each in found)


def test_the_minimum_is_that_of_a_softmax_by_scipy():
    ridge, rank, centre = 0.8, 2, np.log(unigram(SPARSE, 0.75))
    for id, counts, around in (("sdr", C[:, C.any(axis=0)], None), ("sdr-conditional", C, centre)):
        fit = method(id, rank=rank, ridge=ridge, **EXACT).fit(SPARSE)
        used = C.any(axis=0) if id == "sdr" else slice(None)
        left, right = fit.left, fit.right[:, used]
        ours = dense_loss(counts, left[:, :-1], right[:-1].T, right[-1], ridge, around)
        rows, columns = counts.shape
        sizes = np.cumsum([rows * rank, columns * rank])

        def loss(x, counts=counts, around=around, sizes=sizes):
            phi, psi, B = np.split(x, sizes)
            factors = phi.reshape(-1, rank), psi.reshape(-1, rank), B
            return dense_loss(counts, *factors, ridge, around)

        assert ours == pytest.approx(best_of_starts(loss, sizes[-1] + columns), abs=1e-5)
        assert not left[6, :-1].any()  # never seen: its row is that of the biases
        assert (fit.ended, fit.penalty) == ("settled", ridge)
        of_unseen = fit.dense()[:, ~C.any(axis=0)]
        assert (of_unseen < 1e-200).all() if id == "sdr" else (of_unseen > 1e-3).all()


def test_the_joint_model_and_its_rows_have_one_maximum():
    """With free biases of contexts: less the entropy of contexts they are the same number."""
    P, n = POSITIVE.dense() / POSITIVE.n, POSITIVE.n
    ridge, rank = 0.5, 1

    def joint(x):
        phi, psi, A, B = np.split(x, [5, 9, 14])
        scores = np.outer(phi, psi) + A[:, None] + B
        squares = (phi**2).sum() + (psi**2).sum()
        return logsumexp(scores) - (P * scores).sum() + ridge / 2 / n * squares

    fit = method("sdr", rank=rank, ridge=ridge, **EXACT).fit(POSITIVE)
    factors = fit.left[:, :-1], fit.right[:-1].T, fit.right[-1]
    of_rows = dense_loss(POSITIVE.dense(), *factors, ridge) / n
    of_contexts = P.sum(axis=1)
    entropy = -(of_contexts * np.log(of_contexts)).sum()
    assert of_rows + entropy == pytest.approx(best_of_starts(joint, 18), abs=1e-8)


def test_alternating_projection_ends_where_gradients_do():
    """Tables with and without zeros, of alike rows and columns: one objective and one optimum."""
    for counts, rank, ridge in ((SPARSE, 2, 0.8), (POSITIVE, 1, 0.5)):
        how = {"rank": rank, "ridge": ridge, "weight": 0.0, "tol": 1e-13, "iterations": 5000}
        gradient, projection = (
            method("sdr", algorithm=each, **how).fit_scores(counts, ridge)
            for each in ("gradient", "projection")
        )
        assert projection[1].ended == "settled"
        assert (np.diff(projection[1].history) < 1e-12).all()  # no projection raises the objective
        ends = [found.history[-1] for _, found in (gradient, projection)]
        assert ends[1] == pytest.approx(ends[0], abs=1e-8)
        start = [found.history[0] for _, found in (gradient, projection)]
        assert start[1] == pytest.approx(start[0], rel=1e-12)
        np.testing.assert_allclose(gradient[0].dense(), projection[0].dense(), atol=1e-4)


@pytest.fixture(scope="module")
def optimum():
    """Rank one and hardly a ridge: the empirical joint distribution, the model's, and phi."""
    fit = method("sdr", rank=1, ridge=1e-9, **EXACT).fit(POSITIVE)
    P = POSITIVE.dense() / POSITIVE.n
    return P, P.sum(axis=1, keepdims=True) * fit.dense(), fit.left[:, 0]


def test_marginals_and_the_means_of_phi_are_those_of_the_pairs(optimum):
    P, fitted, phi = optimum
    np.testing.assert_allclose(fitted.sum(axis=0), P.sum(axis=0), atol=1e-7)
    means = (phi @ fitted) / fitted.sum(axis=0)
    np.testing.assert_allclose(means, (phi @ P) / P.sum(axis=0), atol=1e-5)
    # The information that phi measures, by either mean (SDR's Definition 1).
    ratio = np.log(fitted / np.outer(P.sum(axis=1), P.sum(axis=0)))
    assert (fitted * ratio).sum() == pytest.approx((P * ratio).sum(), abs=1e-6)


def test_the_ridge_is_the_one_that_held_out_pairs_like_best(tmp_path, monkeypatch):
    law = RNG.dirichlet(np.full(12, 0.2), 3)[RNG.integers(3, size=25)]
    counts = CountMatrix.from_dense([RNG.multinomial(12, row) for row in law])
    options = {"rank": 2, "iterations": 300, "tol": 1e-9}
    ridges = (30.0, 3.0, 0.3, 0.003)
    monkeypatch.setattr("condprob.methods.survey.sdr.RIDGES", ridges)
    fit = method("sdr-conditional", **options).fit(counts, seed=4)
    losses = {}
    for ridge in ridges:  # each from a start of its own

        def alone(these, _, ridge=ridge):
            return method("sdr-conditional", ridge=ridge, weight=0.0, **options).fit(these)

        losses[ridge] = choose([None], alone, counts, method("sdr-conditional"), 4).nats
    best = next(r for r, s in pairwise(ridges) if losses[s] >= losses[r])
    assert 0.003 < best < 30
    assert fit.penalty == best
    fit.save(tmp_path / "fit.npz")
    again = load(tmp_path / "fit.npz")
    assert (again.penalty, again.ended) == (best, fit.ended)
    # Contexts of one law are nearer to each other than to others.
    vectors = embed(fit).vectors
    assert vectors.shape == (25, 2)
    same = (law[:, None] == law).all(axis=2)
    cosines = embed(fit).cosines(range(25), range(25))
    assert cosines[same].mean() > cosines[~same].mean() + 0.5
