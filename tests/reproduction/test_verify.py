"""`make verify`: what differs from a reference, what may, and what is not there to compare."""

import csv
import json
import math
import random
import shutil
from functools import cache
from pathlib import Path

import pytest

from reproduction.verify import (
    UNSTEADY_WORDS,
    compare_target,
    is_residual,
    left_of_zero,
    main,
    number_in,
    read_table,
    read_terms,
    width,
)

COMMITTED = Path(__file__).parents[2] / "results" / "reference"
TARGETS = sorted(path.parent.name for path in COMMITTED.glob("*/claims.csv"))
CURVE = """k,rank,n,method,mean,low,high,sd,trials,converged
50,3,5000,kn,0.25,0.24,0.26,0.01,5,1
50,3,5000,ad-lr,0.02,0.01,0.03,0.01,5,1
50,3,5000,ad-lr-random,0.03,0.02,0.04,0.01,5,0.8
"""
TABLE = """corpus,n,rank,method,mean,low,high,sd,seeds,converged,paper
tale,900,50,kn,5.7,,,,1,1,5.7555
myth,900,50,kn,5.6,5.5,5.7,0.1,2,1,5.6923
all,900,50,kn,5.65,,,,2,1,
"""
CLAIMS = """id,statement,measured,low,high,verdict,points,exhibit,reason,seconds
order,one beats another,0.5,0.4,0.6,reproduced,5 of 5 above zero,curve,weakest: 0.4000,3.5
minimum,a minimum is found,0.002,,,reproduced,2 of 2,,nearest: case 1,1.5
cell,the value,5.7,,,partially reproduced,,table,-0.0555 from the published value,
"""
SETTINGS = """verdict_of,id,setting,verdict
cell | plain,cell,plain,partially reproduced
order | plain,order,plain,reproduced
"""
THEORY = """check,case,k,value,bound,share,holds
minimum,case 1,3,0.002,0.5,0.004,True
minimum,case 2,3,1e-12,0.5,2e-12,True
drift,case 1,3,0.4,0.5,0.8,True
"""
TABLES = {
    "exhibits/curve.csv": CURVE,
    "exhibits/table.csv": TABLE,
    "claims.csv": CLAIMS,
    "claims-settings.csv": SETTINGS,
    "theory.csv": THEORY,
}
CURVE_CSV, TABLE_CSV, CLAIMS_CSV, SETTINGS_CSV, THEORY_CSV = TABLES
CORPORA = {"tale": {"content_sha256": "a" * 64}, "myth": {"content_sha256": "b" * 64}}
UNSTEADY = {
    "named": ["drift"],
    "rows": [{"table": CURVE_CSV, "row": ["50", "3", "5000", "ad-lr-random", "0"]}],
}


def write_target(folder, corpora=CORPORA, **tables):
    """Write the results of a target; ``tables`` take the place of those of `TABLES`."""
    (folder / "exhibits").mkdir(parents=True, exist_ok=True)
    for name, text in (TABLES | tables).items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "exhibits" / "curve.png").touch()
    (folder / "provenance.json").write_text(json.dumps({"corpora": corpora}), encoding="utf-8")


@pytest.fixture
def results(tmp_path):
    """Results, and a reference made of them."""
    folder = tmp_path / "résultats"
    write_target(folder / "tales")
    write_target(folder / "reference" / "tales")
    unsteady = folder / "reference" / "tales" / "unsteady.json"
    unsteady.write_text(json.dumps(UNSTEADY), encoding="utf-8")
    return folder


def verify(folder, capsys, *options):
    """Return the exit status of the command and the lines that it printed."""
    status = main(["--results", str(folder), *options])
    printed = capsys.readouterr()
    return status, (printed.out + printed.err).splitlines()


def test_results_agree_with_themselves(results, capsys):
    status, lines = verify(results, capsys, "--strict")
    assert status == 0
    assert f"agrees  tales/{CURVE_CSV}" in lines
    verified = f"verified against {results}/reference: 12 rows, and 2 within their intervals"
    assert lines[-1] == f"{verified}; 5 residuals below their bounds"


