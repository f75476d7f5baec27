"""Tables and figures of the theory."""

from collections import Counter

import numpy as np
from matplotlib.ticker import NullFormatter

from reproduction.exhibits.palette import OF_ORACLE, VERMILION, style_of
from reproduction.exhibits.panels import (
    SIZE_OF_NOTE,
    make_grid,
    make_panels,
    plain_numbers,
    put_legend,
    reach,
    set_ticks,
    share_heights,
)
from reproduction.studies.theory.checks import (
    AT_REST,
    COVERAGE_TOLERANCE,
    WANTED_COVERAGE,
    find_sweeps,
)
from reproduction.studies.theory.complexity import (
    DRAWN,
    NEEDED,
    WORST,
)
from reproduction.studies.theory.plan import AD_LR, ADD_HALF, ADD_HALF_LR, ORACLE

LABELS = {
    ADD_HALF: "Add-1/2",
    ADD_HALF_LR: "Add-1/2-LR, best of its runs",
    AD_LR: "AD-LR",
    ORACLE: "oracle that sees the latent classes",
}
SIGNS = {"n": "pairs, n", "k": "contexts and outcomes, k", "rank": "rank, m"}
CASES = {"random": "sampled at random", "hard": "hard by construction"}
MARKERS = "os^DvPX*"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#7f7f7f")
LEAST_SHOWN = 90  # per cent of intervals with the truth: what is less stands at the edge
MOST_SHOWN = 100.5  # per cent: no share is above all, whatever twice its error reaches
STEP_BELOW = 0.6  # between two that stand there
UPPER, LOWER = "bound of Theorem 3", "bound of Theorem 4"


def draw_rates(table, exhibit, methods):
    """Draw risks on logarithmic axes: a panel for each sweep, and one of floored models."""
    panels, handles = list(find_sweeps(table)), {}
    figure, grid = make_grid(len(panels))
    share_heights(grid)
    for ax, (floor, size, rows) in zip(grid, panels, strict=True):
        handles |= _draw_sweep(ax, rows, size, methods)
        fitted = rows[rows["method"] == ADD_HALF_LR].dropna(subset=["slope"])
        slope = f"; slope {fitted['slope'].iloc[0]:.2f}" if len(fitted) and not floor else ""
        ax.set_title(f"rows of B {'mixed with uniform' if floor else 'uniform'}{slope}")
    notes = [
        "Means of trials with 95 % intervals; filled where the premise of Theorem 3 holds. "
        "The slope is that of Add-1/2-LR."
    ]
    put_legend(figure, handles, notes)
    return figure


def _draw_sweep(ax, rows, size, methods):
    handles = {}
    for id, label in LABELS.items():
        part = rows[rows["method"] == id].sort_values(size)
        if part.empty:
            continue
        if id == ORACLE:
            (handles[label],) = ax.plot(part[size], part["risk"], **OF_ORACLE)
            continue
        style, ends = style_of(id, methods), reach(part["risk"], part["low"], part["high"])
        curve = style.curve() | {"mfc": "white", "capsize": 2.5}
        handles[label] = ax.errorbar(part[size], part["risk"], ends, **curve)
        held = part[part["premise"]]
        ax.plot(held[size], held["risk"], style.marker, color=style.colour, zorder=3)
    one = rows[rows["method"] == ORACLE].sort_values(size)
    for label, column, dashes in ((UPPER, "upper", "-."), (LOWER, "lower", "--")):
        (handles[label],) = ax.plot(one[size], one[column], dashes, color="black", lw=1)
    _use_logs(ax, one[size].unique())
    ax.set(xlabel=SIGNS[size], ylabel="KL risk, nats")
    return handles


def _use_logs(ax, sizes=None, linear=0.0):
    """Make both axes logarithmic, with plain numbers; ticks at sizes, and linear around zero."""
    ax.set_xscale("log")
    if linear:
        ax.set_yscale("symlog", linthresh=linear)
        ax.margins(y=0.08)  # else its limits are those of the points themselves
    else:
        ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(plain_numbers())
        axis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()
    if sizes is not None:
        set_ticks(ax, list(sizes))


