"""Fetching corpora that are not at hand, from a server on this machine."""

import pickle
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from made_up_corpora import DRACOR, FILES, PACKAGE, PLAY, archive, sha256

from reproduction.corpora import fetch, sources
from reproduction.corpora.sources import TARTUFFE, CorpusError, CorpusUnavailable, read_source

ENTRIES = [
    (DRACOR | {"sha256": sha256(PLAY)}, PLAY),
    (PACKAGE | {"sha256": sha256(archive(FILES))}, archive(FILES)),
]


def let_ask(monkeypatch, port):
    """Let both sources ask a port of this machine, in place of their servers."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(sources, "TARTUFFE_URL", f"http://127.0.0.1:{port}/play.xml")
    monkeypatch.setattr(sources, "NLTK_URL", f"http://127.0.0.1:{port}")


@pytest.fixture
def server(monkeypatch):
    """Serve the last of the answers (status, announced length, body), whatever is asked for."""
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

    with HTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.01,))
        thread.start()
        let_ask(monkeypatch, served.server_port)
        yield answers
        served.shutdown()
        thread.join()


@pytest.fixture
def silent(monkeypatch):
    """A port that takes questions and never answers."""
    monkeypatch.setattr(fetch, "TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        let_ask(monkeypatch, listening.getsockname()[1])
        yield


@pytest.fixture
def refused(monkeypatch):
    """A port where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    let_ask(monkeypatch, port)


def left_in(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


@pytest.mark.parametrize("network", ["silent", "refused"])
@pytest.mark.parametrize(
    ("entry", "remedy"),
    [(PACKAGE, "run `python -m nltk.downloader fables`"), (DRACOR, "save http")],
)
def test_without_network_one_line_says_how_to_get_it(
    tmp_path, capfd, request, network, entry, remedy
):
    request.getfixturevalue(network)
    with pytest.raises(CorpusUnavailable) as raised:
        read_source("mine", entry, search=[], downloads=tmp_path / "new")
    assert raised.value.reason == "127.0.0.1 cannot be reached"
    assert raised.value.remedy.startswith(remedy)
    line = str(raised.value)
    assert line.startswith("corpus 'mine' is not here: 127.0.0.1 cannot be reached; to get it, ")
    assert "\n" not in line
    assert str(pickle.loads(pickle.dumps(raised.value))) == line  # it may cross processes
    assert capfd.readouterr() == ("", "")
    assert left_in(tmp_path) == []


@pytest.mark.parametrize(("entry", "raw"), ENTRIES)
def test_a_corpus_is_downloaded_once(server, tmp_path, capfd, entry, raw):
    server.append((200, len(raw), raw))
    first = read_source("mine", entry, search=[], downloads=tmp_path / "new")
    server.append((404, 0, b""))  # from now on the copy serves
    second = read_source("mine", entry, search=[], downloads=tmp_path / "new")
    assert first.origin == second.origin == "downloaded"
    assert first.check == second.check == "as pinned"
    assert list(first.texts()) == list(second.texts())
    (copy,) = left_in(tmp_path)
    assert copy.read_bytes() == raw
    assert copy.stat().st_mode & 0o777 == 0o644
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("entry", "raw"), ENTRIES)
def test_a_failed_download_is_one_line_and_leaves_nothing(server, tmp_path, entry, raw):
    server.append((200, len(raw), raw[:100]))
    with pytest.raises(CorpusUnavailable, match="127") as raised:
        read_source("mine", entry, search=[], downloads=tmp_path)
    assert "\n" not in str(raised.value)
    server.append((404, 0, b""))
    with pytest.raises(CorpusUnavailable, match=r"127\.0\.0\.1: 404 Client Error"):
        read_source("mine", entry, search=[], downloads=tmp_path)
    server.append((200, 5, b"<TEI>"))
    with pytest.raises(CorpusError, match=f"than the pinned {entry['sha256']}; allow_other"):
        read_source("mine", entry, search=[], downloads=tmp_path)
    assert left_in(tmp_path) == []


def test_another_hash_is_used_where_that_is_allowed(server, tmp_path):
    server.append((200, len(PLAY), PLAY))
    entry = DRACOR | {"sha256": "0" * 64}
    source = read_source("mine", entry, [], tmp_path, allow_other_hashes=True)
    assert (source.origin, source.check) == ("downloaded", "differs")


def test_tartuffe_lies_where_nltk_would_look(server, tmp_path):
    server.append((200, len(PLAY), PLAY))
    read_source("mine", DRACOR, [], tmp_path)
    assert read_source("mine", DRACOR, [tmp_path]).origin == "search path"
    assert left_in(tmp_path) == [tmp_path / TARTUFFE]


def test_a_download_of_another_text_is_not_kept(tmp_path, server):
    raw = archive(dict.fromkeys(FILES, b"other"))
    server.append((200, len(raw), raw))
    with pytest.raises(CorpusError, match="the text in"):
        read_source("mine", PACKAGE | {"content_sha256": "0" * 64}, [], downloads=tmp_path)
    assert left_in(tmp_path) == []
