"""Rows around a base, against Eq. (1) written as loops; counts as tokens."""

import numpy as np
import pytest
from inputs import EDGES, random_counts
from reference import three_discounts

from condprob import CountMatrix
from condprob.methods.pitman_yor.rows import MOST_DISCOUNTS, Rows, count_tokens, learn_discounts

WHOLE = random_counts(3, 12, 150)
REAL = CountMatrix.from_dense(WHOLE.dense() * np.random.default_rng(1).uniform(0.2, 2, (12, 12)))
DISCOUNTS = np.array([0.6, 1.1, 1.4])
BASE = np.random.default_rng(2).dirichlet(np.ones(12), 12)


def row_by_hand(counts, base, strength):
    """Return a row by Eq. (1)."""
    taken = [DISCOUNTS[min(int(max(c, 1)), 3) - 1] * min(c, 1) if c else 0 for c in counts]
    total = strength + sum(counts)
    if total <= 0:
        return np.array(base)
    return np.array(
        [
            (c - d + (strength + sum(taken)) * B) / total
            for c, d, B in zip(counts, taken, base, strict=True)
        ]
    )


@pytest.mark.parametrize("strength", [0.0, 0.7, 300.0])
@pytest.mark.parametrize("counts", [WHOLE, REAL], ids=["whole", "real"])
def test_rows_are_the_slow_formula_also_without_a_token(counts, strength):
    C, rows = counts.dense(), Rows(counts, counts.values, DISCOUNTS)
    entries, left = rows.around(strength)
    Q = left[:, None] * BASE
    Q[counts.contexts, counts.outcomes] += entries
    for i, row in enumerate(C):
        expected = row_by_hand(row, BASE[i], strength) if row.any() else BASE[i]
        np.testing.assert_allclose(Q[i], expected, rtol=1e-12)
    given, logs = rows.given(BASE[counts.contexts, counts.outcomes], strength), 0.0
    for p, (i, j) in enumerate(zip(counts.contexts, counts.outcomes, strict=True)):
        row = C[i].copy().astype(float)
        row[j] -= min(row[j], 1)
        expected = row_by_hand(row, BASE[i], strength)[j]
        assert given[p] == pytest.approx(expected, rel=1e-9)
        logs += C[i, j] * np.log(expected)
    base = BASE[counts.contexts, counts.outcomes]
    assert rows.likelihood(base, strength) == pytest.approx(logs, rel=1e-9)


def test_the_strength_is_the_likeliest():
    rows, base = Rows(WHOLE, WHOLE.values, DISCOUNTS), BASE[WHOLE.contexts, WHOLE.outcomes]
    grid = np.exp(np.linspace(-14, 14, 3000))
    best = grid[np.argmax([rows.likelihood(base, strength) for strength in grid])]
    assert rows.learn_strength(base) == pytest.approx(best, rel=0.06)


def test_the_share_of_the_base_is_a_mean_over_tokens():
    sums = WHOLE.dense().sum(axis=1)
    expected = sum(c * 2.5 / (2.5 + c) for c in sums) / sums.sum()
    rows = Rows(WHOLE, WHOLE.values, DISCOUNTS)
    assert rows.share_of_base(2.5) == pytest.approx(expected)
    empty = EDGES["no pairs"]
    assert Rows(empty, empty.values, DISCOUNTS).share_of_base(2.5) == 1


def test_tokens_are_whole_counts_and_multiples_of_a_unit():
    tokens = count_tokens(WHOLE)
    assert tokens.unit == 1
    np.testing.assert_array_equal(tokens.values, WHOLE.values)
    scaled = count_tokens(CountMatrix.from_sparse(WHOLE.sparse() * 0.3))
    assert scaled.unit == pytest.approx(0.3)
    np.testing.assert_array_equal(scaled.values, WHOLE.values)
    one, other = count_tokens(REAL), count_tokens(CountMatrix.from_sparse(REAL.sparse() * 7))
    np.testing.assert_allclose(other.values, one.values)
    np.testing.assert_array_equal(other.whole, one.whole)
    assert one.unit * one.whole.sum() == pytest.approx(REAL.n)


def test_discounts_are_those_of_chen_and_goodman_and_leave_something_of_each_count():
    C = random_counts(5, 25, 500)
    taken = three_discounts(C.dense())
    expected = [taken[C.dense() == c][0] for c in (1, 2, 3)]
    np.testing.assert_allclose(learn_discounts(count_tokens(C)), expected)
    lonely = CountMatrix.from_dense(np.diag([1] * 1000 + [2]))
    assert (learn_discounts(count_tokens(lonely)) <= MOST_DISCOUNTS).all()
