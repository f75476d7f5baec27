"""Clusters and low dimensions: k-means step by step, digits, and styles of function words."""

import numpy as np

from reproduction.studies.textbook.texts import FUNCTION_WORDS

SIDE_OF_DIGIT = 8  # pixels of a side
STARTS = 20  # of k-means, each from points drawn at random
PERMUTATIONS = 999
QUANTILE = 0.99
COMEDIES = ("dream", "merchant")  # of the plays that NLTK has; the others are tragedies


def draw_points(points, k, rng):
    """Return ``k`` different points, chosen uniformly: the naive first centres."""
    return points[rng.choice(len(points), k, replace=False)]


def cluster_steps(points, k, rng, most=300, initial=draw_points, least_change=0.0):
    """Return clusters by k-means (section 6.3.1), and the cost after each iteration.

    A point moves to the nearest old mean, and stays where its own is among the nearest. A cluster
    that is empty takes the point that is farthest from its mean (the textbook does not say).

    Parameters
    ----------
    points : numpy.ndarray, shape (points, dimensions)
    k : int
    rng : numpy.random.Generator
    most : int
        Iterations at most: ``max_iters`` of section 6.4, which has 50.
    initial : callable
        It takes points, ``k`` and ``rng``, and returns the first centres, (k, dimensions).
    least_change : float
        A cost that falls by less ends it: ``eps`` of section 6.4, which has 1e-5.

    Returns
    -------
    clusters : numpy.ndarray of int, shape (points,)
    costs : list of float
        Each at the means of its clusters; the last two are equal, as nothing moved.
    """
    means = initial(points, k, rng)
    clusters, costs = None, []
    for _ in range(most):
        squares = ((points[:, None] - means) ** 2).sum(axis=2)
        new = squares.argmin(axis=1)
        if clusters is not None:
            here = squares[np.arange(len(points)), clusters]
            new = np.where(here <= squares.min(axis=1), clusters, new)
        for empty in set(range(k)) - set(new.tolist()):
            new[squares[np.arange(len(points)), new].argmax()] = empty
        means = np.array([points[new == c].mean(axis=0) for c in range(k)])
        costs.append(float(((points - means[new]) ** 2).sum()))
        if clusters is not None and (new == clusters).all():
            break
        clusters = new
        if len(costs) > 1 and costs[-2] - costs[-1] < least_change:
            break
    return clusters, costs


def cost_of(points, clusters):
    """Return the cost of a clustering: the squared distances of all points to their means."""
    return sum(
        ((points[clusters == c] - points[clusters == c].mean(axis=0)) ** 2).sum()
        for c in np.unique(clusters)
    )


def load_zeros_and_ones():
    """Return the images of the digits 0 and 1 as they are, scaled, and their labels."""
    from sklearn.datasets import load_digits
    from sklearn.preprocessing import scale

    images, digits = load_digits(n_class=2, return_X_y=True)
    return images, scale(images), digits


def cluster_digits(root):
    """Cluster the scaled images into two from several random starts.

    Returns
    -------
    best : numpy.ndarray of int, shape (images,)
        The digit for which the cluster of each stands, of the clustering that costs least.
    misplaced : list of int
        How many images of each start are in the other digit's cluster.
    """
    _, points, digits = load_zeros_and_ones()
    found = []
    for start in range(STARTS):
        clusters, costs = cluster_steps(points, 2, np.random.default_rng([root, start]))
        wrong = int((clusters != digits).sum())
        if wrong > len(digits) / 2:  # which cluster is which digit, k-means does not say
            clusters, wrong = 1 - clusters, len(digits) - wrong
        found.append((costs[-1], wrong, clusters))
    return min(found, key=lambda each: each[0])[2], [wrong for _, wrong, _ in found]


def lost_by_rank(points):
    """Return the mean share of the squared norm that the best subspace of each rank loses.

    Ranks are zero to the dimension; a point is a row, and has its own norm divided out.
    """
    directions = np.linalg.svd(points, full_matrices=False)[2]
    norms = (points**2).sum(axis=1)
    points, norms = points[norms > 0], norms[norms > 0]
    kept = (points @ directions.T) ** 2 / norms[:, None]
    return 1 - np.concatenate([[0], np.cumsum(kept.mean(axis=0))])


def project(rows):
    """Return rows in the plane of their two principal components, shape (rows, 2)."""
    centred = rows - rows.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T


def leave_one_out(points, labels):
    """Return the share of points that are nearest to the mean of their label's other points."""
    kinds, number = np.unique(labels, return_inverse=True)
    member = number[:, None] == np.arange(kinds.size)
    sums, sizes = member.T @ points, member.sum(axis=0)
    means = np.repeat((sums / sizes[:, None])[None], len(points), axis=0)
    own = sizes[number] - 1
    means[np.arange(len(points)), number] = (sums[number] - points) / np.maximum(own, 1)[:, None]
    nearest = ((points[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    return float(np.mean(nearest == number))


def judge_style(points, labels, root):
    """Return the share of blocks placed rightly, and the quantile of labels permuted."""
    rng = np.random.default_rng(root)
    by_chance = [leave_one_out(points, rng.permutation(labels)) for _ in range(PERMUTATIONS)]
    return leave_one_out(points, labels), float(np.quantile(by_chance, QUANTILE))


def place_file(style):
    """Place blocks of text in a plane, genres and Bibles apart, and count UPON: a scorer."""
    rows, names = read_style(style)
    is_genre = np.array([len(name) == 1 for name in names], dtype=bool)  # they are letters
    for panel, inside in (("Bibles", ~is_genre), ("genres", is_genre)):
        if len(set(names[inside].tolist())) > 1:
            for name, (x, y) in zip(names[inside], project(rows[inside]), strict=True):
                yield {"corpus": panel, "name": name, "x": x, "y": y}
    yield from count_upon("Bibles", names[~is_genre], rows[~is_genre])


def place_plays_file(style, plays, author):
    """Place plays and Bibles in a plane, and then the plays of another kind: a scorer.

    The plane is that of the Bibles and of all plays but the comedies, as figure 7.6 places books of
    another kind in the plane of figure 7.5.
    """
    rows, names = read_style(style)
    bible = np.array([len(name) > 1 for name in names], dtype=bool)
    rows, names = rows[bible], names[bible]
    of_plays, titles = read_style(plays)
    author = np.full(len(titles), author)
    yield from count_upon("plays", author, of_plays)
    other = np.isin(titles, COMEDIES)
    basis = np.vstack([rows, of_plays[~other]])
    mean = basis.mean(axis=0)
    axes = np.linalg.svd(basis - mean, full_matrices=False)[2][:2]
    for part, who, which in (
        ("plane", np.concatenate([names, author[~other]]), basis),
        ("other", author[other], of_plays[other]),
    ):
        for name, (x, y) in zip(who, (which - mean) @ axes.T, strict=True):
            yield {"corpus": "authors", "name": name, "set": part, "x": x, "y": y}


def read_style(path):
    """Return the function words of blocks of text, (blocks, words), and what each is a block of."""
    with np.load(path) as file:
        return file["rows"], file["names"]


def count_upon(texts, names, rows):
    """Yield the fraction of the words of each block that are UPON (example 7.2.1)."""
    for name, row in zip(names, rows, strict=True):
        share = row[FUNCTION_WORDS.index("upon")]
        yield {"corpus": "upon", "name": name, "set": texts, "share": share}
