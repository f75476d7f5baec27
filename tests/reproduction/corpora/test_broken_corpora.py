"""Archives, plays and texts that are broken or hostile: a CorpusError of one line, never another.

`test_sources` has what one meets in good faith.
"""

import io
import os
import struct
import zipfile
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_corpora import DRACOR, FILES, PACKAGE, PLAY, archive, put

from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.corpus import load_corpus
from reproduction.corpora.errors import CorpusError
from reproduction.corpora.sources import LARGEST_CORPUS, TARTUFFE, read_source
from reproduction.studies.readings.texts import TOKENIZER_READINGS

FILE = {"source": "file", "tokenizer": "whitespace", "train": 2, "test": 2}
# Where a member's header in an archive, and its entry in the directory at the end, have two fields.
FLAGS, COMPRESSION = {b"PK\3\4": 6, b"PK\1\2": 8}, {b"PK\3\4": 8, b"PK\1\2": 10}


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


def enormous():
    """Return an archive that says of a member that it is a thousand times larger than allowed."""
    raw = bytearray(archive(FILES))
    for signature, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        start = raw.find(b"fables/fox.txt", raw.find(signature))
        header = raw.rfind(signature, 0, start)
        raw[header + offset : header + offset + 4] = struct.pack("<I", 2**32 - 2)
    return bytes(raw)


