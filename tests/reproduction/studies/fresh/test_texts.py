"""Fresh texts: how they are cut and halved, and what is claimed of them."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from condprob.vocabulary import number_words
from reproduction.config.files import load_config
from reproduction.scores.columns import COLUMNS as OF_ALL
from reproduction.studies.fresh import texts
from reproduction.studies.fresh.claims import CLAIMS
from reproduction.studies.fresh.plan import COLUMNS, plan
from reproduction.studies.readings.replication import save_texts

TOP = Path(__file__).parents[4]
STUDIES = TOP / "workflow" / "studies"
OF_STUDIES = [STUDIES / name / "config.yaml" for name in ("beyond", "fresh")]
CONFIG = load_config([TOP / "config.yaml", *OF_STUDIES])
(SCOPE,) = plan(CONFIG)


def test_ideographs_and_kana_are_words_and_letters_make_words():
    assert texts.split_characters("カ月の中、GNU/Linux 10 слово") == [
        *("カ", "月", "の", "中", "gnu", "linux", "слово")
    ]


def test_a_sequence_is_cut_into_fives():
    assert texts.split_fives("ACGTTAACCGG") == ["ACGTT", "AACCG"]


def test_a_word_that_the_first_half_has_once_is_unknown():
    ids, _ = number_words(list("abacdbabcedd"))
    train, test, k = texts.halve(ids, "train")
    assert k == 3  # a and b, and the unknown, which is 0
    assert train.tolist() == [1, 2, 1, 0, 0, 2]
    assert test.tolist() == [1, 2, 0, 0, 0, 0]
    train, test, k = texts.halve(ids, "text")
    assert (k, train.tolist(), test.tolist()) == (5, [0, 1, 0, 2, 3, 1], [0, 1, 2, 4, 3, 3])


def test_the_list_has_what_it_promises():
    packages = CONFIG["studies"]["fresh"]["packages"].values()
    told = [text for package in packages for text in package["texts"].values()]
    assert len(told) >= 40
    assert (
        len({text["language"] for text in told if text["kind"] not in ("code", "sequence")}) >= 10
    )
    assert len({text["script"] for text in told}) >= 3
    assert {text["kind"] for text in told} == {
        *("prose", "verse", "code", "transcript", "manual", "sequence")
    }
    names = [name for package in packages for name in package["texts"]]
    assert len(set(names)) == len(names)


def test_every_claim_is_of_an_exhibit_and_of_methods_that_are_fitted():
    for claim in CLAIMS:
        exhibit = SCOPE.exhibits[claim.exhibit]
        assert exhibit.entry["vocabulary"] == claim.settings["reading"]
        assert {name for pair in claim.settings["pairs"] for name in pair} <= SCOPE.methods().keys()


def test_what_came_after_the_run_has_jobs_and_tables_of_its_own():
    packages, section = CONFIG["studies"]["fresh"]["packages"], CONFIG["studies"]["fresh"]
    jobs = {name: tuple(job.methods) for name, job in SCOPE.jobs.items()}
    frozen = dict.fromkeys(packages, tuple(section["methods"]))
    after = dict.fromkeys([f"after/{name}" for name in packages], tuple(section["after"]))
    since = dict.fromkeys([f"since/{name}" for name in packages], tuple(section["since"]))
    assert jobs == frozen | after | since
    for vocabulary in ("train", "text"):
        assert SCOPE.exhibits[f"fresh-{vocabulary}"].jobs == tuple(frozen)
        assert SCOPE.exhibits[f"fresh-after-{vocabulary}"].jobs == (*frozen, *after)
        compared = SCOPE.exhibits[f"fresh-since-{vocabulary}"]
        assert compared.jobs == (*frozen, *since)
        assert compared.entry["methods"] == (section["ours"], *section["since"])
    assert {claim.exhibit for claim in CLAIMS} == {"fresh-train", "fresh-text"}


def test_the_frozen_one_is_what_was_frozen():
    entries = {name: CONFIG["methods"][name] for name in ("py-lr", "py-lr-since")}
    frozen, since = (each.get("rules", "today") for each in entries.values())
    assert (frozen, since) == ("frozen", "today")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Two texts of one package, of which the second repeats itself."""
    path = tmp_path_factory.mktemp("fresh") / "texts.npz"
    rng = np.random.default_rng(0)
    drawn = {"one": rng.integers(0, 9, 80).astype(str), "two": ["a", "b"] * 40}
    save_texts(path, {name: list(words) for name, words in drawn.items()})
    given = {"package": "tale", "kinds": {"one": "prose", "two": "verse"}, "rank": 2, "seeds": 1}
    methods = {name: {"method": name} for name in ("kn", "ad", "add-half")}
    return list(texts.score_package(0, {"texts": path}, methods, given))


def test_each_text_is_scored_under_both_vocabularies(rows):
    assert {(row["corpus"], row["reading"]) for row in rows} == {
        (text, vocabulary) for text in ("one", "two") for vocabulary in ("train", "text")
    }
    assert all(set(row) <= {*OF_ALL, *COLUMNS} for row in rows)
    assert {row["kind"] for row in rows if row["corpus"] == "two"} == {"verse"}


def test_a_table_has_one_vocabulary(rows):
    import pandas as pd

    given = SimpleNamespace(scores=pd.DataFrame(rows), root=0, receipts={})
    given.entry = {"vocabulary": "train", "ours": "kn", "methods": ("kn", "ad")}
    table = texts.tabulate(given)
    assert table[table["text"] != "all"]["text"].unique().tolist() == ["one", "two"]
    assert set(table[table["text"] == "two"]["k"]) == {3}
    assert set(table["method"]) == {"kn", "ad", "best other"}  # those of the entry
