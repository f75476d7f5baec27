"""Compare tables and figures with those of a reference, cell by cell.

Two runs on one machine agree in every byte. Another processor rounds sums and logarithms
otherwise in the last bits, and iterations repeat that. One rule says how far a number may move: it
is within `RELATIVE_TOLERANCE` of the reference's, or within `HALF_WIDTHS` of the number's own 95 %
interval.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from reproduction.verdicts.criteria import CONSISTENT, NOT_RUN, REPRODUCED, UNTESTED

# How far a number may be from the reference's, in parts of it. 2.3e-5 was seen.
RELATIVE_TOLERANCE = 1e-4
HALF_WIDTHS = 2  # how far it may be, in half widths of its own interval
# Numbers below it in both runs are zeros: what rounding leaves of a difference.
ZERO_TOLERANCE = 1e-9
# A number below this part of the bound that it is judged by is what an optimiser that stopped
# leaves: its digits hang on the processor, and it may move within this part.
RESIDUAL_SHARE = 0.01

NAMED = ("method", "check", "id")  # the columns that name the subject of a row
# Of a row of fits that do not come to rest: these are the same in two runs all the same, and these
# words may be others (whether a case near its bound holds, the nearest words). A verdict may not.
STEADY = {"k", "n", "trials", "seeds", "start", "iteration", "paper"}
UNSTEADY_WORDS = {"holds", "near"}
DIFFERENCES = ("difference", "error")  # of the ``mean`` of a row, whose interval they have
IN_WORDS = {"reason", "points", "other_readings"}  # of a claim: its numbers again, rounded
# A pixel differs from this change on; share that may differ.
LARGEST_CHANGE_OF_PIXEL = 0.1
LARGEST_SHARE_OF_PIXELS = 0.002
_NUMBER = re.compile(r"[\d.,]+")

IDENTICAL, WITHIN, DIFFERENT, LEFT_OUT = "identical", "within tolerance", "different", "left out"


class TableError(ValueError):
    """A file is no table; the message is one line."""


@dataclass
class Comparison:
    """How a file compares: cells or pixels by verdict, and a line for each that differs."""

    name: str
    cells: Counter = field(default_factory=Counter)
    differences: list = field(default_factory=list)
    largest: float = 0.0
    same_bytes: bool = False

    @property
    def verdict(self):
        """The worst verdict of a cell; `LEFT_OUT` where nothing could be compared."""
        if self.differences:
            return DIFFERENT
        if self.same_bytes:
            return IDENTICAL
        return next((each for each in (WITHIN, IDENTICAL) if self.cells[each]), LEFT_OUT)

    def __str__(self):
        if self.same_bytes:
            return f"{self.name}: {IDENTICAL} in every byte"
        parts = [f"{n:,} {verdict}" for verdict, n in self.cells.items()]
        moved = f", moved by at most {self.largest:.1e}" if self.largest else ""
        return f"{self.name}: {self.verdict} ({', '.join(parts) or 'nothing compared'}{moved})"

    def add(self, verdict, text=None, moved=0.0):
        """Count a cell."""
        self.cells[verdict] += 1
        if verdict == WITHIN:
            self.largest = max(self.largest, moved)
        if verdict == DIFFERENT:
            self.differences.append(f"{self.name}: {text}")


@dataclass(frozen=True)
class Reference:
    """The run that made a reference, as far as tolerances hang on it."""

    # corpora that are not the same text in both runs: their rows are left out
    other_texts: Collection[str] = ()
    # ids of claims that the reference may lack: those on exhibits that it lacks
    claims: Collection[str] = ()
    # methods, checks, claims and exhibits of fits that two machines do not share: see `study.Scope`
    unsteady: Collection[str] = ()
    # ids of claims on cases: the reason of one that holds names the case nearest to its bound
    of_cases: Collection[str] = ()
    # of claims on cases by their ids: the bound of the case that is nearest to its own
    bounds: Mapping[str, float] = field(default_factory=dict)


def tolerance(column, row, how):
    """Return how far a number may be from that of a row of the reference, in its own unit.

    That is infinite for what no two runs share: seconds, and numbers of fits that the scope names
    as ``unsteady``. It is also infinite for the share of a bound that a zero is: see
    `ZERO_TOLERANCE`.
    """
    is_unsteady = not {row.get(key) for key in NAMED}.isdisjoint(how.unsteady)
    is_zero = abs(number_in(row.get("value"))) < ZERO_TOLERANCE
    if column == "seconds" or (is_unsteady and column not in STEADY):
        return math.inf
    if column == "share" and "bound" in row and is_zero:
        return math.inf
    number = abs(number_in(row[column]))
    bound = _bound(column, row, how)
    residual = RESIDUAL_SHARE * bound if number < RESIDUAL_SHARE * bound else 0.0
    return max(RELATIVE_TOLERANCE * number, HALF_WIDTHS * half_width(column, row), residual)


def _bound(column, row, how):
    """Return the bound that a number is judged by; zero where it has none.

    A table of cases has a column of bounds; a claim on cases has its number in other tables.
    """
    if "bound" in row:
        bound = number_in(row["bound"])
        return {"value": bound, "share": float(bound > 0)}.get(column, 0.0)
    return how.bounds.get(row.get("id"), 0.0) if column in ("value", "reproduced") else 0.0


def half_width(column, row):
    """Return half the width of a number's own interval; zero where it has none.

    The ends of an interval stand in the two columns behind the number, as in ``mean, low, high``.
    """
    own = _find_ends(column, tuple(row))
    if own is None:
        return 0.0
    half = (number_in(row[own[1]]) - number_in(row[own[0]])) / 2
    return half if half > 0 else 0.0


@lru_cache(maxsize=1024)
def _find_ends(column, columns):
    """Return the names of the columns of a number's own interval; None where it has none."""
    own = None
    for place, (low, high) in enumerate(pairwise(columns)):
        is_interval = "low" in low.split("_") and high == low.replace("low", "high")
        if is_interval and column in (columns[place - 1], low, high):
            own = low, high
    if own is None and column in DIFFERENCES and {"mean", "low", "high"} <= set(columns):
        own = "low", "high"
    return own


