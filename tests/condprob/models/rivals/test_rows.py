"""PY-LR's rows around other bases: each base alone, and its share."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.models.rivals import rows
from condprob.models.rivals.rows import BilinearRows
from condprob.models.textbook.classes import NOWHERE, exchange
from condprob.pitman_yor.novelty import bin_of


def test_a_base_that_knows_the_classes_gets_its_share():
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=60)
    C = rng.poisson(np.where(labels[:, None] == rng.integers(4, size=60), 0.5, 0.01))
    counts = CountMatrix.from_dense(C)
    matrix = method("aggregate-rows", classes=4, starts=1, temperature=1).fit(counts, 1)
    # The classes are the first columns of the matrix, the backgrounds the next three.
    often = bin_of(counts.row_sums) >= 2
    of_classes, of_backgrounds = matrix.left[often, :4].sum(), matrix.left[often, 4:7].sum()
    assert of_classes > 0.7 * (of_classes + of_backgrounds)


def test_the_base_has_the_rows_of_the_bigram_one_for_contexts_seen_alike(monkeypatch):
    counts = random_counts(3, 25, 60)
    base = BilinearRows(2, 3.0, 50).fit_base(counts, np.random.default_rng(0))
    bigram = method("sdr-conditional", rank=2, ridge=3.0, weight=0.0, iterations=50).fit(counts)
    np.testing.assert_allclose(base.W @ base.H, bigram.dense(), rtol=1e-12)
    C = counts.dense()
    assert len(base.H) == len(np.unique(C, axis=0)) < 25
    np.testing.assert_allclose(base.H.sum(axis=1), 1)
    assert (np.diff(base.history) <= 0).all()

    def refuse(rows, size):
        raise ValueError(f"{rows}: {size:g} bytes")

    monkeypatch.setattr(rows, "check_memory", refuse)
    with pytest.raises(ValueError, match=r"\Alog-bilinear rows of \d\d kinds of contexts: \d+ b"):
        method("bilinear-rows", rank=2).fit(counts)


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
