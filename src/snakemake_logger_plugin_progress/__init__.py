"""A line for each job that has ended, with an estimate of the time that is left.

A logger plugin of Snakemake, which finds it by the name of this package:
``snakemake -j8 --logger progress``. The targets of the Makefile use it.
"""

import builtins
import os
import sys
import time
from collections import Counter, defaultdict
from logging import WARNING

from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

TOKEN = "CONDPROB_RUN_TOKEN"  # names a file that is there until the run is interrupted
# What Snakemake says of a job whose shell heard Ctrl-C before it could ignore it.
BY_INTERRUPT = "died with <Signals.SIGINT"
OF_CACHE = "Snakemake's cache: set XDG_CACHE_HOME to a folder that can be written to"
# Snakemake's own words take a screen and name options of its own.
ADVICE = {
    "LockException": "error: a run is at work in this folder, or one was killed: wait for its end; "
    "if there is none, `make resume` goes on",
    # It may come before the other: a live run's file is half written for a moment.
    "IncompleteFilesException": "error: a run is at work in this folder, or one was killed and "
    "left files half written: wait for its end; if there is none, `make resume` makes them again",
}


class LogHandler(LogHandlerBase):
    """Print jobs as they end, and errors; a dry run prints as without this plugin."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self):
        """Start with no job known."""
        self.jobs = {}  # by id: rule and message
        self.started = {}  # by id: when
        self.is_interrupted = False
        self.estimate = Estimate()

    def emit(self, record):
        """Print the message of a record of Snakemake's, if a reader wants to know it."""
        event = getattr(record, "event", None)
        if self.common_settings.dryrun and event != LogEvent.ERROR:
            self._print(self.format(record))
            return
        message = {
            LogEvent.RUN_INFO: self._start_run,
            LogEvent.JOB_INFO: self._note_job,
            LogEvent.JOB_STARTED: self._start_jobs,
            LogEvent.JOB_FINISHED: self._finish_job,
            LogEvent.JOB_ERROR: self._fail_job,
            LogEvent.ERROR: self._describe_error,
        }.get(event, self._describe_other)(record)
        if message:
            self._print(message)

    def _print(self, text):
        # With its end in one piece: another thread writes lines, too.
        stream = sys.stdout if self.common_settings.stdout else sys.stderr
        print(f"{text}\n", end="", file=stream, flush=True)

    def _start_run(self, record):
        counts = {rule: count for rule, count in record.stats.items() if rule != "total"}
        self.estimate = Estimate(counts)
        return f"{record.stats['total']} jobs"

    def _note_job(self, record):
        self.jobs[record.jobid] = record.rule_name, record.rule_msg

    def _start_jobs(self, record):
        self.started |= dict.fromkeys(record.jobs, time.monotonic())

    def _finish_job(self, record):
        now = time.monotonic()
        seconds = now - self.started.get(record.job_id, now)
        rule, message = self.jobs.get(record.job_id, ("", ""))
        self.estimate.add(rule, seconds)
        done, total = self.estimate.done, self.estimate.total
        left = self.estimate.seconds_left()
        end = f"; {describe_seconds(left)} left" if left else ""
        # A target has no message: nothing was made for it.
        return message and f"[{done:>{len(str(total))}}/{total}] {message} ({seconds:.1f} s{end})"

    def _fail_job(self, record):
        rule, message = self.jobs.get(record.jobid, (record.rule_name, ""))
        self.is_interrupted |= _is_token_gone()
        if self.is_interrupted or any(map(_was_ended, record.log or ())):
            return f"interrupted: {message or rule}"
        if record.log and all(map(_is_empty, record.log)):  # an error would have been written
            return f"ended by a signal, or without room for its log: {message or rule}"
        return f"failed: {message or rule} (see {', '.join(record.log) or 'above'})"

    def _describe_error(self, record):
        name, text = record.exception, record.getMessage()
        if name in ADVICE:
            return ADVICE[name]
        self.is_interrupted |= BY_INTERRUPT in text
        if name == "RuleException" and "CalledProcessError" in text:
            return ""  # the script has printed it in one line; its JOB_ERROR follows
        if self.is_interrupted and text.startswith("WorkflowError:\nAt least one job"):
            return ""  # and not all of a run that was interrupted: its other lines say so
        if name in ("RuleException", "WorkflowError"):
            return " ".join(text.split())
        if issubclass(getattr(builtins, name, object), OSError):
            last = text.splitlines()[-1]  # such as a folder that is read-only: no traceback
            return f"{last}: {OF_CACHE}" if "sourcecache.py" in text else last
        return text

    def _describe_other(self, record):
        text = record.getMessage()
        self.is_interrupted |= text.startswith("Terminating processes on user request")
        return text if record.levelno >= WARNING or text == NOTHING_TO_BE_DONE_MSG else ""


def _is_token_gone():
    """Whether the run has been interrupted, as its jobs see it: before Snakemake says so."""
    return TOKEN in os.environ and not os.path.exists(os.environ[TOKEN])


def _was_ended(path):
    """Whether a job's log says last that a signal ended the job."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            return ": ended by SIG" in log.readlines()[-1]
    except (OSError, IndexError):
        return False


def _is_empty(path):
    """Whether a file is there, with nothing in it."""
    return os.path.isfile(path) and not os.path.getsize(path)


class Estimate:
    """How long a run will yet take, from the jobs that have ended.

    The jobs that are left are taken to last as long as those of the same rule did, or as those of
    all rules where none of it has ended; and as many to run side by side as did so far.
    """

    def __init__(self, counts=()):
        """Take the number of jobs of each rule."""
        self.counts, self.spent, self.ended = Counter(counts), defaultdict(float), Counter()
        self.began = time.monotonic()

    @property
    def done(self):
        """The number of jobs that have ended."""
        return self.ended.total()

    @property
    def total(self):
        """The number of all jobs."""
        return self.counts.total()

    def add(self, rule, seconds):
        """Count a job that has ended."""
        self.spent[rule] += seconds
        self.ended[rule] += 1

    def seconds_left(self):
        """Return the seconds that are left, 0 where nothing can be said."""
        spent, passed = sum(self.spent.values()), time.monotonic() - self.began
        if not (spent and passed):
            return 0.0
        ahead = 0.0
        for rule, count in self.counts.items():
            by_rule = self.ended[rule] > 0
            mean = self.spent[rule] / self.ended[rule] if by_rule else spent / self.done
            ahead += mean * (count - self.ended[rule])
        return ahead * passed / max(spent, passed)


def describe_seconds(seconds):
    """Write a time as one would say it."""
    if seconds < 60:
        return f"about {max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 60 else f"about {minutes // 60} h {minutes % 60} min"
