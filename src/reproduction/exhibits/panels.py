"""How figures look: panels, ticks, a legend that fits."""

import itertools
import sys
import textwrap

import numpy as np
from matplotlib import font_manager, rcParams, style
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

STYLE = {
    # The first comes with matplotlib: the same glyphs everywhere. The others have letters that it
    # lacks, where the machine has them: see `our_style`.
    "font.family": [
        "DejaVu Sans",
        *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "WenQuanYi Zen Hei"),
        *("Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai"),
        *("Noto Sans Hebrew", "Noto Sans Arabic", "Noto Sans Ethiopic", "Noto Sans Symbols 2"),
        *("PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Nirmala UI", "Arial Unicode MS"),
        *("Unifont", "GNU Unifont"),
    ],
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
WIDTH = 7.2  # inches of a figure: two columns of a journal, where 9 points stay 9 points
SIZE_OF_NOTE = 7.5  # points
# Inches: of a legend, notes, labels at curves.
LEGEND_LINE = 0.19
NOTE_LINE = 0.145
NAME_LINE = 0.155
WIDTH_OF_AXIS = 0.8  # inches that a panel needs for its vertical axis
ON_WHITE = {"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85}  # no line crosses a text
WIDTH_OF_LETTER = 0.065  # inches that a letter of 9 points takes, on average
LOG_FROM = 8  # times the smallest size: from there on k, m and n run on a logarithmic axis
VERY_WIDE = 60  # times the smallest: from there on an option does


def make_panels(rows, columns, width=2.2, height=None, names=0, **how):
    """Return a figure and its grid of axes, as wide as two columns of a journal.

    It is wider only where panels would be narrower than ``width``, inches. A panel is as high as
    the ``names`` that are written next to it need, one below the other. ``how`` goes to `subplots`:
    axes that are shared, widths of columns.
    """
    height = max(height or (2.5 if columns > 1 else 2.9), NAME_LINE * names + 0.7)
    size = (max(WIDTH, width * columns), height * rows + 0.35)
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **how)


