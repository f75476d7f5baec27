"""The mean of samples: every sample has a base of its own, and the matrix is their mean."""

import numpy as np
from inputs import random_counts

from condprob import load
from condprob.models.rivals.hierarchical import PosteriorMatrix

COUNTS = random_counts(1, k=9, n=12)  # labels never seen, too


def test_it_is_the_mean_of_the_predictions_of_its_samples(tmp_path):
    # Q_ij = mean over s of (C_ij - d_s T_sij + (theta_s + d_s T_si) G_sj) / (theta_s + C_i).
    rng, C = np.random.default_rng(0), COUNTS.dense()
    d, theta = rng.uniform(0.1, 0.9, 3), rng.uniform(0.5, 2, 3)
    G = rng.dirichlet(np.ones(9), size=3)
    G[:, COUNTS.column_sums == 0] = G[:, COUNTS.column_sums == 0].mean(axis=1, keepdims=True)
    T = np.where(C > 0, rng.integers(1, 1 + np.maximum(C, 1), size=(3, 9, 9)), 0)
    samples = [
        (C - d[s] * T[s] + (theta[s] + d[s] * T[s].sum(axis=1))[:, None] * G[s])
        / (theta[s] + C.sum(axis=1))[:, None]
        for s in range(3)
    ]
    totals = theta + C.sum(axis=1)[:, None]
    left = (theta + d * T.sum(axis=2).T) / totals / 3
    own = [(C - d[s] * T[s]) / totals[:, s][:, None] for s in range(3)]
    pairs = COUNTS.contexts, COUNTS.outcomes
    told = {
        "discounts": np.column_stack([d, d]),
        "strengths": np.column_stack([theta, theta]),
        "tables": T.mean(axis=0)[pairs],
    }
    matrix = PosteriorMatrix.on_pattern(COUNTS, left, G, np.mean(own, axis=0)[pairs], **told)
    np.testing.assert_allclose(matrix.dense(), np.mean(samples, axis=0), rtol=1e-12)
    np.testing.assert_allclose(matrix.row_sums(), 1)
    matrix.save(tmp_path / "matrix.npz")
    again = load(tmp_path / "matrix.npz")
    for name, array in told.items():
        np.testing.assert_array_equal(getattr(again, name), array)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
