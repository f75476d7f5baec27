"""What each choice of a reading changes: the specification curve in a few of its points.

Each point is a reading, and has the interval of its own starts. So the table is small enough for
the reference, and each of its numbers can be compared with another run's.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.exhibits.looks import WIDTH, put_legend
from reproduction.exhibits.printing import share_between
from reproduction.scores.intervals import student_half_width
from reproduction.studies.readings.plan import AXES, CHOICES
from reproduction.studies.readings.specification import ABOVE, BELOW, GREY, NAMES

COLUMNS = ("corpus", "axis", "level", "readings", "above", "share", "difference", "low", "high")
SHARES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)  # of the curve: the points that are kept
WIDE, NARROW = (0.05, 0.95), (0.25, 0.75)  # of the readings with a choice: the two bars
EVERY, READING = "every", "reading"  # in place of an axis: all readings, and those of the ledger
ROW = 0.155  # inches: the height of a choice's row
NOTE = (
    "Right of zero AD-LR is worse. Of the readings with a choice: their median, the middle half "
    "(thick) and nine tenths (thin), and the share right of zero. Diamonds are single readings."
)


def tabulate(given):
    """Return the exhibit's table, of the specification curve's.

    A row is a point of the sorted curve of all readings that make a choice, ``level`` of ``axis``;
    all `EVERY` readings have a curve, too, and each column of the paper's ledger is one of a single
    `READING`. Columns are `COLUMNS`: the number of ``readings``; the share of them ``above`` zero;
    the ``share`` of the curve that lies at or before the point; its ``difference``, AD-LR minus
    Kneser-Ney in nats per word, with the 95 % interval over the starts of AD-LR.
    """
    known = given.tables[CHOICES].dropna(subset=["difference"])
    rows = []
    for corpus, part in known.groupby("corpus", sort=False):
        groups = [(EVERY, "", part)]
        for axis in (READING, *AXES):
            levels = part[part[axis].notna()].groupby(axis, sort=False)
            groups += [(axis, str(level), chosen) for level, chosen in levels]
        for axis, level, chosen in groups:
            for point in _points(chosen):
                rows.append({"corpus": corpus, "axis": axis, "level": level} | point)
    return pd.DataFrame(rows, columns=COLUMNS)


def _points(readings):
    """Yield the points of the sorted curve of some readings; of a single one there is one."""
    sorted_ = readings.sort_values("difference", kind="stable").reset_index(drop=True)
    size = len(sorted_)
    for share in SHARES if size > 1 else (1,):
        row = sorted_.iloc[max(int(np.ceil(share * size)) - 1, 0)]
        half = 0.0
        if row["seeds"] > 1:
            half = student_half_width(row["sd"], row["seeds"])
        yield {
            "readings": size,
            "above": (sorted_["difference"] > 0).mean(),
            "share": share,
            "difference": row["difference"],
            "low": row["difference"] - half,
            "high": row["difference"] + half,
        }


def draw(table, exhibit, methods):
    """Draw a panel for each corpus, with a row for each choice."""
    table = table.fillna({"level": ""})
    corpora = list(dict.fromkeys(table["corpus"]))
    found = dict.fromkeys(zip(table["axis"], table["level"], strict=True))
    names = sorted(found, key=lambda name: (EVERY, READING, *AXES).index(name[0]))
    columns = max(len(corpora), 1)
    size = (max(WIDTH, 2.0 * columns), ROW * max(len(names), 1) + 1.0)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(1, columns, squeeze=False, sharey=True)[0]
    for ax, corpus in zip(axes, corpora, strict=False):
        _draw_corpus(ax, table[table["corpus"] == corpus], names)
        ax.set_title(corpus)
    if names:
        axes[0].set_yticks(range(len(names)), _label(names), fontsize=6.5)
        axes[0].set_ylim(len(names) - 0.5, -0.5)
        axes[0].set_xlabel("AD-LR minus KN, nats per word", loc="left")
    put_legend(figure, {}, [NOTE])
    return figure


def _label(names):
    """Return the names of choices, each axis named at its first level."""
    first = {axis: level for axis, level in reversed(names)}
    titles = NAMES | {READING: "reading", EVERY: "all readings"}
    return [
        titles[axis] + (f": {level}" if level else "") if first[axis] == level else level
        for axis, level in names
    ]


def _draw_corpus(ax, part, names):
    """Draw the rows of one corpus."""
    ax.axvline(0, color="black", lw=0.8)
    for place, (axis, level) in enumerate(names):
        own = part[(part["axis"] == axis) & (part["level"] == level)]
        if place and names[place - 1][0] != axis:
            ax.axhline(place - 0.5, color="#c9c9c9", lw=0.6)
        if own.empty:
            continue
        at, above = own.set_index("share")["difference"], own["above"].iloc[0]
        if len(at) == 1:
            ax.plot(at.iloc[0], place, "D", ms=4.5, mfc="white", mec="black", mew=1.1)
            continue
        ax.plot(at[[*WIDE]], [place, place], color=GREY, lw=1, solid_capstyle="butt")
        ax.plot(at[[*NARROW]], [place, place], color=GREY, lw=3, solid_capstyle="butt")
        worse = at[0.5] > 0
        style = {"marker": "s" if worse else "o", "mfc": ABOVE if worse else BELOW}
        ax.plot(at[0.5], place, ms=4.5, mec="black", mew=0.5, **style)
        where = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}
        ax.annotate(share_between(above, above), (1.01, place), **where, fontsize=5.5, va="center")
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
