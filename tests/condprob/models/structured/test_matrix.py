"""A log-linear bigram as a matrix: the softmax of its scores."""

import numpy as np
from inputs import random_counts
from scipy.special import softmax

from condprob import load
from condprob.models.structured.log_linear_matrix import LogLinearMatrix

COUNTS = random_counts(4, k=9, n=40)


def matrix_of(b, w):
    """Return ``exp(b_j + w_ij) / Z_i`` in the form of the class: of rank one, and sparse."""
    Z = (np.exp(b) + np.exp(b) * (np.exp(w) - 1)).sum(axis=1, keepdims=True)
    left, right = 1 / Z, np.exp(b)[None]
    pairs = COUNTS.contexts, COUNTS.outcomes
    entries = (np.exp(b) * (np.exp(w) - 1) / Z)[pairs]
    fields = {"history": np.array([2.0, 1.5]), "penalty": 0.7, "decay": 0.5, "gap": 1e-7}
    return LogLinearMatrix.on_pattern(COUNTS, left, right, entries, **fields)


def test_rows_are_the_softmax_of_scores_and_come_back_from_a_file(tmp_path):
    rng = np.random.default_rng(0)
    b = np.where(COUNTS.column_sums > 0, rng.normal(size=9), 0.0)
    w = np.where(COUNTS.dense() > 0, rng.uniform(0, 2, (9, 9)), 0.0)
    matrix = matrix_of(b, w)
    np.testing.assert_allclose(matrix.dense(), softmax(b + w, axis=1), rtol=1e-12)
    np.testing.assert_allclose(matrix.row_sums(), 1)
    matrix.save(tmp_path / "matrix.npz")
    again = load(tmp_path / "matrix.npz")
    assert (again.penalty, again.decay, again.gap) == (0.7, 0.5, 1e-7)
    np.testing.assert_array_equal(again.history, [2.0, 1.5])
    np.testing.assert_array_equal(again.dense(), matrix.dense())