CHANGES = {
    "a number by 2e-4": (CURVE_CSV, ",0.25,", ",0.25005,"),
    "a number without an interval": (TABLE_CSV, ",kn,5.7,", ",kn,5.701,"),
    "within its interval, but steady": (CURVE_CSV, "ad-lr,0.02,", "ad-lr,0.021,"),
    "the end of an interval": (CLAIMS_CSV, "0.5,0.4,", "0.5,0.41,"),
    "a whole number": (CURVE_CSV, "0.01,5,1\n50,3,5000,ad-lr,", "0.01,4,1\n50,3,5000,ad-lr,"),
    "a number that is lost": (CURVE_CSV, ",kn,0.25,", ",kn,,"),
    "a number without end": (CURVE_CSV, ",kn,0.25,", ",kn,inf,"),
    "an unsteady number without end": (CURVE_CSV, "0.01,5,0.8", "0.01,5,inf"),
    "a cell more": (CURVE_CSV, "0.01,5,1\n", "0.01,5,1,1\n"),
    "no number any more": (CURVE_CSV, ",kn,0.25,", ",kn,nan,"),
    "another sign": (CLAIMS_CSV, ",0.5,0.4,", ",0.5,-0.4,"),
    "a verdict": (CLAIMS_CSV, "partially reproduced", "reproduced"),
    "a verdict under one setting": (
        SETTINGS_CSV,
        "plain,partially reproduced",
        "plain,not reproduced",
    ),
    "a word of a reason": (CLAIMS_CSV, "weakest", "strongest"),
    "words of a claim, as of an older reference": (CLAIMS_CSV, "one beats another", "all agree"),
    "a claim less, as of an older reference": (CLAIMS_CSV, CLAIMS.splitlines()[3] + "\n", ""),
    "a claim more, as of an older reference": (CLAIMS_CSV, "cell,", "other,a claim,,,,,,,,\ncell,"),
    "a row less": (CURVE_CSV, CURVE.splitlines()[2] + "\n", ""),
    "a row more": (CURVE_CSV, "50,3,5000,kn,0.25", "50,3,5000,sb,1,1,1,1,1,1\n50,3,5000,kn,0.25"),
    "methods exchanged": (CURVE_CSV, "kn,0.25,0.24,0.26", "ad-lr,0.25,0.24,0.26"),
    "a column less": (CURVE_CSV, ",converged", ""),
    "a column of another name": (CURVE_CSV, ",trials,", ",starts,"),
    "columns exchanged": (CURVE_CSV, "low,high", "high,low"),
    "an unsteady number outside of its interval": (CURVE_CSV, "random,0.03,", "random,0.0501,"),
    "a whole number of an unsteady row": (CURVE_CSV, "0.01,5,0.8", "0.01,4,0.8"),
    "residual that is no longer small": (THEORY_CSV, "3,0.002,0.5,0.004", "3,0.02,0.5,0.04"),
    "residual of a claim, no longer small": (CLAIMS_CSV, "found,0.002", "found,0.02"),
    "a case that fails": (THEORY_CSV, "1e-12,0.5,2e-12,True", "1e-12,0.5,2e-12,False"),
    "no UTF-8": (CURVE_CSV, "method", "m\udcffthod"),
    "nothing": (CURVE_CSV, CURVE, ""),
}


def change(results, name, old, new):
    path = results / "tales" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode(errors="surrogateescape"))


@pytest.mark.parametrize("of", CHANGES.values(), ids=CHANGES)
def test_a_difference_fails_and_is_named(results, capsys, of):
    change(results, *of)
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"differs  tales/{of[0]}" in lines
    assert lines[-1] == f"NOT VERIFIED: different from {results}/reference: tales/{of[0]}"


@pytest.mark.parametrize(
    "of",
    [
        (CURVE_CSV, ",0.25,", ",0.25002,"),
        (THEORY_CSV, "1e-12,0.5,2e-12", "3e-10,0.5,6e-10"),  # rounding leaves it of zero
        (THEORY_CSV, "3,0.002,0.5,0.004", "3,0.004,0.5,0.008"),  # an optimiser leaves it
        (CLAIMS_CSV, "found,0.002", "found,0.004"),
        (CLAIMS_CSV, "case 1", "case 2"),  # as near to the bound as two machines agree
        (CLAIMS_CSV, "weakest: 0.4000", "weakest: 0.4001"),  # the number in `low` again, rounded
        (CLAIMS_CSV, "weakest: 0.4000,3.5", "weakest: 0.4000,9.5"),  # seconds
        (CURVE_CSV, "random,0.03,", "random,0.045,"),  # measured: its interval is 0.02 wide
        (CURVE_CSV, "0.01,5,0.8", "0.02,5,0.6"),
        (THEORY_CSV, "drift,case 1,3,0.4,0.5,0.8,True", "drift,case 1,3,0.6,0.5,1.2,False"),
    ],
)
def test_what_another_processor_may_move_agrees(results, capsys, of):
    change(results, *of)
    assert verify(results, capsys, "--strict")[0] == 0


