"""Pairs of labels from files: a line for each pair, columns of a table, or JSON Lines.

A file that is read as a text, and looks like pairs or a table, gets a hint which options read it.
"""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any

from condprob.checks import counted, in_brief, read_number
from condprob.data_files import read_text
from condprob.labels.pairs import PairData
from condprob.tokenizers import START, lines_of

FEWEST_LINES = 3  # of a file that may look like pairs; not measured
LINES_TRIED = 200  # first lines of a file, on which a hint is tried; not measured
# Share of lines that have as many marks, in a file that may be a table; not measured.
SHARE_OF_ALIKE_LINES = 0.9
MARKS = "\t,;"  # between the fields of a table


def read_pairs(path: str, encoding: str = "utf-8") -> PairData:
    """Read pairs line by line; the path ``-`` is standard input.

    A line is ``context<tab>outcome`` or ``context<tab>outcome<tab>weight``. It ends in a line feed,
    perhaps after a carriage return; labels may have any other character. A line without a tab that
    is empty, or has only spaces, is skipped.

    Raises
    ------
    ValueError
        If a line is no pair, there is none, or the file is not in the encoding.
    OSError
        If the file cannot be read.
    """
    return parse_pairs(read_text(path, encoding), path)


def parse_pairs(text: str, path: str) -> PairData:
    """Do what `read_pairs` says with the text of a file; the path is for errors."""
    rows = []
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip(" "):
            continue
        fields = line.split("\t")
        if len(fields) not in (2, 3):
            hint = f"; {found}" if (found := hint_of_columns(text, path)) else ""
            wanted = "a pair is CONTEXT<tab>OUTCOME, perhaps with <tab>WEIGHT"
            count = counted(len(fields), "field")
            raise ValueError(f"{path}:{number}: {count}, but {wanted}{hint}")
        weight = _read_weight(path, number, fields[2]) if len(fields) == 3 else 1.0
        rows.append((fields[0], fields[1], weight))
    if not rows:
        raise ValueError(f"{path}: no pair")
    contexts, outcomes, weights = map(list, zip(*rows, strict=True))
    return PairData(contexts, outcomes, None if set(weights) == {1.0} else weights)


def read_columns(
    path: str, columns: Sequence[str], encoding: str = "utf-8", separator: str | None = None
) -> PairData:
    """Read pairs from two columns of a table, and weights from a third.

    Columns have the names in the first line of the table, or numbers, of which the first is 1: then
    the table has no line of names. Lines before the names are skipped that begin with ``#`` and do
    not have the names, and a line ``sep=`` of Excel, which has the separator. In JSON Lines, whose
    first line begins with a brace, columns are fields.

    The separator has any length; by default it is the tab, comma or semicolon with which the first
    line has most of the columns. Fields may be in quotes, as in CSV files, where the separator is
    one character.

    Raises
    ------
    ValueError
        If a column is missing or there twice, a line has another number of fields, a weight is no
        number >= 0, or the separator cannot be one.
    OSError
        If the file cannot be read.
    """
    return parse_columns(read_text(path, encoding), path, columns, separator)


def parse_columns(
    text: str, path: str, columns: Sequence[str], separator: str | None = None
) -> PairData:
    """Do what `read_columns` says with the text of a file; the path is for errors."""
    if len(columns) not in (2, 3) or len({*columns}) < len(columns):
        given = in_brief(",".join(columns))
        raise ValueError(f"columns {given}: CONTEXT,OUTCOME or CONTEXT,OUTCOME,WEIGHT is needed")
    separator = "\t" if separator == "\\t" else separator
    if separator is not None and (not separator or any(mark in separator for mark in '"\r\n')):
        raise ValueError(f"separator {in_brief(separator)}: no quotation mark and no end of a line")
    lines = text.split("\n")
    first, mark = _beginning(lines, columns, separator)
    if first < len(lines) and lines[first].startswith("{"):
        return _parse_records(lines, first, path, columns)
    are_numbers = all(name.isdecimal() and int(name) > 0 for name in columns)
    if mark is None:
        mark = max(MARKS, key=lambda mark: _fit_of_mark(lines[first : first + 1], mark, columns))
    rows: list[list[Any]] = []
    names: list[str] = []
    places: list[int] = []
    for number, fields in _fields(lines, first, mark, path):
        if not names:
            if are_numbers:
                names, places = fields, [int(name) - 1 for name in columns]
                if max(places) >= len(fields):
                    there = counted(len(fields), "column")
                    raise ValueError(f"{path}:{number}: no column {max(places) + 1}: {there}")
            else:
                names = [name.strip() for name in fields]
                places = [_place(path, name, names) for name in columns]
                continue
        if len(fields) != len(names):
            what = "column" if are_numbers else "name"
            there = f"{counted(len(names), what)}{'' if are_numbers else ' of columns'}"
            raise ValueError(f"{path}:{number}: {counted(len(fields), 'field')}, but {there}")
        row: list[Any] = [fields[place] for place in places]
        row[2:] = [_read_weight(path, number, weight) for weight in row[2:]]
        rows.append(row)
    if not names and not are_numbers:
        _place(path, columns[0], [])
    if not rows:
        raise ValueError(f"{path}: no pair")
    return PairData(*map(list, zip(*rows, strict=True)))


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
        has_names = all(name in line for name in columns) and columns[0].startswith("#")
        if line.strip() and (has_names or not line.startswith("#")):
            return number, separator
    return len(lines), separator