def draw_complexity(table, exhibit, methods):
    """Draw n against km/epsilon, the same per unit of the rate, and risks between the bounds."""
    figure, ((collapsed, unit, bounds),) = make_panels(1, 3)
    needed, handles = table[table["case"] == NEEDED], {}
    x, looks = needed["k"] * needed["rank"] / needed["epsilon"], zip(COLOURS, MARKERS, strict=True)
    for (epsilon, part), (colour, marker) in zip(needed.groupby("epsilon"), looks, strict=False):
        style = {"color": colour, "marker": marker, "ls": "", "ms": 3.5, "mfc": "none"}
        name = f"epsilon = {epsilon:g} nats"
        (handles[name],) = collapsed.plot(x[part.index], part["n"], **style)
        ends = reach(part["constant"], part["low"], part["high"])
        unit.errorbar(x[part.index], part["constant"], ends, elinewidth=0.6, **style)
    ends = np.array([x.min(), x.max()])
    (handles["n = km/epsilon"],) = collapsed.plot(ends, ends, "-", color="black", lw=0.8)
    (handles["in units of (2km - k - m^2) / (2 epsilon)"],) = unit.plot(
        x, needed["per_dimension"], ".", color="0.6", ms=3, zorder=1
    )
    unit.axhline(1, color="black", lw=0.8)
    rest = table[table["case"] != NEEDED]
    style = style_of(ADD_HALF_LR, methods)
    for case, label, colour, marker in (
        (WORST, "worst model found", VERMILION, "D"),
        (DRAWN, "simulated models, mean", style.colour, style.marker),
    ):
        part = rest[rest["case"] == case]
        handles[label] = bounds.errorbar(
            part["n"],
            part["constant"],
            reach(part["constant"], part["low"], part["high"]),
            color=colour,
            marker=marker,
            capsize=2,
        )
    part = rest[rest["case"] == WORST]
    for label, column, dashes in ((UPPER, "upper", "-."), (LOWER, "lower", "--")):
        (handles[label],) = bounds.plot(part["n"], part[column], dashes, color="black", lw=1)
    for ax in (collapsed, bounds):
        _use_logs(ax)
    unit.set_xscale("log")
    unit.xaxis.set_major_formatter(plain_numbers())
    unit.set_ylim(0, 1.1 * max(1, needed["high"].max(), needed["per_dimension"].max()))
    set_ticks(bounds, list(part["n"]))
    first, (k, rank) = needed.iloc[0], part[["k", "rank"]].iloc[0].astype(int)
    slope = f"slope {first['slope']:.3f}\n[{first['slope_low']:.3f}, {first['slope_high']:.3f}]"
    collapsed.set(xlabel="km/epsilon", ylabel="pairs needed, n", title=slope)
    unit.set(xlabel="km/epsilon", ylabel="n epsilon / (km)", title="in units\nof the rate")
    bounds.set(
        xlabel=SIGNS["n"], ylabel="KL risk, in km/n", title=f"k = {k}, m = {rank}:\nthe worst"
    )
    note = f"On the right, means of {part['trials'].max():.0f} new samples with 95 % intervals."
    put_legend(figure, handles, [f"Add-1/2-LR, best of its runs. {note}"])
    return figure


