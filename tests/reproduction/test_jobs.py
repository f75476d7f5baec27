"""The log of a job: all it prints, and the traceback of its failure."""

import errno
import os
from types import SimpleNamespace

import pytest

from reproduction.jobs import logged, write_rows

FULL = "/dev/full"  # a disk on which no room is left


def job(log):
    """Return what Snakemake gives to a script, as far as its log needs it."""
    return SimpleNamespace(log=[str(log)])


def test_what_is_printed_goes_to_the_log(tmp_path, capsys):
    log = tmp_path / "job.log"
    with logged(job(log)):
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
        (MemoryError(), "error: MemoryError"),
        (KeyboardInterrupt(), "error: KeyboardInterrupt"),
        (OSError(13, "Denied", "c.csv"), "error: [Errno 13] Denied: 'c.csv'"),
    ],
)
def test_a_failure_is_one_line_with_its_cause(tmp_path, error, line):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit) as end, logged(job(log)):
        raise error
    assert end.value.code == line  # Python prints it, and ends with status 1
    assert "Traceback" in log.read_text()


@pytest.mark.skipif(not os.path.exists(FULL), reason=f"this system has no {FULL}")
def test_a_full_disk_is_an_error_of_the_job(tmp_path):
    with pytest.raises(SystemExit, match=os.strerror(errno.ENOSPC)), logged(job(tmp_path / "log")):
        write_rows(FULL, ("a",), [{"a": number} for number in range(5000)])


def test_rows_keep_every_digit_and_a_header_stands_without_rows(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(path, ("a", "b"), [{"a": 1, "b": 0.1 + 0.2}])
    assert path.read_text() == "a,b\n1,0.30000000000000004\n"
    write_rows(path, ("a", "b"), [])
    assert path.read_text() == "a,b\n"


def test_rows_that_fail_leave_no_file(tmp_path):
    def rows():
        yield {"a": 1}
        raise ValueError("no second row")

    with pytest.raises(ValueError, match="no second row"):
        write_rows(tmp_path / "rows.csv", ("a",), rows())
    assert not list(tmp_path.iterdir())
