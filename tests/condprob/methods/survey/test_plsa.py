"""PLSA is the low-rank method: its share of the unigram, its temperature, and folding in."""

from dataclasses import replace

import numpy as np
import pytest

from condprob import CountMatrix, cross_entropy, load, method
from condprob.methods.direct import unigram
from condprob.methods.survey.plsa import TEMPERATURES
from condprob.splits import TUNING_SHARE, hold_out

RNG = np.random.default_rng(7)
TOPICS, WORDS = RNG.dirichlet(np.full(3, 0.2), 40), RNG.dirichlet(np.full(25, 0.3), 3)
# Documents by words, a rectangle: each document is a context, and mixes three topics.
DOCUMENTS = CountMatrix.from_dense([RNG.multinomial(60, row) for row in TOPICS @ WORDS])


def test_without_a_share_it_is_the_low_rank_method_and_its_likelihood_never_falls():
    options = {"rank": 3, "iterations": 60}
    plain = method("lr", **options).fit(DOCUMENTS, seed=5)
    fit = method("plsa", weight=0.0, history=True, **options).fit(DOCUMENTS, seed=5)
    np.testing.assert_array_equal(fit.dense(), plain.dense())
    assert (np.diff(fit.history) <= 1e-15).all()
    mixed = method("plsa", weight=0.2, **options).fit(DOCUMENTS, seed=5)
    expected = 0.8 * plain.dense() + 0.2 * unigram(DOCUMENTS, 0.75)
    np.testing.assert_allclose(mixed.dense(), expected, rtol=1e-12)
    np.testing.assert_array_equal(mixed.W, plain.W)
    with pytest.raises(ValueError, match="must be simultaneous where it is tempered"):
        method("plsa", temperature=0.9, update="alternating")


def test_a_training_row_that_is_folded_in_comes_back():
    plsa = method("plsa", rank=3, iterations=4000, weight=0.1)
    fit = plsa.fit(DOCUMENTS, seed=5)
    folded = plsa.fold_in(fit, DOCUMENTS.dense()[:9])
    np.testing.assert_allclose(folded.dense(), fit.dense()[:9], atol=1e-6)
    alone = method("plsa", rank=3, iterations=5, weight=0.0)
    few = alone.fit(DOCUMENTS, seed=5)
    np.testing.assert_allclose(alone.fold_in(few, DOCUMENTS).dense().sum(axis=1), 1)


@pytest.mark.parametrize("temperature", [0.6, "learned"])
def test_a_tempered_training_row_that_is_folded_in_comes_back(temperature, tmp_path):
    # The rows of a fit that stands still are, at its bases, where tempered iterations stand still.
    plsa = method("plsa", rank=6, iterations=4000, weight=0.1, temperature=temperature)
    fit = plsa.fit(DOCUMENTS, seed=3)
    assert 0.5 <= fit.temperature < 1
    fit.save(tmp_path / "fit")
    folded = plsa.fold_in(load(tmp_path / "fit"), DOCUMENTS.dense()[:9])
    np.testing.assert_allclose(folded.dense(), fit.dense()[:9], atol=1e-6)
    if temperature == "learned":
        with pytest.raises(ValueError, match="does not record the learned temperature"):
            plsa.fold_in(replace(fit, temperature=None), DOCUMENTS)


@pytest.mark.parametrize("weight", [0.0, 0.2])
def test_contexts_without_counts_are_folded_in_as_those_of_the_fit(weight):
    plsa = method("plsa", rank=3, iterations=3000, weight=weight, unseen="unigram")
    counts = np.vstack([np.zeros(25), DOCUMENTS.dense()[:9]])
    fit = plsa.fit(counts, seed=5)
    np.testing.assert_allclose(fit[0], unigram(CountMatrix.from_dense(counts), 0.75))
    folded = plsa.fold_in(fit, counts[[0, 3, 0, 5]])
    np.testing.assert_allclose(folded.dense(), fit.rows([0, 3, 0, 5]), atol=1e-6)


def test_topics_of_documents_are_found_again():
    test = CountMatrix.from_dense([RNG.multinomial(200, row) for row in TOPICS @ WORDS])
    fit = method("plsa", rank=3).fit(DOCUMENTS, seed=1)
    truth = -(test.values @ np.log((TOPICS @ WORDS)[test.contexts, test.outcomes])) / test.n
    assert cross_entropy(test, fit) < truth + 0.08
    for other in ("laplace", "lsa"):
        assert cross_entropy(test, fit) < cross_entropy(test, method(other).fit(DOCUMENTS))


def test_the_temperature_is_the_one_that_held_out_pairs_like_best():
    options = {"rank": 8, "iterations": 80}
    rest, held_out = hold_out(DOCUMENTS, TUNING_SHARE, 3)
    pairs, q, losses = (held_out.contexts, held_out.outcomes), unigram(rest, 0.75), []
    for temperature in TEMPERATURES:
        Q = method("plsa", weight=0.0, temperature=temperature, **options).fit(rest, 3).dense()
        shares = np.linspace(0, 1, 2001)[1:-1, None]
        logs = np.log((1 - shares) * Q[pairs] + shares * q[pairs[1]])
        losses.append(-(logs @ held_out.values).max())
    stop = next((t for t in range(1, 6) if losses[t] >= losses[t - 1]), 6)
    assert stop > 1  # tempering helps: there are more classes than topics
    best = TEMPERATURES[stop - 1]
    learned = method("plsa", temperature="learned", **options).fit(DOCUMENTS, seed=3)
    given = method("plsa", temperature=best, **options).fit(DOCUMENTS, seed=3)
    np.testing.assert_array_equal(learned.W, given.W)
    np.testing.assert_allclose(learned.dense(), given.dense(), atol=1e-9)
    assert (given.left[:, -1] < 1).all()
