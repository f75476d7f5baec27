"""A posterior that answers in labels is the one in numbers."""

import numpy as np
import pandas as pd
import pytest

from condprob import (
    CountMatrix,
    LabelledPosterior,
    Posterior,
    UnseenContextWarning,
    fit,
    posterior,
)

PAIRS = [("ann", "tea")] * 80 + [("ann", "milk")] * 20 + [("bob", "milk")] * 30
TABLE = pd.DataFrame({"user": ["ann"] * 90 + ["bob"] * 30, "item": ["tea"] * 80 + ["milk"] * 40})


@pytest.fixture(scope="module")
def sure():
    return fit(TABLE, "user", "item", method="kn").posterior(TABLE, 50, rank=2, seed=4)


@pytest.fixture(scope="module")
def draws():
    return posterior([[80, 20], [1, 9]], samples=5, rank=2)


def test_it_is_the_posterior_in_numbers_of_the_same_counts(sure):
    counts = CountMatrix.from_dense([[10, 80], [30, 0], [0, 0]])  # and a row for the unseen
    numbers = posterior(counts, 50, 4, rank=2)
    assert isinstance(sure, LabelledPosterior)
    for user, row in (("ann", 0), ("bob", 1)):
        for item, column in (("tea", 1), ("milk", 0)):
            ends = numbers.interval([row], [column], 0.8, seed=2)
            found = sure.interval(user, item, 0.8, seed=2)
            assert (found.low, found.high) == (ends.low[0], ends.high[0])
            assert isinstance(found.low, float)
        drawn = sure.draw(user, seed=5)
        np.testing.assert_array_equal(np.column_stack([*drawn.values()]), numbers.draw(row, 5))
        assert list(drawn) == ["milk", "tea"]
    # By default the level is 95 % and the seed 0.
    ends = numbers.interval([0], [1], 0.95, 0)
    assert sure.interval("ann", "tea") == (ends.low[0], ends.high[0])
    assert numbers.interval(0, 1).low == ends.low
    np.testing.assert_array_equal(sure.draw("ann")["tea"], numbers.draw(0, 0)[:, 1])
    np.testing.assert_array_equal(numbers.draw(0), numbers.draw(0, 0))


def test_several_labels_have_arrays(sure):
    found = sure.interval(["ann", "bob"], "milk", seed=1)
    assert found.low.shape == found.high.shape == (2,)
    assert (found.low < found.high).all()
    # Of 90 pairs of ann ten are milk, of 30 of bob all.
    assert found.high[0] < found.high[1]


def test_a_context_never_seen_is_less_sure_and_told(sure):
    with pytest.warns(UnseenContextWarning, match="'eve' was never seen"):
        low, high = sure.interval("eve", "tea")
    known = sure.interval("ann", "tea")
    assert high - low > known.high - known.low
    with pytest.warns(UnseenContextWarning):
        assert sure.draw("eve")["tea"].shape == (50,)


def test_what_it_cannot_tell_is_refused(sure, draws):
    with pytest.raises(ValueError, match="'beer' is not in the vocabulary of 2 labels"):
        sure.interval("ann", "beer")
    for call, message in (
        (
            lambda: posterior([[8, 2]], seed="a"),
            "seed = 'a': must be an integer >= 0, a Seed",
        ),
        (lambda: draws.draw(0, seed=-1), "seed = -1: must be an integer >= 0, a Seed"),
        (lambda: draws.draw([0, 1]), "pass the number of one context"),
        (lambda: draws.interval(0, 0, "a"), "level = 'a'"),
        (lambda: draws.interval([[0], [1]], [0, 1]), "pass one list of contexts"),
        (lambda: draws.interval(0, 0, seed=1.5), "seed = 1.5: must be an integer >= 0, a Seed"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="level = 1: must be between 0 and 1"):
        sure.interval("ann", "tea", 1)


def test_weights_with_fractions_are_taken_as_in_a_fit(sure):
    weighed = {("ann", "tea"): 40.0, ("ann", "milk"): 5.0, ("bob", "milk"): 15.0}
    halves = {pair: weight / 2 for pair, weight in weighed.items()}
    for sample in (posterior, fit(halves, method="kn").posterior):
        with pytest.warns(UserWarning, match="2.5 of them is taken as one observation"):
            found = sample(halves, 50, rank=2, seed=4)
        assert found.draws.counts.dense()[:2].tolist() == [[1, 8], [3, 0]]


def test_pairs_of_other_contexts_say_nothing_of_a_context_never_seen(sure):
    estimate, others = sure.estimate, pd.DataFrame({"user": ["zoe"] * 500, "item": ["milk"] * 500})
    told = "500 of 620 pairs have contexts that the estimate does not know, and are left out"
    with pytest.warns(UserWarning, match=told):
        more = estimate.posterior(pd.concat([TABLE, others]), 50, rank=2, seed=4)
    with pytest.warns(UnseenContextWarning):
        assert more.interval("eve", "milk") == sure.interval("eve", "milk")


@pytest.mark.parametrize("context", [0.7, True, "1"])
def test_a_number_of_a_context_is_a_whole_number(context, draws):
    with pytest.raises(ValueError, match="contexts of type"):
        draws.interval(context, 0)


def test_it_says_what_it_is(sure):
    assert repr(sure) == "<LabelledPosterior: 2 x 2, 50 draws>"


def test_it_needs_no_estimate_and_takes_what_a_fit_takes():
    for data, names in ((TABLE, {"context": "user", "outcome": "item"}), (PAIRS, {})):
        sure = posterior(data, 50, 4, rank=2, **names)
        assert isinstance(sure, LabelledPosterior)
        counts = sure.estimate.in_numbers(data)
        numbers = posterior(counts, 50, 4, rank=2)
        np.testing.assert_array_equal(sure.draws.strength, numbers.strength)
        np.testing.assert_array_equal(sure.draws.weights, numbers.weights)


def test_a_context_that_data_do_not_have_is_one_without_counts():
    sure = posterior(PAIRS, 50, 4, rank=2)
    with pytest.warns(UnseenContextWarning, match="was never seen"):
        drawn = sure.draw("nobody", seed=1)
    row = sure.draws.counts.shape[0] - 1
    assert sure.draws.counts.row_sums[row] == 0
    np.testing.assert_array_equal(np.array(list(drawn.values())).T, sure.draws.draw(row, 1))


def test_rows_of_numbers_are_counts_and_labels_make_them_labelled():
    counts = [[80, 20], [1, 9]]
    assert isinstance(posterior(counts, 3), Posterior)
    labels = {"contexts": ["ann", "bob"], "outcomes": ["tea", "milk"]}
    sure = posterior(np.array(counts), 3, rank=2, **labels)
    assert sure.draw("ann")["tea"].shape == (3,)
