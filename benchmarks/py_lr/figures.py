"""The figures of the exhibits, each drawn from its table."""

from itertools import product

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from py_lr.leads import BEST
from py_lr.structure import TEXT
from reproduction.exhibits.maps import FILLED, HATCHES
from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import WIDTH, make_panels, put_legend, reach
from reproduction.scores.columns import ALL
from reproduction.studies.near_optimal.figures import DRAW as PAPERS


def draw_structure(table, exhibit, methods):
    """Draw the best method of each cell, by how much per cent the second is behind, and texts."""
    names = list(methods)
    texts, cells = table[table["method"] == TEXT], table[table["method"] != TEXT]
    exponents, pairs = (sorted(cells[axis].unique()) for axis in ("exponent", "pairs"))
    figure, ((ax,),) = make_panels(1, 1, height=4.2)
    colours = [style_of(name, methods).colour for name in names]
    best = np.empty((len(exponents), len(pairs)))
    handles = {}
    for (row, exponent), (column, size) in product(enumerate(exponents), enumerate(pairs)):
        cell = cells[(cells["exponent"] == exponent) & (cells["pairs"] == size)]
        first = cell[cell["is_best"].astype(bool)].iloc[0]
        place = names.index(first["method"])
        best[row, column] = place
        hatch = HATCHES[(place + 1) % len(names)]  # the last method is plain
        look = {"facecolor": colours[place], "edgecolor": "white", "hatch": hatch, "linewidth": 0}
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, alpha=0.55, **look))
        handles[methods[first["method"]].get("label", first["method"])] = Patch(alpha=0.55, **look)
        second = cell.loc[~cell["is_best"].astype(bool), "above"].min()
        ax.text(
            column,
            row,
            f"{second:.0f}" if first["is_clear"] else f"({second:.0f})",
            ha="center",
            va="center",
            fontsize=8,
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.75},
        )
    ax.imshow(best, cmap=ListedColormap(["none"]), **FILLED)
    for turn, text in enumerate(texts.sort_values("pairs").itertuples()):
        x = np.interp(np.log(text.pairs), np.log(pairs), range(len(pairs)))
        y = np.interp(text.exponent, exponents, range(len(exponents)))
        ax.plot(x, y, "*", ms=11, mfc="white", mec="black")
        name = exhibit.get("labels", {}).get(text.corpus, text.corpus)
        is_left = turn < len(texts) / 2
        # Numbers stand in the middle of the rows, so names stand between two rows.
        border = np.ceil(y + 0.5) - 0.5 if turn % 2 else np.floor(y - 0.5) + 0.5
        ax.annotate(
            name,
            (x, y),
            (x - 0.08 if is_left else x + 0.08, border),
            arrowprops={"arrowstyle": "-", "lw": 0.8, "relpos": (is_left, 0.5), "shrinkB": 5},
            zorder=5,
            ha="right" if is_left else "left",
            va="center",
            fontsize=8,
            fontweight="bold",
        )
    ax.set_xticks(range(len(pairs)), [f"{value:g}" for value in pairs])
    ax.set_yticks(range(len(exponents)), [f"{value:g}" for value in exponents])
    k, rank = (int(cells[size].iloc[0]) for size in ("k", "rank"))
    ax.set(xlabel="pairs for each context, n / k", ylabel="exponent of the rows of B")
    ax.grid(False)
    put_legend(
        figure,
        handles,
        [
            f"The lowest mean risk of {cells['trials'].max():.0f} trials, k = {k}, m = {rank}.",
            "Numbers: per cent by which the second is above; in parentheses if by chance.",
            "Stars: texts, by their own pairs and exponent.",
        ],
    )
    return figure


LETTERS_OF_THREE = 30  # letters of a label of which three fit beside each other


def draw_texts(table, exhibit, methods):
    """Draw ours minus the best other on each text, by that method's mark: left is better."""
    best = table[table["method"] == BEST]
    samples = exhibit.get("samples", "texts")
    whole, best = best[best["text"] == ALL], best[best["text"] != ALL]
    best = best.sort_values("difference", ascending=False)
    figure = Figure(figsize=(WIDTH, 1.6 + 0.2 * (len(best) + 1)), layout="constrained")
    ax = figure.subplots()
    ax.axvline(0, color="black", lw=0.8)
    handles = {}
    for place, row in enumerate([*whole.itertuples(), *best.itertuples()]):
        if row.text == ALL:
            name, look = f"mean of all {samples}", {"color": "black", "marker": "D"}
        else:
            name = methods[row.other].get("label", row.other)
            look = style_of(row.other, methods).dot()
        handles[name] = _draw_bar(ax, row, place, **look)
    texts = ["mean of all", *best["text"]]
    ax.set_yticks(range(len(texts)), texts)
    ax.set_ylim(-0.8, len(texts) - 0.2)
    _finish(figure, ax, methods[exhibit["ours"]].get("label", exhibit["ours"]), handles)
    return figure


def _draw_bar(ax, row, place, **look):
    """Draw a difference with its interval; return its handle for a legend."""
    ends = reach(row.difference, row.low, row.high)
    return ax.errorbar(row.difference, place, xerr=ends, **look, capsize=2, elinewidth=1, ls="none")


def _finish(figure, ax, label, handles):
    """Add labels and legend to a figure of differences."""
    ax.grid(False, axis="y")
    ax.set_xlabel(
        f"{label} minus the best other method, nats per pair (left of zero {label} is better)"
    )
    if handles:
        note = "Mark: the best other, chosen on the test data itself. 95 % intervals, paired."
        columns = 3 if max(map(len, handles)) <= LETTERS_OF_THREE else 2
        figure.legend(
            handles.values(), handles, title=note, loc="outside lower center", ncols=columns
        )


DRAW = PAPERS | {"beyond-structure": draw_structure, "comparison": draw_texts}
