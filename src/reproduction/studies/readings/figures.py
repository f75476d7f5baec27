"""The figures of the study, each plotted from its table."""

import numpy as np
from matplotlib.figure import Figure

from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import ON_WHITE, WIDTH, make_panels, put_legend, reach
from reproduction.exhibits.printing import share_between
from reproduction.scores.columns import ALL
from reproduction.studies.near_optimal.source import KNESER_NEY
from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.studies.readings.choices import EVERY, SETTING
from reproduction.studies.readings.plan import AXES
from reproduction.studies.readings.specification import _as_text
from reproduction.studies.readings.tables import STRONGEST

ABOVE, BELOW, GREY = "#b5651d", "#1f6f8b", "#5d5d5d"
MARKS = "o", "s", "^"  # of the three readings of the ledger, in its order
LEVEL = 0.135  # inches: the height of a choice's row
CURVE = 2.3  # inches: the height of the curve
PERCENTILE = 0.12  # inches: the height of a percentage beside it
NOTE_ON_SETTINGS = (
    "Above zero, Kneser-Ney is better. Each column of marks shows the choices behind one point of "
    "the curve; the percentage at the right is the fraction of settings with that choice in which "
    "Kneser-Ney is better. Symbols are the three main settings, with the percentage of all "
    "settings that favour AD-LR more."
)
NAMES = {
    "tokenizer": "words",
    "split": "split",
    "vocabulary": "vocabulary",
    "continuation": "KN's lower order",
    "unseen": "KN, unseen context",
    "discount": "KN's discount",
    "initial": "AD-LR's initialisation",
}


def draw_specification(table, exhibit, methods):
    """Draw a sorted curve for each corpus, with the dots of the choices below it."""
    table = table.assign(discount=table["discount"].map(_as_text, na_action="ignore"))
    corpora = list(dict.fromkeys(table["corpus"]))
    rows = [(axis, level) for axis in AXES for level in dict.fromkeys(table[axis])]
    below = LEVEL * len(rows)
    width = max(WIDTH, 2.3 * len(corpora))
    figure = Figure(figsize=(width, CURVE + below + 0.5), layout="constrained")
    how = {"squeeze": False, "gridspec_kw": {"height_ratios": [CURVE, below]}}
    grid = figure.subplots(2, len(corpora), **how)
    entries = {}
    for (curve, dots), corpus in zip(grid.T, corpora, strict=True):
        part = table[table["corpus"] == corpus].reset_index(drop=True)
        entries |= _draw_curve(curve, part)
        _draw_choices(dots, part, rows)
    grid[0, 0].set_ylabel("AD-LR minus KN, nats per word")
    for ax in grid[1, 1:]:
        ax.set_yticks([])
    grid[1, 0].set_yticks(range(len(rows)), _names(rows), fontsize=6.5)
    put_legend(figure, entries, [NOTE_ON_SETTINGS])
    return figure


def _names(rows):
    """Return the names of choices, each axis named at its first."""
    first = {axis: level for axis, level in reversed(rows)}
    return [
        f"{NAMES[axis]}: {level}" if first[axis] == level else str(level) for axis, level in rows
    ]


def _draw_curve(ax, part):
    """Draw the sorted differences of one corpus, and mark the readings of the ledger."""
    y, x = part["difference"].to_numpy(), np.arange(len(part))
    above = (y > 0).mean()
    share = share_between(above, above)
    ax.set_title(f"{part['corpus'].iloc[0]}: {share}\nof {len(y):,} above zero")
    ax.fill_between(x, y, 0, where=y > 0, color=ABOVE, alpha=0.35, lw=0, step="mid", hatch="////")
    ax.fill_between(x, y, 0, where=y <= 0, color=BELOW, alpha=0.35, lw=0, step="mid")
    ax.plot(x, y, color="black", lw=1)
    ax.axhline(0, color="black", lw=0.8)
    ax.axvline(len(y) * (1 - above) - 0.5, color="black", lw=0.8, ls=(0, (2, 2)))
    entries, places = {}, []
    for mark, column in zip(MARKS, PAPER.columns, strict=True):
        for place in np.flatnonzero(part["setting"] == column.name):
            (entries[column.name],) = ax.plot(
                place, y[place], mark, ms=6, mfc="white", mec="black", mew=1.2, ls="", zorder=5
            )
            places.append(place)
    _write_percentiles(ax, y, sorted(places))
    ax.set_xlim(-0.5, len(y) - 0.5)
    ax.set_xticks([])
    return entries


def _write_percentiles(ax, y, places):
    """Write at points of a curve the percentage of points before them, one above the other."""
    low, high = ax.get_ylim()
    step, height = PERCENTILE * (high - low) / CURVE, -np.inf
    for place in places:  # the curve rises
        height = max(y[place] - 0.6 * step, height + step)
        text = f"{100 * place / len(y):.0f} %"
        where = {"textcoords": ("offset points", "data"), "va": "center", "bbox": ON_WHITE}
        ax.annotate(text, (place, y[place]), (7, height), fontsize=6, **where)


