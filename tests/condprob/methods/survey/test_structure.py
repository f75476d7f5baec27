"""Structural learning: the SVD among random subspaces, predictors by equations and by descent."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.sparse import csr_array

from condprob.methods.survey.structure import (
    LeastSquares,
    fit_predictors,
    joint_risk,
    learn_structure,
    shared_subspace,
)

RNG = np.random.default_rng(11)
FEATURES, SHARED = 30, 2
SPACE = np.linalg.qr(RNG.normal(size=(FEATURES, SHARED)))[0].T  # what all true predictors share


def draw_problems(n, problems):
    """Labels of predictors in the shared space, with noise."""
    rng = np.random.default_rng([n, problems])  # whatever other tests have drawn
    X = rng.normal(size=(n, FEATURES))
    scores = X @ SPACE.T @ rng.normal(size=(SHARED, problems))
    return X, np.where(scores + 0.3 * rng.normal(size=scores.shape) > 0, 1.0, -1.0)


def test_no_random_subspace_is_as_near_to_the_weights_as_the_svd():
    U = RNG.normal(size=(9, 5)) @ RNG.normal(size=(5, 7))
    for weights in (U, U.T, csr_array(np.where(U > 1, U, 0))):
        dense = weights if isinstance(weights, np.ndarray) else weights.toarray()
        phi = shared_subspace(weights, 2)

        def lost(phi, dense=dense):
            return ((dense - phi.T @ (phi @ dense)) ** 2).sum()

        drawn = [np.linalg.qr(RNG.normal(size=(len(dense), 2)))[0].T for _ in range(2000)]
        assert lost(phi) <= min(map(lost, drawn))
        dropped = (np.linalg.svd(dense, compute_uv=False)[2:] ** 2).sum()
        assert lost(phi) == pytest.approx(dropped, rel=1e-9)
        np.testing.assert_allclose(phi @ phi.T, np.eye(2), atol=1e-12)
    assert shared_subspace(U, 8).shape == (5, 9)  # of as many directions as there are
    assert shared_subspace(np.zeros((4, 3)), 2).shape == (0, 4)


def test_least_squares_are_flat_and_scikit_learn_finds_the_same_huber_predictor():
    X, Y = draw_problems(60, 2)
    ridge, towards = np.full(FEATURES, 0.05), RNG.normal(size=(FEATURES, 2))
    system = LeastSquares(csr_array(X), csr_array(Y), ridge)
    U = system.weights(towards)
    slopes = X.T @ (X @ U - Y) / len(X) + ridge[:, None] * (U - towards)
    np.testing.assert_allclose(slopes, 0, atol=1e-12)
    # An oracle for the loss: scikit-learn's stochastic gradients come near the same minimum.
    from sklearn.linear_model import SGDClassifier

    ours, converged = fit_predictors(X, Y[:, :1], ridge)
    assert converged
    assert not fit_predictors(X, Y[:, :1], ridge, iterations=2).converged
    sgd = SGDClassifier(
        "modified_huber",
        alpha=0.1,
        fit_intercept=False,
        average=15000,
        max_iter=500,
        tol=None,
        random_state=0,
    )
    theirs = sgd.fit(X, Y[:, 0]).coef_.T  # its penalty is alpha / 2
    least, near = (joint_risk(U, X, Y[:, :1], ridge)[0] for U in (ours, theirs))
    assert least <= near <= 1.01 * least


def test_the_shared_space_is_found_and_helps_a_problem_of_few_labels():
    X, Y = draw_problems(400, 40)
    ridge = np.full(FEATURES, 0.05)

    system = LeastSquares(X, Y, ridge)

    def fit(towards):
        return system.weights(0.0 if towards is None else towards)

    def risk(U, towards):
        squares = ((X @ U - Y) ** 2).sum() / len(X)
        return squares + (ridge[:, None] * (U - towards) ** 2).sum()

    types, angles, risks = [np.arange(FEATURES)], [], []
    for passes in (1, 2, 3):
        basis = learn_structure(fit, types, SHARED, negatives="kept", passes=passes)
        angles.append(np.degrees(subspace_angles(basis, SPACE.T)).max())
        # The joint risk at its least for this space; each pass may only lower it.
        U = fit(basis @ (basis.T @ fit(None)))
        for _ in range(5):
            U = fit(basis @ (basis.T @ U))
        risks.append(risk(U, basis @ (basis.T @ U)))
    assert max(angles) < 10
    assert risks[2] <= risks[1] + 1e-6 <= risks[0] + 2e-6
    X, Y = draw_problems(2025, 30)
    few, labels, unseen, truth = X[:25], Y[:25], X[25:], Y[25:]
    alone = fit_predictors(few, labels, ridge).U
    few, unseen = (np.hstack([part, part @ basis]) for part in (few, unseen))
    helped = fit_predictors(few, labels, np.repeat([0.05, 0.0], [FEATURES, SHARED])).U
    right = [
        np.mean(np.sign(seen @ weights) == truth)
        for seen, weights in ((X[25:], alone), (unseen, helped))
    ]
    assert right[1] > right[0] + 0.1
