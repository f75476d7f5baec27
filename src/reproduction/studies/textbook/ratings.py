"""Completion of tables of ratings: what is held out, by factors, by biases, and by both."""

import numpy as np

from condprob.ratings import complete
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.clusters import load_all_digits
from reproduction.studies.textbook.lowdim import project

# Groups of taste, and attributes that each likes.
USERS = 300
ITEMS = 200
TASTES = 4
ATTRIBUTES_LIKED = 2
SHARE_OF_ATTRIBUTES = 0.3  # share of the attributes that an item has
NOISE_OF_RATINGS = 0.5  # standard deviation of a rating, and of each bias
STARS = 1, 5
# Films of figure 9.2, of which each is of one kind, and the share of their ratings that is known.
FILMS, KINDS_OF_FILMS, SHARE_KNOWN_OF_FILMS = 120, ("art", "romance", "action", "comedy"), 0.3
IMAGES_DRAWN = 400  # rows of the table of pixels
RIDGES = (0.005, 0.02, 0.05, 0.1)  # of which the best on a tenth of the known ratings is taken
SHARE_TO_CHOOSE_BY = 0.1
# By kind: rank (None for the study's), biases and sampling.
KINDS = {
    "biases only": (0, "both", "entries"),
    "factors": (None, "none", "entries"),
    "factors, biases of rows": (None, "users", "entries"),
    "factors, both biases": (None, "both", "entries"),
    "both, by columns": (None, "both", "columns"),
    "both, by rows": (None, "both", "rows"),
}
BOTH, ALONE, PLAIN = "factors, both biases", "biases only", "factors"


def make_ratings(rng):
    """Return synthetic ratings in stars, (users, items), and the users' groups of taste.

    Each group likes two attributes of its own, and a user has its group's tastes (equation (9.4)):
    the affinity ``A B``, a bias of each user and each item, and noise, rounded to whole stars.
    """
    group = rng.integers(TASTES, size=USERS)
    taste = np.repeat(np.eye(TASTES), ATTRIBUTES_LIKED, axis=1)[group]
    attributes = (rng.random((TASTES * ATTRIBUTES_LIKED, ITEMS)) < SHARE_OF_ATTRIBUTES).astype(
        float
    )
    affinity = taste @ attributes
    biases = NOISE_OF_RATINGS * (rng.normal(size=(USERS, 1)) + rng.normal(size=ITEMS))
    noisy = (
        3 + affinity - affinity.mean() + biases + NOISE_OF_RATINGS * rng.normal(size=affinity.shape)
    )
    return np.clip(np.rint(noisy), *STARS), group


def make_tables(rng):
    """Yield a name, a whole table, and the groups of its rows."""
    yield "synthetic ratings", *make_ratings(rng)
    images, digits = load_all_digits()
    rows = rng.choice(len(images), IMAGES_DRAWN, replace=False)
    pixels = images[rows][:, images[rows].std(axis=0) > 0]
    yield "pixels of digits", pixels, digits[rows]


def make_films(rng):
    """Return synthetic ratings of films, (users, films), and the kind of each film.

    A user has a taste for each kind, and a film is of one: equation (9.4), with biases and noise.
    """
    kind = rng.integers(len(KINDS_OF_FILMS), size=FILMS)
    affinity = rng.normal(size=(USERS, len(KINDS_OF_FILMS)))[:, kind]
    biases = NOISE_OF_RATINGS * (rng.normal(size=(USERS, 1)) + rng.normal(size=FILMS))
    noise = NOISE_OF_RATINGS * rng.normal(size=affinity.shape)
    return np.clip(np.rint(3 + affinity + biases + noise), *STARS), kind


def map_films_file(root):
    """Complete ratings of films, and place their vectors in a plane (figure 9.2): a scorer."""
    rng = np.random.default_rng(spawn_seed(root, "films"))
    table, kind = make_films(rng)
    known = list_entries(table, rng.random(table.shape) < SHARE_KNOWN_OF_FILMS)
    found = complete(known, rank=len(KINDS_OF_FILMS), seed=0)
    films = [int(film) for film in found.items]
    for film, (x, y) in zip(films, project(found.B), strict=True):
        yield {
            "corpus": "films",
            "n": len(known),
            "kind": KINDS_OF_FILMS[kind[film]],
            "x": x,
            "y": y,
        }


def list_entries(table, mask):
    """Return the entries under a mask as (row, column, value)."""
    rows, columns = np.nonzero(mask)
    return list(zip(rows.tolist(), columns.tolist(), table[mask].tolist(), strict=True))


def rate_file(root, given):
    """Complete tables of which a share is known, and score some others: a scorer.

    Yields the root of the mean squared error of held-out entries for each of `KINDS`, and for the
    mean of the known ones; and the share of rows whose most similar row is of the same group.
    """
    for trial in range(given["trials"]):
        rng = np.random.default_rng(spawn_seed(root, "ratings", trial))
        for name, table, group in make_tables(rng):
            part = rng.random(table.shape)
            known = part < given["known"]
            test = list_entries(table, part > 1 - given["held_out"])
            chosen = known & (rng.random(table.shape) < SHARE_TO_CHOOSE_BY)
            values = np.array([value for _, _, value in test])
            for kind, (rank, biases, sampling) in {"mean": (None, "", ""), **KINDS}.items():
                same = np.nan
                if kind == "mean":
                    rmse = float(np.sqrt(np.mean((values - table[known].mean()) ** 2)))
                else:
                    how = {
                        "rank": given["rank"] if rank is None else rank,
                        "biases": biases,
                        "sampling": sampling,
                        "passes": given["passes"],
                        "seed": trial,
                    }
                    found = fit_best_ridge(table, known, chosen, how)
                    rmse = found.rmse(test)
                    same = agree(found, group) if kind == BOTH else same
                yield {
                    "corpus": name,
                    "trial": trial,
                    "n": int(known.sum()),
                    "kind": kind,
                    "rmse": rmse,
                    "same": same,
                }


def fit_best_ridge(table, known, chosen, how):
    """Return the ratings completed with the ridge that is best on the ``chosen`` known ones."""
    train, held = list_entries(table, known & ~chosen), list_entries(table, chosen)
    errors = {ridge: complete(train, ridge=ridge, **how).rmse(held) for ridge in RIDGES}
    return complete(list_entries(table, known), ridge=min(errors, key=errors.get), **how)


def agree(ratings, group):
    """Return the share of rows whose most similar row is of the same group."""
    same = [group[ratings.similar_users(row, 1)[0][0]] == group[row] for row in ratings.users]
    return float(np.mean(same))
