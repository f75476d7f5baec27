"""Bigrams mixed with Kneser-Ney of a higher order: by the formula, at the edges, in files."""

import numpy as np
import pytest
from inputs import exactly
from scipy.optimize import minimize_scalar

from condprob import BigramMixture, Sentences, Text, cross_entropy, fit_text, load, method
from condprob.cli import main
from condprob.files.arrays import read_arrays, write_arrays
from condprob.run import Run
from condprob.splits import TUNING_SHARE
from condprob.text.bigram_mixture import (
    EDGES,
    LEAST_WORDS_OF_BIN,
    fit_longer,
    fit_mixture,
    last_contexts,
)

RNG = np.random.default_rng(7)
SHARES = [0.4, 0.2, 0.15, 0.1, 0.1, 0.05]
LISTS = [RNG.choice(6, length, p=SHARES).tolist() for length in (40, 1, 0, 17, 25)]
TEXT = Sentences.from_lists(LISTS, k=8)  # words 6 and 7 never occur
HISTORIES = [(), (7,), (0,), (0, 1), (1, 0, 0), (0, 0, 0, 0, 1), (7, 0), (5, 0, 1, 1), (0, 7)]


def chain_of_words(size, k=20, seed=8):
    """A text in sentences, where a word depends on the class of the word before, and on both."""
    rng = np.random.default_rng(seed)
    of_classes = rng.dirichlet(np.full(k, 0.2), size=3)[np.arange(k + 1) % 3]
    laws = 0.7 * of_classes + 0.3 * rng.dirichlet(np.full(k, 0.02), size=(k + 1, k + 1))
    lists, words = [], []
    for _ in range(size):
        before = [k, k, *words][-2:]
        words.append(int(rng.choice(k, p=laws[tuple(before)])))
        if rng.random() < 0.1:
            lists.append(words)
            words = []
    return Sentences.from_lists([*lists, words], k)


LONG = chain_of_words(9000)


def times_seen(history, order, lists, start):
    """How often the whole history of so many words was seen before a word; from the start if short.

    Counted by going over the sentences.
    """
    wanted = tuple([start, *history][-(order - 1) :])
    if len(wanted) < order - 1 and wanted[0] != start:
        return 0
    found = 0
    for sentence in lists:
        padded = [start, *sentence]
        for end in range(1, len(padded)):
            before = padded[max(end - order + 1, 0) : end]
            found += tuple(before) == wanted
    return found


@pytest.mark.parametrize("order", [2, 3, 5])
def test_bins_are_those_of_the_counts_of_whole_histories(order):
    longer, bins = fit_longer(TEXT, order)
    found = bins[last_contexts(longer, HISTORIES)]
    for history, b in zip(HISTORIES, found, strict=True):
        times = times_seen(history, order, LISTS, 8)
        assert b == sum(times >= edge for edge in EDGES), history


@pytest.mark.parametrize("id", ["ad", "ad-lr", "py-lr"])
def test_the_model_is_its_formula(id):
    few = {"rank": 2, "iterations": 3, "sweeps": 5, "largest_rank": 2}
    made = method(id)
    made = method(id, **{name: few[name] for name in few if hasattr(made, name)})
    model = made.fit_text(TEXT, 3, seed=4)
    assert isinstance(model, BigramMixture)
    bigram = made.fit_text(TEXT, 2, seed=4)
    longer = method("kn", discount="modified").fit_text(TEXT, 3)
    times = [times_seen(history, 3, LISTS, 8) for history in HISTORIES]
    weights = model.weights[np.searchsorted(EDGES, times, side="right")][:, None]
    expected = (1 - weights) * bigram.rows(HISTORIES) + weights * longer.rows(HISTORIES)
    rows = model.rows(HISTORIES)
    np.testing.assert_allclose(rows, expected, rtol=1e-12)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-9)
    for word in range(8):
        np.testing.assert_allclose(model.at(HISTORIES, word), rows[:, word], rtol=1e-12)
    assert (model.order, model.outcomes, model.parameters) == (3, 8, longer.parameters)
    assert model.ended == bigram.ended


