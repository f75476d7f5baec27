"""Pairs that are held out: how they are dealt, and what components give to them."""

import numpy as np
import pytest
from inputs import EDGES, random_counts

from condprob import CountMatrix
from condprob.pitman_yor.bases import Background, FittedBase
from condprob.pitman_yor.held_out import (
    DEALS_OF_SHORT,
    FOLDS,
    FoldPairs,
    count_once,
    deal_often,
    deal_on,
    deal_out,
    predict_fold,
    split_counts,
)

K = 30
COUNTS = random_counts(1, K, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)


@pytest.mark.parametrize("folds", [1, 2, 6])
def test_every_pair_is_dealt_out_once(folds):
    for counts in (COUNTS, REAL, *EDGES.values()):
        parts = split_counts(counts, folds, np.random.default_rng(1))
        assert len(parts) == folds
        assert all((part >= 0).all() for part in parts)
        np.testing.assert_allclose(np.sum(parts, axis=0), counts.values, rtol=1e-15)
        again = split_counts(counts, folds, np.random.default_rng(1))
        np.testing.assert_array_equal(parts, again)


def test_whole_counts_are_dealt_out_evenly_and_real_ones_like_them():
    counts = CountMatrix.from_dense([[6000, 60], [0, 600]])
    parts = np.array(split_counts(counts, 6, np.random.default_rng(1)))
    # Five standard deviations of a binomial number, sqrt(n 5 / 36) each.
    assert (abs(parts - counts.values / 6) < 5 * (counts.values * 5 / 36) ** 0.5).all()
    # All are multiples of 0.3, which is what one observation weighs.
    parts = np.array(split_counts(REAL, 6, np.random.default_rng(1)))
    whole = split_counts(COUNTS, 6, np.random.default_rng(1))
    np.testing.assert_allclose(parts, 0.3 * np.array(whole), rtol=1e-15)


@pytest.mark.parametrize("counts", [COUNTS, REAL], ids=["whole", "real"])
def test_what_is_left_of_a_fold_and_the_fold_are_the_counts(counts):
    folds = deal_out(counts, np.random.default_rng(1))
    assert len(folds) == FOLDS
    for rest, held_out in folds:
        np.testing.assert_allclose((rest + held_out).dense(), counts.dense())
    np.testing.assert_allclose(sum(fold.held_out.dense() for fold in folds), counts.dense())


def test_of_one_pair_nothing_can_be_held_out():
    one = CountMatrix.from_dense([[0, 2.5], [0, 0]])
    assert deal_out(one, np.random.default_rng(1)) == []
    twice = deal_out(EDGES["one pair many times"], np.random.default_rng(1))
    assert all(fold.rest.n and fold.held_out.n for fold in twice)


def test_folds_are_held_out_until_there_is_enough():
    # The rests of 400 pairs have about 270 distinct ones each.
    sizes = np.cumsum([fold.rest.nnz for fold in deal_out(COUNTS, np.random.default_rng(1))])
    for enough, number in (
        (1, 1), (sizes[0], 1), (sizes[0] + 1, 2), (sizes[2], 3), (10 * sizes[-1], FOLDS),
    ):  # fmt: skip
        folds = deal_often(COUNTS, enough, 400, np.random.default_rng(1))
        assert [fold.rest.nnz for fold in folds] == np.diff(sizes[:number], prepend=0).tolist()


def test_few_pairs_are_dealt_out_anew_until_enough_have_been_asked():
    for asked, deals in ((400, 1), (590, 1), (610, 2), (1000, 2), (1100, 3), (10**6, 3)):
        folds = deal_often(COUNTS, 1, asked, np.random.default_rng(1))
        if deals > 1:
            assert len(folds) == deals * FOLDS
            asked_in_all = sum(fold.held_out.dense() for fold in folds)
            np.testing.assert_array_equal(asked_in_all, deals * COUNTS.dense())
            assert not np.array_equal(folds[0].held_out.dense(), folds[FOLDS].held_out.dense())
        else:
            assert len(folds) == 1
    assert deal_often(CountMatrix.from_dense([[2.5]]), 1, 100, np.random.default_rng(1)) == []


@pytest.mark.parametrize("asked", [400, 1000])
def test_those_of_a_short_text_are_dealt_out_anew_as_often_in_all(asked):
    rng = np.random.default_rng(1)
    folds = deal_often(COUNTS, np.inf, asked, rng)
    folds += deal_on(COUNTS, folds, rng)
    assert len(folds) == DEALS_OF_SHORT * FOLDS
    in_all = sum(fold.held_out.dense() for fold in folds)
    np.testing.assert_array_equal(in_all, DEALS_OF_SHORT * COUNTS.dense())


def test_pairs_that_were_asked_more_than_once_count_once():
    # Of 400 pairs 800 answers count half each; 300 answers, one each.
    part = FoldPairs(COUNTS, *np.zeros((2, 2), int), np.array([300.0, 100.0]), np.ones((2, 1)))
    for found in count_once([part, part], 400):
        assert found.counts.tolist() == [150, 50]
    assert count_once([part], 400)[0].counts.tolist() == [300, 100]
    assert count_once([part], 900)[0].counts.tolist() == [300, 100]


def test_held_out_pairs_are_given_what_the_components_give():
    fold = deal_out(COUNTS, np.random.default_rng(1))[0]
    rng = np.random.default_rng(2)
    base = FittedBase(rng.dirichlet(np.ones(3), K), rng.dirichlet(np.ones(K), 3), np.empty(0))
    part = predict_fold(fold, [base, Background("uniform").fit(fold.rest)])
    C, rest = fold.held_out.dense(), fold.rest.dense()
    assert part.counts.sum() == C.sum()
    for i, j, count, given, is_new in zip(
        part.contexts, part.outcomes, part.counts, part.bases, part.is_new, strict=True
    ):
        assert count == C[i, j]
        assert is_new == (rest[i, j] == 0)
        np.testing.assert_allclose(given, [base.W[i] @ base.H[:, j], 1 / K])
    assert 0 < part.is_new.sum() < part.is_new.size
