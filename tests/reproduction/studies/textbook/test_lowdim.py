"""Clusters, planes and styles against scikit-learn, all partitions and plain loops."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from reproduction.studies.textbook import exact, lowdim, texts

RNG = np.random.default_rng(9)


def test_steps_of_k_means_are_those_of_scikit_learn():
    points = RNG.normal(size=(60, 3))
    clusters, costs = lowdim.cluster_steps(points, 4, np.random.default_rng(1))
    start = points[np.random.default_rng(1).choice(60, 4, replace=False)]
    theirs = KMeans(4, init=start, n_init=1, tol=0).fit(points)
    assert costs[-1] == pytest.approx(theirs.inertia_)
    assert lowdim.cost_of(points, clusters) == pytest.approx(costs[-1])
    np.testing.assert_array_equal(clusters, theirs.labels_)
    assert costs[-1] == costs[-2]
    # As many clusters as points that differ: each is its own, though two starts are one point.
    twice = np.repeat(points[:3], 2, axis=0)
    assert (
        min(lowdim.cluster_steps(twice, 3, np.random.default_rng(s))[1][-1] for s in range(4)) == 0
    )


def test_the_best_of_twenty_starts_is_the_best_of_all_partitions():
    points = RNG.normal(size=(8, 2))
    for k in (2, 3):
        ends = [lowdim.cluster_steps(points, k, np.random.default_rng(s))[1][-1] for s in range(20)]
        assert min(ends) == pytest.approx(exact.min_cost(points, k), rel=1e-12)


def test_planes_and_losses_are_those_of_scikit_learn():
    rows = RNG.normal(size=(30, 6)) * [5, 4, 1, 1, 1, 1]
    theirs = PCA(2).fit_transform(rows)
    np.testing.assert_allclose(abs(lowdim.project(rows)), abs(theirs))
    lost = lowdim.lost_by_rank(rows)
    assert lost[0] == 1
    assert lost[-1] == pytest.approx(0, abs=1e-12)
    first = np.linalg.svd(rows)[2][0]
    shares = [1 - (row @ first) ** 2 / (row @ row) for row in rows]
    assert lost[1] == pytest.approx(np.mean(shares))


def test_leaving_one_out_by_loops():
    points, labels = RNG.normal(size=(20, 2)), np.array(list("aab" * 6 + "ab"))
    right = 0
    for i, point in enumerate(points):
        others = np.arange(20) != i
        means = {c: points[others & (labels == c)].mean(axis=0) for c in "ab"}
        right += min(means, key=lambda c: ((point - means[c]) ** 2).sum()) == labels[i]
    assert lowdim.leave_one_out(points, labels) == right / 20
    apart = points + 50 * (labels == "b")[:, None]
    found, by_chance = lowdim.judge_style(apart, labels, 1)
    assert found == 1
    assert by_chance < 1


def test_function_words_are_counted_in_whole_blocks():
    words = ("the a an cat these of " * 10).split()
    (one, other) = texts.count_function_words(words, 24)
    number = {word: i for i, word in enumerate(texts.FUNCTION_WORDS)}
    assert len(number) == 50
    for block in (one, other):
        assert block[number["a/an"]] == pytest.approx(2 / 6)
        assert block[number["this/these"]] == pytest.approx(1 / 6)
        assert block.sum() == pytest.approx(5 / 6)
    assert texts.read_genres([[["Word"]]] * 45) == {"A": ["word"] * 44, "B": ["word"]}
    assert sum(texts.GENRES.values()) == 500
