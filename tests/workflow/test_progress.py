"""The logger plugin: a line for each job that has ended, and an estimate of what is left."""

import logging
import os
import subprocess
from types import SimpleNamespace

import pytest
from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from reproduction.jobs import TOKEN
from snakemake_logger_plugin_progress import TOKEN as TOKEN_OF_PLUGIN
from snakemake_logger_plugin_progress import Estimate, LogHandler, describe_seconds


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets."""
    now = SimpleNamespace(time=100.0)
    monkeypatch.setattr("time.monotonic", lambda: now.time)
    return now


@pytest.fixture
def tell(capsys):
    """Hand records to the plugin as Snakemake does."""
    handler = LogHandler(SimpleNamespace(stdout=True, dryrun=False), None)

    def emit(event, message="", level=logging.INFO, **fields):
        record = logging.LogRecord("snakemake", level, "", 0, message, (), None)
        record.__dict__.update(fields, event=event)
        handler.emit(record)

    return emit


def start(tell):
    """Announce two fits and a target."""
    tell(LogEvent.RUN_INFO, "Job stats: ...", stats={"fit": 2, "all": 1, "total": 3})
    for id in (1, 2):
        job = {"jobid": id, "rule_name": "fit", "rule_msg": f"fitting {id}", "log": [f"{id}.log"]}
        tell(LogEvent.JOB_STARTED, "Execute 1 jobs...", jobs=[id])
        tell(LogEvent.JOB_INFO, "Rule: fit", **job)


def test_snakemake_finds_the_plugin():
    assert "progress" in LoggerPluginRegistry().get_registered_plugins()


def test_jobs_take_a_line_each_with_what_is_left(tell, clock, capsys):
    start(tell)
    clock.time += 30
    tell(LogEvent.JOB_FINISHED, job_id=1)
    tell(LogEvent.PROGRESS, "None", done=1, total=3)
    clock.time += 60
    tell(LogEvent.JOB_FINISHED, job_id=2)
    tell(LogEvent.JOB_INFO, "rule all", jobid=0, rule_name="all", rule_msg=None, log=[])
    tell(LogEvent.JOB_FINISHED, job_id=0)
    assert capsys.readouterr().out.splitlines() == [
        "3 jobs",
        "[1/3] fitting 1 (30.0 s; about 1 min left)",
        "[2/3] fitting 2 (90.0 s; about 45 s left)",
    ]


FAILED = 'RuleException:\nCalledProcessError in file "a.smk", line 1:\nCommand ... returned 1.'
NO_ROOM = 'RuleException:\nOSError in file "a.smk", line 1:\n[Errno 28] No space left'
NO_FOLDER = "WorkflowError:\nFailed to create output directory a.\nOSError: 'a'"
TRACEBACK = "Traceback (most recent call last):\n\n  File \"a.py\"\n\nPermissionError: 'a'\n"


def test_a_job_with_an_empty_log_was_ended_by_a_signal(tell, clock, capsys, tmp_path):
    start(tell)
    log = tmp_path / "2.log"
    log.touch()
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=2, rule_name="fit", log=[str(log)])
    assert capsys.readouterr().out.splitlines()[1:] == [
        "ended by a signal, or without room for its log: fitting 2"
    ]


def test_a_job_that_a_signal_ended_is_called_so(tell, clock, capsys, tmp_path):
    """By its log, or when the run is interrupted, whatever Snakemake makes of it."""
    start(tell)
    log = tmp_path / "2.log"
    log.write_text("  0%\nthe job: ended by SIGTERM\n")
    tell(LogEvent.ERROR, FAILED, logging.ERROR, exception="RuleException")
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=2, rule_name="fit", log=[str(log)])
    tell(None, "Terminating processes on user request, this might take some time.")
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=1, rule_name="fit", log=["1.log"])
    text = "WorkflowError:\nAt least one job did not complete successfully."
    tell(LogEvent.ERROR, text, logging.ERROR, exception="WorkflowError")
    assert capsys.readouterr().out.splitlines()[1:] == [
        "interrupted: fitting 2",
        "interrupted: fitting 1",
    ]


def test_a_job_that_ends_after_the_interrupt_is_interrupted(
    tell, clock, capsys, tmp_path, monkeypatch
):
    """Whatever ended it, and before Snakemake says anything: the run's token is gone."""
    start(tell)
    log, token = tmp_path / "1.log", tmp_path / "token"
    log.touch()
    token.touch()
    assert TOKEN == TOKEN_OF_PLUGIN
    monkeypatch.setenv(TOKEN, str(token))
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=1, rule_name="fit", log=[str(log)])
    token.unlink()
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=2, rule_name="fit", log=[str(log)])
    assert capsys.readouterr().out.splitlines()[1:] == [
        "ended by a signal, or without room for its log: fitting 1",
        "interrupted: fitting 2",
    ]


