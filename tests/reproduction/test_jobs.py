"""The log of a job: all it prints, and the traceback of its failure."""

import ast
import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from condprob.interrupts import ENDING, unfinished
from reproduction.jobs import TOKEN, logged, write_rows

FULL = "/dev/full"  # a disk on which no room is left
SCRIPTS = sorted((Path(__file__).parents[2] / "workflow" / "scripts").glob("*.py"))


@pytest.fixture(autouse=True)
def as_before():
    """A job hears signals in its own way, which this process is not to keep."""
    before = {number: signal.getsignal(number) for number in (getattr(signal, n) for n in ENDING)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    unfinished.clear()


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


def test_no_moment_is_left_in_which_an_interrupt_is_an_error_of_the_job(tmp_path, monkeypatch):
    """The signal is ignored while Python starts; from then on it ends the job."""
    heard, real = [], signal.signal
    real(signal.SIGINT, signal.SIG_IGN)
    (tmp_path / "token").touch()
    monkeypatch.setenv(TOKEN, str(tmp_path / "token"))
    monkeypatch.setattr(signal, "signal", lambda *given: heard.append(given) or real(*given))
    with logged(job(tmp_path / "job.log")):
        assert callable(signal.getsignal(signal.SIGINT))
    assert [number for number, _ in heard].count(signal.SIGINT) == 1
    assert signal.default_int_handler not in [handler for _, handler in heard]


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


def test_rows_that_fail_leave_no_file(tmp_path):
    def rows():
        yield {"a": 1}
        raise ValueError("no second row")

    with pytest.raises(ValueError, match="no second row"):
        write_rows(tmp_path / "rows.csv", ("a",), rows())
    assert not list(tmp_path.iterdir())


def test_a_failed_job_leaves_nothing_of_its_outputs(tmp_path):
    outputs = [tmp_path / "a.csv", tmp_path / "b.png"]
    outputs[0].write_text("half a ta")
    with pytest.raises(SystemExit), logged(job(tmp_path / "job.log", *outputs)):
        raise ValueError("no more")
    assert not any(path.exists() for path in outputs)


JOB = """
import signal, sys
from pathlib import Path
from types import SimpleNamespace
signal.signal(signal.SIGINT, getattr(signal, sys.argv[1]))  # as the shell of a job starts Python
from reproduction.jobs import logged
with logged(SimpleNamespace(log=["job.log"], output=["a.csv"], input=[])):
    print("begun")
    Path("a.csv").write_text("half a ta")
    print("ready", file=sys.__stdout__, flush=True)
    signal.pause()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("how", "at_start", "is_told", "status"),
    [
        (signal.SIGTERM, "SIG_DFL", False, 128 + signal.SIGTERM),
        (signal.SIGINT, "default_int_handler", False, 128 + signal.SIGINT),
        (signal.SIGINT, "SIG_IGN", True, 128 + signal.SIGINT),
        (
            signal.SIGINT,
            "SIG_IGN",
            False,
            -signal.SIGKILL,
        ),  # in a shell's background: heard by none
    ],
)
def test_a_job_that_a_signal_ends_leaves_a_log_alone(tmp_path, how, at_start, is_told, status):
    """The second signal, an impatient one, changes nothing."""
    (tmp_path / "token").touch()
    token = {TOKEN: str(tmp_path / "token")} if is_told else {}
    process = subprocess.Popen(
        [sys.executable, "-c", JOB, at_start],
        cwd=tmp_path,
        env=os.environ | token,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    for _ in range(2):
        process.send_signal(how)
    if status < 0:
        time.sleep(0.5)
        assert process.poll() is None
        process.kill()
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == status
    if status > 0:
        log = (tmp_path / "job.log").read_text()
        assert log == f"begun\nthe job: ended by {how.name}\n"
        assert not (tmp_path / "a.csv").exists()


def test_a_job_that_begins_when_its_run_was_interrupted_ends_at_once(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", JOB, "SIG_IGN"],
        cwd=tmp_path,
        env=os.environ | {TOKEN: str(tmp_path / "token")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "")
    assert (tmp_path / "job.log").read_text() == "the job: ended by SIGINT\n"
