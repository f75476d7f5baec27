"""Methods on counts of single rows and pairs: by hand, and NLTK's where they mean the same.

`test_rectangles` has their slow formulas.
"""

import numpy as np
import pytest
from inputs import cell_counts, nltk_scores, random_counts

from condprob import CountMatrix, method
from condprob.methods.direct import unigram
from condprob.methods.kneser_ney import estimate_discount, estimate_discounts

COUNTS = cell_counts(3, {(0, 1): 2, (0, 2): 1, (1, 1): 1})  # context 2, outcome 0: never seen
EVERY_OUTCOME = random_counts(5, k=8, n=90).dense()
EVERY_OUTCOME[7] = 0  # and this context was never seen
ALL_SEEN = CountMatrix.from_dense(EVERY_OUTCOME)


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


def test_stupid_backoff_of_a_small_matrix():
    # Unigram with alpha = 1/2: (1/4, 5/8, 1/8), see test_direct. 2/5 of it where not seen.
    scores = np.array([[1 / 10, 2 / 3, 1 / 3], [1 / 10, 1, 1 / 20], [1 / 10, 1 / 4, 1 / 20]])
    published = method("sb", discount=0.5, normalised=False).fit(COUNTS)
    np.testing.assert_allclose(published.dense(), scores)
    # Row sums 11/10, 23/20 and 2/5.
    expected = [[1 / 11, 20 / 33, 10 / 33], [2 / 23, 20 / 23, 1 / 23], [1 / 4, 5 / 8, 1 / 8]]
    np.testing.assert_allclose(method("sb", discount=0.5).fit(COUNTS).dense(), expected)


# alpha = 1/2. Outcomes follow N = (0, 2, 1) distinct contexts. Lower order:
#   discounted  (2 - 1/2)/3 and (1 - 1/2)/3, the freed 1/2 2/3 to the unseen: (1/3, 1/2, 1/6)
#   uniform     the same, the freed 1/3 in three equal parts:                 (1/9, 11/18, 5/18)
#   floor       (1, 2, 1)/4
# Row 0 frees 1/2 2/3 = 1/3 and keeps (0, 1/2, 1/6); row 1 frees 1/2 and keeps (0, 1/2, 0).
@pytest.mark.parametrize(
    ("continuation", "form", "expected"),
    [
        (
            "discounted",
            "interpolated",
            [[1 / 9, 2 / 3, 2 / 9], [1 / 6, 3 / 4, 1 / 12], [1 / 3, 1 / 2, 1 / 6]],
        ),
        (
            "uniform",
            "interpolated",
            [[1 / 27, 19 / 27, 7 / 27], [1 / 18, 29 / 36, 5 / 36], [1 / 9, 11 / 18, 5 / 18]],
        ),
        (
            "floor",
            "interpolated",
            [[1 / 12, 2 / 3, 1 / 4], [1 / 8, 3 / 4, 1 / 8], [1 / 4, 1 / 2, 1 / 4]],
        ),
        # Row 1 shares 1/2 between outcomes 0 and 2 as 1/3 : 1/6, 1/9 : 5/18, 1/4 : 1/4.
        (
            "discounted",
            "backoff",
            [[1 / 3, 1 / 2, 1 / 6], [1 / 3, 1 / 2, 1 / 6], [1 / 3, 1 / 2, 1 / 6]],
        ),
        (
            "uniform",
            "backoff",
            [[1 / 3, 1 / 2, 1 / 6], [1 / 7, 1 / 2, 5 / 14], [1 / 9, 11 / 18, 5 / 18]],
        ),
        ("floor", "backoff", [[1 / 3, 1 / 2, 1 / 6], [1 / 4, 1 / 2, 1 / 4], [1 / 4, 1 / 2, 1 / 4]]),
    ],
)
def test_kneser_ney_of_a_small_matrix(continuation, form, expected):
    options = {"discount": 0.5, "continuation": continuation, "form": form}
    np.testing.assert_allclose(method("kn", **options).fit(COUNTS).dense(), expected)
    # One pair was seen twice and two once: n1 / (n1 + 2 n2) = 2 / (2 + 2).
    estimated = method("kn", **options | {"discount": "estimated"}).fit(COUNTS)
    np.testing.assert_allclose(estimated.dense(), expected)
    # Column sums (0, 3, 1) plus 1/2, over 4 + 3/2.
    expected[2] = [1 / 11, 7 / 11, 3 / 11]
    unigram = method("kn", **options, unseen="unigram").fit(COUNTS)
    np.testing.assert_allclose(unigram.dense(), expected)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 2, (2, 2): 7}, 3 / 5),
        ({(0, 0): 1, (1, 1): 3}, 0.75),  # nothing seen twice: it would be 1
        ({(0, 0): 2, (1, 1): 2}, 0.75),  # nothing seen once: it would be 0
        ({}, 0.75),
    ],
)
def test_the_estimated_discount(cells, expected):
    assert estimate_discount(cell_counts(3, cells)) == expected


