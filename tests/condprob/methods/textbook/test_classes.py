"""Class bigrams: the formula on whole arrays, all partitions, and every move by recomputation."""

from itertools import product

import numpy as np
import pytest
from reference import absolute_discount
from sklearn.cluster import KMeans, kmeans_plusplus

from condprob import CountMatrix, load, method
from condprob.methods.em.clusters import cluster_contexts
from condprob.methods.textbook.classes import exchange

RNG = np.random.default_rng(6)
COUNTS = CountMatrix.from_dense(RNG.poisson(0.9, (5, 4)) + np.eye(5, 4, dtype=int))
# Three kinds of contexts before two kinds of outcomes; contexts 6 and 7 and outcome 8 never occur.
KINDS = np.array([0, 1, 2, 0, 1, 2, -1, -1]), np.array([0, 1, 0, 1, 0, 1, 0, 1, -1])
LAW = np.array([[40, 2], [3, 50], [20, 20]])
PLANTED = CountMatrix.from_dense(
    [
        [LAW[c, d] + (i + j) % 2 if c >= 0 <= d else 0 for j, d in enumerate(KINDS[1])]
        for i, c in enumerate(KINDS[0])
    ]
)


def slow_loss(C, context, outcome):
    """Minus the mean log of ``N_cd N_j / (N_c N_d)``, pair by pair."""
    total = 0.0
    for i, j in zip(*np.nonzero(C), strict=True):
        c, d = context == context[i], outcome == outcome[j]
        of_classes = C[np.ix_(c, d)].sum() / C[c].sum()
        total -= C[i, j] * np.log(of_classes * C[:, j].sum() / C[:, d].sum())
    return total / C.sum()


def test_the_loss_never_rises_and_no_single_move_lowers_it():
    C = COUNTS.dense()
    labels, history, settled = exchange(COUNTS, 2, 50)
    assert settled
    assert history[-1] == pytest.approx(slow_loss(C, *labels), rel=1e-12)
    assert (np.diff(history) <= 1e-12).all()
    assert history[-1] < history[0]
    for side, label in enumerate(labels):
        for place in range(label.size):
            moved = [part.copy() for part in labels]
            moved[side][place] = 1 - label[place]
            assert slow_loss(C, *moved) >= history[-1] - 1e-12


def spread(points, weights, label):
    """The weighted sum of squared distances to the weighted means of the clusters, by loops."""
    total = 0.0
    for cluster in np.unique(label):
        here = np.flatnonzero(label == cluster)
        mean = sum(weights[i] * points[i] for i in here) / sum(weights[i] for i in here)
        total += sum(weights[i] * ((points[i] - mean) ** 2).sum() for i in here)
    return total


def test_clusters_of_contexts_are_the_best_of_all_partitions():
    counts = CountMatrix.from_dense(RNG.poisson(3, (8, 5)) + np.eye(8, 5, dtype=int))
    C = counts.dense()
    points, weights = np.sqrt(C / C.sum(axis=1, keepdims=True)), C.sum(axis=1)
    every = (np.array((0, *rest)) for rest in product(range(3), repeat=7))
    best = min(spread(points, weights, label) for label in every)
    found = [spread(points, weights, cluster_contexts(counts, 3, seed)) for seed in range(20)]
    assert min(found) == pytest.approx(best, rel=1e-12)
    assert max(found) < 1.5 * best  # each is a local optimum


def test_against_all_partitions():
    C, best = COUNTS.dense(), np.inf
    for bits in product((0, 1), repeat=9):
        best = min(best, slow_loss(C, np.array(bits[:5]), np.array(bits[5:])))
    found = exchange(COUNTS, 2, 50)[1][-1]
    assert best - 1e-12 <= found <= best + 0.02  # a local optimum, and near
    _, history, _ = exchange(PLANTED, 3, 50)
    planted = slow_loss(PLANTED.dense(), *KINDS)
    assert history[-1] <= planted + 1e-12


def test_given_its_classes_a_matrix_is_the_formula():
    C, context, outcome = PLANTED.dense(), *KINDS
    after, words = method("class-exchange", rank=3, discount=0.6).factors(PLANTED, KINDS)
    Q = after @ words
    for i, c in enumerate(context):
        rows = C[context == c] if c >= 0 else C
        # The outcome never seen is a class of its own, the first, to which nothing was counted.
        N = [rows[:, outcome == d].sum() for d in (-1, 0, 1)]
        then = absolute_discount(N, 0.6)
        for j, d in enumerate(outcome):
            of_class = C[:, outcome == d].sum()
            share = C[:, j].sum() / of_class if of_class else 1.0
            assert Q[i, j] == pytest.approx(then[d + 1] * share)


@pytest.mark.parametrize("id", ["class-kmeans", "class-exchange"])
def test_planted_classes_are_found(id, tmp_path):
    matrix = method(id, rank=3).fit(PLANTED, seed=2)
    Q = matrix.dense()
    np.testing.assert_allclose(Q.sum(axis=1), 1)
    np.testing.assert_allclose(Q[[0, 1, 2]], Q[[3, 4, 5]])  # of one class, one row
    assert abs(Q[0] - Q[1]).max() > 0.1
    matrix.save(tmp_path / "x.npz")
    assert load(tmp_path / "x.npz").ended == matrix.ended


@pytest.mark.parametrize("initial", ["k-means++", "random"])
def test_clusters_from_each_start_are_those_of_scikit_learn(initial):
    """The oracle is scikit-learn on dense rows, its k-means++ with one candidate at a time."""
    counts = CountMatrix.from_dense(RNG.poisson(3, (30, 6)) + np.eye(30, 6, dtype=int))
    C = counts.dense()
    points, weights = np.sqrt(C / C.sum(axis=1, keepdims=True)), C.sum(axis=1)
    state = int(np.random.default_rng(4).integers(2**31))
    first = initial
    if initial == "k-means++":
        how = {"sample_weight": weights, "random_state": state, "n_local_trials": 1}
        first, chosen = kmeans_plusplus(points, 4, **how)
        assert len(set(chosen)) == 4
    theirs = KMeans(4, init=first, n_init=1, random_state=state)
    found = cluster_contexts(counts, 4, 4, initial)
    np.testing.assert_array_equal(found, theirs.fit_predict(points, sample_weight=weights))


def test_class_bigrams_take_the_first_centres_as_an_option():
    rows = {}
    for initial in ("greedy", "k-means++", "random"):
        Q = method("class-kmeans", rank=3, initial=initial).fit(PLANTED, seed=2).dense()
        np.testing.assert_allclose(Q.sum(axis=1), 1)
        rows[initial] = Q
    default = method("class-kmeans", rank=3).fit(PLANTED, seed=2).dense()
    np.testing.assert_array_equal(rows["greedy"], default)
    with pytest.raises(ValueError, match="initial = 'best'"):
        method("class-kmeans", initial="best")
