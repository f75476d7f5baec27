"""Figures of the study, each from its table alone."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from condprob.catalogue import METHODS
from reproduction.exhibits.looks import (
    NOTE,
    line_style,
    make_panels,
    put_legend,
    reach,
    set_ticks,
    use_log_y,
)
from reproduction.studies.since.chains import AVERAGED, NATURAL, NEXT, PAIRS, ROWS
from reproduction.studies.since.checks import bound_of_good_turing
from reproduction.studies.since.plan import ORACLE, OURS, UNBIASED
from reproduction.studies.since.tables import split_name

LAWS = {"uniform": "uniform rows of B", "power-law": "power-law rows of B"}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
RULES = {"good-turing": ("Good-Turing", "-"), "empirical-bayes": ("empirical Bayes", "--")}
TITLES = {"spectral": "spectral, scaled: 25 k pairs", "aggregation": "aggregation, anchors"}
SHADES = {NEXT: "-", ROWS: "--", PAIRS: ":"}
CHAINS = {
    "add-half": ("Add-1/2", "#7f7f7f"),
    "laplace": ("Add-1", "#0072b2"),
    AVERAGED: ("mean of Add-1 over last transitions", "#d55e00"),
}


def label_of(name, methods, unbiased=", unbiased risk"):
    """Return the label of a method, with the way in which its setting was chosen."""
    method, end = split_name(name)
    label = methods[method].get("label", METHODS[methods[method]["method"]].label)
    return label + {"": "", ORACLE: ", oracle", UNBIASED: unbiased}[end]


def _draw_cell(ax, rows, x, y, methods):
    """Write the best methods into a cell, the best oracle in brackets."""
    is_oracle = rows["method"].str.endswith(ORACLE)
    for place, row in enumerate(rows[~is_oracle].itertuples()):
        label = label_of(row.method, methods, ", u").partition(" (")[0]
        text = f"{label} {row.risk:.3f}"
        weight = "bold" if place == 0 else "normal"
        ax.text(x, y + 0.28 - 0.2 * place, text, ha="center", va="center", fontsize=6.2,
                fontweight=weight)  # fmt: skip
    for row in rows[is_oracle].itertuples():
        text = f"({label_of(split_name(row.method)[0], methods)} {row.risk:.3f})"
        ax.text(x, y - 0.34, text, ha="center", va="center", fontsize=6.2, color="0.25")


def draw_map(table, exhibit, methods):
    """Draw who is best where: a panel for each law, a cell for each rank and number of pairs."""
    k = table.groupby("k")[["rank", "n"]].nunique().prod(axis=1).idxmax()  # that of most cells
    table = table[table["k"] == k]
    figure, grid = make_panels(1, table["corpus"].nunique(), height=3.4)
    handles = {}
    for ax, law in zip(grid[0], [law for law in LAWS if law in set(table["corpus"])], strict=True):
        part = table[table["corpus"] == law]
        ranks, sizes = sorted(part["rank"].unique()), sorted(part["n"].unique())
        for (rank, n), rows in part.groupby(["rank", "n"]):
            x, y = sizes.index(n), ranks.index(rank)
            best = rows[~rows["method"].str.endswith(ORACLE)].iloc[0]["method"]
            colour = colour_of(best, methods)
            handles[label_of(best, methods)] = Patch(facecolor=colour, alpha=0.3)
            ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, alpha=0.3,
                                   edgecolor="white"))  # fmt: skip
            _draw_cell(ax, rows, x, y, methods)
        ax.set(xlim=(-0.5, len(sizes) - 0.5), ylim=(-0.5, len(ranks) - 0.5), title=LAWS[law],
               xlabel="pairs for each context, n / k", ylabel="rank of the model, m")  # fmt: skip
        ax.set_xticks(range(len(sizes)), [f"{n / k:g}" for n in sizes])
        ax.set_yticks(range(len(ranks)), [f"{rank}" for rank in ranks])
        ax.grid(False)
    note = f"k = {k}. Mean KL risks, nats, over {table['trials'].max()} models: the three lowest, "
    note += "and in brackets the best whose setting an oracle chooses; u: by the unbiased risk."
    put_legend(figure, handles, [note])
    return figure


def colour_of(name, methods):
    """Return the colour of a method, by its record and its place among those of one record."""
    name = split_name(name)[0]
    id = methods[name]["method"]
    same = [other for other, entry in methods.items() if entry["method"] == id]
    return line_style(id, same.index(name))["color"]


def draw_regret(table, exhibit, methods):
    """Draw regrets, a row of panels for each law, a panel for each k; then seconds, and choices."""
    laws = [law for law in LAWS if law in set(table["corpus"])]
    sizes = {law: sorted(table.loc[table["corpus"] == law, "k"].unique()) for law in laws}
    names = [name for name in exhibit["methods"] if name in set(table["method"])]
    columns = max(map(len, sizes.values())) + 1
    height = 0.17 * len(names) + 0.75
    figure, grid = make_panels(len(laws), columns, width=1.75, height=height)
    handles = {}
    for axes, law in zip(grid, laws, strict=True):
        for ax, k in zip(axes, sizes[law], strict=False):
            part = table[(table["corpus"] == law) & (table["k"] == k)]
            _draw_dots(ax, part, names, methods, "regret", handles)
            ax.set_title(f"{law}, k = {k:,}")
            ax.set_xscale("symlog", linthresh=0.01, linscale=0.6)
            ax.set_xlim(-0.0015, max(part["regret"].max() * 1.3, 0.1))
            ticks = [tick for tick in (0, 0.01, 0.1, 1) if tick <= ax.get_xlim()[1]]
            ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            ax.set_xlabel("regret, nats")
    held_out = table[table["method"].isin(names)]  # every choice has the seconds of all trials
    _draw_dots(grid[0, -1], held_out, names, methods, "seconds", {})
    grid[0, -1].set(title="time of a fit", xlabel="seconds", xscale="log")
    grid[0, -1].set_xticks([0.001, 0.1, 10], ["0.001", "0.1", "10"])
    if len(laws) > 1:
        _draw_dots(grid[1, -1], table, names, methods, "of_choice", {})
        grid[1, -1].set(title="cost of the choice", xlabel="nats above the oracle")
    for i, ax in np.ndenumerate(grid):
        _name_rows(ax, names, methods, is_first=i[1] == 0)
        ax.minorticks_off()
    note = "Means over models, a mark for each rank and n. Regret is the risk less that of the "
    put_legend(figure, handles, [note + "best method without an oracle at the same point."])
    return figure


# How a setting is chosen: label, marker, whether it is filled, and its height in a method's row.
CHOICES = {
    "": ("by held-out pairs, or nothing to choose", "o", True, 0),
    UNBIASED: ("by the unbiased risk", "D", True, 0.28),
    ORACLE: ("by an oracle", "o", False, -0.28),
}


def _find_dots(table, names, methods, handles):
    """Yield the rows of each method and choice in a table, with their height and their look."""
    for place, name in enumerate(names):
        colour = colour_of(name, methods)
        for end, (label, marker, is_filled, shift) in CHOICES.items():
            rows = table[table["method"] == name + end]
            if len(rows):
                look = {"color": colour, "mfc": colour if is_filled else "white"}
                grey = {"color": "0.3", "mfc": "0.3" if is_filled else "white"}
                how = {"marker": marker, "ls": "none"}
                handles.setdefault(label, Line2D([], [], **grey, **how))
                yield rows, shift - place, look | how | {"ms": 3.2}


def _draw_dots(ax, table, names, methods, column, handles):
    for rows, y, look in _find_dots(table, names, methods, handles):
        ax.plot(rows[column], np.full(len(rows), y), mew=0.8, alpha=0.8, **look)


def _name_rows(ax, names, methods, is_first):
    """Give each method a row; its name stands beside the first panel."""
    shown = [methods[name].get("label", name) for name in names]
    ax.set_yticks([-place for place in range(len(names))], shown)
    ax.set_ylim(-len(names) + 0.4, 0.6)
    ax.tick_params(axis="y", labelsize=NOTE, labelleft=is_first)


def draw_rank(table, exhibit, methods):
    """Draw the median of the ranks that are found against n, a panel for each law and rank."""
    k = table.groupby("k")["n"].nunique().idxmax()
    table = table[(table["k"] == k) & ~table["method"].str.endswith(ORACLE)]
    ranks = sorted(table["rank"].unique())
    figure, grid = make_panels(len(LAWS), len(ranks), height=2.1)
    handles = {}
    for axes, law in zip(grid, LAWS, strict=True):
        for ax, rank in zip(axes, ranks, strict=True):
            part = table[(table["corpus"] == law) & (table["rank"] == rank)]
            if part.empty:
                ax.set_axis_off()
                continue
            handles["true rank"] = ax.axhline(rank, color="black", lw=0.8)
            for name, rows in part.groupby("method", sort=False):
                look = {"color": colour_of(name, methods), "marker": "D" if name.endswith(UNBIASED)
                        else "o", "ms": 3.5, "lw": 1.2}  # fmt: skip
                (handles[label_of(name, methods)],) = ax.plot(rows["n"] / k, rows["median"], **look)
            ax.set_xscale("log")
            set_ticks(ax, sorted(part["n"].unique() // k))
            use_log_y(ax)
            ax.set(title=f"{law}, m = {rank}", xlabel="n / k", ylabel="rank found")
    note = f"Medians of {table['trials'].max()} models of k = {k}. Ranks are those before "
    note += "smoothing; of blocks, the largest number of values in one."
    put_legend(figure, handles, [note])
    return figure


def draw_text(table, exhibit, methods):
    """Draw a forest for each text: the cross-entropy of each method less PY-LR's."""
    known = table.dropna(subset=["loss"])
    names = [name for name in exhibit["methods"] if name != OURS]
    corpora = list(known["corpus"].unique())
    figure, grid = make_panels(1, max(len(corpora), 1), height=0.2 * len(names) + 0.75)
    handles = {}
    for ax, corpus in zip(grid[0], corpora, strict=False):
        part = known[known["corpus"] == corpus]
        ax.axvline(0, color="black", lw=0.8)
        for rows, y, look in _find_dots(part, names, methods, handles):
            ends = reach(rows["difference"], rows["low"], rows["high"])
            ax.errorbar(rows["difference"], [y], xerr=ends, elinewidth=1, **look)
        own = part[part["method"] == OURS]["loss"].iloc[0]
        ax.set(title=f"{corpus}: {own:.3f}", xlabel="nats per word")
        _name_rows(ax, names, methods, is_first=ax is grid[0, 0])
    missing = [f"{row.corpus} is left out: {row.note}" for row in
               table[table["loss"].isna()].itertuples()]  # fmt: skip
    note = "Less the cross-entropy of PY-LR, which stands above each panel. 95 % intervals, paired."
    put_legend(figure, handles, [note, *missing])
    return figure


