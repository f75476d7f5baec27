"""Structural learning as a conditional model: its regressions, its softmax, its gain."""

import numpy as np
import pytest

from condprob import CountMatrix, cross_entropy, method
from condprob.methods import softmax
from condprob.methods.direct import unigram
from condprob.methods.softmax import fit_outcomes, softmax_loss
from condprob.methods.survey.aso import auxiliary_weights, embed_by_structure
from condprob.methods.survey.structure import LeastSquares

RNG = np.random.default_rng(3)
LAW = RNG.dirichlet(np.full(24, 0.3), size=4)[RNG.integers(4, size=40)]
C = np.array(
    [RNG.multinomial(size, row) for size, row in zip(RNG.integers(0, 25, 40), LAW, strict=True)]
)
C[5], C[:, 9] = 0, 0  # a context and an outcome never seen
COUNTS = CountMatrix.from_dense(C)


def test_the_weights_are_those_of_ridge_regressions_on_one_hot_contexts():
    n, strength, problems = COUNTS.n, 3.0, 6
    common = np.argsort(-C.sum(axis=0), kind="stable")[:problems]
    context, outcome = (
        np.repeat(part, COUNTS.values) for part in (COUNTS.contexts, COUNTS.outcomes)
    )
    one_hot = np.eye(40)[context]
    X = np.column_stack([one_hot, np.ones(n)])
    Y = (outcome[:, None] == common).astype(float)
    expected = LeastSquares(X, Y, np.append(np.full(40, strength / n), 0.0)).weights()
    found = auxiliary_weights(COUNTS, problems, strength)
    np.testing.assert_allclose(found, expected[:40], atol=1e-12)
    above = auxiliary_weights(COUNTS, problems, strength, "zero")
    np.testing.assert_allclose(above.toarray(), np.maximum(expected[:40], 0), atol=1e-12)


def test_the_softmax_is_at_its_minimum_though_the_alike_are_one(monkeypatch):
    monkeypatch.setattr(softmax, "LOSS_TOLERANCE", 1e-14)
    base, ridge = unigram(COUNTS, 0.75), 1e-3
    left = np.round(RNG.normal(size=(40, 3)), 1)
    left[20:] = left[:20]  # contexts that are alike
    found = fit_outcomes(COUNTS, left, base, ridge, 500)
    assert found.converged
    both = np.column_stack([left, np.ones(40)])
    loss = softmax_loss(COUNTS, both, np.vstack([found.psi, np.log(base)]))
    np.testing.assert_allclose(loss.right[:-1] + ridge * found.psi, 0, atol=1e-6)
    again = fit_outcomes(COUNTS, left, base, ridge, 1, found.psi)
    np.testing.assert_allclose(again.psi, found.psi, atol=1e-6)
    none = fit_outcomes(COUNTS, left, base, 1e9, 500)
    np.testing.assert_allclose(none.psi, 0, atol=1e-6)


def test_contexts_never_seen_have_no_point_and_the_fit_beats_the_unigram():
    test = CountMatrix.from_dense([RNG.multinomial(40, row) for row in LAW])
    points = embed_by_structure(method("aso", rank=3), COUNTS)
    assert points.shape == (40, 3)
    assert not points[5].any()
    assert np.mean(points[COUNTS.seen_contexts] ** 2) == pytest.approx(1)
    fit = method("aso", rank=4, strength=1.0).fit(COUNTS, seed=1)
    assert 0 < fit.weight < 1
    one = method("aso", rank=4, strength=1.0, weight=1.0).fit(COUNTS)
    np.testing.assert_allclose(one.dense(), np.tile(unigram(COUNTS, 0.75), (40, 1)), rtol=1e-12)
    assert cross_entropy(test, fit) < cross_entropy(test, one) - 0.3
    assert cross_entropy(test, fit) < cross_entropy(test, method("ad").fit(COUNTS))