def test_weights_are_the_likeliest_for_the_last_tenth():
    """Against a search along one weight at a time, by models fitted to the part before."""
    model = method("ad").fit_text(LONG, 3)
    rest, held_out = LONG.split(1 - TUNING_SHARE)
    before = held_out.histories(3)
    of_bigram = method("ad").fit_text(rest, 2).at(before[:, -1:], held_out.words)
    kn = method("kn", discount="modified").fit_text(rest, 3)
    of_longer = kn.at(before, held_out.words)
    lists = [s.tolist() for s in np.split(rest.words, rest.starts[1:-1])]
    known = {}
    histories = [tuple(int(w) for w in row if w >= 0) for row in before]
    for history in set(histories):
        known[history] = times_seen(history, 3, lists, LONG.k)
    bins = np.searchsorted(EDGES, [known[history] for history in histories], side="right")

    def best(inside):
        def loss(w):
            return -np.log((1 - w) * of_bigram[inside] + w * of_longer[inside]).sum()

        return minimize_scalar(loss, bounds=(0, 1), method="bounded", options={"xatol": 1e-9}).x

    whole, own = best(np.ones(bins.size, dtype=bool)), 0
    for b, weight in enumerate(model.weights):
        inside = bins == b
        own += inside.sum() >= LEAST_WORDS_OF_BIN
        expected = best(inside) if inside.sum() >= LEAST_WORDS_OF_BIN else whole
        assert weight == pytest.approx(expected, abs=1e-5)
    assert own > 1


def test_it_is_better_than_its_parts_where_longer_histories_tell_something():
    train, test = LONG.split(0.3)
    model = method("ad-lr", rank=3).fit_text(train, 3)
    loss = cross_entropy(test, model)
    assert loss < min(cross_entropy(test, part) for part in (model.bigram, model.longer))


def test_another_may_stand_for_the_method_where_the_weights_are_learned():
    fitted = []

    class Told:
        def __init__(self, id):
            self.id = id

        def lighter(self):
            return Told("add-half")

        def fit_sentences(self, sentences, order, run):
            fitted.append((self.id, sentences.n, order))
            return method(self.id).fit_sentences(sentences, order, run)

    model = fit_mixture(Told("ad"), LONG, 3, Run())
    rest, _ = LONG.split(1 - TUNING_SHARE)
    assert fitted == [("add-half", rest.n, 2), ("ad", LONG.n, 2)]
    lighter = fit_mixture(method("add-half"), LONG, 3, Run())
    np.testing.assert_array_equal(model.weights, lighter.weights)


@pytest.mark.parametrize("lists", [[], [[]], [[0]], [[1], [0]]])
def test_where_nothing_can_be_held_out_both_weigh_the_same(lists):
    text = Sentences.from_lists(lists, 3)
    model = method("ad").fit_text(text, 4)
    rows = model.rows([(), (0, 1, 2)])
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    if sum(map(len, lists)) < 2:
        np.testing.assert_array_equal(model.weights, 0.5)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_as_a_back_off_model_n_grams_that_were_seen_are_exact(order):
    model = fit_mixture(method("jm"), LONG, order, Run())
    made = model.to_backoff()
    scored = LONG.split(0.3)[0]
    # All n-grams of the text were seen: of whole histories.
    np.testing.assert_allclose(made.score(scored), model.score(scored), rtol=1e-9)
    new = chain_of_words(400, seed=9)
    histories = np.concatenate([scored.histories(order)[:300], new.histories(order)[:300]])
    np.testing.assert_allclose(made.rows(histories).sum(axis=1), 1, rtol=0, atol=1e-9)
    assert (made.rows(histories) >= 0).all()
    # After a history that was seen, unseen words have what is left, as the next shorter tells.
    history = scored.histories(order)[50:51]
    row, ours = made.rows(history)[0], model.rows(history)[0]
    lists = [s.tolist() for s in np.split(LONG.words, LONG.starts[1:-1])]
    wanted = history[0].tolist()
    seen = {
        s[i]
        for s in lists
        for i in range(len(s))
        if ([-1] * order + s[:i])[len(s[:i]) + 1 :] == wanted
    }
    unseen = np.setdiff1d(np.arange(LONG.k), list(seen))
    assert seen
    np.testing.assert_allclose(row[[*seen]], ours[[*seen]], rtol=1e-9)
    assert row[unseen].sum() == pytest.approx(ours[unseen].sum(), abs=1e-9)
    if order > 2:
        known = (times_seen((x, *wanted[1:]), order, lists, LONG.k) for x in range(LONG.k))
        new = next(x for x, times in enumerate(known) if not times)
        shorter = made.rows([(new, *wanted[1:])])[0][unseen]
        np.testing.assert_allclose(row[unseen] / row[unseen].sum(), shorter / shorter.sum())


