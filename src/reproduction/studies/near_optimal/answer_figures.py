"""Figures on why AD-LR beats Kneser-Ney, and on how sure that is; each only from its table.

A difference is AD-LR minus the Kneser-Ney: to the left of zero, or below it, AD-LR is better.
"""

import numpy as np

from reproduction.exhibits.palette import BLACK, GREEN, GREY, ORANGE, SKY, style_of
from reproduction.exhibits.panels import make_panels, put_legend, reach, set_ticks
from reproduction.studies.near_optimal.parts import (
    ALL,
    AS_PRINTED,
    CONDITIONAL,
    EXCHANGED,
    MASS,
    OTHER,
    SEEN,
    TEST_WORDS,
    UNSEEN_CONTEXT,
    UNSEEN_WORD,
    WINDOWS,
)

PARTS_SHOWN = {  # label and mark of each part of a difference
    UNSEEN_WORD: ("words unseen in training", {"color": SKY, "marker": "s"}),
    UNSEEN_CONTEXT: ("seen words after unseen contexts", {"color": GREEN, "marker": ">"}),
    OTHER: ("all other words", {"color": ORANGE, "marker": "^"}),
    SEEN: ("all seen words", {"color": ORANGE, "marker": "^"}),
    ALL: ("difference (their sum)", {"color": BLACK, "marker": "D"}),
    CONDITIONAL: (
        "seen words, probabilities renormalised",
        {"color": GREY, "marker": "v", "mfc": "white"},
    ),
}
ROWS_OF_PARTS = (UNSEEN_WORD, UNSEEN_CONTEXT, OTHER, ALL, CONDITIONAL)
LINES_OF_PARTS = (UNSEEN_WORD, SEEN, ALL, CONDITIONAL)


def draw_lead(table, exhibit, methods):
    """Draw the parts of each difference, and below them the probability of unseen words."""
    corpora = [corpus for corpus in exhibit["corpora"] if (table["corpus"] == corpus).any()]
    heights = {"height": 2.5, "height_ratios": [1.45, 1]}
    figure, axes = make_panels(2, max(len(corpora), 1), sharey="row", **heights)
    ours, entries = exhibit["ours"], {}
    for column, corpus in enumerate(corpora):
        part = table[table["corpus"] == corpus]
        entries |= _draw_parts(axes[0, column], part, ours, methods)
        axes[0, column].set_title(f"{corpus} ({100 * _fraction_unseen(part):.0f} % unseen)")
        _draw_masses(axes[1, column], part, methods)
    label = methods[ours].get("label", ours)
    notes = [
        f"Differences are {label} minus each Kneser-Ney: left of zero, AD-LR is better.",
        "Bottom row: probability that each method gives to all unseen words together; dashed: "
        "their true fraction.",
        f"95 % intervals over test words and {table['seeds'].max():.0f} runs.",
    ]
    put_legend(figure, entries, notes)
    return figure


def _fraction_unseen(part):
    rows = part[(part["part"] == MASS) & (part["method"] == TEST_WORDS)]
    return rows["value"].iloc[0]


def _draw_parts(ax, part, ours, methods):
    """Draw the parts of each difference from a method in one panel; return their handles."""
    rows = part[part["method"] == ours]
    competitors = rows["competitor"].dropna().unique().tolist()
    handles = {}
    ax.axvline(0, color="black", lw=0.8)
    shifts = np.linspace(0.3, -0.3, len(ROWS_OF_PARTS))
    for name, shift in zip(ROWS_OF_PARTS, shifts, strict=True):
        label, look = PARTS_SHOWN[name]
        own = rows[rows["part"] == name].set_index("competitor").loc[competitors]
        places = np.arange(len(competitors))[::-1] + shift
        ends = reach(own["value"], own["low"], own["high"])
        handles[label] = ax.errorbar(
            own["value"], places, xerr=ends, ls="none", ms=4.5, elinewidth=1, capsize=2, **look
        )
    labels = [methods[name].get("label", name) for name in competitors]
    ax.set_yticks(range(len(competitors))[::-1], labels)
    ax.set_ylim(-0.6, len(competitors) - 0.4)
    ax.grid(False, axis="y")
    ax.set_xlabel("difference, nats per word")
    return handles


