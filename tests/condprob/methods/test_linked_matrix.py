"""Scores with a link, against the formula on whole arrays, and the share of the unigram."""

import numpy as np
import pytest
from inputs import random_counts
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from condprob import CountMatrix, cross_entropy, load, method
from condprob.methods.choice import SMALLEST_WEIGHT, UNKNOWN_WEIGHT, choose
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import SCORE_TOLERANCE, LinkedMatrix
from condprob.splits import TUNING_SHARE, hold_out

RNG = np.random.default_rng(4)
LEFT, RIGHT = RNG.normal(size=(6, 3)), RNG.normal(size=(3, 9))
LEFT[[2, 4]] = -abs(LEFT[[2, 4]])  # after which scores are as they come, or all negative
RIGHT[:, :4] = abs(RIGHT[:, :4])
BASE = RNG.dirichlet(np.ones(9))
# Contexts 1 and 5 alike, outcomes 3, 7 and 8 alike: what was never seen.
SEEN = np.array([0, 2, 3, 4]), np.array([0, 1, 2, 4, 5, 6])
for factor, alike in ((LEFT, [1, 5]), (RIGHT.T, [3, 7, 8]), (BASE[:, None], [3, 7, 8])):
    factor[alike] = factor[alike[0]]
BASE /= BASE.sum()


def of_formula(scores, base, link, weight):
    """Each row by itself, its links divided by their sum."""
    Q = np.empty(scores.shape)
    for i, row in enumerate(scores):
        linked = {"clip": np.maximum(row, 0), "square": np.maximum(row, 0) ** 2}.get(link)
        linked = softmax(row) if linked is None else linked
        shares = linked / linked.sum() if linked.sum() else base
        Q[i] = (1 - weight) * shares + weight * base
    return Q


@pytest.mark.parametrize("link", ["clip", "square", "softmax"])
def test_every_answer_is_that_of_the_formula(link, tmp_path, monkeypatch):
    monkeypatch.setattr("condprob.methods.linked_matrix.CELLS_AT_ONCE", 14)  # two rows at a time
    left = LEFT.copy()
    left[3] = 0  # no positive score
    for weight in (0.0, 0.3):
        expected = of_formula(left @ RIGHT, BASE, link, weight)
        for seen in (None, SEEN):
            matrix = LinkedMatrix(left, RIGHT, BASE, weight, link, seen, "limit")
            np.testing.assert_allclose(matrix.dense(), expected, rtol=1e-12)
            np.testing.assert_allclose(matrix.at(np.arange(6)[:, None], np.arange(9)), expected)
            np.testing.assert_allclose(matrix.rows([5, 0, 5]), expected[[5, 0, 5]])
            part = matrix.block(np.array([4, 1]), np.array([8, 0, 2]))
            np.testing.assert_allclose(part, expected[[4, 1]][:, [8, 0, 2]])
            assert [c.representatives.size for c in matrix.classes()] == (
                [5, 7] if seen else [6, 9]
            )
            matrix.save(tmp_path / "x.npz")
            again = load(tmp_path / "x.npz")
            np.testing.assert_array_equal(again.dense(), matrix.dense())
            assert (again.ended, again.link) == ("limit", link)


def test_scores_of_any_size_have_rows_that_sum_to_one():
    for size in (1e-200, 1e100, 700.0):
        for link in ("clip", "square", "softmax")[: 2 if size == 1e100 else 3]:
            matrix = LinkedMatrix(LEFT * size, RIGHT, BASE, 0.0, link)
            np.testing.assert_allclose(matrix.dense().sum(axis=1), 1, rtol=1e-12)
    for size, link in ((1e200, "clip"), (1e200, "square"), (1e14, "softmax")):
        with pytest.raises(ValueError, match=r"scores of up to .* are too large: at most"):
            LinkedMatrix(LEFT * size, RIGHT, BASE, 0.0, link)


def test_factors_are_those_of_the_scores_without_biases():
    with_biases = np.column_stack([LEFT, np.ones(6)]), np.vstack([RIGHT, BASE])
    for link, expected in (("softmax", (LEFT, RIGHT)), ("clip", with_biases)):
        found = LinkedMatrix(*with_biases, BASE, 0.0, link).factors()
        for factor, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(factor, wanted)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("link", ["clip", "square"])
def test_a_score_that_is_only_rounding_of_its_terms_is_none(link, sign):
    """Two terms of size one leave the first score: `SCORE_TOLERANCE` of both, 2, is the limit."""
    base = np.array([0.25, 0.75])
    for score, row in ((1.8 * SCORE_TOLERANCE, base), (2.2 * SCORE_TOLERANCE, [1, 0])):
        left, right = np.array([[1.0, -1.0]]), np.array([[1.0, 1.0], [1 - score, 1.0]])
        matrix = LinkedMatrix(sign * left, sign * right, base, 0.0, link)
        for found in (matrix.dense()[0], matrix.rows([0])[0], matrix.at(0, [0, 1])):
            np.testing.assert_allclose(found, row, rtol=1e-12)


@pytest.mark.parametrize("link", ["clip", "square", "softmax"])
def test_no_pair_is_above_one_whatever_the_order_of_sums(link):
    # One outcome has nearly all of each row, and scores of 1e6 are rounded to 1e-10.
    left, right = RNG.uniform(size=(500, 7)) * 1e3, RNG.uniform(size=(7, 3)) * [1e3, 1e-9, 1e-9]
    matrix = LinkedMatrix(left, right, np.full(3, 1 / 3), 0.0, link)
    dense = matrix.dense()
    pairs = np.arange(500)[:, None], np.arange(3)
    for found in (matrix.at(*pairs), dense, matrix.block(np.arange(500), np.arange(3))):
        assert found.max() <= 1
        np.testing.assert_allclose(found, dense, rtol=1e-9)


def test_the_share_of_the_unigram_is_the_best_on_what_was_held_out():
    counts = random_counts(7, k=12, n=400)

    def fit(these, _=None):
        return method("mle").fit(these)

    def learn(counts, seed):
        return choose([None], fit, counts, method("lsa"), seed).weight

    found = learn(counts, seed=3)
    rest, held_out = hold_out(counts, TUNING_SHARE, 3)
    Q, q = fit(rest).dense(), unigram(rest, 0.75)

    def loss(weight):
        return cross_entropy(held_out, mixed((1 - weight) * Q + weight * q))

    best = minimize_scalar(loss, bounds=(0.001, 0.999), method="bounded", options={"xatol": 1e-8})
    assert loss(found) == pytest.approx(best.fun, abs=1e-9)
    assert 0.05 < found < 0.95
    none = CountMatrix.from_pairs([], [], 3)
    assert learn(none, seed=0) == UNKNOWN_WEIGHT
    always = CountMatrix.from_dense(np.diag([500, 500, 500]))
    assert SMALLEST_WEIGHT <= learn(always, seed=0) < 0.01


def mixed(Q):
    """Return a matrix of given rows: a clip of themselves."""
    return LinkedMatrix(Q, np.eye(Q.shape[1]), np.full(Q.shape[1], 1 / Q.shape[1]), 0.0, "clip")
