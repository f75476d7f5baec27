"""What the workflow's scripts share: a log that holds all they print, and rows in a CSV."""

import csv
import faulthandler
import sys
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout


@contextmanager
def logged(path):
    """Send what a job prints to its log.

    An error ends the job: the log gets the traceback, the terminal gets one line.

    Parameters
    ----------
    path : str or Path
        The log file, which is written anew.
    """
    with open(path, "w", encoding="utf-8", buffering=1) as log:
        faulthandler.enable(log)  # a crash in compiled code leaves its stack there, too
        try:
            with redirect_stdout(log), redirect_stderr(log):
                warnings.simplefilter("default")
                yield
        except Exception as error:
            traceback.print_exc(file=log)
            print(f"error: {describe_error(error)}", file=sys.stderr)
            sys.exit(1)
        finally:
            faulthandler.disable()


def describe_error(error):
    """Return an error's message in one line.

    The type of the error comes first where the message alone says nothing: that of a ``KeyError``
    is the key, and some errors have a word or no message at all.
    """
    message = " ".join(str(error).split())
    if isinstance(error, LookupError) or " " not in message:
        return f"{type(error).__name__}: {message}" if message else type(error).__name__
    return message


def write_rows(path, columns, rows):
    """Write dictionaries with these keys as a CSV, floats with every digit; a header if none."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