def _draw_masses(ax, part, methods):
    """Draw the probability that each method gives to unseen words, and their true fraction."""
    rows = part[part["part"] == MASS].set_index("method")
    true = rows.loc[TEST_WORDS]
    ax.axvspan(true["low"], true["high"], color="#dddddd", lw=0)
    ax.axvline(true["value"], color="black", lw=1, ls="--")
    names = [name for name in rows.index if name != TEST_WORDS]
    for place, name in enumerate(reversed(names)):
        row, look = rows.loc[name], style_of(name, methods).dot()
        ends = reach(row["value"], row["low"], row["high"])
        ax.errorbar(row["value"], place, xerr=ends, ls="none", elinewidth=1, capsize=2, **look)
    ax.set_yticks(range(len(names)), [methods[name].get("label", name) for name in reversed(names)])
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.set_xlim(0, None)
    ax.grid(False, axis="y")
    ax.set_xlabel("probability of unseen words")


def draw_lead_by_size(table, exhibit, methods):
    """Draw the parts of each difference against the training words: a panel for each pair."""
    corpora = [corpus for corpus in exhibit["corpora"] if (table["corpus"] == corpus).any()]
    known = table[table["part"].isin(LINES_OF_PARTS)]
    pairs = [tuple(pair) for pair in exhibit["pairs"]]
    figure, axes = make_panels(max(len(corpora), 1), len(pairs), sharey="row")
    entries = {}
    for row, corpus in zip(axes, corpora, strict=False):
        for ax, (ours, competitor) in zip(row, pairs, strict=True):
            chosen = known[known["corpus"] == corpus]
            chosen = chosen[(chosen["method"] == ours) & (chosen["competitor"] == competitor)]
            ax.axhline(0, color="black", lw=0.8)
            for name in LINES_OF_PARTS:
                label, look = PARTS_SHOWN[name]
                own = chosen[chosen["part"] == name].sort_values("n")
                ends = reach(own["value"], own["low"], own["high"])
                style = {"elinewidth": 1, "capsize": 2, "ms": 4, "lw": 1.2}
                entries[label] = ax.errorbar(own["n"], own["value"], yerr=ends, **style, **look)
            sizes = sorted(chosen["n"].unique())
            if sizes:
                set_ticks(ax, sizes)
            one, other = (methods[name].get("label", name) for name in (ours, competitor))
            ax.set_title(f"{corpus}: {one}\nminus {other}")
            ax.set_xlabel("training words, n")
        row[0].set_ylabel("difference, nats per word")
    notes = [
        "Below zero, AD-LR is better.",
        f"95 % intervals over test words and {table['seeds'].max():.0f} runs.",
    ]
    put_legend(figure, entries, notes)
    return figure


