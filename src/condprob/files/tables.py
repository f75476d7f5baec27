"""Tables in text files: columns, cross tables, JSON, and lines of pairs.

Every field is a text, so that labels are the same on every machine; weights are numbers. What is
read is lists, which `condprob.fit` and the command line make into pairs.
"""

import csv
import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from io import StringIO
from typing import Any, NamedTuple

from condprob.checks import counted, in_brief, names_in_brief, read_number
from condprob.checks.sums import name_of_sums
from condprob.files.data_files import read_text
from condprob.tokenizers import lines_of
from condprob.vocabulary import refuse_repeated

MARKS = "\t,;"  # between the fields of a table; a space where none of these separates columns
LONGEST_FIELD = 2**31 - 1  # characters; the csv module's own limit is 131,072
FEWEST_COUNTS = 3  # lines of a list of counts; fewer are pairs
MISSING = ("", "NA", "NaN")  # cells of a cross table without a count
_QUOTED = re.compile(r'"[^"]*"')
_JSON = re.compile(r"\{|\[\s*\{")  # the beginning of JSON Lines, or of an array of objects
NumberedRows = list[tuple[int, list[str]]]  # number of a line, and its fields


class Columns(NamedTuple):
    """Pairs of labels from a file, perhaps with weights."""

    contexts: list[Any]
    outcomes: list[Any]
    weights: list[float] | None = None


class QuoteError(ValueError):
    """Quotation marks that do not enclose a field: they may be characters like any other."""


def read_pairs(path: str, encoding: str = "utf-8", counts_refused: bool = True) -> Columns:
    """Read pairs line by line; the path ``-`` is standard input.

    A line is ``context<tab>outcome`` or ``context<tab>outcome<tab>weight``. It ends in a line feed,
    perhaps after a carriage return; labels may have any other character. A line without a tab that
    is empty, or has only spaces, is skipped.

    Raises
    ------
    ValueError
        If a line is no pair, there is none, or the file is not in the encoding. With
        ``counts_refused`` also if the lines are counts of words or of n-grams.
    OSError
        If the file cannot be read.
    """
    rows = []
    for number, line in enumerate(lines_of(read_text(path, encoding)), start=1):
        if not line.strip(" "):
            continue
        fields = line.split("\t")
        if len(fields) not in (2, 3):
            wanted = "a pair is CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT"
            raise ValueError(f"{path}:{number}: {counted(len(fields), 'field')}, but {wanted}")
        weight = _read_weight(path, number, fields[2]) if len(fields) == 3 else 1.0
        rows.append((fields[0], fields[1], weight))
    if not rows:
        raise ValueError(f"{path}: contains no pairs")
    contexts, outcomes, weights = map(list, zip(*rows, strict=True))
    if counts_refused and len(fields) == 2 and are_counts(contexts, outcomes):
        problem = "each line is a word and its count: counts of single words have no contexts"
        if any(" " in context for context in contexts):
            problem = "each line is an n-gram and its count: these are counts of n-grams, not pairs"
        raise ValueError(f"{path}: {problem}. If the numbers are outcomes, add --columns 1,2")
    return Columns(contexts, outcomes, None if set(weights) == {1.0} else weights)


def are_counts(contexts: list[str], outcomes: list[str]) -> bool:
    """Whether pairs are a list of words, or of n-grams, with a count behind each.

    Such a list has no outcomes: the counts would become labels. Each word stands there once and is
    no number; pairs of numbers, such as users and items, are pairs.
    """
    if len(contexts) < FEWEST_COUNTS or len({*contexts}) < len(contexts):
        return False
    return all(map(str.isdecimal, outcomes)) and not any(map(str.isdecimal, contexts))


