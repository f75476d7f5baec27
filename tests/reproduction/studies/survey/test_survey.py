"""The survey on made-up words: how settings are chosen, every scorer, table, figure and case."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from own_config import own_config

from condprob import CountMatrix, Sentences, cross_entropy, method
from reproduction.corpora.blocks import save_block
from reproduction.corpora.corpus import Corpus
from reproduction.exhibits.panels import draw_exhibit
from reproduction.scores.columns import HELD_OUT
from reproduction.scores.orders import score_orders
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.survey import comparison, perplexities
from reproduction.studies.survey.checks import check_map, check_table
from reproduction.studies.survey.exact import check_factors, check_variance, list_samples
from reproduction.studies.survey.figures import DRAW
from reproduction.studies.survey.formulas import check_arithmetic, check_formulas
from reproduction.studies.survey.plan import GENRES, RETRIEVAL, TAGGING
from reproduction.studies.survey.source import SOURCE
from reproduction.studies.survey.tables import TABULATE
from reproduction.studies.survey.words import count_frequent, place_words, share_beside
from reproduction.study import Material
from reproduction.verdicts.criteria import UNTESTED
from reproduction.verdicts.evidence import Missing, Results
from reproduction.verdicts.judge import judge

TOP = Path(__file__).parents[4]
CONFIG = own_config()
METHODS = {
    "kn-modified": {"method": "kn", "discount": "modified"},
    "py-lr": {"method": "kn", "discount": [0.2, 0.9]},  # a name, no more: PY-LR takes seconds
    "ad-lr": {"method": "ad-lr", "iterations": 5},
    "mle": {"method": "mle"},
}
MODELS = {"k": 6, "rank": 2, "rows": "uniform", "exponent": None, "trials": 2, "ranks": [2]}
MODELS |= {"n": 40}
SHOWN = {
    "frequent": 3,
    "shown": {"letters": ["a", "b", "c", "d", "e"]},
    "asked": ["a", "e"],
    "neighbours": 1,
}


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    folder, rng = tmp_path_factory.mktemp("survey"), np.random.default_rng(4)
    ids = rng.integers(0, 7, 240)
    corpus = Corpus("genesis", ids, 9, 120, 120, {})
    parts = [Sentences.from_lists([rng.integers(0, 5, 6) for _ in range(n)], 5) for n in (40, 9, 9)]
    save_block(folder / "brown.npz", parts)
    np.savez(folder / "labels.npz", labels=np.array(list("?abcd")))
    words, labels = folder / "brown.npz", folder / "labels.npz"
    classes = {"class-kn": {"method": "class-exchange", "rank": 3, "iterations": 2}}
    kn = {"kn-text-modified": {"method": "kn", "continuation": "uniform"}}
    rows = {
        "methods": [
            row
            for vocabulary in ("text", "train")
            for row in comparison.score_text(1, corpus, vocabulary, METHODS, [1, 2], 2)
        ],
        "risk": comparison.score_models(1, MODELS["n"], METHODS, MODELS),
        "table": [
            *score_orders(1, words, kn, [3, 5]),
            *perplexities.score_classes(1, words, classes, [3]),
        ],
        "words": place_words(1, words, labels, {"lsa-words": {"method": "lsa", "rank": 2}}, SHOWN),
    }
    found = {
        name: pd.DataFrame([{"order": 2} | row for row in part]) for name, part in rows.items()
    }
    return {"corpus": corpus, "parts": parts, "cost": found["methods"]} | found


def test_what_is_chosen_is_best_on_the_last_tenth_of_the_training_words(scores):
    train = scores["corpus"].train
    rest, held_out = comparison.hold_out_last(train[:-1], train[1:], 9)
    assert (rest.n, held_out.n) == (107, 12)
    losses = {d: cross_entropy(held_out, method("kn", discount=d).fit(rest)) for d in (0.2, 0.9)}
    best = min(losses, key=losses.get)
    rows = scores["methods"]
    ours = rows[(rows["method"] == "py-lr") & (rows["setting"] == "text")]
    tried = ours[ours["part"] == HELD_OUT]
    means = (tried["loss"] / tried["pairs"]).tolist()
    assert means == pytest.approx(list(losses.values()))
    chosen = ours[ours["part"] != HELD_OUT]
    assert {json.loads(text)["discount"] for text in chosen["chosen"]} == {best}
    fit = method("kn", discount=best).fit(CountMatrix.from_pairs(train[:-1], train[1:], 9))
    test = scores["corpus"].test
    counts = CountMatrix.from_pairs(test[:-1], test[1:], 9)
    assert chosen["loss"].sum() / chosen["pairs"].sum() == pytest.approx(cross_entropy(counts, fit))


def test_each_combination_of_what_is_varied_is_tried_on_training_words_alone(tmp_path):
    entry = {"method": "lsa", "weighting": ["sqrt", "ppmi"]}
    combinations = [json.loads(s) for s, _ in comparison.list_variants(entry, [1, 2])]
    assert combinations == [{"rank": r, "weighting": w} for r in (1, 2) for w in ("sqrt", "ppmi")]
    rng = np.random.default_rng(1)
    ids = rng.integers(0, 7, 240)
    told = []
    for test in (ids[120:], ids[120:][::-1]):  # what is tested has no part in what is chosen
        words = np.concatenate([ids[:120], test])
        corpus = Corpus("genesis", words, 9, 120, 120, {})
        rows = comparison.score_text(1, corpus, "text", {"lsa": entry}, [1, 2], 1)
        rows = pd.DataFrame([{"order": 2} | row for row in rows])
        held_out = rows[rows["part"] == HELD_OUT]
        told.append(held_out[["chosen", "loss"]].to_numpy().tolist())
        best = held_out.loc[held_out["loss"].idxmin(), "chosen"]
        assert set(rows[rows["part"] != HELD_OUT]["chosen"]) == {best}
    assert told[0] == told[1]


def test_an_infinite_loss_is_told_and_has_no_interval(scores, targets):
    rows = scores["methods"]
    rows = rows[rows["part"] != HELD_OUT]
    entries = targets["survey"].exhibits
    for name, part in (("methods", rows), ("risk", scores["risk"])):
        entry = entries[name]
        given = Material(part, part, entry, {}, {}, {}, 3, "survey")
        table = TABULATE[name](given)
        own = table[table["method"] == "mle"]
        assert len(own)
        assert np.isinf(own["mean"]).all()
        assert own["difference"].isna().all()
        figure = draw_exhibit(DRAW[name], table, entry, CONFIG["methods"])
        told = [text.get_text() for ax in figure.axes for text in ax.texts]
        assert "\N{INFINITY}" in told


def test_words_of_the_map_are_frequent_ones_and_their_pairs_are_counted(scores):
    sentences = Sentences.from_lists([[1, 2, 1, 0, 1, 3], [2, 2, 1]], 5)
    counts, chosen = count_frequent(sentences, 2)
    assert chosen.tolist() == [1, 2]
    assert counts.dense().tolist() == [[0, 1], [2, 1]]  # "1 2", "2 1" twice, "2 2"
    rows = scores["words"]
    assert rows["x"].notna().sum() == 3  # of five, two are no frequent words
    assert set(rows[rows["group"] == "nearest"]["near"]) <= set("abcd")
    for row in rows[rows["x"].notna()].itertuples():  # the largest cosine, by hand
        assert row.beside in set("abcd") - {row.word}


def test_words_beside_their_kind_are_counted_against_chance():
    group, rng = np.repeat([0, 1], 10), np.random.default_rng(1)
    own = np.arange(20) ^ 1  # in pairs, each of one group
    share, by_chance = share_beside(group, own, rng, 500, 0.99)
    assert share == 1
    # Of 10 pairs of permuted labels one agrees with probability 9/19: 0.99 of a binomial is near.
    assert 0.6 <= by_chance <= 0.9
    apart = (np.arange(20) + 10) % 20
    assert share_beside(group, apart, rng, 500, 0.99)[0] == 0


def test_classes_of_words_are_distributions_and_one_class_each_is_the_words_own(scores, tmp_path):
    train, test, stop = scores["parts"]
    save_block(tmp_path / "brown.npz", [train, test, stop])
    each = {"class-kn": {"method": "class-exchange", "rank": 6, "iterations": 0}}
    rows = perplexities.score_classes(1, tmp_path / "brown.npz", each, [3])
    model = method("kn", **perplexities.SMOOTH).fit_text(train.with_stops(), 3)
    losses = -model.score(test.with_stops())[test.with_stops().words > 0]
    assert sum(row["loss"] for row in rows) == pytest.approx(losses.sum(), rel=1e-6)


def test_a_network_is_stopped_by_its_own_part_and_scored_with_and_without_trigrams(
    scores, tmp_path
):
    save_block(tmp_path / "brown.npz", scores["parts"])
    entry = {"method": "nplm", "embedding": 2, "hidden": 2, "epochs": 2}
    methods = {"nplm-8": entry, "nplm-8-alone": entry | {"weight": 0}}
    rows = pd.DataFrame(perplexities.score_networks(1, tmp_path / "brown.npz", methods, [3]))
    train, test, stop = (part.with_stops() for part in scores["parts"])
    seed = spawn_seed(1, "table", "nplm-8", 3)
    fit = {k: v for k, v in entry.items() if k != "method"}
    for name, options in (("nplm-8", fit), ("nplm-8-alone", fit | {"weight": 0.0})):
        model = method("nplm", **options).fit_beside(train, stop, 3, seed)
        losses = -model.score(test)[test.words > 0]
        own = rows[rows["method"] == name]
        assert own["loss"].sum() == pytest.approx(losses.sum())
        assert set(own["steps"]) == {model.history.size - 1}


def test_networks_are_compared_as_the_table_says():
    nats = {"nplm-10": 5.0, "nplm-8": 5.1, "nplm-8-plain": 5.05, "class-kn": 5.2}
    nats |= {"kn-text-modified": 5.24, "nplm-10-alone": 5.3, "nplm-8-alone": 5.4}
    nats |= {"nplm-8-plain-alone": 5.5}

    def cases(restless=(), **changed):
        rows = [
            {
                "method": name,
                "converged": name not in restless,
                "order": 3,
                "seed": 0,
                "block": block,
                "pairs": 100,
                "loss": 100 * mean,
            }
            for name, mean in (nats | {n.replace("_", "-"): m for n, m in changed.items()}).items()
            for block in range(4)
        ]
        found = pd.DataFrame(check_table(pd.DataFrame(rows)))
        return found.groupby("check")["holds"].all()

    # Off the printed ratios, 252 / 321 and 270 / 321: exp(-0.24) / 0.785 and exp(-0.14) / 0.841.
    assert cases().drop("n-cells").all()
    assert cases()["n-cells"]
    assert not cases(nplm_10=5.15)["n-order-networks"]
    assert not cases(nplm_8=5.25)["n-order-classes"]
    assert not cases(nplm_8=5.0)["n-direct-mixed"]
    assert not cases(nplm_8_alone=5.6)["n-direct-alone"]
    assert not cases(nplm_10_alone=4.9)["n-mixing"]
    assert not cases(nplm_10=4.9)["n-cells"]
    assert not list(check_table(pd.DataFrame()))
    # What has not come to rest is in no case; a claim without a case is told to lack it.
    assert "n-order-networks" not in cases(restless=["nplm-10"])
    assert cases(restless=["nplm-10-alone"], nplm_10_alone=4.9)["n-mixing"]
    (claim,) = (each for each in SOURCE.claims if each.id == "n-order-networks")
    verdict, _ = judge(claim, Results())
    assert verdict["verdict"] == UNTESTED
    assert "did not converge" in verdict["reason"]


def test_cases_of_the_survey_hold_but_for_its_misprints(scores):
    words = pd.DataFrame(check_map(3, scores["words"]))
    assert set(words["check"]) == {"w-semantics"}
    assert len(words) == scores["words"]["method"].nunique()
    cases = pd.DataFrame([*check_factors(3), *check_arithmetic(), *check_table(scores["table"])])
    broken = set(cases[~cases["holds"]]["check"])
    printed = {
        "l-gradient-printed",
        "l-weighted-printed",
        "p-same-printed",
        "n-simplex",
        "n-perplexity",
        "n-worst",
    }
    assert broken - {"n-classes"} == printed


def test_formulas_of_the_neural_model_are_judged_by_a_second_path():
    cases = pd.DataFrame(check_formulas(3))
    held = cases.groupby("check")["holds"].agg(["all", "any", "size"])
    assert held["all"].to_dict() == {
        "n-linear": True,
        "n-formula": True,
        "n-formula-printed": False,
        "n-sampling": True,
        "n-hierarchy": True,
    }
    assert not held.loc["n-formula-printed", "any"]
    assert held.loc["n-linear", "size"] == 4


def test_the_bound_on_variances_is_over_every_sample():
    assert sorted(map(tuple, list_samples(2, 3))) == [
        (0, 0, 2),
        (0, 1, 1),
        (0, 2, 0),
        (1, 0, 1),
        (1, 1, 0),
        (2, 0, 0),
    ]
    cases = pd.DataFrame(check_variance(np.random.default_rng(3))).set_index("check")
    assert cases["holds"].all()
    # The least variance of those drawn is near the bound: all but the efficient one's.
    assert 0 > cases.loc["s-variance", "value"] > -0.01


def test_every_exhibit_has_a_table_and_a_figure(scores, targets):
    elsewhere = (TAGGING, GENRES, RETRIEVAL)  # test_tagging has their figures
    for name, entry in targets["survey"].exhibits.items():
        rows = scores.get(name, pd.DataFrame())
        rows = rows[rows["part"] != HELD_OUT] if "part" in rows else rows
        given = Material(rows, rows, entry, {}, {}, {}, 3, "survey")
        table = TABULATE[entry["kind"]](given)
        assert len(table) > 0 or name in elsewhere
        methods = {m: CONFIG["methods"][m] for m in entry["methods"]}
        assert draw_exhibit(DRAW[entry["kind"]], table, entry, methods).axes


def test_the_table_has_ratios_to_kneser_ney_of_order_5(scores, targets):
    entry = targets["survey"].exhibits["table"]
    rows = scores["table"]
    table = TABULATE["perplexities"](Material(rows, rows, entry, {}, {}, {}, 3, "survey"))
    table = table.set_index(["method", "order"])
    losses = rows.groupby(["method", "order"])[["loss", "pairs"]].sum()
    mean = losses["loss"] / losses["pairs"]
    expected = np.exp(mean - mean["kn-text-modified", 5])
    for point, ratio in expected.items():
        assert table["ratio"][point] == pytest.approx(ratio)
        assert table["ratio_low"][point] <= ratio <= table["ratio_high"][point]
    assert table["printed_ratio"]["class-kn", 3] == pytest.approx(312 / 321)
    assert set(table["words"]) == {rows["n"].max()}
    methods = {m: CONFIG["methods"][m] for m in entry["methods"]}
    figure = draw_exhibit(DRAW["perplexities"], table.reset_index(), entry, methods)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts[:2] == ["here", "published"]
    assert f"Trained on {rows['n'].max():,.0f} words" in figure.legends[0].get_title().get_text()


def test_an_order_on_every_text_needs_both_methods_on_each(scores):
    rows = scores["methods"]
    rows = rows[(rows["part"] != HELD_OUT) & (rows["setting"] == "text")]
    (claim,) = (each for each in SOURCE.claims if each.id == "l-plsa")
    claim = replace(claim, settings=claim.settings | {"pairs": [("kn-modified", "ad-lr")]})
    whole = Results(scores={"methods": pd.concat([rows, rows.assign(corpus="brown")])})
    assert [where["corpus"] for where, *_ in whole.pairs(claim)] == ["brown", "genesis"]
    for lacking in ("ad-lr", "kn-modified"):
        elsewhere = rows[rows["method"] != lacking].assign(corpus="brown")
        results = Results(scores={"methods": pd.concat([rows, elsewhere])})
        with pytest.raises(Missing, match=f"has no {lacking} at corpus brown"):
            list(results.pairs(claim))
