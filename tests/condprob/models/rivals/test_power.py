"""Power low-rank ensembles: Kneser-Ney without matrices, the marginals, the whole formula."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import method
from condprob.kneser_ney import KneserNey

COUNTS = random_counts(5, 9, 150)
C = COUNTS.dense()


def test_without_matrices_it_is_kneser_ney():
    found = method("plre", matrices=0, discount=0.6).fit(COUNTS).dense()
    np.testing.assert_allclose(found, reference.kneser_ney(C, 0.6))


@pytest.mark.parametrize("matrices", [1, 2])
def test_with_full_rank_it_is_the_formula(matrices):
    d = 0.7
    fit = method("plre", rank=9, matrices=matrices, discount=d, iterations=20000).fit(COUNTS, 1)
    seen, lower = C.sum(axis=1) > 0, KneserNey(d).discounted(COUNTS).lower
    expected = np.tile(lower, (9, 1))
    for j in range(matrices, -1, -1):
        power, below = 1 - j / (matrices + 1), 1 - (j + 1) / (matrices + 1)
        Y = np.where(C > 0, C.astype(float) ** power, 0)
        D = np.where(C > 0, d * C.astype(float) ** below, 0)
        sums = Y.sum(axis=1, keepdims=True)[seen]
        freed = D.sum(axis=1, keepdims=True)[seen]
        expected[seen] = ((Y - D)[seen] + freed * expected[seen]) / sums
    np.testing.assert_allclose(fit.dense(), expected, atol=0.01)


def test_outcomes_keep_their_marginals():
    # As in the paper: sum_v c(v) P(w | v) = c(w), but for what the lowest order, which is smoothed,
    # does not give as the numbers of distinct contexts do. Low rank keeps the sums of columns.
    d, rank = 0.7, 2
    fit = method("plre", rank=rank, discount=d, iterations=300).fit(COUNTS, 1)
    of_lowest = d**2 * COUNTS.nnz  # what comes down to it: d of d of each distinct pair
    lower = KneserNey(d).discounted(COUNTS).lower
    expected = COUNTS.column_sums + of_lowest * (lower - COUNTS.distinct_contexts / COUNTS.nnz)
    np.testing.assert_allclose(COUNTS.row_sums @ fit.dense(), expected, rtol=1e-6)
