"""How far a number may be from the reference's, by the record of its method or by its scope."""

from math import inf

import pytest

from condprob.catalogue import METHODS
from reproduction.trust.reference import (
    DIFFERENT,
    DRAWN,
    EXACT,
    ITERATED,
    OF_DRAWN,
    WITHIN,
    Reference,
    agreement_between,
    compare_tables,
    tolerance,
)

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


@pytest.mark.parametrize("agreement", IDS)
def test_a_fit_agrees_as_its_record_says(agreement):
    drawn = pytest.approx(0.1)  # within its own interval
    on_models = {"exact": EXACT, "iterated": ITERATED}.get(agreement, drawn)
    on_text = ITERATED if agreement == "edged" else on_models  # an edge is hardly ever crossed
    assert allow("mean", TRIALS | {"method": agreement}) == on_models
    assert allow("mean", FIT | {"method": agreement}) == on_text
    for column in ("trials", "seeds", "paper", "published"):
        assert allow(column, TRIALS | {"method": agreement}) == 0
    assert agreement_between(IDS[agreement], of_models=True) == agreement


def test_without_an_interval_a_drawn_number_may_move_a_little():
    for row in ({}, {"low": "", "high": ""}, {"low": "1", "high": "1.001"}):
        assert allow("mean", row | {"method": "choosing"}) == DRAWN


def test_counts_and_shares_may_move_more_where_fits_are_drawn():
    assert allow("steps", FIT | {"method": "certified"}) == 0.5
    assert allow("converged", TRIALS | {"method": "edged"}) == 0.1
    assert allow("converged", FIT | {"method": "edged"}) == ITERATED
    assert allow("converged", FIT | {"method": "exact"}) == EXACT


def test_verdicts_and_their_numbers_agree_as_their_scope_says():
    verdict = {"id": "x", "verdict": "reproduced", "low": "1", "high": "1.2"}
    number = {"id": "x", "quantity": "a - b", "low": "1", "high": "1.2"}
    for agreement in IDS:
        drawn = pytest.approx(0.1)
        limit = {"exact": EXACT, "iterated": ITERATED}.get(agreement, drawn)
        assert allow("reproduced", verdict, agreement) == limit
        assert allow("value", number, agreement) == limit


def test_rows_without_a_method_are_drawn_only_where_every_fit_stops_at_a_gap():
    case = {"check": "law", "holds": "1"}
    for row in (case, {"corpus": "tale"}, {"method": "unknown"}):
        assert allow("value", row) == ITERATED
        assert allow("value", row, "edged") == allow("value", row, "choosing") == ITERATED
        assert allow("value", row, "certified") == DRAWN
    assert allow("share", case, "edged") == 0.5  # what rounding leaves of a bound


def test_one_method_against_the_best_of_others_may_turn_two_texts():
    """The remainder when PY-LR, which chooses, is taken from another method."""
    row = {"method": "exact", "low": "0.1", "high": "0.14", "behind": "0"}
    assert allow("difference", row) == pytest.approx(0.02)
    assert allow("ahead", row) == allow("clear", row) == allow("behind", row) == 2
    assert allow("seeds", row) == 0
    of_ours = FIT | {"method": "exact"}
    assert allow("difference", of_ours, "choosing") == EXACT
    assert allow("difference_ours", of_ours, "choosing") == pytest.approx(0.1)


def test_fits_that_do_not_come_to_rest_have_verdicts_and_no_numbers():
    how = Reference({}, "edged", unsteady=("ad-lr", "law"))
    for row in ({"method": "ad-lr"}, {"check": "law", "holds": "1"}, {"id": "law"}):
        assert tolerance("value", row, how) == inf
        assert tolerance("trials", row, how) == 0
        assert tolerance("published", row, how) == inf  # a bound that is measured, too
    assert tolerance("holds", {"check": "law", "holds": "1"}, how) == ITERATED
    assert tolerance("value", {"check": "other", "holds": "1"}, how) == ITERATED


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ("reproduced,8 of 8 hold,6e-14,tightest: another case", WITHIN),
        ("reproduced,8 of 8 hold,0.5,tightest: another case", DIFFERENT),  # no tie
        ("reproduced,7 of 8 hold,6e-14,tightest: another case", DIFFERENT),
        ("not reproduced,8 of 8 hold,6e-14,tightest: another case", DIFFERENT),
        ("reproduced,8 of 8 hold,6e-14,broken by: a case", DIFFERENT),
    ],
)
def test_another_case_may_be_the_tightest_by_a_rounding(tmp_path, ours, verdict):
    head, theirs = "id,verdict,points,reproduced,reason", "reproduced,8 of 8 hold,5e-14,tightest: a"
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for path, row in zip(paths, (ours, theirs), strict=True):
        path.write_text(f"{head}\nlaw,{row}\n")
    assert compare_tables("claims.csv", *paths, Reference({})).verdict == verdict


def test_the_mean_of_fits_that_had_not_settled_may_move_within_its_interval():
    row = {"method": "tagger", "accuracy": "0.85", "low": "0.8", "high": "0.9", "draws": "10"}
    assert allow("accuracy", row | {"settled": "0.9"}, "choosing") == pytest.approx(0.05)
    assert allow("rank", row | {"settled": "0"}, "choosing") == 0.5
    assert allow("accuracy", row | {"settled": "1"}, "choosing") == ITERATED


def test_a_mean_of_counts_is_not_a_count():
    how = Reference({}, "certified")
    assert tolerance("k", {"k": "3"}, how) == 0
    assert tolerance("k", {"k": "1.0771936681649403"}, how) == DRAWN


def test_seconds_of_two_runs_are_never_compared():
    for row in ({"method": "add-half", "trials": "9"}, {"method": "ad-lr"}):
        how = Reference({name: {"method": name} for name in row.values()}, "edged")
        assert tolerance("seconds", row, how) == inf
        assert tolerance("nats", row, how) < 1


def test_every_record_has_an_agreement_with_a_tolerance():
    known = {"exact", "iterated"} | OF_DRAWN
    assert {agreement_between(id, of_models) for id in METHODS for of_models in (0, 1)} <= known
