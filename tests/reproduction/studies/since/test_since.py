"""The study of estimators since 2016: its chains, its choices, and bounds that can fail."""

import numpy as np
import pandas as pd
import pytest

from condprob import draw_model, sample_counts
from condprob.risk import kl_risk
from reproduction.studies.since.chains import (
    SMOOTHERS,
    average,
    count_transitions,
    draw_chain,
    natural,
    walk,
)
from reproduction.studies.since.checks import check_bias, check_blocks, check_slopes
from reproduction.studies.since.scoring import find_bias, score_fits
from reproduction.studies.since.tables import split_name, summarise


def test_the_mean_of_add_one_is_over_all_suffixes():
    states = np.array([0, 1, 1, 2, 0, 1])
    slow = []
    for start in range(len(states) - 2, -1, -1):
        counts = count_transitions(states[start:], 3)
        slow.append((counts[1] + 1) / (counts[1].sum() + 3))
    np.testing.assert_allclose(average(states, 3), np.mean(slow, axis=0), rtol=1e-12)
    # After state 1 came 1 and 2: all five transitions give (0 + 1, 1 + 1, 1 + 1) / 5.
    found = SMOOTHERS["laplace"](count_transitions(states, 3))[1]
    np.testing.assert_allclose(found, [0.2, 0.4, 0.4])


def test_a_chain_is_reversible_and_its_gap_is_in_proportion():
    """``pi_i P_ij`` is symmetric, and the eigenvalues of R move to ``1 - gap + gap e``."""
    for gap in (0.1, 1.0):
        pi, P = draw_chain(np.random.default_rng(1), 6, gap)
        np.testing.assert_allclose(pi[:, None] * P, (pi[:, None] * P).T, atol=1e-15)
        np.testing.assert_allclose(pi @ P, pi, atol=1e-15)
        whole = np.sort(np.linalg.eigvals(draw_chain(np.random.default_rng(1), 6, 1.0)[1]).real)
        found = np.sort(np.linalg.eigvals(P).real)
        np.testing.assert_allclose(found, 1 - gap + gap * whole, atol=1e-12)
    states = walk(np.random.default_rng(2), pi, P, 20_000)
    shares = count_transitions(states, 6).sum(axis=1) / (states.size - 1)
    np.testing.assert_allclose(shares, pi, atol=0.02)


def test_the_best_natural_estimator_gives_equal_counts_their_mean():
    found = natural(np.array([0.5, 0.2, 0.2, 0.1]), np.array([2, 0, 1, 0]))
    np.testing.assert_allclose(found, [0.5, 0.15, 0.2, 0.15])


def test_an_oracle_is_no_worse_and_every_choice_has_a_row():
    model = draw_model(15, 2, seed=1)
    counts = sample_counts(model, 300, 1)
    entry = {"method": "nuclear-ml", "criterion": "held-out"}

    def risk_of(matrix):
        return kl_risk(model.pi, model.P, matrix)

    found = {row["method"]: (matrix, trials) for row, matrix, trials in
             score_fits("it", entry, counts, 2, 3, risk_of)}  # fmt: skip
    assert set(found) == {"it", "it-unbiased", "it-oracle"}
    assert all(risk_of(found["it-oracle"][0]) <= risk_of(each[0]) for each in found.values())
    trials = found["it-unbiased"][1]
    losses = [-(counts.row_sums @ (model.P * np.log(t.matrix.dense())).sum(axis=1)) for t in trials]
    bias = np.mean([trial.unbiased for trial in trials]) - np.mean(losses) / counts.n
    assert find_bias(model, counts, trials) == pytest.approx(bias)


def test_regret_is_against_the_best_without_an_oracle():
    rows = [
        {"corpus": "uniform", "k": 5, "rank": 2, "n": 50, "trial": trial, "method": name,
         "kl_risk": value + 0.01 * trial, "total_variation": 1.0, "seconds": 1.0, "found": 2}
        for trial in (0, 1) for name, value in (("a", 0.3), ("b", 0.2), ("b-oracle", 0.1))
    ]  # fmt: skip
    table = summarise(pd.DataFrame(rows)).set_index("method")
    np.testing.assert_allclose(table.loc[["a", "b", "b-oracle"], "regret"], [0.1, 0, -0.1])
    assert table.loc["b", "of_choice"] == pytest.approx(0.1)
    assert split_name("b-oracle") == ("b", "-oracle")


def test_cases_can_fail():
    place = {"corpus": "uniform", "k": 10, "rank": 2, "method": "blocks"}
    flat = pd.DataFrame([place | {"n": n, "kl_risk": 0.1} for n in (200, 2000)])
    fallen = flat.assign(kl_risk=20 / flat["n"])  # a slope of -1
    for rows, holds in ((flat, False), (fallen, True)):
        (case,) = check_slopes("it", rows, "blocks", "kl_risk", -1)
        assert case["holds"] == holds
    # log(10) sqrt(20 / 200) = .728
    for value, holds in ((0.72, True), (0.73, False)):
        (case,) = check_blocks(pd.DataFrame([place | {"n": 200, "total_variation": value}]))
        assert case["holds"] == holds
    for bias, holds in (([0.01, 0.03], True), ([0.029, 0.031, 0.03], False)):
        place |= {"method": "nuclear-ml-unbiased", "n": 200}
        (case,) = check_bias(pd.DataFrame([place | {"bias": each} for each in bias]))
        assert (case["check"], case["holds"]) == ("bigot-unbiased", holds)
