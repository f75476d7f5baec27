"""Fetching corpora that are not at hand. No test leaves this machine."""

import hashlib
import io
import os
import pickle
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from made_up_corpora import DRACOR, FILES, PACKAGE, PLAY, archive, sha256

from reproduction.corpora import fetch, sources
from reproduction.corpora.sources import TARTUFFE, CorpusError, CorpusUnavailable, read_source


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Let no test reach the network, whether the machine has one or not."""

    def refuse(*args, **kwargs):
        raise urllib.error.URLError(OSError(101, "Network is unreachable"))

    monkeypatch.setattr(urllib.request, "urlopen", refuse)


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        (PACKAGE, "run `python -m nltk.downloader fables`"),
        (DRACOR, f"save {sources.TARTUFFE_URL} as {TARTUFFE} in a folder named by NLTK_DATA"),
    ],
)
def test_without_network_one_line_says_how_to_get_it(tmp_path, capfd, entry, remedy):
    with pytest.raises(CorpusUnavailable) as raised:
        read_source("mine", entry, search=[], downloads=tmp_path / "new")
    assert "Network is unreachable" in raised.value.reason
    assert raised.value.remedy.startswith(remedy)
    line = str(raised.value)
    assert line.startswith("corpus 'mine' is not here: raw.githubusercontent.com: ")
    assert "\n" not in line
    assert str(pickle.loads(pickle.dumps(raised.value))) == line  # it may cross processes
    assert capfd.readouterr() == ("", "")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("entry", [PACKAGE, DRACOR])
def test_a_silent_network_is_not_waited_for(tmp_path, monkeypatch, entry):
    end = threading.Event()
    monkeypatch.setattr(urllib.request, "urlopen", lambda *args, **kwargs: end.wait(60))
    monkeypatch.setattr(fetch, "TIMEOUT", 0.05)
    with pytest.raises(CorpusUnavailable, match=r"no answer in 0\.05 s"):
        read_source("mine", entry, search=[], downloads=tmp_path)
    end.set()


def test_fetch_gives_the_real_time_out_to_urlopen(monkeypatch):
    given = {}
    monkeypatch.setattr(
        urllib.request, "urlopen", lambda url, timeout: given.update(s=timeout) or io.BytesIO(b"ab")
    )
    assert fetch.fetch("https://example.org/x") == b"ab"
    assert fetch.fetch("https://example.org/x", size=1) == b"a"
    assert 5 <= given["s"] <= 15


@pytest.fixture
def server(monkeypatch):
    """Serve one answer (status, headers, body) on this machine in place of DraCor's repository."""
    answers = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, length, body = answers[-1]
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    monkeypatch.undo()  # this machine itself may be asked
    with HTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setenv("no_proxy", "*")
        url = f"http://127.0.0.1:{served.server_port}/play.xml"
        monkeypatch.setattr(sources, "TARTUFFE_URL", url)
        yield answers
        served.shutdown()
        thread.join()


def left_in(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def test_tartuffe_is_downloaded_once(server, tmp_path):
    entry = DRACOR | {"sha256": sha256(PLAY)}
    server.append((200, len(PLAY), PLAY))
    first = read_source("play", entry, search=[], downloads=tmp_path / "new")
    server.append((404, 0, b""))
    second = read_source("play", entry, search=[], downloads=tmp_path / "new")
    assert first.origin == second.origin == "downloaded"
    assert list(first.texts()) == list(second.texts()) == ["So glad é\nAnd\nyou?"]
    assert left_in(tmp_path) == [tmp_path / "new" / TARTUFFE]


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ((404, 0, b""), CorpusUnavailable, "HTTP Error 404"),
        ((200, len(PLAY), PLAY[:100]), CorpusUnavailable, "IncompleteRead"),
        ((200, 5, b"<TEI>"), CorpusError, f"{sha256(b'<TEI>')}, pinned is {sha256(PLAY)}"),
    ],
)
def test_a_failed_download_leaves_nothing(server, tmp_path, answer, error, message):
    server.append(answer)
    with pytest.raises(error, match=message):
        read_source("play", DRACOR | {"sha256": sha256(PLAY)}, search=[], downloads=tmp_path)
    assert left_in(tmp_path) == []


def test_an_interrupted_save_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch.save(tmp_path, TARTUFFE, PLAY)
    assert left_in(tmp_path) == []


@pytest.fixture
def nltk_server(monkeypatch):
    """Put a package `fables` on the server that NLTK's own downloader asks; return its pages."""
    import nltk.downloader

    raw = archive(FILES)
    index = nltk.downloader.Downloader.DEFAULT_URL
    description = (
        '<package id="fables" name="Fables" subdir="corpora" unzip="0" '
        f'url="https://example.org/corpora/fables.zip" size="{len(raw)}" '
        f'unzipped_size="{sum(map(len, FILES.values()))}" '
        f'checksum="{hashlib.md5(raw).hexdigest()}" sha256_checksum="{sha256(raw)}"/>'
    )
    pages = {
        index: f"<nltk_data><packages>{description}</packages></nltk_data>".encode(),
        "https://example.org/corpora/fables.zip": raw,
    }

    def serve(url, *args, **kwargs):
        return io.BytesIO(pages[url])

    monkeypatch.setattr(urllib.request, "urlopen", serve)
    monkeypatch.setattr(nltk.downloader, "urlopen", serve)
    # A fresh one: the module's own keeps the index for an hour.
    monkeypatch.setattr(nltk, "download", nltk.downloader.Downloader().download)
    monkeypatch.setattr(nltk.data, "path", list(nltk.data.path))
    return pages


def test_a_package_is_downloaded_by_nltk(nltk_server, tmp_path, capfd):
    entry = PACKAGE | {"sha256": sha256(archive(FILES))}
    source = read_source("mine", entry, search=[], downloads=tmp_path / "new")
    assert (source.origin, source.check) == ("downloaded", "as pinned")
    assert list(source.texts()) == ["the fox\n", "a crow\n"]
    assert capfd.readouterr() == ("", "")
    nltk_server.clear()  # from now on the copy serves
    assert list(read_source("mine", entry, [], tmp_path / "new").texts()) == list(source.texts())


def test_a_package_joins_a_play_in_the_folder_of_downloads(nltk_server, tmp_path):
    # NLTK installs only where no one else may write, so whatever is saved first must agree.
    before = os.umask(0o002)
    try:
        fetch.save(tmp_path / "new", TARTUFFE, PLAY)
    finally:
        os.umask(before)
    assert read_source("mine", PACKAGE, [], tmp_path / "new").origin == "downloaded"


@pytest.mark.parametrize(
    ("package", "break_it", "reason"),
    [
        ("myths", lambda pages: None, "Package 'myths' not found in index"),
        ("fables", lambda pages: pages.update(dict.fromkeys(pages, b"<html>")), "no element found"),
        (
            "fables",
            lambda pages: pages.update({"https://example.org/corpora/fables.zip": b"half"}),
            "Integrity check failed",
        ),
    ],
)
def test_what_nltk_cannot_download(nltk_server, tmp_path, capfd, package, break_it, reason):
    break_it(nltk_server)
    with pytest.raises(CorpusUnavailable, match=reason) as raised:
        read_source("mine", PACKAGE | {"package": package}, search=[], downloads=tmp_path / "new")
    assert "\n" not in str(raised.value)
    assert capfd.readouterr() == ("", "")
    assert left_in(tmp_path) == []