def _draw_choices(ax, part, rows):
    """Mark the choices of each reading; write the share of a choice's readings above zero."""
    worse = part["difference"].to_numpy() > 0
    for place, (axis, level) in enumerate(rows):
        chosen = (part[axis] == level).to_numpy()
        if chosen.any():
            x = np.flatnonzero(chosen)
            style = {"ms": 3, "mew": 0.35, "alpha": 0.35, "color": GREY, "rasterized": True}
            ax.plot(x, np.full(x.size, place), "|", **style)
            share = worse[chosen].mean()
            where = {"xycoords": ("axes fraction", "data"), "annotation_clip": False}
            text = share_between(share, share)
            ax.annotate(text, (1.01, place), **where, fontsize=5.5, va="center")
        if place and rows[place - 1][0] != axis:
            ax.axhline(place - 0.5, color="#c9c9c9", lw=0.6)
    ax.set_xlim(-0.5, len(part) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xticks([])
    ax.grid(False)
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "bottom"]].set_visible(False)


WIDE, NARROW = (0.05, 0.95), (0.25, 0.75)  # of the readings with a choice: the two bars
ROW = 0.155  # inches: the height of a choice's row
NOTE_ON_CHOICES = (
    "Right of zero, AD-LR is worse. Each row shows all settings with one choice: their median, the "
    "middle half (thick) and nine tenths (thin), and the percentage of them right of zero. "
    "Diamonds are the three main settings."
)


def draw_choices(table, exhibit, methods):
    """Draw a panel for each corpus, with a row for each choice."""
    table = table.fillna({"level": ""})
    corpora = list(dict.fromkeys(table["corpus"]))
    found = dict.fromkeys(zip(table["axis"], table["level"], strict=True))
    names = sorted(found, key=lambda name: (EVERY, SETTING, *AXES).index(name[0]))
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
    put_legend(figure, {}, [NOTE_ON_CHOICES])
    return figure


def _label(names):
    """Return the names of choices, each axis named at its first level."""
    first = {axis: level for axis, level in reversed(names)}
    titles = NAMES | {SETTING: "setting", EVERY: "all settings"}
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


def draw_replication(table, exhibit, methods):
    """Draw AD-LR - KN with its 95 % interval on each text, each collection and all of them.

    A panel is of the strongest Kneser-Ney; next to it are the first two of `KNESER_NEY`.
    """
    labels = {name: entry.get("label", name) for name, entry in methods.items()}
    kns = [STRONGEST, *(kn for kn in list(KNESER_NEY)[:2] if kn in set(table["kn"]))]
    names = list(dict.fromkeys(zip(table["collection"], table["text"], strict=True)))
    groups = dict.fromkeys(collection for collection, _ in names)
    rows = [(c, t) for group in groups for c, t in names if c == group]
    place = {row: -i for i, row in enumerate(rows)}
    figure, ((*panels,),) = make_panels(1, len(kns), height=0.2 * len(rows) + 1)
    entries = {}
    for ax, kn in zip(panels, kns, strict=True):
        for variant, name in enumerate(dict.fromkeys(table["ad_lr"])):
            part = table[(table["kn"] == kn) & (table["ad_lr"] == name)]
            entries[labels[name]] = _draw_differences(
                ax, part, place, variant, style_of(name, methods)
            )
        ax.axvline(0, color="black", lw=0.8)
        ax.set_title("the strongest KN of each" if kn == STRONGEST else labels[kn])
        ax.grid(False, axis="y")
        ax.set_yticks(list(place.values()), [""] * len(rows))
        ax.set_ylim(0.2 - len(rows), 0.8)
    ticks = [t if t != ALL else f"{c}: mean" if c != ALL else "mean of all" for c, t in rows]
    panels[0].set_yticks(list(place.values()), ticks)
    for tick, (_, text) in zip(panels[0].get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if text == ALL else "normal")
    panels[len(kns) // 2].set_xlabel("AD-LR minus KN, nats per word")
    note = "Left of zero AD-LR is better. 95 % intervals over blocks of text and runs."
    put_legend(figure, entries, [f"{note} Means (bold) are over texts as well."])
    return figure


def _draw_differences(ax, part, place, variant, style):
    """Draw the differences of one start of AD-LR, the second below the first."""
    rows = zip(part["collection"], part["text"], strict=True)
    y = np.array([place[row] for row in rows]) - 0.32 * variant + 0.16
    whole = (part["text"] == ALL).to_numpy()
    bar = {"ls": "none", "capsize": 2, "elinewidth": 1} | style.dot()
    for chosen, shape in ((whole, "D"), (~whole, style.marker)):
        few = part[chosen]
        span = reach(few["difference"], few["low"], few["high"])
        drawn = ax.errorbar(few["difference"], y[chosen], xerr=span, **bar | {"marker": shape})
    return drawn


DRAW = {
    "specification": draw_specification,
    "choices": draw_choices,
    "replication": draw_replication,
}
