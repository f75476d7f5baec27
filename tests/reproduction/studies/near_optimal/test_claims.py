"""The claims as data: complete, consistent with the config, judged by criteria that exist."""

from pathlib import Path

import pytest

from reproduction.config.files import load_config
from reproduction.studies.near_optimal.printed import AXES, TABLE_1
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.verdicts.criteria import describe_criterion

CONFIG = load_config([Path(__file__).parents[4] / "config.yaml"])
BY_ID = {claim.id: claim for claim in SOURCE.claims}


def test_all_claims_are_the_papers():
    assert {claim.by for claim in SOURCE.claims} == {"source"}


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


def test_errata_rest_on_claims_that_exist():
    assert {id for erratum in SOURCE.errata for id in erratum.claims} <= BY_ID.keys()
