"""The log of a job: all it prints, its time, and the traceback of its failure."""

import pytest

from condprob.study.jobs import logged, write_rows


def test_what_is_printed_goes_to_the_log_and_ends_with_the_time(tmp_path, capsys):
    log = tmp_path / "job.log"
    with logged(log):
        print("hello")
    first, last = log.read_text().splitlines()
    assert first == "hello"
    assert last.startswith("work: ")
    assert last.endswith(" s")
    assert capsys.readouterr() == ("", "")


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
