"""One method against the best of all others: differences, intervals, the figures."""

import numpy as np
import pandas as pd
import pytest
from py_lr.figures import draw_texts
from py_lr.leads import BEST, COLUMNS, tabulate_leads

from reproduction.exhibits.panels import save_figure
from reproduction.scores.columns import ALL

METHODS = {"ours": {"method": "py-lr"}, "kn": {"method": "kn"}, "wb": {"method": "wb"}}


def made_up_scores(by_text, blocks=6):
    """Rows in which every block of ten pairs has a method's loss; some blocks are harder."""
    rows = []
    for text, losses in by_text.items():
        for name, loss in losses.items():
            for block in range(blocks):
                row = {"corpus": "made-up", "setting": text, "k": 9, "n": 61, "method": name}
                row |= {"seed": 0, "block": block, "pairs": 10, "loss": 10 * (loss + block)}
                rows.append(row | {"converged": True})
    return pd.DataFrame(rows)


SCORES = made_up_scores(
    {"one": {"ours": 5.0, "kn": 5.3, "wb": 5.1}, "two": {"ours": 5.0, "kn": 4.9, "wb": 6.0}}
)


def rows_of(table, text, method):
    return table[(table["text"] == text) & (table["method"] == method)].iloc[0]


def test_the_best_other_is_that_of_each_text():
    table = tabulate_leads(0, SCORES, "ours")
    assert list(table.columns) == COLUMNS
    for text, other, difference in (("one", "wb", -0.1), ("two", "kn", 0.1)):
        row = rows_of(table, text, BEST)
        assert row["other"] == other
        # Every block is as much apart as all: whatever is drawn, the difference is the same.
        found = row[["difference", "low", "high"]].astype(float)
        np.testing.assert_allclose(found, difference, atol=1e-12)
    # The mean block adds 2.5 to each loss.
    assert rows_of(table, "one", "ours")["cross_entropy"] == pytest.approx(7.5)
    assert rows_of(table, "one", "ours")["difference"] == 0


def test_over_texts_it_counts_where_ours_is_ahead_clearly_and_behind():
    table = tabulate_leads(0, SCORES, "ours")
    row = rows_of(table, ALL, "kn")
    assert row["difference"] == pytest.approx((0.1 - 0.3) / 2)
    assert [row[key] for key in ("texts", "ahead", "clear", "behind")] == [2, 1, 1, 1]
    # Of two texts drawn with replacement, both are the same one half the time.
    assert row["low"] == pytest.approx(-0.3)
    assert row["high"] == pytest.approx(0.1)


def test_the_figure_has_a_row_for_each_text_and_one_for_all(tmp_path):
    table = tabulate_leads(0, SCORES, "ours")
    figure = draw_texts(table, {"ours": "ours"}, METHODS)
    (ax,) = figure.axes
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["mean of all", "two", "one"]
    save_figure(figure, tmp_path / "a.png", tmp_path / "a.svg")
    assert (tmp_path / "a.png").stat().st_size > 0
