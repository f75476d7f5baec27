"""Parts of counts that are held out."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix
from condprob.estimators.splits import hold_out, take_out

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
