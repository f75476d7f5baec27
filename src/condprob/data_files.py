"""Texts and pairs of labels from files or standard input, for Python and the command line."""

import csv
import lzma
import math
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from condprob.checks import check_memory, counted, in_brief, read_number
from condprob.tokenizers import decode, lines_of, packing_of
from condprob.vocabulary import Vocabulary

STANDARD_INPUT = "-"
READ_AT_ONCE = 1 << 20  # bytes; not measured
COPIES = 3  # of a text in memory at once: its bytes, itself, and its words, which take more
FEWEST_LINES = 3  # of a file that may look like pairs; not measured
ALIKE = 0.9  # share of lines that have as many marks, in a file that may be a table; not measured
MARKS = "\t,;"  # between the fields of a table
OF_TABLES = (".csv", ".tsv")  # endings of names of tables
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
DAMAGE = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)


class PairData(NamedTuple):
    """Pairs of labels, perhaps with weights.

    Attributes
    ----------
    contexts, outcomes : list of labels, length n
    weights : list of numbers, length n, or None
    """

    contexts: list[Any]
    outcomes: list[Any]
    weights: list[Any] | None = None

    def at(self, places: list[int]) -> "PairData":
        """Return the pairs at some places."""
        columns = (column and [column[place] for place in places] for column in self)
        return PairData(*columns)

    def within(self, contexts: Vocabulary, outcomes: Vocabulary) -> tuple["PairData", float]:
        """Return the pairs with known labels, and the number or the weight of the other pairs.

        Pairs of weight zero are ignored.
        """
        weights = [1] * len(self.contexts) if self.weights is None else self.weights
        kept, others = [], 0
        for place, (*pair, weight) in enumerate(
            zip(self.contexts, self.outcomes, weights, strict=True)
        ):
            if pair[0] not in contexts or pair[1] not in outcomes:
                others += weight
            elif weight:
                kept.append(place)
        return self.at(kept), others if others % 1 else int(others)


def read_text(path: str, encoding: str) -> str:
    """Return the text of a file, unpacked if its first bytes are those of gzip, bzip2 or xz.

    The path ``-`` is standard input.

    Raises
    ------
    ValueError
        If it is not in the encoding, or damaged.
    OSError
        If it cannot be read.
    """
    with room_for(path):
        try:
            return decode(read_bytes(path), encoding)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error


