"""Scores: seeds by name, the same counts for all methods, losses that add up."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from condprob import CountMatrix, cross_entropy, method
from condprob.methods.em.clusters import cluster_contexts
from condprob.risk import KnownModel
from condprob.synthetic import Model
from reproduction.corpora.corpus import Corpus, word_pairs
from reproduction.exhibits.tables import summarise_trials
from reproduction.scores.columns import COLUMNS
from reproduction.scores.estimators import build_variants, has_converged, swept_options
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_corpus, score_pairs
from reproduction.scores.trials import (
    SMOOTHERS,
    draw_models,
    oracle_risk,
    score_trials,
)

DIRECT = {"add-half": {"method": "add-half"}, "kn": {"method": "kn"}}
LOW_RANK = {"ad-lr": {"method": "ad-lr", "iterations": 5}}


def state(*names):
    return tuple(spawn_seed(7, *names).generate_state(4))


def test_seeds_depend_on_every_name_and_number():
    names = [("a", 1, 2), ("b", 1, 2), ("a", 2, 1), ("a", 1), ("a", 1, 2, 0), ("a", 1, 2, 0, 0)]
    assert len({state(*name) for name in names}) == len(names)
    assert state("a", 1, 2) == state("a", 1, 2)


def test_seeds_do_not_depend_on_the_hash_of_text():
    # First four bytes of SHA-256 of "abc", from FIPS 180-2's example: ba7816bf.
    assert spawn_seed(0, "abc").spawn_key == (0xBA7816BF,)


def test_a_low_rank_method_takes_the_rank_of_its_exhibit_unless_it_has_one():
    ((values, estimator),) = build_variants({"method": "ad-lr", "label": "x"}, 7)
    assert (values, estimator.rank) == ({}, 7)
    ((_, estimator),) = build_variants({"method": "ad-lr", "rank": 3}, 7)
    assert estimator.rank == 3
    assert build_variants({"method": "kn", "discount": 0.5}, 7) == [
        ({}, method("kn", discount=0.5))
    ]


def test_lists_of_an_entry_are_crossed():
    entry = {"method": "ad-lr", "discount": [0.25, 0.5], "constant": 1, "iterations": [3, 5]}
    found = build_variants(entry, 7)
    assert [values for values, _ in found] == [
        {"discount": 0.25, "iterations": 3},
        {"discount": 0.25, "iterations": 5},
        {"discount": 0.5, "iterations": 3},
        {"discount": 0.5, "iterations": 5},
    ]
    assert found[2][1] == method("ad-lr", rank=7, discount=0.5, constant=1, iterations=3)
    assert swept_options({"a": entry, "b": {"method": "kn", "discount": [0.1]}}) == (
        "discount",
        "iterations",
    )


def test_models_do_not_depend_on_how_many_are_drawn():
    few, many = (draw_models(1, "e", 6, 2, trials) for trials in (2, 4))
    for part in few:
        np.testing.assert_array_equal(few[part], many[part][:2])


@pytest.fixture(scope="module")
def models():
    return draw_models(1, "e", k=8, rank=2, trials=3)


def test_a_method_scores_the_same_whatever_it_is_compared_with(models):
    def risks(methods, name):
        rows = pd.DataFrame(score_trials(1, "e", [40], models, methods))
        return rows.loc[rows["method"] == name, "kl_risk"].to_numpy()

    for name in (*DIRECT, *LOW_RANK):
        alone = risks({name: (DIRECT | LOW_RANK)[name]}, name)
        np.testing.assert_array_equal(alone, risks(DIRECT | LOW_RANK, name))


def test_a_job_of_every_size_has_the_rows_of_each_size_alone():
    law = {"trials": 2, "rows": "power-law", "exponent": 1.5, "outcomes": 4, "concentration": 0.2}
    drawn = draw_models(7, "mine", 5, 2, **law)
    assert drawn["B"].shape == (2, 2, 4)
    sizes = [8, 20]
    alone = [row for n in sizes for row in score_trials(7, "mine", [n], drawn, DIRECT, "ad")]
    assert list(score_trials(7, "mine", sizes, drawn, DIRECT, "ad")) == alone


def test_jobs_by_method_have_the_rows_of_one_job_of_all_methods():
    """To the bit: draws and starts do not know which methods a job has, nor which sizes."""
    drawn = draw_models(7, "mine", 5, 2, trials=2)
    ids = np.random.default_rng(2).integers(9, size=100)
    corpus = Corpus("a", ids, 9, 60, 40, {})
    split = {"test": "last", "test_words": 30}

    def on_models(methods, n=(8, 20)):
        return list(score_trials(7, "mine", list(n), drawn, methods))

    def on_text(methods, words=(40, 60)):
        return list(score_corpus(7, "mine", corpus, methods, list(words), [2], 2, split))

    for job, sizes in ((on_models, ((8,), (20,))), (on_text, ((40,), (60,)))):
        apart = [
            row
            for name, entry in (DIRECT | LOW_RANK).items()
            for size in sizes
            for row in job({name: entry}, size)
        ]
        whole = job(DIRECT | LOW_RANK)
        in_order = [sorted(str(sorted(row.items())) for row in rows) for rows in (apart, whole)]
        assert in_order[0] == in_order[1]


def score(train, test, k, how):
    """Return the scores of a text whose starts come from the same names as those of clusters."""
    start_of = partial(spawn_seed, 1, "e", "c", len(train), how.rank)
    return list(score_pairs(start_of, word_pairs(train), word_pairs(test), k, how))


def test_an_oracle_counts_classes_that_the_outcomes_give_away():
    """Class 0 has outcomes 0 and 1, class 1 has 2 and 3: the oracle sees both.

    Counts: context 0 saw outcomes 0, 0, 3, context 1 saw 2. So A is by Add-1/2 of (2, 1), (0, 1),
    and B of (2, 0, 0, 0), (0, 0, 1, 1).
    """
    A, B = np.full((2, 2), 0.5), np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    model = Model(np.array([0.75, 0.25]), A, B)
    counts = CountMatrix.from_dense(np.array([[2, 0, 0, 1], [0, 0, 1, 0]]))
    of_A = np.array([[2.5, 1.5], [0.5, 1.5]]) / [[4], [2]]
    of_B = np.array([[2.5, 0.5, 0.5, 0.5], [0.5, 0.5, 1.5, 1.5]]) / 4
    expected = model.pi @ (model.P * np.log(model.P / (of_A @ of_B))).sum(axis=1)
    known = KnownModel(model.pi, A, B, np.log(4))  # the entropy of each row of P
    found = oracle_risk(model, counts, known, SMOOTHERS["add-half"], 0)
    assert found == pytest.approx(expected)
    # Absolute discounting of 3/4: (2 - .75) / 2 and a third of what is taken; and (1 - .75) / 2
    # twice, with half of what is taken for either of the others.
    of_B = np.array([[0.625, 0.125, 0.125, 0.125], [0.375, 0.375, 0.125, 0.125]])
    expected = model.pi @ (model.P * np.log(model.P / (of_A @ of_B))).sum(axis=1)
    assert oracle_risk(model, counts, known, SMOOTHERS["ad"], 0) == pytest.approx(expected)


def test_the_oracle_has_rows_of_its_own_and_a_column_in_the_table():
    models = draw_models(7, "toy", 6, 2, trials=3)
    rows = pd.DataFrame(score_trials(7, "toy", [20], models, DIRECT, "add-half"))
    assert rows["method"].value_counts().to_dict() == {"add-half": 3, "kn": 3, "oracle": 3}
    table = summarise_trials(rows)
    assert table["method"].tolist() == ["add-half", "kn"]
    assert (table["oracle"] == rows[rows["method"] == "oracle"]["kl_risk"].mean()).all()
    plain = pd.DataFrame(score_trials(7, "toy", [20], models, DIRECT))
    assert rows[rows["method"] != "oracle"].reset_index(drop=True).equals(plain)


def test_losses_of_a_text_add_up_to_its_cross_entropy():
    rng = np.random.default_rng(0)
    train, test = rng.integers(9, size=200), rng.integers(9, size=151)
    rows = pd.DataFrame(score(train, test, 9, Fits(DIRECT | LOW_RANK, rank=2, seeds=2)))
    assert set(rows) < set(COLUMNS)
    assert rows.groupby(["method", "seed"]).size().to_dict() == {
        ("add-half", 0): 50,
        ("kn", 0): 50,
        ("ad-lr", 0): 50,
        ("ad-lr", 1): 50,
    }
    part = rows[rows["method"] == "kn"]
    assert part["pairs"].sum() == 150
    matrix = method("kn").fit(CountMatrix.from_pairs(*word_pairs(train), 9))
    expected = cross_entropy(CountMatrix.from_pairs(*word_pairs(test), 9), matrix)
    assert part["loss"].sum() / 150 == pytest.approx(expected, rel=1e-12)


def test_clusters_are_found_once_for_all_methods_and_change_no_number(monkeypatch):
    """Each fit that finds its own has the same: of its rank, and of the seed of its start."""
    rng = np.random.default_rng(1)
    train, test = rng.integers(12, size=300), rng.integers(12, size=101)
    method = {"method": "ad-lr", "iterations": 3, "initial": "clusters"}
    methods = {"one": method, "two": method | {"discount": 0.5}}
    found = []

    def counted(counts, rank, seed):
        found.append((rank, seed.entropy, seed.spawn_key))
        return cluster_contexts(counts, rank, seed)

    monkeypatch.setattr("reproduction.scores.text.cluster_contexts", counted)
    seed_of = partial(spawn_seed, 1, "e", "c", 300)
    once, alone = (score(train, test, 12, Fits(methods, 2, 2, given)) for given in (seed_of, None))
    assert once == alone
    assert len(found) == len(set(found)) == 2


def test_a_fit_that_ended_at_its_limit_has_not_converged():
    """The words of the matrix decide, not the options of the method."""
    counts = CountMatrix.from_pairs(*np.random.default_rng(3).integers(5, size=(2, 60)), 5)
    short = method("ad-lr", rank=2, iterations=1).fit(counts)
    long = method("lr", rank=1, iterations=3).fit(counts)  # one class: EM is done after a step
    assert [has_converged(m) for m in (short, long, method("kn").fit(counts))] == [
        False,
        True,
        True,
    ]
