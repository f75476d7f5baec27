"""What takes models in numbers takes those in labels, and reads data as their `score` does."""

import re

import numpy as np
import pandas as pd
import pytest

from condprob import (
    CountMatrix,
    Text,
    UnseenContextWarning,
    compare,
    complete,
    embed,
    fit,
    fit_text,
    interval,
    load,
    method,
    mix,
    posterior,
    reliability,
)


def draw_table(n, seed):
    """Return pairs of 12 users and 9 items, of which each user has four that are next to others."""
    rng = np.random.default_rng(seed)
    users = np.append(np.arange(12), rng.integers(0, 12, n))
    items = (users + rng.integers(0, 4, users.size)) % 9
    return pd.DataFrame({"user": [f"u{u}" for u in users], "item": [f"i{i}" for i in items]})


def draw_lines(n, words, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{w}" for w in rng.integers(0, words, 6)) for _ in range(n)]


TRAIN = draw_table(200, 1)
NEW = pd.DataFrame({"user": ["new", "u1", "other"], "item": ["i0", "never", "i1"]})
TEST = pd.concat([draw_table(100, 2), NEW])
LINES, OTHERS = draw_lines(60, 15, 3), draw_lines(30, 17, 4)  # with two words never seen


@pytest.fixture(scope="module")
def pair():
    return [fit(TRAIN, "user", "item", method=name) for name in ("kn", "add-half")]


def test_estimates_are_compared_on_what_their_scores_know(pair):
    one, other = pair
    scores = [each.score(TEST) for each in pair]
    found = compare(one, other, TEST)
    assert found.value == pytest.approx(scores[1].nats - scores[0].nats)
    assert found.low < found.value < found.high
    assert interval(TEST, one) == (scores[0].nats, scores[0].low, scores[0].high)
    # The same of rows in another order, and of other contexts: u0 is left out.
    turned = fit(TRAIN[::-1], "user", "item", method="add-half")
    assert turned.labels == other.labels
    np.testing.assert_allclose(compare(one, turned, TEST), found)
    fewer = fit(TRAIN[TRAIN["user"] != "u0"], "user", "item", method="add-half")
    value = fewer.score(TEST).nats - scores[0].nats
    assert compare(one, fewer, TEST).value == pytest.approx(value)
    pairs = TEST.to_numpy().tolist()
    assert compare(one, other, iter(pairs)) == compare(one, other, pairs)  # read once


def test_reliability_is_that_of_the_counts(pair):
    known = TEST[TEST["item"] != "never"]
    rows = pair[0].contexts.numbers(u if u in pair[0].contexts else "u0" for u in known["user"])
    rows[~known["user"].isin(TRAIN["user"])] = 12  # the row of contexts that were never seen
    counts = CountMatrix.from_pairs(rows, pair[0].outcomes.numbers(known["item"]), shape=(13, 9))
    expected = reliability(counts, pair[0].model)
    np.testing.assert_array_equal(reliability(TEST, pair[0]), expected)
    # Counts without that row are as good, in numbers and beside labels.
    seen = pd.crosstab(TRAIN["user"], TRAIN["item"])
    estimate = fit(seen, method="kn")
    for model in (estimate, estimate.model):
        wide = np.vstack([seen.to_numpy(), np.zeros((1, 9))])
        expected = reliability(wide, estimate.model), interval(wide, estimate.model)
        np.testing.assert_array_equal(reliability(seen.to_numpy(), model), expected[0])
        np.testing.assert_allclose(interval(seen.to_numpy(), model), expected[1])


def test_estimates_are_mixed_and_the_mixture_is_one(pair, tmp_path):
    mixed = mix(pair, tune=TEST)
    least = min(each.score(TEST).nats for each in pair)
    assert mixed.score(TEST).nats <= least
    share = mixed.weights[0]
    with pytest.raises(AttributeError, match="a fit of kn has no weights: it is not a mixture"):
        _ = pair[0].weights
    of_chains = fit(TRAIN, "user", "item", sweeps=2, chains=1, largest_rank=2)
    with pytest.raises(AttributeError, match="a fit of py-lr has no weights"):
        _ = of_chains.weights
    both = [each.prob("u1", "i2") for each in pair]
    assert mixed.prob("u1", "i2") == pytest.approx(share * both[0] + (1 - share) * both[1])
    mixed.save(tmp_path / "mixed.npz")
    assert load(tmp_path / "mixed.npz").top("u1", 3) == mixed.top("u1", 3)
    assert "mix of kn, add-half: 12 user x 9 item" in mixed.summary()
    with pytest.raises(
        ValueError, match="method 'mix of kn, add-half' cannot fold in new contexts"
    ):
        mixed.fold_in(TEST)


@pytest.mark.filterwarnings("ignore:.* of the words are unknown, and are left out")
def test_language_models_are_compared_and_mixed():
    text = Text(min_count=2)
    one, other = (fit_text(LINES, order, text=text) for order in (3, 2))
    scores = [each.score(OTHERS) for each in (one, other)]
    assert scores[0].unknown > 0
    assert compare(one, other, OTHERS).value == pytest.approx(scores[1].nats - scores[0].nats)
    assert interval(OTHERS, one)[1:] == (scores[0].low, scores[0].high)
    mixed = mix([one, other], tune=OTHERS)
    least = min(score.nats_with_unknown for score in scores)
    assert mixed.score(OTHERS).nats_with_unknown <= least
    # Pairs of neighbours over line ends: a matrix
    plain = [fit_text(LINES, 2, text=Text(lines=False), method=m) for m in ("kn", "add-half")]
    expected = plain[1].score(OTHERS).nats - plain[0].score(OTHERS).nats
    assert compare(*plain, OTHERS).value == pytest.approx(expected)
    least = min(each.score(OTHERS).nats for each in plain)
    assert mix(plain, tune=OTHERS).score(OTHERS).nats <= least
    with pytest.raises(ValueError, match="have different outcomes"):
        compare(one, plain[0], OTHERS)
    cut = fit_text(LINES, 3, text=Text(lines=False))
    with pytest.raises(ValueError, match=r"read .* outcomes: fit both with the same Text"):
        compare(cut, plain[0], OTHERS)


def test_words_have_vectors():
    language = fit_text(LINES, 2, method="ad-lr", rank=2, iterations=20)
    left, right = language.model.matrix.factors()
    product = left[: len(language.words)] @ right
    for side, rows in (("contexts", product), ("outcomes", product.T)):
        vectors = embed(language, side).vectors
        np.testing.assert_allclose(vectors @ vectors.T, rows @ rows.T, atol=1e-12)
    assert embed(language).nearest(language.words[0], 1)[0][0, 0] in language.words
    for other in (fit_text(LINES, 3, method="ad-lr", rank=2), fit_text(LINES, 2, method="kn")):
        with pytest.raises(ValueError, match=r"has no factors .* a text at order 2"):
            embed(other)
    with pytest.raises(ValueError, match="of type Ratings: expected a ConditionalMatrix"):
        embed(complete([("ann", "up", 5)], rank=1, passes=1))


def test_labels_have_vectors():
    topics = fit(TRAIN, "user", "item", method="ad-lr", rank=2, iterations=20)
    numbers, _ = embed(topics.model).nearest(topics.contexts.numbers(["u1", "u7"]), 12)
    expected = [[topics.contexts[n] for n in row] for row in numbers]
    assert len(expected[0]) == 11  # the row of contexts never seen has no label, and is none
    found, also = embed(topics).nearest(["u1", "u7"], 11)
    assert found.tolist() == expected
    assert embed(topics).nearest("u1", 1)[0][0] == expected[0][:1]
    cosines = embed(topics).cosines("u1", expected[0][0])  # BLAS rounds other shapes otherwise
    np.testing.assert_allclose(also[0, 0], cosines, rtol=1e-12)
    assert embed(topics, "outcomes").vectors.shape == (9, 2)
    further = topics.fold_in(pd.DataFrame({"user": ["dan"], "item": ["i1"]}))
    # Scalar products are those of the product of the factors, over contexts with labels alone.
    (left, right), (new, _) = topics.model.factors(), further.model.factors()
    product, outcomes = left[:-1] @ right, embed(topics, "outcomes").vectors
    np.testing.assert_allclose(outcomes @ outcomes.T, product.T @ product, atol=1e-12)
    vectors = embed(further, axes_of=topics).vectors
    of_both = new[:-1] @ right @ product.T
    np.testing.assert_allclose(vectors @ embed(topics).vectors.T, of_both, atol=1e-12)


def test_what_does_not_go_together_is_told(pair):
    one, other = pair
    wider = fit(TRAIN, "user", "item", method="add-half", outcomes=["milk"])
    plain = fit(TRAIN, "user", "item", method="ad")
    mistakes = [
        (lambda: compare(one, wider, TEST), "only one of them knows 'milk'"),
        (lambda: compare(one, TEST, other), "the other, of type DataFrame, has none"),
        (lambda: compare(one.model, TEST, other.model), "the estimate is of type DataFrame"),
        (lambda: compare(one.model, other.model, np.ones((8, 8))), "shape (8, 8): must be (13, 9)"),
        (lambda: mix([one, wider], tune=TEST), "must have the same labels in the same order"),
        (lambda: mix(one, tune=TEST), "models: must be a list of models"),
        (lambda: mix(one.model, tune=TEST), "models: must be a list of models"),
        (lambda: mix([one.model, one], tune=TEST), "the same labels in the same order"),
        (
            lambda: embed(one),
            "a fit of kn has no factors to embed; fit a method with factors",
        ),
        (lambda: fit_text("a b", text="letters"), "text = 'letters': pass Text"),
        (lambda: fit_text("a b", known="zebra"), "'zebra' is one label: pass a list"),
        (
            lambda: plain.fold_in(TEST),
            "method 'ad' cannot fold in new contexts; fit all counts again, or use one of",
        ),
        (lambda: posterior([[1, 99]], 1).interval(["a"], ["b"]), "contexts of type <U1: must be"),
        (
            lambda: posterior([[1, 99]], 1).interval(["a"], ["b"]),
            "as `Vocabulary.numbers` has them",
        ),
        (
            lambda: one.score(TEST["user"].to_frame()),
            "column 'item' not found; the table has 'user'",
        ),
    ]
    for call, message in mistakes:
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            call()
        assert "\n" not in str(caught.value)
    assert one.score(TEST) == one.score(TEST)
    by_estimator = fit(TRAIN, "user", "item", method=method("kn"))
    assert by_estimator.summary() == one.summary()
    with pytest.warns(UserWarning, match="1 of 115 pairs have outcomes that are not known"):
        assert by_estimator.fold_in(TEST).outcomes == one.outcomes


@pytest.mark.filterwarnings("ignore:.* of the words are unknown, and are left out")
def test_histories_with_words_never_seen_have_the_answer_of_their_scores():
    plain, classed = fit_text(LINES, 3), fit_text(LINES, 3, text=Text(min_count=2))
    with pytest.warns(UnseenContextWarning, match="'zzz' is not in the vocabulary: the prediction"):
        assert plain.top("w1 zzz w2", 3) == plain.top("w2", 3)
    with pytest.warns(UnseenContextWarning, match="'zzz' is not in the vocabulary"):
        assert plain.prob("w1 zzz", "w2") == plain.prob("", "w2")
    # As `score` has it, which cuts a sentence there: w2 is the first word of a sentence.
    score = plain.score(["zzz w2"])
    whole = np.log(plain.prob("", "w2")) + np.log(plain.prob("w2", "</s>"))
    assert score.nats == pytest.approx(-whole / 2)
    with pytest.warns(UnseenContextWarning, match="the class of unknown words stands in"):
        assert classed.top("zzz", 3) == classed.top("<unk>", 3)
    listed = classed.top("w1", 3)
    assert classed.top("w1", 2, exclude=[listed[0][0], "zzz"]) == listed[1:]


@pytest.mark.parametrize("order", [1, 3])
def test_a_model_of_histories_has_a_curve_over_all_words_after_its_places(order):
    language = fit_text(LINES, order, text=Text(min_count=2))
    curve = reliability(OTHERS, language, bins=4)
    sentences = language.in_numbers(OTHERS)
    rows = language.model.rows(sentences.histories(order))
    edges = np.geomspace(rows.min(), 1.0, 5)[1:-1]
    which = np.searchsorted(edges, rows)
    is_next = np.arange(rows.shape[1]) == sentences.words[:, None]
    expected = [
        (rows[which == b].mean(), is_next[which == b].mean(), (which == b).sum())
        for b in range(4)
        if (which == b).any()
    ]
    np.testing.assert_allclose(np.transpose(curve), expected)
