"""The rules by which bytes become a text, a text lines, and a line words, for every entry point.

`docs/text.md` has them as a table. Words are cut on whole texts: a loop over single characters
in Python would be too slow for a million words.
"""

import codecs
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
# Other spellings in ARPA files: of CMU's programs, and of HTK. A file's own mark goes before them.
SPELLINGS = {
    "<S>": START,
    "!ENTER": START,
    "!SENT_START": START,
    "</S>": END,
    "!EXIT": END,
    "!SENT_END": END,
    "<UNK>": UNKNOWN,
    "!!UNK": UNKNOWN,
}
SPACE = "\u2581"  # a space, as a word: SentencePiece writes it so
SPACES = " \t\n\v\f\r"  # as C has them, and so other programs: a no-break space parts no words
SPACES_OF_ARPA = " \t\n\r"  # as KenLM and SRILM have them
# Of a wrapped text, chosen by hand. With these, .59 to 1 of the lines of licences and of the King
# James Bible are full; of plays in verse, sentences a line each and 8 words a line at most .39.
LINES_OF_WRAPPING, FEWEST_WRAPPED, NARROWEST, WIDEST = 2000, 20, 40, 100
SHARE_WITHIN, SHARE_OF_FULL_LINES, SHARE_OF_ENDS = 0.9, 0.55, 0.5
ENDS_OF_SENTENCES = (".", "!", "?", '."', '!"', '?"', ".”", "!”", "?”", ".'", "。")
_WORD = re.compile(f"[^{SPACES}]+")
PACKED = {"gzip": rb"\x1f\x8b\x08", "bz2": rb"BZh[1-9]1AY&SY", "lzma": rb"\xfd7zXZ\x00"}
ARCHIVE = b"PK\3\4"  # the first bytes of an archive, and so of our own files
# First bytes of files that are no text, and how to read them.
_AS_TABLE = "read it with pandas.read_{} and fit the table, or save it as CSV"
FOREIGN_FORMATS = (
    (rb"PAR1", "a Parquet file", _AS_TABLE.format("parquet")),
    (rb"ARROW1|FEA1", "a Feather (Arrow) file", _AS_TABLE.format("feather")),
    (rb"ORC[^A-Za-z .,]", "an ORC file", _AS_TABLE.format("orc")),
    (rb"SQLite format 3\x00", "an SQLite database", "select the columns and save them as CSV"),
    (rb".{8}DUCK.\x00", "a DuckDB database", "select the columns and save them as CSV"),
    (rb"<stata_dta>|[\x71-\x73][\x01\x02]\x01\x00", "a Stata file", _AS_TABLE.format("stata")),
    (rb"\$FL[23]", "an SPSS file", _AS_TABLE.format("spss")),
    (rb"RD[AX]\d\n|X\n\x00\x00\x00", "a file of R objects", "save it in R with write.csv"),
    (rb"\x89HDF\r\n\x1a\n", "an HDF5 file", "save its table as CSV"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel or Word file", "save it as CSV or as text"),
    (
        rb"PK\x03\x04.*?(xl/|vnd\.oasis\.opendocument\.spreadsheet)",
        "a spreadsheet",
        "save it as CSV",
    ),
    (rb"PK\x03\x04.*?(word/|vnd\.oasis\.opendocument\.text)", "a document", "save it as text"),
    (
        rb"PK\x03\x04.*?\.npy",
        "a file of NumPy arrays, such as counts or a model",
        "must be a text",
    ),
    (rb"PK\x03\x04", "a ZIP archive", "unpack it first"),
    (rb"\x28\xb5\x2f\xfd", "packed by Zstandard", "unpack it first (zstd -d)"),
    (rb"\x04\x22\x4d\x18", "packed by LZ4", "unpack it first (lz4 -d)"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (rb"Rar!\x1a\x07", "a RAR archive", "unpack it first"),
    (rb"\x93NUMPY", "a NumPy array", "load it with numpy.load and fit the array"),
    (rb"\x80[\x02-\x05]", "a Python pickle", "load it with pickle and fit what it contains"),
    (rb"%PDF-", "a PDF file", "extract its text first, such as with pdftotext"),
)
BYTES_OF_KIND = 1 << 16  # bytes in which the kind of a file shows; of an archive, its first names
LONGEST_RUN = 3  # letters beyond ASCII in a row, in a language written with Latin letters
# Encodings that are not for texts: of names of hosts, and of Python's own code.
NOT_OF_TEXTS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
ZERO_WIDTH_SPACE = "\u200b"  # a place between words, and no format character (Unicode UAX 29)
JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: inside words (Unicode UAX 29, WB4)


def packing_of(beginning: bytes) -> str | None:
    """Return the module that unpacks a file with these first bytes, None for one as it stands."""
    return next((name for name, start in PACKED.items() if re.match(start, beginning)), None)


def decode(raw: bytes, encoding: str = "utf-8") -> str:
    """Return the text in some bytes, without the mark that some editors put first.

    With the mark of UTF-16 the bytes are UTF-16, where UTF-8 is expected: they cannot be UTF-8.

    Raises
    ------
    ValueError
        If the encoding does not exist, the bytes are not in it, or they are no text at all: what
        a reader of one byte a letter takes for a text is noise.
    """
    check_encoding(encoding)
    if (
        raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        and codecs.lookup(encoding).name == "utf-8"
    ):
        encoding = "utf-16"
    try:
        text = raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        _refuse_kind(raw)
        problem = f"byte {error.start} (0x{raw[error.start]:02x}) is not {encoding}"
        advice = _likely_wide(raw) if b"\0" in raw else _likely(raw)
        named = f"name the encoding, such as {advice}" if advice else "name the file's encoding"
        raise ValueError(f"{problem}: {named}") from error
    # What is UTF-8 without NUL is a text; another encoding makes one of any bytes.
    if "\0" in text or codecs.lookup(encoding).name != "utf-8":
        _refuse_kind(raw)
    if "\0" in text:
        wide = _likely_wide(raw)
        hint = f"name the encoding, {wide}" if wide else "the file is binary, or damaged"
        raise ValueError(f"not a text: it contains NUL characters (U+0000); {hint}")
    return text


def _refuse_kind(raw: bytes) -> None:
    """Raise ValueError for bytes that begin as a file of a known kind, which is no text."""
    beginning = raw[:BYTES_OF_KIND]
    for start, kind, remedy in FOREIGN_FORMATS:
        if re.match(start, beginning, re.DOTALL):
            raise ValueError(f"{kind}, not a text: {remedy}")


def _likely(raw: bytes) -> str | None:
    """Return an encoding of one byte a letter that these bytes are likely in, or None.

    Bytes from 80 to 9f are quotation marks and dashes of Windows in cp1252, and controls, which no
    text has, in latin-1. Five of them are nothing in cp1252. Texts in Latin letters have more
    letters of ASCII than others, and few others in a row: Russian and Japanese are told apart.
    """
    beyond = len(re.findall(rb"[\x80-\xff]", raw))
    letters = len(re.findall(rb"[A-Za-z]", raw))
    longest = LONGEST_RUN + 1
    if beyond > letters or re.search(rb"[\0-\x08\x0e-\x1f]|[\x80-\xff]{%d}" % longest, raw):
        return None
    if not re.search(rb"[\x80-\x9f]", raw):
        return "latin-1"
    return None if re.search(rb"[\x81\x8d\x8f\x90\x9d]", raw) else "cp1252"


def _likely_wide(raw: bytes) -> str | None:
    """Return the encoding of two or four bytes a letter that these bytes are in, or None."""
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be"):
        with suppress(UnicodeDecodeError):
            text = raw.decode(encoding)
            kinds = {unicodedata.category(char) for char in {*text} - {*SPACES}}
            if not kinds & {"Cc", "Cn", "Co", "Cs"}:
                return encoding
    return None


def check_encoding(encoding: str) -> None:
    """Raise ValueError unless Python knows an encoding of texts by this name."""
    try:
        "".encode(encoding)
        is_known = codecs.lookup(encoding).name.replace("_", "-") not in NOT_OF_TEXTS
    except (LookupError, TypeError, ValueError):
        is_known = False
    if not is_known:
        raise ValueError(f"unknown encoding: {encoding!r}")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text: each ends in a line feed, perhaps after a carriage return.

    Other characters, such as a form feed or Unicode's line separator, end none.
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


def width_of_wrapping(lines: Sequence[str]) -> int | None:
    """Return the width at which an editor has wrapped the lines of a text, or None.

    In a wrapped text, most lines would pass the width with the first word of the next line, and few
    end with a sentence. Verses, and sentences of a line each, differ in length.
    """
    pairs, ended = [], 0
    for line, following in pairwise(lines[:LINES_OF_WRAPPING]):
        line = line.rstrip()
        if line and (word := _WORD.match(following)):
            pairs.append((len(line), len(line) + 1 + len(word[0])))
            ended += line.endswith(ENDS_OF_SENTENCES)
    if len(pairs) < FEWEST_WRAPPED or ended > SHARE_OF_ENDS * len(pairs):
        return None
    # Some lines are longer: a table, an address.
    width = sorted(length for length, _ in pairs)[int(SHARE_WITHIN * (len(pairs) - 1))]
    full = sum(with_next > width for _, with_next in pairs) / len(pairs)
    return width if NARROWEST <= width <= WIDEST and full >= SHARE_OF_FULL_LINES else None


def split_whitespace(text: str) -> list[str]:
    """Split at spaces, tabs and ends of lines: punctuation stays at its word, case is kept."""
    return _WORD.findall(text)


def split_letters(text: str) -> list[str]:
    """Lower the case and return the runs of letters.

    Soft hyphens and other format characters are removed. An accent written as a character of its
    own is joined to its letter, before the case is lowered and after it (NFC): a capital may have a
    joined form where its small letter has none, and the other way round. An accent without a joined
    form counts as part of the run that it follows, and so does a joiner between letters. Digits,
    underscores and apostrophes separate.
    """
    formats = {
        ord(char): None
        for char in set(text)
        if unicodedata.category(char) == "Cf" and char not in JOINERS + ZERO_WIDTH_SPACE
    }
    if formats:  # few texts have some, and the pass takes a third of the time
        text = text.translate(formats)
    text = unicodedata.normalize("NFC", text).lower()
    text = unicodedata.normalize("NFC", text)
    # The loop goes over the distinct characters, not over all places.
    kinds = {char: unicodedata.category(char)[0] for char in set(text)}
    places = {ord(c): " " for c, kind in kinds.items() if kind not in "LM" and c not in JOINERS}
    words = text.translate(places).split()
    marks = "".join(char for char, kind in kinds.items() if kind == "M" or char in JOINERS)
    bare = (word.lstrip(marks).rstrip(JOINERS) for word in words) if marks else words
    return [word for word in bare if word]


def split_characters(text: str) -> list[str]:
    """Return the characters; each run of white space between others is one `SPACE`."""
    return list(SPACE.join(split_whitespace(text)))


def split_wordpunct(text: str) -> list[str]:
    """Split into runs of word characters and of punctuation, by NLTK's `wordpunct_tokenize`."""
    try:  # here, because importing NLTK takes a second
        from nltk.tokenize import wordpunct_tokenize
    except ImportError:
        raise ImportError("the tokenizer wordpunct needs NLTK: pip install nltk") from None

    return wordpunct_tokenize(text)


TOKENIZERS = {
    "whitespace": split_whitespace,
    "letters": split_letters,
    "characters": split_characters,
    "wordpunct": split_wordpunct,
}
# For the help of the command line.
TOKENIZERS_IN_SHORT = {
    "whitespace": "at white space",
    "letters": "runs of letters, in lower case",
    "characters": f"characters, and {SPACE} for spaces",
    "wordpunct": "words and punctuation apart, by NLTK",
}
