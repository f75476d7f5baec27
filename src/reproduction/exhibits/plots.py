"""The figures. Each is drawn from the tidy table of its exhibit and nothing else."""

import textwrap
from itertools import product

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.looks import label_ends, make_grid, make_panels, put_legend, use_log_y
from reproduction.exhibits.printing import poorly_converged, unavailable
from reproduction.exhibits.sweeps import SIGNS, choose_x
from reproduction.scores.plan import ORACLE

FRAME = {"color": "#a5a089", "lw": 5, "solid_capstyle": "butt"}  # of the paper's axis
LABELS = {1: 40, 2: 28}  # characters of a vertical label in a line, by the columns of panels
FEW = 6  # curves of which a legend can be read; the labels of more stand at their ends
OF_ORACLE = {"color": "black", "lw": 1, "ls": (0, (1, 1)), "zorder": 1}
ORACLE_LABEL = "oracle that sees the latent classes"


def draw_risk_curves(table, exhibit, methods):
    """Draw KL risk along one size or option: a panel for each value of the other sizes.

    Panels stand in a grid, rows by k and columns by rank where n runs along the axis. Where the
    exhibit has a baseline, a panel of differences from it stands to the right of each.
    """
    x, base = choose_x(exhibit, table), exhibit.get("baseline")
    sizes = [size for size in ("rank", "k", "n") if size != x]
    across, down = sizes[0], sizes[1:]  # of the columns of panels, and of their rows
    lines = table[down].drop_duplicates().to_dict("records")
    places = table[across].drop_duplicates().tolist()
    width = 2 if base else 1
    curves, entries, frame = find_curves(table, methods, x), {}, {}
    named = len(curves) if len(curves) > FEW and len(places) * width == 1 else 0
    figure, axes = make_panels(len(lines), len(places) * width, names=named)
    for row, line in zip(axes, lines, strict=True):
        for place, value in enumerate(places):
            ax, *beside = row[place * width : (place + 1) * width]
            chosen = line | {across: value}
            part = table[np.logical_and.reduce([table[key] == v for key, v in chosen.items()])]
            handles = draw_curves(ax, part, x, curves, exhibit.get("x_scale"))
            if ORACLE in part:
                means = part.groupby(x)[ORACLE].first()
                entries[ORACLE_LABEL] = ax.plot(means.index, means, **OF_ORACLE)[0]
            ax.set_ylabel("KL risk, nats")
            if exhibit.get("y_scale") == "log" or (x == "k" and "y_scale" not in exhibit):
                use_log_y(ax)
            else:
                ax.set_ylim(bottom=0)
            frame = _mark_frame(ax, exhibit.get("y_range"))
            ax.set_title(_name_sizes(chosen, x))
            for other in beside:
                _draw_differences(other, part, x, curves, exhibit, methods[base])
            entries |= _name_curves(ax, handles, named)
    put_legend(figure, entries | frame, [_trials(table), *_notes(table, exhibit, methods)])
    return figure


