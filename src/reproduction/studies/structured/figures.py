"""Tables of its exhibits, and the figures, each only from its table."""

import textwrap

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import make_grid, make_panels, put_legend, use_log_y
from reproduction.methods import METHODS
from reproduction.studies.structured import solvers
from reproduction.studies.structured.tables import LEARNED

NOTE_ON_DECAYS = "Of the words held out in the training part, each at its best penalty."
PANELS_ACROSS = 3  # panels beside each other
LEAST_HEIGHT_DRAWN = 1e-4  # nats per word above the minimum: what is nearer is not drawn
STEP_NAMES = {
    "l1": "l1",
    "l2": "squared l2",
    "tree2": "T2, Algorithm 2",
    "pivot": "T\u221e, pivots, Algorithm 3",
    "heap": "T\u221e, heap, Algorithm 4",
}


def draw_figure_2(table, exhibit, methods):
    """Draw the paper's three panels, with its letters, and two of this project.

    These are perplexity with learned weights by depth, and of models without the start of a
    sentence.
    """
    decays = {name: entry.get("decay", 1.0) for name, entry in methods.items()}
    baseline = {name for name, entry in methods.items() if not _is_penalised(entry)}
    without = {name for name, entry in methods.items() if not entry.get("sentence_start", True)}
    learned = {name for name, decay in decays.items() if decay == LEARNED} - without
    plain = {name for name, decay in decays.items() if decay == 1.0} - without
    weighted = set(methods) - plain - learned - without
    panels = (
        ("(a) without weights by depth", plain, "perplexity"),
        ("(b) with the paper's weights", weighted | baseline, "perplexity"),
        ("(c) parameters", set(methods) - without, "parameters"),
        ("this project: learned weights", learned | baseline, "perplexity"),
        ("this project: no sentence start", without | baseline, "perplexity"),
    )
    figure, grid = make_grid(len(panels), PANELS_ACROSS, height=2.5)
    handles = {}
    bare = table[["order", "method"]]  # any further column would be an option that is swept
    curves = find_curves(bare, methods, "order")
    _share_y([ax for ax, panel in zip(grid, panels, strict=True) if panel[2] == "perplexity"])
    for ax, (name, chosen, column) in zip(grid, panels, strict=True):
        part = bare.assign(mean=table[column], low=np.nan, high=np.nan)
        shown = [curve for curve in curves if curve.name in chosen]
        handles |= draw_curves(ax, part, "order", shown)
        ax.set(
            title=name,
            xlabel="order of the model",
            ylabel=column if column == "perplexity" else "weights that are not zero",
        )
        if column == "parameters":
            use_log_y(ax)
    put_legend(figure, handles, [_say_blocks(table)])
    return figure


def _is_penalised(entry):
    """Whether a method has a penalty with weights by depth."""
    return "decay" in METHODS[entry["method"]].options


def _say_blocks(table):
    blocks = int(table["seeds"].max())
    text = f"Mean over {blocks} blocks of text." if blocks > 1 else "One block of text."
    if table["unknown"].isna().all():
        return text
    types, unknown = table["types"].mean(), table["unknown"].mean()
    return f"{text} {types:,.0f} word types; {unknown:.1%} of the test words are unknown."


def draw_alpha(means, exhibit, methods):
    """Draw the least held-out loss against the decay of the weights by depth, at each order."""
    names = [name for name, entry in methods.items() if entry.get("decay") == LEARNED]
    orders = sorted(means["order"].unique())
    figure, grid = make_grid(max(len(orders), 1), PANELS_ACROSS, height=2.4)
    _share_y(grid)
    handles = {}
    for order, ax in zip(orders, grid, strict=False):
        for name in names:
            part = means[(means["order"] == order) & (means["method"] == name)]
            style = style_of(name, methods).curve() | {"ms": 3.5, "lw": 1}
            (line,) = ax.plot(part["chosen_decay"], np.exp(part["mean"]), **style)
            handles[methods[name].get("label", name)] = line
        ax.set(title=f"order {order}", xlabel="\u03b1")
    for ax in grid[::PANELS_ACROSS]:
        ax.set_ylabel("perplexity")
    put_legend(figure, handles, [NOTE_ON_DECAYS])
    return figure


