"""Claims on differences, ratios and minima, on results whose right verdict is known."""

import numpy as np
import pandas as pd
import pytest
from made_up_results import WOBBLE, claim, results, text_scores, trial_scores, verdict

from reproduction.verdicts.criteria import FAILED, PARTLY, REPRODUCED, SHARE_OF_RISK
from reproduction.verdicts.judge import judge

POINTS = [100, 200, 300]


@pytest.mark.parametrize(
    ("test", "published", "tolerance", "margins", "expected", "points"),
    [
        # Above zero everywhere: the half-width of an interval is 0.0184.
        ("order", None, None, [0.3, 0.2, 0.1], REPRODUCED, "3 of 3 above zero"),
        ("order", None, None, [0.3, 0.2, 0.01], PARTLY, "2 of 3 above zero"),  # one is undecided
        ("order", None, None, [0.3, 0.01, 0.01], FAILED, "1 of 3 above zero"),
        ("order", None, None, [0.3, 0.3, -0.1], FAILED, "2 of 3 above zero"),  # one below
        # Nothing may be better by a margin: -0.08 - 0.0184 is above -0.1.
        ("unbeaten", None, 0.1, [0.3, 0.01, -0.08], REPRODUCED, "3 of 3 above the margin"),
        ("unbeaten", None, 0.1, [0.3, 0.2, -0.09], PARTLY, "2 of 3 above the margin"),
        ("unbeaten", None, 0.1, [0.3, 0.3, -0.11], FAILED, "2 of 3 above the margin"),
        # Every interval is inside the margin, on either side: 0.08 + 0.0184 is less than 0.1.
        ("similar", None, 0.1, [0.0, 0.08, -0.08], REPRODUCED, "3 of 3 within the margin"),
        ("similar", None, 0.1, [0.0, 0.09, 0.0], PARTLY, "2 of 3 within the margin"),
        ("similar", None, 0.1, [0.0, -0.09, 0.0], PARTLY, "2 of 3 within the margin"),
        ("similar", None, 0.1, [0.0, 0.0, 0.11], FAILED, "2 of 3 within the margin"),
        ("similar", None, 0.1, [0.0, 0.0, -0.11], FAILED, "2 of 3 within the margin"),
        # A difference as large as claimed; an effect below what counts as none.
        ("size", 0.1, None, [0.12], REPRODUCED, ""),
        ("size", 0.1, None, [0.08], PARTLY, ""),
        ("size", 0.1, None, [0.01], FAILED, ""),
        ("effect", None, 0.01, [0.03], REPRODUCED, "1 of 1 above 0.01"),
        ("effect", None, 0.01, [0.025], FAILED, "0 of 1 above 0.01"),
    ],
)
def test_margins_at_every_point_decide(test, published, tolerance, margins, expected, points):
    scores = trial_scores(
        {"ours": 10.0, "other": [10 + m for m in margins]}, POINTS[: len(margins)]
    )
    made_up = claim(test, published or np.nan, tolerance or np.nan, pairs=[("ours", "other")])
    row, numbers = judge(made_up, results(scores))
    assert row["verdict"] == expected
    assert points in row["points"]
    assert [number["value"] for number in numbers] == pytest.approx(margins)
    worst = max(margins, key=abs) if test == "similar" else min(margins)
    assert row["measured"] == pytest.approx(worst)


def test_ordering_reports_its_weakest_point():
    found = results(trial_scores({"good": 0.0, "bad": [0.3, 0.1, 0.2]}, POINTS))
    row, numbers = judge(claim("order", pairs=[("good", "bad")]), found)
    assert row["measured"] == pytest.approx(0.1)
    # Student's 97.5 % quantile with 3 degrees of freedom is 3.182; the standard error is
    # sqrt(4e-4 / 3 / 4) = 0.005774.
    assert row["low"] == pytest.approx(0.1 - 3.182 * 0.005774, abs=1e-5)
    assert row["points"] == "3 of 3 above zero"
    assert "n = 200" in row["reason"]
    assert [number["value"] for number in numbers] == pytest.approx([0.3, 0.1, 0.2])


def test_every_pair_of_an_ordering_counts():
    found = results(trial_scores({"good": 0.0, "bad": 0.3, "ugly": -0.3}))
    assert verdict(claim("order", pairs=[("good", "bad")]), found) == REPRODUCED
    assert verdict(claim("order", pairs=[("good", "bad"), ("good", "ugly")]), found) == FAILED


