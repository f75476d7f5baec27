"""Archives, plays and texts that are broken: a CorpusError of one line, never another number.

`test_sources` has what one meets in good faith.
"""

import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_corpora import DRACOR, FILES, PACKAGE, archive, put

from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.corpus import load_corpus
from reproduction.corpora.errors import CorpusError
from reproduction.corpora.sources import TARTUFFE, read_source
from reproduction.studies.readings.texts import TOKENIZER_READINGS

FILE = {"source": "file", "tokenizer": "whitespace", "train": 2, "test": 2}
# Where a member's header in an archive, and its entry in the directory at the end, have a field.
FLAGS = {b"PK\3\4": 6, b"PK\1\2": 8}


def with_field(raw, places, value):
    """Return an archive with a field of two bytes changed in the headers of all its members."""
    raw = bytearray(raw)
    for signature, offset in places.items():
        start = raw.find(signature)
        while start >= 0:
            raw[start + offset : start + offset + 2] = struct.pack("<H", value)
            start = raw.find(signature, start + 4)
    return bytes(raw)


def packed(how=zipfile.ZIP_DEFLATED, **members):
    """Return an archive of members whose names may be any."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", how) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return raw.getvalue()


def spoilt():
    """Return an archive whose member is no longer what deflation made."""
    raw = bytearray(packed(**{"fables/fox.txt": 900 * b"fox ", "fables/crow.txt": b"a crow"}))
    start = raw.find(b"fables/fox.txt") + len("fables/fox.txt")
    raw[start : start + 6] = 6 * b"\xff"
    return bytes(raw)


GOOD = archive(FILES)
ARCHIVES = {
    "no archive": (b"PK", "File is not a zip file"),
    "empty": (b"", "File is not a zip file"),
    "cut at its end": (GOOD[:-30], "File is not a zip file"),
    "another content": (GOOD.replace(b"the fox", b"the fix"), "Bad CRC-32 for file"),
    "spoilt": (spoilt(), "while decompressing data"),
    "encrypted": (with_field(GOOD, FLAGS, 1), "is encrypted"),
    "no members": (packed(), "There is no item named 'fables/fox.txt'"),
}


def refused(read, *given):
    """Return the one line with which a corpus is refused."""
    with pytest.raises(CorpusError) as caught:
        read(*given)
    line = str(caught.value)
    assert line.isprintable()
    assert line.startswith("corpus '")
    return line


@pytest.mark.parametrize("case", ARCHIVES.values(), ids=ARCHIVES)
def test_broken_archive(tmp_path, case):
    raw, message = case
    folder = put(tmp_path, "corpora/fables.zip", raw)
    assert message in refused(read_source, "mine", PACKAGE, [folder])
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["fables.zip"]


# ---------------------------------------------------------------------------------------- plays

ENTITIES = "".join(
    f'<!ENTITY {b} "{10 * f"&{a};"}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMB = f'<!DOCTYPE TEI [<!ENTITY a "{50 * "a"}">{ENTITIES}]><TEI><l>&i;</l></TEI>'
PLAYS = {
    "nothing": b"",
    "no XML": b"a play",
    "an entity that is not declared": b"<TEI><l>&x;</l></TEI>",
    "bytes that are not UTF-8": b"<TEI><l>\xff</l></TEI>",
    "a bomb of entities": BOMB.encode(),
    "an external entity": (
        b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><l>&x;</l></TEI>'
    ),
    "an unknown encoding": b'<?xml version="1.0" encoding="foo"?><TEI><l>a</l></TEI>',
}


def verse(folder, raw):
    """Return the text of a play."""
    (text,) = read_source("play", DRACOR, [put(folder, TARTUFFE, raw)]).texts()
    return text


@pytest.mark.parametrize("raw", PLAYS.values(), ids=PLAYS)
def test_broken_play(tmp_path, raw):
    assert "its TEI cannot be read" in refused(verse, tmp_path, raw)


def test_a_broken_play_of_nltk(tmp_path):
    raw = archive({"one.xml": b"<PLAY>"}, "shakespeare")
    folder = put(tmp_path, "corpora/shakespeare.zip", raw)
    entry = {"source": "nltk", "package": "shakespeare", "files": ["one.xml"]}
    assert "its XML cannot be read" in refused(
        lambda: list(read_source("plays", entry, [folder]).texts())
    )


def test_a_line_of_verse_is_one_line_without_notes_and_directions(tmp_path):
    raw = (
        b"<TEI><l>a\nb <stage>Exit<l>x</l></stage>c<note>n</note></l><stage>y</stage><l>d</l></TEI>"
    )
    assert verse(tmp_path, raw) == "a b c\nd"


# ---------------------------------------------------------------------------------------- texts

TEXTS = {
    "a folder": (".", {}, "Is a directory"),
    "nothing": ("absent", {}, "No such file or directory"),
    "no words": ("empty", {}, "train + test = 2 + 2 = 4 words, but the text has 0"),
    **{
        f"in {encoding}": ("text", {"encoding": encoding}, message)
        for encoding, message in (
            ("utf-9", "unknown encoding: 'utf-9'"),
            ("ascii", "byte 4 (0xff) is not ascii"),
            ("utf-32", "is not utf-32"),
        )
    },
}


@pytest.mark.parametrize("case", TEXTS.values(), ids=TEXTS)
def test_broken_text(tmp_path, monkeypatch, case):
    name, changes, message = case
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_bytes(b"a b \xff c d e")
    (tmp_path / "empty").touch()
    assert message in refused(load_corpus, "mine", FILE | {"path": name} | changes)


# --------------------------------------------------------------------------------------- fuzzed


def is_refused(read, *given):
    """Whether a corpus is refused, in one line."""
    try:
        read(*given)
    except CorpusError as error:
        return str(error).isprintable()
    return False


@given(st.text(max_size=80) | st.text("a.,'`([{ \n\t\r\u0301\u0345\ud800\x85", max_size=40))
def test_tokenizers_take_any_text(text):
    for name, tokenize in TOKENIZER_READINGS.items():
        words = tokenize(text)
        assert all(isinstance(word, str) and word for word in words), name


@given(st.binary(max_size=200), st.sampled_from(["utf-8", "latin-1", "utf-16", "utf-7", "cp437"]))
def test_any_bytes_are_a_text_or_one_line(tmp_path_factory, raw, encoding):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(raw)
    for tokenizer in TOKENIZERS:
        entry = FILE | {"path": str(path), "encoding": encoding, "tokenizer": tokenizer}
        assert is_refused(load_corpus, "mine", entry) or load_corpus("mine", entry).k >= 1
