"""The workflow's scripts share a log that holds all they print, and the writing of rows."""

import csv
import faulthandler
import os
import signal
import sys
import time
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress

TOKEN = "CONDPROB_RUN_TOKEN"  # names a file that is there until the run is interrupted
LARGEST_SKEW = 60.0  # seconds that the clock of another machine, which wrote a file, may be ahead


@contextmanager
def logged(job):
    """Send all that a job prints to its log, which is written anew.

    The job is the ``snakemake`` of a script. An error ends the job: the log gets the traceback, the
    terminal gets one line, and nothing is left of the job's outputs. So do the signals that end
    commands; the log tells which. A module of the job that changed meanwhile is an error, too:
    nobody can know which version was run, and the results would be newer than the change. Therefore
    scripts import their modules inside of the context, after the first look at them. This module
    alone is imported before, and a change of it in that moment is not seen.
    """
    failure = None
    try:
        with open(job.log[0], "w", encoding="utf-8", buffering=1) as log:
            faulthandler.enable(log)  # a crash in compiled code leaves its stack there, too
            try:
                with redirect_stdout(log), redirect_stderr(log):
                    warnings.simplefilter("default")
                    before = read_modules(job.input)
                    heed_signals(job, log)
                    check_times(job.input)
                    yield
                    check_modules(before, read_modules(job.input))
            except (Exception, KeyboardInterrupt) as error:
                failure = error
                traceback.print_exc(file=log)
            finally:
                faulthandler.disable()
    except OSError as error:  # of the log itself; the job's own error says more
        failure = failure or error
    if failure:
        for path in filter(os.path.isfile, job.output):
            with suppress(OSError):
                os.unlink(path)
        print(f"error: {describe_error(failure, job.output)}", file=sys.stderr)
        sys.exit(1)


def heed_signals(job, log):
    """From now on let signals end a job: nothing is left of its outputs, and its log says so."""
    from condprob.interrupts import end_on_signals, unfinished  # after the first look at modules

    unfinished.update(map(str, job.output))
    token = os.environ.get(TOKEN)
    # With a token the signal was ignored while Python started.
    end_on_signals("the job", log.fileno(), (signal.SIGINT,) if token else ())
    if token and not os.path.exists(token):
        signal.raise_signal(signal.SIGINT)


def tell(line):
    """Print a line on the terminal, past the log."""
    print(line, file=sys.__stderr__, flush=True)


def check_times(inputs):
    """Raise RuntimeError if the time of an input lies in the future.

    Results would be older than the input, and Snakemake throws such results away.
    """
    for path in map(str, inputs):
        if os.path.exists(path) and os.stat(path).st_mtime > time.time() + LARGEST_SKEW:
            raise RuntimeError(f"{path} has a time in the future: `touch` it, then run again")


def read_modules(inputs):
    """Return the time of the last change of each module among a job's inputs, and its size."""
    found = {}
    for path in map(str, inputs):
        if path.endswith(".py"):
            status = os.stat(path)
            found[path] = status.st_mtime_ns, status.st_size
    return found


def check_modules(before, after):
    """Raise RuntimeError if a module has changed."""
    changed = [path for path, status in after.items() if before.get(path) != status]
    if changed:
        raise RuntimeError(f"{', '.join(changed)} changed while the job ran: run again")


def describe_error(error, outputs=()):
    """Return an error's message in one line.

    The type of the error comes first where the message alone says nothing: the message of a
    ``KeyError`` is the key, and some errors have a word or no message at all. The error of a full
    disk names no file: the job's outputs come after its message.
    """
    message = " ".join(str(error).split())
    if isinstance(error, LookupError) or " " not in message:
        return f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, OSError) and error.filename is None and outputs:
        return f"{message}: {', '.join(outputs)}"
    return message


def write_rows(path, columns, rows):
    """Write dictionaries with these keys as a CSV, floats with every digit; a header if none.

    The file is begun when all rows are there.
    """
    rows = list(rows)
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
