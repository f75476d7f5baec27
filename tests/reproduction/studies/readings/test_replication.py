"""Methods on new texts and under readings: how texts are read, scores, differences."""

import numpy as np
import pandas as pd
import pytest
from made_up_corpora import FILES, archive, put

from reproduction.corpora.corpus import save_samples
from reproduction.corpora.sources import CorpusUnavailable
from reproduction.exhibits.panels import draw_exhibit, save_figure
from reproduction.studies.readings.figures import draw_replication as draw
from reproduction.studies.readings.replication import (
    list_files,
    read_text,
    score_collection,
)
from reproduction.studies.readings.tables import tabulate_replication

METHODS = {
    "kn": {"method": "kn"},
    "kn-uniform": {"method": "kn", "continuation": "uniform"},
    "ad-lr": {"method": "ad-lr", "iterations": 3},
}
FABLES = {"package": "fables", "tokenizer": "whitespace", "files": ["fox.txt", "crow.txt"]}


def made_up_scores(losses, blocks=4, texts=("one", "two")):
    """Rows in which every block of ten pairs has the method's loss, by seed."""
    rows = []
    for text in texts:
        for name, by_seed in losses.items():
            for seed, loss in enumerate(by_seed):
                for block in range(blocks):
                    row = {"corpus": "made-up", "setting": text, "k": 9, "n": 41, "method": name}
                    row |= {"seed": seed, "block": block, "pairs": 10, "loss": 10 * loss}
                    rows.append(row | {"converged": True})
    return pd.DataFrame(rows)


def test_rows_of_files():
    assert list_files("ca08-ca11") == ["ca08", "ca09", "ca10", "ca11"]
    assert list_files(["a.txt"]) == ["a.txt"]


def test_words_are_read_after_those_to_skip_and_up_to_the_limit(tmp_path):
    put(tmp_path, "corpora/fables.zip", archive(FILES))
    assert read_text("t", FABLES, 100, search=[tmp_path]) == ["the", "fox", "a", "crow"]
    assert read_text("t", FABLES | {"skip": 1}, 2, search=[tmp_path]) == ["fox", "a"]


def test_a_package_that_cannot_be_had(tmp_path, monkeypatch):
    monkeypatch.setattr("reproduction.corpora.sources.NLTK_URL", "http://127.0.0.1:9")
    with pytest.raises(CorpusUnavailable, match=r"127\.0\.0\.1 cannot be reached"):
        read_text("t", FABLES, 100, search=[tmp_path], downloads=tmp_path)


def test_every_method_is_scored_on_the_second_half(tmp_path):
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in rng.integers(9, size=101)]
    save_samples(tmp_path / "texts.npz", {"one": words, "two": words[::-1]})
    told = 3, "made-up", tmp_path / "texts.npz", METHODS, 2, 2
    rows = list(score_collection(*told))
    table = pd.DataFrame(rows)
    assert table[["corpus", "setting"]].drop_duplicates().to_numpy().tolist() == [
        ["made-up", "one"],
        ["made-up", "two"],
    ]
    for _, part in table.groupby("setting"):
        sums = part.groupby(["method", "seed"])["pairs"].sum()
        assert sums.to_dict() == {
            ("kn", 0): 50,
            ("kn-uniform", 0): 50,
            ("ad-lr", 0): 50,
            ("ad-lr", 1): 50,
        }
    assert set(table["n"]) == {50}
    assert rows == list(score_collection(*told))


def test_differences_by_hand():
    # The same in every block: resampling text changes nothing. Starts 5.0 and 5.2: the mean of two
    # of them, drawn with replacement, is 5.0, 5.1 or 5.2.
    scores = made_up_scores({"kn": [5.3], "kn-uniform": [5.4], "ad-lr": [5.0, 5.2]})
    table = tabulate_replication(0, scores, METHODS)
    row = table[(table["text"] == "one") & (table["kn"] == "strongest")].squeeze()
    assert (row["kn_method"], row["seeds"]) == ("kn", 2)
    np.testing.assert_allclose(row["difference"], -0.2)
    np.testing.assert_allclose([row["low"], row["high"]], [-0.3, -0.1])
    uniform = table[(table["text"] == "one") & (table["kn"] == "kn-uniform")].squeeze()
    np.testing.assert_allclose(uniform["difference"], -0.3)


def test_the_mean_over_texts():
    scores = made_up_scores({"kn": [5.3], "kn-uniform": [5.4], "ad-lr": [5.2]}, texts=("one",))
    worse = made_up_scores({"kn": [5.3], "kn-uniform": [5.4], "ad-lr": [5.4]}, texts=("two",))
    table = tabulate_replication(0, pd.concat([scores, worse]), METHODS)
    row = table[(table["text"] == "all") & (table["kn"] == "kn")].squeeze()
    np.testing.assert_allclose(row["difference"], 0, atol=1e-12)
    np.testing.assert_allclose([row["low"], row["high"]], [-0.1, 0.1])
    assert (row["texts"], row["ahead"], row["clear"]) == (2, 1, 1)
    assert "all" not in set(table["collection"])  # there is but one


def test_two_variants_of_kneser_ney_stand_beside_the_strongest(tmp_path):
    """Those that the paper may have meant: the nearest to its numbers, and the textbook's."""
    methods = {"kn-nearest": {"method": "kn", "label": "nearest"}} | METHODS
    losses = {"kn-nearest": [5.5], "kn": [5.3], "kn-uniform": [5.4], "ad-lr": [5.0, 5.2]}
    table = tabulate_replication(0, made_up_scores(losses), methods)
    for turn in "ab":
        figure = draw_exhibit(draw, table, {}, methods)
        titles = [ax.get_title(loc="left") for ax in figure.axes]
        assert titles == ["the strongest KN of each", "nearest", "kn-uniform"]
        save_figure(figure, tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg")
    for form in ("png", "svg"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
