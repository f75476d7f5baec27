"""Settings by held-out pairs, against slow formulas and simulated truth."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix
from condprob.pitman_yor.bases import Background, LowRankBase
from condprob.pitman_yor.held_out import FoldPairs
from condprob.pitman_yor.rows import BINS, bin_of, rows_around
from condprob.pitman_yor.settings import (
    DISCOUNTS,
    STRENGTHS,
    Candidates,
    KindComparison,
    Learned,
    choose,
    learn,
    list_candidates,
    prior_of,
    without_pairs,
)

K = 30
COUNTS = random_counts(1, K, 400)
TRUTH = np.array([0.6, 0.3, 0.1])
NO_PRIOR = [np.full(3, 1e-9)]


def dense(counts, rows, base):
    """Return the whole matrix of `Rows` around a base, (contexts, outcomes)."""
    Q = rows.left[:, None] * base
    Q[counts.contexts, counts.outcomes] += rows.entries
    return Q


def draw_bases(components=3):
    return np.random.default_rng(2).dirichlet(np.full(K, 0.2), size=(components, K))


def hold_out(counts, Q, n, seed=3):
    """Draw ``n`` pairs of evenly spread contexts from the rows of ``Q``, and hold them out."""
    rng = np.random.default_rng(seed)
    drawn = np.array([rng.multinomial(n // K, row / row.sum()) for row in Q])
    contexts, outcomes = np.nonzero(drawn)
    bases = draw_bases()[:, contexts, outcomes].T
    return FoldPairs(counts, contexts, outcomes, drawn[contexts, outcomes].astype(float), bases)


def simulate(strength, discount, n=60_000, shares=TRUTH):
    base = np.tensordot(shares, draw_bases(), 1)
    return hold_out(COUNTS, dense(COUNTS, rows_around(COUNTS, strength, discount), base), n)


@pytest.mark.parametrize("strength", [0.0, 2.0, np.inf])
def test_shares_are_those_that_generated_the_pairs(strength):
    part = simulate(strength, 0.5)
    learned = learn([part], Candidates([strength], [0.5]), NO_PRIOR)
    assert (learned.strength, learned.discount) == (strength, 0.5)
    np.testing.assert_allclose(learned.shares.sum(axis=1), 1)
    assert learned.shares.shape == (BINS.size + 1, 3)
    for shares in learned.shares:
        np.testing.assert_allclose(shares, TRUTH, atol=0.05)


def test_contexts_of_a_bin_have_shares_of_their_own():
    often = bin_of(COUNTS.row_sums) >= 3
    few, many = TRUTH, TRUTH[::-1]
    base = np.where(
        often[:, None], *(np.tensordot(shares, draw_bases(), 1) for shares in (many, few))
    )
    learned = learn([hold_out(COUNTS, base, 90_000)], Candidates([np.inf], [0.5]), NO_PRIOR)
    for bin in set(bin_of(COUNTS.row_sums)):
        np.testing.assert_allclose(learned.shares[bin], many if bin >= 3 else few, atol=0.08)


@pytest.mark.parametrize(
    ("strength", "discount"),
    [(0.0, 0.5), (0.0, "modified"), (np.inf, 0.0), (4.0, 0.0), (64.0, 0.9), (4.0, 0.5)],
)
def test_strength_and_discount_are_those_that_generated_the_pairs(strength, discount):
    # Around a base with strength the discount 0 has to be found, though without strength it gives
    # pairs probability zero.
    part = simulate(strength, discount)
    learned = learn([part], Candidates(STRENGTHS, ["modified", 0.0, 0.5, 0.9]), NO_PRIOR)
    assert learned.strength == strength
    assert learned.discount == discount or np.isinf(strength)
    np.testing.assert_allclose(learned.shares, np.tile(TRUTH, (BINS.size + 1, 1)), atol=0.1)


def test_settings_that_exclude_a_pair_are_borne_where_there_are_no_others():
    learned = learn([simulate(4.0, 0.0)], Candidates([0.0], [0.0]), NO_PRIOR)
    assert learned.likelihood == -np.inf
    np.testing.assert_allclose(learned.shares, 1 / 3)


@pytest.mark.parametrize("n", [300, 2400])
def test_the_shares_of_all_are_those_of_slow_em_and_have_the_likelihood_that_is_told(n):
    part, prior = simulate(2.0, 0.5, n), np.array([3.0, 1.0, 0.5])
    learned = learn([part], Candidates([2.0], [0.5]), [prior])
    empty = next(bin for bin in range(BINS.size + 1) if bin not in bin_of(COUNTS.row_sums))
    shares = learned.shares[empty]  # no pair speaks for it: the shares of all
    rows = rows_around(COUNTS, 2.0, 0.5)
    sparse = dense(COUNTS, rows, np.zeros((K, K)))[part.contexts, part.outcomes]
    left = rows.left[part.contexts]
    slow = reference.mix_shares(sparse, left, part.bases, part.counts, prior, 200)
    np.testing.assert_allclose(shares, slow, atol=1e-4)
    likelihood = part.counts @ np.log(sparse + left * (part.bases @ slow))
    assert learned.likelihood == pytest.approx(likelihood, rel=1e-6)
    given = sparse, left, part.bases, part.counts, prior
    np.testing.assert_allclose(reference.mix_shares(*given, 1, shares), shares, atol=1e-6)
    likelihood = part.counts @ np.log(sparse + left * (part.bases @ shares))
    assert learned.likelihood == pytest.approx(likelihood, rel=1e-12)


@pytest.mark.parametrize("same", [False, True])
def test_shares_at_the_edge_are_found(same):
    # One base explains all pairs; of two that are the same any split is as likely, but for the
    # prior, which is even.
    part = simulate(np.inf, 0.5, 3000, np.array([1.0, 0.0, 0.0]))
    if same:
        part = part._replace(bases=part.bases[:, [0, 0, 2]])
    shares = learn([part], Candidates([np.inf], [0.5]), [np.full(3, 1e-3)]).shares[-1]
    np.testing.assert_allclose(shares, [0.5, 0.5, 0] if same else [1, 0, 0], atol=1e-3)


def test_where_pairs_cannot_tell_the_base_is_left_alone():
    # None of the held-out pairs has a context that the others have: rows of any strength are the
    # base there.
    seen = COUNTS.contexts < K // 2
    counts = CountMatrix.from_pairs(
        COUNTS.contexts[seen], COUNTS.outcomes[seen], K, weights=COUNTS.values[seen]
    )
    part = simulate(np.inf, 0.5)
    new = part.contexts >= K // 2
    part = FoldPairs(counts, *(array[new] for array in part[1:]))
    learned = learn([part], Candidates(STRENGTHS, ["modified", 0.5]), NO_PRIOR)
    assert np.isinf(learned.strength)
    np.testing.assert_allclose(learned.shares[0], TRUTH, atol=0.05)


def test_a_bin_with_few_pairs_stays_near_the_shares_of_all():
    few = simulate(2.0, 0.5, 60, TRUTH[::-1])
    many = simulate(2.0, 0.5, 60_000)
    sizes = bin_of(COUNTS.row_sums)
    rare = sizes[many.contexts] == 1
    only_rare = sizes[few.contexts] == 1
    parts = [
        FoldPairs(COUNTS, *(array[keep] for array in part[1:]))
        for part, keep in ((many, ~rare), (few, only_rare))
    ]
    assert 0 < parts[1].counts.sum() < 50
    shares = learn(parts, Candidates([2.0], [0.5]), NO_PRIOR).shares
    assert 0.001 < abs(shares[1] - shares[0]).max() < 0.25
    np.testing.assert_allclose(shares[0], TRUTH, atol=0.05)


@pytest.mark.parametrize(("n", "dropped"), [(600, False), (9000, True)])
def test_a_tiny_share_is_dropped_where_there_are_pairs_enough_to_tell(n, dropped):
    part = simulate(np.inf, 0.5, n, np.array([0.7, 0.3, 0.0]))
    shares = learn([part], Candidates([np.inf], [0.5]), [np.full(3, 0.05)]).shares
    assert (shares[:, 2] == 0).all() == dropped
    assert (shares[:, :2] > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_parts_are_judged_together():
    one, two = simulate(2.0, 0.5, 3000), simulate(2.0, 0.5, 3000)
    both = learn([one, two], Candidates([2.0], [0.5]), NO_PRIOR)
    assert both.likelihood == pytest.approx(
        2 * learn([one], Candidates([2.0], [0.5]), NO_PRIOR).likelihood, rel=1e-6
    )


@pytest.mark.parametrize(
    ("likelihoods", "expected"),
    [
        # All as likely: the smallest discount, and the largest strength beside it.
        ({(0.0, 0.5): -7, (4.0, 0.5): -7, (np.inf, 0.5): -7, (4.0, 0.9): -7}, (np.inf, 0.5)),
        # A smaller discount counts for more than a larger strength.
        ({(4.0, 0.5): -7, (0.0, 0.5): -7, (np.inf, 0.9): -7}, (4.0, 0.5)),
        # What is less likely is not among them, though it would be preferred.
        ({(np.inf, 0.0): -8, (np.inf, 0.5): -7.5, (1.0, 0.9): -7, (0.0, 0.9): -7}, (1.0, 0.9)),
        # Less likely by less than what is as likely.
        ({(1.0, 0.5): -7, (2.0, 0.5): -7.0001}, (2.0, 0.5)),
        ({(1.0, 0.5): -np.inf, (2.0, 0.5): -np.inf}, (2.0, 0.5)),
    ],
)
def test_ties_go_to_the_smallest_discount_and_its_largest_strength(likelihoods, expected):
    for order in (1, -1):
        tried = [Learned(*key, None, value) for key, value in list(likelihoods.items())[::order]]
        best = choose(tried, (0.0, 0.5, 0.9), 0.001)
        assert (best.strength, best.discount) == expected


@pytest.mark.parametrize(
    ("strength", "discount", "is_whole", "expected"),
    [
        ("learned", "learned", True, (STRENGTHS, ("modified",))),
        ("learned", "learned", False, (STRENGTHS, DISCOUNTS)),
        ("infinite", "learned", False, ((np.inf,), (0.0,))),
        ("infinite", 0.3, True, ((np.inf,), (0.3,))),
        (2.0, "estimated", True, ((2.0,), ("estimated",))),
    ],
)
def test_what_is_tried_follows_from_the_options(strength, discount, is_whole, expected):
    candidates = list_candidates(strength, discount, is_whole)
    assert candidates == expected
    assert candidates.number == len(expected[0]) * len(expected[1])


def test_pseudo_pairs_are_shared_by_all_and_by_those_of_low_rank():
    # A tenth of one by four components, three by two of them.
    components = [LowRankBase("types", 2), LowRankBase("types", 3)]
    components += [Background("unigram"), Background("uniform")]
    np.testing.assert_allclose(prior_of(components), [1.525, 1.525, 0.025, 0.025])
    np.testing.assert_allclose(prior_of(components[2:]), [0.05, 0.05])
    # A kind that is left out has none; the others share what there is.
    components.insert(1, LowRankBase("tokens", 2))
    np.testing.assert_allclose(prior_of(components, "tokens"), [1.525, 0, 1.525, 0.025, 0.025])
    np.testing.assert_allclose(prior_of(components, "types"), [0, 3.1 - 0.2 / 3, 0, *[0.1 / 3] * 2])


def test_under_several_priors_the_shares_are_the_mean_of_those_under_each():
    # The last component has no share under the second prior, which weighs a quarter.
    part, candidates = simulate(2.0, 0.5, 3000), Candidates([2.0], [0.5])
    priors = [np.full(3, 0.05), np.array([0.05, 0.05, 0.0])]
    both = learn([part], candidates, priors, [0.75, 0.25])
    one, other = (learn([part], candidates, [prior]) for prior in priors)
    assert (other.shares[:, 2] == 0).all()
    np.testing.assert_allclose(both.shares, 0.75 * one.shares + 0.25 * other.shares)
    assert both.likelihood == pytest.approx(0.75 * one.likelihood + 0.25 * other.likelihood)
    # One without weight is not asked.
    np.testing.assert_array_equal(learn([part], candidates, priors, [1.0, 0.0]).shares, one.shares)


def test_of_several_priors_the_strength_is_the_likeliest_by_the_mean():
    part, candidates = simulate(2.0, 0.5, 3000), Candidates(STRENGTHS, [0.5])
    priors = [np.full(3, 0.05), np.array([0.05, 0.0, 0.0])]
    likelihoods = []
    for strength in STRENGTHS:
        found = [learn([part], Candidates([strength], [0.5]), [prior]) for prior in priors]
        likelihoods.append([one.likelihood for one in found])
    for weight in (0.0, 0.3, 1.0):
        learned = learn([part], candidates, priors, [weight, 1 - weight])
        expected = np.argmax(np.array(likelihoods) @ [weight, 1 - weight])
        assert learned.strength == STRENGTHS[expected]


def test_kinds_are_weighed_by_what_each_gives_the_pairs_at_its_best():
    # Two components of one rank each: their settings are strength alone, tried one by one.
    part = simulate(2.0, 0.5, 600)
    part = part._replace(bases=part.bases[:, :2])
    components = [LowRankBase("types", 2), LowRankBase("tokens", 2)]
    evidence = KindComparison.of([part], Candidates(STRENGTHS, [0.5]), components).weigh()
    alone = []
    for b in range(2):
        given = []
        for strength in STRENGTHS:
            rows = rows_around(COUNTS, strength, 0.5)
            sparse = dense(COUNTS, rows, np.zeros((K, K)))[part.contexts, part.outcomes]
            given.append(np.log(sparse + rows.left[part.contexts] * part.bases[:, b]))
        alone.append(max(given, key=lambda log_q: part.counts @ log_q))
    gains = np.repeat(alone[0] - alone[1], part.counts.astype(int))
    new = part.counts @ (COUNTS.dense()[part.contexts, part.outcomes] == 0)
    assert 0 < evidence.pairs == new < gains.size
    assert evidence.gain == pytest.approx(gains.sum() / new)
    assert evidence.error == pytest.approx(gains.std() * gains.size**0.5 / new)


def test_what_tokens_add_is_measured_with_the_rows_of_types_alone():
    part = simulate(2.0, 0.5, 600)
    part = part._replace(bases=part.bases[:, :2])
    components = [LowRankBase("types", 2), LowRankBase("tokens", 2)]
    kinds = KindComparison.of([part], Candidates(STRENGTHS, [0.5]), components)
    added = kinds.gain_of_tokens(components)
    rows = rows_around(COUNTS, kinds.types.strength, 0.5)
    sparse = dense(COUNTS, rows, np.zeros((K, K)))[part.contexts, part.outcomes]

    def explain(share):
        base = part.bases @ [share, 1 - share]
        return np.log(sparse + rows.left[part.contexts] * base)

    shares = np.linspace(0, 1, 20_001)[1:-1]  # the likeliest, pseudo-pairs included
    priors = prior_of(components)
    penalised = [part.counts @ explain(x) + priors @ np.log([x, 1 - x]) for x in shares]
    gains = explain(shares[int(np.argmax(penalised))]) - explain(1.0)
    assert added.gain == pytest.approx(part.counts @ gains / added.pairs, abs=1e-6)


def test_what_is_impossible_under_both_kinds_tells_nothing_of_them():
    """A row that keeps all it has seen gives nothing to a new pair, whatever the base."""
    counts = CountMatrix.from_dense(np.array([[3, 1, 0], [0, 0, 0], [0, 0, 0]]))
    bases = np.array([[0.2, 0.1], [0.3, 0.4], [0.1, 0.3]])  # by types and by tokens
    components = [LowRankBase("types", 2), LowRankBase("tokens", 2)]
    places = np.array([0, 1, 2]), np.array([2, 0, 1])
    part = FoldPairs(counts, *places, np.array([1.0, 2.0, 2.0]), bases)
    evidence = KindComparison.of([part], Candidates([0.0], [0.0]), components).weigh()
    gains = np.log([1, 3 / 4, 1 / 3])
    assert evidence.pairs == 5
    assert evidence.gain == pytest.approx(part.counts @ gains / 5)


def test_without_held_out_pairs_shares_are_equal_and_the_discount_is_the_largest():
    found = without_pairs(Candidates(STRENGTHS, DISCOUNTS), 4)
    assert (found.strength, found.discount) == (0.0, 0.9)
    np.testing.assert_array_equal(found.shares, np.full((BINS.size + 1, 4), 1 / 4))
