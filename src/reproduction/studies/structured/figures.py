"""Its figures: the worked example, perplexities, the work of its steps, the path of penalties."""

import matplotlib as mpl
import numpy as np
import pandas as pd

from condprob.loglinear.proximal import proximal_step
from reproduction.exhibits.looks import STYLE, make_panels, put_legend, put_title, use_log_y
from reproduction.studies.structured.curves import draw_decays, draw_orders, draw_paths
from reproduction.studies.structured.claims import FIGURE_2
from reproduction.studies.structured.theory import PARENTS, VALUES, plant

FIGURE_1, FIGURE_3, PATH, ALPHA = "figure-1", "figure-3", "path", "alpha"
THRESHOLD = 0.8  # kappa of the worked example
TITLES = {
    FIGURE_1: "Figure 1: the worked example, before and after each step (kappa = 0.8)",
    FIGURE_2: "Figure 2: perplexity against the order, on blocks of Brown",
    FIGURE_3: "Figure 3 and Table 1: what a step of the l\u221e-norm of trees has to visit",
    ALPHA: "Section 6: perplexity against the decay of weights by depth",
    PATH: "Beyond the paper: the whole path of penalties at every order",
}
OTHERS = {  # than figure 2: whose scores they are drawn from, and where those are
    FIGURE_1: ("example", "{folder}/checks.csv"),
    FIGURE_3: ("work", "structured/work.csv"),
    ALPHA: ("learning-curve", "{folder}/paths.csv"),
    PATH: ("learning-curve", "{folder}/paths.csv"),
}
ALTS = {
    FIGURE_1: "Four trees of eight nodes with their weights: as given, collapsed, after the step "
    "of the l2-norm of trees, and after that of the l-infinity norm.",
    FIGURE_3: "Values visited by random pivots and by heaps: against the order, on the trie and "
    "on the collapsed tree, and against the number of weights.",
    ALPHA: "Held-out perplexity of each norm at its best penalty against alpha, a panel for each "
    "order.",
    PATH: "For each penalised model, held-out perplexity and number of weights against the "
    "penalty, one curve for each order.",
}


def describe_exhibits(methods, folder):
    """Return what the page calls exhibits, by name: entries as those of the config.

    Parameters
    ----------
    methods : list of str
        Of figure 2.
    folder : str
        Of the scope, in that of results.
    """
    found = {FIGURE_2: {"kind": "learning-curve", "methods": methods}}
    for name, (kind, file) in OTHERS.items():
        given = {"kind": kind, "file": file.format(folder=folder), "alt": ALTS[name]}
        found[name] = given | {"methods": []}
    return {name: {"title": title} | found[name] for name, title in TITLES.items()}


def tables_of_page(table):
    """Return the table of each exhibit as the page takes it; figure 2's from `tabulate_orders`."""
    shown = ["n", "method", "mean", "low", "high", "sd", "seeds", "converged"]
    none = pd.DataFrame(columns=["method"])
    found = {name: none for name in TITLES}
    return found | {FIGURE_2: table[shown].assign(corpus="brown", rank=0, note="")}


def draw_figures(table, paths, work, methods, missing=""):
    """Draw them all.

    Parameters
    ----------
    table : pandas.DataFrame
        From `exhibits.orders.tabulate_orders`.
    paths : pandas.DataFrame
        Rows of `experiments.orders.trace_path`.
    work : pandas.DataFrame
        Rows of `work.count_work`.
    methods : dict
        Entries of the config's methods.
    missing : str
        Why there is no text.

    Returns
    -------
    dict of matplotlib.figure.Figure
        By name.
    """
    note = f"Left out: {missing}" if missing else ""
    return {
        FIGURE_1: draw_example(TITLES[FIGURE_1]),
        FIGURE_2: draw_orders(table, methods, TITLES[FIGURE_2], note),
        FIGURE_3: draw_work(work, TITLES[FIGURE_3], note),
        ALPHA: draw_decays(paths, methods, TITLES[ALPHA], note),
        PATH: draw_paths(paths, methods, TITLES[PATH], note),
    }


def draw_example(title):
    """Draw the tree of figure 1: its weights, collapsed, and after the steps of both norms."""
    trie, values, places = plant(PARENTS), np.array(VALUES), _place_nodes(PARENTS)
    kept = [0, 1, 3, 4, 5, 7]  # chains of equal values are one node with copies
    parents, labels = [-1, 0, 1, 2, 2, 1], ["3", "4", "6 (2)", "4", "5", "7 (2)"]
    steps = (proximal_step(norm, trie, values, THRESHOLD) for norm in ("tree2", "treeinf"))
    first, *others = ([f"{weight:.3g}" for weight in weights] for weights in (values, *steps))
    panels = (
        ("(a) weights on the trie", PARENTS, places, first),
        ("(b) collapsed, copies in brackets", parents, [places[i] for i in kept], labels),
        ("(c) step of the l2-norm", PARENTS, places, others[0]),
        ("(d) step of the l\u221e-norm", PARENTS, places, others[1]),
    )
    with mpl.rc_context(STYLE):
        figure, grid = make_panels(1, 4, width=2.6, height=2.6)
        for ax, (name, *tree) in zip(grid[0], panels, strict=True):
            _draw_tree(ax, *tree)
            ax.set_title(name)
        put_legend(figure, {}, ["Each node is a context, longer ones below; its weight inside."])
        put_title(figure, title)
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


def draw_work(work, title, missing=""):
    """Draw what random pivots and heaps visit, against the order and against the weights.

    Parameters
    ----------
    work : pandas.DataFrame
        Rows of `work.count_work`.
    title, missing : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    looks = {"pivots": ("Algorithm 3, pivots", "s"), "heaps": ("Algorithm 4, heaps", "o")}
    dashes = {"tree": "-", "trie": "--"}
    with mpl.rc_context(STYLE):
        figure, grid = make_panels(1, 2)
        whole = work[work["words"] == work["words"].max()]
        longest = work[work["order"] == work["order"].max()]
        panels = (("(a) against the order", whole, "order", "order of the model"),
                  ("(b) against the weights", longest, "weights", "weights"))  # fmt: skip
        handles = {}
        for ax, (name, part, x, label) in zip(grid[0], panels, strict=True):
            for structure, dash in dashes.items():
                rows = part[part["structure"] == structure].sort_values(x)
                for column, (what, marker) in looks.items():
                    colour = "#d55e00" if column == "pivots" else "#0072b2"
                    (line,) = ax.plot(rows[x], rows[column], dash, marker=marker, color=colour)
                    handles[f"{what}, {structure}"] = line
            ax.set_title(name)
            ax.set_xlabel(label)
            if len(part):
                use_log_y(ax)
                if x == "weights":
                    ax.set_xscale("log")
                    ax.set_xticks([2e4, 5e4, 1e5, 2e5, 5e5], ["20K", "50K", "100K", "200K", "500K"])
                    ax.minorticks_off()
        grid[0, 0].set_ylabel("values visited by one step")
        note = "Counts, the same on every machine; `make bench` measures seconds."
        put_legend(figure, handles, [missing or note])
        put_title(figure, title)
    return figure
