"""The wrapper has the habits of scikit-learn, as far as its own checks go."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csc_matrix, csr_array, csr_matrix
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from condprob import METHODS, method
from condprob.sklearn import ConditionalSmoother

FEW = {"rank": 2, "iterations": 5}
FEW_SWEEPS = {"largest_rank": 2, "chains": 1, "sweeps": 6}
COUNTS = np.random.default_rng(0).poisson(1.0, size=(24, 6))


# Both take whoever has `predict_proba` for a classifier, with a column for each value of `y`. Here
# the columns are outcomes. The test after the checks has sparse counts instead.
NOT_MET = dict.fromkeys(
    ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), "the columns are outcomes"
)


@parametrize_with_checks(
    [
        ConditionalSmoother("ad-lr", FEW),
        ConditionalSmoother("kn"),
        ConditionalSmoother(options=FEW_SWEEPS),
    ],
    expected_failed_checks=lambda smoother: NOT_MET,
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", [csr_array, csr_matrix, coo_array, csc_matrix])
def test_sparse_counts_are_those_of_their_cells(kind):
    dense, sparse = (ConditionalSmoother("ad-lr", FEW).fit(X) for X in (COUNTS, kind(COUNTS)))
    for name in ("transform", "predict_proba"):
        found = getattr(sparse, name)(kind(COUNTS))
        np.testing.assert_array_equal(found, getattr(dense, name)(COUNTS))
    assert sparse.score(kind(COUNTS)) == dense.score(COUNTS)


def test_it_is_the_fit_and_its_folding():
    for name in ("kn", "add-half", "laplace"):  # whose rows follow from their own counts
        smoother = ConditionalSmoother(name).fit(COUNTS)
        np.testing.assert_allclose(smoother.predict_proba(COUNTS), method(name).fit(COUNTS).dense())
    search = GridSearchCV(ConditionalSmoother("add-half"), {"method": ["kn", "add-half"]})
    scores = search.fit(COUNTS).cv_results_["mean_test_score"]
    assert (scores < 0).all()
    search = GridSearchCV(ConditionalSmoother("ad-lr", FEW), {"options__rank": [1, 3]}).fit(COUNTS)
    assert search.best_estimator_.matrix_.H.shape[0] == search.best_params_["options__rank"]
    assert search.best_estimator_.options["iterations"] == 5
    assert ConditionalSmoother().set_params(options__rank=7).options == {"rank": 7}


def test_a_method_that_folds_nothing_in_is_refused_before_its_fit():
    message = r"\Amethod 'ad' cannot fold in new contexts; choose one of: add-half, .*plsa.*\Z"
    with pytest.raises(ValueError, match=message):
        ConditionalSmoother("ad").fit(COUNTS)
    for record in METHODS.values():  # those that are named do
        if record.folds:
            few = FEW | {"largest_rank": 2, "starts": 1}
            options = {name: value for name, value in few.items() if name in record.options}
            smoother = ConditionalSmoother(record.id, options).fit(COUNTS)
            np.testing.assert_allclose(smoother.predict_proba(COUNTS[:2]).sum(axis=1), 1)
            assert hasattr(smoother, "transform") == (smoother.matrix_.rank is not None), record.id


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
        with pytest.raises(ValueError, match="must be a dictionary of options of kn, or None"):
            ConditionalSmoother("kn", options).fit(COUNTS)
    with pytest.warns(UserWarning, match="rank=50: no matrix of 24 by 6 has a rank above 6"):
        ConditionalSmoother("lr", {"rank": 50, "iterations": 1}).fit(COUNTS)


@pytest.mark.parametrize("id", ["ad-lr", "add-half-lr", "lr", "lsa", "plsa"])
def test_transform_gives_the_factors_of_the_rows(id):
    """As NMF and latent Dirichlet allocation do; new rows are folded in."""
    options = {name: value for name, value in FEW.items() if name in METHODS[id].options}
    smoother = ConditionalSmoother(id, options).fit(COUNTS)
    found = smoother.transform(COUNTS[:5])
    assert found.shape == (5, 2)
    folded = smoother.estimator_.fold_in(smoother.matrix_, COUNTS[:5])
    np.testing.assert_array_equal(found, folded.factors()[0])
    np.testing.assert_array_equal(smoother.components_, smoother.matrix_.factors()[1])
    if id in ("ad-lr", "add-half-lr", "lr"):  # whose rows are the product
        product = found @ smoother.components_
        np.testing.assert_allclose(smoother.predict_proba(COUNTS[:5]), product)
        np.testing.assert_allclose(found.sum(axis=1), 1)


@pytest.mark.parametrize("id", ["kn", "py-lr", "no method"])
def test_a_method_without_factors_has_no_transform(id):
    """A pipeline then says at once that it is no transformer."""
    assert not hasattr(ConditionalSmoother(id), "transform")
    assert not hasattr(ConditionalSmoother(id), "get_feature_names_out")
    with pytest.raises(AttributeError, match="'ConditionalSmoother' has no attribute 'transform'"):
        ConditionalSmoother(id).transform(COUNTS)


def test_columns_have_names():
    table = pd.DataFrame(COUNTS, columns=list("abcdef"))
    smoother = ConditionalSmoother("ad-lr", FEW).set_output(transform="pandas")
    columns = ["conditionalsmoother0", "conditionalsmoother1"]
    assert list(smoother.fit_transform(table).columns) == columns
