"""The rules by which bytes become a text, a text lines, and a line words, for every entry point.

`docs/text.md` has them as a table. Words are cut on whole texts: a loop over single characters
in Python would be too slow for a million words.
"""

import codecs
import re
import unicodedata
from collections.abc import Sequence
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
        If the encoding does not exist, the bytes are not in it, or the text has NUL characters: a
        binary file, which an encoding of one byte a letter would read as noise.
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
        if b"\0" not in raw:
            problem = f"byte {error.start} (0x{raw[error.start]:02x}) is not {encoding}"
            hint = "name the file's encoding, such as latin-1, cp1252 or utf-16"
            of_table = "for fit, read a table with pandas.read_csv(path, encoding=...)"
            raise ValueError(f"{problem}: {hint}; {of_table}") from error
        text = "\0"
    if "\0" in text:
        raise ValueError(
            "not a text: it contains NUL characters (U+0000). Read a binary table with its own "
            "library, such as pandas.read_parquet, and pass the table; a text in UTF-16 or UTF-32 "
            "needs the name of its encoding, such as utf-16-le"
        )
    return text


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
