"""One estimator against the best of all others on new texts: differences, intervals, the figure."""

import numpy as np
import pandas as pd
import pytest

from condprob import CountMatrix, method
from condprob.vocabulary import number_words
from reproduction.exhibits.looks import save_figure
from reproduction.scores.columns import COLUMNS as SCORED
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.readings.axes import ALL
from reproduction.studies.readings.best_others import (
    BEST,
    COLUMNS,
    draw_further,
    draw_further_readings,
    score_readings,
    tabulate_further,
)
from reproduction.studies.readings.texts import split_pairs

METHODS = {"ours": {"method": "py-lr"}, "kn": {"method": "kn"}, "wb": {"method": "wb"}}


def made_up_scores(by_text, blocks=6):
    """Rows in which every block of ten pairs has a method's loss; some blocks are harder."""
    rows = []
    for text, losses in by_text.items():
        for name, loss in losses.items():
            for block in range(blocks):
                row = {"corpus": "made-up", "reading": text, "k": 9, "n": 61, "method": name}
                row |= {"seed": 0, "block": block, "pairs": 10, "loss": 10 * (loss + block)}
                rows.append(row | {"converged": True})
    return pd.DataFrame(rows)


SCORES = made_up_scores(
    {"one": {"ours": 5.0, "kn": 5.3, "wb": 5.1}, "two": {"ours": 5.0, "kn": 4.9, "wb": 6.0}}
)


def rows_of(table, text, method):
    return table[(table["text"] == text) & (table["method"] == method)].iloc[0]


def test_the_best_other_is_that_of_each_text():
    table = tabulate_further(0, SCORES, "ours", {})
    assert list(table.columns) == COLUMNS
    for text, other, difference in (("one", "wb", 0.1), ("two", "kn", -0.1)):
        row = rows_of(table, text, BEST)
        assert row["other"] == other
        # Every block is as much apart as all: whatever is drawn, the difference is the same.
        found = row[["difference", "low", "high"]].astype(float)
        np.testing.assert_allclose(found, difference, atol=1e-12)
    # The mean block adds 2.5 to each loss.
    assert rows_of(table, "one", "ours")["cross_entropy"] == pytest.approx(7.5)
    assert rows_of(table, "one", "ours")["difference"] == 0


def test_over_texts_it_counts_where_ours_is_ahead_clearly_and_behind():
    table = tabulate_further(0, SCORES, "ours", {"lost": "no network"})
    row = rows_of(table, ALL, "kn")
    assert row["difference"] == pytest.approx((0.3 - 0.1) / 2)
    assert [row[key] for key in ("texts", "ahead", "clear", "behind")] == [2, 1, 1, 1]
    # Of two texts drawn with replacement, both are the same one half the time.
    assert row["low"] == pytest.approx(-0.1)
    assert row["high"] == pytest.approx(0.3)
    assert table["note"].iloc[-1] == "no network"


def test_the_figure_has_a_row_for_each_text_and_one_for_all(tmp_path):
    table = tabulate_further(0, SCORES, "ours", {})
    figure = draw_further(table, METHODS, "ours")
    (ax,) = figure.axes
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["mean of all", "two", "one"]
    save_figure(figure, tmp_path / "a.png", tmp_path / "a.svg")
    assert (tmp_path / "a.png").stat().st_size > 0


def test_without_any_text_there_is_a_table_with_the_reason_and_an_empty_figure():
    table = tabulate_further(0, SCORES[:0], "ours", {"lost": "no network"})
    assert table["note"].tolist() == ["no network"]
    draw_further(table, METHODS, "ours")


TEXT = ("made-up", "letters", "pairs")
WORDS = [f"w{'abcdefghijklm'[number % 13 * (number % 7) % 13]}" for number in range(400)]
GIVEN = {
    "text": TEXT, "words": 1000, "vocabularies": ("text", "train"), "rank": 2, "seeds": 2,
    "allow_other_hashes": False,
}  # fmt: skip
FITTED = {"kn": {"method": "kn"}, "low": {"method": "ad-lr", "iterations": 3}}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A text as a job is told of it, and its receipt."""
    folder = tmp_path_factory.mktemp("text")
    (folder / "text.txt").write_text(" ".join(WORDS), encoding="utf-8")
    (folder / "receipt.json").write_text("{}", encoding="utf-8")
    entry = {"source": "file", "path": str(folder / "text.txt"), "tokenizer": "letters"}
    return folder / "receipt.json", entry | {"train": 200, "test": 200}


def scores_of_readings(inputs, methods=FITTED, root=1):
    receipt, entry = inputs
    given = GIVEN | {"entry": entry}
    return pd.DataFrame(score_readings(root, {"receipt": receipt}, methods, given))


def test_every_reading_is_scored_by_every_method_from_every_start(inputs):
    scores = scores_of_readings(inputs)
    assert set(scores.columns) <= set(SCORED)
    fits = scores.groupby(["corpus", "reading", "method"])["seed"].nunique()
    assert fits.index.tolist() == [
        ("made-up", f"letters, pairs, {vocabulary}", method)
        for vocabulary in ("text", "train")
        for method in ("kn", "low")
    ]
    assert fits.tolist() == [1, 2, 1, 2]  # Kneser-Ney has no randomness


def test_a_corpus_that_could_not_be_had_has_no_scores(inputs, tmp_path):
    (tmp_path / "lost.json").write_text('{"reason": "no network"}', encoding="utf-8")
    assert scores_of_readings((tmp_path / "lost.json", inputs[1])).empty


def test_a_reading_is_scored_on_its_own_test_pairs(inputs):
    scores = scores_of_readings(inputs)
    ids, k = number_words(WORDS)
    seed = spawn_seed(1, "multiverse", *TEXT)
    train, test = split_pairs(ids, np.zeros(400, int), "pairs", 200, 200, seed)
    matrix = method("kn").fit(CountMatrix.from_pairs(*train, k))
    found = scores[(scores["method"] == "kn") & (scores["reading"] == "letters, pairs, text")]
    assert found["pairs"].sum() == test[0].size
    assert found["loss"].sum() == pytest.approx(-matrix.log_prob(*test).sum(), rel=1e-12)


def test_readings_depend_on_the_seed_and_not_on_the_other_methods(inputs):
    low = {"low": FITTED["low"]}
    scores = scores_of_readings(inputs)
    alone = scores[scores["method"] == "low"].reset_index(drop=True)
    pd.testing.assert_frame_equal(scores_of_readings(inputs, low), alone)
    assert (scores_of_readings(inputs, low, root=2)["loss"] != alone["loss"]).any()


def test_the_figure_of_readings_has_a_band_for_each_tokenizer(inputs, tmp_path):
    entries = FITTED | {"ours": {"method": "py-lr", "label": "PY-LR"}}
    scores = scores_of_readings(inputs)
    ours = scores[scores["method"] == "kn"].assign(method="ours")
    table = tabulate_further(0, pd.concat([scores, ours]), "ours", {})
    figure = draw_further_readings(table, entries, "ours")
    (ax,) = figure.axes
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["made-up: letters"]
    assert len(ax.containers) == 2  # the two vocabularies
    save_figure(figure, tmp_path / "a.png", tmp_path / "a.svg")
    draw_further_readings(tabulate_further(0, SCORES[:0], "ours", {"lost": "x"}), METHODS, "ours")