@contextmanager
def room_for(path: str) -> Iterator[None]:
    """Name the file for whose content there is no room in memory."""
    try:
        yield
    except MemoryError:
        raise ValueError(f"{path}: there is no room in memory for its content") from None


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a file or of standard input, unpacked likewise.

    Raises
    ------
    ValueError
        If it is damaged, or there is no room for it.
    OSError
        If it cannot be read.
    """
    if path == STANDARD_INPUT and sys.stdin is None:
        raise ValueError("standard input is closed")
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else open(path, "rb") as file:
        raw = _read_whole(file)
    module = packing_of(raw)
    if module is None:
        return raw
    with import_module(module).open(BytesIO(raw)) as packed:
        return _read_whole(packed)


def _read_whole(file: Any) -> bytes:
    """Read a file part by part, for as long as there is room: some never end."""
    found = bytearray()
    while part := read_part(file, READ_AT_ONCE):
        found += part
        check_memory("its content", COPIES * len(found))
    return bytes(found)


def read_part(file: Any, size: int = -1) -> bytes:
    """Read so many bytes of a file, perhaps packed, or all; ValueError if it is damaged."""
    try:
        return file.read(size)
    except DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the machine
            raise
        raise ValueError("damaged: its packed data cannot be unpacked") from None


def read_beginning(path: str | PathLike[str], size: int) -> bytes:
    """Return the first bytes of a file, unpacked likewise; of a file that cannot be read none."""
    try:
        with open(path, "rb") as file:
            module = packing_of(file.read(10))
            file.seek(0)
            return (import_module(module).open(file) if module else file).read(size)
    except DAMAGE:
        return b""


def ending_of(path: str | PathLike[str]) -> str:
    """Return the ending of a name, such as ``.csv``; of a packed file the one before ``.gz``."""
    name = Path(path)
    return Path(name.stem).suffix if name.suffix in COMPRESSED else name.suffix


@contextmanager
def compressing(path: str | PathLike[str], file: BinaryIO) -> Iterator[Any]:
    """Yield a file to write to, which packs by the ending of the path: the same bytes always."""
    module = COMPRESSED.get(Path(path).suffix)
    if not module:
        yield file
        return
    how = {"fileobj": file, "filename": "", "mtime": 0} if module == "gzip" else {"filename": file}
    kind = {"gzip": "GzipFile", "bz2": "BZ2File", "lzma": "LZMAFile"}[module]
    with getattr(import_module(module), kind)(mode="wb", **how) as packed:
        yield packed


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
    rows = []
    for number, line in enumerate(lines_of(read_text(path, encoding)), start=1):
        if not line.strip(" "):
            continue
        fields = line.split("\t")
        if len(fields) not in (2, 3):
            mark = next((mark for mark in ",;" if len(fields) == 1 and mark in line), None)
            hint = f"; there is {mark!r} where a tab is needed: see --columns" if mark else ""
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
    """Read pairs from two columns of a table with a line of names, and weights from a third.

    The separator stands between the fields; by default it is the tab, comma or semicolon with which
    the line of names has most of the columns. Fields may be in quotes, as in CSV files.

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
        raise ValueError(f"columns {given}: CONTEXT,OUTCOME or CONTEXT,OUTCOME,WEIGHT is needed")
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise ValueError(f"separator {in_brief(separator)}: one character between fields is needed")
    table = StringIO(read_text(path, encoding), newline="")
    mark = separator or max(MARKS, key=lambda mark: _fit_of_mark(table, mark, columns))
    table.seek(0)
    lines = csv.reader(table, delimiter=mark, strict=True)
    rows: list[list[Any]] = []
    try:
        names = [name.strip() for name in next(lines, [])]
        for name in columns:
            if names.count(name) != 1:
                there = f"there are {', '.join(map(in_brief, names))}"
                number = "no column" if name not in names else f"{names.count(name)} columns"
                raise ValueError(f"{path}: {number} {in_brief(name)}: {there}")
        for fields in filter(None, lines):
            if len(fields) != len(names):
                there = f"{counted(len(names), 'name')} of columns"
                count = counted(len(fields), "field")
                raise ValueError(f"{path}:{lines.line_num}: {count}, but {there}")
            row: list[Any] = [fields[names.index(name)] for name in columns]
            row[2:] = [_read_weight(path, lines.line_num, weight) for weight in row[2:]]
            rows.append(row)
    except csv.Error:
        fault = "a quotation mark is not closed, or a field is too long"
        raise ValueError(f"{path}:{lines.line_num}: {fault}") from None
    if not rows:
        raise ValueError(f"{path}: no pair")
    return PairData(*map(list, zip(*rows, strict=True)))


def _fit_of_mark(table: StringIO, mark: str, columns: Sequence[str]) -> tuple[int, int]:
    """Return how many of some columns a table has if a mark parts its fields, and of all."""
    table.seek(0)
    try:
        names = next(csv.reader(table, delimiter=mark), [])
    except csv.Error:  # which `read_columns` tells
        names = []
    return len({*columns} & {name.strip() for name in names}), len(names)


def _read_weight(path: str, number: int, text: str) -> float:
    weight = read_number(text)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{path}:{number}: weight {in_brief(text)}: a number >= 0 is needed")
    return weight


def hint_of_table(path: str, text: str) -> str | None:
    """Return a hint for a text that looks like pairs or a table, or None.

    It looks so if there are three or more lines that are not empty, and each has one tab or two, or
    nearly all have as many tabs, commas or semicolons without a space after them, as prose has. The
    ending of the name may say it as well.
    """
    lines = [line for line in lines_of(text) if line.strip()]
    if len(lines) >= FEWEST_LINES:
        if {line.count("\t") for line in lines} <= {1, 2}:
            return "each line has a tab, as in a file of pairs: --pairs reads it so"
        for mark in (mark for mark in MARKS if mark in text):
            numbers = Counter(line.count(mark) - line.count(f"{mark} ") for line in lines)
            ((number, times),) = numbers.most_common(1)
            if number and times >= ALIKE * len(lines):
                problem = f"nearly all lines have as many of {mark!r}, as in a table"
                return f"{problem}: --columns CONTEXT,OUTCOME reads it so"
    if ending_of(path.lower()) in OF_TABLES:
        return "its name is that of a table: --columns CONTEXT,OUTCOME, or --pairs, reads it so"
    return None
