"""PY-LR's rows around other bases: the slow formula of the rows, and each base alone."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.models.rivals import rows
from condprob.models.rivals.rows import BACKGROUNDS, BilinearRows, fit_backgrounds
from condprob.models.textbook.classes import NOWHERE, exchange
from condprob.pitman_yor.novelty import bin_of

COUNTS = random_counts(5, 30, 500)


@pytest.mark.parametrize("id", ["aggregate-rows", "gibbs-rows", "class-rows"])
def test_rows_are_the_slow_formula_around_the_learned_base(id):
    matrix = method(id, classes=3, starts=2).fit(COUNTS, 1)
    m = matrix.left.shape[1] - len(BACKGROUNDS) - matrix.novel.any()
    assert matrix.components[1:].tolist() == list(BACKGROUNDS)
    # The columns of the matrix are the base's two starts, then the backgrounds.
    shares, left = matrix.shares[bin_of(COUNTS.row_sums)], matrix.left
    of_base = left[:, :m] @ matrix.right[:m] / left[:, :m].sum(axis=1, keepdims=True)
    base = shares[:, :1] * of_base
    for b, background in enumerate(fit_backgrounds(COUNTS), start=1):
        base += shares[:, b, None] * background.H
    Q = reference.rows_around(COUNTS.dense(), base, matrix.strength, "modified")
    Q, novel = reference.with_novelty(COUNTS.dense(), Q, bin_of(COUNTS.row_sums), 50)
    np.testing.assert_allclose(matrix.dense(), Q, rtol=1e-9)
    np.testing.assert_allclose(matrix.novel, novel, atol=1e-12)


def test_a_base_that_knows_the_classes_gets_its_share():
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=60)
    C = rng.poisson(np.where(labels[:, None] == rng.integers(4, size=60), 0.5, 0.01))
    one, four = (method("aggregate-rows", classes=m, temperature=1).fit(C, 1) for m in (1, 4))
    assert four.shares[2, 0] > 0.7
    assert four.history.shape == (4, 4, 30)
    assert np.isnan(four.history[1:]).all()
    assert one.shares.shape == (7, 4)


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
