"""The figures: every kind is drawn, with the same bytes each time, and gaps are explained."""

import numpy as np
import pandas as pd
import pytest
from made_up_results import draw_exhibit

from reproduction.exhibits import looks
from reproduction.exhibits.looks import save_figure

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
    rows = rows.assign(difference=rows["mean"] - 1, paper=np.nan, note="", converged=1.0)
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


def test_the_papers_frame_is_a_panel_of_its_own():
    axes = draw("risk-curve").axes
    for own, printed in zip(axes[::2], axes[1::2], strict=True):  # a column pair for each rank
        assert printed.get_ylim() == (0.1, 1)
        assert own.get_ylim() != (0.1, 1)


def test_variants_of_a_method_never_look_the_same():
    styles = [repr(sorted(looks.line_style("kn", v).items(), key=str)) for v in range(24)]
    assert len(set(styles)) == 24


def sweep(entries, ks, ranks, ns, **options):
    """The table of a risk curve over a grid, the same mean at each point plus what is swept."""
    values = [dict(zip(options, pair, strict=True)) for pair in zip(*options.values(), strict=True)]
    rows = [
        {"k": k, "rank": m, "n": n, "method": name, "mean": 1 / n, **value}
        for k in ks
        for m in ranks
        for n in ns
        for name in entries
        for value in (values if name == "kn" and values else [{}])
    ]
    table = pd.DataFrame(rows).assign(sd=0.1, trials=2, converged=1.0)
    return table.assign(low=table["mean"] * 0.9, high=table["mean"] * 1.1)


def draw_sweep(table, entries, **exhibit):
    return draw_exhibit(table, {"kind": "risk-curve", "title": "Title"} | exhibit, entries)


def legend_of(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def ticks(ax):
    return [text.get_text() for text in ax.get_xticklabels()]


def test_nine_panels_stand_in_a_grid():
    entries = {id: {"method": id, "label": id} for id in ("kn", "ad")}
    figure = draw_sweep(sweep(entries, [50, 100, 200], [2, 5, 10], [500, 1000, 2000]), entries)
    spec = figure.axes[0].get_subplotspec().get_gridspec()
    assert (spec.nrows, spec.ncols) == (3, 3)
    width, height = figure.get_size_inches()
    assert 0.5 < height / width < 1.2
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles[:4] == ["k = 50, m = 2", "k = 50, m = 5", "k = 50, m = 10", "k = 100, m = 2"]
    assert all(ticks(ax) == ["500", "1,000", "2,000"] for ax in figure.axes)


@pytest.mark.parametrize(
    ("sizes", "label", "shown"),
    [
        (([9], [2, 5], [100]), "rank, m", ["2", "5"]),
        (([20, 40], [2], [100]), "number of contexts and of outcomes, k", ["20", "40"]),
    ],
)
def test_what_varies_runs_along_the_axis(sizes, label, shown):
    entries = {"kn": {"method": "kn", "label": "KN"}}
    (ax,) = draw_sweep(sweep(entries, *sizes), entries).axes
    assert ax.get_xlabel() == label
    assert ticks(ax) == shown
    figure = draw_sweep(sweep(entries, [20, 40], [2], [100, 200]), entries, x="k")  # as it is named
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["m = 2, n = 100", "m = 2, n = 200"]


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ([100, 300, 600, 3000], ["100", "600", "3,000"]),
        ([1000, 2900, 3000], ["1,000", "3,000"]),
        ([5], ["5"]),
        ([5, 6], ["5", "6"]),
    ],
)
def test_the_smallest_and_the_largest_size_are_told(sizes, shown):
    entries = {"kn": {"method": "kn", "label": "KN"}}
    figure = draw_sweep(sweep(entries, [9], [2, 3], sizes), entries, x="n")
    assert all(ticks(ax) == shown for ax in figure.axes)


