"""Tables in text files: columns, cross tables, JSON, and lines of pairs.

Every field is a text, so that labels are the same on every machine; weights are numbers. What is
read is lists, which `condprob.fit` and the command line make into pairs.
"""

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
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
    found = _columns_from(path, _rows_of_pairs(path, encoding))
    if counts_refused and found.weights is None and are_counts(found.contexts, found.outcomes):
        problem = "each line is a word, or an n-gram, and its count, which are no pairs"
        hint = "--ngrams reads counts of n-grams. If the numbers are outcomes, add --columns 1,2"
        raise ValueError(f"{path}: {problem}: {hint}")
    return found._replace(weights=None) if {*(found.weights or ())} == {1.0} else found


def _rows_of_pairs(path: str, encoding: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines_of(read_text(path, encoding)), start=1):
        if line.strip(" "):
            fields = line.split("\t")
            if len(fields) not in (2, 3):
                wanted = "a pair is CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT"
                problem = f"{counted(len(fields), 'field')}, but {wanted}"
                hint = "--columns or --crosstab reads a table"
                raise ValueError(f"{path}:{number}: {problem}; {hint}")
            yield number, fields


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
    table = _Table.read(path, encoding, separator, columns)
    if _JSON.match("\n".join(table.lines[:2])):
        return table.columns_of_records(columns)
    are_numbers = all(name.isdecimal() and int(name) > 0 for name in columns)
    rows = table.rows(quotes, () if are_numbers else columns)
    names, shift, what = rows[0][1] if rows else [], 0, "column"
    if are_numbers:
        places = [int(name) - 1 for name in columns]
        if rows and max(places) >= len(names):
            there = counted(len(names), "column")
            raise ValueError(f"{path}:{rows[0][0]}: no column {max(places) + 1}: {there}")
    else:
        names, rows, what = [name.strip() for name in names], rows[1:], "named column"
        places = [place_of_column(name, names, f"{path}: ") for name in columns]
        shift = _has_names_of_rows(rows, len(names))
    for number, fields in rows:
        if len(fields) != len(names) + shift:
            there = counted(len(names), what)
            raise ValueError(f"{path}:{number}: {counted(len(fields), 'field')}, but {there}")
    return _columns_from(
        path, ((number, [fields[place + shift] for place in places]) for number, fields in rows)
    )


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
    rows = _Table.read(path, encoding, separator).rows(quotes)
    if len(rows) < 2 or len(rows[1][1]) < 2:
        problem = "a cross table has a line of outcomes, and lines of a context and its counts"
        raise ValueError(f"{path}: {problem}")
    outcomes = rows[0][1][1:] if len(rows[0][1]) == len(rows[1][1]) else rows[0][1]
    refuse_repeated(f"{path}: outcome", outcomes)
    refuse_repeated(f"{path}: context", [fields[0] for _, fields in rows[1:]])
    for number, (_, *cells) in rows[1:]:
        if len(cells) != len(outcomes):
            problem = f"{counted(len(cells), 'count')}, but {counted(len(outcomes), 'outcome')}"
            raise ValueError(f"{path}:{number}: {problem}")
    found = _columns_from(
        path,
        (
            (number, (context, outcome, cell))
            for number, (context, *cells) in rows[1:]
            for outcome, cell in zip(outcomes, cells, strict=True)
            if cell.strip() not in MISSING
        ),
    )
    sums = name_of_sums(*found)
    if sums is not None:
        hint = "leave out that line and that column"
        raise ValueError(f"{path}: the cross table contains its own sums, {in_brief(sums)}: {hint}")
    return found


def _columns_from(path: str, rows: Iterable[tuple[int, Any]], before: str = ":") -> Columns:
    """Return columns of rows: the number of a line, and context, outcome and perhaps weight."""
    contexts, outcomes, weights, has_weights = [], [], [], False
    for number, fields in rows:
        contexts.append(fields[0])
        outcomes.append(fields[1])
        weight = 1.0
        if len(fields) > 2:
            has_weights, given = True, fields[2]
            weight = read_number(given) if isinstance(given, str) else given
            if not 0 <= weight < math.inf:
                problem = f"weight {in_brief(given)}: must be a number >= 0"
                raise ValueError(f"{path}{before}{number}: {problem}")
        weights.append(weight)
    if not contexts:
        raise ValueError(f"{path}: contains no pairs")
    return Columns(contexts, outcomes, weights if has_weights else None)


