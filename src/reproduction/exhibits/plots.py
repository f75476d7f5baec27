"""The figures. Each is drawn from the tidy table of its exhibit and nothing else."""

import textwrap

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.palette import OF_ORACLE
from reproduction.exhibits.panels import (
    LOG_FROM,
    label_ends,
    make_grid,
    make_panels,
    put_legend,
    use_log_y,
)
from reproduction.exhibits.printing import format_difference, poorly_converged, unavailable
from reproduction.exhibits.sweeps import SIGNS, choose_x
from reproduction.scores.columns import ORACLE

# Times the panel of risks: the panel of differences, which are the figure.
WIDTH_OF_DIFFERENCES = 2.4
LABELS = {1: 40, 2: 28}  # characters of a vertical label in a line, by the columns of panels
MOST_IN_LEGEND = 6  # curves of which a legend can be read; the labels of more stand at their ends
LETTER_OF_CELL = 0.025  # of a panel: the width of a letter of a number beside its mark
ON_WHITE = {"fc": "white", "ec": "none", "pad": 0.6, "alpha": 0.85}  # no line crosses a text
ORACLE_LABEL = "oracle that sees the latent classes"


def draw_risk_curves(table, exhibit, methods):
    """Draw KL risk along one size or option: a panel for each value of the other sizes.

    Panels stand in a grid, rows by k and columns by rank where n runs along the axis, and share
    their axes. Where the exhibit has a baseline, a wide panel of differences from it stands to the
    right of each.
    """
    x, base = choose_x(exhibit, table), exhibit.get("baseline")
    sizes = [size for size in ("rank", "k", "n") if size != x]
    across, down = sizes[0], sizes[1:]  # of the columns of panels, and of their rows
    lines = table[down].drop_duplicates().to_dict("records")
    places = table[across].drop_duplicates().tolist()
    widths = [1, WIDTH_OF_DIFFERENCES] if base else [1]
    curves, drawn, entries, last = find_curves(table, methods, x), [], {}, {}
    named = len(curves) if len(curves) > MOST_IN_LEGEND and len(places) * len(widths) == 1 else 0
    figure, axes = make_panels(
        len(lines), len(places) * len(widths), names=named, width_ratios=widths * len(places)
    )
    _share_axes(axes[:, :: len(widths)])
    _share_axes(axes[:, 1 :: len(widths)] if base else axes[:, :0])
    is_log = exhibit.get("y_scale") == "log" or (
        "y_scale" not in exhibit
        and (x == "k" or (axes.size > len(widths) and _ratio(table["mean"]) > LOG_FROM))
    )
    for row, line in zip(axes, lines, strict=True):
        for place, value in enumerate(places):
            ax, *beside = row[place * len(widths) : (place + 1) * len(widths)]
            chosen = line | {across: value}
            part = table[np.logical_and.reduce([table[key] == v for key, v in chosen.items()])]
            drawn.append((ax, draw_curves(ax, part, x, curves, exhibit.get("x_scale"))))
            if ORACLE in part:
                means = part.groupby(x)[ORACLE].first()
                last[ORACLE_LABEL] = ax.plot(means.index, means, **OF_ORACLE)[0]
            ax.set_ylabel("KL risk, nats")
            if is_log:
                use_log_y(ax)
            ax.set_title(_name_sizes(chosen, x))
            for other in beside:
                _draw_differences(other, part, x, curves, exhibit, methods[base])
    cut = [] if is_log else _limit_risks(axes[:, :: len(widths)], table, curves)
    for ax, handles in drawn:  # the limits are set
        entries |= _name_curves(ax, handles, named)
    notes = [_trials(table), *cut, *_say_far(table, curves, exhibit), *_say_frame(exhibit)]
    put_legend(figure, entries | last, [*notes, *_notes(table, exhibit, methods)])
    return figure


def _share_axes(axes):
    """Give all panels the axes of the first."""
    for ax in axes.flat[1:]:
        ax.sharex(axes.flat[0])
        ax.sharey(axes.flat[0])


def _ratio(values):
    """Return how many times the smallest of positive values the largest is."""
    return values.max() / values.min() if values.min() > 0 else 1.0


