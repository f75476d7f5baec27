"""What the workflow's scripts share: a log that holds all they say, and rows in a CSV."""

import builtins
import csv
import faulthandler
import gc
import json
import sys
import time
import traceback
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

PARTS = ("start", "imports", "work")  # of a job's time on the processor


@contextmanager
def logged(path):
    """Send what a job prints to its log, and end it with what it took, or a traceback.

    The last line tells seconds of the processor before the job's own first line (``start``), in
    ``imports`` and at ``work``; seconds by the ``clock``; and the most ``memory`` it held, in MB.
    An error is also told on the terminal, in one line.
    """
    start, started = time.process_time(), time.perf_counter()
    with open(path, "w", encoding="utf-8", buffering=1) as log, timed_imports() as imports:
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
        spent = {
            "start": start,
            "imports": imports[0],
            "work": time.process_time() - start - imports[0],
            "clock": time.perf_counter() - started,
            "memory": peak_memory() / 1e6,
        }
        print(json.dumps({name: round(value, 3) for name, value in spent.items()}), file=log)
    gc.freeze()  # searched for cycles, all that was imported would take 0.2 s to end


@contextmanager
def timed_imports():
    """Yield a list of one number: the processor's seconds in imports, wherever they are made.

    Modules stay: no import is interrupted to search them for garbage, which saves a fifth.
    """
    seconds, plain, outermost = [0.0], builtins.__import__, [True]

    def timed(*arguments, **options):
        if not outermost[0]:
            return plain(*arguments, **options)
        outermost[0], started = False, time.process_time()
        gc.disable()
        try:
            return plain(*arguments, **options)
        finally:
            gc.enable()
            outermost[0] = True
            seconds[0] += time.process_time() - started

    builtins.__import__ = timed
    try:
        yield seconds
    finally:
        builtins.__import__ = plain


def read_spent(log):
    """Return what the last line of a job's log tells; nothing where it failed."""
    lines = Path(log).read_text(encoding="utf-8").splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith('{"start": ') else {}


def peak_memory():
    """Return the most memory that this process has held, in bytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])
    except OSError:  # not Linux, where `ru_maxrss` is at least that of the parent
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def write_rows(path, columns, rows):
    """Write dictionaries with these keys as a CSV, floats with every digit; a header if none."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
