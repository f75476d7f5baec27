"""Bigrams grown to longer histories, context by context, against a general minimiser."""

import numpy as np
import pytest
from inputs import exactly
from scipy.optimize import minimize

from condprob import CountMatrix, Sentences, method
from condprob.sequences.histories import count_bigrams
from condprob.sequences.longer_histories import PENALTIES, _solve, fit_grown, search

RNG = np.random.default_rng(7)
SHARES = [0.4, 0.2, 0.15, 0.1, 0.1, 0.05]
LISTS = [RNG.choice(6, length, p=SHARES).tolist() for length in (40, 1, 0, 17, 25)]
TEXT = Sentences.from_lists(LISTS, k=8)  # words 6 and 7 never occur
HISTORIES = [(), (7,), (0,), (0, 1), (1, 0, 0), (0, 0, 0, 0, 1), (7, 0), (5, 0, 1, 1)]
BASE = method("kn", continuation="uniform")


def slow(order, penalty, history):
    """The distribution after a history, each context minimised by itself; 8 is the start."""
    base = BASE.fit(count_bigrams(TEXT), seed=0).dense()
    followers, padded = {}, [[8, *sentence] for sentence in LISTS]
    for sentence in padded:
        for i in range(1, len(sentence)):
            for length in range(1, min(order - 1, i) + 1):
                context = tuple(sentence[i - length : i])
                followers.setdefault(context, []).append((sentence, i))
    full = (8, *history)[-(order - 1) :]
    row = base[full[-1]].copy()
    for length in range(2, len(full) + 1):
        context, shorter = full[-length:], full[-length + 1 :]
        places = followers.get(context, [])
        if not places or len(places) == len(followers[shorter]):
            continue  # new, or at the same places as the shorter one
        counts = np.bincount([sentence[i] for sentence, i in places], minlength=8)
        row = tilt(row, counts, penalty)
    return row


def tilt(base, counts, penalty):
    """The distribution that minimises the log-loss of counts and half the squared weights."""
    seen = np.flatnonzero(counts)

    def objective(weights):
        z = 1 + base[seen] @ np.expm1(weights)
        expected = counts.sum() * base[seen] * np.exp(weights) / z
        value = counts.sum() * np.log(z) - counts[seen] @ weights + penalty * weights @ weights / 2
        return value, expected - counts[seen] + penalty * weights

    bounds = [(0, None)] * seen.size
    found = minimize(objective, np.zeros(seen.size), jac=True, bounds=bounds, method="L-BFGS-B",
                     options={"ftol": 1e-15, "gtol": 1e-11})  # fmt: skip
    tilted = base.copy()
    tilted[seen] *= np.exp(found.x)
    return tilted / tilted.sum()


@pytest.mark.parametrize("penalty", [0.05, 0.7, 5.0])
@pytest.mark.parametrize("order", [2, 3, 5])
def test_each_context_has_the_least_penalised_loss(order, penalty):
    model = fit_grown(BASE, TEXT, order, penalty)
    rows = model.rows(HISTORIES)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)
    for word in range(8):
        np.testing.assert_allclose(model.at(HISTORIES, word), rows[:, word], rtol=1e-12)
    for history, row in zip(HISTORIES, rows, strict=True):
        np.testing.assert_allclose(row, slow(order, penalty, history), atol=2e-6)


class Even:
    """A method for which every word is as likely as any other."""

    def fit(self, counts, seed, progress):
        return method("add-half").fit(CountMatrix.from_dense(np.zeros(counts.shape)), seed)


def test_a_weight_by_hand():
    # After 1 0 came 1, three times. With e^w = 2 there Z is 1/2 + 2/2, the model expects two of the
    # three, and penalty * log 2 has to be the one that is missing.
    text = Sentences.from_lists([[0, 0, 0]] * 3 + [[1, 0, 1]] * 3, k=2)
    model = fit_grown(Even(), text, 3, 1 / np.log(2))
    np.testing.assert_allclose(model.rows([(1, 0), (0, 0)]), [[1 / 3, 2 / 3], [2 / 3, 1 / 3]])


