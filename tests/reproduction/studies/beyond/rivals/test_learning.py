"""Settings that the rivals learn on held-out pairs: how pairs are dealt, and simulated truth."""

import numpy as np
import pytest
from inputs import EDGES, random_counts

from condprob import CountMatrix
from condprob.methods.pitman_yor.constants import BINS
from condprob.methods.pitman_yor.novelty import bin_of
from reproduction.studies.beyond.rivals.learning import (
    DISCOUNTS,
    FOLDS,
    STRENGTHS,
    FoldPairs,
    choose,
    count_once,
    deal_often,
    deal_out,
    learn,
    predict_fold,
    without_pairs,
)
from reproduction.studies.beyond.rivals.rows_around_base import FittedBase, Learned, rows_around

K = 30
COUNTS = random_counts(1, K, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)
TRUTH = np.array([0.6, 0.3, 0.1])
NO_PRIOR = np.full(3, 1e-9)


@pytest.mark.parametrize("counts", [COUNTS, REAL], ids=["whole", "real"])
def test_each_pair_is_held_out_once_in_all_folds(counts):
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


def test_folds_are_held_out_until_there_is_enough_and_few_pairs_again():
    # The rests of 400 pairs have about 270 distinct ones each.
    sizes = np.cumsum([fold.rest.nnz for fold in deal_out(COUNTS, np.random.default_rng(1))])
    for enough, number in ((1, 1), (sizes[0] + 1, 2), (10 * sizes[-1], FOLDS)):
        folds = deal_often(COUNTS, enough, 400, np.random.default_rng(1))
        assert [fold.rest.nnz for fold in folds] == np.diff(sizes[:number], prepend=0).tolist()
    for pairs, deals in ((610, 2), (1100, 3), (10**6, 3)):
        folds = deal_often(COUNTS, 1, pairs, np.random.default_rng(1))
        in_all = sum(fold.held_out.dense() for fold in folds)
        np.testing.assert_array_equal(in_all, deals * COUNTS.dense())


def test_pairs_that_were_held_out_more_than_once_count_once():
    # Of 400 pairs 800 observations count half each; 300 observations, one each.
    part = FoldPairs(COUNTS, *np.zeros((2, 2), int), np.array([300.0, 100.0]), np.ones((2, 1)))
    for found in count_once([part, part], 400):
        assert found.counts.tolist() == [150, 50]
    assert count_once([part], 900)[0].counts.tolist() == [300, 100]


def test_held_out_pairs_have_the_probabilities_of_the_components():
    fold = deal_out(COUNTS, np.random.default_rng(1))[0]
    rng = np.random.default_rng(2)
    base = FittedBase(rng.dirichlet(np.ones(3), K), rng.dirichlet(np.ones(K), 3), np.empty(0))
    part = predict_fold(fold, [base])
    C = fold.held_out.dense()
    np.testing.assert_array_equal(part.counts, C[part.contexts, part.outcomes])
    assert part.counts.sum() == C.sum()
    np.testing.assert_allclose(part.bases[:, 0], (base.W @ base.H)[part.contexts, part.outcomes])


