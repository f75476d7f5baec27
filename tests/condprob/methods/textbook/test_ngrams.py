"""N-grams and interpolated rows: fractions by hand, nltk.lm, and weights against a maximiser."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from inputs import cell_counts
from nltk.lm import MLE, Laplace
from nltk.lm.preprocessing import padded_everygram_pipeline
from scipy.optimize import minimize

from condprob import CountMatrix, Sentences, method, perplexity
from condprob.methods.textbook.ngrams import learn_interpolation, learn_weight

# "Yee Haw. Haw Yee Yee. Yee Haw Yee." of the textbook; 2 ends a sentence.
YEE, HAW, STOP = 0, 1, 2
LISTS = [[YEE, HAW], [HAW, YEE, YEE], [YEE, HAW, YEE]]
ENDED = Sentences.from_lists(LISTS, 2).with_stops()
BEFORE = [(), (YEE,), (HAW,)]
RNG = np.random.default_rng(5)
TEXT = Sentences.from_lists([RNG.integers(0, 5, RNG.integers(2, 9)) for _ in range(30)], 6)


def test_the_tables_of_the_textbook():
    # Table 8.2: the same words as one sentence, of which the end is not counted.
    whole = Sentences.from_words([word for s in LISTS for word in s], 2)
    bigrams = method("mle").fit_text(whole, 2)
    np.testing.assert_allclose(bigrams.rows([(YEE,), (HAW,)]), [[2 / 4, 2 / 4], [2 / 3, 1 / 3]])
    unigrams = method("mle").fit_text(whole, 1)
    np.testing.assert_allclose(unigrams.rows([()]), [[5 / 8, 3 / 8]])
    # Table 8.4, and the probability of a sentence.
    ended = method("mle").fit_text(ENDED, 2)
    table = [[2 / 3, 1 / 3, 0], [1 / 5, 2 / 5, 2 / 5], [2 / 3, 0, 1 / 3]]
    np.testing.assert_allclose(ended.rows(BEFORE), table)
    # Table 8.7: a third word, 2, that was never seen, and the end is 3.
    three = Sentences.from_lists(LISTS, 3).with_stops()
    smoothed = method("laplace").fit_text(three, 2).rows([*BEFORE, (2,)])
    counts = np.array([[3, 2, 1, 1], [2, 3, 1, 3], [3, 1, 1, 2], [1, 1, 1, 1]])
    np.testing.assert_allclose(smoothed, counts / counts.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("order", [2, 3])
def test_of_any_order_they_are_those_of_nltk(order):
    lists = [[str(w) for w in s] for s in np.split(TEXT.words, TEXT.starts[1:-1])]
    outcomes = [*map(str, range(5)), "</s>"]
    fits = {model: model(order) for model in (MLE, Laplace)}
    for theirs in fits.values():
        theirs.fit(*padded_everygram_pipeline(order, lists))
    counts, added = fits[MLE].counts, method("laplace").fit_text(TEXT.with_stops(), order)
    ours = method("mle").fit_text(TEXT.with_stops(), order)
    for history in product(outcomes[:5], repeat=order - 1):
        if not (total := counts[history].N()):
            continue
        histories = [tuple(map(int, history))]
        expected = [fits[MLE].score(word, history) for word in outcomes]
        np.testing.assert_allclose(ours.rows(histories)[0][[0, 1, 2, 3, 4, 6]], expected)
        # Of theirs the start of a sentence is an outcome, too, and so is an unknown word.
        expected = [
            fits[Laplace].score(word, history) * (total + 8) / (total + 7) for word in outcomes
        ]
        np.testing.assert_allclose(added.rows(histories)[0][[0, 1, 2, 3, 4, 6]], expected)


def test_a_sentence_has_its_fraction_and_all_sentences_have_one():
    ended = method("mle").fit_text(ENDED, 2)
    sentence = Sentences.from_lists([[YEE, HAW, YEE]], 2).with_stops()
    exact = Fraction(2, 3) * Fraction(2, 5) * Fraction(2, 3) * Fraction(2, 5)
    assert float(np.exp(ended.score(sentence).sum())) == pytest.approx(float(exact))
    assert perplexity(sentence, ended) == pytest.approx(float(exact) ** (-1 / 4))
    # A sentence never gets stuck: the walk from the start to the end is absorbed for sure.
    step = ended.rows(BEFORE)[:, :2]
    walk = np.column_stack([np.zeros(3), step])
    absorbed = np.linalg.solve(np.eye(3) - walk, ended.rows(BEFORE)[:, STOP])
    np.testing.assert_allclose(absorbed, 1)


def test_the_mixture_by_hand():
    # Order 3, one weight 1/4: after "Yee Haw" came the end and Yee once each.
    model = method("interpolated", weight=0.25).fit_text(ENDED, 3)
    unigram = 0.75 * np.array([5, 3, 3]) / 11 + 0.25 / 3
    bigram = 0.75 * np.array([2, 0, 1]) / 3 + 0.25 * unigram
    trigram = 0.75 * np.array([1, 0, 1]) / 2 + 0.25 * bigram
    np.testing.assert_allclose(model.rows([(YEE, HAW)]), [trigram])
    np.testing.assert_allclose(model.rows([(HAW, HAW)]), [bigram])  # never seen together
    # Backing off, what the seen ones leave goes to the unseen alone: to Haw.
    model = method("interpolated", weight=0.25, form="backoff").fit_text(ENDED, 3)
    np.testing.assert_allclose(model.rows([(YEE, HAW)]), [[0.375, 0.25, 0.375]])


def left_out_loss(sticks, chains, counts, outcomes):
    """Minus the likelihood of words of which each is left out, by the formula."""
    total = 0.0
    for t, count in enumerate(counts):
        p = 1 / outcomes
        for w, (c, sums) in zip(sticks, chains, strict=True):
            if sums[t] > 1:
                p = (1 - w) * (c[t] - 1) / (sums[t] - 1) + w * p
        total -= count * np.log(p)
    return total


def test_learned_weights_are_the_likeliest():
    rng = np.random.default_rng(2)
    counts = rng.integers(1, 5, 40).astype(float)
    chains, c = [], counts
    for more in (30, 60, 200):
        chains.insert(0, (c, c + rng.integers(0, more, 40)))
        c = c + rng.integers(0, 3, 40)
    found = learn_interpolation(chains, counts, 50)

    def loss(logits):
        return left_out_loss(1 / (1 + np.exp(-logits)), chains, counts, 50)

    how = {"method": "Nelder-Mead", "options": {"fatol": 1e-9, "maxiter": 400}}
    best = minimize(loss, np.zeros(3), **how)
    assert left_out_loss(found, chains, counts, 50) == pytest.approx(best.fun, abs=1e-5)


COUNTS = cell_counts(3, {(0, 1): 2, (0, 2): 1, (1, 1): 1})  # context 2, outcome 0: never seen


def test_witten_bell_of_a_small_matrix():
    # Pooled (0, 3, 1): two types in four pairs, u = (0 + 2/3, 3 + 2/3, 1 + 2/3)/6 = (2, 11, 5)/18.
    # Row 0 has two types in three pairs: (C + 2 u)/5; row 1 one in one: (C + u)/2.
    expected = [[4 / 90, 58 / 90, 28 / 90], [2 / 36, 29 / 36, 5 / 36], [2 / 18, 11 / 18, 5 / 18]]
    np.testing.assert_allclose(method("wb").fit(COUNTS).dense(), expected)


def test_a_weight_is_learned_by_leaving_each_pair_out():
    # One context, counts (2, 2), u = (1/2, 1/2). With one out the frequency of its outcome is 1/3:
    # below u, so that all weight goes to u. Of (4, 0) it is one, so that none does.
    half = np.array([0.5, 0.5])
    even, uneven = (CountMatrix.from_dense([row]) for row in ([2, 2], [4, 0]))
    assert learn_weight(even, half) == pytest.approx(1, abs=1e-5)
    assert learn_weight(uneven, half) == pytest.approx(0, abs=1e-5)
    assert 0 < learn_weight(uneven, half) < learn_weight(even, half) < 1
    # (3, 1): 3 log((1 - w) 2/3 + w/2) + log(w/2) has its top where
    # -3/6 / (2/3 - w/6) + 1/w = 0: w/2 = 2/3 - w/6, so w = 1.
    assert learn_weight(CountMatrix.from_dense([[3, 1]]), half) == pytest.approx(1, abs=1e-5)
    # (9, 1): -9 (7/18) / (8/9 - 7 w/18) + 1/w = 0: 8/9 = 7 w/18 10, w = 16/70.
    assert learn_weight(CountMatrix.from_dense([[9, 1]]), half) == pytest.approx(16 / 70, abs=1e-9)
    assert learn_weight(CountMatrix.from_dense([[0, 0]]), half) == 0.5