def make_grid(count, columns=2, **how):
    """Return a figure and axes for so many panels, in rows of at most so many `make_panels`."""
    columns = min(columns, count)
    figure, axes = make_panels(-(-count // columns), columns, **how)
    for ax in axes.flat[count:]:
        ax.set_axis_off()
    return figure, axes.flat[:count]


def share_heights(axes):
    """Give adjacent panels one vertical axis; each keeps its numbers."""
    for ax in axes[1:]:
        ax.sharey(axes[0])


def label_ends(ax, handles):
    """Write the label of each curve to the right of its last point, with a line between them.

    ``handles`` are lines, or error bars, by label. The limits of the axes are set already. Labels
    keep the order of the curves' ends, and are as near to them as their heights allow.
    """
    from scipy.optimize import isotonic_regression  # few figures need it: .2 s of a job of 1.5

    ax.autoscale_view()
    lines = [getattr(handle, "lines", [handle])[0] for handle in handles.values()]
    ends = [line.get_transform().transform(line.get_xydata()[-1]) for line in lines]
    ends = np.clip(ax.transAxes.inverted().transform(ends), 0, 1)
    rows = ax.get_subplotspec().get_gridspec().nrows
    step = NAME_LINE / (ax.get_figure().get_figheight() / rows - 0.7)
    order = np.argsort(ends[:, 1], kind="stable")
    apart = step * np.arange(len(order))
    near = isotonic_regression(ends[order, 1] - apart).x
    heights = np.clip(near, 0, max(0.0, 1 - apart[-1])) + apart
    for place, height in zip(order, heights, strict=True):
        ax.annotate(
            list(handles)[place],
            ends[place],
            (1.05, height),
            "axes fraction",
            "axes fraction",
            fontsize=SIZE_OF_NOTE,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": lines[place].get_color(),
                "lw": 0.8,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 3,
            },
        )


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
    panel = ax.get_figure().get_figwidth() / ax.get_subplotspec().get_gridspec().ncols
    width = max(panel - WIDTH_OF_AXIS, 0.5)
    inches = (places - places[0]) / (np.ptp(places) or 1) * width
    labels = [form.format(value) for value in values]

    def is_room(i, j):
        return (
            abs(inches[i] - inches[j])
            >= ((len(labels[i]) + len(labels[j])) / 2 + 2.6) * WIDTH_OF_LETTER
        )

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
    ax.yaxis.set_major_formatter(plain_numbers())
    ax.yaxis.set_minor_formatter(NullFormatter())


def plain_numbers():
    """Return what writes the numbers of ticks in digits, with commas, wherever they are few."""
    return FuncFormatter(
        lambda value, place: f"{value:,.0f}" if 1000 <= value < 1e8 else f"{value:g}"
    )


def put_title(figure, title):
    """Write the heading of a figure."""
    text = textwrap.fill(title, int(11 * figure.get_figwidth()))
    figure.suptitle(text, x=0.01, ha="left", fontsize=10, fontweight="bold")


def put_legend(figure, entries, notes):
    """Put notes, and one legend for all panels in as many rows as it needs, under the figure.

    ``entries`` are the handles by label. The figure grows by their height.
    """
    width = int(figure.get_figwidth() / (0.88 * WIDTH_OF_LETTER))
    note = "\n".join(line for note in notes for line in textwrap.wrap(note, width))
    grown = NOTE_LINE * len(note.splitlines())
    if not entries:
        figure.set_figheight(figure.get_figheight() + grown)
        figure.supxlabel(note, fontsize=SIZE_OF_NOTE, x=0.01, ha="left")
        return
    labels = [f" {label}" if label.startswith("_") else label for label in entries]
    room, columns = figure.get_figwidth() - 0.3, 1
    for columns in range(len(labels), 0, -1):
        rows = [labels[i::columns] for i in range(columns)]  # the labels of each column
        if sum(0.68 + WIDTH_OF_LETTER * max(map(len, row)) for row in rows) <= room:
            break
    figure.set_figheight(
        figure.get_figheight() + grown + LEGEND_LINE * -(-len(labels) // columns) + 0.1
    )
    # matplotlib fills columns first, readers read rows first.
    order = list(
        itertools.chain.from_iterable(
            range(column, len(labels), columns) for column in range(columns)
        )
    )
    handles = list(entries.values())
    figure.legend(
        [handles[i] for i in order],
        [labels[i] for i in order],
        loc="outside lower left",
        ncols=columns,
        title=note,
        title_fontsize=SIZE_OF_NOTE,
        alignment="left",
        handlelength=2.6,  # so long that dashes are told from a line
    )


def our_style():
    """Return a context of `STYLE` on matplotlib's own defaults, whatever a matplotlibrc says."""
    known = {*font_manager.get_font_names()}
    family = [name for name in STYLE["font.family"] if name in known]
    return style.context(["default", STYLE | {"font.family": family}])


def draw_exhibit(draw, table, entry, methods, titled=True):
    """Return the figure of an exhibit, which the function ``draw`` makes from its CSV.

    Its title is that of the entry; journals want none in the picture.
    """
    with our_style():
        figure = draw(table, entry, methods)
        if titled and "title" in entry:
            put_title(figure, entry["title"])
    return figure


def save_figure(figure, *paths):
    """Write the figure to each path, without date or version: the same bytes in every run."""
    with our_style():
        for path in paths:
            blank = {"Date": None} if str(path).endswith("svg") else {"Software": None}
            figure.savefig(path, metadata=blank)
        lacking = letters_without_a_font(figure)
    if lacking:
        print(
            f"{paths[0]}: no font of this machine has {' '.join(lacking)}, shown as boxes. "
            "Install one that has, such as a Noto font of the script, and draw the figure again",
            file=sys.__stderr__,  # past the log of the job
        )


def letters_without_a_font(figure):
    """Return the letters of a figure that no font of the style in force has."""
    names = rcParams["font.family"]
    fonts = [font_manager.get_font(font_manager.findfont(name)) for name in names]
    letters = {letter for text in figure.findobj(Text) for letter in text.get_text()}
    return sorted(
        letter
        for letter in letters
        if not letter.isspace() and not any(font.get_char_index(ord(letter)) for font in fonts)
    )