def _share_y(panels):
    """Give panels one vertical axis."""
    for ax in panels[1:]:
        ax.sharey(panels[0])
    panels[0].autoscale()


def draw_figure_1(table, exhibit, methods):
    """Draw the tree of figure 1: its weights, collapsed, and after the steps of both norms."""
    figure, grid = make_panels(1, table["panel"].nunique(), width=1.8, height=2.2)
    panels = table.groupby("panel", sort=False)
    for ax, (name, tree) in zip(grid[0], panels, strict=True):
        places = list(zip(tree["across"], tree["down"], strict=True))
        _draw_tree(ax, tree["parent"], places, tree["label"].astype(str))
        ax.set_title(textwrap.fill(name, 22))
    put_legend(figure, {}, ["Each node is a context, longer ones below; its weight inside."])
    return figure


def _draw_tree(ax, parents, places, labels):
    for node, up in enumerate(parents):
        if up >= 0:
            ax.plot(*zip(places[up], places[node], strict=True), color="#999999", lw=1, zorder=1)
    for place, label in zip(places, labels, strict=True):
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#0072b2"}
        ax.text(*place, label, ha="center", va="center", bbox=box, zorder=2)
    ax.set_axis_off()
    ax.margins(0.2, 0.12)


def draw_figure_3(work, exhibit, methods):
    """Draw the values that random pivots and heaps visit, against order and weights."""
    looks = {"pivots": ("Algorithm 3, pivots", "s"), "heaps": ("Algorithm 4, heaps", "o")}
    dashes = {"tree": "-", "trie": "--"}
    figure, grid = make_panels(1, 2)
    whole = work[work["words"] == work["words"].max()]
    longest = work[work["order"] == work["order"].max()]
    panels = (
        ("(a) against the order", whole, "order", "order of the model"),
        ("(b) against the weights", longest, "weights", "weights"),
    )
    handles = {}
    for ax, (name, part, x, label) in zip(grid[0], panels, strict=True):
        for structure, dash in dashes.items():
            rows = part[part["structure"] == structure].sort_values(x)
            for column, (name_of_step, marker) in looks.items():
                colour = "#d55e00" if column == "pivots" else "#0072b2"
                (line,) = ax.plot(rows[x], rows[column], dash, marker=marker, color=colour)
                handles[f"{name_of_step}, {structure}"] = line
        ax.set(title=name, xlabel=label)
        use_log_y(ax)
        if x == "weights":
            ax.set_xscale("log")
            ax.set_xticks([2e4, 5e4, 1e5, 2e5, 5e5], ["20K", "50K", "100K", "200K", "500K"])
            ax.minorticks_off()
    grid[0, 0].set_ylabel("values visited by one step")
    note = "Counts, the same on every machine; `make bench` measures seconds."
    put_legend(figure, handles, [note])
    return figure


