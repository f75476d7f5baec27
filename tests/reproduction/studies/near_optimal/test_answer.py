"""Where the lead lies, other training texts, rounding: against arithmetic on small texts."""

import numpy as np
import pandas as pd
import pytest

from condprob.catalogue import METHODS
from condprob.counts import CountMatrix
from reproduction.corpora.corpus import Corpus, word_pairs
from reproduction.scores.pairs import paired_difference
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.near_optimal import lead, rounding, training_texts

ROOT = 7
METHODS_HERE = {
    "kn": {"method": "kn"},
    "kn-uniform": {"method": "kn", "continuation": "uniform"},
    "kn-nearest": {
        "method": "kn",
        "continuation": "floor",
        "form": "backoff",
        "unseen": "unigram",
    },
    "ad-lr": {"method": "ad-lr", "rank": 3, "iterations": 8, "initial": "random"},
}


@pytest.fixture(scope="module")
def corpus():
    """A text of Zipf's law whose test half has words and contexts that training lacks."""
    rng = np.random.default_rng(3)
    words = rng.zipf(1.4, size=1200) % 150
    _, ids = np.unique(words, return_inverse=True)
    return Corpus("toy", ids, int(ids.max()) + 1, 600, 600, {})


@pytest.fixture(scope="module")
def scores(corpus):
    return pd.DataFrame(
        lead.score_lead(ROOT, "table-1", corpus, METHODS_HERE, ["train"], [3], 2, {})
    )


def dense(corpus, method, start):
    """Return the dense matrix of a fit, with the seed that the scores give it."""
    entry = {key: value for key, value in METHODS_HERE[method].items() if key != "method"}
    counts = CountMatrix.from_pairs(*word_pairs(corpus.train), corpus.k)
    estimator = METHODS[METHODS_HERE[method]["method"]].estimator(**entry)
    seed = spawn_seed(ROOT, "table-1", corpus.name, len(corpus.train), 3, start)
    return counts, np.asarray(estimator.fit(counts, seed).rows(np.arange(corpus.k)))


def test_parts_are_those_of_dense_matrices(corpus, scores):
    """Loss, renormalised loss and probability of unseen words, from whole rows."""
    contexts, outcomes = word_pairs(corpus.test)
    for method in METHODS_HERE:
        counts, Q = dense(corpus, method, 0)
        seen = counts.column_sums > 0
        known = seen[outcomes]
        assert 20 < (~known).sum() < 300
        own = scores[(scores["method"] == method) & (scores["seed"] == 0)]
        loss = -np.log(Q[contexts, outcomes])
        unseen = own[own["part"] == lead.UNSEEN_WORD]
        assert unseen["loss"].sum() == pytest.approx(loss[~known].sum())
        assert own["loss"].sum() == pytest.approx(loss.sum())
        assert own["unseen_mass"].sum() == pytest.approx(Q[contexts][:, ~seen].sum())
        conditional = Q[:, seen] / Q[:, seen].sum(axis=1, keepdims=True)
        column = np.cumsum(seen) - 1
        right = -np.log(conditional[contexts[known], column[outcomes[known]]]).sum()
        assert own["conditional_loss"].sum() == pytest.approx(right)


def test_parts_add_up_to_the_difference_of_every_comparison(scores):
    table = lead.tabulate_lead(scores, ["ad-lr"], ["kn", "kn-uniform"])
    for competitor in ("kn", "kn-uniform"):
        rows = table[table["competitor"] == competitor].set_index("part")
        parts = rows.loc[list(lead.PARTS), "value"].sum()
        assert rows.loc[lead.ALL, "value"] == pytest.approx(parts)
        assert rows.loc[list(lead.PARTS), "fraction"].sum() == pytest.approx(1)
        whole = scores.groupby(["method", "seed", "block"], as_index=False)[["pairs", "loss"]].sum()
        lead_of_it, low, high = paired_difference(whole, "ad-lr", competitor)
        found = rows.loc[lead.ALL, ["value", "low", "high"]].to_numpy(float)
        assert found == pytest.approx([-lead_of_it, -high, -low])


def test_the_true_fraction_of_unseen_words_is_counted(corpus, scores):
    table = lead.tabulate_lead(scores, ["ad-lr"], ["kn"])
    rows = table[table["part"] == lead.MASS].set_index("method")
    known = np.isin(corpus.test[1:], corpus.train[1:])
    assert rows.loc[lead.TEST_WORDS, "value"] == pytest.approx(1 - known.mean())
    assert rows["value"].between(0, 1).all()
    assert (rows["low"] <= rows["value"]).all()
    assert (rows["value"] <= rows["high"]).all()


def test_windows_are_disjoint_and_have_their_own_vocabulary(corpus):
    rng = np.random.default_rng(5)
    whole = Corpus("whole", rng.integers(0, 400, 5000), 400, 600, 600, {})
    texts = list(training_texts.list_texts(corpus, whole))
    assert [name for name, *_ in texts] == [
        training_texts.AS_PRINTED,
        training_texts.EXCHANGED,
        *(f"window {number:02d}" for number in range(1, 5)),
    ]
    _, train, test, _ = texts[1]
    assert (train == corpus.test).all()
    assert (test == corpus.train).all()
    for place, (_, train, test, k) in enumerate(texts[2:]):
        own = whole.ids[place * 1200 : (place + 1) * 1200]
        ids = np.concatenate([train, test])
        assert np.unique(ids).tolist() == list(range(k))
        assert (np.unique(own)[ids] == own).all()
        assert len(train) == corpus.train_words


def test_the_table_of_training_texts_counts_who_is_ahead(corpus):
    rng = np.random.default_rng(5)
    whole = Corpus("whole", rng.zipf(1.5, 5000) % 200, 200, 600, 600, {})
    scores = pd.DataFrame(
        training_texts.score_training_texts(ROOT, "texts", corpus, whole, METHODS_HERE, 3, 2)
    )
    table = training_texts.tabulate_training_texts(scores, [("ad-lr", "kn")])
    windows = table[table["text"].str.startswith("window")]["value"]
    row = table[table["text"] == training_texts.WINDOWS].iloc[0]
    assert row["texts"] == len(windows) == 4
    assert row["ahead"] == (windows < 0).sum()
    assert row["value"] == pytest.approx(windows.mean())
    assert (row["least"], row["most"]) == (windows.min(), windows.max())


def test_a_moved_start_is_a_start_and_moves_by_rounding_alone():
    rng = np.random.default_rng(0)
    factors = rng.dirichlet(np.ones(5), 9), rng.dirichlet(np.ones(8), 5)
    for factor, moved in zip(factors, rounding.moved_factors(*factors, rng), strict=True):
        assert not (moved == factor).all()
        assert np.abs(moved / factor - 1).max() <= 2 * rounding.SIZE
        assert moved.sum(axis=1) == pytest.approx(1, abs=1e-14)


def test_the_table_of_rounding_compares_fits_of_the_same_trial():
    rows = [
        {"exhibit": "figure-1b", "k": 5, "rank": 2, "n": 9, "method": "ad-lr", "trial": trial}
        | {"seed": seed, "kl_risk": risk}
        for trial, risks in enumerate([(1.0, 1.1), (2.0, 2.0), (4.0, 3.0)])
        for seed, risk in enumerate(risks)
    ]
    (row,) = rounding.tabulate_rounding(pd.DataFrame(rows)).to_dict("records")
    assert row["median"] == pytest.approx(0.1)
    assert row["largest"] == pytest.approx(0.25)
    assert row["change"] == pytest.approx((6.1 - 7) / 7)
    assert row["low"] < row["change"] < row["high"]