def test_words_that_all_follow_leave_nothing():
    """Every word was seen after every history: nothing is left, and the rows still sum to one."""
    words = np.random.default_rng(0).integers(0, 2, 3000)
    made = fit_mixture(method("ad"), Sentences.from_words(words, 2), 3, Run()).to_backoff()
    rows = made.rows([(), (0,), (0, 1), (1, 1)])
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=0, atol=1e-12)


LINES = ["a b c", "a b d", "a c b", "b a", "c a b"] * 12


def test_a_labelled_one_is_asked_saved_and_written_as_an_arpa_file(tmp_path):
    made = fit_text(LINES, 3, method="jm", text=Text(min_count=2))
    assert sum(made.row("a b").values()) == pytest.approx(1)
    assert made.prob("a b", "c") == made.row("a b")["c"]
    assert len(made.generate(7, "a b", seed=1)) == 7
    assert made.sample("a b", 3, seed=1) == made.sample("a b", 3, seed=1)
    made.save(tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    assert again.score(LINES).nats == made.score(LINES).nats
    assert again.summary() == made.summary()
    assert f"Kneser-Ney of order {made.order} with weight" in made.summary()
    made.save(tmp_path / "model.arpa")
    arpa = load(tmp_path / "model.arpa")
    for before, word in (("a b", "c"), ("b", "a"), ("", "a"), ("a", "b")):  # all seen
        assert arpa.prob(before, word) == pytest.approx(made.prob(before, word), rel=1e-6)
    assert arpa.score(LINES).nats == pytest.approx(made.score(LINES).nats, abs=1e-6)


@pytest.mark.parametrize("id", ["py-lr", "ad"])
def test_the_command_line_writes_an_arpa_file_of_it(tmp_path, monkeypatch, capsys, id):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train").write_text("\n".join(LINES), encoding="utf-8")
    fit = ["fit", "train", "--method", id, "-o", "model.arpa", "--order"]
    assert [main([*fit, order]) for order in ("3", "2")] == [0, 2]
    assert "model.arpa: an ARPA file is for back-off models of sentences" in capsys.readouterr().err
    made = fit_text(LINES, 3, method=id)
    assert load("model.arpa").prob("a b", "c") == pytest.approx(made.prob("a b", "c"), rel=1e-6)


@pytest.mark.parametrize(
    "craft",
    [
        lambda a: {"weights": a["weights"][:2]},
        lambda a: {"weights": a["weights"] + 2},
        lambda a: {"bins": a["bins"][1:]},
        lambda a: {"bins": a["bins"] + 10},
        lambda a: {key.replace("longer", "bigram"): v for key, v in a.items() if "longer" in key},
    ],
)
def test_a_file_that_cannot_be_is_told(tmp_path, craft):
    path = tmp_path / "m.npz"
    method("ad").fit_text(TEXT, 3).save(path)
    arrays = read_arrays(path)
    write_arrays(path, arrays | craft(arrays))
    with pytest.raises(ValueError, match="damaged"):
        load(path)


def test_an_order_below_two_is_one_line():
    with pytest.raises(ValueError, match=exactly("order = 1: must be an integer >= 2")):
        fit_mixture(method("ad"), TEXT, 1, Run())
