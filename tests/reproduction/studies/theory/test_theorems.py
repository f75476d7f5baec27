"""The checks of the theory themselves: on slow and independent computations."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from condprob import CountMatrix
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.studies.theory import identities, statements, theorems
from reproduction.studies.theory.cases import LARGEST_SLOPE_AT_REST
from reproduction.studies.theory.quantisation import hard_factors, quantise
from reproduction.studies.theory.theorems import check_theorems
from reproduction.verdicts.cases import COLUMNS
from reproduction.verdicts.source import THEOREMS


@pytest.fixture(scope="module")
def checks():
    return pd.DataFrame(check_theorems(1))[[*COLUMNS]]


def slope_of(C, W, H):
    """Return the slope of Eq. (3) at two factors, of the seen pairs."""
    counts = CountMatrix.from_dense(C)
    fit = SimpleNamespace(W=W, H=H, at=lambda i, j: (W @ H)[i, j])
    return theorems.slope_of(counts, fit)


@pytest.mark.parametrize("L", [2, 5, 9])
@pytest.mark.parametrize("seed", range(5))
def test_quantised_is_the_nearest_of_all_types(seed, L):
    p = np.random.default_rng(seed).dirichlet(np.ones(4))
    types = [np.array(t) / L for t in product(range(L + 1), repeat=4) if sum(t) == L]
    nearest = min(abs(p - t).sum() for t in types)
    q = quantise(p, L)
    assert q.sum() == pytest.approx(1)
    assert np.allclose(q * L, np.round(q * L))
    assert abs(p - q).sum() == pytest.approx(nearest)


@pytest.mark.parametrize("m", [8, 9, 20, 21, 40])
def test_hard_factors_are_distributions_and_break_the_lemma_from_rank_9_on(m):
    L = 200_000
    A, B = hard_factors(m, L)
    for factor in (A, B):
        assert (factor >= 0).all()
        assert factor.sum(axis=1) == pytest.approx(1)
    Q = A @ B
    quantised = [np.array([quantise(row, L) for row in factor]) for factor in (A, B)]
    moved = abs(quantised[0] @ quantised[1] - Q).max() * L
    # Half of the entries of a row of A gain what the others lose, in units of 1/L; and outcome 0 of
    # each row of B gains nearly one.
    up = m // 2
    assert moved == pytest.approx(up * (m - up) / m + 1, rel=0.01)
    assert moved <= (m + 4) / 4
    assert (moved > 3) == (m > 8)
    risk = abs(np.log(quantised[0] @ quantised[1] / Q)).max() * L * Q.min()
    assert (risk > 6) == (m > 20)


def test_slope_is_the_gradient_of_the_printed_objective():
    rng = np.random.default_rng(3)
    C = rng.integers(1, 6, (5, 5)).astype(float)
    W, H = rng.dirichlet(np.ones(2), 5), rng.dirichlet(np.ones(5), 2)

    def objective(W, H):  # Eq. (3) but for what does not depend on the factors
        return (-(C * np.log(W @ H)).sum() - 0.5 * (np.log(W).sum() + np.log(H).sum())) / C.sum()

    largest, step = 0.0, 1e-6
    for which, factor in enumerate((W, H)):
        for i, row in enumerate(factor):
            for j in range(len(row)):
                # Along the simplex: entry j grows in proportion to itself, then normalise.
                factors = [W.copy(), H.copy()]
                factors[which][i, j] *= 1 + step
                factors[which][i] /= factors[which][i].sum()
                largest = max(largest, abs(objective(*factors) - objective(W, H)) / step)
    assert slope_of(C, W, H) == pytest.approx(largest, rel=1e-4)


def test_other_optimiser_reaches_what_em_reaches():
    rng = np.random.default_rng(5)
    C = rng.integers(0, 4, (6, 6)).astype(float)
    W, H = theorems._minimise(C, 2, rng)
    assert slope_of(C, W, H) < LARGEST_SLOPE_AT_REST


def test_every_statement_of_the_theory_is_computed(checks):
    stated = {
        claim.id
        for claim in SOURCE.claims
        if claim.exhibit == THEOREMS and claim.test != "external"
    }
    beside = {"lemma-5-counts", "lemma-7-mended", "add-half-vectors-exact"}
    assert set(checks["check"]) == stated | beside


def test_statements_that_hold_and_do_not(checks):
    broken = {
        "add-half-section-7",
        "add-half-vectors-exact",
        "empirical-risk-infinite",
        "lemma-5-counts",
        "lemma-7-matrix",
        "lemma-7-norm",
        "lemma-7-risk",
        "soft-discounting",
    }
    assert set(checks.loc[~checks["holds"].astype(bool), "check"]) == broken


def test_premise_of_theorem_3_holds_where_it_is_tested(checks):
    for case in checks[checks["check"] == "theorem-3"].itertuples():
        assert case.n > case.k**2 * case.rank * np.log(2 * case.n + case.k)


def test_edge_of_soft_discounting_loses_alpha_for_each_outcome(checks):
    edge = checks[checks["case"].str.startswith("every count one or more")].iloc[0]
    # The sum is 1 - 30 * 3/4 / S, and S is between 30 and 100.
    assert 0.75 * 30 / 100 < edge["value"] < 0.75


def test_worst_risks_are_of_every_probability_and_count():
    """One pair, p = 1/2: either count is as likely, and estimated by 1/4 and 3/4.

    The KL risk is 1/2 log 2 + 1/2 log(2/3). At p = 0 the count is 0, and the risk log(4/3).
    """
    p = np.array([0.5, 0.0])
    chances = np.column_stack([1 - p, p])
    found = statements._risks(p, chances, np.array([0.25, 0.75]))
    assert found == pytest.approx([0.5 * np.log(2) + 0.5 * np.log(2 / 3), np.log(4 / 3)])


def test_optimal_up_to_a_constant_and_not_the_least(checks):
    """Known for large n: the least worst risk is 1/2n, and that of Add-1/2 a few per cent above."""
    exact = checks[checks["check"] == "add-half-vectors-exact"].set_index("n")
    assert exact.loc[400, "bound"] * 400 == pytest.approx(0.5, abs=0.01)
    assert 1.0 < exact.loc[400, "share"] < 1.1
    assert (checks.loc[checks["check"] == "add-half-vectors", "share"] > 0.5).all()


def test_pinsker_is_tight_where_it_is_hard(checks):
    """Near the uniform distribution KL is l1 squared over two, up to its third order."""
    hard = checks[(checks["check"] == "pinsker") & checks["case"].str.startswith("hard")]
    assert hard["share"].to_numpy() == pytest.approx(1, abs=1e-5)


def test_halves_of_the_naive_method_are_shared_by_the_classes(checks):
    """40 contexts add 40 halves to each outcome; m classes have 20 / m of them on average."""
    cases = checks[checks["check"] == "naive-oversmooths"]
    assert [case.split()[0] for case in cases["case"]] == [f"{20 / m:.3g}" for m in cases["rank"]]


def test_checks_do_not_depend_on_each_other():
    alone = pd.DataFrame(check_theorems(1, [theorems.check_soft_counts]))[[*COLUMNS]]
    together = pd.DataFrame(check_theorems(1, [theorems.check_entries, theorems.check_soft_counts]))
    together = together[together["check"] == "soft-counts"][[*COLUMNS]].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, together)


def test_the_middle_of_two_orders_of_the_classes_by_hand():
    """The identity's loss is zero; halfway every entry is 1/2, with a loss of log 2 a pair."""
    same, swap = np.eye(2), np.eye(2)[::-1]
    assert identities._loss(np.eye(2), same, same) == 0
    assert identities._above_chord(np.eye(2), (same, same), (swap, swap)) == pytest.approx(
        np.log(2)
    )


def test_a_concave_function_would_break_convexity_in_each(monkeypatch):
    loss = identities._loss
    monkeypatch.setattr(identities, "_loss", lambda *given: -loss(*given))
    cases = pd.DataFrame(check_theorems(0, [identities.check_convexity]))
    assert not cases["holds"].any()


def test_deviations_leave_the_sums_of_rows():
    P = np.random.default_rng(0).dirichlet(np.ones(6), 6)
    d = identities._deviations(np.random.default_rng(1), P, 0.1)
    assert (P * (1 + d)).sum(axis=1) == pytest.approx(1)
    assert abs(d).max() == pytest.approx(0.1)