def _fields(lines: list[str], first: int, mark: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that is not empty, and its fields."""
    if len(mark) > 1:
        for number, line in enumerate(lines[first:], start=first + 1):
            if line.rstrip("\r"):
                yield number, line.rstrip("\r").split(mark)
        return
    rows = csv.reader(StringIO("\n".join(lines[first:]), newline=""), delimiter=mark, strict=True)
    try:
        for fields in filter(None, rows):
            yield first + rows.line_num, fields
    except csv.Error:
        fault = "a quotation mark is not closed, or a field is too long"
        raise ValueError(f"{path}:{first + rows.line_num}: {fault}") from None


def _parse_records(lines: list[str], first: int, path: str, columns: Sequence[str]) -> PairData:
    """Return the pairs of JSON Lines: an object on each line that is not empty."""
    rows: list[list[Any]] = []
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (RecursionError, ValueError):
            record = None
        if not isinstance(record, dict):
            raise ValueError(f"{path}:{number}: {in_brief(line)}: no object of JSON")
        row = []
        for name in columns:
            if name not in record:
                there = f"there are {', '.join(map(in_brief, record))}"
                raise ValueError(f"{path}:{number}: no field {in_brief(name)}: {there}")
            value = record[name]
            if not isinstance(value, str | int | float):
                raise ValueError(f"{path}:{number}: {name} = {in_brief(value)}: no label")
            row.append(value)
        if len(row) > 2 and not (isinstance(row[2], int | float) and 0 <= row[2] < math.inf):
            weight = in_brief(row[2])
            raise ValueError(f"{path}:{number}: weight {weight}: a number >= 0 is needed")
        rows.append(row)
    return PairData(*map(list, zip(*rows, strict=True)))


def _place(path: str, name: str, names: list[str]) -> int:
    if names.count(name) != 1:
        there = f"there are {', '.join(map(in_brief, names))}"
        number = "no column" if name not in names else f"{names.count(name)} columns"
        raise ValueError(f"{path}: {number} {in_brief(name)}: {there}")
    return names.index(name)


def _fit_of_mark(line: list[str], mark: str, columns: Sequence[str]) -> tuple[int, int]:
    """Return how many of some columns a line has if a mark parts its fields, and of all."""
    try:
        names = next(csv.reader(line, delimiter=mark), [])
    except csv.Error:  # which `parse_columns` tells
        names = []
    return len({*columns} & {name.strip() for name in names}), len(names)


def _read_weight(path: str, number: int, text: str) -> float:
    weight = read_number(text)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{path}:{number}: weight {in_brief(text)}: a number >= 0 is needed")
    return weight


def looks_like_ngrams(pairs: PairData) -> bool:
    """Whether pairs are counts of n-grams: texts of several words, and whole numbers."""
    are_numbers = all(outcome.isdecimal() for outcome in pairs.outcomes)
    return are_numbers and pairs.weights is None and any(" " in each for each in pairs.contexts)


def hint_of_ngrams(text: str, path: str) -> str | None:
    """Return a hint for pairs that look like counts of n-grams, or None."""
    with suppress(ValueError):
        if looks_like_ngrams(parse_pairs(beginning_of(text), path)):
            option = option_of_ngrams(line.split(" ", 1)[0] for line in lines_of(text))
            return f"each line has words and a number, as counts of n-grams: {option} reads it so"
    return None


def option_of_ngrams(words: Iterable[str]) -> str:
    """Return the options that read counts of n-grams with these first words.

    Without marks of sentences they are counts of pairs of words.
    """
    return "--ngrams" if START in words else "--ngrams --order 2"


def beginning_of(text: str) -> str:
    """Return the first lines of a text, on which hints are tried."""
    return "\n".join(lines_of(text)[:LINES_TRIED])


def hint_of_columns(text: str, path: str) -> str | None:
    """Return a hint for a table: options that read its first lines, or None."""
    lines = text.split("\n")[:LINES_TRIED]
    start = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    if start.startswith("{"):
        with suppress(ValueError, RecursionError):
            names = list(json.loads(start))[:2]
            parse_columns(beginning_of(text), path, names)
            return f"a table of JSON Lines: --columns {','.join(names)} reads it so"
        return None
    for mark in ("::", *MARKS):
        numbers = Counter(line.count(mark) - line.count(f"{mark} ") for line in lines if line)
        ((number, times),) = numbers.most_common(1) or ((0, 0),)
        if not number or times < SHARE_OF_ALIKE_LINES * sum(numbers.values()):
            continue
        shown = "" if mark in MARKS else f" --separator {mark!r}"
        with suppress(ValueError):
            parse_columns(beginning_of(text), path, ["1", "2"], mark if shown else None)
            problem = f"nearly all lines have as many of {mark!r}, as in a table"
            return f"{problem}: --columns CONTEXT,OUTCOME{shown} reads it, by names or by numbers"
    return None


def hint_of_table(path: str, text: str, takes_ngrams: bool) -> str | None:
    """Return a hint for a text that looks like pairs or a table, or None.

    Not each command has ``--ngrams``.

    It looks so if there are three or more lines that are not empty, and each has one tab or two, or
    nearly all have as many tabs, commas or semicolons without a space after them, as prose has, or
    each is an object of JSON. What the hint says has been tried on the first lines.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    if len(lines) < FEWEST_LINES:
        return None
    if {line.count("\t") for line in lines} <= {1, 2}:
        if takes_ngrams and (hint := hint_of_ngrams(text, path)):
            return hint
        with suppress(ValueError):
            parse_pairs(beginning_of(text), path)
            return "each line has a tab, as in a file of pairs: --pairs reads it so"
    return hint_of_columns(text, path)
