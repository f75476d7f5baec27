"""Tables of its exhibits, and the figures, each from its table alone."""

import numpy as np
import pandas as pd

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.looks import make_panels, put_legend, reach, set_ticks, use_log_y
from reproduction.exhibits.tables import why_missing
from reproduction.scores.intervals import student_interval
from reproduction.studies.textbook.lowdim import (
    DIGIT,
    cluster_digits,
    load_zeros_and_ones,
    project,
)

MARKERS = "os^DvPX*"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")


def tabulate_ngrams(given):
    """Return perplexities by method, words and order (`study.Material`)."""
    columns = ["n", "order", "method", "mean", "perplexity", "parameters"]
    if why_missing(given.receipts) or not len(given.scores):
        return pd.DataFrame(columns=columns)
    groups = given.scores.groupby(["n", "order", "method"], sort=False)
    table = groups[["loss", "pairs"]].sum()
    table["parameters"] = groups["parameters"].first()
    table["mean"] = table["loss"] / table["pairs"]
    table["perplexity"] = np.exp(table["mean"])
    return table.reset_index()[columns]


def tabulate_memory(given):
    """Return the shares that each order remembers."""
    return given.scores.reindex(columns=["order", "single", "found"])


def tabulate_completion(given):
    """Return the error of held-out entries, by rank and biases: means with intervals."""
    scores = given.scores.reindex(columns=["rank", "biases", "rmse"])
    return pd.DataFrame(
        [(*point, *student_interval(part)) for point, part in
         scores.groupby(["rank", "biases"])["rmse"]],
        columns=["rank", "biases", "mean", "low", "high"],
    )  # fmt: skip


def tabulate_digits(given):
    """Return points in the plane with digit and cluster, and pixels of the images shown."""
    images, points, digits = load_zeros_and_ones()
    clusters, _ = cluster_digits(given.root)
    plane = pd.DataFrame(project(points), columns=["x", "y"])
    plane = plane.assign(part="points", digit=digits, cluster=clusters)
    shown = [(f"centre of {c}", images[clusters == c].mean(axis=0)) for c in (0, 1)]
    shown += [(f"misplaced: a {digits[i]}", images[i]) for i in np.flatnonzero(clusters != digits)]
    rows, columns = np.divmod(np.arange(DIGIT * DIGIT), DIGIT)
    pixels = [
        pd.DataFrame({"part": f"{number}. {name}", "x": columns, "y": rows, "value": image})
        for number, (name, image) in enumerate(shown, 1)
    ]
    return pd.concat([plane, *pixels])[["part", "x", "y", "digit", "cluster", "value"]]


def tabulate_style(given):
    """Return the blocks of text in their planes."""
    found = given.scores.reindex(columns=["corpus", "name", "x", "y"])
    return found.rename(columns={"corpus": "panel"})


def draw_ngrams(table, exhibit, methods):
    """Draw perplexity against the order on all words, and against the words at each order."""
    figure, grid = make_panels(1, 2)
    whole = table[table["n"] == table["n"].max()]
    curves = find_curves(whole[["order", "method"]], methods, "order")
    part = whole[["order", "method"]].assign(mean=whole["perplexity"], low=np.nan, high=np.nan)
    handles = draw_curves(grid[0, 0], part, "order", curves)
    grid[0, 0].set_title("(a) all words")
    last = list(methods)[-1]
    of_last = table[table["method"] == last].sort_values("n")
    for number, (order, rows) in enumerate(of_last.groupby("order")):
        (line,) = grid[0, 1].plot(rows["n"], rows["perplexity"], **_look(number))
        handles[f"order {order}, (b)"] = line
    grid[0, 1].set_title(f"(b) {methods[last].get('label', last)}, by training words")
    for ax, label in zip(grid[0], ("order", "training words"), strict=True):
        ax.set(xlabel=label, ylabel="perplexity")
        if len(table):
            use_log_y(ax)
    if len(table):
        grid[0, 1].set_xscale("log")
        grid[0, 1].minorticks_off()
        set_ticks(grid[0, 1], table["n"].unique())
    put_legend(figure, handles, ["Relative frequencies alone have infinite perplexity."])
    return figure


