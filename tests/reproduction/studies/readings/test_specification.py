"""The specification curve: its readings, the three of the ledger, and its picture."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from made_up_readings import AXES, score
from own_config import own_config

from reproduction.exhibits.panels import draw_exhibit, save_figure
from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.studies.readings.figures import draw_specification
from reproduction.studies.readings.plan import AXES as NAMES
from reproduction.studies.readings.specification import readings_of_ledger
from reproduction.studies.readings.specification import tabulate_specification as tabulate

METHODS = {
    name: entry
    for name, entry in own_config("config.yaml")["methods"].items()
    if name in ("kn", "kn-uniform", "kn-nearest", "ad-lr", "ad-lr-random")
}


def material(scores):
    return SimpleNamespace(scores=scores, methods=METHODS)


@pytest.fixture(scope="module")
def scores():
    """The scores of two texts."""
    texts = (("one", "letters", "halves"), ("two", "letters", "halves"))
    return pd.DataFrame([row for text in texts for row in score(text=text)])


@pytest.fixture(scope="module")
def table(scores):
    return tabulate(material(scores))


def test_every_kneser_ney_meets_every_start_on_the_same_pairs(table, scores):
    assert len(table) == 2 * np.prod([len(levels) for levels in AXES.values()])
    assert not table.duplicated(["corpus", *NAMES]).any()
    row = table[(table["discount"] == "estimated") & (table["initial"] == "random")].iloc[0]
    same = scores[(scores["corpus"] == row["corpus"]) & (scores["vocabulary"] == row["vocabulary"])]
    starts = same[same["initial"] == "random"]
    kn = same[
        (same["continuation"] == row["continuation"])
        & (same["unseen"] == row["unseen"])
        & (same["discount"] == "estimated")
    ].squeeze()
    assert len(starts) == row["seeds"] == 2
    expected = (starts["loss"] / starts["pairs"]).mean() - kn["loss"] / kn["pairs"]
    np.testing.assert_allclose(row["difference"], expected)


def test_readings_of_a_corpus_rise(table):
    assert list(dict.fromkeys(table["corpus"])) == ["one", "two"]
    for _, part in table.groupby("corpus"):
        assert part["difference"].dropna().is_monotonic_increasing


def test_each_column_of_the_ledger_is_one_reading_of_each_corpus(table):
    """The paper's three: written out here from the entries of config.yaml."""
    assert readings_of_ledger(METHODS) == {
        "textbook": {
            "continuation": "uniform",
            "unseen": "continuation",
            "discount": "0.75",
            "initial": "random",
        },
        "best match": {
            "continuation": "floor",
            "unseen": "unigram",
            "discount": "0.75",
            "initial": "clusters",
        },
        "strongest baseline": {
            "continuation": "discounted",
            "unseen": "continuation",
            "discount": "0.75",
            "initial": "clusters",
        },
    }
    marked = table[table["setting"].notna() & (table["setting"] != "")]
    assert sorted(marked["setting"]) == sorted(2 * [column.name for column in PAPER.columns])
    assert set(marked["vocabulary"]) == {"text"}


def test_the_figure_is_of_its_csv_alone_and_the_same_bytes_each_time(table, tmp_path):
    table.to_csv(tmp_path / "table.csv", index=False)
    for turn in "ab":
        figure = draw_exhibit(
            draw_specification, pd.read_csv(tmp_path / "table.csv"), {"title": "All"}, {}
        )
        save_figure(figure, tmp_path / f"{turn}.png", tmp_path / f"{turn}.svg")
    for form in ("png", "svg"):
        assert (tmp_path / f"a.{form}").read_bytes() == (tmp_path / f"b.{form}").read_bytes()
    above = (table[table["corpus"] == "one"]["difference"] > 0).mean()
    (title,) = (ax.get_title(loc="left") for ax in figure.axes if "one" in ax.get_title(loc="left"))
    assert f"{above:.0%}"[:-1] in title
