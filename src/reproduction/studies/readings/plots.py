"""The figures of the multiverse and of the replication, each from its table alone."""

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduction.exhibits.looks import WIDTH, look_of, put_title, reach
from reproduction.exhibits.printing import share_between
from reproduction.scores.columns import ALL
from reproduction.studies.readings.axes import CLAIMS, STRONGEST
from reproduction.studies.readings.tables import claim_readings

HOLDS, FAILS = look_of("ad-lr")[0], look_of("kn")[0]
BINS = 60  # of the readings in order of their margin
GROUND = "#5d5d5d"


def draw_curves(universes, shares, claim, order, titled=True):
    """Draw the specification curve of a claim: one column for each corpus.

    Above, the margin of every reading, sorted; below, for each level of each choice, how its
    readings are spread over that order, and the share of them in which the claim holds. ``order``
    has the levels of each axis, in the order of the rows; of ``tokenizer``, those by corpus.
    """
    readings, axes = claim_readings(universes, claim)
    rows = [(axis, str(level)) for axis in axes for level in _levels(order[axis])]
    table = shares[(shares["claim"] == claim) & (shares["corpus"] != ALL)].set_index("corpus")
    size = (3.0 * max(len(table), 2) + 1.7, 3.2 + 0.16 * len(rows))
    figure = Figure(figsize=size, layout="constrained")
    grid = {"height_ratios": [2.3, 0.16 * len(rows)]}
    panels = figure.subplots(2, len(table), squeeze=False, gridspec_kw=grid)
    for (above, below), (corpus, row) in zip(panels.T, table.iterrows(), strict=True):
        part = readings[readings["corpus"] == corpus].sort_values("margin", kind="stable")
        if part.empty:
            for ax in (above, below):
                ax.set_xticks([])
                ax.grid(False)
            above.set_title(f"{corpus} could not be had")
            continue
        _draw_curve(above, part, row)
        _draw_levels(below, part, rows)
    panels[0, 0].set_ylabel("margin, nats per word")
    for ax in panels[1, 1:]:
        ax.set_yticks([])
    panels[1, 0].set_ylim(len(rows) - 0.5, -0.5)
    panels[1, 0].set_yticks(range(len(rows)), [f"{axis}: {level}" for axis, level in rows])
    panels[1, 0].tick_params(axis="y", labelsize=7, length=0)
    if titled:
        put_title(figure, f"{CLAIMS[claim][0]} in cross-entropy: in how many readings?")
    note = (
        "Readings in order of their margin; hatched where the claim does not hold. Strips: "
        "darker where more of the readings have that level.\n"
        "Number: the share of a level's readings in which the claim holds."
    )
    figure.supxlabel(note, fontsize=8, x=0.01, ha="left")
    return figure


def _share(share):
    """Write a share in per cent."""
    return share_between(share, share)


def _levels(values):
    """Return the levels of an axis; of tokenizers by corpus, each once."""
    if isinstance(values, dict):
        return list(dict.fromkeys(level for levels in values.values() for level in levels))
    return values


def _draw_curve(ax, part, row):
    """Draw the sorted margins of all readings and of those that the paper states."""
    stated = part[part["stated"] & part["distributions"]]
    for group, style in ((part, {"lw": 1.4}), (stated, {"lw": 1.1, "ls": (0, (4, 2))})):
        name = "all readings" if group is part else "as the paper states, SB normalised"
        place = 100 * (np.arange(len(group)) + 0.5) / max(len(group), 1)
        thin = np.unique(np.linspace(0, len(group) - 1, 400).astype(int)) if len(group) else []
        x, y = place[thin], group["margin"].to_numpy()[thin]
        ax.plot(x, y, color="black", label=name, **style)
        if group is part:
            ax.fill_between(x, y, 0, where=y > 0, color=HOLDS, alpha=0.35, lw=0)
            ax.fill_between(x, y, 0, where=y <= 0, color=FAILS, alpha=0.35, lw=0, hatch="///")
    ax.axhline(0, color="black", lw=0.8)
    ax.set_xlim(0, 100)
    ax.set_xticks([0, 50, 100], ["0", "50", "100 %"])
    ax.set_title(
        f"{row.name}: holds in {_share(row['share'])} of {row['readings']:,.0f} readings,\n"
        f"{_share(row['share_stated'])} of {row['readings_stated']:,.0f} as the paper states "
        "(dashed)"
    )


def _draw_levels(ax, part, rows):
    """Draw a strip for each level: darker where more of the readings have it."""
    place = np.arange(len(part)) * BINS // len(part)
    sizes = np.bincount(place, minlength=BINS)
    image = np.full((len(rows), BINS), np.nan)
    for i, (axis, level) in enumerate(rows):
        chosen = (part[axis] == level).to_numpy()
        if chosen.any():
            share = np.bincount(place, chosen, minlength=BINS) / np.maximum(sizes, 1)
            image[i] = share / share.max()
            holds = (part["margin"].to_numpy()[chosen] > 0).mean()
            text = {"fontsize": 6.5, "va": "center", "annotation_clip": False}
            ax.annotate(_share(holds), (BINS + 0.5, i), **text)
        if i and rows[i - 1][0] != axis:
            ax.axhline(i - 0.5, color="white", lw=2)
    shade = mpl.colors.LinearSegmentedColormap.from_list("shade", ["#f4f4f0", GROUND])
    ax.imshow(image, aspect="auto", cmap=shade, vmin=0, vmax=1, interpolation="none")
    ax.set_xticks([])
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)