def test_one_point_is_enough_where_the_paper_says_may():
    # Widened for three points, Student's quantile is 4.857: the half-width 0.028.
    for margins, expected in (
        ([-1, 0.03, -1], REPRODUCED),
        ([-1, 0.02, -1], PARTLY),
        ([-1, 0.01, -1], FAILED),
    ):
        found = results(trial_scores({"good": 0.0, "bad": margins}, POINTS))
        assert verdict(claim("some", pairs=[("good", "bad")]), found) == expected


def test_size_needs_the_interval_and_the_number():
    size = claim("size", 0.1, 0.05, pairs=[("good", "bad")], corpus="tale", near=500)
    good = np.full(20, 5.0)
    noise = np.tile([-0.5, 0.5], 10)
    for shift, expected in ((0.12, REPRODUCED), (0.2, PARTLY), (-0.1, FAILED), (noise, FAILED)):
        found = results(text_scores({"good": good, "bad": good + shift}))
        assert verdict(size, found) == expected


def growth(power, spread, trials=4):
    """Return the row of a claim that the ratio grows as k: here it grows as ``k^power``.

    The logarithms of ratios of trials differ by the ``spread``, shape (trials,).
    """
    parts = []
    for k in (10, 20, 40):
        part = trial_scores({"good": 0.0, "bad": 0.0}, wobble=np.zeros(trials)).assign(k=k)
        ratio = float(k) ** power * np.exp(spread[part["trial"]])
        part["kl_risk"] = np.where(part["method"] == "bad", ratio, 1.0)
        parts.append(part)
    made_up = claim("growth", 1, rank=2, pairs=[("good", "bad")])
    return judge(made_up, results(pd.concat(parts)))[0]


@pytest.mark.parametrize(
    ("power", "expected", "words"),
    [
        (1, REPRODUCED, ""),
        (1.15, REPRODUCED, "it grows faster"),
        (0.85, PARTLY, "it grows more slowly"),
        (1.5, REPRODUCED, "it grows faster"),
        (0, FAILED, "it grows more slowly"),
    ],
)
def test_growth_is_the_slope_of_the_ratio(power, expected, words):
    # Ratios of four trials differ by at most 2 %: the slope's interval by less than 0.03.
    row = growth(power, np.array([-0.01, 0.01, -0.01, 0.01]))
    assert row["measured"] == pytest.approx(power)
    assert row["verdict"] == expected
    ends = f"; the interval excludes 1: {words}" if words else "k = 40"
    assert row["reason"].endswith(ends)


def test_the_slope_lies_inside_its_interval():
    row = growth(1, np.random.default_rng(0).normal(0, 0.3, 40), 40)
    assert row["low"] < row["measured"] < row["high"]
    # The risks of 40 trials have a relative spread of 0.3, so the logarithm of their mean one of
    # 0.3 / sqrt 40 = 0.047; the slope over log k = -log 2, 0, log 2 one of 0.047 / (log 2 sqrt 2).
    half = 1.96 * 0.3 / np.sqrt(40) / (np.log(2) * np.sqrt(2))
    assert row["high"] - row["measured"] == pytest.approx(half, rel=0.25)
    assert row["measured"] - row["low"] == pytest.approx(half, rel=0.25)


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        ({5: 5.9, 20: 5.7, 30: 5.8}, REPRODUCED),
        ({5: 5.9, 20: 5.8, 30: 5.7}, FAILED),  # still falling at the end of the range
        ({5: 5.7, 20: 5.8, 30: 5.9}, FAILED),
        ({5: 5.9, 20: 5.7, 80: 5.8}, REPRODUCED),
        ({5: 5.9, 60: 5.7, 80: 5.8}, FAILED),  # k is 500: 60 is not small
    ],
)
def test_minimum_has_to_be_inside_and_small(curve, expected):
    parts = [
        text_scores({"ad-lr": np.full((3, 9), loss)}, rank=rank) for rank, loss in curve.items()
    ]
    row, _ = judge(claim("minimum", corpus="tale", method="ad-lr"), results(pd.concat(parts)))
    assert row["verdict"] == expected
    assert ("the last rank tried" in row["reason"]) == (min(curve, key=curve.get) == 30)


def test_minimum_that_the_words_do_not_settle_is_a_trend():
    # Rank 20 is lower by 0.01 on average, rank 30 on nearly half of the stretches.
    other = 5.71 + np.tile([-0.3, 0.3], 10)
    curve = {5: np.full(20, 5.9), 20: np.full(20, 5.7), 30: other}
    parts = [text_scores({"ad-lr": loss}, rank=rank) for rank, loss in curve.items()]
    minimum = claim("minimum", corpus="tale", method="ad-lr")
    assert verdict(minimum, results(pd.concat(parts))) == PARTLY


