"""Log-linear models: as matrices, as models of histories, and from the command line."""

import numpy as np
import pytest
from dense_log_linear import Dense
from inputs import random_counts

from condprob import CountMatrix, Sentences, cross_entropy, load, method
from condprob.methods.structured.fista import minimise
from condprob.methods.structured.log_linear import DECAYS
from condprob.methods.structured.log_linear_model import model_of
from condprob.methods.structured.problem import build_problem, places_of_sentences
from condprob.text.histories import bigram_contexts

IDS = ("ll-l1", "ll-l2", "ll-tree2", "ll-treeinf")
every_method = pytest.mark.parametrize("id", IDS)
RNG = np.random.default_rng(8)
LISTS = [RNG.choice(5, length, p=[0.5, 0.2, 0.15, 0.1, 0.05]).tolist() for length in (14, 1, 0, 9)]
LISTS += [[6, 5, 0, 1, 2], [6, 5, 0, 1, 2]]
TEXT = Sentences.from_lists(LISTS, k=9)  # words 7 and 8 never occur
HISTORIES = [(), (8,), (7, 0), (0,), (0, 1), (6, 5, 0, 1), (3, 5, 0, 1), (1, 6, 5, 0), (6,)]
OPTIONS = [
    {},
    {"decay": 0.6},
    {"decay": 0.6, "weighting": "penalty"},
    {"sentence_start": False},
    {"sentence_start": False, "decay": 0.6},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("order", [1, 2, 3, 5])
@every_method
def test_histories_have_the_distributions_of_the_definition(id, order, options):
    """Of the weights of a fit, everything else comes from the formula."""
    given = {"penalty": 0.2, "tol": 1e-3} | options
    estimator = method(id, **given)
    model = estimator.fit_text(TEXT, order)
    rows = model.rows(HISTORIES)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)
    for word in range(TEXT.k):
        np.testing.assert_allclose(model.at(HISTORIES, word), rows[:, word], rtol=1e-12)
    how = estimator.decay, estimator.weighting, estimator.sentence_start
    dense = Dense(LISTS, TEXT.k, order, *how)
    W = weights_of(estimator, order, dense)
    for history, row in zip(HISTORIES, rows, strict=True):
        # A history that is shorter than the order begins a sentence.
        begins = estimator.sentence_start and len(history) < order - 1
        history = (TEXT.k, *history) if begins else history
        scores = np.zeros(TEXT.k)
        for context, feature, of_context in zip(dense.contexts, dense.features, W, strict=True):
            if history[len(history) - len(context) :] == context:
                scores += feature * of_context
        np.testing.assert_allclose(row, np.exp(scores) / np.exp(scores).sum(), rtol=1e-9)


def weights_of(estimator, order, dense):
    """The weights of a fit on the contexts of the dense model."""
    places = places_of_sentences(TEXT, order, estimator.sentence_start)
    problem, tree = estimator.build(places, TEXT.words, TEXT.k)
    solution = minimise(estimator.norm, problem, estimator.penalty, estimator.tol)
    return dense.spread(problem, tree, solution.weights)


@every_method
def test_at_order_two_histories_have_the_rows_of_the_matrix(id):
    """The same weights, once as a matrix of pairs and once as a model of histories."""
    pairs = np.random.default_rng(0).integers(0, 6, (2, 40))
    counts = CountMatrix.from_pairs(*pairs, k=7)
    matrix = method(id, penalty=0.5, tol=1e-9).fit(counts)
    # A sentence of two words for each pair, of whose first words nothing is said.
    text = Sentences.from_lists(pairs.T.tolist(), 7)
    places = places_of_sentences(text, 2, starts=False)
    of_seconds = [part[1::2] for part in (places.ends, places.lengths)]
    places = places._replace(ends=of_seconds[0], lengths=of_seconds[1])
    problem, tree = build_problem(places, text.words[1::2], 7, collapse=id != "ll-tree2")
    solution = minimise(method(id).norm, problem, 0.5, tol=1e-9)
    model = model_of(problem, tree, 2, False, solution, 0.5)
    assert matrix.history[-1] == pytest.approx(solution.history[-1], abs=2e-9)
    np.testing.assert_allclose(
        matrix.rows(np.arange(7)), model.rows([(i,) for i in range(7)]), atol=1e-4
    )


@every_method
def test_at_order_two_the_start_of_a_sentence_is_a_context_of_its_own(id):
    """So a text has the rows of the matrix of its pairs, the start among the contexts."""
    pairs = CountMatrix.from_pairs(bigram_contexts(TEXT), TEXT.words, (TEXT.k + 1, TEXT.k))
    how = {"penalty": 0.3, "tol": 1e-9}
    matrix, model = method(id, **how).fit(pairs), method(id, **how).fit_text(TEXT)
    asked = [*((word,) for word in range(TEXT.k)), ()]
    np.testing.assert_allclose(model.rows(asked), matrix.dense(), atol=1e-4)