GONE = {"tale": {"reason": "no copy", "remedy": "look"}, "myth": CORPORA["myth"]}
OTHER = CORPORA | {"tale": {"content_sha256": "c" * 64}}


@pytest.mark.parametrize(
    ("corpora", "why"),
    [(GONE, "not at hand"), (OTHER, "another text than the reference's")],
    ids=["gone", "other"],
)
def test_what_rests_on_a_missing_text_is_named_and_not_compared(results, capsys, corpora, why):
    """Its rows, rows that sum up several texts, and claims that it leaves untested."""
    rows = TABLE.replace("tale,900,50,kn,5.7,,,,1,1,,5.7555\n", "").replace("5.65", "5.6")
    claims = CLAIMS.replace("5.7,,,partially reproduced", ",,,not testable")
    settings = SETTINGS.replace("cell | plain,cell,plain,partially reproduced\n", "")
    changed = {TABLE_CSV: rows, CLAIMS_CSV: claims, SETTINGS_CSV: settings}
    write_target(results / "tales", corpora, **changed)
    status, lines = verify(results, capsys)
    assert status == 0
    assert f"not compared: tale ({why})" in lines
    assert "not compared: what rests on several texts or on a missing one: 3 rows" in lines
    assert verify(results, capsys, "--strict")[0] == 1
    write_target(results / "tales", **changed)  # the same without a reason
    assert verify(results, capsys)[0] == 1


def test_rows_of_the_abstract_on_a_missing_text_are_not_compared(results, capsys):
    """They name the cells in which their numbers were looked up."""
    head = "id,evidence,verdict,cells\n"
    kept = "c,0.1,reproduced,theory.csv: check=drift: value\n"
    rows = [
        'a,{0},{1},"curve.csv: corpus=tale, method=kn: mean"\n',
        "b,{0},{1},claims-settings.csv: id=table-1-<corpus>-<method>: verdict\n",
    ]
    theirs = "".join(row.format("0.2", "reproduced") for row in rows)
    ours = "".join(row.format("none", "not testable") for row in rows)
    (results / "reference" / "tales" / "abstract.csv").write_text(head + theirs + kept)
    gone = TABLE.replace("tale,900,50,kn,5.7,,,,1,1,,5.7555\n", "")
    write_target(results / "tales", GONE, **{TABLE_CSV: gone, "abstract.csv": head + ours + kept})
    assert verify(results, capsys)[0] == 0
    write_target(
        results / "tales", GONE, **{"abstract.csv": head + ours + kept.replace("0.1", "9")}
    )
    assert verify(results, capsys)[0] == 1


def test_a_difference_beside_a_missing_text_still_fails(results, capsys):
    rows = TABLE.replace("tale,900,50,kn,5.7,,,,1,1,,5.7555\n", "").replace("5.6,5.5", "5.7,5.5")
    write_target(results / "tales", GONE, **{TABLE_CSV: rows})
    assert verify(results, capsys)[0] == 1


@pytest.mark.parametrize("name", ["exhibits/curve.csv", "exhibits/curve.png"])
def test_a_file_that_was_not_made_is_named(results, capsys, name):
    (results / "tales" / name).unlink()
    status, lines = verify(results, capsys)
    assert status == 0
    assert f"not compared: tales/{name} (not made)" in lines
    status, lines = verify(results, capsys, "--strict")
    assert status == 1
    assert lines[-1] == "NOT VERIFIED: strict, and not all of it could be compared"


def test_a_table_that_the_reference_lacks_is_named(results, capsys):
    (results / "tales" / "exhibits" / "mine.csv").write_text(CURVE)
    status, lines = verify(results, capsys, "--strict")
    assert status == 0
    assert f"not in the reference: {results}/tales/exhibits/mine.csv" in lines


def test_a_reference_without_end_is_no_number_to_come_near_to(results, capsys):
    change(results / "reference", CURVE_CSV, ",kn,0.25,", ",kn,inf,")
    assert verify(results, capsys)[0] == 1


def test_a_target_is_compared_if_it_was_made_or_is_asked_for(results, capsys):
    write_target(results / "reference" / "larger")
    assert verify(results, capsys, "--strict")[0] == 0
    status, lines = verify(results, capsys, "larger", "--strict")
    assert status == 1
    assert f"not compared: larger/{CURVE_CSV} (not made)" in lines


@pytest.mark.parametrize("arguments", [["--results", "absent"], ["unheard-of"]])
def test_nothing_to_compare_is_one_line(results, monkeypatch, capsys, arguments):
    monkeypatch.chdir(results.parent)
    given = ["--results", str(results), *arguments]
    assert main(given) == 2
    assert capsys.readouterr().err.startswith("error: ")


