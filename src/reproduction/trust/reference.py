"""Compare tables and figures with those of a reference, cell by cell.

Two runs on one machine agree in every byte. Another processor rounds sums and logarithms
otherwise in the last bits. How far that may move a number is one of three tolerances.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from reproduction.methods import EDGED, METHODS, agreement_of
from reproduction.verdicts.criteria import NOT_RUN, UNTESTED

# How far a number may be from the reference's, in nats, or in parts of a value above one.
EXACT = 1e-9  # direct methods and backoff, which are a few sums
ITERATED = (
    1e-4  # EM, which repeats its rounding: 1e-13 was seen, and 2.3e-5 of a start near an edge
)
DRAWN = 0.01  # where a last bit may turn a draw: this, or half of the number's own interval
# Why the numbers of a method or scope are as good as drawn anew on another machine: soft counts
# cross an edge, a draw or a choice depends on a last bit, or a fit stops at a gap.
OF_DRAWN = {"edged", "choosing", "certified"}
# Counts and shares that move more where fits are drawn; `ahead` to `behind` count texts, of which
# two may turn. READING: these were set, and not measured.
LOOSE = {"steps": 0.5, "share": 0.5, "parameters": 0.1, "converged": 0.1, "settled": 0.1}
LOOSE |= {"ahead": 2.0, "clear": 2.0, "behind": 2.0}

OURS = "_ours"  # how columns end in which a method of the scope's agreement is taken from another
NAMED = ("method", "check", "id")  # the columns that name the subject of a row
# The same everywhere; but a claim on unsteady fits may have a measured bound for ``published``.
COUNTS = {"k", "n", "trials", "seeds", "paper", "published"}
TIGHTEST = "tightest: "  # how a reason begins that names the case nearest to its bound
IN_WORDS = {"reason", "points", "other_readings"}  # of a claim: its numbers again, rounded
PIXEL, PIXELS = 0.1, 0.002  # a pixel differs from this change on; share that may differ
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

    methods: Mapping  # the config's methods
    agreement: str = "iterated"  # of all that is made from the scores: see `study.Scope`
    # corpora that are not the same text in both runs: their rows are left out
    other_texts: Collection[str] = ()
    # ids of claims that the reference may lack: those on exhibits that it lacks
    claims: Collection[str] = ()
    # methods, checks, claims and exhibits of fits that two machines do not share: see `study.Scope`
    unsteady: Collection[str] = ()


def tolerance(column, row, how):
    """Return how far a number may be from the reference's, absolute or relative.

    The agreement of its method's record decides, or that of the scope where the row is a verdict,
    a number behind one, or the difference from a method of the scope. Other rows without a method,
    such as cases of the theory, are drawn only where all fits of the scope stop at a gap.
    """
    is_unsteady = not {row.get(key) for key in NAMED}.isdisjoint(how.unsteady)
    is_mean = column == "k" and _number(row.get("k")) % 1 > 0  # the `k` of a proximal step
    if column in COUNTS and not is_mean and not (column == "published" and is_unsteady):
        return 0.0
    # No two runs share a time.
    if column == "seconds" or (column != "holds" and is_unsteady):
        return math.inf
    id, agreement = how.methods.get(row.get("method"), {}).get("method"), how.agreement
    if id in METHODS and not column.endswith(OURS):
        agreement = agreement_between(id, "trials" in row)
    elif id not in METHODS and not {"verdict", "quantity"} & row.keys() and agreement in OF_DRAWN:
        agreement = "certified" if agreement == "certified" else "iterated"
    is_unsettled = _number(row.get("settled")) < 1
    if column == "rank":  # a setting, but for fits that learn it and were stopped on their way
        return 0.5 if is_unsettled else 0.0
    # "behind": one method against the best of all others, by draws of a bootstrap.
    is_drawn = agreement in OF_DRAWN or "behind" in row or is_unsettled
    if is_drawn or ("holds" in row and column == "share"):
        return LOOSE.get(column, max(_half(row), DRAWN))
    return EXACT if agreement == "exact" else ITERATED


def agreement_between(id, of_models):
    """Return how nearly two machines agree on scores of a method.

    Soft absolute discounting divides by the sum of ``1 - min(c, 1)``, which vanishes as every
    soft count comes to one. AD-LR on synthetic data crosses that edge (k = 50, n = 5000), and there
    a change of the last bit grows until a trial is as good as drawn anew.
    """
    return "edged" if id in EDGED and of_models else agreement_of(id)


def _half(row):
    """Return half the width of a row's interval; zero where it has none."""
    half = (_number(row.get("high")) - _number(row.get("low"))) / 2
    return half if half > 0 else 0.0


def _number(text):
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
    if not all(each["reason"].startswith(TIGHTEST) for each in (row, other)):
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
    in_words = place.rpartition(", ")[2] in IN_WORDS
    if in_words and _NUMBER.sub("#", ours) == _NUMBER.sub("#", reference):
        return found.add(WITHIN)
    try:
        value, wanted = float(ours), float(reference)
    except ValueError:
        return found.add(DIFFERENT, f"{place}: {ours or 'empty'} instead of {reference or 'empty'}")
    moved = abs(value - wanted) / max(1.0, abs(wanted))
    if math.isfinite(moved) and moved <= limit:
        return found.add(WITHIN, moved=moved)
    text = f"{place}: {ours} instead of {reference}, tolerance {limit:.1e}"
    return found.add(DIFFERENT, text)


def compare_figures(name, ours, reference):
    """Compare two PNG files pixel by pixel.

    Letters and lines whose numbers moved by a rounding may fall on a neighbouring pixel: up to
    `PIXELS` of them may differ.
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
    share = float((abs(mine - theirs).max(axis=-1) > PIXEL).mean())
    text = f"{share:.1%} of the pixels differ, {PIXELS:.1%} may"
    found.add(WITHIN if share <= PIXELS else DIFFERENT, text, share)
    return found
