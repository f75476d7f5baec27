"""First centres, elbows, classifiers, and digits as vectors: all draws, loops, scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.neighbors import NearestCentroid

from reproduction.studies.textbook import clusters, images, lowdim, ratings

RNG = np.random.default_rng(5)


def test_further_centres_are_drawn_by_squared_distances():
    """The oracle is the probability of every sequence of three of four points."""
    points, draws = np.array([[0.0, 0], [1, 0], [0, 3], [4, 4]]), 6000
    number = {tuple(point): i for i, point in enumerate(points)}
    chances = {}
    for first, second, third in permutations(range(4), 3):
        D = ((points - points[first]) ** 2).sum(axis=1)
        chance = D[second] / D.sum() / 4
        D = np.minimum(D, ((points - points[second]) ** 2).sum(axis=1))
        chances[first, second, third] = chance * D[third] / D.sum()
    assert sum(chances.values()) == pytest.approx(1)
    rng, seen = np.random.default_rng(1), dict.fromkeys(chances, 0)
    for _ in range(draws):
        found = clusters.choose_spread_points(points, 3, rng)
        seen[tuple(number[tuple(point)] for point in found)] += 1
    squares = sum((seen[s] - draws * p) ** 2 / (draws * p) for s, p in chances.items())
    assert squares < 49.7  # the 99.9 % point of chi squared, 23 degrees of freedom
    same = clusters.choose_spread_points(np.zeros((3, 2)), 2, rng)  # no distance at all
    assert same.shape == (2, 2)


def test_k_means_goes_on_from_given_centres_as_scikit_learn_does():
    points = RNG.normal(size=(60, 3))
    start = clusters.choose_spread_points(points, 4, np.random.default_rng(3))
    found, costs = lowdim.cluster_steps(
        points, 4, np.random.default_rng(3), initial=clusters.choose_spread_points
    )
    theirs = KMeans(4, init=start, n_init=1, tol=0).fit(points)
    assert costs[-1] == pytest.approx(theirs.inertia_)
    np.testing.assert_array_equal(found, theirs.labels_)
    _, short = lowdim.cluster_steps(points, 4, np.random.default_rng(3), most=2)
    assert len(short) == 2
    _, short = lowdim.cluster_steps(points, 4, np.random.default_rng(1), least_change=1e9)
    assert len(short) == 2


def test_the_elbow_is_where_a_cluster_saves_most_against_the_next():
    assert clusters.find_elbow(np.array([100.0, 60, 22, 20, 19])) == (3, pytest.approx(19))
    assert clusters.find_elbow(np.array([8.0, 4, 2, 1]))[1] == pytest.approx(2)


def test_held_out_points_have_the_label_of_the_nearest_mean():
    """The oracle is scikit-learn's nearest centroid, where a cluster is a label."""
    points = np.repeat([[0.0, 0], [9, 0], [0, 9]], 20, axis=0) + RNG.normal(size=(60, 2))
    labels, test = np.repeat([7, 3, 7], 20), 5 * RNG.normal(size=(200, 2))
    means, named = clusters.name_clusters(points, labels, 3, np.random.default_rng(0))
    theirs = NearestCentroid().fit(points, np.repeat([0, 1, 2], 20))
    right = np.array([7, 3, 7])[theirs.predict(test)]
    np.testing.assert_array_equal(named[clusters.nearest(test, means)], right)


def test_approximations_are_those_of_scikit_learn():
    points = RNG.normal(size=(40, 6)) * [5, 4, 3, 2, 1, 1] + 2
    mean, directions = images.find_directions(points)
    theirs = PCA(3).fit(points)
    np.testing.assert_allclose(mean, theirs.mean_)
    found = images.approximate(points, mean, directions, 3)
    np.testing.assert_allclose(found, theirs.inverse_transform(theirs.transform(points)))
    svd = TruncatedSVD(2, algorithm="arpack").fit(points)
    rebuilt = svd.inverse_transform(svd.transform(points))
    lost = lowdim.lost_by_rank(points)[2]
    assert images.lost_shares(points, rebuilt).mean() == pytest.approx(lost)
    by_chance = images.lost_by_chance(points, RNG)
    np.testing.assert_allclose(by_chance, 1 - np.arange(7) / 6, atol=0.12)


def test_synthetic_ratings_are_stars_and_every_pixel_is_known_once():
    table, group = ratings.make_ratings(np.random.default_rng(0))
    assert set(np.unique(table)) == {1, 2, 3, 4, 5}
    assert set(group) == set(range(ratings.TASTES))
    mask = RNG.random(table.shape) < 0.01
    rows = ratings.list_entries(table, mask)
    assert len(rows) == mask.sum()
    assert all(table[i, j] == value for i, j, value in rows)
