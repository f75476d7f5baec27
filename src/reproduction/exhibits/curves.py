"""The curves of an exhibit: how they are found in a table, and how each is plotted."""

from dataclasses import dataclass

import numpy as np

from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import LOG_FROM, VERY_WIDE, reach, set_ticks
from reproduction.exhibits.sweeps import find_variants, rows_with

LABELS_OF_SIZES = {
    "n": "number of pairs, n",
    "k": "number of contexts and of outcomes, k",
    "rank": "rank, m",
}


@dataclass(frozen=True)
class Curve:
    """One curve: of a method at some values of the options that it sweeps."""

    label: str
    style: dict  # keywords of `Axes.errorbar`
    name: str  # the entry of the config's ``methods``
    values: dict  # of the options that it sweeps, but for one that runs along the axis
    is_thin: bool = False  # a baseline

    def rows(self, table):
        """Return the rows of a table that are this curve's."""
        return rows_with(table[table["method"] == self.name], self.values)


def find_curves(table, methods, x):
    """Return the curves of a table, in the order of the methods and of the values they sweep."""
    found = []
    for name, values, label in find_variants(table, methods, x):
        style = style_of(name, methods, turn=sum(curve.name == name for curve in found))
        found.append(Curve(label, style.curve(), name, values, style.is_thin))
    return found


def draw_curves(ax, table, x, curves, scale=None):
    """Draw the curves with their 95 % intervals; return the handles by label.

    A method that does not sweep the option along the axis is a thin level line. Without a
    ``scale``, "linear" or "log", values that lie far apart have a logarithmic axis.
    """
    known = table[x].dropna().unique().tolist()
    if not known:
        return {}
    names = isinstance(known[0], str)
    handles = {}
    for curve in curves:
        part = curve.rows(table)
        if part.empty:
            continue
        if part[x].isna().all():
            row, style = part.iloc[0], {key: curve.style[key] for key in ("color", "ls")}
            handles[curve.label] = ax.axhline(row["mean"], lw=1, **style)
            continue
        part = part if names else part.sort_values(x)
        ends = reach(part["mean"], part["low"], part["high"])
        handles[curve.label] = ax.errorbar(
            [known.index(value) for value in part[x]] if names else part[x],
            part["mean"],
            yerr=np.where(np.isnan(ends), 0.0, ends),
            capsize=2.5,
            elinewidth=1,
            **curve.style,
        )
    if not names:
        far = max(known) / min(known) if min(known) > 0 else 1
        if scale == "log" or (
            scale is None and far >= (LOG_FROM if x in LABELS_OF_SIZES else VERY_WIDE)
        ):
            ax.set_xscale("log")
            ax.minorticks_off()
    set_ticks(ax, known, is_size=x in LABELS_OF_SIZES)
    ax.set_xlabel(LABELS_OF_SIZES.get(x, x))
    return handles
