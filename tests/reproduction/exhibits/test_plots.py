"""The figures: every kind is drawn, with the same bytes each time, and gaps are explained."""

from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from made_up_results import draw_exhibit

from reproduction.exhibits import panels
from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import save_figure
from reproduction.studies.near_optimal.figures import DRAW

ENTRIES = {
    "sb": {"method": "sb", "label": "SB"},
    "ad-lr": {"method": "ad-lr", "label": "AD-LR"},
    "ad-lr-random": {"method": "ad-lr", "label": "AD-LR (random)"},
}
EXHIBITS = {
    "risk-curve": {"y_range": [0.1, 1], "y_scale": "log"},
    "table": {"corpora": ["here"]},
    "learning-curve": {"corpora": ["here"], "baseline": "sb", "y_range": [-1, 0]},
    "rank-selection": {"corpora": ["here"], "y_ranges": {"here": [0, 1]}},
}


def table(kind):
    rows = [
        {"corpus": "here", "k": 9, "rank": x, "n": 10 * x, "method": name, "mean": 1 / (x + i)}
        for i, name in enumerate(ENTRIES)
        for x in (1, 2, 3)
    ]
    rows = pd.DataFrame(rows)
    rows = rows.assign(low=rows["mean"] * 0.9, high=rows["mean"] * 1.1, sd=0.1, seeds=2, trials=2)
    rows = rows.assign(difference=rows["mean"] - 1, paper=np.nan, converged=1.0)
    rows = rows.assign(difference_low=rows["low"] - 1, difference_high=rows["high"] - 1)
    return rows


def draw(kind):
    return draw_exhibit(table(kind), {"kind": kind, "title": "Title"} | EXHIBITS[kind], ENTRIES)


def texts(figure):
    return " ".join(map(texts_of, figure.axes))


def texts_of(ax):
    return " ".join(text.get_text() for text in ax.texts)


