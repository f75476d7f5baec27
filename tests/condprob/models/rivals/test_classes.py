"""Random classes by exchange. tests/condprob/test_classes.py has its slow reference."""

import numpy as np

from condprob import CountMatrix
from condprob.models.rivals.rows import ClassRows
from condprob.models.textbook.classes import NOWHERE, exchange


def plant(seed):
    """Return counts that three classes explain, and the classes of their contexts."""
    rng = np.random.default_rng(seed)
    g, h = rng.integers(3, size=(2, 40))
    P = np.where(np.arange(3)[:, None] == np.arange(3), 0.9, 0.05)[g][:, h]
    C = rng.poisson(3 * P)
    C[7], C[:, 9] = 0, 0
    return CountMatrix.from_dense(C), g


def test_planted_classes_are_found_from_labels_that_are_drawn():
    counts, g = plant(4)
    starts = [exchange(counts, 3, 50, np.random.default_rng(seed)) for seed in range(6)]
    assert all(is_settled and (np.diff(h) <= 0).all() for _, h, is_settled in starts)
    found, of_outcomes = min(starts, key=lambda start: start[1][-1])[0]
    assert (found[7], of_outcomes[9]) == (NOWHERE, NOWHERE)
    seen = counts.seen_contexts
    assert np.unique(np.column_stack([g, found])[seen], axis=0).shape == (3, 2)


def test_starts_differ_and_are_distributions():
    counts, _ = plant(5)
    rng = np.random.default_rng(2)
    one, other = (ClassRows(6, iterations=1, discount=0.5).fit_base(counts, rng) for _ in range(2))
    assert not np.allclose(one.W @ one.H, other.W @ other.H)
    np.testing.assert_allclose((one.W @ one.H).sum(axis=1), 1)
