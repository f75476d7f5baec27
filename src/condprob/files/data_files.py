"""Files of texts, packed or not, and standard input: for Python and the command line."""

import lzma
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from gzip import GzipFile
from importlib import import_module
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

from condprob.checks import check_memory, in_brief, read_number, whole_number
from condprob.tokenizers import decode, lines_of, packing_of, split_whitespace

STANDARD_INPUT = "-"
READ_AT_ONCE = 1 << 20  # bytes; not measured
# Of a text in memory at once: its bytes, itself, and its words, which take more.
COPIES_IN_MEMORY = 3
OF_TABLES = (".csv", ".tsv")  # endings of names of tables
COMPRESSED = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}
CountsByNgram = dict[tuple[str, ...], int]
DAMAGE = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError)


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
    try:
        return decode(read_bytes(path), encoding)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_ngrams(path: str, encoding: str = "utf-8") -> CountsByNgram:
    """Read a file of counts: a line has the words with spaces between, a tab, and the count.

    So do SRILM's ngram-count and Google's collections write them.

    Raises
    ------
    ValueError
        If a line has another form.
    OSError
        If the file cannot be read.
    """
    found: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(lines_of(read_text(path, encoding)), start=1):
        if not line.strip():
            continue
        words, tab, count = line.rpartition("\t")
        place = f"{path}:{number}"
        if not tab:
            raise ValueError(f"{place}: {in_brief(line)}: expected WORDS<tab>COUNT")
        found[tuple(split_whitespace(words))] += whole_number(
            read_number(count), f"{place}: count", count
        )
    return dict(found)


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
        check_memory("its content", COPIES_IN_MEMORY * len(found))
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
    """Return the first bytes of a regular file, unpacked likewise; else none."""
    if not Path(path).is_file():
        return b""
    try:
        with open(path, "rb") as file:
            module = packing_of(file.read(10))
            file.seek(0)
            return (import_module(module).open(file) if module else file).read(size)
    except DAMAGE:
        return b""


def ending_of(path: str | PathLike[str]) -> str:
    """Return the ending of a name in small letters, such as ``.csv``, also of ``.csv.gz``."""
    name = Path(path)
    ending = name.suffix.lower()
    return Path(name.stem).suffix.lower() if ending in COMPRESSED else ending


@contextmanager
def compressing(path: str | PathLike[str], file: BinaryIO) -> Iterator[Any]:
    """Yield a file to write to, which packs by the ending of the path: the same bytes always."""
    module = COMPRESSED.get(Path(path).suffix.lower())
    if not module:
        yield file
        return
    with (
        GzipFile("", "wb", fileobj=file, mtime=0)
        if module == "gzip"
        else import_module(module).open(file, "wb")
    ) as packed:
        yield packed