def number_in(text):
    """Return the number in a cell; not a number where there is none."""
    try:
        return float(text or "nan")
    except ValueError:
        return math.nan


def compare_tables(name, ours, reference, how):
    """Return how two CSV files compare."""
    found = Comparison(name)
    try:
        (columns, mine), (wanted, theirs) = read_rows(ours), read_rows(reference)
    except TableError as error:
        found.add(DIFFERENT, str(error))
        return found
    for column in [column for column in wanted if column not in columns]:
        found.add(DIFFERENT, f"column {column} is missing")
    for column in [column for column in columns if column not in wanted]:
        found.add(DIFFERENT, f"column {column} is not in the reference")
    common = [column for column in wanted if column in columns]
    untested = _untested(mine, how) | _untested(theirs, how)
    for key in dict.fromkeys([*theirs, *mine]):
        row, other = mine.get(key), theirs.get(key)
        known, place = row or other, " ".join(filter(None, key[:-1]))
        may_lack = how.claims if other is None else ()
        if row and other and not _is_left_out(row, how):
            for column in common:
                if column == "reason" and _ties(row, other, how):
                    found.add(IDENTICAL if row[column] == other[column] else WITHIN)
                    continue
                limit = tolerance(column, other, how)
                _compare_cell(found, f"{place}, {column}", row[column], other[column], limit)
        elif known.get("id") in {*may_lack, *untested} or _is_left_out(known, how):
            found.add(LEFT_OUT)
        else:
            where = "missing" if row is None else "not in the reference"
            found.add(DIFFERENT, f"row {place!r} is {where}")
    return found


