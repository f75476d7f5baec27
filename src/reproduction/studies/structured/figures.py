"""Its figures of other kinds: the worked example, and the work of its steps."""

import numpy as np
import pandas as pd

from condprob.models.structured.proximal import proximal_step
from reproduction.exhibits.looks import make_panels, put_legend, use_log_y
from reproduction.exhibits.tables import why_missing
from reproduction.studies.structured.checks import PARENTS, VALUES, plant

THRESHOLD = 0.8  # kappa of the worked example
KEPT = [0, 1, 3, 4, 5, 7]  # chains of equal values are one node with copies
COLLAPSED = [-1, 0, 1, 2, 2, 1]  # the parents of the kept nodes
EXAMPLE = ["panel", "node", "parent", "across", "down", "label"]


def tabulate_example(given):
    """Return the tree of figure 1, a row for each node of each panel (`study.Material`)."""
    trie, values, places = plant(PARENTS), np.array(VALUES), _place_nodes(PARENTS)
    steps = (proximal_step(norm, trie, values, THRESHOLD) for norm in ("tree2", "treeinf"))
    first, *others = ([f"{weight:.3g}" for weight in weights] for weights in (values, *steps))
    labels = ["3", "4", "6 (2)", "4", "5", "7 (2)"]
    panels = (
        ("(a) weights on the trie", PARENTS, places, first),
        ("(b) collapsed, copies in brackets", COLLAPSED, [places[i] for i in KEPT], labels),
        ("(c) step of the l2-norm", PARENTS, places, others[0]),
        ("(d) step of the l\u221e-norm", PARENTS, places, others[1]),
    )
    rows = [
        (name, node, parent, *place, label)
        for name, *tree in panels
        for node, (parent, place, label) in enumerate(zip(*tree, strict=True))
    ]
    return pd.DataFrame(rows, columns=EXAMPLE)


def draw_example(table, exhibit, methods):
    """Draw the tree of figure 1: its weights, collapsed, and after the steps of both norms."""
    figure, grid = make_panels(1, table["panel"].nunique(), width=2.6, height=2.6)
    panels = table.groupby("panel", sort=False)
    for ax, (name, tree) in zip(grid[0], panels, strict=True):
        places = list(zip(tree["across"], tree["down"], strict=True))
        _draw_tree(ax, tree["parent"], places, tree["label"].astype(str))
        ax.set_title(name)
    put_legend(figure, {}, ["Each node is a context, longer ones below; its weight inside."])
    return figure


def _place_nodes(parents):
    """Return where each node stands: leaves side by side, others above the middle of theirs."""
    below = [
        [child for child, up in enumerate(parents) if up == node] for node in range(len(parents))
    ]
    places, leaves = {}, 0
    for node in reversed(range(len(parents))):
        across = np.mean([places[child][0] for child in below[node]]) if below[node] else leaves
        leaves -= not below[node]  # from the right
        depth, up = 0, parents[node]
        while up >= 0:
            depth, up = depth + 1, parents[up]
        places[node] = (across, -depth)
    return [places[node] for node in range(len(parents))]


def _draw_tree(ax, parents, places, labels):
    for node, up in enumerate(parents):
        if up >= 0:
            ax.plot(*zip(places[up], places[node], strict=True), color="#999999", lw=1, zorder=1)
    for place, label in zip(places, labels, strict=True):
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#0072b2"}
        ax.text(*place, label, ha="center", va="center", bbox=box, zorder=2)
    ax.set_axis_off()
    ax.margins(0.2, 0.12)


def tabulate_work(given):
    """Return the table of `work.count_work`, or why there is no text."""
    missing = why_missing(given.receipts)
    return (
        given.tables["work"].assign(note="") if not missing else pd.DataFrame([{"note": missing}])
    )


def draw_work(work, exhibit, methods):
    """Draw the values that random pivots and heaps visit, against order and weights."""
    missing = "" if "words" in work else f"Left out: {work['note'].iloc[0]}"
    work = work.reindex(columns=["order", "words", "structure", "weights", "pivots", "heaps"])
    work = work.dropna(subset=["words"])
    looks = {"pivots": ("Algorithm 3, pivots", "s"), "heaps": ("Algorithm 4, heaps", "o")}
    dashes = {"tree": "-", "trie": "--"}
    figure, grid = make_panels(1, 2)
    whole = work[work["words"] == work["words"].max()]
    longest = work[work["order"] == work["order"].max()]
    panels = (("(a) against the order", whole, "order", "order of the model"),
              ("(b) against the weights", longest, "weights", "weights"))  # fmt: skip
    handles = {}
    for ax, (name, part, x, label) in zip(grid[0], panels, strict=True):
        for structure, dash in dashes.items():
            rows = part[part["structure"] == structure].sort_values(x)
            for column, (name_of_step, marker) in looks.items():
                colour = "#d55e00" if column == "pivots" else "#0072b2"
                (line,) = ax.plot(rows[x], rows[column], dash, marker=marker, color=colour)
                handles[f"{name_of_step}, {structure}"] = line
        ax.set(title=name, xlabel=label)
        if len(part):
            use_log_y(ax)
            if x == "weights":
                ax.set_xscale("log")
                ax.set_xticks([2e4, 5e4, 1e5, 2e5, 5e5], ["20K", "50K", "100K", "200K", "500K"])
                ax.minorticks_off()
    grid[0, 0].set_ylabel("values visited by one step")
    note = "Counts, the same on every machine; `make bench` measures seconds."
    put_legend(figure, handles, [missing or note])
    return figure
