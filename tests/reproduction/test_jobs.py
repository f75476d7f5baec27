"""The log of a job: all it prints, and the traceback of its failure."""

import pytest

from reproduction.jobs import logged, write_rows


def test_what_is_printed_goes_to_the_log(tmp_path, capsys):
    log = tmp_path / "job.log"
    with logged(log):
        print("hello")
    assert log.read_text() == "hello\n"
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no such thing"), "error: no such thing"),
        (ValueError("two\n  lines"), "error: two lines"),
        (KeyError("method"), "error: KeyError: 'method'"),
        (KeyError("no column 'method' here"), "error: KeyError: \"no column 'method' here\""),
        (IndexError("list index out of range"), "error: IndexError: list index out of range"),
        (MemoryError(), "error: MemoryError"),
        (ValueError("5"), "error: ValueError: 5"),
    ],
)
def test_a_failure_is_one_line_that_makes_sense_by_itself(tmp_path, capsys, error, line):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit) as end, logged(log):
        raise error
    assert end.value.code == 1
    assert "Traceback" in log.read_text()
    assert capsys.readouterr() == ("", line + "\n")


def test_rows_keep_every_digit_and_a_header_stands_without_rows(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(path, ("a", "b"), [{"a": 1, "b": 0.1 + 0.2}])
    assert path.read_text() == "a,b\n1,0.30000000000000004\n"
    write_rows(path, ("a", "b"), [])
    assert path.read_text() == "a,b\n"
