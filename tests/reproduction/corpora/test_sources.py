"""Finding and checking corpora at hand. Every text is made up."""

import json
import os
import subprocess
import sys

import pytest
from made_up_corpora import DRACOR, FILES, PACKAGE, PLAY, archive, put, sha256

from reproduction.corpora.sources import TARTUFFE, CorpusError, read_source, search_path


@pytest.fixture
def zipped(tmp_path):
    return put(tmp_path / "zipped", "corpora/fables.zip", archive(FILES))


@pytest.fixture
def unpacked(tmp_path):
    for name, content in FILES.items():
        put(tmp_path / "unpacked", f"corpora/fables/{name}", content)
    return tmp_path / "unpacked"


def test_search_path_is_that_of_nltk(monkeypatch):
    code = "import importlib, json, os, nltk.data\n"
    code += "for given in json.loads(os.environ['GIVEN']):\n"
    code += "    os.environ |= given\n"
    code += "    print(json.dumps(importlib.reload(nltk.data).path))"
    paths = ["", f"/a{os.pathsep}{os.pathsep}~/b{os.pathsep}c/d"]
    given = [{}, *({"NLTK_DATA": path} for path in paths)]
    monkeypatch.delenv("NLTK_DATA", raising=False)
    monkeypatch.setenv("GIVEN", json.dumps(given))
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    for settings, line in zip(given, answer.stdout.splitlines(), strict=True):
        for name, path in settings.items():
            monkeypatch.setenv(name, path)
        assert search_path() == json.loads(line)


def test_a_corpus_at_hand_takes_neither_nltk_nor_the_network(zipped):
    entry = PACKAGE | {"tokenizer": "whitespace", "train": 2, "test": 2}
    code = (
        "import sys; from reproduction.corpora.corpus import load_corpus;"
        f"load_corpus('mine', {entry}, search=[{str(zipped)!r}]);"
        "sys.exit(len({'nltk', 'urllib.request'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_zipped_and_unpacked_are_the_same_text(zipped, unpacked):
    content = sha256(b"the fox\na crow\n")  # in the entry's order, which is not the archive's
    for folder in (zipped, unpacked):
        source = read_source("mine", PACKAGE, search=[folder])
        assert list(source.texts()) == ["the fox\n", "a crow\n"]
        assert (source.origin, source.check) == ("search path", "not pinned")
        assert source.content_sha256 == content
    assert read_source("mine", PACKAGE, search=[zipped]).sha256 == sha256(archive(FILES))
    assert read_source("mine", PACKAGE, search=[unpacked]).sha256 is None


def test_the_first_folder_with_a_copy_wins(tmp_path, zipped, unpacked):
    put(tmp_path / "partial", "corpora/fables/fox.txt", b"not all files")
    other = put(tmp_path / "other", "corpora/fables.zip", archive(dict.fromkeys(FILES, b"other")))
    search = [tmp_path / "absent", tmp_path / "partial", other, zipped]
    assert list(read_source("mine", PACKAGE, search).texts()) == ["other", "other"]
    # The folder of downloads comes last, and is named as such.
    assert read_source("mine", PACKAGE, [zipped], downloads=other).origin == "search path"
    assert read_source("mine", PACKAGE, [], downloads=unpacked).origin == "downloaded"


def test_brown_is_read_without_tags_and_in_order_of_its_files(tmp_path):
    # The word itself may hold a slash; cats.txt and README are no text.
    files = {
        "cb01": b"\n\n\tTwo/cd\n",
        "README": b"Words/nns about/in words/nns",
        "ca02": b"one/cd 1/2/cd ,/, ``/`` ./.\n\nend/nn",
        "cats.txt": b"ca02 news",
    }
    search = [put(tmp_path, "corpora/brown.zip", archive(files, "brown"))]
    entry = {"source": "nltk", "package": "brown"}
    assert list(read_source("brown", entry, search).texts()) == ["one 1/2 , `` . end", "Two"]


def test_tartuffe_is_its_verse(tmp_path):
    source = read_source("play", DRACOR, search=[put(tmp_path, TARTUFFE, PLAY)])
    assert list(source.texts()) == ["So glad é\nAnd\nyou?"]
    assert source.sha256 == source.content_sha256 == sha256(PLAY)


def test_plays_of_nltk_are_their_speeches(tmp_path):
    play = b"""<?xml version="1.0"?><PLAY><PROLOGUE><SPEECH><SPEAKER>Chorus</SPEAKER>
    <LINE>Two  houses,</LINE><LINE>both <STAGEDIR>Bows</STAGEDIR>alike.</LINE></SPEECH></PROLOGUE>
    <ACT><STAGEDIR>Enter</STAGEDIR><SPEECH><SPEAKER>A</SPEAKER><LINE>Ay,
    sir?</LINE></SPEECH></ACT></PLAY>"""
    raw = archive({"one.xml": play, "two.xml": b"<PLAY/>"}, "shakespeare")
    search = [put(tmp_path, "corpora/shakespeare.zip", raw)]
    entry = {"source": "nltk", "package": "shakespeare", "files": ["one.xml", "two.xml"]}
    texts = list(read_source("plays", entry, search).texts())
    assert texts == ["Two houses, both alike.\nAy, sir?", ""]


def test_pinned_hashes_are_checked(tmp_path, zipped, unpacked):
    play = put(tmp_path, TARTUFFE, PLAY)
    right, wrong = sha256(archive(FILES)), "0" * 64
    cases = [
        (zipped, PACKAGE | {"sha256": right}, {"sha256": wrong}, right),
        (unpacked, PACKAGE | {"sha256": right}, {"content_sha256": wrong}, None),
        (play, DRACOR | {"sha256": sha256(PLAY)}, {"sha256": wrong}, sha256(PLAY)),
    ]
    content = sha256(b"the fox\na crow\n")
    cases[1][1]["content_sha256"] = content
    for folder, entry, change, found in cases:
        assert read_source("mine", entry, [folder]).check == "as pinned"
        with pytest.raises(CorpusError, match=f"{found or content}, pinned is {wrong}") as raised:
            read_source("mine", entry | change, [folder])
        assert "\n" not in str(raised.value)
        allowed = read_source("mine", entry | change, [folder], allow_other_hashes=True)
        assert (allowed.check, allowed.sha256) == ("differs", found)


def test_an_archive_that_was_packed_anew_is_taken_by_its_text(tmp_path):
    text = {"content_sha256": sha256(b"the fox\na crow\n"), "sha256": "0" * 64}
    files = dict(reversed(FILES.items())) | {"index.xml": b"<new/>"}
    anew = put(tmp_path, "corpora/fables.zip", archive(files))
    assert read_source("mine", PACKAGE | text, [anew]).check == "as pinned"
    with pytest.raises(CorpusError, match="the text in"):
        read_source("mine", PACKAGE | text | {"content_sha256": "0" * 64}, [anew])


def test_the_first_copy_is_named_where_it_is_broken(tmp_path, zipped):
    broken = put(tmp_path / "broken", "corpora/fables.zip", b"PK no archive")
    with pytest.raises(CorpusError, match="broken"):
        read_source("mine", PACKAGE, [broken, zipped])
