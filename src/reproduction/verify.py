"""Compare results with a reference: ``make verify``, or ``python -m reproduction.verify``.

Two runs have the same tables: the same columns, rows, text and verdicts. Every number is within
1e-4 of the reference's, with three exceptions:

- A number below a hundredth of the bound that judges it is what rounding or an optimiser leaves of
  zero, and may move within that hundredth. Another processor leaves another such number, even of
  another order of magnitude, so these are counted apart.
- Fits that do not converge end elsewhere on another processor. ``unsteady.json`` in the folder of a
  reference lists their rows, as a run for another processor measured them, and the ``named``
  methods, checks, claims and tables of fits that are known not to converge. There a number with an
  interval stays within it; other fractions are not compared.
- Seconds are not compared.

What is not there, such as rows of a text that is not at hand, is named and counted. It is an error
only if the comparison is ``strict``.
"""

import argparse
import csv
import json
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

RELATIVE = 1e-4  # of the reference's number; processors were seen to move others by 2.3e-5
ZERO = 1e-9  # smaller numbers are what rounding leaves of zero
RESIDUAL = 0.01  # of the bound that judges a number
NOTICED = 0.01  # a change by so much is noticed in every steady number that is no residual
NAMES = ("method", "check", "id")  # columns that say what a row is about
TEXTS = ("corpus", "text", "collection")  # columns that say which text a row rests on
ALL = "all"  # of them, where rows sum up several texts
GIVEN = ("bound", "published", "tolerance")  # columns that no run computes, however small
IN_WORDS = ("reason", "points", "other_settings")  # numbers of the same row again, rounded
# In an unsteady row these numbers are the same all the same, and these words may be others.
STEADY = ("k", "n", "trials", "seeds", "start", "iteration", "paper")
UNSTEADY_WORDS = ("holds", "near", *IN_WORDS)
UNTESTED = ("not testable", "not run at this size")
MOST_SHOWN = 10  # differences of a table
ANY_TEXT = "<corpus>"  # in a cell that the abstract looked up for each text
_NUMBER = re.compile(r"[\d.,]+(?:e[+-]?\d+)?")
_LOOKED_UP = re.compile(r"(?<==)[\w-]+|<corpus>")  # "claims-settings.csv: id=lemma-7-risk, ..."


@dataclass
class Comparison:
    """What a comparison of one target knows, and what it has found."""

    unsteady: set = field(default_factory=set)  # names of `NAMES` and tables; (table, *key of row)
    missing: dict = field(default_factory=dict)  # by text: why it cannot be compared
    untested: set = field(default_factory=set)  # ids of claims that rest on texts that are missing
    bounds: dict = field(default_factory=dict)  # by the id of a claim on cases
    not_compared: Counter = field(default_factory=Counter)  # rows, by what they lack
    rows: Counter = field(default_factory=Counter)  # that were compared, steady and unsteady


def read_table(path):
    """Return the columns of a CSV, and its rows by the cells that say what they are about.

    Those are the columns up to ``method``, or the first, and a number where rows agree in them.
    """
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, restval="", restkey="(more cells than columns)")
        columns, read = list(table.fieldnames or []), list(table)
    keys = columns[: columns.index("method") + 1] if "method" in columns else columns[:1]
    rows, seen = {}, Counter()
    for row in read:
        key = tuple(row[column] for column in keys)
        rows[*key, str(seen[key])] = row
        seen[key] += 1
    return columns, rows


class Difference(NamedTuple):
    """A cell in which two tables differ; or their columns, or a row that one of them lacks."""

    row: tuple[str, ...]
    column: str
    ours: str
    reference: str

    def __str__(self):
        place = ", ".join(filter(None, [" ".join(filter(None, self.row[:-1])), self.column]))
        return f"{place}: {self.ours or 'nothing'}; reference: {self.reference or 'nothing'}"


