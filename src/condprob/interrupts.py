"""Signals that end a command: with one line, no part of a file left, and the signal's status.

A command arms itself with this module before it imports anything else: it imports little itself.
"""

import os
import signal
from contextlib import suppress

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # where the system has them
unfinished: set[str] = set()  # files that are being written; see `files.replacing`


def end_on_signals() -> None:
    """From now on let signals end this process between two lines of Python, as a command's.

    It says so in one line on standard error. The signals raise no exception: within a callback of
    a compiler it would be lost. Ignored signals, as under `nohup`, stay ignored.
    """

    def end(number: int, frame: object) -> None:
        for part in filter(os.path.isfile, tuple(unfinished)):
            with suppress(OSError):  # It is not there yet, or no more.
                os.unlink(part)
        with suppress(OSError):  # Standard error is closed.
            os.write(2, f"condprob: ended by {signal.Signals(number).name}\n".encode())
        os._exit(128 + number)

    for name in ENDING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) not in (None, signal.SIG_IGN):
            signal.signal(number, end)
