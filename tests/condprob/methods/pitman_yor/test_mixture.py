"""The mixture of three rows and of outcomes never seen, against its equations on small cases."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.methods.pitman_yor import constants
from condprob.methods.pitman_yor.mixture import (
    Evidence,
    base_of,
    chances_at,
    is_unseen,
    learn_shares,
    loss_of,
    masses_of,
    mix_rows,
    parts_of,
)
from condprob.methods.pitman_yor.rows import Rows, count_tokens, learn_discounts

STRENGTH = 1.7
C = np.zeros((7, 9), dtype=int)  # a context and two outcomes were never seen
C[:6, :7] = np.random.default_rng(2).geometric(0.4, (6, 7)) - 1
C[:, 0] = [4, 3, 0, 1, 1, 2, 0]
COUNTS = CountMatrix.from_dense(C)


def parts_by_hand(C, left, right):
    """Return the three rows, (3, contexts, outcomes), by Eq. (1), and Kneser-Ney's lower order."""
    lower = method("kn", discount="modified").fit(C).right[0]
    base, sums = left @ right, C.sum(axis=1, keepdims=True)
    three, found = reference.three_discounts(C), []
    for taken, strength, around in (
        (three, STRENGTH, base),
        (0.75 * (C > 0), STRENGTH, base),
        (three, 0.0, lower),
    ):
        row = C - taken + (strength + taken.sum(axis=1, keepdims=True)) * around
        row = np.where(sums > 0, row / np.where(sums > 0, strength + sums, 1), around)
        found.append(row)
    return np.array(found)


def problem(C, seed=0, classes=3):
    """Return counts, their parts as the library has them, and the factors of a random base."""
    rng = np.random.default_rng(seed)
    counts = CountMatrix.from_dense(C)
    left = rng.dirichlet(np.ones(classes), len(C))
    right = rng.dirichlet(np.ones(C.shape[1]), classes)
    right[:, C.sum(axis=0) == 0] = 0.05  # such outcomes are alike
    right /= right.sum(axis=1, keepdims=True)
    tokens = count_tokens(counts)
    rows, base = Rows(counts, tokens.values, learn_discounts(tokens)), base_of(counts, left, right)
    return counts, base, parts_of(rows, STRENGTH, base), (left, right)


def dense(counts, base, left, entries):
    """Return the rows of a mixture, as a matrix of it has them."""
    new = is_unseen(counts)
    where = new if new.any() else np.ones(new.size)
    Q = left @ np.vstack([base.right, where / where.sum(), base.lower])
    Q[counts.contexts, counts.outcomes] += entries
    return Q


