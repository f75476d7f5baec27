"""Add-1/2 and absolute discounting of each row."""

import numpy as np
import pytest
import reference
from inputs import EDGES, cell_counts, in_case, nltk_scores, random_counts

from condprob import method
from condprob.direct import unigram

COUNTS = cell_counts(3, {(0, 1): 2, (0, 2): 1, (1, 1): 1})  # context 2, outcome 0: never seen
INPUTS = {
    "a small matrix": COUNTS,
    "few pairs": random_counts(1, 12, 30),
    "many pairs": random_counts(2, 6, 400),
    **EDGES,
}


def test_add_half_of_a_small_matrix():
    # Row sums 3, 1, 0 and k/2 = 3/2.
    expected = [[0.5 / 4.5, 2.5 / 4.5, 1.5 / 4.5], [0.5 / 2.5, 1.5 / 2.5, 0.5 / 2.5], [1 / 3] * 3]
    np.testing.assert_allclose(method("add-half").fit(COUNTS).dense(), expected)


def test_absolute_discounting_of_a_small_matrix():
    # alpha = 1/2. Row 0: (2 - 1/2)/3, (1 - 1/2)/3, and 1/2 2/3 for the one unseen outcome.
    # Row 1: (1 - 1/2)/1, and 1/2 shared by two. Row 2, unseen: of the column sums (0, 3, 1),
    # (3 - 1/2)/4, (1 - 1/2)/4, and 1/2 2/4 for the unseen.
    expected = [[1 / 3, 1 / 2, 1 / 6], [1 / 4, 1 / 2, 1 / 4], [1 / 4, 5 / 8, 1 / 8]]
    np.testing.assert_allclose(method("ad", discount=0.5).fit(COUNTS).dense(), expected)
    np.testing.assert_allclose(unigram(COUNTS, 0.5), expected[2])
    expected[2] = [1 / 3] * 3
    uniform = method("ad", discount=0.5, unseen="uniform").fit(COUNTS)
    np.testing.assert_allclose(uniform.dense(), expected)


@pytest.mark.parametrize("constant", [0.5, 0, 2.0])
def test_add_half_is_the_slow_formula(constant):
    for name, counts in INPUTS.items():
        with in_case(name):
            Q = method("add-half", constant=constant).fit(counts).dense()
            expected = reference.add_half(counts.dense(), constant)
            np.testing.assert_allclose(Q, expected, rtol=1e-12)


@pytest.mark.parametrize("unseen", ["unigram", "uniform"])
@pytest.mark.parametrize("discount", [0.75, 0.2])
def test_absolute_discounting_is_the_slow_formula(discount, unseen):
    for name, counts in INPUTS.items():
        with in_case(name):
            Q = method("ad", discount=discount, unseen=unseen).fit(counts).dense()
            expected = reference.ad(counts.dense(), discount, unseen)
            # Seen minus unseen is kept: 1e15 counts.
            np.testing.assert_allclose(Q, expected, rtol=1e-11)


def test_absolute_discounting_is_that_of_nltk_over_a_uniform_lower_order():
    # nltk.lm.AbsoluteDiscountingInterpolated: max(C_ij - a, 0)/C_i + a D_i/C_i u_j, where u is
    # the relative frequency of unigrams. Ours is that with u uniform on the outcomes not seen
    # after i, zero on the others (with a corpus's own unigrams, NLTK gives part of the freed mass
    # back to the seen ones, and the two differ). So each context gets a model of its own.
    from nltk.lm import AbsoluteDiscountingInterpolated

    counts = random_counts(3, k=8, n=40)
    C = counts.dense()
    Q = method("ad", discount=0.6).fit(counts).dense()
    compared = [i for i in counts.seen_contexts if not C[i].all()]
    assert len(compared) >= 5
    for i in compared:
        ngrams = {(i, j): C[i, j] for j in np.flatnonzero(C[i])}
        ngrams |= {(j,): 1 for j in np.flatnonzero(C[i] == 0)}
        scores = nltk_scores(AbsoluteDiscountingInterpolated, ngrams, [(i,)], 8, discount=0.6)
        np.testing.assert_allclose(Q[i], scores[0], rtol=1e-12)


def test_add_half_is_lidstone_of_nltk():
    from nltk.lm import Lidstone, Vocabulary

    counts = random_counts(3, k=8, n=40)
    ngrams = {(i, j): C for (i, j), C in np.ndenumerate(counts.dense()) if C}
    scores = nltk_scores(
        Lidstone,
        ngrams,
        [(i,) for i in range(8)],
        8,
        gamma=0.5,
        # One label for unknown words is part of any vocabulary of NLTK: seven words and it are 8.
        vocabulary=Vocabulary(map(str, range(7))),
    )
    np.testing.assert_allclose(method("add-half").fit(counts).dense(), scores, rtol=1e-12)
