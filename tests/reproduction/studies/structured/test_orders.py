"""Models of growing order on blocks of a tagged text."""

import numpy as np
import pandas as pd
import pytest

from condprob import Sentences, method
from reproduction.corpora.blocks import save_block
from reproduction.scores.columns import BLOCKS, COLUMNS, HELD_OUT
from reproduction.studies.structured.orders import (
    GAP_OF_TRIALS,
    NUMBER,
    PROPER,
    forget_rare,
    normalise,
    score_block,
    score_order,
)

SETTINGS = {"choose": {"train": 300, "test": 100}, "least": 2, "tol": 1e-3, "iterations": 5000}


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("The", "at", "the"),
        ("Smith", "np", PROPER),
        ("Smith's", "np$", PROPER),
        ("1961", "cd", NUMBER),
        ("two", "cd", "two"),
        ("2nd", "od", NUMBER),
    ],
)
def test_proper_nouns_and_numbers_are_symbols(word, tag, expected):
    assert normalise(word, tag) == expected


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


@pytest.fixture(scope="module")
def parts():
    """A text of five words at random, to learn from and to test."""
    words = np.random.default_rng(0).integers(0, 5, 700)
    train = Sentences.from_lists(np.split(words[:500], 25), 5)
    return train, Sentences.from_lists(np.split(words[500:], 10), 5)


def score(parts, order, **entry):
    """Scores of test words, and the path of what was held out, as tables."""
    table = pd.DataFrame(score_order(*parts, entry, order, SETTINGS))
    held_out = table["part"] == HELD_OUT if "part" in table else np.zeros(len(table), bool)
    path = table[held_out].reset_index(drop=True)
    return table[~held_out].reset_index(drop=True), path.assign(mean=path["loss"] / path["pairs"])


def lowest(path):
    """The settings whose held-out loss is least."""
    best = path.loc[path["mean"].idxmin()]
    return best["chosen_penalty"], best["chosen_decay"]


def test_scores_are_the_losses_of_known_words(parts):
    known = parts[1].words != 0
    rows, path = score(parts, 3, method="ll-l1")
    assert set(rows) - {"mean"} <= set(COLUMNS)
    assert rows["block"].tolist() == list(range(BLOCKS))
    assert rows["pairs"].sum() == known.sum()
    (penalty,) = rows["chosen_penalty"].unique()
    model = method("ll-l1", penalty=penalty).fit_text(parts[0], 3)
    expected = -model.score(parts[1])[known].sum()
    assert rows["loss"].sum() == pytest.approx(expected, rel=1e-3)
    assert penalty == lowest(path)[0]


def test_the_path_scores_what_is_held_out_of_the_training_part(parts):
    _, path = score(parts, 2, method="ll-treeinf")
    penalties = path["chosen_penalty"].tolist()
    assert penalties == sorted(penalties, reverse=True)
    first, rest = parts[0].split(0.6)
    held_out, _ = rest.split(0.5)
    assert (first.n, held_out.n) == (300, 100)
    assert set(path["pairs"]) == {(held_out.words != 0).sum()}
    model = method("ll-treeinf", penalty=penalties[3], tol=1e-6).fit_text(first)
    expected = -model.score(held_out)[held_out.words != 0].mean()
    assert path["mean"][3] == pytest.approx(expected, abs=GAP_OF_TRIALS)


def test_py_lr_has_no_path_and_is_the_fit_of_the_library(parts):
    entry = {"method": "py-lr", "largest_rank": 2, "sweeps": 5}
    estimator = method("py-lr", largest_rank=2, sweeps=5)
    known = parts[1].words != 0
    for order in (2, 3):
        rows, path = score(parts, order, **entry)
        assert len(path) == 0
        logs = estimator.fit_text(parts[0], order).score(parts[1])[known]
        assert rows["loss"].sum() == pytest.approx(-logs.sum())


def test_a_file_of_scores_tells_its_block_and_order(parts, tmp_path):
    save_block(tmp_path / "block.npz", parts)
    methods = {"mine": {"method": "add-half"}}
    rows = list(score_block("3", tmp_path / "block.npz", methods, 2, SETTINGS))
    direct = list(score_order(*parts, methods["mine"], 2, SETTINGS))
    place = {"corpus": "3", "order": 2, "method": "mine", "k": 5, "n": 500}
    assert [{key: row[key] for key in place} for row in rows] == [place] * len(direct)
    assert [row["loss"] for row in rows] == [row["loss"] for row in direct]
