"""How far a number may be from the reference's: one rule for all numbers of all methods."""

import csv
import math
from itertools import pairwise
from math import inf
from pathlib import Path

import pytest

from reproduction.trust.reference import (
    DIFFERENCES,
    DIFFERENT,
    IDENTICAL,
    RELATIVE,
    WITHIN,
    ZERO_TOLERANCE,
    Reference,
    compare_tables,
    half_width,
    tolerance,
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
        assert tolerance(column, blank, ANY) == RELATIVE * abs(float(blank[column]))


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
    assert tolerance("holds", case, how) == RELATIVE
    assert tolerance("value", case | {"check": "other"}, how) == pytest.approx(3e-4)


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
        ("reproduced,8 of 8 hold,6e-14,broken by: a case", DIFFERENT),
    ],
)
def test_another_case_may_be_the_tightest_by_a_rounding(tmp_path, ours, verdict):
    head, theirs = "id,verdict,points,reproduced,reason", "reproduced,8 of 8 hold,5e-14,tightest: a"
    paths = [tmp_path / "ours.csv", tmp_path / "theirs.csv"]
    for path, row in zip(paths, (ours, theirs), strict=True):
        path.write_text(f"{head}\nlaw,{row}\n")
    assert compare_tables("claims.csv", *paths, ANY).verdict == verdict


FACTOR, ROWS = 1.05, 200  # rows of a table that are looked at


def read(path):
    """Return the columns of a table, and its first rows."""
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        return table.fieldnames, [row for row, _ in zip(table, range(ROWS), strict=False)]


def write(path, columns, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns)
        table.writeheader()
        table.writerows(rows)
    return path


def multiply(row, columns):
    """Return a row whose numbers in some columns are larger by a twentieth."""
    return row | {c: repr(FACTOR * float(row[c])) for c in columns if is_number(row[c])}


def is_number(text):
    try:
        return abs(float(text)) >= ZERO_TOLERANCE and math.isfinite(float(text))
    except (TypeError, ValueError):
        return False


def is_noise(column, columns, rows):
    """Whether a twentieth is less than the width of the interval of each number of a column."""
    place, pairs = columns.index(column), list(pairwise(columns))
    near = pairs[max(0, place - 1) : place + 2]  # the ends may stand before, here, or behind
    if column in DIFFERENCES:  # of the mean, whose interval they have
        near += [pair for pair in pairs if pair == ("low", "high") and "mean" in columns]
    for low, high in near:
        if "low" in low and high == low.replace("low", "high"):
            numbers = [row for row in rows if is_number(row[column])]
            widths = [float(row[high] or "nan") - float(row[low] or "nan") for row in numbers]
            moved = [0.05 * abs(float(row[column])) for row in numbers]
            return all(step < width for step, width in zip(moved, widths, strict=True))
    return False


TABLES = sorted(path.relative_to(COMMITTED).as_posix() for path in COMMITTED.rglob("*.csv"))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_reference_that_is_multiplied_by_a_twentieth_more_is_different(
    name, tmp_path
):
    """Each column by itself, and all together; noise by its own interval passes alone."""
    columns, rows = read(COMMITTED / name)
    theirs = write(tmp_path / "theirs.csv", columns, rows)
    assert compare_tables(name, theirs, theirs, ANY).cells.keys() <= {IDENTICAL}
    numbers = [c for c in columns if c != "seconds" and any(is_number(row[c]) for row in rows)]

    def verdict(changed):
        ours = write(tmp_path / "ours.csv", columns, [multiply(row, changed) for row in rows])
        return compare_tables(name, ours, theirs, ANY).verdict

    passed = {c for c in numbers if verdict([c]) != DIFFERENT}
    noise = {c for c in numbers if is_noise(c, columns, rows)}
    assert passed <= noise
    if set(numbers) - noise:  # two claims may have nothing but wide intervals
        assert verdict(numbers) == DIFFERENT