def test_what_is_told_of_one_that_is_beaten_is_where_it_is_and_by_what():
    """A wide interval about a lead is no reason, though its end lies deeper than the loss."""
    table = [trial_scores({"ours": 10.0, "other": 9.88}).assign(rank=1)]
    table += [trial_scores({"ours": 10.0, "other": 10.1}, wobble=30 * WOBBLE).assign(rank=3)]
    found = results(pd.concat(table))
    row, _ = judge(claim("unbeaten", tolerance=0.1, pairs=[("ours", "other")]), found)
    assert row["verdict"] == FAILED
    assert row["measured"] == pytest.approx(-0.12)
    assert row["reason"].startswith("weakest: other minus ours at rank = 1, ")


def test_the_margin_of_a_model_is_never_more_than_a_share_of_the_risk():
    """The other's risk is 2.5: two per cent of it are 0.05, and half of the margin of 0.1."""
    assert SHARE_OF_RISK == 0.02
    for behind, expected in ((0.03, REPRODUCED), (0.04, PARTLY), (0.06, FAILED)):
        found = results(trial_scores({"ours": 1.5 + behind, "other": 1.5}, POINTS[:1]))
        row, _ = judge(claim("unbeaten", tolerance=0.1, pairs=[("ours", "other")]), found)
        assert row["verdict"] == expected
        assert "margin 0.05" in row["reason"]


def test_nobody_is_behind_by_more_than_a_share_of_the_risk():
    """A tenth of the other's risk of 2.5 is 0.25; the half-width is 0.018."""
    for behind, expected in ((0.22, REPRODUCED), (0.24, PARTLY), (0.26, FAILED)):
        found = results(trial_scores({"ours": 1.5 + behind, "other": 1.5}, POINTS[:1]))
        row, _ = judge(claim("within-share", tolerance=0.1, pairs=[("ours", "other")]), found)
        assert row["verdict"] == expected
        assert "margin 0.25" in row["reason"]


def test_an_average_is_over_families_of_texts():
    """Two texts of one family count as one: the mean of (0.1 + 0.3) / 2, 0.2 and 0.2 is 0.2."""
    gaps = {"a": ("one", 0.1), "b": ("one", 0.3), "c": ("two", 0.2), "d": ("three", 0.2)}
    parts = [
        text_scores({"good": np.full(9, 5.0), "bad": np.full(9, 5.0 + gap)}, corpus=text).assign(
            family=family, setting="train"
        )
        for text, (family, gap) in gaps.items()
    ]
    other = parts[0].assign(setting="text", loss=0.0)
    found = results(pd.concat([*parts, other]))
    for least, expected in ((0.19, REPRODUCED), (0.21, PARTLY)):
        made_up = claim(
            "average", least, pairs=[("good", "bad")], setting="train", families="family"
        )
        row, numbers = judge(made_up, found)
        assert row["verdict"] == expected
        assert row["measured"] == pytest.approx(0.2)
        assert (row["points"], len(numbers)) == ("4 of 4 above zero", 4)


def test_what_is_not_known_to_be_similar_is_not():
    """A wide interval is no evidence of equality: four trials that differ by one and a half."""
    apart = trial_scores({"one": 0.0, "two": 0.0}, wobble=np.array([-1.5, 1.5, -1.5, 1.5]))
    assert (
        verdict(claim("similar", tolerance=0.1, pairs=[("one", "two")]), results(apart)) == PARTLY
    )


def test_a_comparison_is_told_with_its_order_where_there_are_several():
    """Models of order 2 and 4 are compared each with its own kind, and the weaker is named."""
    parts = [
        text_scores({"good": np.full(9, 5.0), "bad": np.full(9, 5.0 + gap)}, order=order)
        for order, gap in ((2, 0.3), (4, 0.1))
    ]
    row, numbers = judge(claim("order", pairs=[("good", "bad")]), results(pd.concat(parts)))
    assert (row["verdict"], row["order"]) == (REPRODUCED, 4)
    assert row["measured"] == pytest.approx(0.1)
    assert row["reason"].startswith("weakest: bad minus good at order = 4, ")
    assert [number["order"] for number in numbers] == [2, 4]
    one = claim("order", pairs=[("good", "bad")], order=2)
    assert judge(one, results(pd.concat(parts)))[0]["measured"] == pytest.approx(0.3)
