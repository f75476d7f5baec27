"""The figures: every kind is drawn, with the same bytes each time, and gaps are explained."""

import numpy as np
import pandas as pd
import pytest

from condprob.estimators.registry import METHODS
from reproduction.exhibits.plots import LOOKS, draw_exhibit, save_figure

ENTRIES = {
    "sb": {"method": "sb", "label": "SB"},
    "ad-lr": {"method": "ad-lr", "label": "AD-LR"},
    "ad-lr-random": {"method": "ad-lr", "label": "AD-LR (random start)"},
}
EXHIBITS = {
    "risk-curve": {"y_range": [0.1, 1], "y_scale": "log"},
    "table": {"corpora": ["here", "missing"]},
    "learning-curve": {"corpora": ["here", "missing"], "baseline": "sb", "y_range": [-1, 0]},
    "rank-selection": {"corpora": ["here", "missing"], "y_ranges": {"here": [0, 1]}},
}


def table(kind):
    rows = [
        {"corpus": "here", "k": 9, "rank": x, "n": 10 * x, "method": name, "mean": 1 / (x + i)}
        for i, name in enumerate(ENTRIES)
        for x in (1, 2, 3)
    ]
    rows = pd.DataFrame(rows)
    rows = rows.assign(low=rows["mean"] * 0.9, high=rows["mean"] * 1.1, sd=0.1, seeds=2, trials=2)
    rows = rows.assign(difference=rows["mean"] - 1, paper=np.nan, note="")
    if kind != "risk-curve":
        gap = pd.DataFrame([{"corpus": "missing", "note": "there is no network here"}])
        rows = pd.concat([rows, gap])
    return rows


def draw(kind):
    return draw_exhibit(table(kind), {"kind": kind, "title": "Title"} | EXHIBITS[kind], ENTRIES)


def texts(figure):
    return " ".join(text.get_text() for ax in figure.axes for text in ax.texts)


@pytest.mark.parametrize("kind", EXHIBITS)
def test_every_kind_is_drawn_with_the_same_bytes(kind, tmp_path):
    paths = [tmp_path / name for name in ("a.png", "a.svg", "b.png", "b.svg")]
    save_figure(draw(kind), *paths[:2])
    save_figure(draw(kind), *paths[2:])
    for first, second in zip(paths[:2], paths[2:], strict=True):
        assert first.read_bytes() == second.read_bytes()
        assert len(first.read_bytes()) > 5000


@pytest.mark.parametrize("kind", [kind for kind in EXHIBITS if kind != "risk-curve"])
def test_a_missing_corpus_is_explained_in_its_panel(kind):
    assert "there is no network" in texts(draw(kind)).replace("\n", " ")


def test_the_minimum_over_ranks_is_marked():
    # 1 / (x + i) is lowest at the largest rank, 3, for each of the curves.
    assert texts(draw("rank-selection")).count("m = 3") == len(ENTRIES)


def test_the_papers_frame_is_a_panel_of_its_own():
    axes = draw("risk-curve").axes
    for own, printed in zip(axes[::2], axes[1::2], strict=True):  # a row for each rank
        assert printed.get_ylim() == (0.1, 1)
        assert own.get_ylim() != (0.1, 1)


def test_every_method_has_its_look():
    assert set(LOOKS) == set(METHODS)
    assert len(set(LOOKS.values())) == len(METHODS)