def draw_effects(effects, claim="kn-over-ad-lr", titled=True):
    """Draw how much of a margin's variance each choice explains, for each corpus and for all."""
    table = effects[effects["claim"] == claim]
    corpora = list(dict.fromkeys(table["corpus"]))
    if not corpora:
        return Figure(figsize=(5.6, 2))
    last = table[table["corpus"] == corpora[-1]]
    axes = [*last["axis"], *(a for a in dict.fromkeys(table["axis"]) if a not in set(last["axis"]))]
    place = {axis: -i for i, axis in enumerate(axes)}
    size = (2.6 * max(len(corpora), 2) + 1.6, 0.24 * len(axes) + 1.6)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(corpora), squeeze=False, sharey=True)[0]
    for ax, corpus in zip(panels, corpora, strict=True):
        part = table[table["corpus"] == corpus]
        y = [place[axis] for axis in part["axis"]]
        left = part["axis"] == "interactions"
        colours = np.where(left, "#bdbdbd", HOLDS)
        ax.barh(y, 100 * part["variance"], color=colours, height=0.7)
        for row, where in zip(part.itertuples(), y, strict=True):
            if row.axis != "interactions":
                flips = "" if pd.isna(row.flips) else f" / {_share(row.flips)}"
                words = f" {row.range:.3f}{flips}"
                ax.annotate(words, (100 * row.variance, where), va="center", fontsize=6.5)
        ax.set_title(corpus)
        ax.margins(x=0.35)
        ax.grid(False, axis="y")
    panels[0].set_yticks(list(place.values()), list(place))
    panels[0].set_ylim(0.4 - len(place), 0.6)
    if titled:
        put_title(figure, f"What moves the margin of {CLAIMS[claim][0]} in cross-entropy")
    note = (
        "Bar: share of the margin's variance, in per cent; interactions: what no choice alone "
        "explains. Numbers: the largest difference between levels, in nats / the share\n"
        "of changes of this choice alone that turn the verdict."
    )
    figure.supxlabel(note, fontsize=8, x=0.01, ha="left")
    return figure


def draw_forest(table, labels, beside=()):
    """Draw KN - AD-LR with its 95 % interval on each text, each collection and all of them.

    The table is that of `replication.tabulate_replication`; the variants of Kneser-Ney named in
    ``beside`` have a panel beside that of the strongest.
    """
    known = table[table["difference"].notna()]
    kns = [STRONGEST, *(kn for kn in beside if kn in set(known["kn"]))]
    names = list(dict.fromkeys(zip(known["collection"], known["text"], strict=True)))
    groups = dict.fromkeys(collection for collection, _ in names)
    rows = [(c, t) for group in groups for c, t in names if c == group]
    place = {row: -i for i, row in enumerate(rows)}
    size = (WIDTH, 0.2 * len(rows) + 1.6)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(kns), squeeze=False, sharey=True)[0]
    for ax, kn in zip(panels, kns, strict=True):
        for variant, name in enumerate(dict.fromkeys(known["ad_lr"])):
            part = known[(known["kn"] == kn) & (known["ad_lr"] == name)]
            _draw_differences(ax, part, place, labels[name], variant)
        ax.axvline(0, color="black", lw=0.8)
        ax.set_title("the strongest KN of each" if kn == STRONGEST else labels[kn])
        ax.grid(False, axis="y")
    ticks = [t if t != ALL else f"{c}: mean" if c != ALL else "mean of all" for c, t in rows]
    panels[0].set_yticks(list(place.values()), ticks)
    for tick, (_, text) in zip(panels[0].get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if text == ALL else "normal")
    panels[0].set_ylim(0.2 - max(len(rows), 1), 0.8)
    panels[len(kns) // 2].set_xlabel(
        "KN minus AD-LR, nats per word (right of zero AD-LR is better)"
    )
    if rows:
        handles, texts = panels[0].get_legend_handles_labels()
        note = "Means with 95 % intervals, over stretches of test text, starts and (bold) texts."
        figure.legend(handles, texts, title=note, loc="outside lower center", ncols=len(texts))
    return figure


def _draw_differences(ax, part, place, label, variant):
    """Draw the differences of one reading of AD-LR, the second below the first and hollow."""
    colour, marker = look_of("ad-lr")
    rows = zip(part["collection"], part["text"], strict=True)
    y = np.array([place[row] for row in rows]) - 0.32 * variant + 0.16
    whole = (part["text"] == ALL).to_numpy()
    for chosen, shape in ((~whole, marker), (whole, "D")):
        few = part[chosen]
        ax.errorbar(
            few["difference"],
            y[chosen],
            xerr=reach(few["difference"], few["low"], few["high"]),
            ls="none",
            color=colour if not variant else GROUND,
            marker=shape,
            mfc="white" if variant else colour,
            capsize=2,
            elinewidth=1,
            label=None if shape == "D" else label,
        )
