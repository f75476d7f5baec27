"""Models of growing order on blocks of a tagged text."""

import numpy as np
import pandas as pd
import pytest

from condprob import Sentences, fit_kneser_ney, method
from reproduction.exhibits.orders import tabulate_orders
from reproduction.experiments.orders import (
    COLUMNS,
    NUMBER,
    PROPER,
    normalise,
    number_sentences,
    score_orders,
)

SETTINGS = {
    "choose": {"train": 300, "test": 100, "order": 2},
    "orders": [1, 3],
    "tol": 1e-3,
    "iterations": 5000,
}


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [("The", "at", "the"), ("Smith", "np", PROPER), ("Smith's", "np$", PROPER),
     ("1961", "cd", NUMBER), ("two", "cd", "two"), ("2nd", "od", NUMBER)],
)  # fmt: skip
def test_proper_nouns_and_numbers_are_symbols(word, tag, expected):
    assert normalise(word, tag) == expected


def test_rare_and_new_words_are_the_first_word():
    train, test = number_sentences([["a", "b", "a"], ["b", "c"]], [["c", "a", "d"]], 2)
    assert train.words.tolist() == [1, 2, 1, 2, 0]
    assert (test.words.tolist(), test.k) == ([0, 1, 0], 3)


def test_scores_are_the_losses_of_known_words():
    words = np.random.default_rng(0).integers(0, 5, 700)
    train = Sentences.from_lists(np.split(words[:500], 25), 5)
    test = Sentences.from_lists(np.split(words[500:], 10), 5)
    known = test.words != 0
    rows = pd.DataFrame(score_orders("t", train, test, "x", {"method": "ll-l1"}, SETTINGS))
    assert set(rows.columns) == set(COLUMNS)
    model = method("ll-l1", order=3, penalty=rows["penalty"][0]).fit_sentences(train)
    of_three = rows[rows["n"] == 3]
    assert of_three["pairs"].sum() == known.sum()
    assert of_three["loss"].sum() == pytest.approx(-model.score(test)[known].sum(), rel=1e-3)
    entry = {"method": "kn", "discount": "modified", "continuation": "discounted"}
    rows = pd.DataFrame(score_orders("t", train, test, "kn", entry, SETTINGS))
    expected = -fit_kneser_ney(train, 3).score(test)[known].sum()
    assert rows[rows["n"] == 3]["loss"].sum() == pytest.approx(expected)
    table = tabulate_orders(rows)
    assert table["mean"].tolist()[1] == pytest.approx(expected / known.sum())
    assert table["perplexity"].tolist()[1] == pytest.approx(np.exp(expected / known.sum()))
