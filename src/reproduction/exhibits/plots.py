"""The figures. Each is plotted only from the tidy table of its exhibit."""

import textwrap

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.palette import OF_ORACLE
from reproduction.exhibits.panels import (
    LOG_FROM,
    ON_WHITE,
    label_ends,
    make_grid,
    make_panels,
    put_legend,
    reach,
    use_log_y,
)
from reproduction.exhibits.printing import format_difference, poorly_converged
from reproduction.exhibits.sweeps import SIGNS, choose_x
from reproduction.scores.columns import ORACLE

# Times the panel of risks: the panel of differences, which are the figure.
WIDTH_OF_DIFFERENCES = 2.4
LABELS = {1: 40, 2: 28}  # characters of a vertical label in a line, by the columns of panels
MOST_IN_LEGEND = 6  # curves of which a legend can be read; the labels of more stand at their ends
POINTS_TO_GAP = 82  # from the edge of a panel to the end of the difference beside its numbers
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
    """Draw risks minus that of the baseline, with intervals of these paired differences."""
    draw_curves(ax, _gaps(part), x, curves, exhibit.get("x_scale"))
    name = baseline.get("label", exhibit["baseline"])
    ax.set_ylabel(f"KL risk minus that of {name}, nats")
    ax.set_title(f"differences: below zero, better than {name}")
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
        return "One trial, so there is no interval."
    return f"Mean of {' or '.join(f'{count:,}' for count in trials)} trials, with 95 % intervals."


def _notes(table, exhibit, methods):
    """Yield notes on fits that went on moving, and on settings that are not the paper's."""
    yield from poorly_converged(table, methods)
    if "differs" in exhibit:
        yield exhibit["differs"]


