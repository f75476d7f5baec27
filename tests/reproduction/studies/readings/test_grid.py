"""Both methods under every reading of a text: what is fitted, from where, and how it is scored."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from made_up_readings import AXES, GRID, TEXT, made_up_words, score

from condprob import CountMatrix, method
from reproduction.corpora.corpus import number_words
from reproduction.studies.readings.grid import score_readings, start_frequent
from reproduction.studies.readings.plan import OF_AD_LR, OF_KNESER_NEY
from reproduction.studies.readings.texts import ReadText


@pytest.fixture(scope="module")
def table():
    """The scores of one text."""
    table = pd.DataFrame(score())
    return table.assign(cross_entropy=table["loss"] / table["pairs"])


def test_start_from_the_most_frequent_contexts():
    # Context 2 occurs three times (0 twice, 1 once), context 0 twice, context 1 once.
    counts = CountMatrix.from_pairs([2, 2, 2, 0, 0, 1], [0, 0, 1, 3, 3, 2], 4)
    W, H = start_frequent(counts, 2)
    np.testing.assert_allclose(W, [[0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [0.5, 0.5]])
    # Discount 3/4 of each seen count, shared by the unseen: (2 - .75)/3, (1 - .75)/3, 1.5/3/2.
    np.testing.assert_allclose(H[0], [1.25 / 3, 0.25 / 3, 0.25, 0.25])
    np.testing.assert_allclose(H[1], [0.125, 0.125, 0.125, 1.25 / 2])


@pytest.mark.parametrize(("name", "axes"), [("kn", OF_KNESER_NEY), ("ad-lr", OF_AD_LR)])
def test_every_choice_of_a_method_is_scored(table, name, axes):
    rows = table[table["method"] == name]
    found = set(map(tuple, rows[["vocabulary", *axes]].values))
    assert found == set(product(AXES["vocabulary"], *(AXES[axis] for axis in axes)))
    assert not rows.duplicated(["vocabulary", *axes, "seed"]).any()
    assert rows[[*({*OF_KNESER_NEY, *OF_AD_LR} - {*axes})]].isna().all(axis=None)


def test_scores_are_the_librarys_own(table):
    ids, k = number_words(made_up_words())
    counts = CountMatrix.from_pairs(ids[:199], ids[1:200], k)
    options = {"rank": 3, "iterations": 3, "initial": start_frequent(counts, 3)}
    expected = -method("ad-lr", **options).fit(counts).log_prob(ids[200:-1], ids[201:]).mean()
    of_text = table[table["vocabulary"] == "text"]
    row = of_text[of_text["initial"] == "frequent"]
    np.testing.assert_allclose(row["cross_entropy"], [expected], rtol=1e-12)
    kn = method("kn", continuation="floor", form="backoff", unseen="unigram").fit(counts)
    row = of_text[
        (of_text["continuation"] == "floor")
        & (of_text["unseen"] == "unigram")
        & (of_text["discount"] == 0.75)
    ]
    expected = -kn.log_prob(ids[200:-1], ids[201:]).mean()
    np.testing.assert_allclose(row["cross_entropy"], [expected], rtol=1e-12)


def test_scores_depend_on_the_seed_and_on_no_other_choice():
    rows = score()
    assert rows == score.__wrapped__()
    assert rows != score(root=8)
    assert all(row in rows for row in score(vocabulary=("train",), discount=("estimated",)))


def test_no_test_pair_is_an_error():
    with pytest.raises(
        ValueError, match="made-up, letters, halves, vocabulary train: no test pair"
    ):
        list(score_readings(0, TEXT, ReadText(list("aabb"), np.arange(4), (2, 2)), GRID))
