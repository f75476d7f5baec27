"""Verdicts on results whose right verdict is known, and on results with a mistake planted."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_results import RECEIPT, claim, results, text_scores, trial_scores

from condprob.estimators import backoff, direct, low_rank
from condprob.smoothing import AddConstant
from reproduction.config.files import load_config
from reproduction.corpora.corpus import load_corpus
from reproduction.corpora.sources import is_at_hand
from reproduction.exhibits.tables import compare_with_paper, summarise_text
from reproduction.scores.models import draw_models
from reproduction.scores.text import score_text
from reproduction.scores.trials import score_trials
from reproduction.studies.near_optimal.claims import CLAIMS
from reproduction.studies.near_optimal.source import PAPER
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.studies.near_optimal.theorems import (
    CHECK_COLUMNS,
    check_theorem_2,
    check_theorems,
)
from reproduction.verdicts.criteria import (
    COLUMNS,
    CRITERIA,
    FAILED,
    REPRODUCED,
    TREND,
    UNITS,
    UNTESTED,
)
from reproduction.verdicts.judge import (
    CLAIM_COLUMNS,
    EVIDENCE_COLUMNS,
    READING_COLUMNS,
    TESTS,
    judge,
    judge_claims,
)

POINTS = [100, 200, 300]
CONFIG = load_config([Path(__file__).parents[3] / "config.yaml"])


def verdict(made_up, found):
    return judge(made_up, found)[0]["verdict"]


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ([0.3, 0.2, 0.1], REPRODUCED),  # above zero everywhere: the half-width is 0.018
        ([0.3, 0.2, 0.01], TREND),  # at two of three, the third undecided
        ([0.3, 0.01, 0.01], FAILED),  # at one of three
        ([0.3, 0.3, -0.1], FAILED),  # wholly below zero at one
    ],
)
def test_ordering_has_to_hold_at_every_point(margins, expected):
    found = results(trial_scores({"good": 0.0, "bad": margins}, POINTS))
    assert verdict(claim("order", pairs=[("good", "bad")]), found) == expected


def test_ordering_reports_its_weakest_point():
    found = results(trial_scores({"good": 0.0, "bad": [0.3, 0.1, 0.2]}, POINTS))
    row, numbers = judge(claim("order", pairs=[("good", "bad")]), found)
    assert row["reproduced"] == pytest.approx(0.1)
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
    for margins, expected in (([-1, 0.03, -1], REPRODUCED), ([-1, 0.02, -1], TREND),
                              ([-1, 0.01, -1], FAILED)):  # fmt: skip
        found = results(trial_scores({"good": 0.0, "bad": margins}, POINTS))
        assert verdict(claim("some", pairs=[("good", "bad")]), found) == expected


@pytest.mark.parametrize(
    ("ours", "expected"),
    [(5.009, REPRODUCED), (4.991, REPRODUCED), (5.011, TREND), (4.91, TREND), (5.11, FAILED)],
)
def test_cell_is_judged_by_its_distance(ours, expected):
    table = summarise_text(text_scores({"kn": np.full(5, ours)}), {"tale": RECEIPT})
    cell = claim("cell", 5.0, 0.01, corpus="tale", method="kn")
    assert verdict(cell, results(table=table)) == expected


def test_size_needs_the_interval_and_the_number():
    size = claim("size", 0.1, 0.05, pairs=[("good", "bad")], corpus="tale", near=500)
    good = np.full(20, 5.0)
    noise = np.tile([-0.5, 0.5], 10)
    for shift, expected in ((0.12, REPRODUCED), (0.2, TREND), (-0.1, FAILED), (noise, FAILED)):
        found = results(text_scores({"good": good, "bad": good + shift}))
        assert verdict(size, found) == expected


@pytest.mark.parametrize(("power", "expected"), [(2, REPRODUCED), (1.5, TREND), (1, FAILED)])
def test_growth_is_the_slope_of_the_ratio(power, expected):
    # Risks k^power and k: the ratio grows as k^(power - 1).
    parts = []
    for k in (10, 20, 40):
        part = trial_scores({"good": 0.0, "bad": 0.0}, wobble=np.zeros(4)).assign(k=k)
        bad = part["method"] == "bad"
        part["kl_risk"] = np.where(bad, float(k) ** power, k) * (1 + 0.01 * part["trial"])
        parts.append(part)
    growth = claim("growth", 1, 0.2, rank=2, pairs=[("good", "bad")])
    row, _ = judge(growth, results(pd.concat(parts)))
    assert row["reproduced"] == pytest.approx(power - 1)
    if expected != FAILED:
        assert row["verdict"] == expected


def growth_of(powers, trials=40, seed=0):
    """Return the verdict on a slope whose trials each have a slope of their own."""
    wobble = np.random.default_rng(seed).normal(0, 0.3, trials)
    parts = []
    for k in (10, 20, 40):
        part = trial_scores({"good": 0.0, "bad": 0.0}, wobble=np.zeros(trials)).assign(k=k)
        bad = part["method"] == "bad"
        part["kl_risk"] = np.where(bad, k**powers * np.exp(wobble[part["trial"]]), 1.0)
        parts.append(part)
    return judge(
        claim("growth", 1, 0.2, rank=2, pairs=[("good", "bad")]), results(pd.concat(parts))
    )[0]


def test_the_slope_lies_inside_its_interval():
    row = growth_of(1.0)
    assert row["low"] < row["reproduced"] < row["high"]
    # The risks of 40 trials have a relative spread of 0.3, so the logarithm of their mean one of
    # 0.3 / sqrt 40 = 0.047; the slope over log k = -log 2, 0, log 2 one of 0.047 / (log 2 sqrt 2).
    half = 1.96 * 0.3 / np.sqrt(40) / (np.log(2) * np.sqrt(2))
    assert row["high"] - row["reproduced"] == pytest.approx(half, rel=0.25)
    assert row["reproduced"] - row["low"] == pytest.approx(half, rel=0.25)
    assert "excludes" not in row["reason"]


@pytest.mark.parametrize(
    ("power", "expected", "words"),
    [
        (1.15, REPRODUCED, "it grows somewhat faster, within the tolerance of 0.2"),
        (0.85, REPRODUCED, "it grows somewhat more slowly, within the tolerance of 0.2"),
        (1.5, TREND, "it grows faster"),
    ],
)
def test_an_interval_that_excludes_the_printed_slope_is_told(power, expected, words):
    parts = []
    for k in (10, 20, 40):
        part = trial_scores({"good": 0.0, "bad": 0.0}, wobble=np.zeros(4)).assign(k=k)
        bad = part["method"] == "bad"
        part["kl_risk"] = np.where(bad, float(k) ** power, 1.0) * (1 + 0.01 * part["trial"])
        parts.append(part)
    row, _ = judge(
        claim("growth", 1, 0.2, rank=2, pairs=[("good", "bad")]), results(pd.concat(parts))
    )
    assert row["verdict"] == expected
    assert row["reason"].endswith(f"; the interval excludes 1: {words}")


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
    minimum = claim("minimum", corpus="tale", method="ad-lr")
    assert verdict(minimum, results(pd.concat(parts))) == expected


def test_minimum_that_the_words_do_not_settle_is_a_trend():
    # Rank 20 is lower by 0.01 on average, rank 30 on nearly half of the stretches.
    other = 5.71 + np.tile([-0.3, 0.3], 10)
    curve = {5: np.full(20, 5.9), 20: np.full(20, 5.7), 30: other}
    parts = [text_scores({"ad-lr": loss}, rank=rank) for rank, loss in curve.items()]
    minimum = claim("minimum", corpus="tale", method="ad-lr")
    assert verdict(minimum, results(pd.concat(parts))) == TREND


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ([0.05, 0.6, 0.95], REPRODUCED),
        ([-0.05, 0.6, 1.05], REPRODUCED),  # within a tenth beyond either end
        ([0.05, 0.6, 1.5], TREND),
        ([0.05, 1.5, 1.5], FAILED),
        ([0.1, 0.2, 0.3], FAILED),  # inside, but fills a fifth of the axis
    ],
)
def test_axis_holds_the_curves_and_is_filled(means, expected):
    table = pd.DataFrame({"n": POINTS, "method": "good", "mean": means})
    axis = claim("axis", methods=["good"], ends=(0, 1), log=False)
    assert verdict(axis, results(table=table)) == expected


@pytest.mark.parametrize(
    ("means", "points"),
    [
        ([0.05, 0.6, 0.95], "3 of 3 on the axis"),
        (
            [-0.05, 0.6, 1.05],
            "3 of 3 on the axis, or within a tenth of its length beyond (2 beyond)",
        ),
        ([0.1, 0.2, 0.3], "3 of 3 on the axis, but they span only 20% of it, not half"),
        ([0.05, 0.6, 1.5], "2 of 3 on the axis"),
    ],
)
def test_axis_says_what_it_means(means, points):
    table = pd.DataFrame({"n": POINTS, "method": "good", "mean": means})
    axis = claim("axis", methods=["good"], ends=(0, 1), log=False)
    assert judge(axis, results(table=table))[0]["points"] == points


def test_a_minimum_at_an_end_of_the_range_is_told():
    curve = {5: 5.9, 20: 5.8, 30: 5.7}
    parts = [
        text_scores({"ad-lr": np.full((3, 9), loss)}, rank=rank) for rank, loss in curve.items()
    ]
    row, _ = judge(claim("minimum", corpus="tale", method="ad-lr"), results(pd.concat(parts)))
    assert row["reason"].endswith("30, k = 500, the last rank tried")


@pytest.mark.parametrize("table", [COLUMNS, UNITS, CRITERIA])
def test_every_kind_of_claim_has_its_criterion(table):
    assert TESTS.keys() == table.keys()


def test_words_have_to_round_to_the_printed_number():
    size = claim("words", 9300, 50, corpus="tale", column="train_words")
    for words, expected in ((9349, REPRODUCED), (9351, TREND), (8800, FAILED)):
        found = results(receipts={"tale": RECEIPT | {"train_words": words}})
        assert verdict(size, found) == expected


def test_what_is_missing_is_said():
    scores = text_scores({"good": np.full(5, 5.0)})
    order = claim("order", pairs=[("good", "bad")], corpus="tale", rank=50)
    cases = [
        (results(), "config.yaml has no exhibit made-up"),
        (results(scores), "made-up has no method bad (there is: good)"),
        (results(scores.assign(rank=10)), "made-up has no rank 50 (there is: 10)"),
        (
            results(scores, receipts={"tale": {"reason": "the network is down"}}),
            "tale could not be had: the network is down",
        ),
    ]
    for found, reason in cases:
        row, numbers = judge(order, found)
        assert (row["verdict"], row["reason"], numbers) == (UNTESTED, reason, [])


def test_near_means_near():
    near = claim("order", pairs=[("good", "bad")], near=15000)
    scores = text_scores({"good": np.full(5, 5.0), "bad": np.full(5, 5.1)}, n=14800)
    assert verdict(near, results(scores)) == REPRODUCED
    assert verdict(near, results(scores.assign(n=6000))) == UNTESTED


def test_other_readings_stand_beside_and_change_nothing():
    scores = trial_scores({"add-half": 0.0, "kn": 0.3, "kn-uniform": -0.3})
    order = claim("order", pairs=[("add-half", "kn")])
    claims, evidence, readings = judge_claims(results(scores), replace(PAPER, claims=(order,)))
    assert claims["verdict"].tolist() == [REPRODUCED]
    assert "KN with uniform continuation: -0.3000" in claims["other_readings"][0]
    assert claims["other_readings"][0].endswith(FAILED)
    assert evidence["value"].tolist() == pytest.approx([0.3, -0.3])
    assert readings["reading"].tolist() == ["default", "KN with uniform continuation"]
    assert readings["verdict"].tolist() == [REPRODUCED, FAILED]
    assert readings["reproduced"].tolist() == pytest.approx([0.3, -0.3])
    assert readings["worse"].tolist() == ["kn", "kn-uniform"]


def test_every_claim_has_a_row_and_every_number_a_name():
    claims, evidence, readings = judge_claims(results(trial_scores({"add-half": 0.0})), PAPER)
    assert list(claims) == CLAIM_COLUMNS
    assert list(evidence) == EVIDENCE_COLUMNS
    assert list(readings) == READING_COLUMNS
    assert readings["id"].tolist() == claims["id"].tolist()  # nothing to judge under others
    assert claims["id"].tolist() == [claim.id for claim in PAPER.claims]
    assert (claims["verdict"] == UNTESTED).all()
    assert (claims["reason"] != "").all()


# A mistake in the code has to turn verdicts. First on data that need no corpus.


def plant_wrong_constant(monkeypatch):
    """Add 5 where Add-1/2 adds 1/2, and 200 where Add-1/2-LR does."""
    monkeypatch.setattr(direct, "AddConstant", lambda constant: AddConstant(10 * constant))
    monkeypatch.setattr(low_rank, "AddConstant", lambda constant: AddConstant(400 * constant))


def plant_discount_on_the_wrong_side(monkeypatch):
    """Free the mass of as many outcomes as a word follows contexts, not as follow it."""
    fit = backoff.KneserNey.fit_counts

    class Swapped:
        def __init__(self, counts):
            self.counts = counts

        def __getattr__(self, name):
            swapped = {"clipped_row_sums": "clipped_column_sums"}
            return getattr(self.counts, swapped.get(name, name))

    monkeypatch.setattr(backoff.KneserNey, "fit_counts", lambda self, counts, *others: fit(
        self, Swapped(counts), *others))  # fmt: skip


def plant_discount_added(monkeypatch):
    """Add the discount to the counts that it is to be taken from."""
    fit = backoff.KneserNey.fit_counts

    def add(self, counts, *others):
        matrix = fit(self, counts, *others)
        added = 2 * self.discount / counts.row_sums[counts.contexts]
        raised = matrix.sparse._replace(values=matrix.sparse.values + added)
        return replace(matrix, sparse=raised)

    monkeypatch.setattr(backoff.KneserNey, "fit_counts", add)


def curves(methods):
    """Trials with power-law rows, many contexts and few pairs: KN and structure do well."""
    models = draw_models(3, "planted", 60, 2, 12, "power-law", 1.5)
    entries = {name: CONFIG["methods"][name] for name in methods}
    return results(pd.DataFrame(score_trials(3, "planted", 600, models, entries)))


def test_wrong_constant_turns_an_ordering(monkeypatch):
    order = claim("order", pairs=[("add-half-lr", "add-half")])
    assert verdict(order, curves(["add-half", "add-half-lr"])) == REPRODUCED
    plant_wrong_constant(monkeypatch)
    monkeypatch.setattr(direct, "AddConstant", AddConstant)
    assert verdict(order, curves(["add-half", "add-half-lr"])) == FAILED


def test_discount_on_the_wrong_side_turns_an_ordering(monkeypatch):
    order = claim("order", pairs=[("kn", "ad")])
    assert verdict(order, curves(["kn", "ad"])) == REPRODUCED
    plant_discount_on_the_wrong_side(monkeypatch)
    with np.errstate(invalid="ignore", divide="ignore"):
        assert verdict(order, curves(["kn", "ad"])) == FAILED


def theory(id):
    found = results()
    found.checks = pd.DataFrame(check_theorems(0, [check_theorem_2]))[CHECK_COLUMNS]
    (stated,) = [claim for claim in CLAIMS if claim.id == id]
    return verdict(stated, found)


def test_wrong_constant_turns_theorem_2(monkeypatch):
    assert theory("theorem-2-stationary") == REPRODUCED
    plant_wrong_constant(monkeypatch)
    assert theory("theorem-2-stationary") == FAILED


# Then on the paper's own corpora.


def table_1(corpus):
    """Verdicts on the cells of the methods that need no fit."""
    entry = CONFIG["corpora"][corpus]
    if not is_at_hand(entry):
        pytest.skip(f"{corpus} is not on NLTK's search path")
    words = load_corpus(corpus, entry)
    methods = {name: CONFIG["methods"][name] for name in ("add-half", "ad", "sb", "kn")}
    scores = score_text(0, "table-1", corpus, 50, words.train, words.test, words.k, methods, 1)
    receipts = {corpus: words.receipt}
    table = compare_with_paper(
        summarise_text(pd.DataFrame(scores), receipts), methods, find_printed
    )
    found = results(table=table, receipts=receipts)
    found.tables["table-1"] = table
    return {
        stated.settings["method"]: verdict(stated, found)
        for stated in CLAIMS
        if stated.test == "cell" and stated.settings["corpus"] == corpus
    }


def test_right_code_reproduces_the_cells_of_genesis():
    cells = table_1("genesis")
    assert cells["add-half"] == cells["ad"] == cells["sb"] == REPRODUCED
    assert cells["kn"] == TREND  # the paper's variant is not known
    assert cells["ad-lr"] == UNTESTED  # not fitted here


def test_mistakes_turn_the_cells_of_genesis(monkeypatch):
    plant_wrong_constant(monkeypatch)
    plant_discount_added(monkeypatch)
    cells = table_1("genesis")
    assert cells["add-half"] == cells["kn"] == FAILED
    assert cells["ad"] == cells["sb"] == REPRODUCED


def test_a_fresh_receipt_can_be_judged(tmp_path):
    # What the workflow hands over is JSON: numbers stay numbers.
    receipt = json.loads(json.dumps(RECEIPT))
    size = claim("words", 500, 50, corpus="tale", column="types")
    assert verdict(size, results(receipts={"tale": receipt})) == REPRODUCED


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ([0.3, 0.01, -0.01], REPRODUCED),  # nowhere wholly below zero: the half-width is 0.018
        ([0.3, 0.2, -0.1], TREND),  # below at one point, above in the mean
        ([0.1, 0.1, -0.3], FAILED),
    ],
)
def test_nothing_may_be_clearly_better_than_what_is_unbeaten(margins, expected):
    found = results(trial_scores({"ours": 0.0, "other": margins}, POINTS))
    row, numbers = judge(claim("unbeaten", pairs=[("ours", "other")]), found)
    assert row["verdict"] == expected
    assert row["reproduced"] == pytest.approx(min(margins))
    assert len(numbers) == len(POINTS)


@pytest.mark.parametrize(
    ("margin", "expected"), [(0.12, REPRODUCED), (0.08, TREND), (0.01, FAILED)]
)
def test_a_difference_is_as_large_as_claimed(margin, expected):
    found = results(trial_scores({"ours": 0.0, "other": margin}, POINTS[:1]))
    made_up = replace(claim("at-least", pairs=[("ours", "other")]), published=0.1)
    assert verdict(made_up, found) == expected
