"""Counting pairs."""

from collections import Counter

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix

# Pairs (0, 1) twice, (0, 2), (2, 1): context 1 and outcome 0 are never seen.
PAIRS = ([0, 2, 0, 0], [1, 1, 2, 1])
DENSE = [[0, 2, 1], [0, 0, 0], [0, 1, 0]]


def test_pairs_are_counted():
    counts = CountMatrix.from_pairs(*PAIRS, 3)
    np.testing.assert_array_equal(counts.dense(), DENSE)
    assert (counts.k, counts.n, counts.nnz) == (3, 4, 3)
    for found, expected in [
        (counts.indptr, [0, 2, 2, 3]),
        (counts.contexts, [0, 0, 2]),
        (counts.outcomes, [1, 2, 1]),
        (counts.values, [2, 1, 1]),
        (counts.row_sums, [3, 0, 1]),
        (counts.column_sums, [0, 3, 1]),
        (counts.distinct_outcomes, [2, 0, 1]),
        (counts.distinct_contexts, [0, 2, 1]),
        (counts.seen_contexts, [0, 2]),
        (counts.seen_outcomes, [1, 2]),
    ]:
        np.testing.assert_array_equal(found, expected)


def test_from_pairs_and_from_dense_are_the_same_whatever_the_order_of_the_pairs():
    counts = random_counts(1, k=20, n=100)
    pairs = np.repeat([counts.contexts, counts.outcomes], counts.values, axis=1)
    shuffled = np.random.default_rng(2).permuted(np.arange(counts.n))
    for other in (
        CountMatrix.from_dense(counts.dense()),
        CountMatrix.from_dense(counts.dense().astype(float)),
        CountMatrix.from_pairs(*pairs[:, shuffled], 20),
        CountMatrix.from_pairs(*pairs.astype(np.uint16), np.int64(20)),
        CountMatrix.from_pairs(*pairs.tolist(), 20),
    ):
        for field in ("indptr", "outcomes", "values"):
            np.testing.assert_array_equal(getattr(other, field), getattr(counts, field))


def test_counts_beyond_32_bits_stay_whole():
    counts = CountMatrix.from_dense([[2**31, 1], [0, 2**40]])
    assert counts.n == 2**31 + 1 + 2**40
    assert counts.row_sums.tolist() == [2**31 + 1, 2**40]
    assert counts.column_sums.tolist() == [2**31, 2**40 + 1]
    # Each fits into 32 bits, their sum does not.
    large = CountMatrix.from_dense([[2**31 - 1, 2**31 - 1], [0, 2**31 - 1]])
    assert large.values.dtype == np.int32
    assert large.n == 3 * (2**31 - 1)
    assert large.row_sums.tolist() == [2**32 - 2, 2**31 - 1]
    assert large.column_sums.tolist() == [2**31 - 1, 2**32 - 2]


@pytest.mark.parametrize("k", [2**16 - 1, 2**16, 2**16 + 1, 10**6])
def test_pairs_are_counted_whatever_the_width_of_labels(k):
    labels = np.random.default_rng(k).integers(0, k, 30)
    labels[:2] = 0, k - 1
    pairs = np.random.default_rng(k).choice(labels, (500, 2))
    counts = CountMatrix.from_pairs(*pairs.T, k)
    expected = sorted(Counter(map(tuple, pairs.tolist())).items())
    assert list(zip(counts.contexts, counts.outcomes, strict=True)) == [p for p, _ in expected]
    assert counts.values.tolist() == [times for _, times in expected]
    assert counts.indptr[-1] == counts.nnz


def test_counts_of_parts_add_up():
    parts = [random_counts(seed, k=5, n=20) for seed in range(3)]
    total = sum(parts)
    np.testing.assert_array_equal(total.dense(), sum(part.dense() for part in parts))
    with pytest.raises(TypeError, match="unsupported operand"):
        1 + total


def test_labels_take_half_the_memory_where_they_fit():
    counts = CountMatrix((2, 3), np.array([0, 1, 2]), np.array([2, 0]), np.array([4, 5]))
    assert counts.outcomes.dtype == np.int32
    assert counts.outcomes.tolist() == [2, 0]


@pytest.mark.parametrize("shape", [(2, 3), (2, 4), (3, 3), (3, 4)])
def test_further_contexts_and_outcomes_have_no_counts(shape):
    C = np.array([[1, 0, 2], [0, 3, 0]])
    more = [(0, new - old) for new, old in zip(shape, C.shape, strict=True)]
    np.testing.assert_array_equal(CountMatrix.from_dense(C).resized(shape).dense(), np.pad(C, more))
    with pytest.raises(ValueError, match="must be at least"):
        CountMatrix.from_dense(C).resized((shape[0], 2))
