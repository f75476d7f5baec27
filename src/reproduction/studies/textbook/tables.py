"""The tidy tables of its exhibits."""

import numpy as np
import pandas as pd

from reproduction.exhibits.tables import why_missing
from reproduction.scores.intervals import student_interval
from reproduction.studies.textbook.lowdim import (
    DIGIT,
    cluster_digits,
    cluster_steps,
    load_zeros_and_ones,
    lost_by_rank,
    project,
)

MOST, TRIES = 10, 10  # clusters, and starts for each number of them
GROUPS, EACH = 4, 40  # of points that have an elbow
RANKS = (1, 2, 4, 8, 16, 32, 64)


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


def tabulate_generated(given):
    """Return the text that each order drew."""
    return given.scores.reindex(columns=["order", "text"])


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


def tabulate_elbow(given):
    """Return costs by the number of clusters, and losses by rank."""
    rng = np.random.default_rng(given.root)
    images, points, _ = load_zeros_and_ones()
    centres = 6 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    groups = np.repeat(centres[:GROUPS], EACH, axis=0) + rng.normal(size=(GROUPS * EACH, 2))
    rows = []
    for name, data in (("four groups of points", groups), ("digits 0 and 1", points)):
        for k in range(1, MOST + 1):
            cost = min(cluster_steps(data, k, rng)[1][-1] for _ in range(TRIES))
            rows.append({"panel": "clusters", "curve": name, "x": k, "value": cost})
    costs = pd.DataFrame(rows)
    costs["value"] /= costs.groupby("curve")["value"].transform("first")
    lost, dimensions = lost_by_rank(images), images.shape[1]
    drawn = np.linalg.qr(rng.normal(size=(dimensions, dimensions)))[0]
    unit = images / np.linalg.norm(images, axis=1)[:, None]
    for rank in RANKS:
        chance = 1 - ((unit @ drawn[:, :rank]) ** 2).sum(axis=1).mean()
        for name, value in (("best subspace", lost[rank]), ("random subspace", chance),
                            ("1 - k/d", 1 - rank / dimensions)):  # fmt: skip
            rows.append({"panel": "rank", "curve": name, "x": rank, "value": max(value, 0.0)})
    return pd.concat([costs, pd.DataFrame(rows[len(costs) :])])


def tabulate_style(given):
    """Return the blocks of text in their planes."""
    found = given.scores.reindex(columns=["corpus", "name", "x", "y"])
    return found.rename(columns={"corpus": "panel"})
