"""Perplexity and size of language models against their order: table and figure."""

import matplotlib as mpl
import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.looks import STYLE, make_panels, put_legend, put_title, use_log_y
from reproduction.experiments.intervals import student_half_width


def tabulate_orders(scores):
    """Return the tidy table: means over blocks of text.

    Parameters
    ----------
    scores : pandas.DataFrame
        Rows of `experiments.orders.score_orders`.

    Returns
    -------
    pandas.DataFrame
        ``n`` (the order), ``method``, ``mean`` (nats per word) with Student's 95 % interval over
        blocks, ``perplexity``, the mean over blocks, ``parameters``, ``penalty``, ``gap``,
        ``iterations``, ``seeds`` (blocks) and ``converged``.
    """
    keys = ["method", "n", "corpus"]
    blocks = scores.groupby(keys, sort=False).agg(
        loss=("loss", "sum"), pairs=("pairs", "sum"), parameters=("parameters", "first"),
        penalty=("penalty", "first"), gap=("gap", "first"), iterations=("iterations", "first"),
        converged=("converged", "all"),
    ).reset_index()  # fmt: skip
    blocks["mean"] = blocks["loss"] / blocks["pairs"]
    blocks["perplexity"] = np.exp(blocks["mean"])
    groups = blocks.groupby(["method", "n"], sort=False)
    columns = ["mean", "perplexity", "parameters", "penalty", "gap", "iterations", "converged"]
    table = groups[columns].mean()
    table["seeds"] = groups.size()
    table["sd"] = groups["mean"].std()
    half = student_half_width(table["sd"], table["seeds"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    order = ["n", "method", "mean", "low", "high", "sd", *columns[1:6], "seeds", "converged"]
    return table.reset_index()[order]


def draw_orders(table, methods, title):
    """Draw perplexity without and with weights by depth, and the number of weights.

    Parameters
    ----------
    table : pandas.DataFrame
        From `tabulate_orders`.
    methods : dict
        Entries of the config's methods, in order.
    title : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    table = table.rename(columns={"n": "order"})
    plain = {name for name, entry in methods.items() if "decay" not in entry}
    baseline = {name for name, entry in methods.items() if entry["method"] == "kn"}
    panels = (
        ("(a) without weights", plain, "perplexity"),
        ("(b) with weights by depth", set(methods) - plain | baseline, "perplexity"),
        ("(c) size", set(methods), "parameters"),
    )
    with mpl.rc_context(STYLE):
        figure, grid = make_panels(1, 3)
        handles = {}
        bare = table[["order", "method"]]  # any further column would be an option that is swept
        curves = find_curves(bare, methods, "order")
        for ax, (name, chosen, column) in zip(grid[0], panels, strict=True):
            part = bare.assign(mean=table[column], low=np.nan, high=np.nan)
            shown = [curve for curve in curves if curve.name in chosen]
            handles |= draw_curves(ax, part, "order", shown)
            ax.set_title(name)
            ax.set_ylabel(column if column == "perplexity" else "weights that are not zero")
            if column == "parameters":
                use_log_y(ax)
        blocks = int(table["seeds"].max())
        note = f"Mean over {blocks} blocks of Brown" if blocks > 1 else "One block of Brown"
        put_legend(figure, handles, [f"{note}."])
        put_title(figure, title)
    return figure
