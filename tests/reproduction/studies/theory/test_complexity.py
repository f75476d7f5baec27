"""Sample complexity and the worst model found, against formulas and sums by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from condprob import method
from condprob.synthetic import draw_model, sample_counts
from reproduction.studies.theory import complexity, rates

WORST = {"k": 5, "rank": 2, "n": [30], "searches": 2, "steps": 4, "samples": 3, "draws": 3}
FITS = {"starts": 1, "iterations": 30}


def needed_scores(risk):
    """Scores of two trials, of the given mean risk, at each size."""
    return pd.DataFrame(
        {
            "k": k,
            "rank": m,
            "n": n,
            "trial": trial,
            "case": complexity.NEEDED,
            "kl_risk": risk(k, m, n) * (1.1 if trial else 0.9),
        }
        for k, m, n in product((10, 20, 40), (2, 3), (100, 1000, 10000, 100000))
        for trial in (0, 1)
    )


def worst_scores():
    return pd.DataFrame(complexity.score_worst(7, WORST | FITS))


def test_a_curve_is_crossed_where_the_line_between_two_points_has_the_height():
    curves = np.array([[4.0, 2.0, 0.0], [4.0, 3.0, 2.5], [1.0, 0.5, 0.0], [4.0, 1.0, 3.0]])
    found = complexity.cross(np.array([0.0, 1.0, 3.0]), curves, 1.5)
    # 2 to 0 over 1 to 3: 1.5. Never below; below from the start on; 4 to 1 over 0 to 1: 2.5 / 3.
    np.testing.assert_allclose(found, [1.5, np.nan, np.nan, 2.5 / 3])


def test_the_pairs_needed_by_a_risk_of_km_over_n_are_km_over_epsilon():
    needed = complexity.find_needed(needed_scores(lambda k, m, n: k * m / n))
    assert len(needed.table) == 3 * 2 * 3
    expected = needed.table["k"] * needed.table["rank"] / needed.table["epsilon"]
    np.testing.assert_allclose(needed.table["n"], expected)
    together, each, _ = complexity.sizes_of(needed.table)
    ((_, slope, low, high),) = needed.fit_exponents(together)
    assert slope == pytest.approx(1)
    assert low < 1 < high
    assert [e[1] for e in needed.fit_exponents(each)] == pytest.approx([1, 1, -1])


@pytest.mark.parametrize(("power", "holds"), [(1, True), (2, False)])
def test_an_exponent_that_is_off_is_found(power, holds):
    scores = needed_scores(lambda k, m, n: (k * m) ** power / n)
    both = pd.concat([scores, worst_scores()])
    cases = {c["check"]: c["holds"] for c in complexity.check_complexity(both)}
    assert cases["theory-complexity"] is holds


@pytest.mark.parametrize(("k", "rank"), [(6, 1), (6, 2), (7, 3)])
def test_the_dimension_is_the_rank_of_the_derivative_of_a_product(k, rank):
    """Rows keep their sum: directions add up to zero in each of them."""
    model = draw_model(k, rank, seed=0)
    directions = []
    for i, j in product(range(k), range(rank - 1)):
        move = np.zeros((k, rank))
        move[i, j], move[i, -1] = 1, -1
        directions.append((move @ model.B).ravel())
    for i, j in product(range(rank), range(k - 1)):
        move = np.zeros((rank, k))
        move[i, j], move[i, -1] = 1, -1
        directions.append((model.A @ move).ravel())
    sizes = pd.DataFrame({"k": [k], "rank": [rank]})
    assert np.linalg.matrix_rank(np.array(directions)) == complexity.dimension(sizes)[0]


def test_samples_of_a_trial_grow():
    given = FITS | {"k": [4], "rank": [2], "pairs": [5, 20], "trials": 2}
    rows = pd.DataFrame(complexity.score_needed(7, given))
    assert rows["n"].tolist() == [40, 160, 40, 160]
    assert (rows["kl_risk"] > 0).all()


def test_a_changed_row_is_the_only_change_and_sums_to_one():
    rng, model = np.random.default_rng(0), draw_model(5, 2, seed=0)
    for _ in range(30):
        changed = complexity.change_row(rng, model)
        rows = [np.vstack([m.A @ m.B, m.pi]) for m in (model, changed)]
        np.testing.assert_allclose(rows[1].sum(axis=1), 1)
        moved = [
            np.any(np.atleast_2d(getattr(model, part) != getattr(changed, part)), axis=1).sum()
            for part in ("pi", "A", "B")
        ]
        assert sum(moved) == 1


def test_a_search_ends_no_lower_than_it_began():
    seeds = np.random.SeedSequence(3).spawn(4)
    given = {"iterations": 30, "steps": 0}
    ends = {}
    for steps in (0, 20):
        rng = np.random.default_rng(5)
        model, ends[steps] = complexity.find_worst(rng, 5, 2, 30, given | {"steps": steps}, seeds)
    assert ends[20] > ends[0]
    fit = method("add-half-lr", rank=2, iterations=30).fit
    by_hand = [rates.risk(model, fit(sample_counts(model, 30, s), s).dense()) for s in seeds]
    assert ends[20] == pytest.approx(np.mean(by_hand))


def test_the_worst_is_chosen_by_the_search_and_judged_by_new_samples():
    scores = worst_scores()
    assert len(scores) == 3 + 2 * 3
    ((n, drawn, worst),) = complexity.worst_of(scores)
    assert (n, len(drawn), len(worst)) == (30, 3, 3)
    assert worst["searched"].nunique() == 1
    assert worst["searched"].iloc[0] == scores["searched"].max()
    low = scores.assign(kl_risk=1e-9)
    both = pd.concat([needed_scores(lambda k, m, n: k * m / n), low])
    cases = {c["check"]: c["holds"] for c in complexity.check_complexity(both)}
    assert cases["theory-worst-lower"] is False
    assert cases["theory-worst-upper"] is True