GOOD = archive(FILES)
ARCHIVES = {
    "no archive": (b"PK", "File is not a zip file"),
    "empty": (b"", "File is not a zip file"),
    "cut at its end": (GOOD[:-30], "File is not a zip file"),
    "another content": (GOOD.replace(b"the fox", b"the fix"), "Bad CRC-32 for file"),
    "spoilt": (spoilt(), "fables.zip: damaged: its packed data cannot be unpacked"),
    "an unknown compression": (with_field(GOOD, COMPRESSION, 99), "not compressed by deflation"),
    "LZMA": (with_field(GOOD, COMPRESSION, zipfile.ZIP_LZMA), "not compressed by deflation"),
    "encrypted": (with_field(GOOD, FLAGS, 1), "'fables/fox.txt' is encrypted"),
    "a member of 4 GB": (enormous(), "4,295 MB of text; at most 268 are read"),
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


@pytest.mark.parametrize("name", ["/etc/passwd", "a/../../b"])
@pytest.mark.parametrize("how", ["zipped", "unpacked"])
def test_files_outside_of_their_package(tmp_path, name, how):
    put(tmp_path, "secret.txt", b"secret")
    if how == "zipped":
        put(tmp_path, "corpora/fables.zip", packed(**{f"fables/{name}": b"secret"}))
    else:
        put(tmp_path, "corpora/fables/fox.txt", b"the fox")
    line = refused(read_source, "mine", PACKAGE | {"files": [name]}, [tmp_path])
    assert "lies outside of its package" in line


@pytest.mark.parametrize("package", ["../fables", "/fables", "a/b", ""])
def test_packages_outside_of_their_folder(tmp_path, package):
    put(tmp_path, "fables.zip", GOOD)
    line = refused(read_source, "mine", PACKAGE | {"package": package}, [tmp_path])
    assert line.endswith("is not the name of a package")


def test_texts_that_are_too_large_are_not_read(tmp_path):
    for path in ("large.txt", "corpora/fables.zip", TARTUFFE):
        put(tmp_path, path, b"")
        os.truncate(
            tmp_path / path, LARGEST_CORPUS + 1
        )  # with a hole: it takes no room on the disk
    file = {"source": "file", "path": str(tmp_path / "large.txt")}
    for entry in (PACKAGE, DRACOR, file):
        assert "268 MB of text; at most 268 are read" in refused(
            read_source, "mine", entry, [tmp_path]
        )


# ---------------------------------------------------------------------------------------- plays

ENTITIES = "".join(
    f'<!ENTITY {b} "{10 * f"&{a};"}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMB = f'<!DOCTYPE TEI [<!ENTITY a "{50 * "a"}">{ENTITIES}]><TEI><l>&i;</l></TEI>'
PLAYS = {
    "nothing": (b"", "not well-formed"),
    "no XML": (b"a play", "not well-formed"),
    "NUL": (b"<TEI><l>\0</l></TEI>", "not well-formed"),
    "an entity that is not declared": (b"<TEI><l>&x;</l></TEI>", "not well-formed"),
    "bytes that are not UTF-8": (b"<TEI><l>\xff</l></TEI>", "not well-formed"),
    "a bomb of entities": (BOMB.encode(), "has a DOCTYPE, which is not allowed"),
    "an external entity": (
        b'<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><l>&x;</l></TEI>',
        "has a DOCTYPE, which is not allowed",
    ),
    **{
        f"in {encoding}": (
            f'<?xml version="1.0" encoding="{encoding}"?><TEI><l>a</l></TEI>'.encode(),
            message,
        )
        for encoding, message in (
            ("foo", "cannot be decoded: unknown encoding: foo"),
            ("shift_jis", "cannot be decoded: multi-byte encodings are not supported"),
            ("punycode", "cannot be decoded: "),
            ("utf-16", "not well-formed"),
        )
    },
}


def verse(folder, raw):
    """Return the text of a play."""
    (text,) = read_source("play", DRACOR, [put(folder, TARTUFFE, raw)]).texts()
    return text


@pytest.mark.parametrize("case", PLAYS.values(), ids=PLAYS)
def test_broken_play(tmp_path, case):
    raw, message = case
    assert message in refused(verse, tmp_path, raw)


def test_lines_inside_of_lines_are_read_once(tmp_path):
    # Were each line's text taken with that of all inside it, these would give 50,005,000 letters.
    deep = 10_000
    assert verse(tmp_path, deep * b"<l>a" + deep * b"</l>") == deep * "a"


def test_a_line_of_verse_is_one_line_without_notes_and_directions(tmp_path):
    raw = (
        b"<TEI><l>a\nb <stage>Exit<l>x</l></stage>c<note>n</note></l><stage>y</stage><l>d</l></TEI>"
    )
    assert verse(tmp_path, raw) == "a b c\nd"


# ---------------------------------------------------------------------------------------- texts

TEXTS = {
    "a pipe": ("pipe", {}, "not a file"),
    "a folder": (".", {}, "Is a directory"),
    "nothing": ("absent", {}, "No such file or directory"),
    "a name that is too long": (5000 * "a", {}, "File name too long"),
    "a name with NUL": ("a\0b", {}, "embedded null"),
    "no words": ("empty", {}, "train + test = 2 + 2 = 4 words, but the text has 0"),
    **{
        f"in {encoding}": ("text", {"encoding": encoding}, message)
        for encoding, message in (
            ("utf-9", "unknown encoding: 'utf-9'"),
            ("a\0b", "unknown encoding: 'a\\x00b'"),
            ("unicode_escape", "unknown encoding"),
            ("", "unknown encoding: ''"),
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
    os.mkfifo("pipe")
    assert message in refused(load_corpus, "mine", FILE | {"path": name} | changes)


# --------------------------------------------------------------------------------------- fuzzed

few = settings(max_examples=100)


def is_refused(read, *given):
    """Whether a corpus is refused, in one line."""
    try:
        read(*given)
    except CorpusError as error:
        return str(error).isprintable()
    return False


@few
@given(st.text(max_size=80) | st.text("a.,'`([{ \n\t\r\u0301\u0345\ud800\x85", max_size=40))
def test_tokenizers_take_any_text(text):
    for name, tokenize in TOKENIZER_READINGS.items():
        words = tokenize(text)
        assert all(isinstance(word, str) and word for word in words), name


@few
@given(st.binary(max_size=200), st.sampled_from(["utf-8", "latin-1", "utf-16", "utf-7", "cp437"]))
def test_any_bytes_are_a_text_or_one_line(tmp_path_factory, raw, encoding):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(raw)
    for tokenizer in TOKENIZERS:
        entry = FILE | {"path": str(path), "encoding": encoding, "tokenizer": tokenizer}
        assert is_refused(load_corpus, "mine", entry) or load_corpus("mine", entry).k >= 1


@st.composite
def changed(draw, whole):
    """Bytes with some changed, cut out, or put in."""
    raw = bytearray(whole)
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(raw)))
        raw[start : start + draw(st.integers(0, 4))] = draw(st.binary(max_size=4))
    return bytes(raw)


@few
@given(st.binary(max_size=200) | changed(PLAY))
def test_any_bytes_are_a_play_or_one_line(tmp_path_factory, raw):
    folder = tmp_path_factory.getbasetemp()
    assert is_refused(verse, folder, raw) or verse(folder, raw) == read_plainly(raw)


def read_plainly(raw):
    """Return the lines of verse of a whole tree."""
    waiting, lines = [ElementTree.fromstring(raw)], []
    while waiting:
        element = waiting.pop()
        if element.tag.rpartition("}")[2] == "l":
            lines.append("".join(element.itertext()))
        else:
            waiting += reversed(element)
    return "\n".join(lines)


@few
@given(st.binary(max_size=200) | changed(GOOD) | changed(spoilt()))
def test_any_bytes_are_an_archive_or_one_line(tmp_path_factory, raw):
    folder = put(tmp_path_factory.getbasetemp(), "corpora/fables.zip", raw)
    given = read_source, "mine", PACKAGE, [folder]
    assert is_refused(*given) or len(read_source(*given[1:]).contents) == 2
