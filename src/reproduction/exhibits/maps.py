"""The map of who wins where, plotted only from its tidy table."""

from itertools import cycle

import numpy as np
from matplotlib.colors import ListedColormap, TwoSlopeNorm
from matplotlib.patches import Patch, Rectangle

from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import make_panels, put_legend

MOST_PER_CENT = 50  # per cent: the colours of a distance end there
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++", "oo", "--")  # of methods: they show in grey
FILLED = {"origin": "lower", "aspect": "auto"}


def draw_risk_map(table, exhibit, methods):
    """Draw the method with the lowest mean risk at each point, and how far ours is from the others.

    A row of two panels for each k, both with n over k along the axis and the rank of the model
    across. On the left the best of all methods; on the right the risk of ``ours`` minus that of
    the best other, in per cent of the latter.
    """
    names, ks = list(methods), sorted(table["k"].unique())
    figure, axes = make_panels(len(ks), 2)
    found = set(table.loc[table.groupby(["k", "rank", "n"])["mean"].idxmin(), "method"])
    colours = ListedColormap([style_of(name, methods).colour for name in names])
    order = sorted(range(len(names)), key=lambda i: names[i] != exhibit["ours"])
    looks = _tell_apart([(i, colours(i)) for i in order if names[i] in found])
    for (left, right), k in zip(axes, ks, strict=True):
        means = table[table["k"] == k].pivot(index=["rank", "n"], columns="method", values="mean")[
            names
        ]
        sizes = [means.index.unique(level) for level in ("rank", "n")]
        best = means.to_numpy().argmin(axis=1).reshape(*map(len, sizes))
        others = means.drop(columns=exhibit["ours"]).min(axis=1)
        gap = (100 * (means[exhibit["ours"]] / others - 1)).to_numpy().reshape(best.shape)
        left.imshow(best, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5, **FILLED)
        for (row, column), i in np.ndenumerate(best):
            if "hatch" in looks[i]:
                left.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **looks[i]))
        left.set_title(f"k = {k:,}: the lowest mean risk")
        ends = {"norm": TwoSlopeNorm(0, -MOST_PER_CENT, MOST_PER_CENT), "cmap": "PuOr"}
        shown = right.imshow(gap, **ends, **FILLED)
        for (row, column), value in np.ndenumerate(gap):
            shade = "white" if abs(value) > 0.7 * MOST_PER_CENT else "black"
            text = f"{value:+.0f}".replace("-", "\N{MINUS SIGN}")
            right.text(column, row, text, ha="center", va="center", fontsize=8, color=shade)
        ours = methods[exhibit["ours"]].get("label", exhibit["ours"])
        right.set_title(f"{ours} minus the best other, % (below zero: better)")
        figure.colorbar(shown, ax=right, extend="both")
        for ax in (left, right):
            _label_map(ax, *sizes, k)
    entries = {methods[names[i]].get("label", names[i]): Patch(**look) for i, look in looks.items()}
    put_legend(figure, entries, [f"Means of {table['trials'].max():,} trials."])
    return figure


def _tell_apart(colours):
    """Return the look of an area for each number: the first plain, the others hatched."""
    looks = {}
    for (i, colour), hatch in zip(colours, cycle(HATCHES), strict=False):
        looks[i] = {"facecolor": colour, "edgecolor": colour}
        if hatch:
            looks[i] |= {"edgecolor": "white", "hatch": hatch, "linewidth": 0}
    return looks


def _label_map(ax, ranks, sizes, k):
    """Write the settings along both axes of a panel."""
    ax.set_xticks(range(len(sizes)), [f"{n / k:g}" for n in sizes])
    ax.set_yticks(range(len(ranks)), [f"{rank:,}" for rank in ranks])
    ax.set(xlabel="pairs for each context, n / k", ylabel="rank of the model, m")
    ax.grid(False)
