"""How far a number may be from the reference's: one rule for all numbers of all methods."""

import csv
import re
import tempfile
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduction.trust.reference import (
    DIFFERENCES,
    DIFFERENT,
    IDENTICAL,
    RELATIVE_TOLERANCE,
    RESIDUAL_SHARE,
    WITHIN,
    ZERO_TOLERANCE,
    Reference,
    compare_tables,
    half_width,
    tolerance,
)
from reproduction.trust.verify import _claims_of_cases
from reproduction.verdicts.criteria import (
    COLUMNS_OF_CASES,
    CRITERIA,
    NOT_RUN,
    TESTS_OF_CASES,
    UNTESTED,
)

COMMITTED = Path(__file__).parents[3] / "results" / "reference"
CURVE = {
    "k": "50",
    "method": "kn",
    "mean": "1.1",
    "low": "1",
    "high": "1.2",
    "sd": "0.3",
    "trials": "5",
    "difference": "-0.2",
    "difference_low": "-0.21",
    "difference_high": "-0.19",
}
ANY = Reference()


@pytest.mark.parametrize(
    ("column", "limit"),
    [
        ("mean", 0.2),
        ("low", 0.2),
        ("high", 0.2),
        ("difference", 0.02),
        ("difference_low", 0.02),
        ("sd", 3e-5),
        ("trials", 5e-4),
        ("k", 5e-3),
    ],
)
def test_a_number_may_move_a_little_or_within_its_own_interval(column, limit):
    assert tolerance(column, CURVE, ANY) == pytest.approx(limit)
    blank = CURVE | {"low": "", "high": "", "difference_low": "nan", "difference_high": "nan"}
    if blank[column] not in ("", "nan"):
        assert tolerance(column, blank, ANY) == RELATIVE_TOLERANCE * abs(float(blank[column]))


def test_the_ends_of_an_interval_stand_behind_its_number():
    row = dict.fromkeys(("mean", "difference", "low", "high", "difference_ours"), "1")
    row |= {"low_ours": "1", "high_ours": "4", "paper": "1", "low": "0", "high": "8"}
    widths = {column: half_width(column, row) for column in row}
    assert widths == {
        "mean": 0,
        "difference": 4,
        "low": 4,
        "high": 4,
        "difference_ours": 1.5,
        "low_ours": 1.5,
        "high_ours": 1.5,
        "paper": 0,
    }
    cell = {"mean": "5", "low": "4", "high": "8", "paper": "5.5", "error": "-0.5"}
    assert half_width("error", cell) == 2  # of the mean, from which a constant is taken
    assert half_width("mean", cell | {"low": "9"}) == 0


def test_zeros_are_what_rounding_leaves_of_them(tmp_path):
    def verdict(ours, theirs):
        for name, value in (("ours", ours), ("theirs", theirs)):
            (tmp_path / name).write_text(f"check,value\nlaw,{value}\n")
        return compare_tables("x.csv", tmp_path / "ours", tmp_path / "theirs", ANY).verdict

    assert verdict("5e-14", "-6e-10") == WITHIN
    assert verdict("5e-9", "6e-9") == verdict("0", str(2 * ZERO_TOLERANCE)) == DIFFERENT
    case = {"check": "law", "value": "5e-14", "bound": "1e-12", "share": "0.05"}
    assert tolerance("share", case, ANY) == inf
    assert tolerance("share", case | {"value": "5e-3"}, ANY) == pytest.approx(5e-6)


def test_fits_that_do_not_come_to_rest_have_verdicts_and_no_numbers():
    how = Reference(unsteady=("ad-lr", "law"))
    for row in ({"method": "ad-lr"}, {"check": "law", "holds": "1"}, {"id": "law"}):
        row = row | {"value": "3", "trials": "5", "published": "2"}
        assert tolerance("value", row, how) == inf
        assert tolerance("trials", row, how) == pytest.approx(5e-4)
        assert tolerance("published", row, how) == inf  # a bound that is measured, too
    case = {"check": "law", "holds": "1", "value": "3"}
    assert tolerance("holds", case, how) == inf  # its verdict is a word of another table
    assert tolerance("holds", case | {"check": "other"}, how) == RELATIVE_TOLERANCE
    assert tolerance("value", case | {"check": "other"}, how) == pytest.approx(3e-4)


