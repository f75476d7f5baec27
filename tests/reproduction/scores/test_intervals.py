import numpy as np
import pandas as pd
import pytest
from made_up_results import text_scores, trial_scores
from scipy.stats import norm, ttest_rel

from reproduction.scores.intervals import (
    bootstrap_weights,
    percentile_interval,
    resample_loss,
)
from reproduction.scores.pairs import paired_difference


@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_trials_are_paired_as_in_a_paired_t_test(confidence):
    scores = trial_scores({"good": 0.0, "bad": 0.3})
    value, low, high = paired_difference(scores, "good", "bad", confidence)
    table = scores.pivot(index="trial", columns="method", values="kl_risk")
    other = ttest_rel(table["bad"], table["good"]).confidence_interval(confidence)
    assert value == pytest.approx(0.3)
    assert (low, high) == pytest.approx((other.low, other.high))


def test_blocks_are_drawn_together():
    # On every block the difference is 0.2: whichever are drawn, it stays.
    blocks = np.linspace(3, 9, 20)
    scores = text_scores({"good": blocks, "bad": blocks + 0.2})
    assert paired_difference(scores, "good", "bad") == pytest.approx((0.2, 0.2, 0.2))


def test_block_bootstrap_is_as_wide_as_the_normal_interval_of_the_blocks():
    differences = np.random.default_rng(1).normal(0.2, 0.1, 50)
    scores = text_scores({"good": np.full(50, 5.0), "bad": 5 + differences})
    value, low, high = paired_difference(scores, "good", "bad")
    assert value == pytest.approx(differences.mean())
    half = norm.ppf(0.975) * differences.std() / np.sqrt(50)
    assert (high - low) / 2 == pytest.approx(half, rel=0.06)  # 4,000 draws


def test_a_trial_that_stands_twice_is_told():
    scores = pd.DataFrame({"trial": [0, 1, 0, 1], "method": ["good", "good", "bad", "bad"]})
    scores["kl_risk"] = [0.1, 0.2, 0.4, 0.3]
    assert paired_difference(scores, "good", "bad")[0] == pytest.approx(0.2)
    for place in (0, 2):
        doubled = pd.concat([scores, scores.iloc[[place]]])
        with pytest.raises(ValueError, match="have a trial twice"):
            paired_difference(doubled, "good", "bad")


def test_a_stretch_that_one_method_lacks_is_told():
    scores = text_scores({"good": np.full(5, 5.0), "bad": np.full(5, 6.0)})
    torn = scores[(scores["method"] == "good") | (scores["block"] != 3)]
    for pair in (("good", "bad"), ("bad", "good")):
        with pytest.raises(ValueError, match="are not of the same stretches of the text"):
            paired_difference(torn, *pair)


def test_starts_widen_the_interval_and_are_averaged():
    # Two starts, 0.1 and 0.3 above: the mean of two drawn with replacement is 0.1 with
    # probability 1/4, 0.3 with 1/4, so the 95 % interval is all of it.
    starts = np.array([np.full(20, 5.1), np.full(20, 5.3)])
    scores = text_scores({"good": np.full(20, 5.0), "bad": starts})
    assert paired_difference(scores, "good", "bad") == pytest.approx((0.2, 0.1, 0.3))


def test_blocks_weigh_as_many_words_as_they_have():
    scores = text_scores({"good": np.zeros(2), "bad": np.array([1.0, 3.0])})
    scores.loc[scores["block"] == 1, "pairs"] = 30
    scores.loc[(scores["method"] == "bad") & (scores["block"] == 1), "loss"] = 3.0 * 30
    # (10 * 1 + 30 * 3) / 40
    assert paired_difference(scores, "good", "bad")[0] == pytest.approx(2.5)


def test_draws_are_the_same_every_time_and_sum_to_one():
    weights = bootstrap_weights(7)
    assert (weights == bootstrap_weights(7)).all()
    assert not (weights == bootstrap_weights(7, stream=1)).all()
    assert weights.sum(axis=1) == pytest.approx(1)


def test_resampled_loss_by_hand():
    # Two starts with losses 10 and 20 in a block of 5 pairs, 30 and 50 in one of 10. A draw of the
    # first start alone and the second block alone: 30 / 10. One of both, evenly: 55 / 15.
    losses, pairs = np.array([[10.0, 30.0], [20.0, 50.0]]), np.array([5, 10])
    blocks, starts = np.array([[0, 1], [0.5, 0.5]]), np.array([[1, 0], [0.5, 0.5]])
    assert resample_loss(losses, pairs, blocks, starts) == pytest.approx([3, 55 / 15])


def test_percentiles_leave_out_as_many_below_as_above():
    draws = np.arange(1001.0)
    assert percentile_interval(draws) == pytest.approx((25, 975))
    assert percentile_interval(draws, 0.9) == pytest.approx((50, 950))
    assert set(percentile_interval(np.array([5, 20]), method="nearest")) == {5, 20}
