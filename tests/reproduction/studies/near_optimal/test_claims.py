"""The claims as data: complete, consistent with the config; printed numbers beside their fits."""

import math

import pytest
from own_config import own_config

from reproduction.studies.near_optimal.answer import list_answer
from reproduction.studies.near_optimal.plan import jobs_of, list_scores
from reproduction.studies.near_optimal.printed import STATED, TABLE_1, find_printed
from reproduction.studies.near_optimal.source import SOURCE

CONFIG = own_config("config.yaml")
BY_ID = {claim.id: claim for claim in SOURCE.claims}


# Table 1 once more, typed from the paper itself: Add-1/2, AD, SB, KN, AD-LR.
AS_PRINTED = {
    "tartuffe": ["7.1808", "6.268", "6.0426", "5.7555", "5.6923"],
    "genesis": ["7.3039", "6.041", "5.9058", "5.7341", "5.6673"],
    "brown": ["8.847", "7.9819", "7.973", "7.7001", "7.609"],
}


def test_all_cells_of_table_1_are_claims():
    labels = ["Add-1/2", "AD", "SB", "KN", "AD-LR"]
    expected = {
        (corpus, label, number): (float(number), 0.01)
        for corpus, row in AS_PRINTED.items()
        for label, number in zip(labels, row, strict=True)
    }
    cells = [claim for claim in SOURCE.claims if claim.test == "cell"]
    assert [(cell.published, cell.tolerance) for cell in cells] == list(expected.values())
    for cell, (_, label, number) in zip(cells, expected, strict=True):
        corpus, method = cell.settings["corpus"], cell.settings["method"]
        assert cell.published == TABLE_1[corpus][method]
        assert f" of {label} on {corpus.capitalize()} is {number} " in cell.statement


def test_published_rows_have_the_order_that_the_claims_state():
    # On every corpus the paper's own numbers fall from Add-1/2 over AD, SB and KN to AD-LR.
    for row in TABLE_1.values():
        assert list(row) == ["add-half", "ad", "sb", "kn", "ad-lr"]
        assert sorted(row.values(), reverse=True) == list(row.values())


AXES = {claim.exhibit: claim.settings for claim in SOURCE.claims if claim.test == "axis"}


@pytest.mark.parametrize("name", AXES)
def test_axes_are_those_that_the_figures_draw(name):
    exhibit, claimed = CONFIG["exhibits"][name], AXES[name]
    methods, ends = claimed["methods"], claimed["ends"]
    drawn = exhibit.get("y_range") or exhibit["y_ranges"]["tartuffe"]
    assert list(drawn) == list(ends)
    assert set(methods) <= set(exhibit["methods"])


def test_every_exhibit_is_described():
    answer = list_answer(CONFIG, CONFIG["exhibits"], CONFIG["corpora"])
    assert CONFIG["exhibits"].keys() | answer.keys() == SOURCE.descriptions.keys()


def test_add_half_lr_is_fitted_next_to_the_scores_of_ad_lr_in_table_1():
    name = "absolute-discounting"
    files = list_scores("near_optimal", CONFIG["exhibits"], CONFIG["methods"])
    places = {"add-half-lr": name, "ad-lr": "table-1", "ad-lr-random": "table-1"}
    assert files[name] == [
        f"results/near_optimal/scores/{exhibit}/{method}/{corpus}.csv"
        for corpus in TABLE_1
        for method, exhibit in places.items()
    ]
    assert set(files[name][1::3]) <= set(files["table-1"])
    claims = [claim for claim in SOURCE.claims if claim.exhibit == name]
    assert [claim.settings["corpus"] for claim in claims] == list(TABLE_1)


def test_a_job_fits_one_method_or_all_of_closed_form():
    jobs = jobs_of(CONFIG["methods"], CONFIG["exhibits"]["figure-1b"])
    assert jobs.pop("closed-form") == [
        *("ad", "kn", "kn-uniform", "kn-nearest", "unigram-add-half", "unigram-ad")
    ]
    assert jobs == {name: [name] for name in ("add-half-lr", "naive-ad-lr", "ad-lr-random")}


def test_errata_rest_on_claims_that_exist():
    assert {id for erratum in SOURCE.errata for id in erratum.claims} <= BY_ID.keys()


KN, LOW_RANK = {"method": "kn"}, {"method": "ad-lr", "iterations": 200}


@pytest.mark.parametrize(
    ("corpus", "entry", "rank", "n", "expected"),
    [
        ("genesis", {"method": "sb"}, 50, 19000, 5.9058),
        ("genesis", KN, 50, 19000, 5.7341),
        ("genesis", KN | {"discount": 0.75, "continuation": "uniform"}, 50, 19000, 5.7341),
        ("genesis", KN, 10, 19000, 5.7341),  # KN has no rank
        ("tartuffe", LOW_RANK, 50, 9041, 5.6923),
        ("tartuffe", LOW_RANK | {"rank": 50}, None, 9041, 5.6923),
        ("brown", LOW_RANK | {"initial": "random"}, 50, 20000, 7.609),
        ("genesis", KN | {"discount": 0.5}, 50, 19000, None),
        ("genesis", KN | {"discount": "estimated"}, 50, 19000, None),
        ("genesis", {"method": "sb", "weight": 0.7}, 50, 19000, None),
        ("genesis", {"method": "sb", "normalised": False}, 50, 19000, None),
        ("genesis", LOW_RANK, 10, 19000, None),
        ("genesis", LOW_RANK | {"rank": 20}, 50, 19000, None),
        ("genesis", LOW_RANK | {"iterations": 20}, 50, 19000, None),
        ("genesis", KN, 50, 10000, None),  # another split
        ("pydoc", KN, 50, 19000, None),
        ("genesis", {"method": "lr"}, 50, 19000, None),
        ("genesis", {}, math.nan, math.nan, None),  # a corpus that could not be had
    ],
)
def test_a_number_is_that_of_the_papers_own_setting(corpus, entry, rank, n, expected):
    found = find_printed(corpus, entry, rank, n)
    assert math.isnan(found) if expected is None else found == expected


def test_every_method_of_the_table_has_its_setting():
    assert all(row.keys() == STATED.keys() for row in TABLE_1.values())
