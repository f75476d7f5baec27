"""The entropy of the duality gap, and normalisers, word by word at every place."""

import numpy as np
import pytest
from dense_log_linear import Dense
from scipy.special import entr

from condprob import Sentences
from condprob.models.structured.fista import Point
from condprob.models.structured.problem import (
    Weighting,
    build_problem,
    entropy_towards_data,
    expected_counts,
    forward,
    places_of_sentences,
)

LISTS = [[0, 1, 2, 0, 1, 3], [2], [4, 1, 2, 0, 1, 2], [3, 0, 1, 3, 3]]
K = 6  # word 5 never occurs
TEXT = Sentences.from_lists(LISTS, K)
PLAIN = Weighting()


def evaluate(order, seed, weighting=PLAIN):
    """Return the problem, a point of random weights, its loss, and all probabilities."""
    places = places_of_sentences(TEXT, order)
    problem, tree = build_problem(places, TEXT.words, K, False, weighting)
    weights = np.random.default_rng(seed).uniform(-0.5, 2, problem.forest.parent.size)
    point = Point.at(weights, problem)
    loss = forward(problem, weights, point.score, point.power, point.normaliser)
    dense = Dense(LISTS, K, order, *weighting)
    W = dense.spread(problem, tree, places, weights)
    return problem, tree, point, loss, dense.probabilities(W), dense.scored @ W


def test_a_word_and_its_context_by_hand():
    # Without weights every word has 1/k and Z is k: log 6 for each of 18 words.
    places = places_of_sentences(TEXT, 3)
    problem, _ = build_problem(places, TEXT.words, K, False, PLAIN)
    weights = np.zeros(problem.forest.parent.size)
    point = Point.at(weights, problem)
    loss = forward(problem, weights, point.score, point.power, point.normaliser)
    assert loss == pytest.approx(18 * np.log(6))
    np.testing.assert_allclose(point.normaliser, 6)
    # In all of the text a word is expected 18/6 times, whatever came: pairs of the empty context.
    expected_counts(problem, point)
    at_root = problem.pairs.context == 0
    np.testing.assert_allclose(point.expected[at_root], 18 / 6)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999, 1.0])
@pytest.mark.parametrize("order", [1, 2, 4])
def test_the_entropy_towards_the_data_is_that_of_every_place(order, share):
    problem, _, point, _, p, _ = evaluate(order, seed=2)
    mixed = share * p + (1 - share) * np.eye(K)[TEXT.words]
    found = entropy_towards_data(problem, point, share)
    assert found == pytest.approx(entr(mixed).sum(), rel=1e-10, abs=1e-10)
