"""The claims as data: complete, consistent with the config, judged by criteria that exist."""

from itertools import chain
from pathlib import Path

import pytest

from reproduction.config.files import load_config
from reproduction.studies.near_optimal.printed import AXES, TABLE_1
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.verdicts.criteria import CRITERIA, describe_criterion

CONFIG = load_config([Path(__file__).parents[4] / "config.yaml"])
BY_ID = {claim.id: claim for claim in SOURCE.claims}


def names_of(value):
    """Every name in a setting: a method, a list of them, or pairs of them."""
    return [value] if isinstance(value, str) else chain.from_iterable(map(names_of, value))


def test_ids_are_unique():
    assert len(BY_ID) == len(SOURCE.claims)


def test_all_claims_are_the_papers_and_every_criterion_is_filled_in():
    assert {claim.by for claim in SOURCE.claims} == {"source"}
    assert {claim.test for claim in SOURCE.claims} <= CRITERIA.keys() >= SOURCE.criteria.keys()
    for claim in SOURCE.claims:
        assert not set("{}") & set(describe_criterion(claim, SOURCE))


def test_criteria_in_words_have_the_tolerances_of_their_claims():
    for claim in SOURCE.claims:
        if claim.test in ("cell", "size", "growth"):
            assert f"within {claim.tolerance:g}" in describe_criterion(claim, SOURCE)


def test_all_cells_of_table_1_are_claims():
    cells = [claim for claim in SOURCE.claims if claim.test == "cell"]
    assert len(cells) == 15
    for claim in cells:
        corpus, method = claim.settings["corpus"], claim.settings["method"]
        assert claim.published == TABLE_1[corpus][method]
        assert str(claim.published) in claim.statement
        assert claim.tolerance == 0.01


def test_published_rows_have_the_order_that_the_claims_state():
    # On every corpus the paper's own numbers fall from Add-1/2 over AD, SB and KN to AD-LR.
    for row in TABLE_1.values():
        assert list(row) == ["add-half", "ad", "sb", "kn", "ad-lr"]
        assert sorted(row.values(), reverse=True) == list(row.values())


@pytest.mark.parametrize("claim", SOURCE.claims, ids=lambda claim: claim.id)
def test_claims_name_what_the_config_has(claim):
    if claim.exhibit not in ("corpora", "theorems"):
        exhibit = CONFIG["exhibits"][claim.exhibit]
        for key in ("pairs", "methods", "method"):
            for name in names_of(claim.settings.get(key, [])):
                assert name in exhibit["methods"]
        for key in ("k", "rank"):
            given = exhibit.get(f"{key}_values", [exhibit.get(key)])
            assert claim.settings.get(key, given[0]) in given
    assert claim.settings.get("corpus", "genesis") in CONFIG["corpora"]


@pytest.mark.parametrize("name", AXES)
def test_axes_are_those_that_the_figures_draw(name):
    exhibit, (_, methods, ends) = CONFIG["exhibits"][name], AXES[name]
    drawn = exhibit.get("y_range") or exhibit["y_ranges"]["tartuffe"]
    assert tuple(drawn) == ends
    assert set(methods) <= set(exhibit["methods"])


def test_figures_are_claims_of_the_paper():
    places = " ".join(claim.place for claim in SOURCE.claims)
    for place in ("1(a)", "1(b)", "1(c)", "2(a)", "2(b)", "2(c)", "Theorem 2", "Theorem 3"):
        assert place in places


def test_every_exhibit_is_described():
    assert CONFIG["exhibits"].keys() == SOURCE.descriptions.keys()
    for reading in SOURCE.readings:
        assert set(reading.exhibits) <= CONFIG["exhibits"].keys() | {"theorems"}
        assert reading.trust in ("high", "medium", "low")


def test_errata_rest_on_claims_that_exist():
    assert {id for erratum in SOURCE.errata for id in erratum.claims} <= BY_ID.keys()
