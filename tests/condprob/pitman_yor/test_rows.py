"""Rows around a base, against the slow formula and by hand."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.pitman_yor.bases import FittedBase
from condprob.pitman_yor.rows import bin_of, mix, rows_around, three_discounts, weigh

K = 30
COUNTS = random_counts(1, K, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)


def dense(counts, rows, base):
    """Return the whole matrix of `Rows` around a base, (contexts, outcomes)."""
    Q = rows.left[:, None] * base
    Q[counts.contexts, counts.outcomes] += rows.entries
    return Q


@pytest.mark.parametrize("discount", [0, 0.3, "estimated", "modified"])
@pytest.mark.parametrize("strength", [0.0, 0.7, 40.0, np.inf])
def test_rows_are_the_slow_formula(strength, discount):
    base = np.random.default_rng(1).dirichlet(np.ones(K), size=K)
    for counts in (COUNTS, *([] if isinstance(discount, str) else [REAL])):
        found = dense(counts, rows_around(counts, strength, discount), base)
        expected = reference.rows_around(counts.dense(), base, strength, discount)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_discount_of_its_own_for_each_row_gives_absolute_discounting():
    # AD gives c - alpha to a seen outcome and alpha D / (k - D) to an unseen one, over C_i. Around
    # the uniform, without strength, a discount d leaves d D / k to each: that is the same where
    # d = alpha k / (k - D). A seen outcome keeps c - d + d D / k = c - d (k - D) / k = c - alpha.
    alpha, uniform = 0.1, np.full((K, K), 1 / K)
    expected = method("ad", discount=alpha, unseen="uniform").fit(COUNTS).dense()
    for i in range(K):
        discount = alpha * K / (K - COUNTS.distinct_outcomes[i])
        row = dense(COUNTS, rows_around(COUNTS, 0.0, float(discount)), uniform)[i]
        np.testing.assert_allclose(row, expected[i], rtol=1e-9)


def test_a_context_shares_with_those_seen_about_as_often():
    sums = [0, 0.5, 1, 3, 3.9, 4, 15, 16, 1023, 1024, 10**15]
    assert bin_of(np.array(sums)).tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 5, 6, 6]


def test_rows_are_weighed_by_hand():
    # Strength 2: of a row of 8 from which 1.5 is taken, (2 + 1.5) / (2 + 8) goes to the base.
    sums, freed = np.array([8, 0]), np.array([1.5, 0.0])
    divisor, left = weigh(sums, freed, 2.0)
    np.testing.assert_allclose(divisor[0], 10)
    np.testing.assert_allclose(left, [0.35, 1])
    divisor, left = weigh(sums, freed, np.inf)
    assert np.isinf(divisor).all()
    assert left.tolist() == [1, 1]


def test_discounts_are_told_by_the_size_of_the_count():
    # n1 = 4, n2 = 2, n3 = n4 = 1: Y = 4 / 8; 1 - 2 Y 2 / 4 = 1/2, 2 - 3 Y 1 / 2 = 5/4,
    # 3 - 4 Y 1 / 1 = 1.
    counts = CountMatrix.from_dense([[1, 1, 1, 1], [2, 2, 3, 4]])
    assert three_discounts(counts, 1.0, "modified").tolist() == [0.5, 1.25, 1]
    assert three_discounts(counts, 1.0, "estimated").tolist() == [0.5] * 3
    assert three_discounts(counts, 0.0, 0.3).tolist() == [0.3] * 3
    assert not three_discounts(counts, np.inf, "modified").any()


@pytest.mark.parametrize("has_entries", [True, False])
def test_a_mixture_is_the_mean_of_starts_weighed_by_shares(has_entries):
    rng = np.random.default_rng(1)
    ranks = [[2, 2], [3, 3], [1]]
    fits = [
        [
            FittedBase(rng.dirichlet(np.ones(m), K), rng.dirichlet(np.ones(K), m), np.empty(0))
            for m in of_component
        ]
        for of_component in ranks
    ]
    shares = rng.dirichlet(np.ones(3), K)
    rows = rows_around(COUNTS, 2.0, 0.5)
    found = mix(rows, fits, shares, has_entries=has_entries)
    assert (found.entries is None) != has_entries
    base = sum(
        shares[:, [b]] * np.mean([fit.W @ fit.H for fit in of_component], axis=0)
        for b, of_component in enumerate(fits)
    )
    np.testing.assert_allclose(found.left @ found.right, rows.left[:, None] * base)
