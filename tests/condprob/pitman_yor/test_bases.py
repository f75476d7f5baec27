"""Components of the base: their factors, where they begin, and the course of their fits."""

import numpy as np
import pytest
import reference
from inputs import random_counts, random_start

from condprob import CountMatrix, method
from condprob.kneser_ney import KneserNey
from condprob.pitman_yor.bases import (
    KINDS,
    Background,
    Fitting,
    LowRankBase,
    fit_components,
    is_low_rank,
)

COUNTS = random_counts(3, 20, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)
START = random_start(4, 20, 3)


def fitting(iterations, initial=START, tol=1e-100):
    return Fitting(initial, iterations, iterations, tol, "leave-one-out", 1)


@pytest.mark.parametrize("iterations", [1, 2, 7])
@pytest.mark.parametrize("counts", [COUNTS, REAL], ids=["whole", "real"])
def test_factors_by_types_are_the_slow_formula(counts, iterations):
    found = KINDS["types"].fit(counts, 3, 1, fitting(iterations))
    W, H = reference.types_base(counts.dense(), *START, iterations)
    np.testing.assert_allclose(found.W @ found.H, W @ H, rtol=1e-6)
    contexts, outcomes = np.array([3, 0, 19]), np.array([0, 7, 19])
    np.testing.assert_allclose(found.at(contexts, outcomes), (W @ H)[contexts, outcomes], rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_course_begins_with_the_risk_of_the_start(kind):
    # sum C log((C_ij / C_i) / (W H)_ij) over the pairs, by the token; of types each counts once.
    C = np.minimum(COUNTS.dense(), 1) if kind.startswith("types") else COUNTS.dense()
    i, j = np.nonzero(C)
    share = C[i, j] / C.sum(axis=1)[i]
    risk = C[i, j] @ np.log(share / (START[0] @ START[1])[i, j]) / C.sum()
    if kind == "add-half-lr":  # and the penalty of Eq. (3)
        risk -= 0.5 * sum(np.log(factor).sum() for factor in START) / C.sum()
    found = KINDS[kind].fit(COUNTS, 3, 1, fitting(5))
    assert found.history[0] == pytest.approx(risk)


@pytest.mark.parametrize("kind", KINDS)
def test_the_course_of_a_short_fit_is_the_beginning_of_a_longer_one(kind):
    # Of leaving out, the iterations alone: the risk with nothing left out is not in it.
    short, longer = (KINDS[kind].fit(COUNTS, 3, 1, fitting(t)).history for t in (4, 9))
    assert short.size in (4, 5)
    np.testing.assert_allclose(short, longer[: short.size])
    assert longer.size == short.size + 5


@pytest.mark.parametrize("kind", KINDS)
def test_a_fit_that_ends_by_its_tolerance_moved_by_less(kind):
    tol = 1e-4
    history = KINDS[kind].fit(COUNTS, 3, 1, fitting(3000, tol=tol)).history
    moved = abs(np.diff(history))
    assert history.size < 3000
    # EM sees it one iteration late, and AD-LR's risk may then move again.
    assert moved[-2:].min() < tol
    assert (moved[:-2] >= tol).all()


@pytest.mark.parametrize("discount", [None, 0.3, "estimated", "modified"])
def test_backgrounds_are_one_row_for_all(discount):
    C = COUNTS.dense()
    expected = {
        "continuation": reference.continuation(C, "modified" if discount is None else discount),
        "unigram": reference.absolute_discount(C.sum(axis=0)),
        "uniform": np.full(20, 1 / 20),
    }
    for name, row in expected.items():
        found = Background(name, discount).fit(COUNTS)
        np.testing.assert_allclose(found.W @ found.H, np.tile(row, (20, 1)))
        assert found.history.size == 0
    lower = KneserNey(0.75).discounted(REAL).lower
    np.testing.assert_allclose(Background("continuation").fit(REAL).H[0], lower)


def test_components_are_fitted_in_turn_and_go_on_from_where_others_ended():
    components = [LowRankBase("ad-lr", 3), Background("uniform")]
    assert is_low_rank(components).tolist() == [True, False]
    assert [one.name for one in components] == ["ad-lr 3", "uniform"]
    rng = np.random.default_rng(1)
    begun = fit_components(components, COUNTS, fitting(4), rng, None)
    gone_on = fit_components(components, COUNTS, fitting(5, "random"), rng, None, begun)
    with_all = method("ad-lr", rank=3, iterations=9, initial=START).fit(COUNTS)
    np.testing.assert_allclose(gone_on[0].W @ gone_on[0].H, with_all.dense(), rtol=1e-9)
    np.testing.assert_array_equal(gone_on[1].H, begun[1].H)