def compare_tables(name, ours, reference, how):
    """Yield each `Difference` of two tables, files of CSV."""
    try:
        (columns, mine), (wanted, theirs) = read_table(ours), read_table(reference)
    except (UnicodeDecodeError, csv.Error) as error:
        yield Difference((), "table", f"cannot be read, {error}", "")
        return
    if columns != wanted:
        yield Difference((), "columns", ", ".join(columns), ", ".join(wanted))
        return
    for key in dict.fromkeys([*theirs, *mine]):
        row, other = mine.get(key), theirs.get(key)
        if lacks := _lacks(row or other, how) or _lacks(other or row, how):
            how.not_compared[lacks] += 1
        elif row is None or other is None:
            yield Difference(key, "", row and "a row", other and "a row")
        else:
            is_unsteady = not {name, (name, *key), *map(other.get, NAMES)}.isdisjoint(how.unsteady)
            how.rows["unsteady" if is_unsteady else "steady"] += 1
            if len(row) != len(other):
                yield Difference(key, "cells", str(len(row)), str(len(other)))
            how.rows["residuals"] += sum(is_residual(column, other, how) for column in wanted)
            for column in wanted:
                if not _agree(column, row, other, is_unsteady, how):
                    yield Difference(key, column, row[column], other[column])


def _lacks(row, how):
    """Return what is missing of a row: a text, or nothing."""
    for text in filter(None, map(row.get, TEXTS)):
        if text in how.missing:
            return f"{text} ({how.missing[text]})"
    looked_up = {*_LOOKED_UP.findall(row.get("cells") or "")}  # of the abstract
    rests_on_missing = {row.get("id"), row.get("check"), *looked_up} & {*how.untested, *how.missing}
    sums_up = how.missing and (ALL in map(row.get, TEXTS) or ANY_TEXT in looked_up)
    return "what rests on several texts or on a missing one" if rests_on_missing or sums_up else ""


def _agree(column, row, other, is_unsteady, how):
    """Whether two rows agree in a column."""
    ours, theirs = row[column], other[column]
    if ours == theirs or column == "seconds":
        return True
    if column in IN_WORDS:
        names_a_case = column == "reason" and other.get("id") in how.bounds
        masked = [_NUMBER.sub("#", text) for text in (ours, theirs)]
        return is_unsteady or names_a_case or masked[0] == masked[1]
    number, wanted = number_in(ours), number_in(theirs)
    if math.isnan(number) or math.isnan(wanted):
        return is_unsteady and column in UNSTEADY_WORDS
    moved = abs(number - wanted)
    if not math.isfinite(moved):
        return False
    if is_unsteady and column not in STEADY:
        return moved <= width(column, other)
    return moved <= max(RELATIVE * abs(wanted), left_of_zero(column, other, how))


def is_residual(column, row, how):
    """Whether a number is what is left of zero: it is compared by its bound, not by its digits."""
    number = abs(number_in(row[column]))
    return 0 < NOTICED * number < left_of_zero(column, row, how)


def left_of_zero(column, row, how):
    """Return how far a number may move that is what rounding or an optimiser leaves of zero."""
    if column in GIVEN:
        return 0.0
    bound = how.bounds.get(row.get("id"), 0.0) if column in ("value", "measured") else 0.0
    if "bound" in row:
        bound = number_in(row["bound"])
        bound = {"value": bound, "share": float(bound > 0)}.get(column, 0.0)
    is_residual = abs(number_in(row[column])) < RESIDUAL * bound
    return max(ZERO, RESIDUAL * bound if is_residual else 0.0)


def width(column, row):
    """Return the width of a number's own interval, infinite where it has none.

    The ends of an interval are the two columns behind the number, as in ``mean, low, high``.
    """
    columns = list(row)
    for place, (low, high) in enumerate(pairwise(columns)):
        is_interval = "low" in low.split("_") and high == low.replace("low", "high")
        if is_interval and column in (columns[place - 1], low, high):
            found = number_in(row[high]) - number_in(row[low])
            return found if math.isfinite(found) else math.inf
    return math.inf


def number_in(text):
    """Return the number in a cell; not a number where there is none."""
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan


def compare_target(results, reference, how):
    """Yield the name of each table of a target, and a list of its differences.

    ``results`` and ``reference`` are the target's folders, ``how`` is that of `read_terms`.
    """
    for path in sorted(reference.rglob("*.*")):
        name = path.relative_to(reference).as_posix()
        if path.suffix not in (".csv", ".png"):
            continue
        if not (results / name).is_file():
            how.not_compared[f"{results.name}/{name} (not made)"] += 1
        elif path.suffix == ".csv":
            yield name, [*compare_tables(name, results / name, path, how)]