def test_a_table_has_its_numbers_beside_the_marks():
    exhibit = {"kind": "table", "title": "T", "corpora": ["here", "missing"]}
    rows = table("table").query("rank == 1 or rank.isna()")
    ax = draw_exhibit(rows.assign(paper=0.4), exhibit, ENTRIES).axes[0]
    sides = {text.get_text(): text.get_ha() for text in ax.texts}
    assert sides == {"1.000": "left", "0.500": "left", "0.333": "right"}  # 0.4 is the bar


def test_an_end_that_rounding_puts_beyond_its_mean_is_at_the_mean():
    entries = {"kn": {"method": "kn", "label": "KN"}}
    table = sweep(entries, [20], [2], [100, 200])
    draw_sweep(table.assign(low=table["mean"] + 1e-17, high=table["mean"] - 1e-17), entries)
    draw_sweep(table.assign(low=np.nextafter(table["mean"], 1)), entries)


def test_a_swept_option_is_a_curve_for_each_value_or_the_axis():
    entries = {id: {"method": id, "label": id.upper()} for id in ("kn", "ad")}
    table = sweep(entries, [9], [2], [10, 20], discount=[0.25, 0.5])
    by_value = draw_sweep(table, entries)
    assert legend_of(by_value) == ["KN, discount = 0.25", "KN, discount = 0.5", "AD"]
    along = draw_sweep(table, entries, x="discount")
    assert legend_of(along) == ["KN", "AD"]
    assert ticks(along.axes[0]) == ["0.25", "0.5"]
    words = sweep(entries, [9], [2], [10], form=["interpolated", "backoff"])
    assert ticks(draw_sweep(words, entries).axes[0]) == ["interpolated", "backoff"]


@pytest.mark.parametrize("methods", [9, 15])
def test_the_legend_fits_its_figure(methods):
    entries = {f"kn-{i}": {"method": "kn", "label": f"Kneser-Ney, variant {i}"}
               for i in range(methods)}  # fmt: skip
    figure = draw_sweep(sweep(entries, [9], [2], [10, 20]), entries)
    figure.draw_without_rendering()
    box, whole = figure.legends[0].get_window_extent(), figure.bbox
    assert whole.x0 <= box.x0 < box.x1 <= whole.x1
    assert whole.y0 <= box.y0
    assert len(legend_of(figure)) == methods


def test_texts_are_drawn_as_they_are(tmp_path):
    odd = "a $b_ {$ c ^"
    entries = {"sb": {"method": "sb", "label": odd}, "ad": {"method": "ad", "label": f"_{odd}"}}
    figure = draw_sweep(sweep(entries, [9], [2], [10, 20]), entries, title=odd)
    save_figure(figure, tmp_path / "a.png", tmp_path / "a.svg")
    assert legend_of(figure) == [odd, f" _{odd}"]
    for kind in ("table", "learning-curve"):
        exhibit = {"kind": kind, "title": odd} | EXHIBITS[kind]
        labels = ENTRIES | {"sb": {"method": "sb", "label": odd}}
        save_figure(draw_exhibit(table(kind), exhibit, labels), tmp_path / "b.png")


def test_fits_that_did_not_converge_are_told():
    entries = {"kn": {"method": "kn", "label": "KN"}, "ad-lr": {"method": "ad-lr", "label": "LR"}}
    table = sweep(entries, [9], [2], [10, 20])
    table.loc[table["method"] == "ad-lr", "converged"] = [0.0, 0.1]
    note = draw_sweep(table, entries).legends[0].get_title().get_text()
    assert "Converged after the last iteration: LR in 5 % of its fits." in note


def test_a_table_tells_of_the_papers_bar_only_where_there_is_one():
    exhibit = {"kind": "table", "title": "T", "corpora": ["here", "missing"]}
    note = draw_exhibit(table("table"), exhibit, ENTRIES).get_supxlabel()
    assert "bar" not in note
    printed = table("table").assign(paper=0.3)
    assert "bar: the paper's value" in draw_exhibit(printed, exhibit, ENTRIES).get_supxlabel()
