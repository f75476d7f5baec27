"""The log of a job: all it prints, and the traceback of its failure."""

import ast
import errno
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from reproduction.jobs import logged, write_rows

FULL = "/dev/full"  # a disk on which no room is left
SCRIPTS = sorted((Path(__file__).parents[2] / "workflow" / "scripts").glob("*.py"))


def job(log, *outputs, inputs=()):
    """Return what Snakemake gives to a script, as far as its log needs it."""
    return SimpleNamespace(log=[str(log)], output=[str(path) for path in outputs], input=inputs)


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
        (IndexError("list index out of range"), "error: IndexError: list index out of range"),
        (MemoryError(), "error: MemoryError"),
        (KeyboardInterrupt(), "error: KeyboardInterrupt"),
        (ValueError("5"), "error: ValueError: 5"),
        (OSError(28, "No space left"), "error: [Errno 28] No space left: a.csv, b.json"),
        (OSError(13, "Denied", "c.csv"), "error: [Errno 13] Denied: 'c.csv'"),
    ],
)
def test_a_failure_is_one_line_that_makes_sense_by_itself(tmp_path, capsys, error, line):
    log = tmp_path / "job.log"
    with pytest.raises(SystemExit) as end, logged(job(log, "a.csv", "b.json")):
        raise error
    assert end.value.code == 1
    assert "Traceback" in log.read_text()
    assert capsys.readouterr() == ("", line + "\n")


@pytest.mark.skipif(not os.path.exists(FULL), reason=f"this system has no {FULL}")
def test_a_full_disk_is_one_line_with_the_files_that_were_being_made(capsys):
    """Neither the output nor the log can be written: the line is that of the output."""
    with pytest.raises(SystemExit) as end, logged(job(FULL, FULL)):
        write_rows(FULL, ("a",), [{"a": number} for number in range(5000)])
    assert end.value.code == 1
    no_room = f"[Errno {errno.ENOSPC}] {os.strerror(errno.ENOSPC)}"
    assert capsys.readouterr() == ("", f"error: {no_room}: {FULL}\n")


@pytest.mark.skipif(not os.path.exists(FULL), reason=f"this system has no {FULL}")
def test_a_log_that_cannot_be_written_does_not_hide_the_failure(capsys):
    with pytest.raises(SystemExit), logged(job(FULL, "a.csv")):
        raise ValueError("no such thing")
    assert capsys.readouterr() == ("", "error: no such thing\n")


def test_a_log_that_cannot_be_opened_is_one_line(tmp_path, capsys):
    log = tmp_path / "missing" / "job.log"
    with pytest.raises(SystemExit), logged(job(log, "a.csv")):
        raise AssertionError("the job must not begin")
    no_folder = f"[Errno {errno.ENOENT}] {os.strerror(errno.ENOENT)}"
    assert capsys.readouterr() == ("", f"error: {no_folder}: '{log}'\n")


def test_a_module_that_changes_while_its_job_runs_fails_it(tmp_path, capsys):
    modules = [tmp_path / name for name in ("left.py", "edited.py")]
    for module in modules:
        module.write_text("a = 1\n")
    with pytest.raises(SystemExit) as end, logged(job(tmp_path / "job.log", inputs=modules)):
        modules[1].write_text("a = 20\n")
    assert end.value.code == 1
    line = f"error: {modules[1]} changed while the job ran: run again\n"
    assert capsys.readouterr() == ("", line)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_imports_what_it_runs_when_its_modules_have_been_looked_at(script):
    """Or a change between an import and that look would not be seen."""
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert node.module == "reproduction.jobs"
        elif not isinstance(node, ast.Expr | ast.FunctionDef):
            assert isinstance(node, ast.With)
            assert ast.unparse(node.items[0]) == "logged(snakemake)"


def test_an_input_from_the_future_is_an_error_before_the_job_begins(tmp_path, capsys):
    ahead = [tmp_path / "now.py", tmp_path / "later.csv"]
    for path in ahead:
        path.touch()
    os.utime(ahead[1], (time.time() + 3600, time.time() + 3600))
    with pytest.raises(SystemExit) as end, logged(job(tmp_path / "job.log", inputs=ahead)):
        raise AssertionError("the job must not begin")
    assert end.value.code == 1
    line = f"error: {ahead[1]} has a time in the future: `touch` it, then run again\n"
    assert capsys.readouterr() == ("", line)


def test_rows_keep_every_digit_and_a_header_stands_without_rows(tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(path, ("a", "b"), [{"a": 1, "b": 0.1 + 0.2}])
    assert path.read_text() == "a,b\n1,0.30000000000000004\n"
    write_rows(path, ("a", "b"), [])
    assert path.read_text() == "a,b\n"