def draw_lemma_5(table, exhibit, methods):
    """Draw both readings and the bound, over n and over k."""
    figure, grid = make_panels(1, 2)
    handles, sweeps = {}, list(find_sweeps(table))
    for ax, size in zip(grid[0], ("n", "k"), strict=True):
        for part in [rows for _, along, rows in sweeps if along == size][:1]:
            for column, label, colour in (
                ("risk_printed", "R_n with P, as printed", "#0072b2"),
                ("risk_counts", "R_n with C_ij / C_i", "#d55e00"),
                ("bound", "bound of Lemma 5", "black"),
            ):
                dashes = {"bound": "--", "risk_counts": "s-"}.get(column, "o-")
                (handles[label],) = ax.plot(part[size], part[column], dashes, color=colour)
            _use_logs(ax, part[size].unique(), linear=1e-3)
        ax.set(xlabel=SIGNS[size], ylabel="nats per pair")
    put_legend(figure, handles, ["Means of trials. Below zero the minimiser fits better than P."])
    return figure


def draw_descent(table, exhibit, methods):
    """Draw gap, gradient and move by iteration, a row for the model and one for the text."""
    texts = table["corpus"].unique()
    quantities = (
        ("gap", "objective above the lowest, nats"),
        ("slope", "projected gradient, nats"),
        ("moved", "change in an iteration, nats"),
    )
    figure, grid = make_panels(len(texts), 3)
    handles = {}
    for row, text in zip(grid, texts, strict=True):
        part = table[table["corpus"] == text]
        for ax, (column, label) in zip(row, quantities, strict=True):
            for (id, start), fit in part.groupby(["method", "start"]):
                fit = fit[fit[column] > 0]
                name, colour = LABELS[id], style_of(id, methods).colour
                dashes = "--" if start == "clusters" else "-"
                kind = "from clusters" if start == "clusters" else "random initialisation"
                name = f"{name.partition(',')[0]}, {kind}"
                (handles[name],) = ax.plot(
                    fit["iteration"], fit[column], dashes, color=colour, lw=2 if id == AD_LR else 1
                )
            _use_logs(ax)
            ax.set(xlabel="iteration", ylabel=label)
        row[0].set_title(text)
    put_legend(
        figure,
        handles,
        ["The objective of AD-LR is the empirical risk, which it does not minimise."],
    )
    return figure


def draw_restarts(table, exhibit, methods):
    """Draw risks over those of the lowest objective: a point for each start, a panel for each n."""
    figure, grid = make_panels(1, table["n"].nunique())
    handles = {}
    for ax, (n, part) in zip(grid[0], table.groupby("n"), strict=True):
        chosen = part["start"] == "clusters"
        for of_kind, label, colour, marker in (
            (~chosen, "random initialisation", "#0072b2", "."),
            (chosen, "initialised from clusters", "#d55e00", "D"),
        ):
            rows = part[of_kind]
            handles[label] = ax.scatter(rows["gap"], rows["ratio"], color=colour, marker=marker)
        if not (part["gap"] > AT_REST).any():  # one minimum: the rest is rounding
            ax.set_xlim(-1e-4, 1e-3)
            ax.set_ylim(0.9, 1.1)
        ax.axhline(1, color="black", lw=0.6)
        ax.ticklabel_format(useOffset=False, style="plain")
        ax.locator_params(axis="x", nbins=3)
        ax.set(title=f"n = {n:,}", xlabel="objective above\nthe lowest, nats")
    grid[0, 0].set_ylabel("KL risk,\nthat of the lowest = 1")
    samples = table["trial"].nunique()
    put_legend(figure, handles, [f"Add-1/2-LR on {samples} samples, each of a model of its own."])
    return figure


def draw_quantisation(table, exhibit, methods):
    """Draw both against L, a curve for each rank, dashed for the hard matrices."""
    figure, grid = make_panels(1, 2)
    colours = dict(
        zip(sorted(table["rank"].unique()), zip(COLOURS, MARKERS, strict=True), strict=False)
    )
    panels = (
        ("entry_times_levels", 3, "largest change\nof an entry, times L"),
        ("share_of_risk", 1, "change of the risk,\nfraction of 6/(L eps)"),
    )
    handles = {}
    for ax, (column, bound, label) in zip(grid[0], panels, strict=True):
        for (case, rank), part in table.dropna(subset=[column]).groupby(["case", "rank"]):
            (handles[f"m = {rank}, {CASES[case]}"],) = ax.plot(
                part["levels"],
                part[column],
                "-" if case == "random" else "--",
                color=colours[rank][0],
                marker=colours[rank][1],
            )
        handles["bound of Lemma 7"] = ax.axhline(bound, color="black", lw=1)
        _use_logs(ax, table["levels"].unique())
        ax.set(xlabel="levels, L", ylabel=label)
    put_legend(figure, handles, [])
    return figure


