"""The contract of every method on a text, and what Kneser-Ney makes of its options there."""

from dataclasses import replace

import numpy as np
import pytest
from inputs import CERTIFIED_IDS, exactly, is_distribution, small_options

from condprob import (
    METHODS,
    BigramMixture,
    Checkpoint,
    CountMatrix,
    Estimator,
    Sentences,
    SequenceModel,
    cross_entropy,
    load,
    method,
)
from condprob.counts import PairsInOrder
from condprob.methods.pitman_yor.estimator import PitmanYorLowRank
from condprob.text.backoff_model import BackoffModel
from condprob.text.histories import bigram_contexts
from condprob.text.sentences import NOTHING

RNG = np.random.default_rng(3)
LENGTHS = (25, 1, 0, 14, 40)
LISTS = [RNG.choice(6, n, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05]).tolist() for n in LENGTHS]
TEXT = Sentences.from_lists(LISTS, k=7)  # word 6 never occurs
HISTORIES = [(), (6,), (0,), (0, 1), (1, 0, 0), (6, 0), (5, 4, 3, 2, 1, 0)]
# Pairs, a sentence after another: context 7 is the start of one.
PAIRS = [pair for s in LISTS for pair in zip([7, *s], s, strict=False)]
every_method = pytest.mark.parametrize("id", METHODS)


def bigrams():
    return CountMatrix.from_pairs(*zip(*PAIRS, strict=True), shape=(8, 7))


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("order", [1, 2, 3])
@every_method
def test_a_text_of_every_order_has_its_distributions(id, order, tmp_path):
    estimator = method(id, **small_options(METHODS[id]))
    model = estimator.fit_text(TEXT, order, seed=4)
    assert isinstance(model, SequenceModel)
    assert isinstance(model, BackoffModel) == estimator.backs_off
    assert isinstance(model, BigramMixture) == estimator.mixes(order)
    assert (model.order, model.outcomes) == (order, 7)
    rows = model.rows(HISTORIES)
    assert rows.shape == (len(HISTORIES), 7)
    assert (rows >= 0).all()
    if is_distribution(id, {}):
        np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-9)
    for word in range(7):
        np.testing.assert_allclose(model.at(HISTORIES, word), rows[:, word], rtol=1e-12)
    scores = model.score(TEXT)
    before = [tuple(s[:i]) for s in LISTS for i in range(len(s))]
    np.testing.assert_array_equal(scores, np.log(model.at(before, TEXT.words)))
    assert cross_entropy(TEXT, model) == pytest.approx(-scores.mean())
    again = estimator.fit_text(TEXT, order, seed=4)
    np.testing.assert_array_equal(again.rows(HISTORIES), rows)
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.rows(HISTORIES), rows)
    for name in ("parameters", "ended", "penalty", "decay", "history"):
        kept, found = (getattr(each, name, None) for each in (model, loaded))
        np.testing.assert_array_equal(found, kept)
    assert model.parameters is None or model.parameters > 0


MIXED = [
    id
    for id, record in METHODS.items()
    if record.estimator.fit_sentences is Estimator.fit_sentences
]
QUICK = ["ad", "sb", "jm", "wb", "ad-lr", "plsa", "class-kmeans"]


@pytest.mark.parametrize("id", MIXED)
def test_the_bigram_of_a_method_for_pairs_is_mixed_with_longer_histories(id):
    estimator = method(id, **small_options(METHODS[id]))
    model = estimator.fit_text(TEXT, 3, seed=4)
    assert isinstance(model, BigramMixture)
    bigram = estimator.fit_text(TEXT, 2, seed=4)
    np.testing.assert_array_equal(model.bigram.rows(HISTORIES), bigram.rows(HISTORIES))


def test_the_fit_of_a_bigram_to_all_of_a_text_has_the_checkpoint(tmp_path):
    estimator, kept = method("ad-lr", rank=2, iterations=6), tmp_path / "fit"
    rows = estimator.fit_text(TEXT, 3, seed=4).rows(HISTORIES)
    found = estimator.fit_text(TEXT, 3, seed=4, checkpoint=Checkpoint(kept, seconds=0))
    assert kept.exists()
    with pytest.raises(ValueError, match="the checkpoint of a fit of other counts"):
        estimator.fit(CountMatrix.from_dense(np.eye(8, 7)), seed=4, checkpoint=kept)
    again = estimator.fit_text(TEXT, 3, seed=4, checkpoint=kept)
    for model in (found, again):
        np.testing.assert_array_equal(model.rows(HISTORIES), rows)


@pytest.mark.parametrize("id", QUICK)
def test_a_higher_order_does_not_lose_what_the_bigram_knows(id):
    # A chain of 30 states knows one word alone: contexts of two have counts of one or two.
    rng, words = np.random.default_rng(8), [0]
    law = rng.dirichlet(np.full(30, 0.2), size=30)
    for _ in range(3000):
        words.append(rng.choice(30, p=law[words[-1]]))
    train, test = Sentences.from_words(words, k=30).split(2 / 3)
    estimator = method(id, **small_options(METHODS[id]))
    two, three = (-estimator.fit_text(train, n, seed=4).score(test).mean() for n in (2, 3))
    assert three < two + 0.02


