"""How figures look: colour and marker of each method, panels, ticks, a legend that fits."""

import itertools
import textwrap

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogLocator, NullFormatter, StrMethodFormatter

from condprob.catalogue import METHODS
from reproduction.study import load_function

MARKERS = "sX^vDPo*hd<>pH8"
DASHES = ["-", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (6, 1, 1, 1, 1, 1)), (0, (8, 3))]
# Dashes, and whether markers are filled, of the curves of one method in a figure.
VARIANTS = [
    (DASHES[0], True),
    *[(dashes, filled) for filled in (False, True) for dashes in DASHES[1:]],
    (DASHES[0], False),
]
STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same glyphs everywhere
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "legend.frameon": False,
    "figure.dpi": 150,
    "text.parse_math": False,  # a $ in a label or title starts no formula
    "svg.hashsalt": "condprob",  # the same ids in every run
}
NOTE = 7.5  # points
LETTER = 0.065  # inches that a letter of 9 points takes, on average
LOG_FROM = 8  # times the smallest x: from there on k runs on a logarithmic axis
VERY_WIDE = 60  # times the smallest: from there on anything does


def look_of(id):
    """Return the colour and the marker of a method, those of its record."""
    record = METHODS[id]
    return record.colour, record.marker


def line_style(id, variant):
    """Return the keywords of `Axes.errorbar` that distinguish a curve.

    All variants of a method have its colour and marker. ``variant`` is how many curves of the same
    method stand before this one in the figure. They differ in their dashes or the fill of their
    markers, and beyond `VARIANTS` in the gaps between dots.
    """
    colour, marker = look_of(id)
    if variant < len(VARIANTS):
        dashes, filled = VARIANTS[variant]
    else:
        dashes, filled = (0, (1, 2 + variant - len(VARIANTS))), True
    return {"color": colour, "marker": marker, "mfc": colour if filled else "white", "ls": dashes}


def make_panels(rows, columns, width=4.6, height=3.1):
    """Return a figure and its grid of axes, smaller panels where there are many."""
    width = width if columns < 3 else min(width, 3.5)
    height = height if rows < 3 else min(height, 2.6)
    size = (max(width * columns, 7.4), height * rows + 0.9)
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def reach(values, low, high):
    """Return how far intervals reach below and above values, shape (2, points), for `errorbar`.

    An end that rounding puts on the other side of its value is at it.
    """
    return np.maximum([np.subtract(values, low), np.subtract(high, values)], 0.0).reshape(2, -1)


def set_ticks(ax, values, is_size=True):
    """Put ticks where the measurements are: those that would run into each other lose their number.

    The horizontal scale is set already. Values that are sizes, such as n, k and m, are integers;
    those of an option that is a name are texts, at 0, 1, ...
    """
    if isinstance(values[0], str):
        ax.set_xticks(range(len(values)), values)
        ax.set_xlim(-0.5, len(values) - 0.5)
        return
    values = sorted(values)
    form = "{:,.0f}" if is_size else "{:g}"
    scale = np.log if ax.get_xscale() == "log" else np.asarray
    places = scale(np.array(values, dtype=float))
    width = ax.get_figure().get_figwidth() / ax.get_subplotspec().get_gridspec().ncols * 0.8
    inches = (places - places[0]) / (np.ptp(places) or 1) * width
    labels = [form.format(value) for value in values]

    def is_room(i, j):
        return abs(inches[i] - inches[j]) >= ((len(labels[i]) + len(labels[j])) / 2 + 1.5) * LETTER

    kept = [len(values) - 1]  # The largest keeps its number in any case, then the smallest.
    for i in [0, *reversed(range(1, len(values) - 1))]:
        if all(is_room(i, j) for j in kept):
            kept.append(i)
    kept = sorted(set(kept))
    ax.set_xticks([values[i] for i in kept], [labels[i] for i in kept])
    ax.xaxis.set_minor_locator(FixedLocator([v for i, v in enumerate(values) if i not in kept]))
    ax.xaxis.set_minor_formatter(NullFormatter())


def use_log_y(ax):
    """Make the vertical axis logarithmic, with plain numbers on it."""
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())


def put_title(figure, title):
    """Write the heading of a figure."""
    text = textwrap.fill(title, int(10 * figure.get_figwidth()))
    figure.suptitle(text, x=0.01, ha="left", fontsize=11, fontweight="bold")


def put_legend(figure, entries, notes):
    """Put notes, and one legend for all panels in as many rows as it needs, under the figure.

    ``entries`` are the handles by label.
    """
    width = int(figure.get_figwidth() / (0.8 * LETTER))
    note = "\n".join(line for note in notes for line in textwrap.wrap(note, width))
    if not entries:
        figure.supxlabel(note, fontsize=NOTE, x=0.01, ha="left")
        return
    labels = [f" {label}" if label.startswith("_") else label for label in entries]
    room, columns = figure.get_figwidth() - 0.3, 1
    for columns in range(len(labels), 0, -1):
        rows = [labels[i::columns] for i in range(columns)]  # the labels of each column
        if sum(0.6 + LETTER * max(map(len, row)) for row in rows) <= room:
            break
    # matplotlib fills columns first, readers read rows first.
    order = list(itertools.chain.from_iterable(
        range(column, len(labels), columns) for column in range(columns)))  # fmt: skip
    handles = list(entries.values())
    figure.legend(
        [handles[i] for i in order], [labels[i] for i in order],
        loc="outside lower center", ncols=columns, title=note, title_fontsize=NOTE,
    )  # fmt: skip


def draw_exhibit(draw, table, entry, methods):
    """Return the figure of an exhibit, drawn by ``draw``, a ``module:function``, from its CSV."""
    with mpl.rc_context(STYLE):
        figure = load_function(draw)(table, entry, methods)
        if "title" in entry:
            put_title(figure, entry["title"])
    return figure


def save_figure(figure, *paths):
    """Write the figure to each path, without date or version: the same bytes in every run."""
    with mpl.rc_context(STYLE):
        for path in paths:
            blank = {"Date": None} if str(path).endswith("svg") else {"Software": None}
            figure.savefig(path, metadata=blank)