class _Table(NamedTuple):
    """The lines of a table from that of its names on.

    Attributes
    ----------
    path : str
    lines : list of str
    first : int
        Number of the first line.
    mark : str or None
        The separator, if it is known.
    """

    path: str
    lines: list[str]
    first: int
    mark: str | None

    @classmethod
    def read(
        cls, path: str, encoding: str, mark: str | None, columns: Sequence[str] = ()
    ) -> "_Table":
        """Read a table, without empty lines, a line ``sep=`` and comments above its names.

        A line that begins with ``#`` is that of the names if the first name of ``columns`` begins
        so, and the line has all of them.
        """
        mark = "\t" if mark == "\\t" else mark
        if mark is not None and (not mark or any(char in mark for char in '"\r\n')):
            problem = "must be characters other than quotation marks and line ends"
            raise ValueError(f"separator {in_brief(mark)}: {problem}")
        lines = read_text(path, encoding).split("\n")
        for number, line in enumerate(lines):
            line = line.rstrip("\r")
            if line.lower().startswith("sep=") and len(line) > len("sep="):
                mark = mark or line[len("sep=") :]
                continue
            has_names = bool(columns) and columns[0].startswith("#")
            has_names = has_names and all(name in line for name in columns)
            if line.strip() and (has_names or not line.startswith("#")):
                return cls(path, lines[number:], number + 1, mark)
        return cls(path, [], 0, mark)

    def rows(self, quotes: bool, columns: Sequence[str] = ()) -> NumberedRows:
        """Return the number of each line that is not empty, and its fields.

        A dump with tabs does not quote, such as Wikipedia's: where its quotation marks enclose no
        fields, or enclose ends of lines although each line has as many fields as all others, they
        are characters like any other.
        """
        mark = self.mark or _likely_mark("".join(self.lines[:1]), columns)
        has_quotes = mark == "\t" and any('"' in line for line in self.lines)
        if quotes and len(mark) == 1 and not has_quotes:
            return list(self._quoted_rows(mark))
        plain = [
            (number, line.rstrip("\r").split(mark))
            for number, line in enumerate(self.lines, start=self.first)
            if line.rstrip("\r")
        ]
        if not (quotes and has_quotes and plain):
            return plain
        (_, head), *rows = plain
        is_even = {len(fields) for _, fields in rows} in ({len(head)}, {len(head) + 1})
        may_be_dump = is_even and len(head) > 1 and not all(map(_QUOTED.fullmatch, head))
        try:
            found = list(self._quoted_rows(mark))
        except ValueError:
            if not may_be_dump:
                raise
            return plain
        return plain if may_be_dump and len(found) < len(plain) else found

    def _quoted_rows(self, mark: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of each line that is not empty, and its fields, as in CSV files."""
        text = StringIO("\n".join(self.lines), newline="")
        rows, before = csv.reader(text, delimiter=mark, strict=True), 0
        with _fields_of_any_length():
            try:
                for fields in rows:
                    before = rows.line_num
                    if fields:
                        yield self.first + before - 1, fields
            except csv.Error as error:
                number, fault = rows.line_num, "text follows a closing quotation mark"
                if "end of data" in str(error):
                    number, fault = before + 1, "a quotation mark opens here and is never closed"
                hint = "--no-quotes treats quotation marks as ordinary characters"
                place = f"{self.path}:{self.first + number - 1}"
                raise ValueError(f"{place}: {fault}; {hint}") from None

    def columns_of_records(self, columns: Sequence[str]) -> Columns:
        """Return the pairs of JSON Lines, or of a JSON array of objects."""
        is_array, number = self.lines[0].startswith("["), self.first
        before, rows = ": object " if is_array else ":", []
        try:
            if is_array:
                records = list(enumerate(json.loads("\n".join(self.lines)), start=1))
            else:
                records = []
                for number, line in enumerate(self.lines, start=self.first):
                    if line.strip():
                        records.append((number, json.loads(line)))
        except ValueError as error:
            raise ValueError(f"{self.path}:{number}: not JSON ({error})") from None
        for number, record in records:
            place = f"{self.path}{before}{number}"
            if not isinstance(record, dict):
                raise ValueError(f"{place}: {in_brief(record)}: not a JSON object")
            for name in columns:
                if name not in record:
                    there = f"there are {', '.join(map(in_brief, record))}"
                    raise ValueError(f"{place}: no field {in_brief(name)}: {there}")
                if not isinstance(record[name], str | int | float):
                    raise ValueError(f"{place}: {name} = {in_brief(record[name])}: not a label")
            rows.append((number, [record[name] for name in columns]))
        return _columns_from(self.path, rows, before)


def _likely_mark(line: str, columns: Sequence[str]) -> str:
    """Return the mark with which a line has most of some columns, and of all.

    Names and cells may have spaces: a space is the mark only if no other separates the columns.
    """

    def fit(mark: str) -> tuple[int, int]:
        names = next(csv.reader(StringIO(line, newline=""), delimiter=mark), [])
        return len({*columns} & {name.strip() for name in names}), len(names)

    with _fields_of_any_length():
        best = max(MARKS, key=fit)
        if fit(best)[0] >= fit(" ")[0] and fit(best)[1] > 1:
            return best
    return "\t" if "\t" in line else " "  # a tab after a quotation mark that encloses no field


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
