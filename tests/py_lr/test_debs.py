"""Texts in packages of Debian: fetched, checked, read."""

import gzip
import hashlib
import shutil
import subprocess

import pytest
from py_lr import debs

from reproduction.corpora.errors import CorpusError, CorpusUnavailable


@pytest.mark.parametrize(
    ("form", "raw", "words"),
    [
        ("plain", "Salt & <b>sea</b>", "Salt & <b>sea</b>"),
        ("html", "<head><title>No</title></head><p>Salt &amp; <b>sea</b></p>", "Salt & sea"),
        ("cookies", "one\n%\n\x1b[32mtwo 5%\x1b[m\n", "one two 5%"),
        ("manual", ".TH NAME 1\n\\fBbold\\fR one\\-two\n'br\n.\\\" no\nend", "bold one-two end"),
    ],
)
def test_every_form_leaves_the_words(form, raw, words):
    assert " ".join(debs.FORMS[form](raw).split()) == words


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="it needs dpkg-deb")
def test_a_package_is_checked_and_its_texts_are_read(tmp_path):
    inside = tmp_path / "tale"
    (inside / "DEBIAN").mkdir(parents=True)
    control = "Package: tale\nVersion: 1:2\nArchitecture: all\nMaintainer: me\nDescription: x\n"
    (inside / "DEBIAN" / "control").write_text(control)
    (inside / "texts").mkdir()
    (inside / "texts" / "b.txt").write_text("second", encoding="utf-8")
    (inside / "texts" / "a.txt.gz").write_bytes(gzip.compress("först".encode()))
    (inside / "texts" / "bad").write_bytes("först".encode("latin-1"))
    (inside / "texts" / "link.txt").symlink_to("b.txt")
    path = tmp_path / "debian" / "tale_1%3a2_all.deb"
    path.parent.mkdir()
    subprocess.run(["dpkg-deb", "--build", inside, path], check=True, capture_output=True)
    fields = {"files": ["texts/*.txt*"]}
    entry = {"version": "1:2", "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    entry |= {"samples": {"it": fields, "none": {"files": ["lost", "texts/bad"]}}}
    assert debs.find_package("tale", entry, [tmp_path]) == path
    files = debs.read_files("tale", entry, path)
    assert debs.read_text("it", files, fields) == "först\nsecond"
    with pytest.raises(CorpusError, match=r"^corpus 'none': its package has no file 'lost'$"):
        debs.read_text("none", files, entry["samples"]["none"])
    with pytest.raises(CorpusError, match=r"texts/bad: byte 1 \(0xf6\) is not utf-8"):
        debs.read_text("it", files, {"files": ["texts/bad"]})
    other = entry | {"sha256": "0" * 64}
    with pytest.raises(CorpusError, match=r"pinned is 000.*allow_other_hashes"):
        debs.find_package("tale", other, [tmp_path])
    assert debs.find_package("tale", other, [tmp_path], allow_other_hashes=True) == path


def test_without_a_copy_or_the_tool_it_says_how_to_get_a_package(tmp_path, monkeypatch):
    entry = {"version": "1", "sha256": None, "samples": {}}
    with pytest.raises(CorpusUnavailable, match="apt-get download tale=1"):
        debs.find_package("tale", entry, [tmp_path, tmp_path / "none"])
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "debian").mkdir()
    (tmp_path / "debian" / "tale_1_all.deb").touch()
    path = debs.find_package("tale", entry, [tmp_path])
    with pytest.raises(CorpusUnavailable, match="apt-get download tale=1") as error:
        debs.read_files("tale", entry, path)
    assert "dpkg-deb" in error.value.reason


def test_a_packed_text_that_is_damaged_or_endless_is_one_line(monkeypatch):
    packed = gzip.compress(1000 * b"a")
    damaged = r"^corpus 'it': a\.gz: damaged: its packed data cannot be unpacked$"
    monkeypatch.setattr(debs, "LARGEST_TEXT", 999)
    for raw, message in (
        (b"no", damaged),
        (packed[:-12], damaged),
        (packed[:12] + b"\xff" + packed[13:], damaged),
        (gzip.compress(10**7 * b"a"), "more than 999 bytes"),
    ):
        with pytest.raises(CorpusError, match=message):
            debs.read_text("it", {"a.gz": raw}, {"files": ["*"]})
    both = {"a.gz": packed, "b.gz": packed}  # 1,000 bytes each, with an end of line between them
    monkeypatch.setattr(debs, "LARGEST_TEXT", 2000)
    assert len(debs.read_text("it", both, {"files": ["*"]})) == 2001
    monkeypatch.setattr(debs, "LARGEST_TEXT", 1999)
    with pytest.raises(CorpusError, match="more than 1,999 bytes"):
        debs.read_text("it", both, {"files": ["*"]})
