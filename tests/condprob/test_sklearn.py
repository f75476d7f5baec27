"""The wrapper has the habits of scikit-learn, as far as its own checks go."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from condprob import METHODS, method
from condprob.sklearn import ConditionalSmoother

FEW = {"rank": 2, "iterations": 5}
FEW_SWEEPS = {"largest_rank": 2, "chains": 1, "sweeps": 6}
COUNTS = np.random.default_rng(0).poisson(1.0, size=(24, 6))


@parametrize_with_checks(
    [ConditionalSmoother("ad-lr", FEW), ConditionalSmoother(options=FEW_SWEEPS)]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_it_is_the_fit_and_its_folding():
    for name in ("kn", "add-half", "laplace"):  # whose rows follow from their own counts
        smoother = ConditionalSmoother(name).fit(COUNTS)
        np.testing.assert_allclose(smoother.transform(COUNTS), method(name).fit(COUNTS).dense())
    search = GridSearchCV(ConditionalSmoother("add-half"), {"method": ["kn", "add-half"]})
    scores = search.fit(COUNTS).cv_results_["mean_test_score"]
    assert (scores < 0).all()
    search = GridSearchCV(ConditionalSmoother("ad-lr", FEW), {"options__rank": [1, 3]}).fit(COUNTS)
    assert search.best_estimator_.matrix_.H.shape[0] == search.best_params_["options__rank"]
    assert search.best_estimator_.options["iterations"] == 5
    assert ConditionalSmoother().set_params(options__rank=7).options == {"rank": 7}


def test_a_method_that_folds_nothing_in_is_refused_before_its_fit():
    message = r"\Aad folds no contexts in \(add-half, .*, plsa.* do\): choose one of these\Z"
    with pytest.raises(ValueError, match=message):
        ConditionalSmoother("ad").fit(COUNTS)
    for record in METHODS.values():  # those that are named do
        if record.folds:
            few = FEW | {"largest_rank": 2, "starts": 1}
            options = {name: value for name, value in few.items() if name in record.options}
            smoother = ConditionalSmoother(record.id, options).fit(COUNTS)
            np.testing.assert_allclose(smoother.transform(COUNTS[:2]).sum(axis=1), 1)


def test_weights_are_scored_and_not_rounded_away():
    rows = COUNTS[COUNTS.sum(axis=1) > 1].astype(float)
    smoother = ConditionalSmoother("kn").fit(rows)
    shares = rows / rows.sum(axis=1, keepdims=True)  # nothing of it is half a count
    for given in (rows, 0.4 * rows, shares):
        assert -3 < smoother.score(given) < -1  # some nats: six outcomes are log(6) = 1.8 at random
    assert smoother.score(rows) == smoother.score(rows.astype(int))
    # By hand: one cell of less than a count falls to one half as a piece.
    alone = ConditionalSmoother("add-half").fit(rows)
    one = np.zeros((60, 6))
    one[:, 2] = 0.25
    # Whatever falls to the other half is scored by 1/6: its own half has nothing.
    np.testing.assert_allclose(alone.score(one), -np.log(6))
    with pytest.raises(ValueError, match="0 counts: none is left to be scored"):
        alone.score(np.zeros((2, 6)))


def test_options_that_fold_nothing_in_are_refused_at_the_fit():
    for options in ({"discount": "modified"}, {"form": "backoff"}, {"unseen": "unigram"}):
        with pytest.raises(ValueError, match="kn"):
            ConditionalSmoother("kn", options).fit(COUNTS)
    for options in ("x", ["rank"]):
        with pytest.raises(ValueError, match="a dictionary of options of kn, or None, is needed"):
            ConditionalSmoother("kn", options).fit(COUNTS)
    with pytest.warns(UserWarning, match="rank=50: no matrix of 24 by 6 has a rank above 6"):
        ConditionalSmoother("lr", {"rank": 50, "iterations": 1}).fit(COUNTS)


def test_columns_have_names():
    table = pd.DataFrame(COUNTS, columns=list("abcdef"))
    smoother = ConditionalSmoother("add-half").set_output(transform="pandas")
    assert list(smoother.fit_transform(table).columns) == list("abcdef")
