"""Counting pairs."""

from collections import Counter

import numpy as np
import pytest
from inputs import EDGES, exactly, random_counts

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


@pytest.mark.parametrize("edge", EDGES)
def test_sums_and_forms_agree_with_the_dense_array(edge):
    counts = EDGES[edge]
    C = counts.dense()
    assert counts.n == C.sum()
    assert counts.nnz == (C > 0).sum() == (counts.values > 0).sum()
    np.testing.assert_array_equal(counts.row_sums, C.sum(axis=1))
    np.testing.assert_array_equal(counts.column_sums, C.sum(axis=0))
    np.testing.assert_array_equal(counts.distinct_outcomes, (C > 0).sum(axis=1))
    np.testing.assert_array_equal(counts.distinct_contexts, (C > 0).sum(axis=0))
    np.testing.assert_array_equal(counts.sparse().toarray(), C)


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


def test_sums_are_exact_beyond_the_integers_of_floats():
    counts = CountMatrix.from_dense([[2**53, 1], [0, 2]])
    assert counts.row_sums.tolist() == [2**53 + 1, 2]
    assert counts.column_sums.tolist() == [2**53, 3]
    assert counts.n == 2**53 + 3


def test_a_large_k_costs_nothing_by_itself():
    counts = CountMatrix.from_pairs([10**6 - 1], [0], 10**6)  # k^2 = 1e12 cells
    assert counts.seen_contexts.tolist() == [10**6 - 1]
    assert counts.sparse().nnz == 1


def test_counts_cannot_be_replaced():
    with pytest.raises(AttributeError, match="cannot assign to field 'k'"):
        EDGES["one pair"].k = 3


@pytest.mark.parametrize(
    ("contexts", "outcomes", "k", "message"),
    [
        ([0, 1], [0], 2, "2 contexts but 1 outcomes: not pairs"),
        ([0, 3], [0, 0], 3, "contexts has the value 3: integers 0..2 are needed"),
        ([0, 0], [1, -1], 3, "outcomes has the value -1: integers 0..2 are needed"),
        ([0.0], [0], 3, "contexts of type float64: integers 0..2 are needed"),
        ([0], [True], 3, "outcomes of type bool: integers 0..2 are needed"),
        (
            [0],
            ["a"],
            3,
            "outcomes of type <U1: integers 0..2 are needed; of labels the numbers, as "
            "`Vocabulary.numbers` has them",
        ),
        ([0], [0], 0, "k = 0: an integer >= 1 is needed"),
        ([0], [0], 2.5, "k = 2.5: an integer >= 1 is needed"),
        ([0], [0], True, "k = True: an integer >= 1 is needed"),
        ([0], [0], "3", "k = '3': an integer >= 1 is needed"),
        ([0], [0], None, "either k or shape=(contexts, outcomes) is needed"),
    ],
)
def test_bad_pairs_are_one_clear_line(contexts, outcomes, k, message):
    with pytest.raises(ValueError, match=exactly(message)):
        CountMatrix.from_pairs(contexts, outcomes, k)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (None, "counts of type object: numbers >= 0 are needed"),
        ([["a"]], "counts of type <U1: numbers >= 0 are needed"),
        ([[1j]], "counts of type complex128: numbers >= 0 are needed"),
        ([1, 2], "counts of shape (2,): a matrix is needed"),
        (np.zeros((0, 0)), "counts of shape (0, 0): a matrix is needed"),
        ([[1, -1], [0, 0]], "counts have the value -1: finite numbers >= 0 are needed"),
        ([[1, np.nan], [0, 0]], "counts have the value nan: finite numbers >= 0 are needed"),
        ([[1, np.inf], [0, 0]], "counts have the value inf: finite numbers >= 0 are needed"),
        ([[2**62, 2**62]], "counts add up to 9.22e+18: less than 2**63 fit"),
        ([[1e19]], "counts add up to 1e+19: less than 2**63 fit"),
        (np.uint64([[2**63 + 5]]), "counts add up to 9.22e+18: less than 2**63 fit"),
        (
            np.ma.masked_array([[1, 2]], [[True, False]]),
            "counts are a masked array: say what the masked values are",
        ),
    ],
)
def test_bad_arrays_are_one_clear_line(array, message):
    with pytest.raises(ValueError, match=exactly(message)):
        CountMatrix.from_dense(array)


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
