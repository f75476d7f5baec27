"""The second paper's claims: a verdict on each, at the orders of either target."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_orders import FLAT, ORDERS, TURNS, scores_of_orders

from condprob import Sentences
from reproduction.studies.structured import growth, plan, solvers, work
from reproduction.studies.structured.checks import check_scores, check_theory
from reproduction.studies.structured.source import SOURCE
from reproduction.verdicts.criteria import (
    FAILED,
    NOT_RUN,
    PARTLY,
    REPRODUCED,
    UNTESTED,
)
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge_claims

TOP = Path(__file__).parents[4]
# No data, code or number; for t14 no steps of a fit, but a proxy.
EXTERNAL = {"x-minutes", "x-mnih", "x-competitive", "x-hierarchical", "t14"}


@pytest.fixture(scope="module")
def work_cases():
    """Cases of the work of steps, counted on a text at random of five words."""
    words = np.random.default_rng(0).integers(0, 5, 400)
    text = Sentences.from_lists(np.split(words, 20), 5)
    rows = list(work.count_work("block", text, (2, 3, 5), (100, 200), 1))
    pivots = work.pivots_by_order([text, text.split(0.5)[0]], (2, 3, 5))
    tree = [row["pivots"] for row in rows if (row["structure"], row["words"]) == ("tree", text.n)]
    assert pivots[0].tolist() == tree
    cases = [*work.check_work(rows, text.n, text.k), *work.check_positivity(text, text.k, 1)]
    cases += work.check_sublinear(pivots, (2, 3, 5))
    assert not [*work.check_zeros(text, text.k, 1)]  # it has all pairs of words
    cases += work.check_zeros(Sentences.from_lists([[0, 1, 0, 1, 1, 0, 1]], 2), 2, 1)
    steps = pd.DataFrame(growth.time_steps([text, text.split(0.5)[0]], 5, (100,), 1))
    memory = pd.DataFrame(growth.measure_memory([text], 5))
    courses = solvers.compare_solvers(0, text, {"order": 3, "penalty": 1, "passes": 4})
    cases += [*growth.check_steps(steps), *growth.check_memory(memory)]
    cases += growth.check_shared(text, 3, 1)
    return cases + list(solvers.check_solvers(pd.DataFrame(courses)))


@cache
def theory():
    """The cases of the theory alone."""
    return [*check_theory(0)]


def judge(curves, cases=(), blocks=("1",)):
    """Return verdicts on made-up curves: claims, and readings."""
    scores = scores_of_orders(curves, blocks)
    checks = pd.DataFrame([*theory(), *check_scores(scores), *cases])
    results = Results({plan.FIGURE_2: scores}, {}, {"receipt": {}}, checks)
    claims, _, readings = judge_claims(results, SOURCE)
    return claims.set_index("id"), readings


def curves_of(target):
    """A curve for each method of a target, at the orders at which the target fits it."""
    curves = {}
    for file in target.scores[plan.FIGURE_2]:
        _, method, order = re.fullmatch(r"(\d+)-(.+)-(\d+)", Path(file).stem).groups()
        curves.setdefault(method, {})[int(order)] = 5.4
    return curves


def test_each_claim_has_a_verdict_but_those_on_what_is_not_public(targets, work_cases):
    curves = curves_of(targets["structured"])
    assert {order for curve in curves.values() for order in curve} == {2, 3, 5, 8, 12}
    claims, _ = judge(curves, work_cases)
    theirs = claims[claims["by"] == "source"]
    assert len(theirs) == 48
    assert set(theirs[theirs["verdict"] == UNTESTED].index) == EXTERNAL
    assert theirs.loc[list(EXTERNAL), "reason"].str.len().min() > 0
    assert theirs.loc["x-minutes", "published"] == 7583
    assert not (claims["verdict"] == NOT_RUN).any()


def test_claims_on_high_orders_are_not_run_without_them(targets, work_cases):
    low = {
        name: {order: loss for order, loss in curve.items() if order <= 5}
        for name, curve in curves_of(targets["structured"]).items()
    }
    claims, _ = judge({name: curve for name, curve in low.items() if curve}, work_cases)
    left = claims[claims["verdict"] == NOT_RUN]
    assert {"t6", "t11-best", "t12-treeinf", "t13-kn", "ours-12"} <= set(left.index)
    assert left.loc["t6", "reason"] == "figure-2 does not reach order 12"


def test_without_the_text_claims_about_it_are_untestable():
    missing = {"structured-blocks": {"reason": "no network", "remedy": "get it"}}
    texts = {plan.FIGURE_2: ["structured-blocks"], "figure-3": ["structured-blocks"]}
    results = Results({}, {}, missing, pd.DataFrame(theory()), texts)
    claims, _, _ = judge_claims(results, SOURCE)
    found = claims.set_index("id")
    without = ["t1", "t2", "t3", "t3-plain", "t4", "t20"]
    assert set(found.loc[without, "verdict"]) == {REPRODUCED}
    assert not {REPRODUCED, PARTLY, FAILED} & set(found.drop(without)["verdict"])
    on_text = found[(found["exhibit"] == plan.FIGURE_2) & ~found.index.isin(EXTERNAL)]
    assert set(on_text["verdict"]) == {UNTESTED}
    assert set(on_text["reason"]) == {"structured-blocks is not available: no network"}


def test_a_model_that_turns_upwards_degrades_and_a_flat_one_does_not():
    rising, flat = ("ll-l1", "ll-l2", "ll-treeinf"), ("ll-tree2", "ll-treeinf-w")
    as_said = dict.fromkeys(rising, TURNS) | dict.fromkeys(flat, FLAT)
    contrary = dict.fromkeys(rising, FLAT) | dict.fromkeys(flat, TURNS)
    for curves, verdict in ((as_said, REPRODUCED), (contrary, FAILED)):
        claims, _ = judge(curves)
        assert set(claims.loc[["t6", "t7", "t9-later", "t11-wtinf"], "verdict"]) == {verdict}


def test_weighting_of_groups_is_another_reading_of_each_claim_on_weighted_trees():
    """Under it the l-infinity norm of trees does not degrade here, though by default it does."""
    claims, readings = judge({"ll-treeinf-w": TURNS, "ll-treeinf-wp": FLAT})
    assert claims.loc["t11-wtinf", "verdict"] == FAILED
    found = readings.set_index("verdict_of")["verdict"]
    assert found["t11-wtinf | alpha on the groups of the penalty"] == REPRODUCED


def test_other_discounts_of_kneser_ney_are_other_settings():
    better, worse = ({order: loss for order in ORDERS} for loss in (5.3, 5.5))
    curves = {"ll-tree2": FLAT, "ll-treeinf": FLAT, "kn-text": TURNS}
    _, readings = judge(curves | {"kn-text-modified": better, "kn-text-fixed": worse})
    found = readings.set_index("verdict_of")["verdict"]
    for discounts, verdict in (("three discounts", FAILED), ("3/4 at every order", REPRODUCED)):
        assert found[f"t17 | Kneser-Ney with {discounts}"] == verdict
        assert found[f"t8 | Kneser-Ney with {discounts}"] == FAILED


def test_norms_have_to_beat_kneser_ney_from_order_three_on():
    longer = {"kn-text": {order: 5.3 if order == 2 else 5.5 for order in ORDERS}}
    claims, _ = judge({"ll-tree2": FLAT, "ll-treeinf": FLAT} | longer)
    assert claims.loc["t17", "verdict"] == REPRODUCED


def test_work_is_sublinear_if_a_logarithm_fits_it_better_on_every_text():
    logarithm, line = [3.0, 4.0, 5.0, 6.0], [4.0, 8.0, 16.0, 32.0]  # at orders 2, 4, 8, 16
    for pivots, holds in (([logarithm], [True]), ([logarithm, line], [True, False])):
        cases = list(work.check_sublinear(pivots, (2, 4, 8, 16)))
        assert {case["check"] for case in cases} == {"t15"}
        assert [case["holds"] for case in cases] == holds


def test_every_check_has_a_claim_and_every_claim_a_check(targets, work_cases):
    scores = scores_of_orders(curves_of(targets["structured"]))
    computed = {row["check"] for row in (*theory(), *check_scores(scores), *work_cases)}
    asked = {claim.settings["check"] for claim in SOURCE.claims if claim.test == "theory"}
    news = {new for setting in SOURCE.other_settings for new in setting.instead.values()}
    other = {new for new in news if not new.startswith(("kn-", "ll-"))}
    assert asked <= computed <= asked | other
    assert other <= computed
