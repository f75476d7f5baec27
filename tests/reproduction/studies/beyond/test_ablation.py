"""PY-LR without one of its ingredients."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, method
from condprob.pitman_yor.novelty import bin_of, lacking_shares

WORDS = (np.random.default_rng(3).geometric(0.12, 400) - 1).clip(0, 35)
FEW = {"largest_rank": 3, "chains": 1, "sweeps": 12}


def fit_words(id, **options):
    return method(id, **FEW | options).fit_in_order(WORDS[:-1], WORDS[1:], 40, 1)


def test_without_an_option_it_is_py_lr():
    for one, other in (
        (fit_words("py-lr"), fit_words("py-lr-ablated")),
        (method("py-lr", **FEW).fit(COUNTS, 1), method("py-lr-ablated", **FEW).fit(COUNTS, 1)),
    ):
        np.testing.assert_array_equal(one.dense(), other.dense())


COUNTS = random_counts(3, 20, 150)


@pytest.mark.parametrize("options", [{"prior": "dirichlet"}, {"novelty": "tokens"}], ids=str)
def test_a_text_has_another_prior_or_count(options):
    matrix = fit_words("py-lr-ablated", **options)
    assert matrix.of_classes == (0.0 if "prior" in options else 0.5)
    assert matrix.by_tokens == ("novelty" in options)
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1)


def test_without_good_turing_outcomes_never_seen_have_the_base_alone():
    counts = CountMatrix.from_pairs(WORDS[:-1], WORDS[1:], 40)
    without, found = fit_words("py-lr-ablated", novelty="none"), fit_words("py-lr")
    assert not without.novel.any()
    assert not without.by_tokens
    is_new = counts.column_sums == 0
    given = (without.left @ without.right)[:, is_new].sum(axis=1) / without.mixture[:2].sum()
    bins = bin_of(counts.row_sums)
    lacking = lacking_shares(counts, given, bins, found.novel.shape[1])
    assert (found.novel[0] > 0).any()
    np.testing.assert_array_equal(found.novel[0] > 0, lacking > 0)
