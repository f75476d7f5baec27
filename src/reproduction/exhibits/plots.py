"""The figures. Each is drawn from the tidy table of its exhibit and nothing else."""

import textwrap

import numpy as np
from matplotlib.colors import ListedColormap, TwoSlopeNorm
from matplotlib.patches import Patch, Rectangle

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.looks import NOTE, look_of, make_panels, put_legend, use_log_y
from reproduction.exhibits.printing import poorly_converged, unavailable
from reproduction.exhibits.sweeps import choose_x

FRAME = {"color": "#f0efe4", "zorder": 0}  # of the paper's axis
LABEL = 45  # characters of an axis label in a line
FRAME_LABEL = "axis printed in the paper"
REACH = 50  # per cent: the colours of a distance end there
HATCHES = ("", "///", "...", "xxx")  # of methods that share a colour, as variants of one do
FILLED = {"origin": "lower", "aspect": "auto"}


def draw_risk_curves(table, exhibit, methods):
    """Draw KL risk along one size or option: a panel for each value of the other sizes.

    Panels stand in a grid, rows by k and columns by rank where n runs along the axis. Beside each
    panel on its own scale stands one in the paper's frame, where the exhibit names it.
    """
    x = choose_x(exhibit, table)
    across, *down = [size for size in ("rank", "k", "n") if size != x]
    lines = table[down].drop_duplicates().to_dict("records")
    places = table[across].drop_duplicates().tolist()
    frame = exhibit.get("y_range")
    width = 2 if frame else 1
    figure, axes = make_panels(len(lines), len(places) * width)
    curves, entries = find_curves(table, methods, x), {}
    for row, line in zip(axes, lines, strict=True):
        for place, value in enumerate(places):
            chosen = line | {across: value}
            part = table[np.logical_and.reduce([table[key] == v for key, v in chosen.items()])]
            for ax in row[place * width : (place + 1) * width]:
                entries |= draw_curves(ax, part, x, curves)
                ax.set_ylabel("KL risk, nats")
                if exhibit.get("y_scale") == "log" or (x == "k" and "y_scale" not in exhibit):
                    use_log_y(ax)
                elif not frame or ax is row[place * width]:
                    ax.set_ylim(bottom=0)
            row[place * width].set_title(_name_sizes(chosen, table, x))
            if frame:
                _use_frame(row[place * width + 1], part, frame)
    put_legend(figure, entries, [_trials(table), *poorly_converged(table, methods)])
    return figure


def _name_sizes(chosen, table, x):
    """Say which k, m and n a panel is of."""
    order = [size for size in ("k", "rank", "n") if size in chosen]
    shown = [s for s in order if s != "n" or x != "n"]
    signs = {"rank": "m"}
    return ", ".join(f"{signs.get(size, size)} = {chosen[size]:,}" for size in shown)


def _trials(table):
    trials = sorted(table["trials"].unique())
    if trials == [1]:
        return "One trial, of which there is no interval."
    return f"Mean of {' or '.join(f'{count:,}' for count in trials)} trials, with 95 % intervals."


def _use_frame(ax, part, frame):
    """Cut a panel to the axis that the paper prints, and say so."""
    ax.set_ylim(frame)
    outside = ((part["mean"] < frame[0]) | (part["mean"] > frame[1])).any()
    ends = f"the paper's axis, {frame[0]:g} to {frame[1]:g}"
    ax.set_title(f"the same on {ends}{', which cuts curves' if outside else ''}")


