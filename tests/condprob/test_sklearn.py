"""The wrapper has the habits of scikit-learn, as far as its own checks go."""

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from condprob import method
from condprob.sklearn import ConditionalSmoother

FEW = {"rank": 2, "iterations": 5}
COUNTS = np.random.default_rng(0).poisson(1.0, size=(24, 6))


@parametrize_with_checks([ConditionalSmoother(options=FEW)])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_it_is_the_fit_and_its_folding():
    smoother = ConditionalSmoother("kn").fit(COUNTS)
    np.testing.assert_allclose(smoother.transform(COUNTS), method("kn").fit(COUNTS).dense())
    search = GridSearchCV(ConditionalSmoother(), {"options": [FEW, {"rank": 1, "iterations": 5}]})
    search.fit(COUNTS)
    assert search.best_score_ < 0