# Fits that end at a gap agree with the matrix up to that gap: test_log_linear compares them.
@pytest.mark.parametrize("id", [id for id in METHODS if id not in CERTIFIED_IDS])
def test_at_order_two_it_is_the_matrix_of_the_pairs_in_their_order(id):
    estimator = method(id, **small_options(METHODS[id]))
    rows = estimator.fit(PairsInOrder(bigram_contexts(TEXT), TEXT.words, (8, 7)), 4).dense()
    if not isinstance(estimator, PitmanYorLowRank):  # which takes counts for pairs without an order
        np.testing.assert_array_equal(rows, estimator.fit(bigrams(), seed=4).dense())
    model = estimator.fit_text(TEXT, order=2, seed=4)
    np.testing.assert_allclose(model.rows([(i,) for i in range(7)]), rows[:7], rtol=1e-12)
    np.testing.assert_allclose(model.rows([(), (NOTHING,)]), rows[[7, 7]], rtol=1e-12)


@every_method
def test_a_text_without_words_can_be_fitted_and_comes_back_from_a_file(id, tmp_path):
    estimator, asked = method(id, **small_options(METHODS[id])), [(), (1, 2)]
    for lists, order in (([], 1), ([], 3), ([], 5), ([[], []], 1), ([[], []], 3)):
        rows = (model := estimator.fit_text(Sentences.from_lists(lists, 4), order)).rows(asked)
        if is_distribution(id, {}):
            np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-9)
        model.save(tmp_path / "model")
        np.testing.assert_array_equal(load(tmp_path / "model").rows(asked), rows)


@every_method
def test_an_order_below_one_is_one_line(id):
    with pytest.raises(ValueError, match=exactly("order = 0: must be an integer >= 1")):
        method(id, **small_options(METHODS[id])).fit_text(TEXT, 0)


@pytest.mark.parametrize("id", ["ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"])
def test_the_settings_tried_are_options_and_the_best_of_them_can_be_chosen(id):
    small = small_options(METHODS[id])
    estimator = method(id, **{**small, "penalty": "learned"})
    first, held_out = TEXT.split(0.8)
    scored = held_out.words != 0
    trials = list(estimator.trace_text(first, held_out, 3, scored=scored))
    assert trials
    for trial in trials[:2] + trials[-1:]:
        chosen = replace(estimator, **trial.settings)
        assert chosen == method(id, **{**small, **trial.settings})
        assert not list(chosen.trace_text(first, held_out, 3))
        # Trials stop at a larger gap than fits do.
        mean = -chosen.fit_text(first, 3, seed=1).score(held_out)[scored].mean()
        assert trial.mean == pytest.approx(mean, abs=0.05)


@pytest.mark.parametrize("discount", [0.6, "modified"])
@pytest.mark.parametrize("form", ["interpolated", "backoff"])
@pytest.mark.parametrize("continuation", ["discounted", "uniform", "floor"])
@pytest.mark.parametrize("lists", [LISTS, [[0, 1, 2, 0, 2, 1, 0, 0, 1, 1, 2, 2] * 3]])
def test_kneser_ney_of_order_two_is_its_matrix_under_every_reading(
    lists, continuation, form, discount
):
    text = Sentences.from_lists(lists, 1 + max(map(max, filter(None, lists))))
    pairs = [pair for s in lists for pair in zip([text.k, *s], s, strict=False)]
    counts = CountMatrix.from_pairs(*zip(*pairs, strict=True), shape=(text.k + 1, text.k))
    estimator = method("kn", continuation=continuation, form=form, discount=discount)
    histories = [*((i,) for i in range(text.k)), ()]
    rows = estimator.fit_text(text, 2).rows(histories)
    np.testing.assert_allclose(rows, estimator.fit(counts).dense(), rtol=1e-12)
    longer = estimator.fit_text(text, 4).rows([*histories, (0, 1, 2), (2, 2, 1)])
    np.testing.assert_allclose(longer.sum(axis=1), 1, rtol=0, atol=1e-12)


def test_kneser_ney_of_order_three_by_hand():
    # After "0 1" came 2 twice and 0 once; a discount of 1/2 is taken of both, which leaves
    # (2 - 1/2) / 3 and (1 - 1/2) / 3 and frees 1/3. After "1", 2 and 0 each follow one word, 0:
    # (1 - 1/2) / 2 each, which frees 1/2. Before 0 stand the start and 1, before 1 and 2 one word
    # each: (2 - 1/2) / 4, (1 - 1/2) / 4 twice, and a third of the 3/8 that are free.
    text = Sentences.from_lists([[0, 1, 2], [0, 1, 2], [0, 1, 0]], k=3)
    unigram = np.array([3, 1, 1]) / 8 + (3 / 8) / 3
    bigram = np.array([1, 0, 1]) / 4 + unigram / 2
    trigram = np.array([1 / 6, 0, 1 / 2]) + bigram / 3
    model = method("kn", discount=0.5, continuation="uniform").fit_text(text, order=3)
    np.testing.assert_allclose(model.rows([(0, 1)]), [trigram])
    # Histories as contexts know nothing of the shorter ones: that would be another method.
    np.testing.assert_allclose(model.rows([(2, 1)]), [bigram])


def test_backing_off_gives_the_shorter_order_to_unseen_words_alone():
    # As above: after "0 1" word 1 alone was not seen, and has all that is free.
    text = Sentences.from_lists([[0, 1, 2], [0, 1, 2], [0, 1, 0]], k=3)
    given = {"discount": 0.5, "continuation": "uniform", "form": "backoff"}
    model = method("kn", **given).fit_text(text, order=3)
    np.testing.assert_allclose(model.rows([(0, 1)]), [[1 / 6, 1 / 3, 1 / 2]])


def test_an_unseen_history_of_kneser_ney_has_no_other_reading():
    message = "unseen = 'unigram': must be 'continuation' for a text"
    with pytest.raises(ValueError, match=exactly(message)):
        method("kn", unseen="unigram").fit_text(TEXT, 3)
