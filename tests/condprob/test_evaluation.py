"""Intervals, comparisons and reliability, on models that were drawn."""

import numpy as np
import pytest

from condprob import CountMatrix, Sentences, compare, cross_entropy, interval, method, reliability
from condprob.evaluation import Losses, bootstrap, in_stretches
from condprob.sparse_plus_low_rank import SparsePlusLowRank


def test_the_interval_of_independent_blocks_is_the_normal_one():
    losses = np.random.default_rng(0).exponential(size=2000)
    low, high = bootstrap(Losses(losses, np.ones(2000)))
    half = 1.96 * losses.std() / np.sqrt(2000)
    assert low == pytest.approx(losses.mean() - half, abs=0.1 * half)
    assert high == pytest.approx(losses.mean() + half, abs=0.1 * half)
    assert np.isnan(bootstrap(Losses(np.ones(3), np.ones(3)))).all()
    stretches = in_stretches(np.arange(10.0))  # 3 words each: 0+1+2, 3+4+5, 6+7+8, 9
    assert stretches.sums.tolist() == [3, 12, 21, 9]
    assert stretches.sizes.tolist() == [3, 3, 3, 1]


def test_a_pairing_tells_what_two_intervals_do_not():
    rng = np.random.default_rng(1)
    P = rng.dirichlet(np.ones(6), size=40)
    counts, test = (CountMatrix.from_dense(rng.poisson(n * P)) for n in (8, 20))
    one, other = (method("add-half", constant=constant).fit(counts) for constant in (0.5, 0.8))
    found = compare(one, other, test)
    assert found.value == pytest.approx(cross_entropy(test, other) - cross_entropy(test, one))
    assert found.low < found.value < found.high
    alone = interval(test, one)
    assert alone.value == cross_entropy(test, one)
    assert found.high - found.low < alone.high - alone.low
    assert compare(one, one, test) == (0, 0, 0)
    text = Sentences.from_lists(rng.integers(0, 4, size=(30, 6)).tolist(), 4)
    model = method("kn").fit_text(text, 2)
    assert interval(text, model).low < cross_entropy(text, model) < interval(text, model).high


def test_an_interval_of_few_blocks_is_told_to_be_none():
    counts = CountMatrix.from_dense([[2, 1], [1, 1], [0, 3]])
    one, other = (method("add-half", constant=constant).fit(counts) for constant in (0.5, 0.8))
    for call in (lambda: interval(counts, one), lambda: compare(one, other, counts)):
        with pytest.warns(UserWarning, match="^no interval of fewer than 5 blocks, and") as told:
            found = call()
        assert [each.filename for each in told] == [__file__]
        assert np.isfinite(found.value)
        assert np.isnan(found[1:]).all()


def test_what_is_true_is_reliable_and_what_is_not_is_seen():
    rng = np.random.default_rng(2)
    P = rng.dirichlet(0.5 * np.ones(8), size=50)
    test = CountMatrix.from_dense([rng.multinomial(400, row) for row in P])
    truth = SparsePlusLowRank(P, np.eye(8))
    said, happened, chances = reliability(test, truth, bins=8)
    error = np.sqrt(said * (1 - said) / chances)
    assert (abs(happened - said) < 4 * error + 1e-12).all()
    assert chances.sum() == 400 * 50 * 8
    flat = reliability(test, SparsePlusLowRank(np.full((50, 1), 1 / 8), np.ones((1, 8))))
    assert flat.said == pytest.approx(1 / 8)
