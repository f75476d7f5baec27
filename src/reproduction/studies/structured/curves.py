"""Perplexity and size of language models against their order: table and figure."""

import matplotlib as mpl
import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.looks import STYLE, make_panels, put_legend, put_title, use_log_y
from reproduction.scores.grid import is_log_linear
from reproduction.scores.intervals import student_half_width

ACROSS = 6  # panels of the path side by side
LEARNED = "learned"
NOTE_ON_PATHS = "Of the words held out in the training part; the lowest point tells the penalty."
NOTE_ON_DECAYS = "Of the words held out in the training part, each at its best penalty."


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
        blocks, ``perplexity``, the mean over blocks, ``parameters``, ``penalty``, ``decay``,
        ``gap``, ``iterations``, ``seeds`` (blocks) and ``converged``.
    """
    keys = ["method", "n", "corpus"]
    blocks = scores.groupby(keys, sort=False).agg(
        loss=("loss", "sum"), pairs=("pairs", "sum"), parameters=("parameters", "first"),
        penalty=("penalty", "first"), decay=("decay", "first"), gap=("gap", "first"),
        iterations=("iterations", "first"), converged=("converged", "all"),
    ).reset_index()  # fmt: skip
    blocks["mean"] = blocks["loss"] / blocks["pairs"]
    blocks["perplexity"] = np.exp(blocks["mean"])
    groups = blocks.groupby(["method", "n"], sort=False)
    columns = ["mean", "perplexity", "parameters", "penalty", "decay", "gap"]
    columns += ["iterations", "converged"]
    table = groups[columns].mean()
    table["seeds"] = groups.size()
    table["sd"] = groups["mean"].std()
    half = student_half_width(table["sd"], table["seeds"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    order = ["n", "method", "mean", "low", "high", "sd", *columns[1:-1], "seeds", "converged"]
    return table.reset_index()[order]


def draw_orders(table, methods, title, missing=""):
    """Draw perplexity without weights by depth, with the paper's and with learned ones; sizes.

    Parameters
    ----------
    table : pandas.DataFrame
        From `tabulate_orders`.
    methods : dict
        Entries of the config's methods, in order.
    title : str
    missing : str
        Why there is no text.

    Returns
    -------
    matplotlib.figure.Figure
    """
    table = table.rename(columns={"n": "order"})
    decays = {name: entry.get("decay", 1.0) for name, entry in methods.items()}
    baseline = {name for name, entry in methods.items() if not is_log_linear(entry)}
    learned = {name for name, decay in decays.items() if decay == LEARNED}
    plain = {name for name, decay in decays.items() if decay == 1.0}
    panels = (
        ("(a) without weights by depth", plain, "perplexity"),
        ("(b) with the paper's", set(methods) - plain - learned | baseline, "perplexity"),
        ("(c) with learned ones", learned | baseline, "perplexity"),
        ("(d) size", set(methods), "parameters"),
    )
    with mpl.rc_context(STYLE):
        figure, grid = make_panels(1, 4, width=3.2)
        handles = {}
        bare = table[["order", "method"]]  # any further column would be an option that is swept
        curves = find_curves(bare, methods, "order")
        _share_y(grid[0, :3])
        for ax, (name, chosen, column) in zip(grid[0], panels, strict=True):
            part = bare.assign(mean=table[column], low=np.nan, high=np.nan)
            shown = [curve for curve in curves if curve.name in chosen]
            handles |= draw_curves(ax, part, "order", shown)
            ax.set_title(name)
            ax.set_xlabel("order of the model")
            ax.set_ylabel(column if column == "perplexity" else "weights that are not zero")
            if column == "parameters" and len(table):
                use_log_y(ax)
        put_legend(figure, handles, [missing or _say_blocks(table)])
        put_title(figure, title)
    return figure


def _say_blocks(table):
    blocks = int(table["seeds"].max())
    return f"Mean over {blocks} blocks of text." if blocks > 1 else "One block of text."


def draw_paths(paths, methods, title, missing=""):
    """Draw held-out loss and size against the penalty, at each order.

    Parameters
    ----------
    paths : pandas.DataFrame
        Rows of `experiments.orders.trace_path`, of one block or more: means are drawn.
    methods, title, missing
        See `draw_orders`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [name for name in methods if name in set(paths["method"])]
    names = [name for name in names if methods[name].get("decay") != LEARNED]
    # a penalty that some block's path did not come to has no mean
    keys, blocks = ["method", "n", "penalty"], paths["corpus"].nunique()
    groups = paths.groupby(keys)
    means = groups[["mean", "parameters"]].mean()[groups.size() == blocks].reset_index()
    with mpl.rc_context(STYLE):
        height = 2 * max(1, -(-len(names) // ACROSS))
        figure, grid = make_panels(height, ACROSS, width=2.1, height=2.0)
        handles, orders = {}, sorted(means["n"].unique())
        shades = mpl.colormaps["viridis"](np.linspace(0.9, 0.1, max(len(orders), 1)))
        for place, name in enumerate(names):
            row, column = 2 * (place // ACROSS), place % ACROSS
            of_method = means[means["method"] == name]
            for order, shade in zip(orders, shades, strict=True):
                part = of_method[of_method["n"] == order]
                values = np.exp(part["mean"]), part["parameters"]
                for ax, value in zip(grid[row : row + 2, column], values, strict=True):
                    (line,) = ax.plot(part["penalty"], value, marker=".", ms=3, lw=1, color=shade)
                handles[f"order {order}"] = line
            grid[row, column].set_title(methods[name].get("label", name))
            grid[row + 1, column].set_xlabel("penalty")
        for row, ax in ((row, ax) for row, axes in enumerate(grid) for ax in axes):
            ax.set_xscale("log", base=2)
            ax.set_xticks([0.125, 0.5, 2, 8], ["1/8", "1/2", "2", "8"])
            ax.minorticks_off()
            if row % 2 and len(names):
                use_log_y(ax)
        for ax in grid[-2:, len(names) - ACROSS * (height // 2 - 1) :].ravel():
            ax.set_axis_off()
        for row in range(0, height, 2):
            grid[row, 0].set_ylabel("perplexity")
            grid[row + 1, 0].set_ylabel("weights not zero")
        for rows in (grid[::2], grid[1::2]):
            _share_y(rows.ravel())
        put_legend(figure, handles, [missing or NOTE_ON_PATHS])
        put_title(figure, title)
    return figure


def draw_decays(paths, methods, title, missing=""):
    """Draw the least held-out loss against the decay of the weights by depth, at each order.

    Parameters
    ----------
    paths, methods, title, missing
        See `draw_paths`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    names = [name for name, entry in methods.items() if entry.get("decay") == LEARNED]
    paths = paths[paths["method"].isin(names)]
    least = paths.groupby(["n", "method", "decay", "corpus"])["mean"].min()
    means = least.groupby(["n", "method", "decay"]).mean().reset_index()
    orders = sorted(means["n"].unique())
    with mpl.rc_context(STYLE):
        figure, grid = make_panels(1, max(len(orders), 1), width=2.3, height=2.4)
        _share_y(grid[0])
        handles = {}
        for order, ax in zip(orders, grid[0], strict=False):
            for name in names:
                part = means[(means["n"] == order) & (means["method"] == name)]
                (line,) = ax.plot(part["decay"], np.exp(part["mean"]), marker=".", lw=1)
                handles[methods[name].get("label", name)] = line
            ax.set_title(f"order {order}")
            ax.set_xlabel("\u03b1")
        grid[0, 0].set_ylabel("perplexity")
        put_legend(figure, handles, [missing or NOTE_ON_DECAYS])
        put_title(figure, title)
    return figure


def _share_y(panels):
    """Give panels one vertical axis."""
    for ax in panels[1:]:
        ax.sharey(panels[0])
    panels[0].autoscale()
