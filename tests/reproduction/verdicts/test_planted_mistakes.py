"""A mistake in the code has to turn verdicts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up_results import claim, results, verdict

from condprob import direct, kneser_ney, low_rank
from condprob.smoothing import AddConstant
from reproduction.config.files import load_config
from reproduction.corpora.corpus import load_corpus, word_pairs
from reproduction.corpora.sources import is_at_hand
from reproduction.exhibits.tables import compare_with_paper, summarise_text
from reproduction.scores.columns import complete_row
from reproduction.scores.text import Fits, score_pairs
from reproduction.scores.trials import draw_models, score_trials
from reproduction.studies.near_optimal.claims import CLAIMS
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.studies.near_optimal.theorems import check_theorem_2, check_theorems
from reproduction.verdicts.cases import COLUMNS
from reproduction.verdicts.criteria import FAILED, REPRODUCED, TREND, UNTESTED

CONFIG = load_config([Path(__file__).parents[3] / "config.yaml"])


# First on data that need no corpus.


def plant_wrong_constant(monkeypatch):
    """Add 5 where Add-1/2 adds 1/2, and 200 where Add-1/2-LR does."""
    monkeypatch.setattr(direct, "AddConstant", lambda constant: AddConstant(10 * constant))
    monkeypatch.setattr(low_rank, "AddConstant", lambda constant: AddConstant(400 * constant))


def plant_discount_on_the_wrong_side(monkeypatch):
    """Free the mass of as many outcomes as a word follows contexts, not as follow it."""
    fit = kneser_ney.KneserNey.fit_counts

    class Swapped:
        def __init__(self, counts):
            self.counts = counts

        def __getattr__(self, name):
            swapped = {"clipped_row_sums": "clipped_column_sums"}
            return getattr(self.counts, swapped.get(name, name))

    monkeypatch.setattr(kneser_ney.KneserNey, "fit_counts", lambda self, counts, *others: fit(
        self, Swapped(counts), *others))  # fmt: skip


def plant_discount_added(monkeypatch):
    """Add the discount to the counts that it is to be taken from."""
    fit = kneser_ney.KneserNey.fit_counts

    def add(self, counts, *others):
        matrix = fit(self, counts, *others)
        added = 2 * self.discount / counts.row_sums[counts.contexts]
        raised = matrix.sparse._replace(values=matrix.sparse.values + added)
        return replace(matrix, sparse=raised)

    monkeypatch.setattr(kneser_ney.KneserNey, "fit_counts", add)


def curves(methods):
    """Trials with power-law rows, many contexts and few pairs: KN and structure do well."""
    models = draw_models(3, "planted", 60, 2, 12, "power-law", 1.5)
    entries = {name: CONFIG["methods"][name] for name in methods}
    rows = map(complete_row, score_trials(3, "planted", 600, models, entries))
    return results(pd.DataFrame(rows))


def test_wrong_constant_turns_an_ordering(monkeypatch):
    order = claim("order", pairs=[("add-half-lr", "add-half")])
    assert verdict(order, curves(["add-half", "add-half-lr"])) == REPRODUCED
    plant_wrong_constant(monkeypatch)
    monkeypatch.setattr(direct, "AddConstant", AddConstant)
    assert verdict(order, curves(["add-half", "add-half-lr"])) == FAILED


def test_discount_on_the_wrong_side_turns_an_ordering(monkeypatch):
    order = claim("order", pairs=[("kn", "ad")])
    assert verdict(order, curves(["kn", "ad"])) == REPRODUCED
    plant_discount_on_the_wrong_side(monkeypatch)
    with np.errstate(invalid="ignore", divide="ignore"):
        assert verdict(order, curves(["kn", "ad"])) == FAILED


def theory(id):
    found = results()
    found.checks = pd.DataFrame(check_theorems(0, [check_theorem_2]))[list(COLUMNS)]
    (stated,) = [claim for claim in CLAIMS if claim.id == id]
    return verdict(stated, found)


def test_wrong_constant_turns_theorem_2(monkeypatch):
    assert theory("theorem-2-stationary") == REPRODUCED
    plant_wrong_constant(monkeypatch)
    assert theory("theorem-2-stationary") == FAILED


# Then on one of the paper's own corpora.


def table_1(corpus):
    """Verdicts on the cells of the methods that need no fit."""
    entry = CONFIG["corpora"][corpus]
    if not is_at_hand(entry):
        pytest.skip(f"{corpus} is not on NLTK's search path")
    words = load_corpus(corpus, entry)
    methods = {name: CONFIG["methods"][name] for name in ("add-half", "ad", "sb", "kn")}
    pairs = word_pairs(words.train), word_pairs(words.test)
    scores = pd.DataFrame(score_pairs(int, *pairs, words.k, Fits(methods, 50, 1)))
    place = {"corpus": corpus, "n": len(words.train), "rank": 50}
    receipts = {corpus: words.receipt}
    table = compare_with_paper(
        summarise_text(scores.assign(**place), receipts), methods, find_printed
    )
    found = results(table=table, receipts=receipts)
    found.tables["table-1"] = table
    return {
        stated.settings["method"]: verdict(stated, found)
        for stated in CLAIMS
        if stated.test == "cell" and stated.settings["corpus"] == corpus
    }


def test_right_code_reproduces_the_cells_of_genesis():
    cells = table_1("genesis")
    assert cells["add-half"] == cells["ad"] == cells["sb"] == REPRODUCED
    assert cells["kn"] == TREND  # the paper's variant is not known
    assert cells["ad-lr"] == UNTESTED  # not fitted here


def test_mistakes_turn_the_cells_of_genesis(monkeypatch):
    plant_wrong_constant(monkeypatch)
    plant_discount_added(monkeypatch)
    cells = table_1("genesis")
    assert cells["add-half"] == cells["kn"] == FAILED
    assert cells["ad"] == cells["sb"] == REPRODUCED
