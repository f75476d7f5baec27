"""The audit of the locks: with a database that answers, with none, and with one that is no such."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from reproduction.trust.audit import main

VULNERABLE = {
    "id": "PYSEC-2016-1",
    "summary": "Made up.",
    "affected": [
        {
            "package": {"name": "cardboard", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.2"}]}],
        }
    ],
}
LOCK = "".join(
    f"{pin} \\\n    --hash=sha256:{64 * 'a'}\n" for pin in ("cardboard==1.1", "granite==2.0")
)


class Database(BaseHTTPRequestHandler):
    """Answers as OSV does; what it answers of each package is an attribute of the server."""

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((question["package"]["name"], question["version"]))
        answer = self.server.answers.get(question["package"]["name"], b"{}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def database(monkeypatch):
    """A database on this machine, which no proxy stands before."""
    for scheme in ("http", "https", "all"):
        monkeypatch.delenv(f"{scheme}_proxy", raising=False)
        monkeypatch.delenv(f"{scheme.upper()}_PROXY", raising=False)
    with HTTPServer(("127.0.0.1", 0), Database) as server:
        server.asked, server.answers = [], {}
        server.url = f"http://127.0.0.1:{server.server_port}/v1/query"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def lock(tmp_path):
    path = tmp_path / "requirements.txt"
    path.write_text(LOCK)
    return str(path)


def test_a_vulnerable_version_is_named_and_fails(database, lock, capsys):
    database.answers["cardboard"] = json.dumps({"vulns": [VULNERABLE]}).encode()
    assert main([lock, "--service", database.url]) == 1
    assert capsys.readouterr().out == f"{lock}: cardboard 1.1: PYSEC-2016-1, mended in 1.2\n"
    assert {("cardboard", "1.1"), ("granite", "2.0")} <= {*database.asked}


def test_nothing_vulnerable_is_said(database, lock, capsys):
    assert main([lock, "--service", database.url]) == 0
    assert capsys.readouterr().out == "no known vulnerability in 2 pinned versions\n"


@pytest.mark.parametrize("service", ["http://127.0.0.1:9/", "http://nowhere.invalid/", "nowhere"])
def test_no_network_is_one_line_and_no_failure(lock, capsys, service):
    assert main([lock, "--service", service]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"not audited for known vulnerabilities: {service} gives no answer: ")
    assert told.count("\n") == 1


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b""])
def test_another_answer_than_that_of_a_database_is_none(database, lock, capsys, answer):
    database.answers["pip"] = answer  # of which it is asked first
    assert main([lock, "--service", database.url]) == 0
    assert "gives no answer: " in capsys.readouterr().out


def test_a_lock_that_cannot_be_audited_is_an_error(database, tmp_path, capsys):
    (tmp_path / "requirements.txt").write_text("cardboard>=1.1\n")
    assert main([str(tmp_path / "requirements.txt"), "--service", database.url]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: pip-audit gives no answer for ")
    assert printed.err.count("\n") == 1