def draw_learning_curves(table, exhibit, methods):
    """Draw the cross-entropy minus the baseline's against the number of training words.

    Intervals are of the paired differences. There is a panel for each corpus; and for each number
    of words, where an option is the axis.
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
    _share_axes(axes)
    for ax, (corpus, size) in zip(axes, panels, strict=True):
        part = table[(table["corpus"] == corpus) & ((table["n"] == size) | (x == "n"))]
        handles = draw_curves(ax, _gaps(part), x, curves, exhibit.get("x_scale"))
        ax.set_title(corpus if x == "n" else f"{corpus}: n = {size:,.0f} words")
        marks |= _mark_printed_gap(ax, _gaps(part), exhibit, methods) if x == "n" else {}
        entries |= _name_curves(ax, handles, named)
        if x == "n":
            ax.set_xlabel("training words, n")
        base = methods[exhibit["baseline"]].get("label", exhibit["baseline"])
        ax.set_ylabel(textwrap.fill(f"cross-entropy minus that of {base}, nats", LABELS[columns]))
    notes = [*_say_gaps(table, exhibit, methods), *_say_frame(exhibit)]
    notes += _notes(table, exhibit, methods)
    put_legend(figure, entries | marks, notes)
    return figure


def _say_gaps(table, exhibit, methods):
    """Say which side of a difference is better, and what its interval is over."""
    base = methods[exhibit["baseline"]].get("label", exhibit["baseline"])
    yield f"Below zero a method is better than {base}."
    seeds = table["seeds"].max()
    starts = f" and, for methods with random initialisation, {seeds:.0f} runs" if seeds > 1 else ""
    yield f"95 % intervals of the paired differences, over blocks of test words{starts}."


def _sizes_of(table, corpus):
    """Return the numbers of training words of a corpus in a table."""
    return sorted(table.loc[table["corpus"] == corpus, "n"].unique())


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
    curves, entries, ends = find_curves(table, methods, "rank"), {}, {}
    for ax, corpus in zip(axes, corpora, strict=True):
        part = table[table["corpus"] == corpus]
        entries |= draw_curves(ax, part, "rank", curves, exhibit.get("x_scale"))
        for place, curve in enumerate(curves):
            if _mark_minimum(ax, curve, part, below=not place % 2):
                ends.setdefault(corpus, []).append(curve.label)
        ax.margins(x=0.1, y=0.22)
        ax.set_title(f"{corpus}: n = {part['n'].iloc[0]:,.0f} words; minimum marked")
        if exhibit.get("y_scale") == "log":
            use_log_y(ax)
        ax.set_ylabel("cross-entropy, nats")
    notes = [*_say_ends(ends), *_starts(table), *_say_frame(exhibit)]
    notes += _notes(table, exhibit, methods)
    put_legend(figure, entries, notes)
    return figure


def _say_ends(ends):
    """Say of which curves, by corpus, the lowest point is at an end of the ranks."""
    if ends:
        found = "; ".join(f"{corpus}: {' and '.join(labels)}" for corpus, labels in ends.items())
        yield (
            "Ring: the best rank. Square: the lowest point is at an end of the ranks that were "
            f"tried, so that the best rank is not known ({found})."
        )


def _mark_minimum(ax, curve, part, below):
    """Ring the lowest point of a curve and say where it is; return whether that is an end."""
    rows = curve.rows(part)
    if rows.empty:
        return False
    best, ranks = rows.loc[rows["mean"].idxmin()], rows["rank"]
    is_end = len(rows) > 1 and best["rank"] in (ranks.min(), ranks.max())
    ring = {"ls": "none", "mew": 1, "mfc": "none", "mec": "black", "zorder": 4}
    ax.plot(best["rank"], best["mean"], "s" if is_end else "o", ms=11, **ring)
    offset = {"textcoords": "offset points", "xytext": (0, -16 if below else 9), "ha": "center"}
    offset["bbox"] = ON_WHITE
    ax.annotate(f"m = {best['rank']:.0f}", (best["rank"], best["mean"]), fontsize=8, **offset)
    return is_end


def draw_table(table, exhibit, methods):
    """Draw the cells of a table as points, with a bar for the paper's value: a panel a corpus.

    Left is better, and a dashed line is at the lowest of our means. The numbers stand to the right
    of each panel, with their differences from the paper's in small print.
    """
    corpora, curves = exhibit["corpora"], find_curves(table, methods, None)
    figure, axes = make_grid(len(corpora), height=0.24 * len(curves) + 0.7)
    has_bars, has_arrows = np.isfinite(table["paper"]).any(), False
    for place, (ax, corpus) in enumerate(zip(axes, corpora, strict=True)):
        part = table[table["corpus"] == corpus]
        has_arrows |= _draw_cells(ax, part, curves)
        is_printed = np.isfinite(part["paper"]).any()
        ax.set_title(corpus + (" (not in the paper)" if has_bars and not is_printed else ""))
        ax.set_yticks([-line for line in range(len(curves))])
        ax.set_yticklabels([] if place % 2 else [curve.label for curve in curves])
        ax.set_ylim(-len(curves) + 0.4, 0.6)
        ax.grid(False, axis="y")
        ax.set_xlabel("cross-entropy, nats per word")
    notes = [*_explain_cells(table, has_bars, has_arrows), *_notes(table, exhibit, methods)]
    put_legend(figure, {}, notes)
    return figure


def _explain_cells(table, has_bars, has_arrows):
    """Say what the marks and the numbers of `draw_table` are."""
    marks = "Left is better. Marks: measured; dashed line: the lowest measured"
    if has_bars:
        marks += "; bar: the paper's value"
    if has_arrows:
        marks += "; arrow: beyond the panel"
    yield f"{marks}."
    numbers = "Numbers: measured"
    if table["seeds"].max() > 1:
        starts = f"{table['seeds'].max():.0f} runs"
        numbers = f"Intervals: 95 %, over {starts}. {numbers}"
        numbers += " \N{PLUS-MINUS SIGN} their standard deviation over runs"
    yield numbers + (", and in grey measured minus published." if has_bars else ".")


def _draw_cells(ax, part, curves):
    """Draw our numbers of one corpus and the paper's, row by row.

    A single mean that is further above the others than they span is an arrow at the edge, so that
    it does not squeeze them; returns whether there is one.
    """
    means = np.sort(part["mean"].to_numpy())
    is_far = len(means) > 2 and means[-1] - means[-2] > means[-2] - means[0]
    shown = part[part["mean"] <= means[-2 if is_far else -1]]
    ends = shown[["mean", "low", "high", "paper"]].to_numpy(dtype=float)
    low, high = np.nanmin(ends), np.nanmax(ends)
    margin = 0.08 * (high - low or 1.0)
    edge = high + 2.5 * margin
    ax.set_xlim(low - margin, edge if is_far else high + margin)
    ax.axvline(means[0], color="black", lw=0.8, ls="--", zorder=0)
    for line, curve in enumerate(curves):
        for row in curve.rows(part).itertuples():
            style = curve.style | {"ms": 4.5, "ls": "none"}
            if row.mean > high:
                ax.plot(edge - 1.2 * margin, -line, **style)
                arrow = {"arrowstyle": "->", "shrinkA": 3, "shrinkB": 0}
                ax.annotate("", (edge, -line), (edge - 1.2 * margin, -line), arrowprops=arrow)
            else:
                if np.isfinite(row.paper):
                    ax.plot(row.paper, -line, "|", ms=11, mew=1.6, color="black", zorder=1)
                half = np.nan_to_num(reach(row.mean, row.low, row.high))
                ax.errorbar(row.mean, -line, xerr=half, elinewidth=1, capsize=3, **style)
            _write_cell(ax, row, -line, row.mean == means[0])
    return is_far


def _write_cell(ax, row, height, is_lowest):
    """Write our number to the right of a panel, and its difference from the paper's."""
    text = f"{row.mean:.3f}"
    if row.seeds > 1:
        text += f" \N{PLUS-MINUS SIGN} {row.sd:.3f}"
    where = {"xycoords": ax.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    weight = "bold" if is_lowest else "normal"
    ax.annotate(text, (1, height), (5, 0), fontsize=6.5, fontweight=weight, **where)
    if np.isfinite(row.paper):
        gap = format_difference(row.mean - row.paper, 3)
        place = (POINTS_TO_GAP, 0)
        ax.annotate(gap, (1, height), place, fontsize=5.5, color="#555555", ha="right", **where)


def _starts(table):
    """Say over how many starts a mean is, if over several."""
    seeds = table["seeds"].max()
    if seeds > 1:
        yield f"Methods with random initialisation: mean of {seeds:.0f} runs, with 95 % intervals."
