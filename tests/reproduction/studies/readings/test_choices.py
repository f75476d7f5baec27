"""Points of the specification curve by choice: counted by hand on a made-up curve."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from reproduction.exhibits.panels import draw_exhibit, save_figure
from reproduction.studies.readings.choices import COLUMNS, SHARES
from reproduction.studies.readings.choices import tabulate_choices as tabulate
from reproduction.studies.readings.figures import draw_choices
from reproduction.studies.readings.plan import AXES


@pytest.fixture(scope="module")
def curve():
    """Twenty readings of one corpus, -0.9, -0.8, ..., 1, shuffled; the lower half chooses "a"."""
    differences = np.random.default_rng(1).permutation(np.arange(-9, 11) / 10)
    rows = pd.DataFrame({"corpus": "tale", "difference": differences, "sd": 0.3, "seeds": 9})
    rows = rows.assign(**dict.fromkeys(AXES, "same"), setting="")
    rows["split"] = np.where(rows["difference"] < 0.05, "a", "b")
    rows.loc[rows["difference"] == 0.5, "setting"] = "plain"
    return rows.assign(setting=rows["setting"].replace("", np.nan))  # as it is read from the CSV


@pytest.fixture(scope="module")
def table(curve):
    return tabulate(SimpleNamespace(tables={"choices": curve}))


def of(table, axis, level=""):
    return table[(table["axis"] == axis) & (table["level"] == level)].set_index("share")


def test_points_are_readings_of_the_sorted_curve(table):
    every = of(table, "every")
    assert tuple(every.index) == SHARES
    # Of twenty: the first, the first, the 5th, 10th, 15th, 19th and the last.
    assert every["difference"].tolist() == [-0.9, -0.9, -0.5, 0.0, 0.5, 0.9, 1.0]
    assert set(every["settings"]) == {20}
    assert set(every["above"]) == {0.5}
    assert of(table, "split", "a")["difference"].tolist()[-1] == 0.0
    assert set(of(table, "split", "a")["above"]) == {0}
    assert set(of(table, "split", "b")["above"]) == {1}


def test_each_point_has_the_interval_of_its_own_starts(table):
    """Student's, of nine starts: 2.306004 standard errors of 0.3 / 3."""
    point = of(table, "every").loc[0.25]
    assert point["high"] - point["difference"] == pytest.approx(0.2306004, rel=1e-6)
    assert point["difference"] - point["low"] == pytest.approx(0.2306004, rel=1e-6)


def test_a_reading_of_one_start_has_no_width(curve):
    one = curve.assign(seeds=1, sd=np.nan)
    table = tabulate(SimpleNamespace(tables={"choices": one}))
    assert (table["low"] == table["high"]).all()


def test_a_column_of_the_ledger_is_one_reading(table):
    assert of(table, "setting", "plain")["difference"].tolist() == [0.5]


def test_a_corpus_that_could_not_be_had_has_no_rows(table):
    assert set(table["corpus"]) == {"tale"}
    assert tuple(table.columns) == COLUMNS


@pytest.mark.parametrize("rows", [0, None])
def test_the_figure_is_of_its_csv_alone(table, tmp_path, rows):
    table.iloc[:rows].to_csv(tmp_path / "t.csv", index=False)
    figure = draw_exhibit(draw_choices, pd.read_csv(tmp_path / "t.csv"), {"title": "Choices"}, {})
    save_figure(figure, tmp_path / "t.png")
    shown = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert rows == 0 or shown[:4] == ["all settings", "setting: plain", "words: same", "split: a"]