def save(kind, folder):
    """Draw a kind of exhibit; return the bytes of its PNG and its SVG."""
    paths = folder / "a.png", folder / "a.svg"
    save_figure(draw(kind), *paths)
    return [path.read_bytes() for path in paths]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The bytes of every kind, drawn once."""
    return {kind: save(kind, tmp_path_factory.mktemp("saved")) for kind in EXHIBITS}


@pytest.mark.parametrize("kind", EXHIBITS)
def test_every_kind_is_drawn_with_the_same_bytes(kind, saved, tmp_path):
    assert save(kind, tmp_path) == saved[kind]
    assert min(map(len, saved[kind])) > 5000


def test_the_papers_axis_is_told_and_crosses_nothing():
    figure = draw("risk-curve")
    assert "The vertical axis in the paper runs from 0.1 to 1." in note_of(figure)
    figure = draw("rank-selection")
    assert "here: its axis in the paper runs from 0 to 1." in note_of(figure)


def test_curves_of_one_entry_never_look_the_same():
    """An entry sweeps an option: its curves differ in grey, too."""
    styles = [style_of("kn", {"kn": {"style": "vermilion X"}}, turn).curve() for turn in range(24)]
    assert len(set(map(repr, styles))) == 24
    in_grey = {repr((s["marker"], s["ls"], s["mfc"] == "white")) for s in styles[:12]}
    assert len(in_grey) == 12
    assert len({style["color"] for style in styles[:3]}) == 3


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


def note_of(figure):
    return figure.legends[0].get_title().get_text()


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
        ([100, 300, 600, 3000], ["100", "300", "600", "3,000"]),  # on a logarithmic axis
        ([1000, 2900, 3000], ["1,000", "3,000"]),
        ([5], ["5"]),
        ([5, 6], ["5", "6"]),
    ],
)
def test_the_smallest_and_the_largest_size_are_told(sizes, shown):
    entries = {"kn": {"method": "kn", "label": "KN"}}
    figure = draw_sweep(sweep(entries, [9], [2, 3], sizes), entries, x="n")
    assert all(ticks(ax) == shown for ax in figure.axes)


def test_a_table_shows_ours_with_a_bar_for_the_papers():
    exhibit = {"kind": "table", "title": "T", "corpora": ["here"]}
    rows = table("table").query("rank == 1")  # of means 1, 1/2 and 1/3
    ax = draw_exhibit(rows.assign(paper=0.4), exhibit, ENTRIES).axes[0]
    spread = " \N{PLUS-MINUS SIGN} 0.100"
    shown = [text for text in ax.texts if text.get_text()]
    assert {text.get_text(): text.xy[1] for text in shown} == {
        f"1.000{spread}": 0,
        "+0.600": 0,
        f"0.500{spread}": -1,
        "+0.100": -1,
        f"0.333{spread}": -2,
        "\N{MINUS SIGN}0.067": -2,
    }
    bold = [text.get_text() for text in shown if text.get_fontweight() == "bold"]
    assert bold == [f"0.333{spread}"]
    bars = {tuple(line.get_xydata()[0]) for line in ax.lines if line.get_marker() == "|"}
    assert {(0.4, -1.0), (0.4, -2.0)} <= bars
    # 1 is further above 1/2 than that is above 1/3: its mark is at the edge, with an arrow
    assert ax.get_xlim()[1] < 1
    (lowest,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert list(lowest.get_xdata()) == pytest.approx([1 / 3] * 2)


def test_a_corpus_that_the_paper_does_not_have_shows_ours():
    exhibit = {"kind": "table", "title": "T", "corpora": ["here", "new"]}
    rows = table("table").query("rank == 1")
    both = pd.concat([rows.assign(paper=0.4), rows.assign(corpus="new", paper=np.nan)])
    first, second = draw_exhibit(both, exhibit, ENTRIES).axes
    assert "0.500" in texts_of(second)
    assert not {"+0.100", "+0.600"} & {text.get_text() for text in second.texts}
    assert first.get_title(loc="left") == "here"
    assert second.get_title(loc="left") == "new (not in the paper)"


def test_a_minimum_at_an_end_of_the_ranks_is_marked_as_such():
    falling, inside = table("rank-selection"), table("rank-selection")
    inside.loc[inside["rank"] == 2, "mean"] = 0.01
    exhibit = {"kind": "rank-selection", "title": "T"} | EXHIBITS["rank-selection"]
    for rows, marker in ((falling, "s"), (inside, "o")):
        figure = draw_exhibit(rows, exhibit, ENTRIES)
        rings = [line for line in figure.axes[0].lines if line.get_markersize() == 11]
        assert {ring.get_marker() for ring in rings} == {marker}
        assert ("the best rank is not known" in note_of(figure)) == (marker == "s")


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


def many(methods):
    return {
        f"kn-{i}": {"method": "kn", "label": f"Kneser-Ney, variant {i}"} for i in range(methods)
    }


@pytest.mark.parametrize("methods", [9, 23])
def test_the_legend_fits_its_figure_and_leaves_its_panels_their_size(methods):
    figure = draw_sweep(sweep(many(methods), [9], [2, 3], [10, 20]), many(methods), x="n")
    figure.draw_without_rendering()
    box, whole = figure.legends[0].get_window_extent(), figure.bbox
    assert whole.x0 <= box.x0 < box.x1 <= whole.x1
    assert whole.y0 <= box.y0
    assert len(legend_of(figure)) == methods
    assert all(ax.get_window_extent().height > 1.7 * figure.dpi for ax in figure.axes)


@pytest.mark.parametrize("methods", [7, 23])
def test_more_than_six_curves_have_their_labels_at_their_ends(methods):
    entries = many(methods)
    table = sweep(entries, [9], [2], [10, 20])  # all end at one point: labels move apart
    risk = draw_sweep(
        table.assign(mean=table["mean"] + table["method"].str[3:].astype(int)), entries
    )
    (ax,) = risk.axes
    assert not risk.legends
    labels = sorted(ax.texts, key=lambda text: text.xyann[1])
    assert [text.get_text() for text in labels] == [entry["label"] for entry in entries.values()]
    risk.draw_without_rendering()
    boxes = [text.get_window_extent() for text in labels]
    assert all(low.y1 < high.y0 + 3 for low, high in pairwise(boxes))
    assert all(box.x1 <= risk.bbox.x1 for box in boxes)
    (same,) = draw_sweep(table, entries).axes
    assert len({round(text.xyann[1], 6) for text in same.texts}) == methods


def test_an_option_along_the_axis_has_a_panel_for_each_corpus_and_size():
    entries = {id: {"method": id, "label": id.upper()} for id in ("kn", "sb")}
    table = sweep(entries, [9], [2], [10, 20], discount=[0.25, 0.5])
    table = pd.concat([table.assign(corpus=corpus) for corpus in ("tale", "play")])
    gap = table["mean"] - 0.01
    table = table.assign(difference=gap, difference_low=gap, difference_high=gap, seeds=1)
    exhibit = {"corpora": ["tale", "play"], "baseline": "sb", "x": "discount"}
    figure = draw_sweep(table, entries, kind="learning-curve", **exhibit)
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles == [f"{c}: n = {n} words" for c in ("tale", "play") for n in (10, 20)]
    for ax, n in zip(figure.axes, (10, 20, 10, 20), strict=True):
        (curve,) = ax.containers
        assert list(curve.lines[0].get_ydata()) == pytest.approx([1 / n - 0.01] * 2)


def test_a_baseline_of_risks_has_a_panel_of_paired_differences():
    entries = {id: {"method": id, "label": id.upper()} for id in ("kn", "ad", "sb")}
    table = sweep(entries, [9], [2], [10, 20])
    gap = table["method"].map({"kn": 0.0, "ad": -0.01, "sb": 5.0})
    table = table.assign(difference=gap, difference_low=gap - 0.001, difference_high=gap + 0.001)
    figure = draw_sweep(table, entries, baseline="kn", difference_range=[-0.1, 0.1])
    _, beside = figure.axes
    assert beside.get_title(loc="left") == "differences: below zero, better than KN"
    assert "Beyond the panel of differences: SB." in note_of(figure)
    assert beside.get_position().width > 2 * figure.axes[0].get_position().width
    assert beside.get_ylim() == (-0.1, 0.1)
    assert [list(c.lines[0].get_ydata()) for c in beside.containers[:2]] == [[0, 0], [-0.01] * 2]


def test_a_scale_that_is_given_is_the_axis():
    entries = {"kn": {"method": "kn", "label": "KN"}}
    wide, near = ([10, 1000], "log"), ([10, 20], "linear")  # without x_scale
    for sizes, scale in (wide, near):
        (ax,) = draw_sweep(sweep(entries, [9], [2], sizes), entries).axes
        assert ax.get_xscale() == scale
    for sizes, scale in ((wide[0], "linear"), (near[0], "log")):
        (ax,) = draw_sweep(sweep(entries, [9], [2], sizes), entries, x_scale=scale).axes
        assert ax.get_xscale() == scale


def test_a_printed_gap_is_marked_below_its_method():
    exhibit = {"kind": "learning-curve", "title": "T"} | EXHIBITS["learning-curve"]
    exhibit |= {"printed_gap": {"n": 32, "below": "ad-lr", "nats": 0.1}}
    figure = draw_exhibit(table("learning-curve"), exhibit, ENTRIES)
    assert "in the paper, 0.1 below AD-LR at about 32" in legend_of(figure)
    (mark,) = [line for line in figure.axes[0].lines if line.get_markersize() == 14]
    # at n = 30, the nearest, AD-LR has mean 1 / (3 + 1), and a difference of that less one
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (32, pytest.approx(0.25 - 1 - 0.1))


def test_a_title_can_be_left_out():
    exhibit = {"kind": "risk-curve", "title": "Title"} | EXHIBITS["risk-curve"]
    assert draw("risk-curve").get_suptitle() == "Title"
    assert (
        panels.draw_exhibit(
            DRAW["risk-curve"], table("risk-curve"), exhibit, ENTRIES, titled=False
        ).get_suptitle()
        == ""
    )


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


def test_fits_that_did_not_converge_are_noted_but_those_of_samplers():
    """Nothing measures whether a sampler has mixed."""
    entries = {id: {"method": id, "label": id.upper()} for id in ("kn", "ad-lr", "py-lr")}
    table = sweep(entries, [9], [2], [10, 20])
    table.loc[table["method"] == "ad-lr", "converged"] = [0.0, 0.1]
    table.loc[table["method"] == "py-lr", "converged"] = 0.0
    note = note_of(draw_sweep(table, entries))
    assert "Still moving after the last iteration: AD-LR in 95 % of its fits; soft" in note
    assert "PY-LR" not in note


def test_a_table_without_printed_numbers_shows_ours():
    exhibit = {"kind": "table", "title": "T", "corpora": ["here"]}
    figure = draw_exhibit(table("table"), exhibit, ENTRIES)
    assert "paper" not in figure.get_supxlabel()
    assert "0.500" in texts_of(figure.axes[0])


def test_panels_of_a_sweep_share_their_axes():
    entries = {"kn": {"method": "kn", "label": "KN"}}
    figure = draw_sweep(sweep(entries, [20, 40], [2, 5], [10, 20, 30]), entries)
    assert len({ax.get_ylim() for ax in figure.axes}) == 1
    assert len({ax.get_xlim() for ax in figure.axes}) == 1


def test_a_baseline_does_not_squeeze_the_methods_and_is_named_where_it_leaves():
    entries = {name: {"method": "ad-lr", "label": name} for name in ("ad-lr", "unigram-ad")}
    entries["ad-lr"]["style"], entries["unigram-ad"]["style"] = "blue o", "grey x thin"
    table = sweep(entries, [9], [2], [10, 20])
    table.loc[table["method"] == "unigram-ad", ["mean", "low", "high"]] *= 9
    figure = draw_sweep(table, entries)
    assert figure.axes[0].get_ylim() == pytest.approx((0, 1.12 * 0.11))
    assert "Partly above the panel: unigram-ad." in note_of(figure)
    thin, thick = (
        style_of(name, entries).curve().get("lw", 1.6) for name in ("unigram-ad", "ad-lr")
    )
    assert thin < thick


@pytest.mark.parametrize(
    "surroundings",
    [
        {"axes.facecolor": "black", "savefig.dpi": 300, "svg.fonttype": "none"},
        {"text.usetex": True, "savefig.bbox": "tight", "lines.antialiased": False},
    ],
    ids=["dark", "tex"],
)
def test_a_matplotlibrc_of_the_user_changes_no_byte(tmp_path, saved, surroundings):
    with mpl.rc_context(surroundings):
        assert save("risk-curve", tmp_path) == saved["risk-curve"]
        assert mpl.rcParams["savefig.dpi"] == surroundings.get("savefig.dpi", "figure")
