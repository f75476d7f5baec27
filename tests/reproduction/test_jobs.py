"""The log of a job: all it prints, its time, and the traceback of its failure."""

import json
import time

import pytest

from reproduction.jobs import logged, read_spent, write_rows


def test_what_is_printed_goes_to_the_log_and_ends_with_the_time(tmp_path, capsys):
    log = tmp_path / "job.log"
    with logged(log):
        print("hello")
    first, last = log.read_text().splitlines()
    assert first == "hello"
    assert json.loads(last)["memory"] > 1
    assert capsys.readouterr() == ("", "")


def spin(seconds):
    """Keep the processor busy."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_log_tells_imports_from_work_wherever_they_are_made(tmp_path, monkeypatch):
    module = f"from {__name__} import spin\nspin(0.2)\nimport {{}}\n"
    (tmp_path / "slow_outer.py").write_text(module.format("slow_inner"))
    (tmp_path / "slow_inner.py").write_text(module.format("math"))
    monkeypatch.syspath_prepend(tmp_path)
    log, plain = tmp_path / "job.log", __import__
    with logged(log):
        import slow_outer  # noqa: F401

        spin(0.1)
    spent = read_spent(log)
    assert list(spent) == ["start", "imports", "work", "clock", "memory"]
    assert spent["imports"] >= 0.4  # the inner one, too, and once
    assert 0.1 <= spent["work"] < spent["imports"]
    assert __import__ is plain


def test_log_of_a_failure_tells_no_time(tmp_path):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit), logged(log):
        raise ValueError("no")
    assert read_spent(log) == {}
    log.write_text("")
    assert read_spent(log) == {}


def test_a_failure_leaves_its_traceback_in_the_log_and_one_line_on_the_terminal(tmp_path, capsys):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit), logged(log):
        raise ValueError("no such thing")
    assert "Traceback" in log.read_text()
    assert capsys.readouterr().err == "error: no such thing\n"


def test_rows_keep_every_digit_and_a_header_stands_without_rows(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(path, ("a", "b"), [{"a": 1, "b": 0.1 + 0.2}])
    assert path.read_text() == "a,b\n1,0.30000000000000004\n"
    write_rows(path, ("a", "b"), [])
    assert path.read_text() == "a,b\n"
