"""PY-LR's rows around any bases, by the slow formula of the rows."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import method
from condprob.models.rivals.rows import AggregateRows
from condprob.pitman_yor.bases import BACKGROUNDS, Background
from condprob.pitman_yor.rows import bin_of

COUNTS = random_counts(5, 30, 500)


@pytest.mark.parametrize("id", ["aggregate-rows", "gibbs-rows", "class-rows"])
def test_rows_are_the_slow_formula_around_the_learned_base(id):
    matrix = method(id, classes=3, starts=2).fit(COUNTS, 1)
    m = matrix.left.shape[1] - len(BACKGROUNDS) - matrix.novel.any()
    assert matrix.components[1:].tolist() == list(BACKGROUNDS)
    # What is mixed is told back: the columns of the base's two starts, then the backgrounds.
    shares, rows = matrix.shares[bin_of(COUNTS.row_sums)], matrix.left
    of_base = rows[:, :m] @ matrix.right[:m] / rows[:, :m].sum(axis=1, keepdims=True)
    base = shares[:, :1] * of_base
    for b, name in enumerate(BACKGROUNDS, start=1):
        base += shares[:, b, None] * Background(name).fit(COUNTS).H
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


def test_a_fit_of_the_base_alone_is_a_distribution():
    base = AggregateRows(3, iterations=5).fit_base(COUNTS, np.random.default_rng(1))
    np.testing.assert_allclose((base.W @ base.H).sum(axis=1), 1)