def draw_learning_curves(table, exhibit, methods):
    """Draw the cross-entropy minus the baseline's against the number of training words."""
    corpora = exhibit["corpora"]
    figure, axes = make_panels(1, len(corpora))
    x, entries = choose_x(exhibit, table), {}
    curves = find_curves(table, methods, x)
    for ax, corpus in zip(axes[0], corpora, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            shift = part["difference"] - part["mean"]
            part = part.assign(low=part["low"] + shift, high=part["high"] + shift)
            entries |= draw_curves(ax, part.assign(mean=part["difference"]), x, curves)
            ax.set_title(corpus)
            entries |= _shade_frame(ax, exhibit.get("y_range"))
            if x == "n":
                ax.set_xlabel("training words, n")
        base = methods[exhibit["baseline"]].get("label", exhibit["baseline"])
        ax.set_ylabel(textwrap.fill(f"cross-entropy minus that of {base}, nats", LABEL))
    put_legend(figure, entries, [*_starts(table), *poorly_converged(table, methods)])
    return figure


def draw_rank_selection(table, exhibit, methods):
    """Draw the validation cross-entropy against the rank, and mark each minimum."""
    corpora = exhibit["corpora"]
    columns = min(2, len(corpora))
    figure, axes = make_panels(-(-len(corpora) // columns), columns, height=3.0)
    curves, entries = find_curves(table, methods, "rank"), {}
    for ax in axes.flat[len(corpora) :]:
        ax.set_axis_off()
    for ax, corpus in zip(axes.flat, corpora, strict=False):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            entries |= draw_curves(ax, part, "rank", curves)
            for place, curve in enumerate(curves):
                _mark_minimum(ax, curve.rows(part), below=not place % 2)
            entries |= _shade_frame(ax, exhibit.get("y_ranges", {}).get(corpus))
            ax.margins(y=0.18)
            ax.set_title(f"{corpus}: n = {part['n'].iloc[0]:,.0f} words; minimum ringed")
        ax.set_ylabel("cross-entropy, nats")
    put_legend(figure, entries, [*_starts(table), *poorly_converged(table, methods)])
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
    figure, axes = make_panels(1, len(corpora), width=3.1, height=max(3.1, 0.34 * len(curves)))
    for ax, corpus in zip(axes[0], corpora, strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            for place, curve in enumerate(curves):
                for row in curve.rows(part).itertuples():
                    spread = row.sd if row.seeds > 1 else None
                    ax.errorbar(row.mean, -place, xerr=spread, capsize=3, **curve.style)
                    _write_value(ax, row, -place)
                    if np.isfinite(row.paper):
                        ax.plot(row.paper, -place, "|", ms=15, mew=1.6, color="black", zorder=1)
            ax.set_title(corpus)
            ax.margins(x=0.28)
        labels = [curve.label for curve in curves] if ax is axes[0, 0] else []
        ax.set_yticks([-place for place in range(len(curves))])
        ax.set_yticklabels(labels)
        ax.set_ylim(-len(curves) + 0.4, 0.6)
        ax.set_xlabel("nats per word")
    seeds, printed = table["seeds"].max(), np.isfinite(table["paper"]).any()
    note = "Mark and number: ours"
    if seeds > 1:
        note += f", with the standard deviation over {seeds:.0f} starts"
    put_legend(figure, {}, [note + ("; bar: the paper's value." if printed else ".")])
    return figure


def _write_value(ax, row, y):
    """Write a value beside its mark and spread, on the side where the paper's bar is not."""
    side = -1 if row.paper > row.mean else 1
    end = row.mean + side * row.sd if row.seeds > 1 else row.mean
    offset = {"textcoords": "offset points", "xytext": (7 * side, 0)}
    align = {"ha": "left" if side > 0 else "right", "va": "center", "fontsize": NOTE}
    ax.annotate(f"{row.mean:.3f}", (end, y), **offset, **align)


def _starts(table):
    """Say over how many starts a mean is, if over several."""
    seeds = table["seeds"].max()
    if seeds > 1:
        yield f"Methods with a random start: mean of {seeds:.0f} starts, with 95 % intervals."


def _shade_frame(ax, frame):
    """Shade the range of the axis that the paper prints; return its entry in the legend."""
    if not frame:
        return {}
    ax.axhspan(*frame, **FRAME)
    return {FRAME_LABEL: Patch(color=FRAME["color"])}


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


def draw_risk_map(table, exhibit, methods):
    """Draw the method with the lowest mean risk at each point, and how far ours is from the others.

    A row of two panels for each k, both with n over k along the axis and the rank of the model
    across. On the left the best of all methods; on the right the risk of ``ours`` less that of
    the best other, in per cent of the latter.
    """
    names, ks = list(methods), sorted(table["k"].unique())
    figure, axes = make_panels(len(ks), 2)
    found = set(table.loc[table.groupby(["k", "rank", "n"])["mean"].idxmin(), "method"])
    colours = ListedColormap([look_of(methods[name]["method"])[0] for name in names])
    looks = _tell_apart([(i, colours(i)) for i, name in enumerate(names) if name in found])
    for (left, right), k in zip(axes, ks, strict=True):
        means = table[table["k"] == k].pivot(index=["rank", "n"], columns="method", values="mean")[
            names
        ]
        sizes = [means.index.unique(level) for level in ("rank", "n")]
        best = means.to_numpy().argmin(axis=1).reshape(*map(len, sizes))
        others = means.drop(columns=exhibit["ours"]).min(axis=1)
        gap = (100 * (means[exhibit["ours"]] / others - 1)).to_numpy().reshape(best.shape)
        left.imshow(best, cmap=colours, vmin=-0.5, vmax=len(names) - 0.5, **FILLED)
        for (row, column), i in np.ndenumerate(best):
            if "hatch" in looks[i]:
                left.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **looks[i]))
        left.set_title(f"k = {k:,}: the lowest mean risk")
        ends = {"norm": TwoSlopeNorm(0, -REACH, REACH), "cmap": "PuOr"}
        shown = right.imshow(gap, **ends, **FILLED)
        for (row, column), value in np.ndenumerate(gap):
            shade = "white" if abs(value) > 0.7 * REACH else "black"
            text = f"{value:+.0f}".replace("-", "\N{MINUS SIGN}")
            right.text(column, row, text, ha="center", va="center", fontsize=8, color=shade)
        ours = methods[exhibit["ours"]].get("label", exhibit["ours"])
        right.set_title(f"{ours} less the best other, %")
        figure.colorbar(shown, ax=right, extend="both")
        for ax in (left, right):
            _label_map(ax, *sizes, k)
    entries = {methods[names[i]].get("label", names[i]): Patch(**look) for i, look in looks.items()}
    put_legend(figure, entries, [f"Means of {table['trials'].max():,} trials."])
    return figure


def _tell_apart(colours):
    """Return the look of an area for each number: hatched where one before has its colour."""
    looks, seen = {}, []
    for i, colour in colours:
        looks[i] = {"facecolor": colour, "edgecolor": colour}
        if hatch := HATCHES[seen.count(colour) % len(HATCHES)]:
            looks[i] |= {"edgecolor": "white", "hatch": hatch, "linewidth": 0}
        seen.append(colour)
    return looks


def _label_map(ax, ranks, sizes, k):
    """Write the settings along both axes of a panel."""
    ax.set_xticks(range(len(sizes)), [f"{n / k:g}" for n in sizes])
    ax.set_yticks(range(len(ranks)), [f"{rank:,}" for rank in ranks])
    ax.set(xlabel="pairs for each context, n / k", ylabel="rank of the model, m")
    ax.grid(False)
