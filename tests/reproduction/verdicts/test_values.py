"""Claims on single values: printed cells, axes and numbers of words."""

import numpy as np
import pandas as pd
import pytest
from made_up_results import RECEIPT, claim, results, text_scores, verdict

from reproduction.exhibits.tables import summarise_text
from reproduction.verdicts.cases import at_least, make_case
from reproduction.verdicts.criteria import FAILED, PARTLY, REPRODUCED, TRIVIAL, UNTESTED, WITHIN
from reproduction.verdicts.judge import judge

POINTS = [100, 200, 300]


@pytest.mark.parametrize(
    ("ours", "expected"),
    [(5.009, REPRODUCED), (4.991, REPRODUCED), (5.011, PARTLY), (4.975, PARTLY), (5.031, FAILED)],
)
def test_cell_is_judged_by_its_distance(ours, expected):
    table = summarise_text(text_scores({"kn": np.full(5, ours)}))
    cell = claim("cell", 5.0, 0.01, corpus="tale", method="kn")
    assert verdict(cell, results(table=table)) == expected


@pytest.mark.parametrize(("starts", "told"), [(1, ""), (5, ", mean over 5 runs")])
def test_a_cell_says_over_how_many_starts_it_is_a_mean(starts, told):
    table = summarise_text(text_scores({"kn": [5.5]})).assign(seeds=starts)
    row, _ = judge(claim("cell", 5.0, 0.01, corpus="tale", method="kn"), results(table=table))
    assert row["reason"] == f"+0.5000 from the published value{told}"


def test_a_claim_says_what_was_chosen_to_match_it():
    table = summarise_text(text_scores({"kn": [5.0]}))
    chosen = {"searched": "the split was chosen to match this number"}
    row, _ = judge(
        claim("cell", 5.0, 0.01, corpus="tale", method="kn", **chosen), results(table=table)
    )
    assert row["verdict"] == REPRODUCED
    assert row["reason"].endswith("; the split was chosen to match this number")
    words = claim("words", RECEIPT["types"], 1, corpus="tale", column="types", **chosen)
    row, _ = judge(words, results())
    assert row["reason"].endswith("; the split was chosen to match this number")


ON = "on the axis"
LITTLE = "but they span only {}% of it, not half"


@pytest.mark.parametrize(
    ("means", "expected", "points"),
    [
        ([0.05, 0.6, 0.95], REPRODUCED, f"3 of 3 {ON}"),
        ([0.0, 0.6, 1.0], REPRODUCED, f"3 of 3 {ON}"),
        # Within a tenth beyond either end; just a tenth.
        ([-0.05, 0.6, 1.05], REPRODUCED, f"3 of 3 {ON}, or within a tenth of its length beyond (2"),
        ([0.5, 0.75, 1.1], REPRODUCED, f"3 of 3 {ON}, or within a tenth of its length beyond (1"),
        ([0.05, 0.6, 1.5], PARTLY, f"2 of 3 {ON}"),
        ([0.05, 1.5, 1.5], FAILED, f"1 of 3 {ON}"),
        ([0.1, 0.2, 0.3], FAILED, f"3 of 3 {ON}, {LITTLE.format(20)}"),
        ([0.7, 0.8, 1.4], FAILED, f"2 of 3 {ON}, {LITTLE.format(30)}"),
        ([0.25, 0.5, 0.75], REPRODUCED, f"3 of 3 {ON}"),  # just half of it
    ],
)
def test_axis_holds_the_curves_and_is_filled(means, expected, points):
    table = pd.DataFrame({"n": POINTS, "method": "good", "mean": means})
    axis = claim("axis", methods=["good"], ends=(0, 1), log=False)
    row, _ = judge(axis, results(table=table))
    assert row["verdict"] == expected
    assert row["points"].startswith(points)


@pytest.mark.parametrize(("corpus", "expected"), [({"corpus": "tale"}, FAILED), ({}, REPRODUCED)])
def test_axis_is_of_differences_of_texts_and_of_risks_of_models(corpus, expected):
    """A table of models may have differences beside the risks that are drawn."""
    table = pd.DataFrame({"n": POINTS, "method": "good", "mean": [0.1, 0.5, 0.9]} | corpus)
    axis = claim("axis", methods=["good"], ends=(0, 1), log=False)
    assert verdict(axis, results(table=table.assign(difference=0.0))) == expected


