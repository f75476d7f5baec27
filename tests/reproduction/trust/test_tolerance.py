"""How far a number may be from the reference's: told by the method's record, or by the scope."""

from math import inf

import pytest

from condprob.catalogue import METHODS
from reproduction.trust.reference import LEAST, Reference, agreement_of, tolerance

IDS = {
    "exact": "kn", "iterated": "add-half-lr", "edged": "ad-lr", "choosing": "py-lr",
    "certified": "ll-l1",
}  # fmt: skip
FIT = {"low": "1", "high": "1.2", "seeds": "5"}  # half of its interval is 0.1
TRIALS = {"low": "1", "high": "1.2", "trials": "5"}


def allow(column, row, agreement="iterated"):
    """Return the tolerance of a cell, where methods are called by their agreement."""
    methods = {name: {"method": id} for name, id in IDS.items()}
    return tolerance(column, row, Reference(methods, agreement))


@pytest.mark.parametrize(
    ("agreement", "limit"),
    [
        ("exact", 1e-9),
        ("iterated", 1e-6),
        ("edged", 1e-4),  # on a text an edge is hardly ever crossed
        ("choosing", 0.1),  # within its own interval
        ("certified", 0.01),
    ],
)
def test_a_fit_to_a_text_agrees_as_its_record_says(agreement, limit):
    assert allow("mean", FIT | {"method": agreement}) == pytest.approx(limit)


@pytest.mark.parametrize(
    ("agreement", "limit"),
    [("exact", 1e-9), ("iterated", 1e-6), ("edged", 0.1), ("choosing", 0.1), ("certified", 0.01)],
)
def test_a_fit_to_models_may_cross_an_edge(agreement, limit):
    assert allow("mean", TRIALS | {"method": agreement}) == pytest.approx(limit)


def test_without_an_interval_a_choice_may_move_a_little_and_an_edge_nothing():
    assert allow("mean", {"method": "choosing"}) == LEAST["choosing"] == 0.005
    assert allow("mean", {"method": "choosing", "low": "", "high": ""}) == 0.005
    assert allow("mean", {"method": "edged", "trials": "1"}) == LEAST["edged"] == 1e-6


@pytest.mark.parametrize("column", ["trials", "seeds", "paper", "published"])
@pytest.mark.parametrize("agreement", IDS)
def test_counts_and_what_is_printed_are_the_same_everywhere(column, agreement):
    assert allow(column, TRIALS | {"method": agreement}) == 0


def test_a_share_of_fits_may_move_where_a_fit_may():
    assert allow("converged", TRIALS | {"method": "edged"}) == 0.1
    assert allow("converged", FIT | {"method": "choosing"}) == 0.1
    assert allow("converged", FIT | {"method": "edged"}) == 1e-4
    assert allow("converged", FIT | {"method": "exact"}) == 1e-9


def test_a_fit_that_stops_at_a_gap_may_stop_elsewhere():
    assert allow("steps", FIT | {"method": "certified"}) == 0.5
    assert allow("parameters", FIT | {"method": "certified"}) == 0.1


def test_verdicts_and_their_numbers_agree_as_their_scope_says():
    verdict = {"id": "x", "verdict": "reproduced", "low": "1", "high": "1.2"}
    number = {"id": "x", "quantity": "a - b", "low": "1", "high": "1.2"}
    expected = {"exact": 1e-9, "iterated": 1e-6, "edged": 0.1, "choosing": 0.1, "certified": 0.01}
    for agreement, limit in expected.items():
        assert allow("reproduced", verdict, agreement) == pytest.approx(limit)
        assert allow("value", number, agreement) == pytest.approx(limit)


def test_cases_of_the_theory_agree_to_rounding_but_for_what_is_left_of_a_bound():
    case = {"check": "law", "holds": "1"}
    for agreement in ("iterated", "edged", "choosing"):
        assert allow("value", case, agreement) == 1e-6
        assert allow("share", case, agreement) == 0.1
    assert allow("value", case, "certified") == 0.01
    assert allow("share", case, "certified") == 0.5


def test_what_nothing_is_known_of_agrees_as_its_scope_says():
    assert allow("mean", {"method": "unknown"}) == 1e-6
    assert allow("mean", {"corpus": "tale"}, "choosing") == 1e-6  # no fit, no verdict
    assert allow("mean", {"corpus": "tale"}, "certified") == 0.01


def test_one_method_against_the_best_of_others_may_turn_two_texts():
    """What is left when PY-LR, which chooses, is taken from another method."""
    row = {"method": "exact", "low": "0.1", "high": "0.14", "behind": "0"}
    assert allow("difference", row) == pytest.approx(0.02)
    assert allow("difference", row | {"high": "0.101"}) == 0.005
    assert allow("ahead", row) == allow("clear", row) == allow("behind", row) == 2
    assert allow("seeds", row) == 0


def test_what_is_taken_from_ours_agrees_as_the_scope_says():
    row = FIT | {"method": "exact"}
    assert allow("difference", row, "choosing") == 1e-9
    assert allow("difference_ours", row, "choosing") == pytest.approx(0.1)


def test_fits_that_do_not_come_to_rest_have_verdicts_and_no_numbers():
    how = Reference({}, "edged", unsteady=("ad-lr", "law"))
    for row in ({"method": "ad-lr"}, {"check": "law", "holds": "1"}, {"id": "law"}):
        assert tolerance("value", row, how) == inf
        assert tolerance("trials", row, how) == 0
    assert tolerance("holds", {"check": "law", "holds": "1"}, how) == 1e-6
    assert tolerance("value", {"check": "other", "holds": "1"}, how) == 1e-6


def test_the_mean_of_fits_that_had_not_settled_may_move_within_its_interval():
    row = {"method": "tagger", "accuracy": "0.85", "low": "0.84", "high": "0.86", "draws": "10"}
    assert allow("accuracy", row | {"settled": "0.9"}, "choosing") == pytest.approx(0.01)
    assert allow("rank", row | {"settled": "0"}, "choosing") == 0.5
    assert allow("accuracy", row | {"settled": "1"}, "choosing") == 1e-6


@pytest.mark.parametrize("id", METHODS)
def test_every_record_has_an_agreement_with_a_tolerance(id):
    near = METHODS[id].edged and METHODS[id].agreement == "iterated"
    assert agreement_of(id, of_models=False) == ("near an edge" if near else METHODS[id].agreement)
    assert agreement_of(id, of_models=True) == (
        "edged" if METHODS[id].edged else METHODS[id].agreement
    )
    assert agreement_of(id, of_models=True) in LEAST


def test_the_ids_of_these_tests_have_the_agreement_that_they_stand_for():
    found = {name: agreement_of(id, of_models=True) for name, id in IDS.items()}
    assert found == {name: name for name in IDS}
