"""What the workflow's scripts share: a log that holds all they print, and rows in a CSV."""

import csv
import faulthandler
import os
import sys
import time
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout

SKEW = 60.0  # seconds that the clock of another machine, which wrote a file, may be ahead


@contextmanager
def logged(job):
    """Send what a job, the ``snakemake`` of a script, prints to its log, which is written anew.

    An error ends the job: the log gets the traceback, the terminal gets one line. So does a module
    of the job's that changed meanwhile: which half of it was run cannot be known, and its results
    would be newer than the change. Scripts import what they run inside, so that it is looked at
    before; this module alone is imported beforehand, and a change of it in that moment is not seen.
    """
    failure = None
    try:
        with open(job.log[0], "w", encoding="utf-8", buffering=1) as log:
            faulthandler.enable(log)  # a crash in compiled code leaves its stack there, too
            try:
                with redirect_stdout(log), redirect_stderr(log):
                    warnings.simplefilter("default")
                    before = read_modules(job.input)
                    check_times(job.input)
                    yield
                    check_modules(before, read_modules(job.input))
            except (Exception, KeyboardInterrupt) as error:
                failure = error
                traceback.print_exc(file=log)
            finally:
                faulthandler.disable()
    except OSError as error:  # of the log itself: what the job told before is worth more
        failure = failure or error
    if failure:
        print(f"error: {describe_error(failure, job.output)}", file=sys.stderr)
        sys.exit(1)


def check_times(inputs):
    """Raise RuntimeError if an input says that it is from the future.

    Results would be older than it, and Snakemake throws them away when they are made.
    """
    for path in map(str, inputs):
        if os.path.exists(path) and os.stat(path).st_mtime > time.time() + SKEW:
            raise RuntimeError(f"{path} has a time in the future: `touch` it, then run again")


def read_modules(inputs):
    """Return when each module among a job's inputs was changed last, and its size."""
    found = {}
    for path in map(str, inputs):
        if path.endswith(".py"):
            told = os.stat(path)
            found[path] = told.st_mtime_ns, told.st_size
    return found


def check_modules(before, after):
    """Raise RuntimeError if a module is not what it was."""
    changed = [path for path, told in after.items() if before.get(path) != told]
    if changed:
        raise RuntimeError(f"{', '.join(changed)} changed while the job ran: run again")


def describe_error(error, outputs=()):
    """Return an error's message in one line.

    The type of the error comes first where the message alone says nothing: that of a ``KeyError``
    is the key, and some errors have a word or no message at all. A disk that takes no more names
    no file: the files that were being made come after the message.
    """
    message = " ".join(str(error).split())
    if isinstance(error, LookupError) or " " not in message:
        return f"{type(error).__name__}: {message}" if message else type(error).__name__
    if isinstance(error, OSError) and error.filename is None and outputs:
        return f"{message}: {', '.join(outputs)}"
    return message


def write_rows(path, columns, rows):
    """Write dictionaries with these keys as a CSV, floats with every digit; a header if none."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