def simulate(strength, discount, shares, n=60_000):
    """Draw pairs from rows around a mixture of three bases, and hold them out."""
    bases = np.random.default_rng(2).dirichlet(np.full(K, 0.2), size=(3, K))
    entries, left = rows_around(COUNTS, strength, discount)
    Q = left[:, None] * np.tensordot(shares, bases, 1)
    if entries is not None:
        Q[COUNTS.contexts, COUNTS.outcomes] += entries
    rng = np.random.default_rng(3)
    drawn = np.array([rng.multinomial(n // K, row / row.sum()) for row in Q])
    contexts, outcomes = np.nonzero(drawn)
    given = drawn[contexts, outcomes].astype(float), bases[:, contexts, outcomes].T
    return FoldPairs(COUNTS, contexts, outcomes, *given)


@pytest.mark.parametrize(
    ("strength", "discount"),
    [(0.0, 0.5), (0.0, "modified"), (np.inf, 0.0), (4.0, 0.0), (64.0, 0.9), (4.0, 0.5)],
)
def test_strength_discount_and_shares_are_those_that_generated_the_pairs(strength, discount):
    # Around a base with strength the discount 0 has to be found, though without strength it gives
    # pairs probability zero.
    learned = learn([simulate(strength, discount, TRUTH)], ("modified", 0.0, 0.5, 0.9), NO_PRIOR)
    assert learned.strength == strength
    assert learned.discount == discount or np.isinf(strength)
    np.testing.assert_allclose(learned.shares, np.tile(TRUTH, (len(BINS) + 1, 1)), atol=0.1)


def test_where_pairs_cannot_tell_the_base_is_left_alone():
    # None of the held-out pairs has a context that the others have: rows of any strength are the
    # base there.
    seen = COUNTS.contexts < K // 2
    counts = CountMatrix.from_pairs(
        COUNTS.contexts[seen], COUNTS.outcomes[seen], K, weights=COUNTS.values[seen]
    )
    part = simulate(np.inf, 0.5, TRUTH)
    part = FoldPairs(counts, *(array[part.contexts >= K // 2] for array in part[1:]))
    learned = learn([part], ("modified", 0.5), NO_PRIOR)
    assert np.isinf(learned.strength)
    np.testing.assert_allclose(learned.shares[0], TRUTH, atol=0.05)


def test_contexts_of_a_bin_have_shares_of_their_own():
    few, many = (simulate(np.inf, 0.5, shares, 90_000) for shares in (TRUTH, TRUTH[::-1]))
    is_often = bin_of(COUNTS.row_sums) >= 3
    parts = [
        FoldPairs(COUNTS, *(array[is_often[part.contexts] == often] for array in part[1:]))
        for part, often in ((few, False), (many, True))
    ]
    shares = learn(parts, ("modified",), NO_PRIOR).shares
    for bin in set(bin_of(COUNTS.row_sums)):
        np.testing.assert_allclose(shares[bin], TRUTH[::-1] if bin >= 3 else TRUTH, atol=0.08)


@pytest.mark.parametrize(("n", "dropped"), [(600, False), (9000, True)])
def test_a_tiny_share_is_dropped_where_there_are_pairs_enough_to_tell(n, dropped):
    part = simulate(np.inf, 0.5, np.array([0.7, 0.3, 0.0]), n)
    shares = learn([part], (0.5,), np.full(3, 0.05)).shares
    assert (shares[:, 2] == 0).all() == dropped
    assert (shares[:, :2] > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("likelihoods", "expected"),
    [
        # All as likely: the smallest discount, and the largest strength beside it.
        ({(0.0, 0.5): -7, (4.0, 0.5): -7, (np.inf, 0.5): -7, (4.0, 0.9): -7}, (np.inf, 0.5)),
        # A smaller discount counts for more than a larger strength.
        ({(4.0, 0.5): -7, (0.0, 0.5): -7, (np.inf, 0.9): -7}, (4.0, 0.5)),
        # Settings that are less likely are not among them.
        ({(np.inf, 0.0): -8, (np.inf, 0.5): -7.5, (1.0, 0.9): -7, (0.0, 0.9): -7}, (1.0, 0.9)),
        # Less likely, but by less than the limit.
        ({(1.0, 0.5): -7, (2.0, 0.5): -7.0001}, (2.0, 0.5)),
        ({(1.0, 0.5): -np.inf, (2.0, 0.5): -np.inf}, (2.0, 0.5)),
    ],
)
def test_ties_go_to_the_smallest_discount_and_its_largest_strength(likelihoods, expected):
    for order in (1, -1):
        results = [Learned(*key, None, value) for key, value in list(likelihoods.items())[::order]]
        best = choose(results, (0.0, 0.5, 0.9), 0.001)
        assert (best.strength, best.discount) == expected


def test_without_held_out_pairs_shares_are_equal_and_the_discount_is_the_largest():
    found = without_pairs(DISCOUNTS, 4)
    assert (found.strength, found.discount) == (STRENGTHS[0], 0.9)
    np.testing.assert_array_equal(found.shares, np.full((len(BINS) + 1, 4), 1 / 4))