def test_words_have_to_round_to_the_printed_number():
    size = claim("words", 9300, 50, corpus="tale", column="train_words")
    for words, expected in ((9349, REPRODUCED), (9351, PARTLY), (8800, FAILED)):
        found = results(receipts={"tale": RECEIPT | {"train_words": words}})
        assert verdict(size, found) == expected


def test_a_statement_of_the_theory_holds_in_every_case_or_not_at_all():
    cases = [make_case("law", "tight", 0.9, 1, n=3), make_case("law", "loose", 0.1, 1)]
    cases += [make_case("law", "broken", 1.5, 1), make_case("other", "far off", 9, 1)]
    law = claim("theory", check="law")
    found = results()
    found.checks = pd.DataFrame(cases[:2])
    row, numbers = judge(law, found)
    assert (row["verdict"], row["points"]) == (REPRODUCED, "2 of 2 cases hold")
    assert (row["measured"], row["published"], row["reason"]) == (
        0.9,
        1,
        "tightest of 2: tight, 0.9 (at most 1)",
    )
    assert [number["value"] for number in numbers] == [0.9, 0.1]
    found.checks = pd.DataFrame(cases)
    row, _ = judge(law, found)
    assert (row["verdict"], row["points"]) == (FAILED, "2 of 3 cases hold")
    assert row["reason"].startswith("violated, first of 1: broken, ")


@pytest.mark.parametrize(
    ("could_fail", "values", "expected"),
    [
        (None, [1e-5, 1e-4], REPRODUCED),  # an equation: to be near zero is what it says
        ("near the bound", [1e-5, 1e-4], TRIVIAL),  # both are more than 1,000 times below 1
        ("near the bound", [1e-5, -2.0], TRIVIAL),  # below zero, which no bound of 1 could meet
        ("near the bound", [1e-5, 2e-3], REPRODUCED),
        ("near the bound", [1e-5, 1.5], FAILED),
        ("as a bound", [0.9], WITHIN),
        ("as a bound", [1.5], FAILED),
        ("never", [0.9], TRIVIAL),
        ("never", [0.9, 1.5], FAILED),
    ],
)
def test_what_could_not_have_failed_holds_trivially(could_fail, values, expected):
    found = results()
    found.checks = pd.DataFrame([make_case("law", "a case", value, 1) for value in values])
    row, _ = judge(
        claim("theory", check="law", why="nothing breaks it", could_fail=could_fail), found
    )
    assert row["verdict"] == expected
    assert row["reason"].endswith("; nothing breaks it")


@pytest.mark.parametrize(
    ("limit", "value", "expected"),
    [
        ("partial", 0.9, PARTLY),
        ("partial", 1.5, FAILED),
        ("proxy", 0.9, UNTESTED),
        ("proxy", 1.5, UNTESTED),
    ],
)
def test_a_partial_test_and_a_proxy_do_not_reproduce(limit, value, expected):
    found = results()
    found.checks = pd.DataFrame([make_case("law", "a case", value, 1)])
    row, _ = judge(claim("theory", check="law", **{limit: "two books only"}), found)
    assert (row["verdict"], row["measured"]) == (expected, value)
    assert "two books only" in row["reason"]


def test_what_has_to_be_at_least_a_bound_lacks_nothing_of_it():
    assert at_least("law", "enough", 2, 1.5)["holds"]
    short = at_least("law", "short", 1, 1.5, k=7)
    assert (short["holds"], short["value"], short["bound"], short["k"]) == (False, 0.5, 0, 7)
    assert make_case("law", "rounded", 1 + 1e-10, 1)["holds"]


@pytest.mark.parametrize(
    ("tolerance", "expected", "points"),
    [(0.301, REPRODUCED, "2 of 2"), (0.299, FAILED, "1 of 2")],
)
def test_the_spread_is_over_starts_of_each_text(tolerance, expected, points):
    """Means 1, 1.3 and 1.6 have the standard deviation 0.3; equal starts have none."""
    starts = {"a": [[1, 1], [1.2, 1.4], [1.5, 1.7]], "b": [[2, 3]] * 3}
    scores = [text_scores({"ours": table}, corpus=name) for name, table in starts.items()]
    found = results(pd.concat(scores).assign(k=9))
    row, _ = judge(claim("spread", tolerance=tolerance, method="ours"), found)
    assert row["verdict"] == expected
    assert row["points"].startswith(points)
    assert row["measured"] == pytest.approx(0.3)