def _limit_risks(axes, table, curves):
    """Let a vertical axis begin at zero and end above the methods; say which baseline leaves it.

    Baselines, which are thin, do not squeeze the methods that the figure is about.
    """
    highest = {
        curve.label: curve.rows(table)[["mean", "high"]].max(axis=None)
        for curve in curves
        if not curve.rows(table).empty
    }
    thick = [highest[curve.label] for curve in curves if not curve.is_thin and highest]
    top = 1.12 * max(thick or highest.values(), default=1.0)
    for ax in axes.flat:
        ax.set_ylim(0, top)
    above = [label for label, high in highest.items() if high > top]
    return [f"Partly above the panel: {'; '.join(above)}."] if above else []


def _draw_differences(ax, part, x, curves, exhibit, baseline):
    """Draw risks less that of the baseline, with intervals of these paired differences."""
    draw_curves(ax, _gaps(part), x, curves, exhibit.get("x_scale"))
    name = baseline.get("label", exhibit["baseline"])
    ax.set_ylabel(f"KL risk less that of {name}, nats")
    ax.set_title("differences")
    if "difference_range" in exhibit:
        ax.set_ylim(exhibit["difference_range"])


def _gaps(table):
    """Return a table of risks with its paired differences in their place."""
    of_gap = {"mean": "difference", "low": "difference_low", "high": "difference_high"}
    return table.assign(**{name: table[column] for name, column in of_gap.items()})


def _say_far(table, curves, exhibit):
    """Say which curves are not in the range of the differences."""
    if "difference_range" in exhibit:
        gaps = _gaps(table)
        far = [
            curve.label
            for curve in curves
            if not curve.rows(gaps)["mean"].between(*exhibit["difference_range"]).any()
        ]
        if far:
            yield f"Beyond the panel of differences: {'; '.join(far)}."


def _say_frame(exhibit):
    """Say what range of its vertical axis the paper prints."""
    ranges = exhibit.get("y_ranges", {"": exhibit["y_range"]} if "y_range" in exhibit else {})
    for corpus, (low, high) in ranges.items():
        text = f"axis in the paper runs from {low:g} to {high:g}.".replace("-", "\N{MINUS SIGN}")
        yield f"{corpus}: its {text}" if corpus else f"The vertical {text}"


def _name_curves(ax, handles, named):
    """Write the curves' labels at their ends if they are named there; return those of a legend."""
    if not named:
        return handles
    label_ends(ax, handles)
    return {}


def _name_sizes(chosen, x):
    """Say which k, m and n a panel is of."""
    order = [size for size in ("k", "rank", "n") if size in chosen]
    return ", ".join(f"{SIGNS.get(size, size)} = {chosen[size]:,}" for size in order)


def _trials(table):
    trials = sorted(table["trials"].unique())
    if trials == [1]:
        return "One trial, of which there is no interval."
    return f"Mean of {' or '.join(f'{count:,}' for count in trials)} trials, with 95 % intervals."


def _notes(table, exhibit, methods):
    """Yield notes on fits that went on moving, and on settings that are not the paper's."""
    yield from poorly_converged(table, methods)
    if "differs" in exhibit:
        yield exhibit["differs"]


