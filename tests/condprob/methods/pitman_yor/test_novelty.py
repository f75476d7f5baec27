"""What goes to outcomes never seen: small cases by hand, the slow formula, whole rows."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.methods.pitman_yor.constants import LIKE_PAIRS
from condprob.methods.pitman_yor.mixture import first_alone
from condprob.methods.pitman_yor.novelty import bin_of, lacking_shares, unseen_mass

BIN = np.zeros(4, dtype=int)


def share_of(counts, given):
    """Return the share that moves if rows, shape (contexts,), give so much to outcomes unseen."""
    return lacking_shares(counts, given, BIN, 1)[0]


def test_of_the_distinct_pairs_those_count_whose_outcome_has_no_other():
    # Outcome 0 after two contexts, 1 and 2 after one each, however often; 3 and 4 never: two of
    # four pairs, and one more that is no such pair.
    counts = CountMatrix.from_dense([[5, 9, 0, 0, 0], [1, 0, 2, 0, 0], [0] * 5, [0] * 5])
    share = 2 / 5
    found = unseen_mass(counts, BIN, 1)
    np.testing.assert_allclose(found, (2 + LIKE_PAIRS * share) / (4 + LIKE_PAIRS))


def test_an_outcome_never_seen_has_no_more_than_one_that_is_in_one_pair():
    pairs = ((0, 0, 1, 2, 3, 3), (0, 1, 0, 2, 3, 4))  # outcomes 1 to 4 are in one pair each
    of_only_ones = (4 + LIKE_PAIRS * 4 / 7) / (6 + LIKE_PAIRS)
    for unseen, expected in ((1, 1 / 4), (3, 3 / 4), (4, 1), (40, 1)):
        counts = CountMatrix.from_pairs(*pairs, shape=(4, 5 + unseen))
        (found,) = unseen_mass(counts, BIN, 1)
        assert found == pytest.approx(expected * of_only_ones)


def test_of_the_tokens_those_count_whose_outcome_has_no_other():
    # Outcomes 1 and 3 have one token, 0 and 2 have more, 4 and 5 none: two of 13 tokens.
    counts = CountMatrix.from_dense([[5, 1, 0, 0, 0, 0], [4, 0, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0]])
    share = 2 / 14
    found = unseen_mass(counts, np.array([0, 0, 1]), 2, "tokens")
    expected = (1 + LIKE_PAIRS * share) / (np.array([12, 1]) + LIKE_PAIRS)
    np.testing.assert_allclose(found, expected)


def test_where_each_pair_occurs_once_tokens_and_pairs_are_alike():
    counts = random_counts(4, 40, 60)
    counts = CountMatrix.from_dense(np.minimum(counts.dense(), 1))
    bins = bin_of(counts.row_sums)
    found = [unseen_mass(counts, bins, 7, of) for of in ("pairs", "tokens")]
    assert found[0].any()
    np.testing.assert_allclose(*found)


def test_a_bin_has_its_own_of_many_pairs_and_that_of_all_of_none():
    many = 10_000
    C = np.zeros((3, 3 * many), dtype=int)
    C[0, :many] = C[1, : 2 * many] = 1  # in row 0 all are shared, in row 1 half of them
    found = unseen_mass(CountMatrix.from_dense(C), np.arange(3), 3)
    np.testing.assert_allclose(found, [0, 0.5, 1 / 3], atol=0.01)


@pytest.mark.parametrize(
    "C", [np.ones((4, 4)), np.zeros((4, 4)), np.diag([3.0, 1, 2, 5])], ids=["seen", "none", "all"]
)
def test_nothing_is_left_to_give_where_all_outcomes_were_seen_or_none(C):
    counts = CountMatrix.from_dense(C)
    assert not unseen_mass(counts, BIN, 1).any()
    assert share_of(counts, np.zeros(4)) == 0


def test_rows_keep_something_for_what_was_seen_even_where_each_pair_is_an_only_one():
    counts = CountMatrix.from_dense(np.eye(4, 9, dtype=int))
    assert 0.5 < share_of(counts, np.zeros(4)) < 1


def test_shares_make_up_what_is_lacking_and_no_more():
    counts = CountMatrix.from_dense([[5, 9, 0, 0, 0], [1, 0, 2, 0, 0], [0] * 5, [0] * 5])
    (wanted,) = unseen_mass(counts, BIN, 1)
    given = np.array([0.1, 0.3, 0.2, 0.0])
    share = share_of(counts, given)
    weights = np.array([14, 3, 1, 1])  # rows never seen count once
    after = share + (1 - share) * given
    np.testing.assert_allclose(weights @ after / weights.sum(), wanted)
    assert share_of(counts, np.full(4, 0.9)) == 0


@pytest.mark.parametrize("factor", [1, 0.3])
@pytest.mark.parametrize("n", [40, 90])  # with many outcomes never seen, and with few
def test_rows_of_a_sequence_are_raised_by_the_slow_formula(n, factor):
    counts = CountMatrix.from_sparse(random_counts(4, 40, n).sparse() * factor)
    assert (sum(counts.column_sums == 0) < sum(counts.distinct_contexts == 1)) == (n == 90)
    C = np.rint(counts.dense() / factor)  # in tokens
    estimator = method("py-lr", largest_rank=3, chains=1, sweeps=8)
    learned = estimator._learn(counts, 0.5, np.random.default_rng(1), False)
    with_it, without = (estimator.assemble(learned, first_alone(), of) for of in (True, False))
    assert not without.lacking.any()
    bins = bin_of(C.sum(axis=1))
    Q, lacking = reference.with_novelty(C, without.dense(), bins, LIKE_PAIRS)
    assert lacking.any()
    np.testing.assert_allclose(with_it.lacking, lacking, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(with_it.dense(), Q, rtol=1e-9)
    np.testing.assert_allclose(with_it.dense().sum(axis=1), 1)


def test_of_a_text_of_many_topics_it_comes_nearer_to_the_next_part():
    """Each topic has names of its own, each after its own title, and repeats them."""
    rng = np.random.default_rng(5)
    topics, names, common, length = 20, 15, 40, 200
    parts = []
    for topic in range(topics):
        of_topic = common + topic * names + rng.integers(names, size=length)
        titles = of_topic % common
        plain = rng.integers(common, size=(length, 2))
        is_named = rng.random(length) < 0.3
        parts.append(np.where(is_named[:, None], np.column_stack([titles, of_topic]), plain))
    train, test = (np.concatenate(half).ravel() for half in (parts[:10], parts[10:]))
    counts = CountMatrix.from_pairs(train[:-1], train[1:], common + topics * names)
    is_new = counts.column_sums == 0
    actual = is_new[test[1:]].mean()
    estimator = method("py-lr", largest_rank=3, chains=1, sweeps=40)
    learned = estimator._learn(counts, 0.5, np.random.default_rng(1), False)
    found, without = (
        estimator.assemble(learned, first_alone(), of).rows(test[:-1])[:, is_new].sum(axis=1)
        for of in (True, False)
    )
    assert abs(found.mean() - actual) < 0.7 * abs(without.mean() - actual)