def draw_trajectory(table, exhibit, methods):
    """Draw risks against the spectral gap, a panel for each n."""
    sizes = sorted(table["n"].unique())
    figure, grid = make_panels(1, len(sizes))
    handles = {}
    for ax, n in zip(grid[0], sizes, strict=True):
        for (method, drawn), rows in table[table["n"] == n].groupby(["method", "drawn"]):
            label, colour = CHAINS[method]
            handles[f"{label}: {drawn}"] = ax.errorbar(
                rows["gap"], rows["risk"], reach(rows["risk"], rows["low"], rows["high"]),
                color=colour, ls=SHADES[drawn], marker="o", ms=3, lw=1.2,
            )  # fmt: skip
        ax.set_xscale("log")
        use_log_y(ax)
        gaps = sorted(table["gap"].unique())
        ax.set_xticks(gaps, [f"{gap:g}" for gap in gaps])
        ax.minorticks_off()
        ax.set(title=f"n = {n:,}", xlabel="spectral gap, about", ylabel="KL risk, nats")
    k, trials = table["k"].iloc[0], table["trials"].max()
    note = f"{trials} chains of {k} states. All rows: weighted by their stationary probability."
    put_legend(figure, handles, [note])
    return figure


def draw_bounds(table, exhibit, methods):
    """Draw excess risks of Good-Turing beside its bound, and total variations against sizes."""
    figure, grid = make_panels(1, 3)
    handles, sizes = {}, [set(), set(), set()]
    for (case, method), rows in table.groupby(["case", "method"], sort=False):
        if method in RULES:
            (handles[f"{NATURAL[case]}, {RULES[method][0]}"],) = grid[0, 0].plot(
                rows["n"], rows["value"].clip(lower=1e-5), "o", ls=RULES[method][1], ms=3,
                color=COLOURS[list(NATURAL).index(case)],
            )  # fmt: skip
            bound = bound_of_good_turing(rows["n"])
            (handles["bound"],) = grid[0, 0].plot(rows["n"], bound, color="black")
            sizes[0] |= set(rows["n"])
            continue
        place, size = (1, "k") if method == "spectral" else (2, "n")
        sizes[place] |= set(rows[size])
        ends = reach(rows["value"], rows["low"], rows["high"])
        ax = grid[0, place]
        ax.errorbar(rows[size], rows["value"], ends, marker="o", color=COLOURS[0], capsize=2)
        ax.set(title=TITLES[method], xlabel=size, ylabel="total variation")
    grid[0, 0].set(title="Good-Turing", xlabel="n", ylabel="excess KL risk, nats")
    for ax, values in zip(grid[0], sizes, strict=True):
        ax.set_xscale("log")
        set_ticks(ax, sorted(values))
        use_log_y(ax)
    put_legend(figure, handles, ["Left: dashed is empirical Bayes."])
    return figure