def draw_deviation(table, exhibit, methods):
    """Draw the quantiles and the bound's against n, a panel for each rank."""
    figure, grid = make_panels(1, table["rank"].nunique())
    share_heights(grid[0])
    handles = {}
    for ax, (rank, part) in zip(grid[0], table.groupby("rank"), strict=True):
        for place, (tail, rows) in enumerate(part.groupby("tail")):
            colour, marker = COLOURS[place], MARKERS[place]
            (handles[f"exceeded with probability {tail:g}"],) = ax.plot(
                rows["n"], rows["deviation"], "-", marker=marker, color=colour
            )
            (handles[f"by the bound: {tail:g}"],) = ax.plot(
                rows["n"], rows["bound"], "--", marker=marker, color=colour
            )
        ax.set_title(f"k = {part['k'].iloc[0]}, m = {rank}")
        _use_logs(ax, part["n"].unique())
        ax.set(xlabel=SIGNS["n"], ylabel="largest (R - R_n) / sqrt(R),\nroot nats")
    put_legend(figure, handles, [])
    return figure


def draw_coverage(table, exhibit, methods):
    """Draw the shares with twice their errors against the size, a panel for each quantity.

    Shares far below stand at the panel's lower edge, with their number.
    """
    quantities = table["quantity"].unique()
    figure, grid = make_panels(1, len(quantities))
    share_heights(grid[0])
    handles = {}
    for ax, quantity in zip(grid[0], quantities, strict=True):
        ax.axhspan(
            100 * (WANTED_COVERAGE - COVERAGE_TOLERANCE),
            100 * (WANTED_COVERAGE + COVERAGE_TOLERANCE),
            color="0.9",
        )
        part, under = table[table["quantity"] == quantity], Counter()
        for place, (data, rows) in enumerate(part.groupby("data", sort=False)):
            look = {"color": COLOURS[place], "marker": MARKERS[place], "ms": 4, "lw": 1}
            near = rows[rows["held"] >= LEAST_SHOWN]
            handles[data] = ax.errorbar(near["size"], near["held"], 2 * near["error"], **look)
            for row in rows[rows["held"] < LEAST_SHOWN].itertuples():
                at = row.size, LEAST_SHOWN - STEP_BELOW * under[row.size]
                under[row.size] += 1
                ax.plot(*at, **look)
                ax.annotate(
                    f"{row.held:.0f}",
                    at,
                    (5, 0),
                    textcoords="offset points",
                    fontsize=SIZE_OF_NOTE,
                    va="center",
                )
        ax.set_xscale("log")
        set_ticks(ax, sorted(part["size"].unique()))
        ax.set(title=quantity, xlabel=exhibit["size"], ylabel="intervals that contain the truth, %")
    grid[0, 0].set_ylim(top=min(grid[0, 0].get_ylim()[1], MOST_SHOWN))
    notes = ["Means over models and twice their standard errors."]
    if (table["held"] < LEAST_SHOWN).any():
        notes.append(f"With a number: a fraction below {LEAST_SHOWN} %.")
    put_legend(figure, handles, notes)
    return figure


DRAW = {
    "rates": draw_rates,
    "complexity": draw_complexity,
    "lemma-5": draw_lemma_5,
    "descent": draw_descent,
    "restarts": draw_restarts,
    "quantisation": draw_quantisation,
    "deviation": draw_deviation,
    "intervals": draw_coverage,
    "posterior": draw_coverage,
}
