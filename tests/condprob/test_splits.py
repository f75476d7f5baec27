"""Parts of counts that are held out."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, cross_entropy, method
from condprob.splits import MOST_UNITS, hold_out, take_out, units_of

COUNTS = random_counts(3, 20, 400)


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_that_are_held_out_add_up_to_the_whole(weighted):
    counts = CountMatrix.from_sparse(COUNTS.sparse() * 0.3) if weighted else COUNTS
    rest, held_out = hold_out(counts, 0.25, seed=1)
    np.testing.assert_allclose((rest + held_out).dense(), counts.dense())
    assert 0.15 < held_out.n / counts.n < 0.35
    assert held_out.is_whole != weighted


def test_what_is_taken_out_is_not_left():
    counts = CountMatrix.from_dense([[3, 1], [0, 2]])
    split = take_out(counts, np.array([1, 1, 0]))
    assert split.rest.dense().tolist() == [[2, 0], [0, 2]]
    assert split.held_out.dense().tolist() == [[1, 1], [0, 0]]
    assert split.rest.nnz == 2  # what is gone is no pair


def scaled(counts, by):
    return CountMatrix.from_sparse(counts.sparse() * by)


def test_what_counts_are_dealt_out_in():
    assert units_of(COUNTS).tolist() == COUNTS.values.tolist()
    multiples = CountMatrix.from_dense([[0.2, 0.4], [0.0, 1.4]])
    assert units_of(multiples).tolist() == [1, 2, 7]
    # Of the mean, 1, twice: 1.1 and less are one, 3.1 is 1.55 of it, and so two.
    others = CountMatrix.from_dense([[0.2, 0.5, 0.5], [0.6, 1.1, 3.1]])
    assert units_of(others).tolist() == [1, 1, 1, 1, 1, 2]
    far = CountMatrix.from_dense(np.array([[1e-3, 3e-3], [1e-3, 1e18]]))
    assert units_of(far).max() == MOST_UNITS
    none = CountMatrix.from_dense(np.zeros((2, 2)))
    assert units_of(none).size == 0


@pytest.mark.parametrize("by", [0.5, 0.3, 1e-9, 123.456])
def test_multiples_are_held_out_as_the_whole_counts_are(by):
    whole, real = (hold_out(counts, 0.3, 5) for counts in (COUNTS, scaled(COUNTS, by)))
    for one, other in zip(whole, real, strict=True):
        np.testing.assert_allclose(other.dense(), by * one.dense(), rtol=1e-12)
        assert one.nnz == other.nnz


def test_py_lr_keeps_what_it_has_counted_where_counts_are_no_whole_numbers():
    """Were each distinct pair held out with all its weight, no row would seem worth keeping."""
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.full(40, 0.05), size=40)

    def draw(number):
        outcomes = np.concatenate([rng.choice(40, number, p=row) for row in P])
        return CountMatrix.from_pairs(np.repeat(np.arange(40), number), outcomes, 40)

    counts, test = draw(60), draw(200)
    whole, real = (method("py-lr").fit(each, seed=0) for each in (counts, scaled(counts, 0.5)))
    assert np.isfinite(real.strength)
    assert cross_entropy(test, real) < cross_entropy(test, whole) + 0.03
