"""Fresh texts and tables: how they are cut and halved, and what is claimed of them."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from py_lr import plan, texts
from py_lr.samples import TABLES
from py_lr.source import SOURCE
from py_lr.tables import tabulate_samples

from reproduction.corpora.corpus import save_samples
from reproduction.scores.columns import COLUMNS as OF_ALL

TOP = Path(__file__).parents[2]
CONFIG = yaml.safe_load((TOP / "benchmarks/py_lr/config.yaml").read_text(encoding="utf-8"))
LISTS = {name: CONFIG["py_lr"][name]["packages"] for name in ("fresh", "seen")}


def test_letters_keep_their_marks_and_stand_alone_without_spaces():
    assert texts.split_words("カ月の、GNU/Linux 10 слово हिन्दी ที่ བོད") == [
        *("カ", "月", "の", "gnu", "linux", "слово", "हिन्दी", "ที่", "བོ", "ད"),
    ]


def test_a_word_that_the_first_half_has_once_is_unknown():
    ids = np.array([0, 1, 0, 2, 3, 1, 0, 1, 2, 4, 3, 3])
    train, test, k = texts.halve(ids, "train")
    assert k == 3  # 0 and 1, and the unknown, which is 0 in its turn
    assert train.tolist() == [1, 2, 1, 0, 0, 2]
    assert test.tolist() == [1, 2, 0, 0, 0, 0]
    train, test, k = texts.halve(ids, "text")
    assert (k, train.tolist(), test.tolist()) == (5, ids[:6].tolist(), ids[6:].tolist())


def test_a_table_is_shuffled_and_halved_as_a_whole():
    pairs = np.stack([np.arange(20) % 5, np.arange(20) % 4], axis=1)
    train, test, shape = texts.halve_table(pairs, 100, 0)
    assert shape == (5, 4)
    both = np.concatenate([np.stack(train, axis=1), np.stack(test, axis=1)])
    assert sorted(map(tuple, both)) == sorted(map(tuple, pairs))
    assert not np.array_equal(both, pairs)
    assert texts.halve_table(pairs, 6, 0)[0][0].size == 3


@pytest.mark.parametrize(
    ("table", "raw", "pairs"),
    [
        (
            "baskets",
            "@attribute 'tea' { t}\n@data\n?,t,t,low\nt,?,?,high\n",
            [(0, 1), (0, 2), (1, 0)],
        ),
        (
            "codons",
            "#Codon AA\nGCA  A  0.3  1.8  7\nUAA  *  0.7  0.6  2\n",
            [(0, "GCA")] * 2 + [(0, "TAA")],
        ),
        (
            "keys",
            "xkb {\n key <AE01> { [ 1, exclam ] }; // key <NO> { [ 2 ] };\n"
            "key <AE02> { symbols[Group1]= [ a ], [b] }; };",
            [("AE01", "1"), ("AE01", "exclam"), ("AE02", "a"), ("AE02", "b")],
        ),
        (
            "kanji",
            '<k><character><radical><rad_value rad_type="classical">7</rad_value></radical>'
            '<reading r_type="ja_on">ア</reading><reading r_type="ja_kun">つ</reading>'
            "</character></k>",
            [("7", "ア")],
        ),
        (
            "domains",
            "// ac.me\nac\ncom.ac\n*.kawasaki.jp\n!city.kobe.jp\n",
            [("ac", "com"), ("jp", "kawasaki"), ("jp", "kobe")],
        ),
        (
            "providers",
            '<p><country code="ad"><gsm><apn value="Internet.ad.com"/></gsm></country></p>',
            [("ad", "internet")],
        ),
        (
            "systems",
            "# Class no\nClass 2N | embedded || WAP\nClass HP | HP-UX | 11.X | general purpose\n",
            [("2N", "WAP"), ("HP", "general purpose")],
        ),
        (
            "emoji",
            '<a><annotation cp="x">red | blue sky</annotation>'
            '<annotation cp="x" type="tts">no</annotation></a>',
            [("x", "red"), ("x", "blue sky")],
        ),
        (
            "printers",
            '<driver id="driver/ps"><id>printer/HP-Jet-1</id><id>printer/Oki-4</id></driver>',
            [("ps", "HP"), ("ps", "Oki")],
        ),
        (
            "endings",
            "3\nlume/10,14 po:nome is:x\nArde po:verbo\nno\n",
            [("ume", "nome"), ("rde", "verbo")],
        ),
        (
            "theorems",
            "$( a remark $= ( no ) $)\nax $a |- p $.\nt1 $p |- q $= ( wi ax ) ABC $.\n"
            "t2 $p |- r\n  $= ( t1\n ax ) AB $.\nt3 $p |- p $= ax $.\n",
            [("t1", "wi"), ("t1", "ax"), ("t2", "t1"), ("t2", "ax")],
        ),
        (
            "includes",
            "#ifndef A_HPP\n#include <b.hpp>\n// #include <no.hpp>\n#ifndef B_HPP\n# include <c>\n",
            [("A_HPP", "b.hpp"), ("B_HPP", "c")],
        ),
        (
            "terrains",
            "usage=map\n\nXv, Aa^Fp, Ww\nAa, Aa, 1 Ke\n",
            [("Xv", "Aa^Fp"), ("Aa^Fp", "Ww"), ("Aa", "Aa"), ("Aa", "1 Ke")],
        ),
        (
            "molecules",
            "# no\nCC[N+]Br,3.5\nO=C,1\n",
            [("C", "C"), ("C", "[N+]"), ("[N+]", "Br"), ("O", "="), ("=", "C")],
        ),
        (
            "timetable",
            "<f><Activity><Teacher>A</Teacher><Students>1a</Students><Students>1b</Students>"
            "</Activity></f>",
            [("A", "1a"), ("A", "1b")],
        ),
        (
            "thesaurus",
            "UTF-8\nasia|2\n|east|west\n(noun)|south\nrome|1\n-|city\n",
            [("asia", "east"), ("asia", "west"), ("asia", "south"), ("rome", "city")],
        ),
    ],
)
def test_every_table_is_read(table, raw, pairs):
    assert list(TABLES[table](raw)) == pairs


@pytest.mark.parametrize(
    ("table", "how", "data", "pairs"),
    [
        ("columns", {"context": "u", "outcome": "i"}, {"u": [1, 2], "i": ["a", None]}, [(1, "a")]),
        (
            "columns",
            {"context": "u", "outcome": "i", "often": "n"},
            {"u": [1, 2], "i": ["a", "b"], "n": [2.0, 0.0]},
            [(1, "a")] * 2,
        ),
        ("grid", {}, {"oak": [0, 2], "elm": [1, None]}, [(1, "oak"), (1, "oak"), (0, "elm")]),
        (
            "grid",
            {"once": True, "slot": "tab"},
            {"tab": {"oak": [0.2, 3]}},
            [(0, "oak"), (1, "oak")],
        ),
        (
            "grid",
            {"where": "1"},
            {"tea": ["1", "0", None], "tv": [2, 1, 1]},
            [(0, "tea"), (1, "tv"), (2, "tv")],
        ),
        ("steps", {"first": 1}, {"id": [7], "a": [1], "b": [2], "c": [1]}, [(1, 2), (2, 1)]),
        ("genes", {}, {"x": list("atggcatt")}, [("atg", "gca")]),
    ],
)
def test_every_data_set_of_r_is_read(table, how, data, pairs):
    assert list(TABLES[table](data, **how)) == pairs


@pytest.mark.parametrize("packages", LISTS.values(), ids=LISTS)
def test_a_list_has_what_it_promises(packages):
    samples = [each for package in packages.values() for each in package["samples"].items()]
    assert len(dict(samples)) == len(samples)
    found = [each for _, each in samples if "table" not in each]
    assert len({each["language"] for each in found if each["kind"] != "code"}) >= 10
    assert len({each["script"] for each in found}) >= 3
    assert {each.get("table", "emoji") for _, each in samples} <= set(TABLES)


def test_the_fresh_list_has_nothing_that_was_seen():
    fresh, seen = LISTS.values()
    assert not set(fresh) & set(seen)
    tables = [
        name for each in fresh.values() for name, e in each["samples"].items() if "table" in e
    ]
    assert len(tables) >= 20
    used = [
        e["table"]
        for each in LISTS.values()
        for p in each.values()
        for e in p["samples"].values()
        if "table" in e
    ]
    assert set(used) == set(TABLES)


def test_every_claim_is_of_an_exhibit_and_of_methods_that_are_fitted():
    section = CONFIG["py_lr"]
    exhibits = section["exhibits"] | plan.list_of("fresh", section["fresh"], LISTS["fresh"])[0]
    for claim in SOURCE.claims:
        entry = exhibits[claim.exhibit]
        assert entry.get("vocabulary") == claim.settings.get("setting")
        named = {name for pair in claim.settings.get("pairs", ()) for name in pair}
        assert named <= set(entry["methods"])


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A text and a table of one package."""
    path = tmp_path_factory.mktemp("fresh") / "samples.npz"
    drawn = np.random.default_rng(0).integers(0, 9, (80, 2)).astype(str)
    found = {"one": list(drawn[:, 0]), "two": list(map(tuple, drawn))}
    sizes = save_samples(path, found)
    assert sizes == {"one": {"words": 80, "types": 9}, "two": {"pairs": 80, "shape": (9, 9)}}
    given = {
        "list": "fresh",
        "package": "tale",
        "kinds": {"one": "prose", "two": "table"},
        "pairs": 60,
    }
    given |= {"rank": 2, "seeds": 3, "fewer": 1, "many": ["ad-lr"]}
    methods = {name: {"method": name} for name in ("kn", "ad-lr")}
    return pd.DataFrame(texts.score_package(0, {"samples": path}, methods, given))


def test_each_sample_is_scored_under_its_readings(rows):
    assert set(zip(rows["corpus"], rows["setting"], strict=True)) == {
        *(("one", "train"), ("one", "text"), ("two", "table")),
    }
    assert set(rows) <= {*OF_ALL, "package", "kind"}
    seeds = rows.groupby(["setting", "method"])["seed"].nunique()
    assert seeds.drop("kn", level="method").droplevel("method").to_dict() == {
        "train": 3,
        "text": 1,
        "table": 3,
    }
    assert set(rows.loc[rows["setting"] == "table", "n"]) == {30}


def test_a_table_has_one_reading(rows):
    given = SimpleNamespace(scores=rows, root=0, receipts={})
    given.entry = {"vocabulary": "train", "ours": "kn"}
    table = tabulate_samples(given)
    assert table[table["text"] != "all"]["text"].unique().tolist() == ["one"]
    assert set(table["method"]) == {"kn", "ad-lr", "best other"}
    assert "frozen" not in table
    given.entry["frozen"] = "113ffbc"
    assert set(tabulate_samples(given)["frozen"]) == {"113ffbc"}