def read_terms(results, reference):
    """Return the `Comparison` of a target: what may move, and what the results lack."""
    how = Comparison()
    path = reference / "unsteady.json"
    if path.is_file():
        listed = json.loads(path.read_text(encoding="utf-8"))
        how.unsteady = {*listed.get("named", ())}
        how.unsteady |= {(row["table"], *row["row"]) for row in listed.get("rows", ())}
    ours, theirs = (_read_corpora(folder) for folder in (results, reference))
    for text in ours.keys() & theirs.keys():
        receipt, wanted = ours[text], theirs[text]
        if ("reason" in receipt) != ("reason" in wanted):
            is_ours = "reason" in receipt
            how.missing[text] = "not at hand" if is_ours else "the reference was made without it"
        elif receipt.get("content_sha256") != wanted.get("content_sha256"):
            how.missing[text] = "another text than the reference's"
    if how.missing and (results / "claims.csv").is_file():
        claims = read_table(results / "claims.csv")[1].values()
        how.untested = {row["id"] for row in claims if row.get("verdict") in UNTESTED}
    tightest = {}
    cases = reference / "theory.csv"
    for row in read_table(cases)[1].values() if cases.is_file() else ():
        bound, share = number_in(row["bound"]), number_in(row["share"])
        if bound > 0 and share > tightest.get(row["check"], -math.inf):
            how.bounds[row["check"]], tightest[row["check"]] = bound, share
    return how


def _read_corpora(folder):
    """Return the receipts of the texts of a run, by their names."""
    path = folder / "provenance.json"
    return json.loads(path.read_text(encoding="utf-8"))["corpora"] if path.is_file() else {}


def verify(results, reference, targets=(), strict=False):
    """Print how results compare with a reference; return whether they agree."""
    results, reference = Path(results), Path(reference)
    known = sorted(path.parent.name for path in reference.glob("*/claims.csv"))
    chosen = targets or [name for name in known if (results / name / "claims.csv").is_file()]
    if unknown := [name for name in chosen if name not in known]:
        raise FileNotFoundError(f"{reference} has no results of {', '.join(unknown)}")
    if not chosen:
        raise FileNotFoundError(f"{results} has no results: run `make reproduce` first")
    differ, lacking, rows = [], Counter(), Counter()
    for name in chosen:
        folders = results / name, reference / name
        how = read_terms(*folders)
        for table, found in compare_target(*folders, how):
            print(f"{'differs' if found else 'agrees'}  {name}/{table}")
            print(*(f"    {line}\n" for line in found[:MOST_SHOWN]), sep="", end="")
            if len(found) > MOST_SHOWN:
                print(f"    and {len(found) - MOST_SHOWN} more")
            differ += [f"{name}/{table}"] if found else []
        lacking, rows = lacking + how.not_compared, rows + how.rows
        for path in sorted([*folders[0].glob("*.csv"), *folders[0].glob("exhibits/*.csv")]):
            if not (reference / path.relative_to(results)).is_file():
                print(f"not in the reference: {path}")
    for what, count in lacking.items():
        print(f"not compared: {what}{f': {count} rows' if count > 1 else ''}")
    wrong = [f"different from {reference}: {', '.join(differ)}"] if differ else []
    wrong += ["strict, and not all of it could be compared"] if lacking and strict else []
    about = f"{rows['steady']:,} rows, and {rows['unsteady']:,} within their intervals; "
    about += f"{rows['residuals']:,} residuals below their bounds"
    print(
        f"NOT VERIFIED: {'; '.join(wrong)}" if wrong else f"verified against {reference}: {about}"
    )
    return not wrong


def main(arguments=None):
    """Run the command; return its exit status: 0 verified, 1 different, 2 nothing to compare."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.verify", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "targets", nargs="*", help="folders of results (default: all that there are)"
    )
    parser.add_argument("--results", default="results", help="default: results")
    parser.add_argument("--reference", help="default: the folder reference in the results")
    parser.add_argument("--strict", action="store_true", help="what is missing is an error")
    given = parser.parse_args(arguments)
    reference = given.reference or Path(given.results, "reference")
    try:
        return not verify(given.results, reference, given.targets, given.strict)
    except (OSError, ValueError, KeyError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
