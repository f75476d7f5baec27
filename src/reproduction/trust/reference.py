"""Compare tables and figures with those of a reference, cell by cell.

Two runs on one machine agree in every byte. Another processor rounds sums and logarithms
otherwise in the last bits; how far that may move a number is said by `tolerance`.
"""

import csv
import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from condprob.catalogue import METHODS
from reproduction.verdicts.criteria import NOT_RUN, UNTESTED

# By how nearly two machines agree (`condprob.Method`): nats, or parts of a value above one.
LEAST = {"exact": 1e-9, "iterated": 1e-6, "edged": 1e-6, "choosing": 0.005, "certified": 0.01}
# The same of a method that may cross an edge, on a text: one start of ten did so on the first 1,000
# words of Brown, on two processors, and moved the mean by 2.3e-5.
LEAST["near an edge"] = 1e-4
OURS = "_ours"  # how columns end in which a method of the scope's agreement is taken from another
# Parts: what the place of the stop of a certified fit moves more.
OF_SOLVERS = {"steps": 0.5, "parameters": 0.1, "share": 0.5, "converged": 0.1}
OF_UNSETTLED = {"rank": 0.5, "settled": 0.1}  # the same of fits that are stopped on their way
NAMED = ("method", "check", "id")  # the columns that say of what a row is
COUNTS = {"trials", "seeds", "paper", "published"}  # the same everywhere
IN_WORDS = {"reason", "points", "other_readings"}  # of a claim: its numbers again, rounded
SHARES = {"converged": 0.1, "share": 0.1}  # of fits on an edge; of what rounding leaves
# Texts on which one of two methods is ahead: of those whose difference is near zero two may turn.
# READING: two was set, and not measured.
OF_TEXTS = dict.fromkeys(("ahead", "clear", "behind"), 2.0)
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
    """What is known of the run that made a reference."""

    methods: Mapping  # the config's methods, on whose agreement tolerances hang
    agreement: str = "iterated"  # of what is drawn from the scores: see `study.Scope`
    # corpora that are not the same text in both runs: their rows are left out
    other_texts: Collection[str] = ()
    # ids of claims that the reference may lack: those on exhibits that it lacks
    claims: Collection[str] = ()
    # methods, checks, claims and exhibits of fits that two machines do not share: see `study.Scope`
    unsteady: Collection[str] = ()


def tolerance(column, row, how):
    """Return how far a number may be from the reference's, absolute or relative.

    A method's record says how nearly two machines agree on its numbers. Direct methods and backoff
    are a few sums: 1e-9. EM repeats its rounding in each iteration: 1e-6, and 1e-13 was seen. Soft
    absolute discounting divides by the sum of ``1 - min(c, 1)``, which vanishes as every outcome's
    soft count comes to one: AD-LR on synthetic data crosses that edge (k = 50, n = 5000), and there
    a change of the last bit grows until a trial is as good as drawn anew. The mean may then move
    within its own 95 % interval; on texts a start in many does so, by little. The same holds of
    methods that draw lots or choose by what they find: a last bit may turn a draw or a choice.
    Certified fits stop where a gap, or what an iteration gains, is small enough, and a last bit may
    move that by some iterations. Of rows that tell that fits had not settled the mean may move
    within its interval, too. What is drawn from scores, a verdict or a case, agrees as the study
    says.
    """
    if column in COUNTS:
        return 0.0
    if column != "holds" and not {row.get(key) for key in NAMED}.isdisjoint(how.unsteady):
        return math.inf
    if _number(row.get("settled")) < 1:
        return OF_UNSETTLED.get(column, max(_half(row), LEAST["choosing"]))
    id = how.methods.get(row.get("method"), {}).get("method")
    agreement = agreement_of(id, "trials" in row) if id in METHODS else how.agreement
    if column.endswith(OURS):
        agreement = how.agreement
    if agreement == "certified":
        return OF_SOLVERS.get(column, LEAST["certified"])
    if "behind" in row:  # one method against the best of all others, by draws of a bootstrap
        return OF_TEXTS.get(column, max(_half(row), LEAST["choosing"]))
    if agreement in ("edged", "choosing") and not _is_plain(row, id):
        return SHARES.get(column, max(_half(row), LEAST[agreement]))
    if "holds" in row:  # a case of the theory: how much of its bound was used up
        return SHARES.get(column, LEAST["iterated"])
    return LEAST["iterated" if agreement in ("edged", "choosing") else agreement]


def agreement_of(id, of_models):
    """Return how nearly two machines agree on a method; on models an edge may be crossed."""
    record = METHODS[id]
    if record.edged and (of_models or record.agreement == "iterated"):
        return "edged" if of_models else "near an edge"
    return record.agreement


def _is_plain(row, id):
    """Whether a row has no method, and is no verdict nor a number that one rests on."""
    return id not in METHODS and not {"verdict", "quantity"} & row.keys()


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
        place = " ".join(filter(None, key[:-1]))
        is_lacking = other is None and row.get("id") in how.claims
        is_alone = row is None or other is None
        is_lacking |= is_alone and (row or other).get("id") in untested
        if is_lacking or _is_left_out(row or other, how.other_texts):
            found.add(LEFT_OUT)
        elif is_alone:
            where = "missing" if row is None else "not in the reference"
            found.add(DIFFERENT, f"row {place!r} is {where}")
        else:
            for column in common:
                limit = tolerance(column, other, how)
                _compare_cell(found, place, column, row[column], other[column], limit)
    return found


def _untested(rows, how):
    """Return the ids of claims that could not be judged: they have no other readings, either."""
    if not how.other_texts:
        return set()
    return {r.get("id") for r in rows.values() if r.get("verdict") == UNTESTED} - {None}


def _is_left_out(row, other_texts):
    """Whether a row rests on a corpus that is not the same text in both."""
    # A claim cannot be judged where its corpus could not be had.
    untested = bool(other_texts) and row.get("verdict") in (UNTESTED, NOT_RUN)
    return row.get("corpus") in other_texts or untested


def read_rows(path):
    """Return the columns of a CSV and its rows, by what identifies them.

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


def _compare_cell(found, place, column, ours, reference, limit):
    """Compare two cells of a table: as text, then as numbers, which may be ``limit`` apart."""
    if ours == reference:
        return found.add(IDENTICAL)
    place = f"{place}, {column}"
    if column in IN_WORDS and _NUMBER.sub("#", ours) == _NUMBER.sub("#", reference):
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
    if share <= PIXELS:
        found.add(WITHIN, moved=share)
    else:
        found.add(DIFFERENT, f"{share:.1%} of the pixels differ, {PIXELS:.1%} may")
    return found