def read_columns(
    path: str,
    columns: Sequence[str],
    encoding: str = "utf-8",
    separator: str | None = None,
    quotes: bool = True,
) -> Columns:
    r"""Read pairs from two columns of a table, and weights from a third.

    Columns have the names in the first line of the table, or numbers, of which the first is 1: then
    the table has no line of names. Lines before the names are skipped that begin with ``#`` and do
    not have the names, and a line ``sep=`` of Excel, which has the separator. If every line has
    one field more than there are names, the first is the name of the row, as R writes tables. In
    JSON Lines, and in a JSON array of objects, columns are fields.

    Parameters
    ----------
    path : str
        A file; ``-`` is standard input.
    columns : sequence of str
        Context, outcome, and perhaps weight.
    encoding : str
    separator : str, optional
        Any text without quotation marks and ends of lines; ``\t`` is a tab. By default the tab,
        comma, semicolon or, if none of them fits, space with which the first line has most of the
        columns.
    quotes : bool
        Whether quotation marks enclose fields, as in CSV files. Tab-separated tables whose
        quotation marks do not enclose fields are read without them in any case.

    Raises
    ------
    ValueError
        If a column is missing or there twice, a line has another number of fields, a weight is no
        number >= 0, or the separator cannot be one.
    OSError
        If the file cannot be read.
    """
    if len(columns) not in (2, 3) or len({*columns}) < len(columns):
        given = in_brief(",".join(columns))
        raise ValueError(f"columns {given}: write CONTEXT,OUTCOME or CONTEXT,OUTCOME,WEIGHT")
    separator = _checked_separator(separator)
    text = read_text(path, encoding)
    lines = text.split("\n")
    first, mark = _beginning(lines, columns, separator)
    if _JSON.match("\n".join(lines[first:])):
        return _columns_of(path, columns, _records(lines, first, path))
    are_numbers = all(name.isdecimal() and int(name) > 0 for name in columns)
    mark = mark or _likely_mark(lines[first : first + 1], columns, are_numbers)
    rows = _fields(lines, first, mark, path, quotes)
    if not rows:
        place_of_column(columns[0], [], f"{path}: ") if not are_numbers else None
        raise ValueError(f"{path}: contains no pairs")
    names, shift = rows[0][1], 0
    if are_numbers:
        places = [int(name) - 1 for name in columns]
        if max(places) >= len(names):
            there = counted(len(names), "column")
            raise ValueError(f"{path}:{rows[0][0]}: no column {max(places) + 1}: {there}")
    else:
        names = [name.strip() for name in names]
        places = [place_of_column(name, names, f"{path}: ") for name in columns]
        rows = rows[1:]
        shift = _has_names_of_rows(rows, len(names))
    found = []
    for number, fields in rows:
        if len(fields) != len(names) + shift:
            what = "column" if are_numbers else "name"
            there = f"{counted(len(names), what)}{'' if are_numbers else ' of columns'}"
            raise ValueError(f"{path}:{number}: {counted(len(fields), 'field')}, but {there}")
        row: list[Any] = [fields[place + shift] for place in places]
        row[2:] = [_read_weight(path, number, weight) for weight in row[2:]]
        found.append(row)
    if not found:
        raise ValueError(f"{path}: contains no pairs")
    return Columns(*map(list, zip(*found, strict=True)))


