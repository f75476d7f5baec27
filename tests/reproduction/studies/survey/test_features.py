"""Features of the survey's classifiers: as many numbers less give the same fits."""

import numpy as np
from scipy.sparse import csr_array

from condprob.methods.survey.structure import LeastSquares, fit_predictors, learn_structure
from reproduction.studies.survey.features import compress, cut_basis, put_beside

RNG = np.random.default_rng(11)
FEATURES, SHARED = 30, 2
SPACE = np.linalg.qr(RNG.normal(size=(FEATURES, SHARED)))[0].T  # what all true predictors share


def draw_problems(n, problems):
    """Labels of predictors in the shared space, with noise."""
    rng = np.random.default_rng([n, problems])  # whatever other tests have drawn
    X = rng.normal(size=(n, FEATURES))
    scores = X @ SPACE.T @ rng.normal(size=(SHARED, problems))
    return X, np.where(scores + 0.3 * rng.normal(size=scores.shape) > 0, 1.0, -1.0)


def test_an_infinite_ridge_is_fitting_on_the_embedding_alone():
    X, Y = draw_problems(400, 2)
    Y[::5] *= -1  # no space tells them apart: the minimum is one point
    types = np.arange(12), np.arange(12, FEATURES)
    basis = learn_structure(
        lambda _: LeastSquares(X, Y, np.full(FEATURES, 0.1)).weights(),
        types,
        2,
        negatives="kept",
    )
    embedded = X @ basis
    both = put_beside(csr_array(X), embedded)
    assert embedded.shape == (400, 4)  # a subspace of each type
    assert not basis[:12, 2:].any()
    assert not basis[12:, :2].any()
    np.testing.assert_array_equal(cut_basis(basis, types, 1), basis[:, [0, 2]])
    whole, some = np.hstack([X, embedded]), RNG.normal(size=(FEATURES + 4, 2))
    np.testing.assert_allclose(both @ some, whole @ some)
    np.testing.assert_allclose(both.T @ Y, whole.T @ Y)
    alone = fit_predictors(embedded, Y, np.zeros(4), tol=1e-9).U
    for ridge, near in ((1e4, 1e-3), (np.inf, 1e-7)):
        weights = fit_predictors(both, Y, np.repeat([ridge, 0.0], [FEATURES, 4]), tol=1e-9).U
        np.testing.assert_allclose(weights[:FEATURES], 0, atol=1e-4)
        np.testing.assert_allclose(weights[FEATURES:], alone, atol=near)


def test_fits_in_fewer_features_are_the_same_step_by_step():
    X, Y = draw_problems(12, 2)
    twice = np.where(X[:, :10] > 0, X[:, :10], 0.0)
    twice = csr_array(np.hstack([twice, twice[:, ::-1], twice[:, :4], np.zeros((12, 2))]))
    for design, size in ((csr_array(X), 12), (twice, 11)):  # its rows' space; columns that repeat
        Z, B = compress(design)
        assert Z.shape == (12, size)
        np.testing.assert_allclose((Z @ B.T - design.toarray()), 0, atol=1e-12)
        np.testing.assert_allclose((B.T @ B) @ np.eye(size), np.eye(size), atol=1e-12)
        constant = np.ones((12, 1))
        for steps, atol in ((3, 1e-6), (500, 1e-4)):  # the last step is as near as a fit stops
            whole, few = (
                fit_predictors(
                    put_beside(some, constant),
                    Y,
                    np.repeat([0.02, 0.0], [some.shape[1], 1]),
                    iterations=steps,
                ).U
                for some in (design, Z)
            )
            np.testing.assert_allclose(B @ few[:-1], whole[:-1], atol=atol)
            np.testing.assert_allclose(few[-1], whole[-1], atol=atol)
