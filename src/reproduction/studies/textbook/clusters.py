"""Clusters of points: how many (the elbow), from which centres, and as a classifier of digits."""

import numpy as np

from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.lowdim import cluster_steps, draw_points

DISTANCE_OF_GROUPS = 6.0  # standard deviations between the centres of neighbouring groups
GROUPS, POINTS_OF_GROUP = 4, 40  # of the points that have an elbow, and points of a group
# Centres along a side of the groups that starts may split, and their points.
SIDE_OF_GRID = 5
IN_CELL = 20
DIGITS_DRAWN = 400  # digits of which costs are drawn
# Men and women of figure 6.1, made up: mean height (cm) and weight (kg) of each; players of each;
# deviations of heights, and of weights at a height. Chosen by hand.
PLAYERS = (201.0, 101.0), (184.0, 77.0)
PLAYERS_OF_EACH, DEVIATION_OF_HEIGHT, DEVIATION_OF_WEIGHT = 120, 5.0, 4.0
COST_TOLERANCE = 0.01  # of the lowest cost: a start that ends within it has found the best clusters
STARTS_OF_CLASSIFIER = 3  # starts of a classifier, of which the cheapest is taken


def choose_spread_points(points, k, rng):
    """Return ``k`` first centres by k-means++ (section 6.3.4), shape (k, dimensions).

    1. The first is chosen uniformly. 2. Each point has its distance ``D`` to the nearest centre so
    far. 3. The next is chosen with a probability in proportion to ``D^2``. 4. And so on.
    """
    chosen = [int(rng.integers(len(points)))]
    squares = np.full(len(points), np.inf)
    while len(chosen) < k:
        squares = np.minimum(squares, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
        total = squares.sum()
        if total > 0:
            chosen.append(int(rng.choice(len(points), p=squares / total)))
        else:  # fewer points differ than centres are wanted
            chosen.append(int(rng.integers(len(points))))
    return points[chosen]


STARTS = {"random points": draw_points, "k-means++": choose_spread_points}


def make_groups(rng, side, each):
    """Return points around ``side`` times ``side`` centres, normal with deviation one."""
    centres = DISTANCE_OF_GROUPS * np.array(
        [(x, y) for x in range(side) for y in range(side)], dtype=float
    )
    return np.repeat(centres, each, axis=0) + rng.normal(size=(side * side * each, 2))


def make_players(rng):
    """Return heights (cm) and weights (kg) of made-up players, and who is a man (figure 6.1)."""
    is_man = np.repeat([False, True], PLAYERS_OF_EACH)
    means = np.where(is_man[:, None], *PLAYERS)
    heights, noise = rng.normal(size=(2, is_man.size))
    heights = means[:, 0] + DEVIATION_OF_HEIGHT * heights
    slope = (PLAYERS[0][1] - PLAYERS[1][1]) / (PLAYERS[0][0] - PLAYERS[1][0])
    weights = means[:, 1] + slope * (heights - means[:, 0]) + DEVIATION_OF_WEIGHT * noise
    return np.column_stack([heights, weights]), is_man


def split_players(points, rng):
    """Return which players two clusters of k-means take for men, each coordinate scaled."""
    scaled = (points - points.mean(axis=0)) / points.std(axis=0)
    runs = [cluster_steps(scaled, 2, rng) for _ in range(STARTS_OF_CLASSIFIER)]
    found = min(runs, key=lambda run: run[1][-1])[0].astype(bool)
    taller = points[found, 0].mean() > points[~found, 0].mean()
    return found if taller else ~found


def load_all_digits():
    """Return scikit-learn's images of the digits 0 to 9, (1797, 64), and their labels."""
    from sklearn.datasets import load_digits

    return load_digits(return_X_y=True)


def elbow_file(root, given):
    """Cluster data with groups and without at each number of clusters: a scorer.

    Yields the lowest cost of several initialisations, of points sampled in each trial.
    """
    images, _ = load_all_digits()
    for trial in range(given["trials"]):
        rng = np.random.default_rng(spawn_seed(root, "elbow", trial))
        data = {
            "four groups": make_groups(rng, 2, POINTS_OF_GROUP),
            "one cloud": rng.normal(size=(GROUPS * POINTS_OF_GROUP, 2)),
            "digits 0 to 9": images[rng.choice(len(images), DIGITS_DRAWN, replace=False)],
        }
        for name, points in data.items():
            for k in range(1, given["clusters"] + 1):
                costs = [cluster_steps(points, k, rng)[1][-1] for _ in range(given["starts"])]
                yield {"corpus": name, "k": k, "trial": trial, "n": len(points), "cost": min(costs)}


def find_elbow(costs):
    """Return where the cost bends most, and how sharply.

    ``costs`` are those of 1, 2, ... clusters. The bend at ``k`` is how many times more the ``k``-th
    cluster saves than the next.
    """
    falls = -np.diff(costs)
    bends = falls[:-1] / np.maximum(falls[1:], np.finfo(float).tiny)
    return int(bends.argmax()) + 2, float(bends.max())


def seeding_file(root, given):
    """Cluster from random points and from k-means++, many times each: a scorer."""
    rng = np.random.default_rng(spawn_seed(root, "seeding"))
    images, _ = load_all_digits()
    groups = make_groups(rng, SIDE_OF_GRID, IN_CELL)
    for name, points, k in (("25 groups", groups, SIDE_OF_GRID**2), ("digits 0 to 9", images, 10)):
        for kind, initial in STARTS.items():
            for start in range(given["starts"]):
                here = np.random.default_rng(spawn_seed(root, "seeding", name, kind, start))
                _, costs = cluster_steps(points, k, here, initial=initial)
                yield {
                    "corpus": name,
                    "k": k,
                    "seed": start,
                    "n": len(points),
                    "start": kind,
                    "steps": len(costs),
                    "cost": costs[-1],
                }


def classify_file(root, given):
    """Name held-out digits by the nearest centre of clusters of others: a scorer.

    A cluster has the digit that most of its training images show. Half of the images train.
    """
    images, digits = load_all_digits()
    for name, which, sizes in (("0 and 1", (0, 1), (2,)), ("0 to 9", range(10), given["clusters"])):
        kept = np.isin(digits, which)
        for trial in range(given["trials"]):
            rng = np.random.default_rng(spawn_seed(root, "classified", name, trial))
            order = rng.permutation(np.flatnonzero(kept))
            train, test = np.array_split(order, 2)
            for k in sizes:
                means, labels = name_clusters(images[train], digits[train], k, rng)
                right = np.mean(labels[nearest(images[test], means)] == digits[test])
                yield {"corpus": name, "k": k, "trial": trial, "n": len(train), "right": right}


def name_clusters(points, labels, k, rng):
    """Return the means of clusters, (clusters, d), and the commonest label of each, (clusters,)."""
    runs = [
        cluster_steps(points, k, rng, initial=choose_spread_points)
        for _ in range(STARTS_OF_CLASSIFIER)
    ]
    clusters, _ = min(runs, key=lambda run: run[1][-1])
    here = np.unique(clusters)
    means = np.array([points[clusters == c].mean(axis=0) for c in here])
    named = np.array([np.bincount(labels[clusters == c]).argmax() for c in here])
    return means, named


def nearest(points, means):
    """Return the number of the nearest mean of each point, shape (points,)."""
    return ((points[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
