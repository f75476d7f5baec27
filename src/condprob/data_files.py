"""Data from files or standard input: a text as pairs of neighbouring words, or pairs line by line.

The command line reads them; in Python, `CountMatrix.from_labels` takes what is at hand.
"""

import codecs
import csv
import lzma
import math
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO, StringIO
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from condprob.checks import check_memory, counted, in_brief, read_number
from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import Vocabulary

STANDARD_INPUT = "-"
UNPACKED_AT_ONCE = 1 << 20  # bytes; not measured
FEWEST_LINES = 3  # of a file that may look like pairs; not measured
ALIKE = 0.9  # share of lines that have as many marks, in what looks like a table; not measured
MARKS = "\t,;"  # between the fields of a table
OF_TABLES = (".csv", ".tsv")  # how the names of tables end
ARCHIVE = b"PK\3\4"  # begins archives, and so our own files
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
BEGINNINGS = {"gzip": rb"\x1f\x8b\x08", "bz2": rb"BZh[1-9]1AY&SY", "lzma": rb"\xfd7zXZ\x00"}
# Python calls these encodings of texts, too; they are those of names of hosts and of its own code.
NOT_OF_TEXTS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}


class PairData(NamedTuple):
    """Pairs of labels, perhaps with weights.

    Attributes
    ----------
    contexts, outcomes : list of str, length n
    weights : list of float, length n, or None
    """

    contexts: list[str]
    outcomes: list[str]
    weights: list[float] | None = None

    def within(self, contexts: Vocabulary, outcomes: Vocabulary) -> tuple["PairData", float]:
        """Return the pairs whose labels are known, and how many others there are, or their weight.

        What weighs nothing is neither.
        """
        times = self.weights
        known = [
            place
            for place, (context, outcome) in enumerate(
                zip(self.contexts, self.outcomes, strict=True)
            )
            if context in contexts and outcome in outcomes and (times is None or times[place])
        ]
        weights = times and [times[place] for place in known]
        parts = ([labels[place] for place in known] for labels in (self.contexts, self.outcomes))
        others: float = len(self.contexts) - len(known)
        if times is not None:
            kept = {*known}
            others = sum(weight for place, weight in enumerate(times) if place not in kept)
        return PairData(*parts, weights), others if others % 1 else int(others)

    @property
    def total(self) -> float:
        """How many pairs there are, or what they weigh together."""
        return len(self.contexts) if self.weights is None else sum(self.weights)


def read_data(
    path: str, pairs: bool = False, tokenizer: str = "whitespace", encoding: str = "utf-8"
) -> PairData:
    """Read pairs from a file; ``-`` is standard input.

    Parameters
    ----------
    path : str
    pairs : bool
        Whether each line is a pair, ``context<tab>outcome`` or ``context<tab>outcome<tab>weight``,
        whatever other characters its labels have; else the file is a text, and its pairs are
        neighbouring words.
    tokenizer : str
        Cuts a text into words.
    encoding : str

    Raises
    ------
    ValueError
        If a line is no pair, the text has fewer than two words, or is not in the encoding.
    OSError
        If the file cannot be read.
    """
    check_tokenizer(tokenizer)
    text = read_text(path, encoding)
    with _telling_no_room(path):
        if pairs:
            return _read_pairs(path, text)
        words = TOKENIZERS[tokenizer](text)
        if len(words) < 2:
            raise ValueError(f"{path}: {counted(len(words), 'word')}, but a pair takes 2")
        return PairData(words[:-1], words[1:])


def check_tokenizer(name: object) -> None:
    """Raise ValueError unless there is a tokenizer of this name."""
    if name not in TOKENIZERS:
        raise ValueError(f"tokenizer {name!r}: one of {', '.join(TOKENIZERS)} is needed")