def _draw_differences(ax, part, x, curves, exhibit, baseline):
    """Draw risks less that of the baseline, with intervals of these paired differences."""
    gaps = part.assign(
        mean=part["difference"], low=part["difference_low"], high=part["difference_high"]
    )
    draw_curves(ax, gaps, x, curves, exhibit.get("x_scale"))
    ax.set_ylabel(f"less that of {baseline.get('label', exhibit['baseline'])}, nats")
    if "difference_range" in exhibit:
        low, high = ax.set_ylim(exhibit["difference_range"])
        labels = [
            curve.label for curve in curves if not curve.rows(gaps)["mean"].between(low, high).any()
        ]
        title = f"differences; not here: {', '.join(labels)}" if labels else "differences"
        ax.set_title(textwrap.fill(title, 48))


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
    sizes = [None] if x == "n" else sorted(table["n"].dropna().unique())
    panels = list(product(exhibit["corpora"], sizes))
    curves = find_curves(table, methods, x)
    named = len(curves) if len(curves) > FEW else 0
    columns = 1 if named else min(2, len(panels))
    figure, axes = make_grid(len(panels), columns, names=named)
    for ax, (corpus, size) in zip(axes, panels, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[(table["corpus"] == corpus) & ((table["n"] == size) | (x == "n"))]
            shift = part["difference"] - part["mean"]
            part = part.assign(low=part["low"] + shift, high=part["high"] + shift)
            part = part.assign(mean=part["difference"])
            handles = draw_curves(ax, part, x, curves, exhibit.get("x_scale"))
            ax.set_title(corpus if x == "n" else f"{corpus}: n = {size:,.0f} words")
            marks |= _mark_printed_gap(ax, part, exhibit, methods) if x == "n" else {}
            marks |= _mark_frame(ax, exhibit.get("y_range"), whole=True)
            entries |= _name_curves(ax, handles, named)
            if x == "n":
                ax.set_xlabel("training words, n")
        base = methods[exhibit["baseline"]].get("label", exhibit["baseline"])
        ax.set_ylabel(textwrap.fill(f"cross-entropy minus that of {base}, nats", LABELS[columns]))
    put_legend(figure, entries | marks, [*_starts(table), *_notes(table, exhibit, methods)])
    return figure


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
    curves, entries, marks = find_curves(table, methods, "rank"), {}, {}
    for ax, corpus in zip(axes, corpora, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            entries |= draw_curves(ax, part, "rank", curves, exhibit.get("x_scale"))
            for place, curve in enumerate(curves):
                _mark_minimum(ax, curve.rows(part), below=not place % 2)
            ax.margins(y=0.18)
            marks |= _mark_frame(ax, exhibit.get("y_ranges", {}).get(corpus), whole=True)
            ax.set_title(f"{corpus}: n = {part['n'].iloc[0]:,.0f} words; minimum ringed")
            if exhibit.get("y_scale") == "log":
                use_log_y(ax)
        ax.set_ylabel("cross-entropy, nats")
    put_legend(figure, entries | marks, [*_starts(table), *_notes(table, exhibit, methods)])
    return figure


def _mark_minimum(ax, rows, below):
    """Ring the lowest point of a curve, and say where it is."""
    if rows.empty:
        return
    best = rows.loc[rows["mean"].idxmin()]
    ax.plot(best["rank"], best["mean"], "o", ms=11, mfc="none", mec="black", zorder=4)
    offset = {"textcoords": "offset points", "xytext": (0, -16 if below else 9), "ha": "center"}
    ax.annotate(f"m = {best['rank']:.0f}", (best["rank"], best["mean"]), fontsize=8, **offset)


def draw_table(table, exhibit, methods):
    """Draw Table 1: ours with the spread over starts, beside the paper's value where it has one."""
    corpora, curves = exhibit["corpora"], find_curves(table, methods, None)
    figure, axes = make_grid(len(corpora), height=0.24 * len(curves) + 0.7)
    for place, (ax, corpus) in enumerate(zip(axes, corpora, strict=True)):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            for line, curve in enumerate(curves):
                for row in curve.rows(part).itertuples():
                    spread = row.sd if row.seeds > 1 else None
                    style = curve.style | {"ms": 4, "elinewidth": 1, "capsize": 4}
                    ax.errorbar(row.mean, -line, xerr=spread, **style)
                    _write_value(ax, row, -line)
                    if np.isfinite(row.paper):
                        ax.plot(row.paper, -line, "|", ms=11, mew=1.6, color="black", zorder=1)
            ax.set_title(corpus)
            low, high = ax.get_xlim()
            ax.set_xlim(low, high + 0.45 * (high - low))  # room for the numbers
        labels = [] if place % 2 else [curve.label for curve in curves]
        ax.set_yticks([-line for line in range(len(curves))])
        ax.set_yticklabels(labels)
        ax.set_ylim(-len(curves) + 0.4, 0.6)
        ax.set_xlabel("nats per word")
    seeds, printed = table["seeds"].max(), np.isfinite(table["paper"]).any()
    note = "Mark and number: ours"
    if seeds > 1:
        note += f", \N{PLUS-MINUS SIGN} the standard deviation over {seeds:.0f} starts"
    note += "; bar: the paper's value." if printed else "."
    put_legend(figure, {}, [note, *_notes(table, exhibit, methods)])
    return figure


def _write_value(ax, row, y):
    """Write a value and its spread to the right of its mark and of the paper's bar."""
    text, end = f"{row.mean:.3f}", np.nanmax([row.mean, row.paper])
    if row.seeds > 1 and row.sd > 0:
        spread = f"{row.sd:.3f}" if row.sd >= 0.0005 else "0.0005 at most"
        text, end = f"{text} \N{PLUS-MINUS SIGN} {spread}", max(end, row.mean + row.sd)
    offset = {"textcoords": "offset points", "xytext": (6, 0)}
    ax.annotate(text, (end, y), **offset, va="center", fontsize=6.5)


def _starts(table):
    """Say over how many starts a mean is, if over several."""
    seeds = table["seeds"].max()
    if seeds > 1:
        yield f"Methods with a random start: mean of {seeds:.0f} starts, with 95 % intervals."


def _mark_frame(ax, frame, whole=False):
    """Draw the range of the axis that the paper prints as a bar; return its entry in the legend.

    The bar stands at the right edge. The panel shows the ``whole`` of it, or cuts it where the
    curves end.
    """
    if not frame:
        return {}
    low, high = ax.get_ylim()
    if whole:
        low, high = ax.set_ylim(min(low, frame[0]), max(high, frame[1]))
    ends = np.clip(frame, low, high)
    (bar,) = ax.plot([1, 1], ends, transform=ax.get_yaxis_transform(), clip_on=False, **FRAME)
    ax.set_ylim(low, high)
    return {f"axis printed in the paper, {frame[0]:g} to {frame[1]:g}": bar}


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
