"""Recommendations among given items, ratings within their scale, and draws of test data."""

import numpy as np
import pandas as pd
import pytest

from condprob import CountMatrix, complete, fit, load, method
from condprob.splits import choose_pairs, halve, split_text

PAIRS = [("ann", "tea")] * 4 + [("ann", "milk")] * 2 + [("bob", "milk"), ("bob", "gin")]
PAIRS += [("eve", "rum"), ("eve", "tea")]
ESTIMATE = fit(PAIRS, method="add-half")
IN_STOCK = ["gin", "rum", "new"]


@pytest.mark.parametrize("kind", [list, set, np.array, pd.Series, pd.Index])
def test_top_is_among_given_items(kind):
    among = kind(IN_STOCK)
    row = ESTIMATE.row("bob")
    expected = [(item, row[item]) for item in ("gin", "rum")]
    assert ESTIMATE.top("bob", among=among) == expected
    assert ESTIMATE.top("bob", 1, among=among) == expected[:1]
    assert ESTIMATE.top("bob", among=among, exclude=PAIRS) == expected[1:]
    assert ESTIMATE.top("bob", among=among, exclude="gin") == expected[1:]
    assert ESTIMATE.top(["bob"], among=among, exclude={"bob": ["rum"]}) == {"bob": expected[:1]}
    assert ESTIMATE.recommend(PAIRS, among=among)["bob"] == expected[1:]


def test_among_nothing_that_is_known_is_nothing():
    assert ESTIMATE.top("bob", among=[]) == []
    assert ESTIMATE.top("bob", among=["new"]) == []
    assert ESTIMATE.top("bob", 1, among="tea") == [("tea", ESTIMATE.prob("bob", "tea"))]


@pytest.mark.parametrize("among", [PAIRS, {"bob": ["gin"]}, pd.DataFrame(PAIRS), ("gin", "rum")])
def test_among_takes_items_and_no_pairs(among):
    with pytest.raises(ValueError, match="among = "):
        ESTIMATE.top("bob", among=among)


def test_a_model_in_numbers_is_asked_among_outcomes():
    matrix = method("add-half").fit(CountMatrix.from_dense([[3, 0, 1], [0, 2, 5]]))
    best, chances = matrix.top([0, 1], 2, among=[1, 2])
    assert best.tolist() == [[2, 1], [2, 1]]
    np.testing.assert_array_equal(chances, matrix.dense()[[[0], [1]], best])
    assert matrix.top(0, 3, among=[1], exclude=[1])[0].tolist() == [-1, -1, -1]
    with pytest.raises(ValueError, match="among contain 3"):
        matrix.top(0, among=[3])


STARS = [("ann", "up", 1), ("ann", "duck", 2), ("bob", "up", 2), ("bob", "duck", 4)]
STARS += [("cem", "up", 3)]
HOW = {"rank": 1, "biases": "none", "ridge": 0, "passes": 2000}


def test_ratings_are_clipped_to_their_scale_where_one_is_given(tmp_path):
    free, within = complete(STARS, **HOW), complete(STARS, scale=(1, 4), **HOW)
    assert free.predict("cem", "duck") == pytest.approx(6, abs=1e-4)
    assert within.predict("cem", "duck") == 4
    pairs = [("cem", "duck"), ("ann", "up")]
    assert within.predict(["cem", "ann"], ["duck", "up"])[0] == 4
    assert within.predict_pairs(pairs)[0] == 4
    assert within.rmse([("cem", "duck", 4)]) == 0
    assert within.top("cem", 1) == [("duck", 4)]
    within.save(tmp_path / "a.safetensors")
    assert load(tmp_path / "a.safetensors").predict("cem", "duck") == 4
    free.save(tmp_path / "b.safetensors")
    assert load(tmp_path / "b.safetensors").scale is None


def test_items_are_ranked_before_they_are_clipped():
    within = complete(STARS, scale=(0, 0.5), **HOW)
    best = within.top("cem")
    assert [item for item, _ in best] == ["duck", "up"]
    assert [stars for _, stars in best] == [0.5, 0.5]
    assert within.top("cem", among=["up", "new"]) == [("up", 0.5)]


@pytest.mark.parametrize("scale", [5, (5, 1), (1, 1), (1, 2, 3), (1, "five"), (float("nan"), 2)])
def test_a_scale_has_two_ends(scale):
    with pytest.raises(ValueError, match="scale = "):
        complete(STARS, scale=scale, **HOW)


def test_the_draws_of_test_data_are_designs_of_their_own():
    rng = np.random.default_rng(0)
    contexts, outcomes = rng.integers(4, size=(2, 200))
    chosen = choose_pairs(contexts, outcomes, np.ones(200, bool), 0.5, 1)
    pairs = list(zip(contexts.tolist(), outcomes.tolist(), strict=True))
    test = {pair for pair, goes in zip(pairs, chosen, strict=True) if goes}
    assert test
    assert test.isdisjoint(pair for pair, goes in zip(pairs, chosen, strict=True) if not goes)
    assert test.isdisjoint(
        (context, min(o for c, o in pairs if c == context)) for context in range(4)
    )
    assert not choose_pairs(contexts, outcomes, np.zeros(200, bool), 0.5, 1).any()
    for share in (0.001, 0.5, 0.999):
        rest, held_out = split_text([[word] for word in "abcdefg"], share, 0)
        assert 1 <= len(held_out) <= 6
        assert sorted([*rest, *held_out]) == [[word] for word in "abcdefg"]
    counts = CountMatrix.from_dense(rng.integers(9, size=(5, 6)) + 0.25)
    rest, half = halve(counts, 0)
    np.testing.assert_allclose((rest + half).dense(), counts.dense())
    assert set(np.unique(half.values % 1)) <= {0, 0.25}