@pytest.mark.parametrize("columns", [9, 7], ids=["some never seen", "all seen"])
def test_a_row_mixes_three_among_outcomes_that_were_seen_and_gives_the_others_their_own(columns):
    counts, base, parts, factors = problem(C[:, :columns])
    rng, new = np.random.default_rng(1), C[:, :columns].sum(axis=0) == 0
    weights = rng.dirichlet(np.ones(3), len(C)).T
    unseen = rng.uniform(0.4, 0.9, len(C)) * new.any()
    P = parts_by_hand(C[:, :columns], *factors)
    among = np.where(new, 0, P) / (1 - P[:, :, new].sum(axis=2, keepdims=True))
    expected = (1 - unseen)[:, None] * np.einsum("pi,pij->ij", weights, among)
    expected[:, new] = unseen[:, None] / max(new.sum(), 1)
    Q = dense(counts, base, *mix_rows(counts.contexts, parts, base, unseen, weights))
    np.testing.assert_allclose(Q, expected, rtol=1e-9)
    np.testing.assert_allclose(Q.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(parts.unseen, P[:, :, new].sum(axis=2), rtol=1e-9, atol=1e-15)
    contexts, outcomes = map(np.ravel, np.indices(Q.shape))
    found = chances_at(counts, parts, base, contexts, outcomes).reshape(3, *Q.shape)
    np.testing.assert_allclose(found[:, :, ~new], among[:, :, ~new], rtol=1e-9)


def test_an_outcome_never_seen_has_no_less_than_its_classes_give_it():
    counts, base, parts, _ = problem(C)
    weights = np.tile([[0.5], [0.2], [0.3]], len(C))
    for unseen in (0.0, 1e-3):
        left, entries = mix_rows(counts.contexts, parts, base, np.full(7, unseen), weights)
        Q = dense(counts, base, left, entries)
        assert (left >= 0).all()
        assert (Q > 0).all()
        np.testing.assert_allclose(Q.sum(axis=1), 1, rtol=1e-12)
    first_alone = np.tile([[1.0], [0.0], [0.0]], len(C))
    left, entries = mix_rows(counts.contexts, parts, base, parts.unseen[0], first_alone)
    Q = parts_by_hand(C, base.left, base.right)[0]
    np.testing.assert_allclose(dense(counts, base, left, entries), Q, rtol=1e-9)


def test_the_order_of_contexts_and_of_outcomes_changes_nothing():
    counts, base, parts, (left, right) = problem(C)
    s, t = np.random.default_rng(3).permutation(7), np.random.default_rng(4).permutation(9)
    other = CountMatrix.from_dense(C[np.ix_(s, t)])
    tokens = count_tokens(other)
    turned = base_of(other, left[s], right[:, t])
    rows = Rows(other, tokens.values, learn_discounts(tokens))
    weights, unseen = np.random.default_rng(5).dirichlet(np.ones(3), 7).T, np.full(7, 0.3)
    one = dense(counts, base, *mix_rows(counts.contexts, parts, base, unseen, weights))
    parts = parts_of(rows, STRENGTH, turned)
    mixed = mix_rows(other.contexts, parts, turned, unseen[s], weights[:, s])
    np.testing.assert_allclose(dense(other, turned, *mixed), one[np.ix_(s, t)], rtol=1e-9)


def test_masses_are_the_own_one_with_what_it_lacks_that_of_kneser_ney_and_one():
    _, _, parts, _ = problem(C)
    masses = masses_of(parts, np.full(7, 0.25))
    np.testing.assert_allclose(1 - masses[0], 0.75 * (1 - parts.unseen[0]))
    np.testing.assert_array_equal(masses[1:], [parts.unseen[2], np.ones(7)])


def evidence_of(n=900, seed=0):
    """Return pairs held out of which a tenth is new, in three bins with tastes of their own."""
    rng = np.random.default_rng(seed)
    bins = rng.integers(3, size=n)
    chances = rng.gamma(1.0 + 2 * (np.arange(3)[:, None] == bins), 0.1)
    masses = np.array([np.full(n, 0.02), rng.uniform(0.05, 0.3, n), np.ones(n)])
    return Evidence(chances, masses, rng.random(n) < 0.1, bins, rng.integers(1, 4, n) / 2)


@pytest.mark.parametrize("in_order", [False, True])
def test_weights_are_the_likeliest_for_pairs_held_out_with_their_pseudo_pairs(in_order):
    evidence, size = evidence_of(), len(constants.BINS) + 1
    found = learn_shares(evidence, in_order)
    told = np.where(evidence.is_new, evidence.masses, 1 - evidence.masses)
    like = 200 if in_order else 10
    problems = (
        (found.rows, evidence.chances, ~evidence.is_new),
        (found.unseen, told, np.ones(900, bool)),
    )
    for weights, chances, counted in problems:

        def height(w, inside, prior, chances=chances, counted=counted):
            times = evidence.times * (inside & counted)
            with np.errstate(divide="ignore", invalid="ignore"):
                return times @ np.log(w @ chances) + np.nansum(prior * np.log(w))

        rng, everywhere = np.random.default_rng(1), np.ones(900, bool)
        of_all = weights[:, size - 1]  # of a bin without pairs
        cases = [(of_all, everywhere, like * np.eye(3)[0])]
        if not in_order or chances is evidence.chances:
            cases += [(weights[:, b], evidence.bins == b, 10 * of_all + 1e-9) for b in range(3)]
        else:
            np.testing.assert_array_equal(weights, np.tile(of_all[:, None], size))
        for w, *how in cases:
            others = [*rng.dirichlet(np.ones(3), 300), *rng.dirichlet(300 * w + 1e-3, 300)]
            assert height(w, *how) >= max(height(each, *how) for each in others) - 1e-9
    np.testing.assert_allclose(found.rows.sum(axis=0), 1)
    np.testing.assert_allclose(found.unseen.sum(axis=0), 1)


def test_the_loss_is_that_of_the_mixture():
    evidence = evidence_of()
    rows, unseen = learn_shares(evidence, in_order=False)
    total = 0.0
    for s in range(900):
        u = unseen[:, evidence.bins[s]] @ evidence.masses[:, s]
        among = rows[:, evidence.bins[s]] @ evidence.chances[:, s]
        total -= evidence.times[s] * np.log(u if evidence.is_new[s] else (1 - u) * among)
    found = loss_of(evidence, learn_shares(evidence, in_order=False))
    assert found == pytest.approx(total / evidence.times.sum())


def test_a_part_that_all_bins_leave_alone_is_there_for_the_bin_that_wants_it():
    """Pseudo-pairs of a bin are shared as the weights of all, and a weight of zero is no wall."""
    bins = np.repeat([0, 1], [5000, 200])
    chances = np.full((3, 5200), 0.01)
    chances[0, :5000] = chances[1, 5000:] = 0.5
    evidence = Evidence(chances, np.ones((3, 5200)) / 9, np.zeros(5200, bool), bins, np.ones(5200))
    rows = learn_shares(evidence, in_order=True).rows
    assert rows[0, 0] > 0.9
    assert rows[1, 1] > 0.9


def test_kneser_ney_among_the_parts_is_that_of_the_library():
    counts = random_counts(3, 20, 300)
    _, base, parts, _ = problem(counts.dense())
    three = np.tile([[0.0], [0.0], [1.0]], 20)
    Q = dense(counts, base, *mix_rows(counts.contexts, parts, base, parts.unseen[2], three))
    expected = method("kn", discount="modified").fit(counts).dense()
    np.testing.assert_allclose(Q, expected, rtol=1e-9)