def read_text(path: str, encoding: str) -> str:
    """Return the text of a file, ``-`` being standard input; of .gz, .bz2 and .xz what is in it.

    What comes by standard input has no name: how it begins tells whether it is one of these.

    Raises
    ------
    ValueError
        If it is not in the encoding, or damaged.
    OSError
        If it cannot be read.
    """
    if path == STANDARD_INPUT:
        if sys.stdin is None:
            raise ValueError("standard input is closed")
        raw = sys.stdin.buffer.read()
        module = next((name for name, start in BEGINNINGS.items() if re.match(start, raw)), None)
    else:
        raw, module = Path(path).read_bytes(), COMPRESSED.get(Path(path).suffix)
    with _telling_no_room(path):
        try:
            return decode(_unpacked(raw, module), encoding)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error


@contextmanager
def _telling_no_room(path: str) -> Iterator[None]:
    """Tell which file it is that memory does not hold."""
    try:
        yield
    except MemoryError:
        raise ValueError(f"{path}: there is no room in memory for what it holds") from None


def read_bytes(path: str | PathLike[str]) -> bytes:
    """Return what is in a file, of .gz, .bz2 and .xz unpacked.

    Raises
    ------
    ValueError
        If it is damaged.
    OSError
        If it cannot be read.
    """
    path = Path(path)
    return _unpacked(path.read_bytes(), COMPRESSED.get(path.suffix))


def _unpacked(raw: bytes, module: str | None) -> bytes:
    if not module:
        return raw
    found = bytearray()
    for part in _parts(raw, module):
        found += part
        check_memory("what it unpacks to", len(found))
    return bytes(found)


def _parts(raw: bytes, module: str) -> Iterator[bytes]:
    """Yield what is packed, some at a time; raise ValueError if it is damaged."""
    try:
        with import_module(module).open(BytesIO(raw)) as packed:
            while part := packed.read(UNPACKED_AT_ONCE):
                yield part
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise ValueError(f"damaged: {error}") from None


@contextmanager
def compressing(path: str | PathLike[str], file: BinaryIO) -> Iterator[Any]:
    """Yield what is written to: a file, or what packs as its name says, the same bytes always."""
    module = COMPRESSED.get(Path(path).suffix)
    if not module:
        yield file
        return
    how = {"fileobj": file, "filename": "", "mtime": 0} if module == "gzip" else {"filename": file}
    kind = {"gzip": "GzipFile", "bz2": "BZ2File", "lzma": "LZMAFile"}[module]
    with getattr(import_module(module), kind)(mode="wb", **how) as packed:
        yield packed


def decode(raw: bytes, encoding: str = "utf-8") -> str:
    """Return the text that bytes encode, without the mark that some editors put first.

    Raises
    ------
    ValueError
        If there is no such encoding, or the bytes are none of it.
    """
    check_encoding(encoding)
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if raw.startswith(ARCHIVE):
            raise ValueError("an archive, as of counts or a model: a text is needed") from error
        problem = f"byte {error.start} (0x{raw[error.start]:02x}) is not {encoding}"
        raise ValueError(f"{problem}: {error.reason}") from error


def check_encoding(encoding: str) -> None:
    """Raise ValueError unless Python knows an encoding of texts by this name."""
    try:
        "".encode(encoding)
        is_known = codecs.lookup(encoding).name.replace("_", "-") not in NOT_OF_TEXTS
    except (LookupError, TypeError, ValueError):
        is_known = False
    if not is_known:
        raise ValueError(f"unknown encoding: {encoding!r}")


def _read_pairs(path: str, text: str) -> PairData:
    """Read lines, which end in a line feed, perhaps after a carriage return, and in nothing else.

    A line without a tab that is empty, or has blanks alone, is passed over.
    """
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip(" "):
            continue
        context, *others = line.split("\t")
        if len(others) not in (1, 2):
            told = f"{counted(len(others) + 1, 'field')}, but a pair is CONTEXT<tab>OUTCOME, "
            told += f"perhaps with <tab>WEIGHT{_hint(context) if not others else ''}"
            raise ValueError(f"{path}:{number}: {told}")
        weight = _read_weight(path, number, others[1]) if len(others) == 2 else 1.0
        rows.append((context, others[0], weight))
    if not rows:
        raise ValueError(f"{path}: no pair")
    contexts, outcomes, weights = map(list, zip(*rows, strict=True))
    return PairData(contexts, outcomes, None if set(weights) == {1.0} else weights)