@pytest.mark.parametrize("n", [1, 30, 3000, 10**6])
@pytest.mark.parametrize("share", [1e-12, 1e-3, 1 - 1e-12])
@pytest.mark.parametrize("penalty", [0.05, 16.0])
def test_contexts_with_many_tokens_of_few_words_are_solved(n, share, penalty):
    """The end of a sentence after a full stop, thousands of times: Z is far above its start."""
    for counts in ([n], [n, 1], [max(n // 2, 1)] * 3):
        counts = np.array(counts, dtype=float)
        q = share * counts / counts.sum()
        weights = np.zeros(counts.size)
        z = _solve(q, counts, counts.sum(), penalty, weights)
        assert np.isfinite(weights).all()
        assert (weights >= 0).all()
        # The conditions of the minimum, in shares of the tokens.
        expected = q * np.exp(weights) / z
        off = expected + penalty * weights / counts.sum() - counts / counts.sum()
        np.testing.assert_allclose(off[weights > 0], 0, atol=1e-9)
        assert (off[weights == 0] >= -1e-12).all()
        np.testing.assert_allclose(expected.sum() + (1 - q.sum()) / z, 1, rtol=1e-9)


@pytest.mark.parametrize("penalty", [1e-12, 1e-17, 1e-20, 1e-100])
def test_next_to_no_penalty_gives_numbers(penalty):
    words = np.random.default_rng(1).integers(0, 6, 400).tolist()
    text = Sentences.from_lists([words], 6)
    model = fit_grown(method("kn"), text, 4, penalty)
    histories = [tuple(np.random.default_rng(s).integers(0, 6, 3)) for s in range(200)]
    rows = model.rows(histories)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-9)
    # Without any penalty a context that was seen has the frequencies of its words.
    counts = np.zeros(6)
    for place in range(3, 400):
        if words[place - 3 : place] == words[10:13]:
            counts[words[place]] += 1
    found = model.rows([tuple(words[10:13])])[0]
    np.testing.assert_allclose(found, counts / counts.sum(), atol=1e-9)


def test_a_word_that_ends_what_another_rarely_ends_has_a_probability():
    # After 0 2 comes 3, which after 2 is one word of a thousand.
    text = Sentences.from_lists([[0, 2, 3]] * 30 + [[1, 2, 1]] * 30_000, k=4)
    rows = fit_grown(BASE, text, 3, 0.05).rows([(0, 2), (1, 2), (2, 3)])
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert rows[0, 3] > 0.9


def test_the_penalty_is_learned_from_the_last_tenth():
    text = Sentences.from_words(np.random.default_rng(2).zipf(1.6, 3000) % 20, k=20)
    rest, held_out = text.split(0.9)
    losses = {p: -fit_grown(BASE, rest, 3, float(p)).score(held_out).sum() for p in PENALTIES}
    model = fit_grown(BASE, text, 3)
    assert model.penalty == min(losses, key=losses.get)
    again = fit_grown(BASE, text, 3, model.penalty)
    np.testing.assert_array_equal(model.rows(HISTORIES), again.rows(HISTORIES))


def test_another_may_stand_for_the_method_where_the_penalty_is_learned():
    fitted = []

    class Told:
        def __init__(self, id):
            self.id = id

        def fit(self, counts, seed=0, **how):
            fitted.append((self.id, counts.n))
            return method(self.id).fit(counts, seed)

    text = Sentences.from_words(np.random.default_rng(2).zipf(1.6, 3000) % 20, k=20)
    model = fit_grown(Told("kn"), text, 3, scout=Told("add-half"))
    rest, _ = text.split(0.9)
    assert fitted == [("add-half", count_bigrams(rest).n), ("kn", count_bigrams(text).n)]
    assert model.penalty == fit_grown(method("add-half"), text, 3).penalty
    expected = fit_grown(method("kn"), text, 3, model.penalty)
    np.testing.assert_array_equal(model.rows(HISTORIES), expected.rows(HISTORIES))


# Kiefer's bounds: 2, 3, 4, 5 and 6 looks for up to 2, 4, 7, 12 and 20 numbers, which are one less
# than Fibonacci's.
@pytest.mark.parametrize(
    ("size", "looks"), [(1, 0), (2, 2), (3, 3), (4, 3), (5, 4), (7, 4), (12, 5), (17, 6), (20, 6)]
)
def test_the_least_of_losses_that_fall_and_rise_is_found_in_few_looks(size, looks):
    for best in range(size):
        looked = []

        def loss_of(number, best=best, looked=looked):
            looked.append(number)
            return (number - best) * (2.0 if number > best else -1.0)

        assert search(loss_of, size) == best
        assert set(looked) <= set(range(size))
        assert len(looked) <= looks


@pytest.mark.parametrize(
    ("given", "message"),
    [({"order": 1}, "order = 1: an integer >= 2 is needed"),
     *(({"order": 3, "penalty": penalty},
        f"penalty = {penalty!r}: must be a number > 0, or 'learned'")
       for penalty in (0.0, np.nan, np.inf, "x", None))],
)  # fmt: skip
def test_what_cannot_be_is_refused(given, message):
    with pytest.raises(ValueError, match=exactly(message)):
        fit_grown(BASE, TEXT, **given)
