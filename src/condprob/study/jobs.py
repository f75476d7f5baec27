"""What the workflow's scripts share: a log that holds all they say, and rows in a CSV."""

import csv
import faulthandler
import sys
import time
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout


@contextmanager
def logged(path):
    """Send what a job prints to its log, and end it with the seconds of work or a traceback.

    An error is also told on the terminal, in one line.
    """
    started = time.perf_counter()
    with open(path, "w", encoding="utf-8", buffering=1) as log:
        faulthandler.enable(log)
        try:
            with redirect_stdout(log), redirect_stderr(log):
                warnings.simplefilter("default")
                yield
        except Exception as error:
            traceback.print_exc(file=log)
            print(f"error: {error}", file=sys.stderr)
            sys.exit(1)
        finally:
            faulthandler.disable()
        print(f"work: {time.perf_counter() - started:.3f} s", file=log)


def write_rows(path, columns, rows):
    """Write dictionaries with these keys as a CSV, floats with every digit; a header if none."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
