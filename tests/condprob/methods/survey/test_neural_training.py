"""Gradients by finite differences, a dense reference, epochs, the best of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import check_grad

from condprob.methods.survey import neural_training as training
from condprob.methods.survey.neural import NeuralLanguageModel
from condprob.methods.survey.neural_training import (
    EPOCHS_IN_VAIN,
    Samples,
    gradients_of,
    network_of,
    sampled_gradients,
    start_network,
    train,
    tree_gradients,
)
from condprob.methods.survey.tree_decoder import (
    TreeNetwork,
    leaves_by_counts,
    log_rows_of,
    start_scores_of,
    ways_of,
)
from condprob.text.sentences import Sentences

PLAN = NeuralLanguageModel(3, 4, True, 6, 0.5, 0.1, 1e-4, 8)


def text(n=60, k=5, seed=0):
    rng = np.random.default_rng(seed)
    lists = [rng.integers(0, k, n // 3) for _ in range(3)]
    return Sentences.from_lists(lists, k)


def test_all_gradients_are_those_of_finite_differences():
    samples = Samples.of_text(text(), 3)
    for changed in ({}, {"direct": False}, {"hidden": 0}):
        drawn = np.random.default_rng(1).normal
        size = start_network(replace(PLAN, **changed), samples, (6, 5), 2)[0].size

        def network(flat, changed=changed):
            return network_of(flat, replace(PLAN, **changed), (6, 5), 2)

        def gradient(flat, network=network):
            found = gradients_of(network(flat), samples.histories, samples.words)
            return np.concatenate([part.ravel() for part in found])

        def loss(flat, network=network):
            return samples.loss(network(flat))

        for flat in drawn(size=(3, size)):
            assert check_grad(loss, gradient, flat) < 1e-5 * np.linalg.norm(gradient(flat))


def whole_of(few, network):
    """Gradients of few words as those of all."""
    found = network._make(np.zeros_like(part) for part in network)
    found.embedding[few.contexts] = few.of_embedding
    found.inward[:], found.offset[:] = few.of_inward, few.of_offset
    found.outward[:, few.words] = few.of_outward
    return found


@pytest.mark.parametrize("changed", [{}, {"direct": False}, {"hidden": 0}])
def test_importance_sampling_is_exact_where_each_word_is_drawn_as_often_as_it_should_be(changed):
    """Then its mean over the drawn words is the model's; of random ones it comes near."""
    samples, plan = Samples.of_text(text(), 3), replace(PLAN, **changed)
    rng = np.random.default_rng(4)
    size = start_network(plan, samples, (6, 5), 2)[0].size
    network = network_of(rng.normal(size=size), plan, (6, 5), 2)
    times = np.array([1, 4, 2, 2, 1])
    logs, given = np.log(times / times.sum()), (samples.histories[:9], samples.words[:9])
    exact = gradients_of(network, *given)
    even = sampled_gradients(network, *given, np.repeat(np.arange(5), times), logs)
    for found, expected in zip(whole_of(even, network), exact, strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    means = [np.zeros_like(part) for part in network]
    for _ in range(400):
        drawn = rng.choice(5, 200, p=times / times.sum())
        few = whole_of(sampled_gradients(network, *given, drawn, logs), network)
        means = [mean + part / 400 for mean, part in zip(means, few, strict=True)]
    for mean, expected in zip(means, exact, strict=True):
        assert np.linalg.norm(mean - expected) <= 0.02 * np.linalg.norm(expected)


def test_a_step_with_samples_is_a_step_of_the_weights_that_it_moves():
    samples = Samples.of_text(text(), 3)
    _, network = start_network(PLAN, samples, (6, 5), 2)
    before = network._make(part.copy() for part in network)
    given = samples.histories[:2], samples.words[:2]
    few = sampled_gradients(network, *given, np.array([3, 3]), np.full(5, -np.log(5)))
    whole = whole_of(few, network)
    few.move(network, np.float32(0.5), np.float32(0.9))
    moved = np.unique([*samples.words[:2], 3])
    np.testing.assert_array_equal(few.words, moved)
    rest = np.setdiff1d(np.arange(5), moved)
    np.testing.assert_array_equal(network.outward[:, rest], before.outward[:, rest])
    expected = before.outward[:, moved] - 0.5 * whole.outward[:, moved]
    expected[:-1] *= 0.9
    np.testing.assert_allclose(network.outward[:, moved], expected, rtol=1e-6)
    np.testing.assert_allclose(network.offset, before.offset - 0.5 * whole.offset, rtol=1e-6)


def test_a_network_learns_as_well_with_samples_and_learns_with_a_tree():
    """Of a language in which the word before tells the next one; a uniform guess has log 40."""
    words = np.concatenate([(np.arange(41) * 7 + s) % 40 for s in range(40)])
    samples = Samples.of_text(Sentences.from_words(words, 40), 2)
    plan = NeuralLanguageModel(8, 16, False, 12, 0.5, 0.0, 0.0, 8)
    exact, sampled = (
        train(replace(plan, sampled=drawn), samples, samples, (41, 40), (0, 1)).history
        for drawn in (0, 20)
    )
    tree = train(replace(plan, decoder="tree", epochs=30), samples, samples, (41, 40), (0, 1))
    assert tree.history.min() < 1.5
    assert exact.min() < 0.5
    assert sampled.min() < exact.min() + 0.3


@pytest.mark.parametrize("words", [1, 2, 5, 8, 13])
def test_a_tree_gives_each_word_the_turns_on_its_way(words):
    """Rows sum to one; the probability of a word is a product of turns, and begins anywhere."""
    rng = np.random.default_rng(words)
    leaves = leaves_by_counts(rng.integers(0, 4, words))
    scores = rng.normal(size=(3, words))
    rows = np.exp(log_rows_of(scores, leaves))
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-14)
    ways = ways_of(leaves)
    for word in range(words):
        turns = zip(ways.nodes[word], ways.turns[word], strict=True)
        product = np.ones(3)
        for node, turn in turns:
            product *= 1 / (1 + np.exp(-turn * scores[:, node])) if turn else 1
        np.testing.assert_allclose(rows[:, word], product, rtol=1e-13)
    assert (ways.turns != 0).sum(axis=1).max(initial=0) <= np.ceil(np.log2(words))
    unigram = rng.dirichlet(np.ones(words))
    begun = np.exp(log_rows_of(start_scores_of(unigram, leaves)[None], leaves))
    np.testing.assert_allclose(begun, [unigram], rtol=1e-12)


