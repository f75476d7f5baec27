"""Models of growing order on blocks of a tagged text."""

import numpy as np
import pandas as pd
import pytest

from condprob import Sentences, method
from condprob.estimators.growth import fit_grown
from condprob.estimators.log_linear import DECAYS
from condprob.estimators.ngrams import fit_kneser_ney
from reproduction.exhibits.orders import tabulate_orders
from reproduction.experiments.orders import (
    COLUMNS,
    NUMBER,
    OF_PATHS,
    PROPER,
    ROUGH,
    forget_rare,
    normalise,
    number_sentences,
    read_block,
    save_block,
    score_order,
    split_off,
)

SETTINGS = {
    "choose": {"train": 300, "test": 100},
    "least": 2,
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


def test_the_part_that_chooses_has_words_of_its_own():
    """As a block has: word 0 and those that the first part has twice, numbered anew."""
    first = Sentences.from_lists([[0, 4, 2], [4, 2, 2, 3]], 6)
    rest = Sentences.from_lists([[4, 3, 0], [5, 2, 1]], 6)
    train, held_out = forget_rare(first, rest, 2)
    assert (train.k, held_out.k) == (3, 3)
    assert train.words.tolist() == [0, 2, 1, 2, 1, 1, 0]
    assert held_out.words.tolist() == [2, 0, 0, 0, 1, 0]
    np.testing.assert_array_equal(train.starts, first.starts)
    np.testing.assert_array_equal(held_out.starts, rest.starts)


def test_a_learned_decay_is_the_best_of_all_paths(parts):
    entry = {"method": "ll-l2", "decay": "learned"}
    rows, path = score_order("t", *parts, "x", entry, 3, SETTINGS)
    best = min(path, key=lambda row: row["mean"])
    assert {row["decay"] for row in path} == set(DECAYS)
    assert (rows[0]["decay"], rows[0]["penalty"]) == (best["decay"], best["penalty"])
    given = {"method": "ll-l2", "decay": best["decay"]}
    again, _ = score_order("t", *parts, "x", given, 3, SETTINGS)
    assert again == rows


@pytest.fixture(scope="module")
def parts():
    """A text of five words at random, to learn from and to test."""
    words = np.random.default_rng(0).integers(0, 5, 700)
    train = Sentences.from_lists(np.split(words[:500], 25), 5)
    return train, Sentences.from_lists(np.split(words[500:], 10), 5)


def loss_of(rows, order):
    """The log-loss of one order in all."""
    rows = pd.DataFrame(rows)
    return rows[rows["n"] == order]["loss"].sum()


def test_scores_are_the_losses_of_known_words(parts):
    known = parts[1].words != 0
    rows, path = score_order("t", *parts, "x", {"method": "ll-l1"}, 3, SETTINGS)
    assert set(rows[0]) == set(COLUMNS)
    assert sum(row["pairs"] for row in rows) == known.sum()
    model = method("ll-l1", penalty=rows[0]["penalty"]).fit_text(parts[0], 3)
    expected = -model.score(parts[1])[known].sum()
    assert loss_of(rows, 3) == pytest.approx(expected, rel=1e-3)
    assert rows[0]["penalty"] == min(path, key=lambda row: row["mean"])["penalty"]


def test_the_path_scores_what_is_held_out_of_the_training_part(parts):
    _, path = score_order("t", *parts, "x", {"method": "ll-treeinf"}, 2, SETTINGS)
    assert set(path[0]) == set(OF_PATHS)
    penalties = [row["penalty"] for row in path]
    assert penalties == sorted(penalties, reverse=True)
    first, rest = parts[0].split(0.6)
    held_out, _ = rest.split(0.5)
    assert (first.n, held_out.n) == (300, 100)
    model = method("ll-treeinf", penalty=penalties[3], tol=1e-6).fit_text(first)
    expected = -model.score(held_out)[held_out.words != 0].mean()
    assert path[3]["mean"] == pytest.approx(expected, abs=ROUGH)


def test_py_lr_is_a_bigram_and_above_order_two_a_base_measure(parts):
    entry = {"method": "py-lr", "largest_rank": 2, "iterations": 5}
    two, none = score_order("t", *parts, "x", entry, 2, SETTINGS)
    assert none == []
    rows, path = score_order("t", *parts, "x", entry, 3, SETTINGS)
    estimator = method("py-lr", largest_rank=2, iterations=5)
    known = parts[1].words != 0
    logs = fit_grown(estimator, parts[0], 3, rows[0]["penalty"]).score(parts[1])[known]
    assert loss_of(rows, 3) == pytest.approx(-logs.sum())
    logs = fit_grown(estimator, parts[0], 2, 1.0).score(parts[1])[known]
    assert loss_of(two, 2) == pytest.approx(-logs.sum())
    assert rows[0]["penalty"] == min(path, key=lambda row: row["mean"])["penalty"]
    first, held_out = split_off(parts[0], SETTINGS)
    model = fit_grown(estimator, first, 3, path[2]["penalty"])
    mean = -model.score(held_out)[held_out.words != 0].mean()
    assert path[2]["mean"] == pytest.approx(mean)
    assert path[2]["parameters"] == model.parameters


def test_kneser_ney_and_its_table(parts):
    entry = {"method": "kn", "discount": "modified", "continuation": "discounted"}
    rows, path = score_order("t", *parts, "kn", entry, 3, SETTINGS)
    known = parts[1].words != 0
    expected = -fit_kneser_ney(parts[0], 3).score(parts[1])[known].sum()
    assert loss_of(rows, 3) == pytest.approx(expected)
    assert path == []
    table = tabulate_orders(pd.DataFrame(rows))
    assert table["mean"].tolist() == [pytest.approx(expected / known.sum())]
    assert table["perplexity"].tolist() == [pytest.approx(np.exp(expected / known.sum()))]


def test_a_method_of_pairs_is_a_bigram_that_begins_sentences(parts):
    """Add-1/2 by hand: a sentence begins after a context of its own."""
    rows, _ = score_order("t", *parts, "x", {"method": "add-half"}, 2, SETTINGS)
    counts = np.full((6, 5), 0.5)
    for sentence in np.split(parts[0].words, 25):
        np.add.at(counts, (np.concatenate([[5], sentence[:-1]]), sentence), 1)
    logs, loss = np.log(counts / counts.sum(axis=1, keepdims=True)), 0.0
    for sentence in np.split(parts[1].words, 10):
        before = np.concatenate([[5], sentence[:-1]])
        loss -= logs[before, sentence][sentence != 0].sum()
    assert loss_of(rows, 2) == pytest.approx(loss)


def test_blocks_come_back_and_a_missing_text_leaves_nothing(parts, tmp_path):
    path = tmp_path / "block.npz"
    save_block(path, parts)
    for before, after in zip(parts, read_block(path), strict=True):
        assert before.k == after.k
        np.testing.assert_array_equal(before.words, after.words)
        np.testing.assert_array_equal(before.starts, after.starts)
    save_block(path, None)
    train, test = read_block(path)
    assert (train.n, test.n) == (0, 0)
    assert score_order("t", train, test, "x", {"method": "ll-l1"}, 2, SETTINGS) == ([], [])