@pytest.mark.parametrize(
    ("unsteady", "ours", "verdict"),
    [
        (["law"], "law,False,moon sun,reproduced", WITHIN),
        (["law"], "law,False,moon sun,trend only", DIFFERENT),
        ([], "law,False,sun moon,reproduced", DIFFERENT),
    ],
)
def test_words_of_fits_that_do_not_come_to_rest_may_be_others(tmp_path, unsteady, ours, verdict):
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for path, row in zip(paths, (ours, "law,True,sun moon,reproduced"), strict=True):
        path.write_text(f"check,holds,near,verdict\n{row}\n")
    how = Reference(unsteady=unsteady)
    assert compare_tables("theory.csv", *paths, how).verdict == verdict


def test_seconds_of_two_runs_are_never_compared():
    row = {"method": "add-half", "seconds": "9", "nats": "2"}
    assert tolerance("seconds", row, ANY) == inf
    assert tolerance("nats", row, ANY) < 1


@pytest.mark.parametrize(
    ("ours", "verdict"),
    [
        ("reproduced,8 of 8 hold,6e-14,tightest: another case", WITHIN),
        ("reproduced,8 of 8 hold,0.5,tightest: another case", DIFFERENT),  # no tie
        ("reproduced,7 of 8 hold,6e-14,tightest: another case", DIFFERENT),
        ("not reproduced,8 of 8 hold,6e-14,tightest: another case", DIFFERENT),
    ],
)
@pytest.mark.parametrize("on_cases", [True, False])
def test_another_case_may_be_the_tightest_by_a_rounding(tmp_path, ours, verdict, on_cases):
    head, theirs = "id,verdict,points,reproduced,reason", "reproduced,8 of 8 hold,5e-14,tightest: a"
    how = Reference(of_cases=["law"] if on_cases else [])
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for path, row in zip(paths, (ours, theirs), strict=True):
        path.write_text(f"{head}\nlaw,{row}\n")
    expected = verdict if on_cases else DIFFERENT
    assert compare_tables("claims.csv", *paths, how).verdict == expected


@pytest.mark.parametrize(
    ("ours", "verdict"), [("8e-8", WITHIN), ("9e-6", WITHIN), ("2.1e-5", DIFFERENT)]
)
def test_what_an_optimiser_leaves_may_move_far_below_its_bound(tmp_path, ours, verdict):
    """In the table of cases, and in those of claims, whose bound is there."""
    how = Reference(bounds={"law": 1e-3})
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for head, row in (
        ("check,case,value,bound,share,holds", "law,rest,{},0.001,{},True"),
        ("id,verdict,reproduced", "law,reproduced,{}"),
        ("evidence,id,value", "law | rest,law,{}"),
    ):
        for path, value in zip(paths, (ours, "4e-8"), strict=True):
            path.write_text(f"{head}\n{row.format(value, 1000 * float(value))}\n")
        assert compare_tables("claims.csv", *paths, how).verdict == verdict
    other = Reference(bounds={"another": 1e-3})
    assert compare_tables("claims.csv", *paths, other).verdict == DIFFERENT


def test_claims_that_do_not_hold_name_the_same_case(tmp_path):
    head, law = "id,verdict,points,reproduced,reason", "law,not reproduced,7 of 8 hold,5e-14"
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for path, case in zip(paths, "ab", strict=True):
        path.write_text(f"{head}\n{law},broken by: {case}\n")
    how = Reference(of_cases=["law"])
    assert compare_tables("claims.csv", *paths, how).verdict == DIFFERENT


def test_no_other_test_has_the_columns_and_the_unit_of_cases():
    others = CRITERIA.keys() - {*TESTS_OF_CASES}
    assert not COLUMNS_OF_CASES & {
        (CRITERIA[test]["columns"], CRITERIA[test]["unit"]) for test in others
    }
    reasons = set()
    for path in COMMITTED.glob("*/claims.csv"):
        ids = _claims_of_cases(path.parent)
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                named = row["reason"].partition(":")[0] in ("tightest", "broken by")
                assert named == (row["id"] in ids and row["verdict"] not in (NOT_RUN, UNTESTED))
                reasons.add(named)
    assert reasons == {True, False}


def list_tables():
    """Return the names of tables of the reference: of each kind, by its columns, the largest."""
    found = {}
    for path in sorted(COMMITTED.rglob("*.csv"), key=lambda path: (path.stat().st_size, path)):
        with open(path, encoding="utf-8", newline="") as file:
            found[tuple(next(csv.reader(file)))] = path.relative_to(COMMITTED).as_posix()
    return sorted(found.values())


TABLES = list_tables()
ENDS = re.compile("(.*_|)low(_.*|)$")  # names of the lower ends of intervals


