"""The claims as data: complete, consistent with the config, judged by criteria that exist."""

from pathlib import Path

import pytest

from reproduction.config.files import load_config
from reproduction.studies.near_optimal.printed import AXES, TABLE_1
from reproduction.studies.near_optimal.source import SOURCE

CONFIG = load_config([Path(__file__).parents[4] / "config.yaml"])
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
        f"{label} on {corpus}: {number} nats per word.": (float(number), 0.01)
        for corpus, row in AS_PRINTED.items()
        for label, number in zip(labels, row, strict=True)
    }
    cells = [claim for claim in SOURCE.claims if claim.test == "cell"]
    assert {cell.statement: (cell.published, cell.tolerance) for cell in cells} == expected
    for cell in cells:
        corpus, method = cell.settings["corpus"], cell.settings["method"]
        assert cell.published == TABLE_1[corpus][method]
        assert f" on {corpus}: " in cell.statement


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


def test_every_exhibit_is_described():
    assert CONFIG["exhibits"].keys() == SOURCE.descriptions.keys()


def test_errata_rest_on_claims_that_exist():
    assert {id for erratum in SOURCE.errata for id in erratum.claims} <= BY_ID.keys()
