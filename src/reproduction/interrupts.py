"""Ctrl-C ends a run, with a line for each job that was at work, and one for the run.

A terminal sends the signal to every process of a run. A job hears it from the moment on in which
its log is open (`reproduction.jobs.logged`), and ends. Before that moment, while Python starts, the
signal is ignored, or Python would print where it was: such a job finds the run's token gone, or it
hears the signal that the run sends once more after it has taken the token away.
"""

import atexit
import os
import signal
import sys
from contextlib import suppress

# `end_at_once` is there before anything else is: what takes long to import is imported below.

# Before the commands of jobs: Snakemake's own prefix, and the signal is ignored.
SHELL_PREFIX = "trap '' INT; set -euo pipefail; "
STATUS_OF_INTERRUPT = 130  # exit status of a shell, for SIGINT
KEPT = "What was made is kept: the same command goes on."


def end_at_once(number, frame):
    """End this process in one line: as a handler of a signal, while nothing has begun."""
    _say(f"interrupted. {KEPT}")
    os._exit(STATUS_OF_INTERRUPT)


def end_at_interrupts():
    """Let the first Ctrl-C end this process, and a further one say that it is ending.

    Snakemake waits for its jobs after the first; a second one would meet it anywhere. Where the
    signal is ignored, as in a shell's background, it stays ignored.
    """
    if signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, end_at_once):
        return

    import psutil

    def interrupt(number, frame):
        signal.signal(signal.SIGINT, lambda *_: _say("It is ending: its jobs are ending, too."))
        _take_token()
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGINT)
        raise KeyboardInterrupt

    def describe(kind, error, trace):
        if issubclass(kind, KeyboardInterrupt):
            _say(f"interrupted. {KEPT}")
        else:
            sys.__excepthook__(kind, error, trace)

    signal.signal(signal.SIGINT, interrupt)
    sys.excepthook = describe


def give_token():
    """Make the token of this run, which its jobs look for."""
    import tempfile

    from reproduction.jobs import TOKEN

    handle, os.environ[TOKEN] = tempfile.mkstemp(prefix="condprob-run-")
    os.close(handle)
    atexit.register(_take_token)


def _take_token():
    from reproduction.jobs import TOKEN

    with suppress(KeyError, OSError):
        os.unlink(os.environ[TOKEN])


def _say(line):
    with suppress(OSError):  # standard error is closed
        os.write(2, f"{line}\n".encode())