def test_gradients_of_a_tree_are_those_of_finite_differences():
    samples = Samples.of_text(text(), 3)
    for changed in ({}, {"direct": False}, {"hidden": 0}):
        plan = replace(PLAN, decoder="tree", **changed)
        size = start_network(plan, samples, (6, 5), 2)[0].size
        leaves = leaves_by_counts(np.bincount(samples.words, minlength=5))

        def network(flat, plan=plan):
            return network_of(flat, plan, (6, 5), 2)

        def loss(flat, network=network, leaves=leaves):
            return samples.loss(TreeNetwork(network(flat), leaves))

        def gradient(flat, network=network, leaves=leaves):
            given = samples.histories, samples.words, ways_of(leaves)
            few = tree_gradients(network(flat), *given)
            return np.concatenate([part.ravel() for part in whole_of(few, network(flat))])

        for flat in np.random.default_rng(1).normal(size=(3, size)):
            assert check_grad(loss, gradient, flat) < 1e-5 * np.linalg.norm(gradient(flat))


def test_an_epoch_draws_each_sample_as_often_as_it_weighs():
    def drawn(weights):
        n = len(weights)
        samples = Samples(np.zeros((n, 1), int), np.arange(n), np.array(weights, float))
        orders = [samples.draw(np.random.default_rng(seed)) for seed in range(200)]
        return np.array([np.bincount(order, minlength=n) for order in orders]), orders

    whole, orders = drawn([3, 1, 0, 7])
    assert (whole == [3, 1, 0, 7]).all()
    assert not np.array_equal(*orders[:2])
    real, _ = drawn([0.5, 1.75, 1.75])  # four draws
    assert (real.sum(axis=1) == 4).all()
    np.testing.assert_allclose(real.mean(axis=0), [0.5, 1.75, 1.75], atol=0.1)
    huge, _ = drawn([10**15, 1, 10**15])
    assert (huge.sum(axis=1) == 3 * training.MOST_TIMES).all()


