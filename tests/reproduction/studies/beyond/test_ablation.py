"""PY-LR without one of its ingredients."""

import numpy as np
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.counts import PairsInOrder
from condprob.methods.pitman_yor.novelty import bin_of, lacking_shares

WORDS = (np.random.default_rng(3).geometric(0.12, 400) - 1).clip(0, 35)
FEW = {"largest_rank": 3, "chains": 1, "sweeps": 12}


def fit_words(id, **options):
    return method(id, **FEW | options).fit(PairsInOrder(WORDS[:-1], WORDS[1:], 40), 1)


def test_without_an_option_it_is_py_lr():
    for one, other in (
        (fit_words("py-lr"), fit_words("py-lr-ablated")),
        (method("py-lr", **FEW).fit(COUNTS, 1), method("py-lr-ablated", **FEW).fit(COUNTS, 1)),
    ):
        np.testing.assert_array_equal(one.dense(), other.dense())


COUNTS = random_counts(3, 20, 150)


def test_a_text_may_have_another_prior():
    matrix = fit_words("py-lr-ablated", prior="dirichlet")
    assert matrix.of_classes == 0.0
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1)


def test_good_turing_counts_distinct_pairs_or_tokens_or_nothing():
    counts = CountMatrix.from_pairs(WORDS[:-1], WORDS[1:], 40)
    bins = bin_of(counts.row_sums)
    of_pairs, of_tokens, of_none = (
        fit_words("py-lr-ablated", novelty=novelty) for novelty in ("by order", "tokens", "none")
    )
    assert not of_none.lacking.any()
    for found, of in ((of_pairs, "pairs"), (of_tokens, "tokens")):
        new, own = counts.column_sums == 0, found.of_unseen[:-1].copy()
        left = found.left[:, :-2] / found.left[:, :-2].sum(axis=1, keepdims=True)
        sums, freed = counts.row_sums, np.zeros(40)
        np.add.at(freed, counts.contexts, found.discounts[np.minimum(counts.values, 3) - 1])
        theta = found.strength
        share = np.where(sums > 0, (theta + freed) / (theta + np.maximum(sums, 1)), 1)
        np.testing.assert_allclose(own, found.right[:-2][:, new].sum(axis=1))
        expected = lacking_shares(counts, share * (left @ own), bins, 7, of)
        np.testing.assert_allclose(found.lacking, expected, rtol=1e-9, atol=1e-12)
        assert found.lacking.any()
