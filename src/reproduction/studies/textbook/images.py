"""Digits as vectors (sections 7.1 and 7.3): directions, sums, and what low ranks lose."""

import numpy as np
import pandas as pd

from reproduction.studies.textbook.clusters import load_all_digits
from reproduction.studies.textbook.lowdim import SIDE_OF_DIGIT, lost_by_rank

DIGITS_SHOWN = (0, 1, 2, 3)  # images that are approximated: the first of each of these digits
RANKS = (1, 2, 5, 10, 20)
DIRECTIONS_SHOWN = 5
SUBSPACES_DRAWN = 50  # random subspaces of each rank
FACTOR_OF_FIRST, FACTOR_OF_SECOND = 0.3, -0.8  # the factors of two images, in Figure 7.7


def find_directions(points):
    """Return the mean, (d,), and the directions of largest variance, (min(points, d), d)."""
    mean = points.mean(axis=0)
    return mean, np.linalg.svd(points - mean, full_matrices=False)[2]


def approximate(points, mean, directions, rank):
    """Return the nearest points of the mean plus the first directions (Problem 7.1.3)."""
    kept = directions[:rank]
    return mean + (points - mean) @ kept.T @ kept


def lost_shares(points, approximations):
    """Return the share of each point's squared norm that its approximation loses (Figure 7.10)."""
    return ((points - approximations) ** 2).sum(axis=1) / (points**2).sum(axis=1)


def lost_by_chance(points, rng):
    """Return what random subspaces of each rank lose on average, shape (d + 1,)."""
    dimensions = points.shape[1]
    unit = points / np.linalg.norm(points, axis=1)[:, None]
    kept = np.zeros(dimensions)
    for _ in range(SUBSPACES_DRAWN):
        drawn = np.linalg.qr(rng.normal(size=(dimensions, dimensions)))[0]
        kept += np.cumsum(((unit @ drawn) ** 2).mean(axis=0)) / SUBSPACES_DRAWN
    return np.maximum(1 - np.concatenate([[0], kept]), 0.0)


def tabulate_pictures():
    """Return the pixels of each picture: directions, sums of images, and approximations."""
    images, digits = load_all_digits()
    mean, directions = find_directions(images)
    chosen = images[[np.flatnonzero(digits == d)[0] for d in DIGITS_SHOWN]]
    rows = [[("mean", mean)]]
    rows[0] += [(f"direction {i}", directions[i - 1]) for i in range(1, DIRECTIONS_SHOWN + 1)]
    one, other = chosen[1], chosen[0]
    rows.append(
        [
            ("image A", one),
            ("image B", other),
            (f"{FACTOR_OF_FIRST} A", FACTOR_OF_FIRST * one),
            (f"{FACTOR_OF_SECOND} B", FACTOR_OF_SECOND * other),
            (
                f"{FACTOR_OF_FIRST} A - {-FACTOR_OF_SECOND} B",
                FACTOR_OF_FIRST * one + FACTOR_OF_SECOND * other,
            ),
        ]
    )
    for image in chosen:
        at = [(f"rank {r}", approximate(image[None], mean, directions, r)[0]) for r in RANKS]
        rows.append([("image", image), *at])
    y, x = np.divmod(np.arange(SIDE_OF_DIGIT * SIDE_OF_DIGIT), SIDE_OF_DIGIT)
    return pd.concat(
        pd.DataFrame({"row": i, "column": j, "name": name, "x": x, "y": y, "value": picture})
        for i, row in enumerate(rows)
        for j, (name, picture) in enumerate(row)
    )


def tabulate_losses(rng):
    """Return what the best and random subspaces of each rank lose of the digits."""
    images, _ = load_all_digits()
    dimensions = images.shape[1]
    ranks = np.arange(dimensions + 1)
    curves = {
        "best subspace": np.maximum(lost_by_rank(images), 0.0),
        "random subspace": lost_by_chance(images, rng),
        "1 - k/d": 1 - ranks / dimensions,
    }
    return pd.concat(
        pd.DataFrame({"curve": name, "rank": ranks[1:], "lost": np.resize(lost, ranks.size)[1:]})
        for name, lost in curves.items()
    )