def draw_algorithm_1(table, exhibit, methods):
    """Draw how far each solver is above the minimum, against passes over the data."""
    looks = {
        solvers.FISTA: ("#000000", "-", "o"),
        solvers.CORRECTED: ("#0072b2", "-", "s"),
        solvers.GROWING: ("#009e73", "-", "D"),
        solvers.WHOLE: ("#0072b2", "--", ""),
        solvers.PRINTED: ("#d55e00", ":", "X"),
        solvers.SUBGRADIENT: ("#999999", "-.", ""),
    }
    titles = {"l2": "(a) squared l2, strongly convex", "treeinf": "(b) l\u221e-norm of trees"}
    figure, grid = make_panels(1, 2)
    _share_y(grid[0])
    handles = {}
    for ax, (norm, title) in zip(grid[0], titles.items(), strict=True):
        part = table[table["norm"] == norm]
        for solver, (colour, dash, marker) in looks.items():
            rows = part[(part["solver"] == solver) & np.isfinite(part["above"])]
            rows = rows[rows["above"] > LEAST_HEIGHT_DRAWN]
            if len(rows):
                how = {"color": colour, "ls": dash, "marker": marker, "ms": 4, "markevery": 5}
                (handles[solver],) = ax.plot(rows["passes"], rows["above"], **how)
        ax.set(title=title, xlabel="passes over the data")
        use_log_y(ax)
    grid[0, 0].set_ylabel("nats per word\nabove the minimum")
    printed = table[table["solver"] == solvers.PRINTED].groupby("norm")["passes"].max()
    words = table["words"].max()
    note = f"{words:,.0f} words, batches of 400. As printed the weights overflow in pass"
    put_legend(figure, handles, [f"{note} {printed.max():.0f}."])
    return figure


def draw_properties(table, exhibit, methods):
    """Draw Table 1: what the paper prints and, below it, what was counted."""
    figure, grid = make_panels(1, 1, height=1.6)
    ax = grid[0, 0]
    ax.set_axis_off()
    head = [
        "penalty and step",
        "works on",
        "generalises",
        "memory",
        "weights",
        "time",
        "values visited",
        "exponent [95 %]",
    ]
    cells = [
        [
            STEP_NAMES[row.step],
            row.structure,
            row.generalises,
            row.memory,
            f"{row.weights:,.0f}",
            row.time,
            f"{row.visited:,.0f}",
            _say_interval(row),
        ]
        for row in table.itertuples()
    ]
    shares = np.array([22, 9, 11, 13, 10, 18, 14, 19]) / 116  # of the width, by column
    drawn = ax.table(cells, colLabels=head, cellLoc="left", colWidths=shares, bbox=[0, 0, 1, 1])
    drawn.auto_set_font_size(False)
    drawn.set_fontsize(6.5)
    for (line, _), cell in drawn.get_celld().items():
        cell.set_edgecolor("#cccccc")
        cell.PAD = 0.03
        cell.set_text_props(weight="bold" if line == 0 else "normal")
    words, blocks = table["words"].mean(), int(table["blocks"].max())
    over = f"mean over {blocks} block{'s' if blocks > 1 else ''}"
    notes = ["Generalises, memory and time: as printed. Seconds are in the CSV of this exhibit."]
    notes.append(f"Numbers: measured, one step, {words:,.0f} words, {over}.")
    put_legend(figure, {}, notes)
    return figure


def _say_interval(row):
    """Say an exponent with its interval."""
    if not np.isfinite(row.exponent):
        return ""
    interval = f" [{row.low:.3f}, {row.high:.3f}]" if np.isfinite(row.low) else ""
    return f"{row.exponent:.3f}{interval}"


def draw_positivity(table, exhibit, methods):
    """Draw how many weights there are without positivity for each with it, by length of context."""
    figure, grid = make_panels(1, 1)
    ax, handles = grid[0, 0], {}
    for _, part in table.groupby("block", sort=True):
        (line,) = ax.plot(part["length"], part["gain"], marker="o", ms=4, color="#0072b2")
        limit = ax.axhline(part["outcomes"].iloc[0], color="#999999", ls="--")
        handles = {
            "weights without the constraint w \u2265 0, for each with it": line,
            "|V|": limit,
        }
    ax.set(xlabel="words of the context", ylabel="times fewer weights")
    ax.set_xticks(sorted(table["length"].unique()))
    ax.set_ylim(bottom=0)
    put_legend(figure, handles, ["A line for each block of text."])
    return figure


DRAW = {
    "example": draw_figure_1,
    "order-curve": draw_figure_2,
    "work": draw_figure_3,
    "solvers": draw_algorithm_1,
    "properties": draw_properties,
    "positivity": draw_positivity,
    "alpha": draw_alpha,
}