def _look(number):
    """Return the colour and the marker of a curve or group, which differ in grey, too."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}


def draw_memory(table, exhibit, methods):
    """Draw the shares that each order remembers."""
    figure, grid = make_panels(1, 2)
    panels = (("single", "(a) histories with a single continuation"),
              ("found", "(b) generated 4-grams that were seen"))  # fmt: skip
    for ax, (column, title) in zip(grid[0], panels, strict=True):
        ax.plot(table["order"], table[column], marker="o", color=COLOURS[0])
        ax.set(title=title, xlabel="order", ylabel="share")
        ax.set_ylim(-0.02, 1.02)
        ax.set_xticks(table["order"])
    return figure


def draw_digits(table, exhibit, methods):
    """Draw the clusters in a plane, and the images of centres and of misplaced digits."""
    shown = [name for name in table["part"].unique() if name != "points"]
    figure, grid = make_panels(1, 1 + len(shown), width=1.44, height=1.9)
    points, handles = table[table["part"] == "points"], {}
    for (digit, cluster), part in points.groupby(["digit", "cluster"]):
        placed = digit == cluster
        label = f"{digit:.0f} in the cluster of {cluster:.0f}"
        handles[label] = grid[0, 0].scatter(
            part["x"], part["y"], s=8 if placed else 60, marker="o" if placed else "*",
            color=COLOURS[int(cluster)], edgecolors="none" if placed else "black",
            zorder=2 + (not placed))  # fmt: skip
    grid[0, 0].set_title("two components")
    for ax, name in zip(grid[0, 1:], shown, strict=True):
        part = table[table["part"] == name]
        ax.imshow(part.pivot(index="y", columns="x", values="value"), cmap="gray_r")
        ax.set_title(name.partition(". ")[2])
        ax.set_axis_off()
    put_legend(figure, handles, [])
    return figure


def draw_style(table, exhibit, methods):
    """Draw the blocks of text in their planes."""
    figure, grid = make_panels(1, 2)
    handles = {}
    for ax, (panel, rows) in zip(grid[0], table.groupby("panel", sort=False), strict=False):
        for number, (name, part) in enumerate(rows.groupby("name")):
            look, is_letter = _look(number), len(name) == 1
            dots = ax.scatter(part["x"], part["y"], s=0 if is_letter else 18, **look)
            for row in part.itertuples() if is_letter else ():  # letters show in grey, too
                ax.text(
                    row.x, row.y, name, color=look["color"], fontsize=7, ha="center", va="center"
                )
            handles |= {} if is_letter else {name: dots}
        ax.set(title=panel, xlabel="first component")
    grid[0, 0].set_ylabel("second component")
    put_legend(figure, handles, ["Letters are the genres of Brown."])
    return figure


def draw_completion(table, exhibit, methods):
    """Draw the error of held-out entries against the rank."""
    figure, grid = make_panels(1, 1)
    ax, handles = grid[0, 0], {}
    for number, (biases, part) in enumerate(table[table["rank"] > 0].groupby("biases")):
        label = {"both": "rows and columns", "contexts": "rows"}.get(biases, biases)
        handles[f"biases: {label}"] = ax.errorbar(
            part["rank"],
            part["mean"],
            yerr=reach(part["mean"], part["low"], part["high"]),
            capsize=2.5,
            **_look(number),
        )
    for mean in table[table["rank"] == 0]["mean"]:
        handles["the mean of what is known"] = ax.axhline(mean, color="#7f7f7f", lw=1)
    ax.set(xlabel="rank", ylabel="RMSE of log counts, nats")
    put_legend(figure, handles, ["Means over parts that were held out, with 95 % intervals."])
    return figure