def draw_learning_curves(table, exhibit, methods):
    """Draw the cross-entropy minus the baseline's against the number of training words.

    There is a panel for each corpus; and for each number of words, where an option is the axis.
    """
    x, entries, marks = choose_x(exhibit, table), {}, {}
    panels = [
        (corpus, size)
        for corpus in exhibit["corpora"]
        for size in ([None] if x == "n" else _sizes_of(table, corpus))
    ]
    curves = find_curves(table, methods, x)
    named = len(curves) if len(curves) > MOST_IN_LEGEND else 0
    columns = 1 if named else min(2, len(panels))
    figure, axes = make_grid(len(panels), columns, names=named)
    missing = unavailable(table)
    _share_axes(axes[[corpus not in missing for corpus, _ in panels]])
    for ax, (corpus, size) in zip(axes, panels, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[(table["corpus"] == corpus) & ((table["n"] == size) | (x == "n"))]
            shift = part["difference"] - part["mean"]
            part = part.assign(low=part["low"] + shift, high=part["high"] + shift)
            part = part.assign(mean=part["difference"])
            handles = draw_curves(ax, part, x, curves, exhibit.get("x_scale"))
            ax.set_title(corpus if x == "n" else f"{corpus}: n = {size:,.0f} words")
            marks |= _mark_printed_gap(ax, part, exhibit, methods) if x == "n" else {}
            entries |= _name_curves(ax, handles, named)
            if x == "n":
                ax.set_xlabel("training words, n")
        base = methods[exhibit["baseline"]].get("label", exhibit["baseline"])
        ax.set_ylabel(textwrap.fill(f"cross-entropy minus that of {base}, nats", LABELS[columns]))
    notes = [*_starts(table), *_say_frame(exhibit), *_notes(table, exhibit, methods)]
    put_legend(figure, entries | marks, notes)
    return figure


def _sizes_of(table, corpus):
    """Return the numbers of training words of a corpus in a table; None where it is missing."""
    return sorted(table.loc[table["corpus"] == corpus, "n"].dropna().unique()) or [None]


def _mark_printed_gap(ax, part, exhibit, methods):
    """Mark where the difference lies that the paper prints; return its entry in the legend."""
    if "printed_gap" not in exhibit:
        return {}
    n, name, nats = (exhibit["printed_gap"][key] for key in ("n", "below", "nats"))
    rows = part[part["method"] == name]
    level = rows.loc[(rows["n"] - n).abs().idxmin(), "mean"]
    ax.plot([n, n], [level, level - nats], color="black", lw=0.8, ls=":")
    (mark,) = ax.plot(n, level - nats, "_", ms=14, mew=2, color="black")
    label = methods[name].get("label", name)
    return {f"in the paper, {nats:g} below {label} at about {n:,}": mark}


def draw_rank_selection(table, exhibit, methods):
    """Draw the validation cross-entropy against the rank, and mark each minimum."""
    corpora = exhibit["corpora"]
    figure, axes = make_grid(len(corpora))
    curves, entries = find_curves(table, methods, "rank"), {}
    for ax, corpus in zip(axes, corpora, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            entries |= draw_curves(ax, part, "rank", curves, exhibit.get("x_scale"))
            for place, curve in enumerate(curves):
                _mark_minimum(ax, curve.rows(part), below=not place % 2)
            ax.margins(x=0.1, y=0.22)
            ax.set_title(f"{corpus}: n = {part['n'].iloc[0]:,.0f} words; minimum ringed")
            if exhibit.get("y_scale") == "log":
                use_log_y(ax)
        ax.set_ylabel("cross-entropy, nats")
    notes = [*_starts(table), *_say_frame(exhibit), *_notes(table, exhibit, methods)]
    put_legend(figure, entries, notes)
    return figure


def _mark_minimum(ax, rows, below):
    """Ring the lowest point of a curve, and say where it is."""
    if rows.empty:
        return
    best = rows.loc[rows["mean"].idxmin()]
    ax.plot(best["rank"], best["mean"], "o", ms=11, mfc="none", mec="black", zorder=4)
    offset = {"textcoords": "offset points", "xytext": (0, -16 if below else 9), "ha": "center"}
    offset["bbox"] = ON_WHITE
    ax.annotate(f"m = {best['rank']:.0f}", (best["rank"], best["mean"]), fontsize=8, **offset)


def draw_table(table, exhibit, methods):
    """Draw Table 1: ours minus the paper's, with the spread over starts, a panel for each corpus.

    A corpus of which the paper does not print most of the numbers shows ours, with a bar where it
    prints one.
    """
    corpora, curves = exhibit["corpora"], find_curves(table, methods, None)
    figure, axes = make_grid(len(corpora), height=0.24 * len(curves) + 0.7)
    known = table.dropna(subset=["method"])
    printed = np.isfinite(known["paper"]).groupby(known["corpus"]).mean()
    differing = [corpus for corpus in corpora if printed.get(corpus, 0) > 0.5]
    compared = [ax for ax, corpus in zip(axes, corpora, strict=True) if corpus in differing]
    for ax in compared[1:]:
        ax.sharex(compared[0])
    below = []  # ends and letters of the numbers to the left of their marks
    for place, (ax, corpus) in enumerate(zip(axes, corpora, strict=True)):
        if not _say_missing(ax, table, corpus):
            part = known[known["corpus"] == corpus]
            below += _draw_cells(ax, part, curves, minus_print=corpus in differing)
            aside = " (not in the paper: ours alone)" if differing and not printed[corpus] else ""
            ax.set_title(f"{corpus}{aside}")
        ax.set_yticks([-line for line in range(len(curves))])
        ax.set_yticklabels([] if place % 2 else [curve.label for curve in curves])
        ax.set_ylim(-len(curves) + 0.4, 0.6)
        ax.grid(False, axis="y")
        ax.set_xlabel(
            "ours minus the paper's, nats per word" if corpus in differing else "nats per word"
        )
        if corpus in printed and corpus not in differing:
            _leave_room(ax)
    for ax in compared[:1]:
        _leave_room(ax, below)
    notes = ["Mark and number: ours minus the paper's" if differing else "Mark and number: ours"]
    if table["seeds"].max() > 1:
        starts = f"{table['seeds'].max():.0f} starts"
        notes.append(f"\N{PLUS-MINUS SIGN} the standard deviation over {starts}")
    if any(0 < share <= 0.5 for share in printed):
        notes.append("bar: the paper's value")
    put_legend(figure, {}, [f"{'; '.join(notes)}.", *_notes(table, exhibit, methods)])
    return figure


def _leave_room(ax, below=()):
    """Widen a panel for the numbers to the right of its marks, and for those to the left.

    Of the latter ``below`` has the end of the mark, and the letters.
    """
    low, high = ax.get_xlim()
    high += 0.45 * (high - low)
    for end, letters in below:
        share = LETTER_OF_CELL * (letters + 1)
        low = min(low, (end - share * high) / (1 - share))
    ax.set_xlim(low, high)


def _draw_cells(ax, part, curves, minus_print):
    """Draw our numbers of one corpus, or their differences from the printed ones, row by row.

    Returns the end of each mark with its number to the left, and how many letters that has.
    """
    below = []
    if minus_print:
        ax.axvline(0, color="black", lw=0.8)
    for line, curve in enumerate(curves):
        for row in curve.rows(part).itertuples():
            value, is_printed = row.mean, np.isfinite(row.paper)
            if minus_print and not is_printed:
                ax.text(
                    0.98,
                    -line,
                    f"ours {value:.3f}, not in the paper",
                    fontsize=6.5,
                    ha="right",
                    va="center",
                    transform=ax.get_yaxis_transform(),
                    bbox=ON_WHITE,
                )
                continue
            if minus_print:
                value -= row.paper
            elif is_printed:
                ax.plot(row.paper, -line, "|", ms=11, mew=1.6, color="black", zorder=1)
            spread = row.sd if row.seeds > 1 else 0.0
            style = curve.style | {"ms": 4.5, "elinewidth": 1, "capsize": 3}
            ax.errorbar(value, -line, xerr=spread or None, **style)
            text = format_difference(value, 3) if minus_print else f"{value:.3f}"
            if spread:
                shown = f"{spread:.3f}" if spread >= 0.0005 else "0.0005 at most"
                text = f"{text} \N{PLUS-MINUS SIGN} {shown}"
            end, side = value + spread, "left"
            if minus_print and value < 0:  # on the side where the zero line is not
                end, side = value - spread, "right"
                below.append((end, len(text)))
            elif not minus_print and is_printed:
                end = max(end, row.paper)
            offset = {"textcoords": "offset points", "xytext": (6 if side == "left" else -6, 0)}
            ax.annotate(text, (end, -line), **offset, ha=side, va="center", fontsize=6.5)
    return below


def _starts(table):
    """Say over how many starts a mean is, if over several."""
    seeds = table["seeds"].max()
    if seeds > 1:
        yield f"Methods with a random start: mean of {seeds:.0f} starts, with 95 % intervals."


def _say_missing(ax, table, corpus):
    """Write into a panel why its corpus is missing, if it is."""
    reason = unavailable(table).get(corpus)
    if reason is not None:
        text = f"{corpus} could not be had:\n" + textwrap.fill(reason, 44)
        middle = {"ha": "center", "va": "center", "transform": ax.transAxes}
        ax.text(0.5, 0.5, text, fontsize=8, **middle)
        ax.set_title(corpus)
        ax.set_xticks([])
        ax.grid(False)
    return reason is not None