class Table:
    """A table of the reference, in memory: its columns, and the cells of all its rows."""

    def __init__(self, name):
        self.name = name
        with open(COMMITTED / name, encoding="utf-8", newline="") as file:
            self.columns, *self.rows = csv.reader(file)
        named = "method" in self.columns
        self.keys = self.columns[: self.columns.index("method") + 1 if named else 1]
        self.cells = np.array(self.rows, dtype=object)
        self.values = pd.DataFrame(self.rows).apply(pd.to_numeric, errors="coerce").to_numpy(float)
        self.is_number = np.isfinite(self.values) & (np.abs(self.values) >= ZERO_TOLERANCE)
        self.is_free = np.tile(~np.isin(self.columns, [*self.keys, "seconds"]), (len(self.rows), 1))
        if {"share", "bound"} <= set(self.columns):  # a zero has any share of a bound
            places = [self.columns.index(column) for column in ("share", "value", "bound")]
            share, value, bound = places
            self.is_free[~self.is_number[:, value], share] = False
            residual = np.abs(self.values[:, value]) < 1.06 * RESIDUAL_SHARE * self.values[:, bound]
            self.is_free[np.ix_(residual, [share, value])] = False

    def compare(self, rows):
        """Return the comparison of other rows with the table."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "ours.csv")
            with open(path, "w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([self.columns, *rows])
            return compare_tables(self.name, path, COMMITTED / self.name, ANY)

    def put(self, where, cells):
        """Compare after other cells were put into some places, shape (rows, columns)."""
        return self.compare(np.where(where, cells, self.cells).tolist())

    def widths(self):
        """Return the width of the interval that each cell's number has, zero without one.

        The ends stand in two columns behind the number, and belong to both ends as well.
        """
        found = np.zeros_like(self.values)
        for place, low in enumerate(self.columns[:-1]):
            high = self.columns[place + 1]
            if ENDS.match(low) and high == low.replace("low", "high"):
                width = self.values[:, place + 1] - self.values[:, place]
                found[:, place - 1 : place + 2] = np.nan_to_num(np.maximum(width, 0))[:, None]
        if {"mean", "low", "high"} <= set(self.columns):  # a difference of the mean and a constant
            for place, column in enumerate(self.columns):
                if column in DIFFERENCES and not found[:, place].any():
                    found[:, place] = found[:, self.columns.index("low")]
        return found


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    return Table(request.param)


@pytest.mark.parametrize("factor", [1.05, 0.999])
def test_each_number_of_the_reference_that_is_multiplied_is_different(table, factor):
    """All cells of all rows: but for those that stay inside twice the width of their interval."""
    moved = np.abs((factor - 1) * table.values)
    wanted = table.is_number & table.is_free & (moved > 1.001 * table.widths())
    found = table.put(table.is_number & table.is_free, factor * table.values)
    assert found.cells[DIFFERENT] >= wanted.sum()
    assert bool(found.differences) == bool(wanted.any())


def test_a_table_of_the_reference_agrees_with_itself_and_with_its_last_digits_moved(table):
    assert table.compare(table.rows).cells.keys() <= {IDENTICAL}
    near = (1 + RELATIVE_TOLERANCE / 2) * table.values
    assert not table.put(table.is_number & table.is_free, near).differences


def test_each_number_of_the_reference_that_is_none_any_more_is_different(table):
    """With or without an interval, seconds among them."""
    is_number = np.isfinite(table.values) & ~np.isin(table.columns, table.keys)
    texts = np.array(["nan", ""], dtype=object)[np.indices(is_number.shape).sum(axis=0) % 2]
    assert table.put(is_number, texts).cells[DIFFERENT] >= is_number.sum()


def test_each_text_of_the_reference_that_is_another_is_different(table):
    """Verdicts, labels, reasons, notes: in each row of each column."""
    is_text = ~np.isfinite(table.values) & ~np.isin(table.columns, table.keys)
    found = table.put(is_text, table.cells + "another")
    assert found.cells[DIFFERENT] == is_text.sum()


def test_a_row_that_is_missing_or_is_there_twice_is_different(table):
    rows, place = table.rows, len(table.rows) // 2
    for changed in (rows[:place] + rows[place + 1 :], rows[: place + 1] + rows[place:]):
        assert table.compare(changed).cells[DIFFERENT]


def test_labels_that_are_exchanged_are_different(table):
    """The rows of two keys, such as two methods, have each other's numbers."""
    place = len(table.keys) - 1
    names = list(dict.fromkeys(table.cells[:, place]))
    if len(names) > 1:
        other = dict(zip(names, [*names[1:], names[0]], strict=True))
        rows = [[*row[:place], other[row[place]], *row[place + 1 :]] for row in table.rows]
        assert table.compare(rows).cells[DIFFERENT]
