"""The table of each exhibit, made from its scores."""

import numpy as np
import pandas as pd

from reproduction.scores.intervals import student_interval
from reproduction.studies.textbook.clusters import make_players, split_players
from reproduction.studies.textbook.images import tabulate_losses, tabulate_pictures
from reproduction.studies.textbook.lowdim import (
    SIDE_OF_DIGIT,
    cluster_digits,
    load_zeros_and_ones,
    project,
)

MOST_SHOWN = 4  # the highest order whose sentences are shown


def tabulate_ngrams(given):
    """Return perplexities by method, words and order (`study.Material`)."""
    columns = ["n", "order", "method", "mean", "perplexity", "parameters"]
    groups = given.scores.groupby(["n", "order", "method"], sort=False)
    table = groups[["loss", "pairs"]].sum()
    table["parameters"] = groups["parameters"].first()
    table["mean"] = table["loss"] / table["pairs"]
    table["perplexity"] = np.exp(table["mean"])
    return table.reset_index()[columns]


def tabulate_memory(given):
    """Return the shares that each order remembers of each text."""
    columns = ["corpus", "order", "single", "once", "found", "copied", "unseen"]
    return given.scores.reindex(columns=columns)


def tabulate_completion(given):
    """Return the error of held-out entries, by rank and biases: means with intervals."""
    scores = given.scores.reindex(columns=["rank", "biases", "rmse"])
    return pd.DataFrame(
        [
            (*point, *student_interval(part))
            for point, part in scores.groupby(["rank", "biases"])["rmse"]
        ],
        columns=["rank", "biases", "mean", "low", "high"],
    )


def tabulate_digits(given):
    """Return points in the plane with digit and cluster, and pixels of the images shown."""
    images, points, digits = load_zeros_and_ones()
    clusters, _ = cluster_digits(given.root)
    plane = pd.DataFrame(project(points), columns=["x", "y"])
    plane = plane.assign(part="points", digit=digits, cluster=clusters)
    shown = [(f"centre of {c}", images[clusters == c].mean(axis=0)) for c in (0, 1)]
    shown += [(f"misplaced: a {digits[i]}", images[i]) for i in np.flatnonzero(clusters != digits)]
    rows, columns = np.divmod(np.arange(SIDE_OF_DIGIT * SIDE_OF_DIGIT), SIDE_OF_DIGIT)
    pixels = [
        pd.DataFrame({"part": f"{number}. {name}", "x": columns, "y": rows, "value": image})
        for number, (name, image) in enumerate(shown, 1)
    ]
    return pd.concat([plane, *pixels])[["part", "x", "y", "digit", "cluster", "value"]]


def tabulate_style(given):
    """Return the blocks of text in their planes, and the share of UPON in each."""
    found = given.scores.reindex(columns=["corpus", "name", "set", "x", "y", "share"])
    return found.rename(columns={"corpus": "panel"})


def tabulate_compared(given):
    """Return how often a sentence beats its spoilt form, by order."""
    return given.scores.reindex(columns=["kind", "order", "n", "better", "low", "high"])


def tabulate_uses(given):
    """Return the score of each sentence of section 8.1, in its use."""
    return given.scores.reindex(columns=["use", "sentence", "order", "unknown", "nats"])


def tabulate_generated(given):
    """Return the sentences that each order drew, up to `MOST_SHOWN`, and how much is copied."""
    found = given.scores.reindex(columns=["order", "found", "copied", "text"])
    return found[found["order"] <= MOST_SHOWN]


def tabulate_next(given):
    """Return the next words after two histories, and the mean probability of generated words."""
    columns = ["corpus", "history", "order", "word", "probability", "low", "high"]
    return given.scores.reindex(columns=columns)


def tabulate_elbow(given):
    """Return costs by the number of clusters, of that with one: means and ranges over trials."""
    scores = given.scores.reindex(columns=["corpus", "trial", "k", "cost"]).sort_values("k")
    first = scores.groupby(["corpus", "trial"])["cost"].transform("first")
    shares = (scores["cost"] / first).groupby([scores["corpus"], scores["k"]], sort=False)
    table = shares.agg(["mean", "min", "max"]).reset_index()
    return table.rename(columns={"corpus": "data", "k": "clusters", "min": "low", "max": "high"})


def tabulate_seeding(given):
    """Return the cost of each start, of the lowest; and how many iterations it took."""
    scores = given.scores.reindex(columns=["corpus", "start", "seed", "k", "steps", "cost"])
    table = scores.assign(ratio=scores["cost"] / scores.groupby("corpus")["cost"].transform("min"))
    return table.rename(columns={"corpus": "data", "k": "clusters", "seed": "number"})


def tabulate_classified(given):
    """Return the share of held-out digits named rightly: means with intervals."""
    scores = given.scores.reindex(columns=["corpus", "k", "right"])
    return pd.DataFrame(
        [
            (*point, *student_interval(part))
            for point, part in scores.groupby(["corpus", "k"])["right"]
        ],
        columns=["digits", "clusters", "right", "low", "high"],
    )


def tabulate_players(given):
    """Return heights and weights of made-up players, their groups, and the clusters of k-means."""
    rng = np.random.default_rng(given.root)
    points, is_man = make_players(rng)
    table = pd.DataFrame(points, columns=["height", "weight"])
    return table.assign(man=is_man, cluster=split_players(points, rng))


def tabulate_films(given):
    """Return the films of synthetic ratings in the plane of their vectors."""
    return given.scores.reindex(columns=["kind", "x", "y"])


def tabulate_rank(given):
    """Return what subspaces of each rank lose of the digits."""
    return tabulate_losses(np.random.default_rng(given.root))


def tabulate_images(given):
    """Return the pixels of all pictures of the digits as vectors."""
    return tabulate_pictures()


def tabulate_ratings(given):
    """Return the error of held-out ratings by kind of model: means with intervals."""
    scores = given.scores.reindex(columns=["corpus", "kind", "rmse", "same"])
    rows = [
        (*point, *student_interval(part["rmse"]), part["same"].mean())
        for point, part in scores.groupby(["corpus", "kind"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["table", "kind", "mean", "low", "high", "same_group"])


TABULATE = {
    "ngrams": tabulate_ngrams,
    "memory": tabulate_memory,
    "digits": tabulate_digits,
    "elbow": tabulate_elbow,
    "seeding": tabulate_seeding,
    "classified": tabulate_classified,
    "rank": tabulate_rank,
    "images": tabulate_images,
    "compared": tabulate_compared,
    "uses": tabulate_uses,
    "players": tabulate_players,
    "films": tabulate_films,
    "generated": tabulate_generated,
    "next": tabulate_next,
    "ratings": tabulate_ratings,
    "style": tabulate_style,
    "completion": tabulate_completion,
}