def read_columns(path: str, columns: Sequence[str], encoding: str = "utf-8") -> PairData:
    """Read pairs from two columns of a table with a line of names, and weights from a third.

    Tabs, commas or semicolons stand between the fields, which quotes may hold, as in CSV files.

    Raises
    ------
    ValueError
        If a column is missing or there twice, a line has another number of fields, or a weight is
        no number >= 0.
    OSError
        If the file cannot be read.
    """
    if len(columns) not in (2, 3) or len({*columns}) < len(columns):
        given = in_brief(",".join(columns))
        raise ValueError(f"columns {given}: CONTEXT,OUTCOME or CONTEXT,OUTCOME,WEIGHT is needed")
    text = read_text(path, encoding)
    head, _, _ = text.partition("\n")
    mark = max(MARKS, key=head.count)
    lines = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    found: list[list[str]] = []
    weights: list[float] = []
    try:
        names = [name.strip() for name in next(lines, [])]
        for name in columns:
            if names.count(name) != 1:
                told = f"there are {', '.join(map(in_brief, names))}"
                number = "no column" if name not in names else f"{names.count(name)} columns"
                raise ValueError(f"{path}: {number} {in_brief(name)}: {told}")
        places = [names.index(name) for name in columns]
        for row in lines:
            if not row:
                continue
            if len(row) != len(names):
                told = f"{counted(len(row), 'field')}, but {counted(len(names), 'name')} of columns"
                raise ValueError(f"{path}:{lines.line_num}: {told}")
            found.append([row[place] for place in places])
            if len(columns) == 3:
                weights.append(_read_weight(path, lines.line_num, found[-1][2]))
    except csv.Error as error:
        raise ValueError(f"{path}:{lines.line_num}: {error}") from None
    if not found:
        raise ValueError(f"{path}: no pair")
    contexts, outcomes, *_ = map(list, zip(*found, strict=True))
    return PairData(contexts, outcomes, weights or None)


def hint_of_table(path: str, text: str) -> str | None:
    """Return how to read what looks like pairs or a table and is read as a text, or None.

    Of three or more lines that are not empty each has one tab, or two; or nearly all have as many
    tabs, commas or semicolons that no blank follows, as it does in prose; or the name says so.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) >= FEWEST_LINES:
        if {line.count("\t") for line in lines} <= {1, 2}:
            return "each line has a tab, as one of pairs: --pairs reads it so"
        for mark in (mark for mark in MARKS if mark in text):
            numbers = Counter(line.count(mark) - line.count(f"{mark} ") for line in lines)
            ((number, times),) = numbers.most_common(1)
            if number and times >= ALIKE * len(lines):
                told = f"nearly all lines have as many of {mark!r}, as those of a table"
                return f"{told}: --columns CONTEXT,OUTCOME reads it so"
    name = Path(path.lower())
    if (Path(name.stem) if name.suffix in COMPRESSED else name).suffix in OF_TABLES:
        return "its name is that of a table: --columns CONTEXT,OUTCOME, or --pairs, reads it so"
    return None


def _hint(line: str) -> str:
    """Say what stands between the fields of a line without a tab."""
    mark = next((mark for mark in (",", ";") if mark in line), None)
    return f"; there is {mark!r} where a tab is needed: see --columns" if mark else ""


def _read_weight(path: str, number: int, text: str) -> float:
    weight = read_number(text)
    if not (math.isfinite(weight) and weight >= 0):
        raise ValueError(f"{path}:{number}: weight {in_brief(text)}: a number >= 0 is needed")
    return weight
