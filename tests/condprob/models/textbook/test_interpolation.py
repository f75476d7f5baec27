"""Jelinek-Mercer and Witten-Bell."""

import numpy as np
import pytest
import reference
from inputs import EDGES, cell_counts, in_case, nltk_scores, random_counts

from condprob import CountMatrix, method
from condprob.models.textbook.ngrams import learn_weight

COUNTS = cell_counts(3, {(0, 1): 2, (0, 2): 1, (1, 1): 1})  # context 2, outcome 0: never seen
INPUTS = {
    "a small matrix": COUNTS,
    "few pairs": random_counts(1, 12, 30),
    "many pairs": random_counts(2, 6, 400),
    **EDGES,
}


def test_witten_bell_of_a_small_matrix():
    # Pooled (0, 3, 1): two types in four pairs, u = (0 + 2/3, 3 + 2/3, 1 + 2/3)/6 = (2, 11, 5)/18.
    # Row 0 has two types in three pairs: (C + 2 u)/5; row 1 one in one: (C + u)/2.
    expected = [[4 / 90, 58 / 90, 28 / 90], [2 / 36, 29 / 36, 5 / 36], [2 / 18, 11 / 18, 5 / 18]]
    np.testing.assert_allclose(method("wb").fit(COUNTS).dense(), expected)


def test_jelinek_mercer_of_a_small_matrix():
    # Unigram with alpha = 1/2: (1/4, 5/8, 1/8), see test_direct. A quarter of it.
    matrix = method("jm", weight=0.25, discount=0.5).fit(COUNTS)
    expected = [
        [1 / 16, 3 / 4 * 2 / 3 + 5 / 32, 1 / 4 + 1 / 32],
        [1 / 16, 3 / 4 + 5 / 32, 1 / 32],
        [1 / 4, 5 / 8, 1 / 8],
    ]
    np.testing.assert_allclose(matrix.dense(), expected)


def test_a_weight_is_learned_by_leaving_each_pair_out():
    # One context, counts (2, 2), u = (1/2, 1/2). With one out the frequency of its outcome is 1/3:
    # below u, so that all weight goes to u. Of (4, 0) it is one, so that none does.
    half = np.array([0.5, 0.5])
    even, uneven = (CountMatrix.from_dense([row]) for row in ([2, 2], [4, 0]))
    assert learn_weight(even, half) == pytest.approx(1, abs=1e-5)
    assert learn_weight(uneven, half) == pytest.approx(0, abs=1e-5)
    # (3, 1): 3 log((1 - w) 2/3 + w/2) + log(w/2) has its top where
    # -3/6 / (2/3 - w/6) + 1/w = 0: w/2 = 2/3 - w/6, so w = 1.
    assert learn_weight(CountMatrix.from_dense([[3, 1]]), half) == pytest.approx(1, abs=1e-5)
    # (9, 1): -9 (7/18) / (8/9 - 7 w/18) + 1/w = 0: 8/9 = 7 w/18 10, w = 16/70.
    assert learn_weight(CountMatrix.from_dense([[9, 1]]), half) == pytest.approx(16 / 70, abs=1e-12)
    assert learn_weight(CountMatrix.from_dense([[0, 0]]), half) == 0.5


def test_witten_bell_is_the_formula():
    for name, counts in INPUTS.items():
        with in_case(name):
            Q = method("wb").fit(counts).dense()
            np.testing.assert_allclose(Q, reference.witten_bell(counts.dense()), rtol=1e-12)


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_jelinek_mercer_is_the_formula(weight):
    for name, counts in INPUTS.items():
        with in_case(name):
            Q = method("jm", weight=weight).fit(counts).dense()
            expected = reference.jelinek_mercer(counts.dense(), weight)
            np.testing.assert_allclose(Q, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_witten_bell_agrees_with_nltk(seed):
    # NLTK's lower order is the relative frequency; with every outcome given the counts that make
    # ours of it, its recursion is ours.
    from nltk.lm import WittenBellInterpolated

    rng = np.random.default_rng(seed)
    C = rng.integers(0, 4, size=(6, 6)) + np.eye(6, dtype=int)
    u = C.sum(axis=0) + np.count_nonzero(C.sum(axis=0)) / 6
    u = np.rint(u * 6).astype(int)  # whole: (c_j + D/6) 6, D = 6
    ngrams = {(j,): times for j, times in enumerate(u)}
    ngrams |= {(i, j): C[i, j] for i, j in zip(*np.nonzero(C), strict=True)}
    theirs = nltk_scores(WittenBellInterpolated, ngrams, [(i,) for i in range(6)], 6)
    np.testing.assert_allclose(method("wb").fit(C).dense(), theirs, rtol=1e-12)