def _ties(row, other, how):
    """Whether two rows of a claim that holds may name different cases as nearest to the bound.

    Such cases are as near as two machines agree, often by rounding alone. The verdict and the count
    of cases that hold have to be the same, and each row's number within the tolerance.
    """
    if row.get("id") not in how.of_cases or row["verdict"] not in (REPRODUCED, CONSISTENT):
        return False
    if any(row.get(key) != other.get(key) for key in ("verdict", "points")):
        return False
    near = Comparison("")
    limit = tolerance("reproduced", other, how)
    _compare_cell(near, "reproduced", row.get("reproduced", ""), other.get("reproduced", ""), limit)
    return not near.differences


def _untested(rows, how):
    """Return the ids of claims that could not be judged: they have no other readings, either."""
    if not how.other_texts:
        return set()
    return {r.get("id") for r in rows.values() if r.get("verdict") == UNTESTED} - {None}


def _is_left_out(row, how):
    """Whether a row rests on a corpus that is not the same text in both."""
    # A claim cannot be judged where its corpus could not be had.
    untested = bool(how.other_texts) and row.get("verdict") in (UNTESTED, NOT_RUN)
    return row.get("corpus") in how.other_texts or untested


def read_rows(path):
    """Return the columns of a CSV and its rows, by the cells that identify them.

    That is the columns up to ``method``, or the first where there is no such column, and a number
    that tells rows apart which agree in them. Raises TableError if it is no CSV in UTF-8.
    """
    try:
        with open(path, encoding="utf-8", newline="") as file:
            table = csv.DictReader(file, restval="", restkey="(beyond the last column)")
            columns, read = list(table.fieldnames or []), list(table)
    except (UnicodeDecodeError, csv.Error) as error:
        raise TableError(f"{path} is no table: {error}") from error
    rows, seen = {}, Counter()
    keys = columns[: columns.index("method") + 1] if "method" in columns else columns[:1]
    for row in read:
        key = tuple(row[column] for column in keys)
        rows[*key, seen[key]] = row
        seen[key] += 1
    return columns, rows


def _compare_cell(found, place, ours, reference, limit):
    """Compare two cells of a table: as text, then as numbers, which may be ``limit`` apart."""
    if ours == reference:
        return found.add(IDENTICAL)
    column = place.rpartition(", ")[2]
    if column in IN_WORDS and _NUMBER.sub("#", ours) == _NUMBER.sub("#", reference):
        return found.add(WITHIN)
    if column in UNSTEADY_WORDS and limit == math.inf:
        return found.add(WITHIN)
    try:
        value, wanted = float(ours), float(reference)
    except ValueError:
        return found.add(DIFFERENT, f"{place}: {ours or 'empty'} instead of {reference or 'empty'}")
    moved = abs(value - wanted)
    are_zeros = max(abs(value), abs(wanted)) < ZERO_TOLERANCE
    if math.isfinite(moved) and (moved <= limit or are_zeros):
        return found.add(WITHIN, moved=moved / abs(wanted) if wanted else moved)
    text = f"{place}: {ours} instead of {reference}, tolerance {limit:.1e}"
    return found.add(DIFFERENT, text)


def compare_figures(name, ours, reference):
    """Compare two PNG files pixel by pixel.

    Letters and lines whose numbers moved by a rounding may fall on a neighbouring pixel: up to
    `LARGEST_SHARE_OF_PIXELS` of them may differ.
    """
    from matplotlib.image import imread

    found = Comparison(name)
    try:
        mine, theirs = imread(ours), imread(reference)
    except (OSError, ValueError, SyntaxError) as error:
        found.add(DIFFERENT, f"not an image: {error}")
        return found
    if mine.shape != theirs.shape:
        sizes = ["x".join(map(str, image.shape[1::-1])) for image in (mine, theirs)]
        found.add(DIFFERENT, f"{sizes[0]} pixels instead of {sizes[1]}")
        return found
    share = float((abs(mine - theirs).max(axis=-1) > LARGEST_CHANGE_OF_PIXEL).mean())
    text = f"{share:.1%} of the pixels differ, {LARGEST_SHARE_OF_PIXELS:.1%} may"
    found.add(WITHIN if share <= LARGEST_SHARE_OF_PIXELS else DIFFERENT, text, share)
    return found