def test_the_first_word_of_a_sentence_depends_on_the_start_by_hand():
    """Word 0 begins all of three sentences and never comes later.

    With l1 the model expects each pair with a positive weight as often as it came, minus the
    penalty of 0.5: of 3 times that word 0 came after the start 2.5, of 3 that word 1 came after
    word 0 2.5, and of 12 that it came after itself 11.5. Without the start nothing is known of the
    first word: word 1 would come 15.5 times in all, more often than it did, and word 0 2.5 of its
    3 times, so that the empty history needs no weight.
    """
    text = Sentences.from_lists([[0, 1, 1, 1, 1, 1]] * 3, k=2)
    later = [[0.5 / 3, 2.5 / 3], [0.5 / 12, 11.5 / 12]]
    for starts, first in ((True, [2.5 / 3, 0.5 / 3]), (False, [0.5, 0.5])):
        model = method("ll-l1", penalty=0.5, tol=1e-12, sentence_start=starts).fit_text(text)
        np.testing.assert_allclose(model.rows([(), (0,), (1,)]), [first, *later], atol=1e-5)


def test_a_file_that_does_not_speak_of_starts_has_none(tmp_path):
    """As those that were written before models saw the start of a sentence."""
    for starts in (True, False):
        model = method("ll-l2", penalty=0.3, sentence_start=starts).fit_text(TEXT, 3)
        assert ("has_starts" in model.arrays()) == starts
        model.save(tmp_path / "model")
        again = load(tmp_path / "model")
        assert again.has_starts == starts
        np.testing.assert_array_equal(again.rows(HISTORIES), model.rows(HISTORIES))


def test_l1_discounts_the_expected_counts_of_active_pairs_by_the_penalty():
    # N - E = penalty wherever the weight is positive: absolute discounting.
    text = Sentences.from_lists([[0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1, 1]], k=2)
    model = method("ll-l1", penalty=0.7, tol=1e-12).fit_text(text, 1)
    (row,) = model.rows([()])
    # Word 1 came 9 times and word 0 only 6 times, less than half: e^0 is enough for it.
    np.testing.assert_allclose(15 * row, [6.7, 8.3], atol=1e-6)


@every_method
def test_a_penalty_is_learned_from_the_last_tenth(id):
    text = Sentences.from_lists([[0, 1, 2, 3] * 6] * 12, k=6)
    model = method(id).fit_text(text, 3)
    assert model.penalty < 1  # the text repeats itself for ever
    assert cross_entropy(text, model) < 0.2
    noise = Sentences.from_words(np.random.default_rng(1).integers(0, 6, 400), k=6)
    assert method(id).fit_text(noise, 3).penalty > 1


@every_method
def test_a_decay_is_learned_from_the_same_part(id):
    """The held-out loss of the learned one is the least of all candidates."""
    words = np.random.default_rng(5).integers(0, 4, 300)
    text = Sentences.from_words(words, k=4)
    rest, held_out = text.split(0.9)
    losses = {}
    for decay in DECAYS:
        for penalty in (0.5, 2.0):
            model = method(id, decay=decay, penalty=penalty).fit_text(rest, 3)
            losses[decay, penalty] = -model.score(held_out).sum()
    for penalty in (0.5, 2.0):
        model = method(id, decay="learned", penalty=penalty).fit_text(text, 3)
        least = min(losses[decay, penalty] for decay in DECAYS)
        assert losses[model.decay, penalty] == pytest.approx(least, rel=0.01)
        assert model.penalty == penalty
    empty = method(id, decay="learned").fit_text(Sentences.from_lists([], 4))
    assert (empty.decay, empty.penalty) == (1.0, 1.0)


def test_sentences_are_cut_at_their_ends():
    text = Sentences.from_lists([[0, 1, 2], [3], [0, 1, 2, 3, 4, 5]], 6)
    before, after = text.split(0.45)
    assert (before.words.tolist(), before.starts.tolist()) == ([0, 1, 2, 3], [0, 3, 4])
    assert (after.words.tolist(), after.starts.tolist()) == ([0, 1, 2, 3, 4, 5], [0, 6])
    one = Sentences.from_words([0, 1, 2, 3], 4).split(0.75)
    assert [part.words.tolist() for part in one] == [[0, 1, 2], [3]]


def test_a_fit_that_has_not_converged_says_so(monkeypatch):
    monkeypatch.setattr("condprob.methods.structured.log_linear.ITERATIONS", 3)
    with pytest.warns(UserWarning, match="tol = 1e-09 was not met in 3 iterations: the duality"):
        matrix = method("ll-l1", penalty=0.1, tol=1e-9).fit(random_counts(1, k=12, n=40))
    assert matrix.gap > 1e-9
    assert matrix.ended == "limit"
