"""What is said of the paper in words has its numbers in the results of reference."""

from pathlib import Path

import pandas as pd
import pytest
from own_config import own_config

from condprob import CountMatrix
from reproduction.corpora.corpus import load_corpus
from reproduction.corpora.sources import is_at_hand
from reproduction.scores.estimators import build_variants
from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.studies.near_optimal.source import KNESER_NEY, SOURCE, say_headline
from reproduction.verdicts.criteria import FAILED, PARTLY, REPRODUCED, UNTESTED

REFERENCE = Path(__file__).parents[4] / "results" / "reference"
CONFIG = own_config("config.yaml")


@pytest.fixture(scope="module")
def replication():
    """Means over all texts of the replication: KN of every variant minus AD-LR."""
    path = REFERENCE / "readings" / "exhibits" / "replication.csv"
    if not path.exists():
        pytest.skip(f"{path.relative_to(REFERENCE.parent)} has not been made yet")
    table = pd.read_csv(path)
    whole = (table["collection"] == "all") & (table["text"] == "all")
    return table[whole & (table["ad_lr"] == "ad-lr")].set_index("kn")


def test_numbers_of_the_unigrams():
    """Errata, remarks and the docs say from which n on Add-1/2-LR is worse, or better."""
    for name, lower, higher, first in (
        ("figure-1a", "unigram-add-half", "add-half-lr", 600),
        ("figure-1a-power-law", "add-half-lr", "unigram-add-half", 1000),
    ):
        table = pd.read_csv(REFERENCE / "near_optimal" / "exhibits" / f"{name}.csv")
        means = table.pivot(index="n", columns="method", values="mean")
        assert ((means[lower] < means[higher]) == (means.index >= first)).all()


def test_counts_of_the_readme():
    readings = pd.read_csv(REFERENCE / "near_optimal" / "claims-settings.csv")
    text = " ".join((REFERENCE.parents[1] / "README.md").read_text(encoding="utf-8").split())
    assert say_headline(readings) in text


@pytest.fixture
def erratum():
    (found,) = (erratum for erratum in SOURCE.errata if "AD-LR's lead" in erratum.title)
    return found.text


@pytest.mark.parametrize(
    ("kn", "words"),
    [
        ("kn-nearest", "it is ahead on all {ahead}, by {difference} nats per word on average {i}"),
        ("kn-floor", "ahead of it on {ahead} of the 22, by {difference} {i}"),
        ("kn-uniform", "ahead of the textbook's on all {ahead}, by {difference} {i}"),
    ],
)
def test_numbers_of_new_texts(erratum, replication, kn, words):
    row = replication.loc[kn]
    interval = f"[{row['low']:.3f}, {row['high']:.3f}]"
    told = words.format(
        ahead=f"{row['ahead']:.0f}", difference=f"{row['difference']:.3f}", i=interval
    )
    assert told in erratum
    assert row["texts"] == 22


def test_number_of_the_strongest(erratum, replication):
    row = replication.loc["strongest"]
    assert row["clear"] == 0
    assert f"behind by {-row['difference']:.3f} [{-row['high']:.3f}, {-row['low']:.3f}]" in erratum


def test_the_headline_counts_verdicts_under_each_reading():
    plain, nearest, strongest = (setting.name for setting in SOURCE.columns)
    ids = [f"table-1-{corpus}-lowest" for corpus in ("genesis", "brown", "tartuffe")]
    rows = [
        (ids[0], plain, REPRODUCED),
        (ids[1], plain, PARTLY),
        (ids[2], plain, UNTESTED),
        *((id, nearest, REPRODUCED) for id in ids[:2]),
        (ids[2], nearest, UNTESTED),
        *((id, strongest, FAILED) for id in ids[:2]),
        (ids[2], strongest, UNTESTED),
    ]
    text = say_headline(pd.DataFrame(rows, columns=["id", "setting", "verdict"]))
    assert text == (
        "AD-LR is significantly the lowest on 1 of 2 corpora (textbook), on 2 of 2 (best match), "
        "on 0 of 2 (strongest baseline). Reproduced under every setting: 0 of 2 comparisons. "
        "Not tested here: 1 comparisons."
    )
    untested = [(id, setting.name, UNTESTED) for id in ids for setting in SOURCE.columns]
    text = say_headline(pd.DataFrame(untested, columns=["id", "setting", "verdict"]))
    assert "AD-LR" not in text


def test_the_three_readings_choose_both_sides_by_the_same_rule():
    """Nothing by the print; both by it; and the reading of the verdicts before there were three."""
    plain, nearest, strongest = SOURCE.columns
    assert plain.instead == {"ad-lr": "ad-lr-random", "kn": "kn-uniform"}
    assert nearest.instead["kn"] == "kn-nearest"
    assert strongest.instead == {}
    assert SOURCE.default == strongest.name


def test_variants_of_kneser_ney_are_methods_of_the_config():
    assert {CONFIG["methods"][name]["method"] for name in KNESER_NEY} == {"kn"}


@pytest.mark.parametrize("corpus", ["genesis", "brown"])
def test_the_nearest_kneser_ney_is_near(corpus):
    entry = CONFIG["corpora"][corpus]
    if not is_at_hand(entry):
        pytest.skip(f"{corpus} is not on NLTK's search path")
    words = load_corpus(corpus, entry)
    counts = CountMatrix.from_pairs(words.train[:-1], words.train[1:], words.k)
    fitted = build_variants(CONFIG["methods"]["kn-nearest"])[0][1].fit(counts)
    ours = -fitted.log_prob(words.test[:-1], words.test[1:]).mean()
    assert abs(ours - TABLE_1[corpus]["kn"]) < 0.0035
