"""The study of the theory: its oracle, its slopes and bounds, its checks, against sums by hand."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest

from condprob import kl_risk, method
from condprob.synthetic import draw_model, sample_counts
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.theory import checks, coverage, descent, deviation, quantisation, rates
from reproduction.studies.theory.tables import tabulate_rates, tabulate_restarts
from reproduction.study import source_of
from reproduction.verdicts.cases import make_case
from reproduction.verdicts.criteria import FAILED, PARTLY, REPRODUCED, TRIVIAL
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.values import judge_slope, judge_theory


def rows_of(risks, k=50, rank=3, floor=0.0):
    """Scores of Add-1/2-LR with the given risks by n, two trials each."""
    return pd.DataFrame(
        {
            "method": "add-half-lr",
            "k": k,
            "rank": rank,
            "n": n,
            "floor": floor,
            "trial": trial,
            "kl_risk": risk * (1.01 if trial else 0.99),
            "premise": False,
        }
        for n, risk in risks.items()
        for trial in (0, 1)
    )


def test_risks_are_those_of_the_library():
    model = draw_model(12, 2, seed=1)
    rng = np.random.default_rng(2)
    found = {row["method"]: row for row in rates.score_model(rng, model, 400, 2, 300)}
    assert set(found) == {"oracle", "add-half", "add-half-lr"}
    assert all(row["kl_risk"] > 0 for row in found.values())
    counts = sample_counts(model, 400, 3)
    fit = method("add-half-lr", rank=2).fit(counts, seed=0)
    assert rates.risk(model, fit.dense()) == pytest.approx(kl_risk(model.pi, model.P, fit))
    # Eq. (2) cell by cell, with C_ij / C_i: the mean log-likelihood ratio of the counts.
    C, Q = counts.dense(), fit.dense()
    by_hand = (
        sum(
            C[i, j] * np.log(C[i, j] / C[i].sum() / Q[i, j])
            for i, j in product(range(12), repeat=2)
            if C[i, j]
        )
        / C.sum()
    )
    assert rates.empirical_risk(counts, Q) == pytest.approx(by_hand)
    assert np.allclose(rates.add_half(np.array([[0, 1]])), [[0.25, 0.75]])  # (0+.5)/(1+2/2)


def test_a_floor_bounds_the_entries_from_below():
    model = rates.draw_floored(np.random.default_rng(0), 10, 3, 0.5)
    assert model.P.min() >= 0.05
    assert np.allclose(model.P.sum(axis=1), 1)


def test_a_theorem_is_one_claim_of_both_studies():
    """Lemma 5 among them, which no case came near to breaking: it holds trivially."""
    near, own = ({c.id: c for c in source_of(s).claims} for s in ("near_optimal", "theory"))
    shared = near.keys() & own.keys()
    assert {"theorem-2-decrease", "theorem-3", "theorem-4", "theorem-8", "lemma-5"} <= shared
    assert all(near[id] == own[id] for id in shared)
    scores = rows_of({1000: 1.0}).assign(risk_printed=-1e-4, risk_counts=1.0)
    results = Results(checks=pd.DataFrame(rates.check_risks(scores)))
    assert judge_theory(own["lemma-5"], results)[0]["verdict"] == TRIVIAL
    broken = Results(checks=pd.DataFrame(rates.check_risks(scores.assign(risk_printed=1e3))))
    assert judge_theory(own["lemma-5"], broken)[0]["verdict"] == FAILED


@pytest.mark.parametrize(
    ("cases", "verdict"),
    [
        ([(0.02, 0.05), (0.0, 0.01)], REPRODUCED),
        ([(0.02, 0.05), (0.02, 0.01)], PARTLY),
        ([(0.02, 0.05), (0.6, 0.1)], FAILED),
    ],
)
def test_the_interval_of_a_slope_has_to_hold_the_exponent(cases, verdict):
    """A case is how far the slope is from the exponent, and how far its interval reaches."""
    rows = [make_case("theory-slope-n", "a slope", *case) for case in cases]
    (claim,) = (c for c in source_of("theory").claims if c.id == "theory-slope-n")
    assert judge_slope(claim, Results(checks=pd.DataFrame(rows)))[0]["verdict"] == verdict


def test_slopes_of_exact_powers():
    slope, low, high = checks.fit_slope(rows_of({n: 5 / n for n in (100, 1000, 10000)}), "n")
    assert slope == pytest.approx(-1)
    assert low <= slope <= high
    # 100 cases of k m / n = 150 / n: the bounds written out.
    one = rows_of({100: 1.0}).iloc[:1]
    assert rates.rate(one).iloc[0] == pytest.approx(1.5)
    assert rates.upper_bound(one).iloc[0] == pytest.approx(3100 * 1.5 * np.log(250) ** 2)
    assert rates.bound_of_lemma_5(one).iloc[0] == pytest.approx(0.5 + 1.5 * np.log(250))


def test_the_slope_of_a_factor_is_that_of_the_ratio_with_trials_paired():
    # Risks that go as k and as k^2: their ratio has slope 1, and no spread, for trials are paired.
    parts = [
        rows_of({1000: k / 10}, k=k).assign(
            method=id, kl_risk=lambda rows, p=power: rows["kl_risk"] * p
        )
        for k in (20, 40, 80)
        for id, power in (("add-half-lr", 1), ("add-half", k))
    ]
    scores = pd.concat(parts)
    own, direct = (scores[scores["method"] == id] for id in ("add-half-lr", "add-half"))
    assert checks.fit_slope(direct, "k", own) == pytest.approx((1, 1, 1))
    cases = {case["check"]: case["holds"] for case in checks.check_slopes(scores)}
    assert cases["theory-factor"] is True
    flat = scores.assign(kl_risk=scores["kl_risk"].where(scores["method"] != "add-half", 1.0))
    cases = {case["check"]: case["holds"] for case in checks.check_slopes(flat)}
    assert cases["theory-factor"] is False


def with_risks(rows):
    """The same rows with empirical risks of zero."""
    return rows.assign(risk_printed=0.0, risk_counts=0.0)


def test_the_upper_bound_is_of_the_models_that_meet_its_premise():
    rows = with_risks(rows_of({1000: 1.0})).assign(premise=[False, True])
    cases = [case for case in rates.check_risks(rows) if case["check"] == "theorem-3"]
    assert [case["value"] for case in cases] == [1.01]
    assert cases[0]["case"].endswith("1 of 2 models with its premise")
    cases = rates.check_risks(rows.assign(premise=False))
    assert not any(case["check"] == "theorem-3" for case in cases)


def test_a_slope_that_is_off_and_a_risk_below_the_lower_bound_are_found():
    # log^2(2n + 50) / n, the upper bound, falls with a slope of about -0.8 here.
    for power, holds in ((1, True), (0.9, True), (0.5, False), (1.2, False)):
        rows = rows_of({n: 150 / n**power for n in (1000, 3000, 10000)})
        (case,) = checks.check_slopes(rows)
        assert (case["check"], case["holds"]) == ("theory-slope-n", holds)
    low = with_risks(rows_of({n: 0.05 * 150 / n for n in (1000, 3000, 10000)}))
    cases = [c["holds"] for c in rates.check_risks(low) if c["check"] == "theorem-4"]
    assert cases == [False] * 3


def test_the_table_of_rates_has_the_slope_of_its_sweep():
    class Given:
        scores = rows_of({n: 150 / n for n in (1000, 3000, 10000)})

    table = tabulate_rates(Given)
    assert table["slope"].tolist() == pytest.approx([-1] * 3)
    assert table["constant"].tolist() == pytest.approx([1] * 3)
    assert set(table["slope_of"]) == {"n"}


def test_the_slope_vanishes_at_a_fixed_point():
    """It is compared with differences of Eq. (3) in the tests of the theorems."""
    counts = sample_counts(draw_model(6, 2, seed=0), 200, 1)
    settled = method("add-half-lr", rank=2, iterations=5000).fit(counts, seed=0)
    assert descent.slope_of(counts, settled) < 1e-7


def test_a_fit_followed_in_steps_is_the_fit_in_one_go():
    counts = sample_counts(draw_model(8, 2, seed=0), 300, 1)
    whole = method("add-half-lr", rank=2, iterations=40).fit(counts, seed=5)
    rows = list(descent.follow("add-half-lr", counts, 2, "random", 40, 5))
    assert rows[-1]["objective"] == pytest.approx(whole.history[-1], abs=1e-12)
    assert all(a["objective"] >= b["objective"] for a, b in pairwise(rows))
    assert rows[0]["iteration"] == 1
    assert 0 < rows[-1]["moved"] < rows[0]["moved"]


class Course:
    """In place of a method: its fits have a given course of the objective."""

    def __init__(self, course):
        self.history = np.concatenate([[np.nan], course])

    def fit(self, counts, rng):
        return self


@pytest.mark.parametrize(
    ("course", "recurs", "drifts"),
    [
        ([0, 1, 2] * 4, 0, 0),  # a cycle of three
        (range(12), 1, 6),  # the objective a step before is off by one; means of 2.5 and 8.5
        ([0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0], 5, 5 / 6),  # once, and never again
    ],
)
def test_what_the_objective_does_later_on(monkeypatch, course, recurs, drifts):
    monkeypatch.setattr(descent, "method", lambda id, **options: Course(list(course)))
    fit = method("ad-lr", rank=2, iterations=1).fit(np.eye(3, dtype=int), seed=0)
    told = descent.watch("ad-lr", None, fit, 0, further=6)
    assert told == {"recurs": pytest.approx(recurs), "drifts": pytest.approx(drifts)}


def test_starts_are_compared_where_they_end_in_different_minima():
    rows = [
        (100, 0, "clusters", 1.5, 9.0),
        (100, 0, "0", 1.0, 2.0),
        (100, 0, "1", 2.0, 3.0),
        (100, 0, "2", 3.0, 4.0),
        (100, 1, "clusters", 1.0, 1.0),
        (100, 1, "0", 1.0, 1.0),
        (100, 1, "1", 1.0, 1.0),
    ]
    scores = pd.DataFrame(rows, columns=["n", "trial", "start", "objective", "kl_risk"])
    (row,) = checks.compare_starts(scores).to_dict("records")
    # Random starts: median risk 3 against the 2 of objective 1; median objective 2 against 1.5.
    assert row == {"n": 100, "typical": 0.5, "clusters": 0.5}
    both = pd.concat([scores[:4], scores[:4].assign(trial=2)])
    cases = {case["check"]: case["holds"] for case in checks.check_restarts(both)}
    assert cases == {"theory-starts-typical": False, "theory-starts-clusters": True}

    class Given:
        pass

    Given.scores = scores
    table = tabulate_restarts(Given)
    assert table["ratio"].tolist() == [4.5, 1, 1.5, 2, 1, 1, 1]
    assert table["gap"].tolist() == [0.5, 0, 1, 2, 0, 0, 0]


def test_a_class_is_enumerated_whole():
    # k = 2, m = 1, L = 2: both rows alike, (0, 1), (1/2, 1/2) or (1, 0); one has no zero.
    assert len(deviation.enumerate_class(2, 1, 2, -1)) == 3
    assert deviation.enumerate_class(2, 1, 2, 0.1).tolist() == [[[0.5, 0.5], [0.5, 0.5]]]
    with pytest.raises(ValueError, match="too many"):
        deviation.enumerate_class(3, 3, 20, 0)


def test_the_supremum_is_that_of_a_plain_loop():
    given = {"k": 2, "rank": [1], "levels": 4, "n": [50], "draws": 1}
    (row,) = deviation.score_deviation(7, given)
    # The same draws, then every member of the class by hand.
    rng = np.random.default_rng(spawn_seed(7, "theory", "deviation", 1))
    model = draw_model(2, 1, seed=rng)
    P = 0.25 + 0.5 * model.P
    joint = model.pi[:, None] * P
    shares = rng.multinomial(50, joint.ravel()).reshape(2, 2) / 50
    found = []
    for share in (1, 2, 3):
        Q = np.tile([share / 4, 1 - share / 4], (2, 1))
        risk = (joint * np.log(P / Q)).sum()
        found.append((risk - (shares * np.log(P / Q)).sum()) / np.sqrt(risk))
    assert row["deviation"] == pytest.approx(max(found))


def test_quantising_moves_what_the_lemma_says_and_the_hard_case_more():
    given = {"k": 40, "rank": [40], "levels": [80_000], "draws": 1}
    random, hard = quantisation.score_quantisation(1, given)
    assert random["entry"] * 80_000 <= 3
    assert hard["entry"] * 80_000 == pytest.approx(40 / 4 + 1, rel=0.01)  # (m + 4) / 4L
    cases = {c["check"]: c["holds"] for c in quantisation.check_quantisation(pd.DataFrame([hard]))}
    assert cases["lemma-7-matrix"] is False
    assert cases["lemma-7-mended"] is True


def test_the_bound_of_theorem_8_written_out():
    rows = pd.DataFrame(
        [{"k": 2, "rank": 1, "n": 10**6, "levels": 10, "epsilon": 0.01, "delta": 0.25}]
    )
    log = np.log(100)
    spread = 20 * log + 2 * 0.1 * np.sqrt(10 * log / 0.25)
    expected = np.exp(-(10**6) * 0.01 / spread + 4 * np.log(11))
    assert deviation.tail_bound(rows, 0.1) == pytest.approx(expected)
    assert deviation.tail_bound(rows, 1e-6) == 1


@pytest.mark.parametrize("dtype", ["str", object])
def test_where_no_text_could_be_had_all_scores_are_of_drawn_models(dtype):
    scores = pd.DataFrame({"method": pd.Series(["ad-lr", "add-half-lr"], dtype=dtype)})
    assert checks.name_texts(scores)["corpus"].tolist() == ["a drawn model"] * 2
    scores["corpus"] = pd.Series(["genesis", None], dtype=dtype)
    assert checks.name_texts(scores)["corpus"].tolist() == ["genesis", "a drawn model"]


def test_intervals_hold_the_truth_that_the_drawn_losses_have():
    """400 intervals of a cell: .95 within 4 standard errors of .011; runs of words are no claim."""
    how = {"contexts": [5], "words": [300], "models": 2, "draws": 200}
    scores = pd.DataFrame(coverage.score_intervals(0, how))
    assert len(scores) == 2 * 2 * (3 + 5)
    claimed = scores[~scores["data"].str.startswith("text, runs")]
    held = claimed.groupby(["quantity", "data"])["held"].mean()
    assert (abs(held - 0.95) < 0.045).all(), held
    warned = scores.groupby("data")["warned"].mean()
    assert warned["text, independent words"] < 0.05
    assert warned["text, runs of 100 words"] > 0.3  # three subjects in a text, on average
    assert (warned[~warned.index.str.startswith("text")] == 0).all()


def test_coverage_is_judged_cell_by_cell():
    rows = [("seen", "a", 5, 0.92), ("seen", "a", 5, 0.94), ("seen", "a", 9, 0.9), ("x", "a", 5, 1)]
    scores = pd.DataFrame(rows, columns=["quantity", "data", "size", "held"])
    cases = list(checks.check_coverage(scores, "posterior"))
    assert [case["holds"] for case in cases] == [True, False, False]  # .93, .9 and 1: off .02
    assert {case["check"] for case in cases} == {"theory-posterior"}
    runs = scores.assign(data="text, runs of 5 words", size=100)
    found = {case["check"] for case in checks.check_coverage(runs, "intervals")}
    assert found == {"theory-intervals-runs"}
    short = scores.assign(data="text, runs of 100 words", size=1999)
    assert not list(checks.check_coverage(short, "intervals"))  # 20 subjects are needed
