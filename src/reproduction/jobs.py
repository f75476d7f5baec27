"""What the workflow's scripts share: a log that holds all they print, and the writing of rows."""

import csv
import faulthandler
import sys
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout


@contextmanager
def logged(job):
    """Send all that a job prints to its log; a failure is a traceback there and a line here.

    The job is the ``snakemake`` of a script. Snakemake removes the outputs of a job that fails.
    """
    with open(job.log[0], "w", encoding="utf-8", buffering=1) as log:
        faulthandler.enable(log)  # a crash in compiled code leaves its stack there, too
        try:
            with redirect_stdout(log), redirect_stderr(log):
                warnings.simplefilter("default")
                yield
        except (Exception, KeyboardInterrupt) as error:
            traceback.print_exc(file=log)
            sys.exit(f"error: {describe_error(error)}")
        finally:
            faulthandler.disable()


def describe_error(error):
    """Return an error's message in one line.

    The type of the error comes first where the message by itself says nothing: the message of a
    ``KeyError`` is the key, and some errors have a word or no message at all.
    """
    message = " ".join(str(error).split())
    if isinstance(error, LookupError) or " " not in message:
        return f"{type(error).__name__}: {message}" if message else type(error).__name__
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