@pytest.mark.skipif(os.name != "posix", reason="a shell with signals is needed")
def test_a_shell_that_heard_ctrl_c_is_an_interrupted_job(tell, clock, capsys, tmp_path):
    """It may hear it before it ignores it: Snakemake tells by which signal it died."""
    start(tell)
    log = tmp_path / "1.log"
    log.touch()
    with pytest.raises(subprocess.CalledProcessError) as died:
        subprocess.run(["bash", "-c", "kill -INT $$; exit 3"], check=True)
    text = f'RuleException:\nCalledProcessError in file "a.smk", line 1:\n{died.value}'
    tell(LogEvent.ERROR, text, logging.ERROR, exception="RuleException")
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=1, rule_name="fit", log=[str(log)])
    assert capsys.readouterr().out.splitlines()[1:] == ["interrupted: fitting 1"]


def test_errors_are_printed_and_that_of_a_job_once(tell, clock, capsys):
    start(tell)
    tell(LogEvent.ERROR, FAILED, logging.ERROR, exception="RuleException")
    tell(LogEvent.JOB_ERROR, "Error in rule fit", jobid=2, rule_name="fit", log=["2.log"])
    tell(None, "take care", logging.WARNING)
    tell(None, "Select jobs to execute...")
    tell(None, NOTHING_TO_BE_DONE_MSG)
    assert capsys.readouterr().out.splitlines() == [
        "3 jobs",
        "failed: fitting 2 (see 2.log)",
        "take care",
        *NOTHING_TO_BE_DONE_MSG.splitlines(),
    ]


@pytest.mark.parametrize(
    ("exception", "message", "parts"),
    [
        ("LockException", "LockException:\nError: ...", ["error: a run is at work in this folder"]),
        (
            "IncompleteFilesException",
            "...",
            ["error: a run is at work", "half written", "`make resume`"],
        ),
        ("RuleException", NO_ROOM, ['"a.smk", line 1: [Errno 28] No space left']),
        ("WorkflowError", NO_FOLDER, ["Failed to create output directory a. OSError: 'a'"]),
        ("PermissionError", TRACEBACK, ["PermissionError: 'a'"]),
    ],
)
def test_errors_of_snakemake_are_one_line(tell, capsys, exception, message, parts):
    tell(LogEvent.ERROR, message, logging.ERROR, exception=exception)
    (line,) = capsys.readouterr().out.splitlines()
    assert all(part in line for part in parts)


def test_an_error_that_nobody_expects_is_printed_whole(tell, capsys):
    traceback = "Traceback:\n  deep inside\nKeyError: 1"
    tell(LogEvent.ERROR, traceback, logging.ERROR, exception="KeyError")
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_rules_of_which_none_has_ended_count_as_the_mean_of_all(clock):
    estimate = Estimate({"draw": 2, "fit": 10})
    assert estimate.seconds_left() == 0
    estimate.add("draw", 4)
    estimate.add("draw", 6)
    clock.time += 5  # two at a time
    assert estimate.seconds_left() == pytest.approx(10 * 5 / 2)
    estimate.add("fit", 20)
    clock.time += 10
    assert estimate.seconds_left() == pytest.approx(9 * 20 / 2)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "about 1 s"), (59, "about 59 s"), (200, "about 3 min"), (7300, "about 2 h 2 min")],
)
def test_times_are_written_as_one_would_say_them(seconds, text):
    assert describe_seconds(seconds) == text