def draw_training_texts(table, exhibit, methods):
    """Draw the differences on each training text: a panel for each pair of methods."""
    pairs = [tuple(pair) for pair in exhibit["pairs"]]
    corpora = table["corpus"].unique().tolist()
    figure, axes = make_panels(1, len(pairs), width=2.3, height=2.6, sharey=True, sharex=True)
    looks = {
        AS_PRINTED: {"marker": "o", "color": BLACK, "ms": 5},
        EXCHANGED: {"marker": "s", "color": BLACK, "mfc": "white", "ms": 5},
    }
    entries = {}
    for ax, (ours, competitor) in zip(axes[0], pairs, strict=True):
        rows = table[(table["method"] == ours) & (table["competitor"] == competitor)]
        ax.axvline(0, color="black", lw=0.8)
        for place, corpus in enumerate(reversed(corpora)):
            own = rows[rows["corpus"] == corpus].set_index("text")
            for shift, (text, look) in zip((0.28, 0.14), looks.items(), strict=True):
                if text in own.index:
                    entries[text] = _draw_difference(ax, own.loc[text], place + shift, look)
            windows = own[own.index.str.startswith("window")]
            if len(windows):
                spread = -0.06 - 0.24 * np.linspace(0, 1, len(windows))
                style = {"marker": ".", "ls": "none", "color": GREY, "ms": 4}
                entries["one window"] = ax.plot(windows["value"], place + spread, **style)[0]
                look = {"marker": "D", "color": ORANGE, "ms": 5}
                mean = own.loc[WINDOWS]
                entries["mean of the windows"] = _draw_difference(ax, mean, place - 0.38, look)
                ax.annotate(
                    f"{mean['ahead']:.0f} of {mean['texts']:.0f} ahead",
                    (0.03, place - 0.47),
                    xycoords=ax.get_yaxis_transform(),
                    fontsize=7,
                    va="top",
                )
        one, other = (methods[name].get("label", name) for name in (ours, competitor))
        ax.set_title(f"{one}\nminus {other}", fontsize=8)
        ax.set_yticks(range(len(corpora)), reversed(corpora))
        ax.set_ylim(-0.75, len(corpora) - 0.5)
        ax.grid(False, axis="y")
        ax.set_xlabel("nats per word")
    notes = [
        "Left of zero, AD-LR is better. 95 % intervals: of a text over its test words and "
        "runs; of the mean over windows."
    ]
    put_legend(figure, entries, notes)
    return figure


def _draw_difference(ax, row, place, look):
    """Draw one difference with its interval; return its handle."""
    ends = reach(row["value"], row["low"], row["high"])
    return ax.errorbar(row["value"], place, xerr=ends, ls="none", elinewidth=1, capsize=2, **look)


def draw_rounding(table, exhibit, methods):
    """Draw how far single fits and their mean move when the start moves by rounding."""
    rows = table.iloc[::-1].reset_index(drop=True)
    figure, axes = make_panels(1, 2, height=0.24 * len(rows) + 0.7, sharey=True)
    one, mean = axes[0]
    floor = 1e-17  # stands for zero on a logarithmic axis
    for place, row in rows.iterrows():
        look = style_of(row["method"], methods).dot()
        ends = np.maximum([row["median"], row["largest"]], floor)
        one.plot(ends, [place, place], color=look["color"], lw=1)
        one.plot(ends[0], place, ms=5, ls="none", **look)
        one.plot(ends[1], place, "|", ms=7, color=look["color"])
        mean.errorbar(
            100 * row["change"],
            place,
            xerr=100 * reach(row["change"], row["low"], row["high"]),
            **{"ls": "none", "elinewidth": 1, "capsize": 2},
            **look,
        )
    one.set_xscale("log")
    one.set_xlim(floor / 2, 1)
    one.set_xticks([1e-16, 1e-12, 1e-8, 1e-4, 1], ["1e-16", "1e-12", "1e-8", "1e-4", "1"])
    one.set_xlabel("relative change of single fits:\nmedian (mark) and largest (bar)")
    mean.axvline(0, color="black", lw=0.8)
    mean.set_xlabel("change of the mean over trials, %,\nwith its 95 % interval")
    labels = [_name_place(row, methods) for row in rows.to_dict("records")]
    one.set_yticks(range(len(rows)), labels)
    for ax in (one, mean):
        ax.grid(False, axis="y")
    put_legend(
        figure,
        {},
        [
            "The initial factors of each fit were changed by one part in 10^15, at random. "
            "A mark at the left end: no change."
        ],
    )
    return figure


def _name_place(row, methods):
    """Name an exhibit, its size and the method."""
    text = row["corpus"] if isinstance(row["corpus"], str) and row["corpus"] else row["exhibit"]
    method = methods[row["method"]].get("label", row["method"])
    return f"{text}, n = {row['n']:,}: {method}"