def tamper(folder, reference, changes):
    """Change cells of the results in a folder; return those that a comparison does not name."""
    for name in {name for name, *_ in changes}:
        columns, rows = read_table(folder / name)
        for (table, key, column), change in changes.items():
            if table == name:
                rows[key] = rows[key] | {column: change(rows[key][column])}
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, columns, lineterminator="\n")
            table.writeheader()
            table.writerows(rows.values())
    found = {
        (name, each.row, column)
        for name, differences in compare_target(folder, reference, read_terms(folder, reference))
        for each in differences
        for column in ([each.column] if each.column else read_table(reference / name)[0])
    }
    return [cell for cell in changes if cell not in found]


def times(factor):
    """Return what multiplies the number in a cell."""
    return lambda cell: repr(factor * float(cell))


def plus(more):
    """Return what adds to the number in a cell."""
    return lambda cell: repr(float(cell) + more)


@cache
def numbers_of(target):
    """Return table, row and column of each number of a reference in a steady row, and whether it is
    what rounding or an optimiser leaves of zero.

    Numbers that say what a row is about are left out: another one is another row.
    """
    reference = COMMITTED / target
    how, cells = read_terms(reference, reference), {}
    for path in sorted(reference.rglob("*.csv")):
        name = path.relative_to(reference).as_posix()
        columns, rows = read_table(path)
        for key, row in rows.items():
            if {name, (name, *key), *map(row.get, ("method", "check", "id"))} & how.unsteady:
                continue
            for column in columns[len(key) - 1 :]:
                number = number_in(row[column])
                if column != "seconds" and math.isfinite(number) and number != 0:
                    cells[name, key, column] = is_residual(column, row, how)
    return cells


@pytest.mark.parametrize("target", TARGETS)
def test_a_number_that_moved_by_one_per_cent_is_noticed(tmp_path, target):
    """A thousand steady numbers at random. What is left of zero is counted apart, and is little."""
    cells = numbers_of(target)
    steady = [cell for cell, is_zero in cells.items() if not is_zero]
    chosen = random.Random(2016).sample(steady, min(1000, len(steady)))
    shutil.copytree(COMMITTED / target, tmp_path / target)
    changes = dict.fromkeys(chosen, times(1.01))
    missed = tamper(tmp_path / target, COMMITTED / target, changes)
    assert len(missed) <= 0.001 * len(chosen)
    assert len(cells) - len(steady) <= 0.05 * len(cells)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_left_of_zero_and_grows_beyond_its_bound_is_noticed(tmp_path, target):
    reference = COMMITTED / target
    how, rows, changes = read_terms(reference, reference), {}, {}
    for name, key, column in (cell for cell, is_zero in numbers_of(target).items() if is_zero):
        if name not in rows:
            rows[name] = read_table(reference / name)[1]
        changes[name, key, column] = plus(2 * left_of_zero(column, rows[name][key], how))
    shutil.copytree(reference, tmp_path / target)
    assert tamper(tmp_path / target, reference, changes) == []


@pytest.mark.parametrize("target", TARGETS)
def test_another_text_is_noticed_in_every_cell(tmp_path, target):
    """But for numbers that a claim repeats in words."""
    reference, cells = COMMITTED / target, []
    for path in sorted(reference.rglob("*.csv")):
        name = path.relative_to(reference).as_posix()
        columns, rows = read_table(path)
        texts = [column for column in columns if column not in UNSTEADY_WORDS]
        cells += [
            (name, key, column)
            for key, row in rows.items()
            for column in texts
            if column not in columns[: len(key) - 1] and math.isnan(number_in(row[column]))
        ]
    shutil.copytree(reference, tmp_path / target)
    changes = dict.fromkeys(cells, lambda cell: f"another {cell}")
    assert tamper(tmp_path / target, reference, changes) == []


def test_a_curve_that_moved_as_a_whole_is_noticed(tmp_path):
    """The eight means of Add-1/2 in figure 1(a), by less than half of their intervals."""
    name, reference = "exhibits/figure-1a.csv", COMMITTED / "near_optimal"
    rows = read_table(reference / name)[1]
    cells = [(name, key, "mean") for key, row in rows.items() if row["method"] == "add-half"]
    assert len(cells) == 8
    assert 0.004 * number_in(rows[cells[0][1]]["mean"]) < width("mean", rows[cells[0][1]])
    shutil.copytree(reference, tmp_path / "near_optimal")
    changes = dict.fromkeys(cells, times(1.004))
    assert tamper(tmp_path / "near_optimal", reference, changes) == []