def read_crosstab(
    path: str, encoding: str = "utf-8", separator: str | None = None, quotes: bool = True
) -> Columns:
    """Read a cross table: a context begins each line, and the first line has the outcomes.

    Above the contexts may stand a name, or nothing at all, as R writes tables. An empty cell, and
    ``NA``, is no pair. The other arguments are those of `read_columns`.

    Raises
    ------
    ValueError
        If a line has another number of fields, a context or an outcome occurs twice, or a
        cell is no number >= 0.
    OSError
        If the file cannot be read.
    """
    separator = _checked_separator(separator)
    lines = read_text(path, encoding).split("\n")
    first, mark = _beginning(lines, (), separator)
    mark = mark or _likely_mark(lines[first : first + 1], (), True)
    rows = _fields(lines, first, mark, path, quotes)
    if len(rows) < 2 or len(rows[1][1]) < 2:
        problem = "a cross table has a line of outcomes, and lines of a context and its counts"
        raise ValueError(f"{path}: {problem}")
    outcomes = rows[0][1][1:] if len(rows[0][1]) == len(rows[1][1]) else rows[0][1]
    refuse_repeated(f"{path}: outcome", outcomes)
    refuse_repeated(f"{path}: context", [fields[0] for _, fields in rows[1:]])
    found: list[tuple[str, str, float]] = []
    for number, (context, *cells) in rows[1:]:
        if len(cells) != len(outcomes):
            problem = f"{counted(len(cells), 'count')}, but {counted(len(outcomes), 'outcome')}"
            raise ValueError(f"{path}:{number}: {problem}")
        for outcome, cell in zip(outcomes, cells, strict=True):
            if cell.strip() not in MISSING:
                found.append((context, outcome, _read_weight(path, number, cell, "count")))
    if not found:
        raise ValueError(f"{path}: contains no pairs")
    contexts, labels, counts = map(list, zip(*found, strict=True))
    sums = name_of_sums(contexts, labels, counts)
    if sums is not None:
        hint = "leave out that line and that column"
        raise ValueError(f"{path}: the cross table contains its own sums, {in_brief(sums)}: {hint}")
    return Columns(contexts, labels, counts)


def _checked_separator(separator: str | None) -> str | None:
    separator = "\t" if separator == "\\t" else separator
    if separator is not None and (not separator or any(mark in separator for mark in '"\r\n')):
        raise ValueError(
            f"separator {in_brief(separator)}: no quotation mark or line end is allowed"
        )
    return separator


def _beginning(
    lines: list[str], columns: Sequence[str], separator: str | None
) -> tuple[int, str | None]:
    """Return the number of the first line of a table, and the separator if it is known.

    Skipped are empty lines, a line ``sep=`` of Excel, and comments without the names of columns.
    """
    for number, line in enumerate(lines):
        line = line.rstrip("\r")
        if line.lower().startswith("sep=") and len(line) > len("sep="):
            separator = separator or line[len("sep=") :]
            continue
        has_names = bool(columns) and columns[0].startswith("#")
        has_names = has_names and all(name in line for name in columns)
        if line.strip() and (has_names or not line.startswith("#")):
            return number, separator
    return len(lines), separator


def _likely_mark(line: list[str], columns: Sequence[str], are_numbers: bool) -> str:
    """Return the mark with which a line has most of some columns, and of all.

    Names and cells may have spaces: a space is the mark only if no other separates the columns.
    """

    def fit(mark: str) -> tuple[int, int]:
        try:
            names = next(csv.reader(line, delimiter=mark), [])
        except csv.Error:  # which the reader of the rows tells
            names = []
        return len({*columns} & {name.strip() for name in names}), len(names)

    best = max(MARKS, key=fit)
    alone = fit(best)[1] < 2 if are_numbers else fit(best)[0] < min(fit(" ")[0], len(columns))
    if alone and "\t" in line[0]:  # after a quotation mark that encloses no field
        return "\t"
    return " " if alone else best


def _fields(lines: list[str], first: int, mark: str, path: str, quotes: bool) -> NumberedRows:
    """Return the number of each line that is not empty, and its fields.

    A dump with tabs does not quote, such as Wikipedia's: where its quotation marks enclose no
    fields, or enclose ends of lines although each line has as many fields as all others, they are
    characters like any other.
    """
    text = "\n".join(lines[first:])
    if quotes and len(mark) == 1 and (mark != "\t" or '"' not in text):
        return list(_quoted(text, first, mark, path))
    plain = [
        (number, line.rstrip("\r").split(mark))
        for number, line in enumerate(lines[first:], start=first + 1)
        if line.rstrip("\r")
    ]
    if not quotes or len(mark) > 1:
        return plain
    first_fields = plain[0][1] if plain else []
    sizes = {len(fields) for _, fields in plain[1:]}
    is_even = len(sizes) == 1 and sizes <= {len(first_fields), len(first_fields) + 1}
    is_even = is_even and len(first_fields) > 1 and not all(map(_QUOTED.fullmatch, first_fields))
    try:
        quoted = list(_quoted(text, first, mark, path))
    except QuoteError:
        if is_even:
            return plain
        raise
    return plain if is_even and len(quoted) < len(plain) else quoted