def bigrams(counts):
    return {cell: count for cell, count in np.ndenumerate(counts.dense()) if count}


@pytest.mark.parametrize("counts", [random_counts(1, 12, 30), random_counts(2, 6, 400), ALL_SEEN])
def test_kneser_ney_over_the_uniform_is_two_levels_of_absolute_discounting_of_nltk(counts):
    # nltk.lm.AbsoluteDiscountingInterpolated of order 3 discounts C_ij over the counts of order 2
    # over the relative frequency of order 1. Given N_j as counts of order 2 (after a constant
    # "context" *), and each outcome once as order 1, that is KN with continuation="uniform", for
    # all counts, and for contexts never seen as well, where NLTK drops one order.
    from nltk.lm import AbsoluteDiscountingInterpolated

    ngrams = {(i, "*", j): count for (i, j), count in bigrams(counts).items()}
    ngrams |= {("*", j): counts.distinct_contexts[j] for j in counts.seen_outcomes}
    ngrams |= {(j,): 1 for j in range(counts.k)}
    contexts = [(i, "*") for i in range(counts.k)]
    scores = nltk_scores(AbsoluteDiscountingInterpolated, ngrams, contexts, counts.k, discount=0.6)
    Q = method("kn", discount=0.6, continuation="uniform").fit(counts).dense()
    np.testing.assert_allclose(Q, scores, rtol=1e-12)


def test_three_discounts_by_hand():
    # n1 = 4, n2 = 2, n3 = 1, n4 = 1: Y = 4/8; 1 - 2/2 2/4 = 1/2, 2 - 3/2 1/2 = 5/4, 3 - 4/2 1 = 1.
    values = np.array([1, 1, 1, 1, 2, 2, 3, 4])
    discounts = estimate_discounts(values)
    np.testing.assert_allclose(discounts, [1 / 2, 5 / 4, 1])
    np.testing.assert_allclose(discounts.of(np.array([0, 1, 2, 3, 9])), [0, 1 / 2, 5 / 4, 1, 1])
    # No pair was seen three times: what needs n3 is Y = 4/8.
    np.testing.assert_allclose(estimate_discounts(values[values != 3]), [1 / 2, 1 / 2, 1 / 2])
    np.testing.assert_allclose(estimate_discounts(np.array([5, 5])), [3 / 4, 3 / 4, 3 / 4])


def test_modified_kneser_ney_by_hand():
    # The counts above in one row of eight, and two more contexts with one pair each:
    # n1 = 6, n2 = 2, n3 = 1, n4 = 1: Y = 6/10; 3/5, 2 - 9/5 1/2 = 11/10, 3 - 12/5 = 3/5.
    C = np.zeros((3, 9), dtype=int)
    C[0, :8], C[1, 0], C[2, 0] = [1, 1, 1, 1, 2, 2, 3, 4], 1, 1
    matrix = method("kn", discount="modified", continuation="uniform").fit(C)
    # Distinct contexts (3, 1 seven times, 0), 10 in all: n1 = 7, n2 = 0, so 3/4 of each.
    lower = (np.array([3, *[1] * 7, 0]) - 0.75 * np.array([*[1] * 8, 0])) / 10 + 6 / 10 / 9
    taken = np.array([*[3 / 5] * 4, 11 / 10, 11 / 10, 3 / 5, 3 / 5, 0])
    np.testing.assert_allclose(matrix.rows([0])[0], (C[0] - taken) / 15 + taken.sum() / 15 * lower)


@pytest.mark.parametrize("discount", ["estimated", "modified"])
def test_discounts_by_counts_of_counts_need_whole_counts(discount):
    with pytest.raises(ValueError, match=f"'{discount}' requires whole counts"):
        method("kn", discount=discount).fit(0.5 * COUNTS)