def test_the_start_is_the_unigram_and_an_unseen_context_stays_at_zero():
    whole = replace(text(), k=7)
    samples = Samples.of_text(whole, 3)
    shape = (8, 7)  # word 5 and word 6 are never seen
    _, network = start_network(PLAN, samples, shape, 0)
    rows = np.exp(network.log_rows(samples.histories[:4]))
    seen = np.bincount(whole.words, minlength=7)
    expected = np.where(seen, seen - 0.75, 0.75 * 5 / 2) / whole.n
    np.testing.assert_allclose(rows, np.tile(expected, (4, 1)), rtol=1e-5)
    found = train(PLAN, samples, samples, shape, (0, 1)).network
    assert not found.embedding[5:7].any()
    assert found.embedding[7].any()  # the start of a sentence
    np.testing.assert_array_equal(found.outward[:, 5], found.outward[:, 6])


def test_the_best_epoch_is_kept_and_some_that_do_not_help_are_the_last():
    samples, held_out = (Samples.of_text(text(seed=s), 3) for s in (0, 1))
    of_random = replace(PLAN, epochs=40)  # random words: what is held out has nothing in common
    found = train(of_random, samples, held_out, (6, 5), (0, 1))
    best = found.history.argmin()
    assert found.ended == "settled"
    assert found.history.size == best + 1 + EPOCHS_IN_VAIN < 41
    assert held_out.loss(found.network) == pytest.approx(found.history[best], rel=1e-5)
    shorter = train(replace(PLAN, epochs=int(best)), samples, held_out, (6, 5), (0, 1))
    assert shorter.ended == "limit"
    for mine, its in zip(found.network, shorter.network, strict=True):
        np.testing.assert_array_equal(mine, its)


def test_steps_that_are_too_long_leave_the_best_epoch_before_them():
    samples = Samples.of_text(text(), 3)
    found = train(replace(PLAN, rate=99.0, epochs=20), samples, samples, (6, 5), (0, 1))
    assert np.isfinite(found.history).all()
    assert all(np.isfinite(part).all() for part in found.network)
    assert found.history.min() <= found.history[0]


def test_steps_become_shorter_and_weights_decay(monkeypatch):
    samples, kept = Samples.of_text(text(9, seed=2), 2), []
    nothing = replace(PLAN, slowing=1.0, decay=0.5, rate=0.5, batch=5, epochs=2, hidden=2)

    def no_gradients(network, histories, words):
        kept.append((network.inward[0, 0], network.offset[0], network.outward[-1, 0]))
        return network._make(np.zeros_like(part) for part in network)

    monkeypatch.setattr(training, "gradients_of", no_gradients)
    _, network = start_network(nothing, samples, (6, 5), 0)
    for epoch in (0, 1):
        training._go_through(network, nothing, samples, epoch, 1)
    weights, *biases = np.array(kept).T
    times = [0, 5 / 9, 1]  # nine words in batches of five and four
    expected = [1 / (1 + 0.5 / (1 + t) * 0.5) for t in times]
    np.testing.assert_allclose(weights[1:] / weights[:-1], expected, rtol=1e-6)
    assert (np.ptp(biases, axis=1) == 0).all()