def _quoted(text: str, first: int, mark: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that is not empty, and its fields, as in CSV files."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    before = 0
    with _fields_of_any_length():
        try:
            for fields in rows:
                before = rows.line_num
                if fields:
                    yield first + before, fields
        except csv.Error as error:
            if "end of data" in str(error):
                number, fault = (
                    first + before + 1,
                    "a quotation mark opens here and is never closed",
                )
            else:
                number, fault = first + rows.line_num, "text follows a closing quotation mark"
            raise QuoteError(f"{path}:{number}: {fault}") from None


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _has_names_of_rows(rows: NumberedRows, names: int) -> int:
    """Whether each line begins with its name, which R gives no column: zero or one.

    Names of rows differ. Lines that all end in a separator have no further column either.
    """
    if not rows or any(len(fields) != names + 1 for _, fields in rows):
        return 0
    are_names = len({fields[0] for _, fields in rows}) == len(rows)
    return int(are_names and any(fields[-1] for _, fields in rows))


def _records(lines: list[str], first: int, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of JSON Lines, or of an array, each with its place in the file."""
    if lines[first].startswith("["):
        try:
            array = json.loads("\n".join(lines[first:]))
        except (RecursionError, ValueError):
            raise ValueError(f"{path}:{first + 1}: not a JSON array") from None
        numbered: Any = enumerate(array, start=1)
        places = ((f"{path}: object {number}", each, each) for number, each in numbered)
    else:
        places = _parsed_lines(lines, first, path)
    for place, record, given in places:
        if not isinstance(record, dict):
            raise ValueError(f"{place}: {in_brief(given)}: not a JSON object")
        yield place, record


def _parsed_lines(lines: list[str], first: int, path: str) -> Iterator[tuple[str, Any, Any]]:
    for number, line in enumerate(lines[first:], start=first + 1):
        if line.strip():
            try:
                record = json.loads(line)
            except (RecursionError, ValueError):
                record = None
            yield f"{path}:{number}", record, line


def _columns_of(
    path: str, columns: Sequence[str], records: Iterator[tuple[str, dict[str, Any]]]
) -> Columns:
    """Return the pairs of objects of JSON."""
    rows: list[list[Any]] = []
    for place, record in records:
        row = []
        for name in columns:
            if name not in record:
                there = f"there are {', '.join(map(in_brief, record))}"
                raise ValueError(f"{place}: no field {in_brief(name)}: {there}")
            value = record[name]
            if not isinstance(value, str | int | float):
                raise ValueError(f"{place}: {name} = {in_brief(value)}: not a label")
            row.append(value)
        if len(row) > 2 and isinstance(row[2], str):
            row[2] = read_number(row[2])
        if len(row) > 2 and not 0 <= row[2] < math.inf:
            weight = in_brief(record[columns[2]])
            raise ValueError(f"{place}: weight {weight}: must be a number >= 0")
        rows.append(row)
    if not rows:
        raise ValueError(f"{path}: contains no pairs")
    return Columns(*map(list, zip(*rows, strict=True)))


def place_of_column(name: Any, names: list[Any], where: str = "") -> int:
    """Return the place of the one column of a name, or raise ValueError."""
    if names.count(name) != 1:
        there = f"the table has {names_in_brief(names)}"
        times = "not found" if name not in names else f"occurs {names.count(name)} times"
        texts = [each for each in names if isinstance(each, str)]
        near = get_close_matches(name, texts, n=1) if isinstance(name, str) else []
        hint = f". Did you mean {in_brief(near[0])}?" if near and near[0] != name else ""
        raise ValueError(f"{where}column {in_brief(name)} {times}; {there}{hint}")
    return names.index(name)


def _read_weight(path: str, number: int, text: str, what: str = "weight") -> float:
    weight = read_number(text)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{path}:{number}: {what} {in_brief(text)}: must be a number >= 0")
    return weight
