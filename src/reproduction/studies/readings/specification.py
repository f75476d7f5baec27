"""The specification curve: AD-LR minus Kneser-Ney under every defensible reading, sorted.

Simonsohn, Simmons and Nelson (2020). Each reading is a point of the curve, and the marks below say
which choices make it. Shares of readings are no probabilities: nobody knows how likely each is.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.corpora.receipts import left_out
from reproduction.exhibits.looks import WIDTH, put_legend
from reproduction.exhibits.printing import share_between
from reproduction.methods import METHODS
from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.studies.readings.plan import AXES, OF_AD_LR, OF_KNESER_NEY, OF_TEXT

COLUMNS = ("corpus", *AXES, "kn", "ad_lr", "difference", "sd", "seeds", "reading", "note")
ABOVE, BELOW, GREY = "#b5651d", "#1f6f8b", "#5d5d5d"
MARKS = "o", "s", "^"  # of the three readings of the ledger, in its order
LEVEL = 0.135  # inches: the height of a choice's row
CURVE = 2.3  # inches: the height of the curve
NOTE = (
    "Above zero AD-LR is worse. A reading is a point of the curve, and the marks below it are its "
    "choices. At the right: of the readings with that choice, the share above zero."
)
NAMES = {
    "tokenizer": "words",
    "split": "split",
    "vocabulary": "vocabulary",
    "continuation": "KN's lower order",
    "unseen": "KN, unseen context",
    "discount": "KN's discount",
    "initial": "AD-LR's start",
}


def tabulate(given):
    """Return the exhibit's table: a row for each reading, by corpus and difference.

    Columns are `COLUMNS`: the choices; cross-entropies of both methods and their ``difference``,
    AD-LR minus Kneser-Ney, nats per pair; ``sd``, the standard deviation over the ``seeds`` starts
    of AD-LR; ``reading``, the column of the paper's ledger that makes these choices, if one does;
    and ``note``, why a corpus could not be had.
    """
    notes = pd.DataFrame(
        [{"corpus": c, "note": why} for c, why in left_out(given.receipts).items()]
    )
    if given.scores is None or not len(given.scores):
        return notes.reindex(columns=COLUMNS)
    table = cross_readings(given.scores)
    table["reading"] = ""
    own = _own_texts(table)
    for name, choices in readings_of_ledger(given.methods).items():
        is_it = own & (table[[*choices]] == list(choices.values())).all(axis=1)
        table.loc[is_it, "reading"] = name
    order = {corpus: place for place, corpus in enumerate(dict.fromkeys(table["corpus"]))}
    table = table.assign(place=table["corpus"].map(order))
    table = table.sort_values(["place", "difference"], kind="stable")
    return pd.concat([table, notes], ignore_index=True).reindex(columns=COLUMNS)


def cross_readings(scores):
    """Return a row for each reading: each Kneser-Ney against each start, on the same pairs."""
    keys = ["corpus", *OF_TEXT]
    scores = scores.assign(cross_entropy=scores["loss"] / scores["pairs"])
    scores["discount"] = scores["discount"].map(_as_text)
    kn = scores[scores["method"] == "kn"][[*keys, *OF_KNESER_NEY, "cross_entropy"]]
    starts = scores[scores["method"] == "ad-lr"].groupby([*keys, *OF_AD_LR], sort=False)
    found = starts["cross_entropy"].agg(ad_lr="mean", sd="std", seeds="size").reset_index()
    table = kn.rename(columns={"cross_entropy": "kn"}).merge(found, on=keys)
    return table.assign(difference=table["ad_lr"] - table["kn"])


def readings_of_ledger(methods):
    """Return the choices that each column of the paper's ledger makes, by its name.

    Methods are entries of the config; what an entry does not say has the library's default.
    """
    found = {}
    for column in PAPER.columns:
        kn, ad_lr = (methods[column.instead.get(name, name)] for name in ("kn", "ad-lr"))
        options = METHODS["kn"].options
        chosen = {axis: kn.get(axis, options[axis].default) for axis in OF_KNESER_NEY}
        chosen["discount"] = _as_text(chosen["discount"])
        initial = ad_lr.get("initial", METHODS["ad-lr"].options["initial"].default)
        found[column.name] = chosen | {"initial": initial}
    return found


def _own_texts(table):
    """Return which readings have the project's own text: its first tokenizer, split, vocabulary."""
    first = table.groupby("corpus", sort=False)[[*OF_TEXT]].transform("first")
    return (table[[*OF_TEXT]] == first).all(axis=1)


def _as_text(value):
    """Write a level of an axis as text, a number in its shortest form."""
    try:
        return f"{float(value):g}"
    except ValueError:
        return str(value)


def draw(table, exhibit, methods):
    """Draw a sorted curve for each corpus, with the dots of the choices below it."""
    table = table.assign(discount=table["discount"].map(_as_text, na_action="ignore"))
    corpora = list(dict.fromkeys(table["corpus"]))
    known = table[table["difference"].notna()]
    rows = [(axis, level) for axis in AXES for level in dict.fromkeys(known[axis])]
    below = LEVEL * max(len(rows), 1)
    columns = max(len(corpora), 1)
    figure = Figure(figsize=(max(WIDTH, 2.3 * columns), CURVE + below + 0.5), layout="constrained")
    how = {"squeeze": False, "gridspec_kw": {"height_ratios": [CURVE, below]}}
    grid = figure.subplots(2, columns, **how)
    entries = {}
    for (curve, dots), corpus in zip(grid.T, corpora, strict=True):
        part = known[known["corpus"] == corpus].reset_index(drop=True)
        if part.empty:
            curve.set_title(f"{corpus} could not be had")
            for ax in (curve, dots):
                ax.set_axis_off()
            continue
        entries |= _draw_curve(curve, part)
        _draw_choices(dots, part, rows)
    grid[0, 0].set_ylabel("AD-LR minus KN, nats per word")
    for ax in grid[1, 1:]:
        ax.set_yticks([])
    if rows:
        grid[1, 0].set_yticks(range(len(rows)), _names(rows), fontsize=6.5)
    put_legend(figure, entries, [NOTE])
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
    entries = {}
    for mark, column in zip(MARKS, PAPER.columns, strict=True):
        for place in np.flatnonzero(part["reading"] == column.name):
            (entries[f"reading: {column.name}"],) = ax.plot(
                place, y[place], mark, ms=6, mfc="white", mec="black", mew=1.2, ls="", zorder=5
            )
    ax.set_xlim(-0.5, len(y) - 0.5)
    ax.set_xticks([])
    return entries


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
