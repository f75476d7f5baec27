"""The method: a toy language, its mixture, interruptions, text from it, its files."""

from dataclasses import replace

import numpy as np
import pytest
from inputs import exactly, random_counts

from condprob import Sentences, load, method
from condprob.files.arrays import read_arrays, write_arrays
from condprob.files.checkpoints import Checkpoint
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.methods.survey import neural_training as training
from condprob.text.ngrams import fit_kneser_ney

K, NOISE = 5, 0.1
ENTROPY = -(0.9 + 0.1 / K) * np.log(0.9 + 0.1 / K) - (K - 1) * 0.1 / K * np.log(0.1 / K)


def toy_language(n=1500, seed=0):
    """A word is the one after that two before it, around a circle; one in ten is any."""
    rng, words = np.random.default_rng(seed), [0, 1]
    while len(words) < n:
        drawn = rng.random() < NOISE
        words.append(int(rng.integers(K)) if drawn else (words[-2] + 1) % K)
    return Sentences.from_words(words, K)


TEXT = toy_language()
NPLM = method("nplm", embedding=5, hidden=30, epochs=60, rate=0.5, batch=10, slowing=0.02)


@pytest.fixture(scope="module")
def model():
    return NPLM.fit_text(TEXT, 3, seed=1)


def test_a_network_learns_a_language_as_far_as_its_order_sees(model):
    # The word before tells nothing: a bigram has the uniform distribution, log 5 = 1.61 nats.
    fresh = toy_language(seed=9)
    histories = model._histories(fresh.histories(3))
    alone = -model.network.log_at(histories, fresh.words).mean()
    assert alone < ENTROPY + 0.12
    assert model.history.min() < model.history[0] - 1
    bigram = replace(NPLM, epochs=3).fit_text(TEXT, 2, seed=1)
    assert -bigram.score(fresh).mean() > np.log(K) - 0.05


def test_the_learned_mixture_is_no_worse_than_its_parts_on_what_tuned_it(model):
    rest, held_out = TEXT.split(0.9)
    histories = model._histories(held_out.histories(3))
    network = np.exp(model.network.log_at(histories, held_out.words))
    ngrams = np.exp(fit_kneser_ney(rest, 3, "modified", "discounted").score(held_out))
    losses = [-np.log((1 - w) * network + w * ngrams).sum() for w in (0.0, model.share, 1.0)]
    assert 0 < model.share < 1
    assert losses[1] <= min(losses) + 1e-9
    near = [
        -np.log((1 - w) * network + w * ngrams).sum()
        for w in (model.share - 0.01, model.share + 0.01)
    ]
    assert losses[1] <= min(near)


def test_a_weight_that_is_given_is_that_of_trigrams_counted_in_all(model):
    histories, words = TEXT.histories(5), TEXT.words
    short = replace(NPLM, epochs=1)
    alone, half, other = (
        replace(short, weight=weight).fit_text(TEXT, 5, seed=1).at(histories, words)
        for weight in (0.0, 0.5, 1.0)
    )
    np.testing.assert_allclose(half, (alone + other) / 2, rtol=1e-12)
    trigrams = method("kn", discount="modified").fit_text(TEXT, 3)
    np.testing.assert_allclose(other, trigrams.at(histories, words), rtol=1e-12)


def test_text_can_be_drawn_and_a_file_holds_the_model(model, tmp_path):
    drawn = model.generate(60, seed=3, history=[0, 1])
    assert drawn.shape == (60,)
    assert set(drawn) == set(range(K))
    follows = (drawn[:-2] + 1) % K == drawn[2:]
    assert follows.mean() > 0.7  # 0.92 are expected; a standard deviation is 0.04
    model.save(tmp_path / "model")
    found = load(tmp_path / "model")
    np.testing.assert_array_equal(found.score(TEXT), model.score(TEXT))
    assert (found.ended, found.share) == (model.ended, model.share)
    # 6 embeddings of 5, 10 inputs to 30 with offsets, 31 features of 5 words
    assert found.parameters == 30 + 330 + 155 + found.other.parameters


def test_a_file_whose_layers_do_not_go_together_is_refused(model, tmp_path):
    for name, array, message in (
        ("longest", np.array(3), "a network must have weights for each of its features"),
        ("outward", np.zeros((33, K)), "a network must have weights for each of its features"),
        ("other_words", np.array(K + 1), "the outcomes of 'other' do not go with the other arrays"),
    ):
        broken = replace(model)
        object.__setattr__(broken, "arrays", lambda n=name, a=array: model.arrays() | {n: a})
        with pytest.raises(ValueError, match=message):
            broken.save(tmp_path / "broken")
        model.save(tmp_path / "file")
        write_arrays(tmp_path / "file", read_arrays(tmp_path / "file") | {name: array})
        with pytest.raises(ValueError, match=message):
            load(tmp_path / "file")


@pytest.mark.parametrize("order", [2, 3])
def test_a_fit_that_was_interrupted_ends_with_the_same_bytes(order, tmp_path, monkeypatch, capsys):
    short, go_through = replace(NPLM, epochs=4), training._go_through
    whole = short.fit_text(TEXT, order, seed=1)
    kept = Checkpoint(tmp_path / "kept", seconds=0)

    def interrupted(network, plan, samples, epoch, seed, progress):
        go_through(network, plan, samples, epoch, seed, progress)
        if epoch == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "_go_through", interrupted)
    with pytest.raises(KeyboardInterrupt):
        short.fit_text(TEXT, order, seed=1, checkpoint=kept)
    monkeypatch.setattr(training, "_go_through", go_through)
    again = short.fit_text(TEXT, order, seed=1, checkpoint=kept, progress=True)
    if order == 3:  # at order 2 there is nothing to learn, and the third epoch was the last
        shown = capsys.readouterr().err
        assert "epoch 3 of 4" in shown
        assert "epoch 2 of" not in shown
    whole.save(tmp_path / "whole")
    again.save(tmp_path / "again")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "again").read_bytes()
    for other in (replace(short, rate=0.1), replace(short, hidden=6)):
        with pytest.raises(ValueError, match=r"\A.*kept: the checkpoint of a fit .*\Z"):
            other.fit_text(TEXT, order, seed=1, checkpoint=kept)


def test_without_a_share_pairs_are_a_softmax_of_thin_factors():
    counts = random_counts(3, 8, 60)
    alone = method("nplm", embedding=2, hidden=3, epochs=2, weight=0.0, direct=True)
    matrix = alone.fit(counts, seed=1)
    assert isinstance(matrix, LinkedMatrix)
    assert matrix.left.shape == (8, 3 + 2 + 1)
    mixed = replace(alone, weight=0.25).fit(counts, seed=1)
    kn = method("kn", discount="modified").fit(counts)
    np.testing.assert_allclose(mixed.dense(), 0.75 * matrix.dense() + 0.25 * kn.dense(), rtol=1e-12)


def test_a_network_that_no_machine_holds_is_one_line():
    huge = method("nplm", hidden=10**9)
    message = r"\Aa network of 5 words at order 3 takes .* GB of memory, at least; .*\Z"
    with pytest.raises(ValueError, match=message):
        huge.fit_text(TEXT, 3)
    with pytest.raises(ValueError, match=exactly("hidden = -1: must be an integer >= 0")):
        method("nplm", hidden=-1)
