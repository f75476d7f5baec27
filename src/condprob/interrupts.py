"""Signals that end a command: with one line, no part of a file left, and the signal's status.

A command arms itself with this module before it imports anything else: it imports little itself.
"""

import os
import signal
from contextlib import suppress

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # where the system has them
unfinished: set[str] = set()  # files that are being written; see `files.replacing`


def end_on_signals(name: str = "condprob", to: int = 2, also: tuple[int, ...] = ()) -> None:
    """From now on let signals end this process between two lines of Python, as a command's.

    It says so in one line, by the process's name, to a file that is open: standard error.

    They raise no exception: within a callback of a compiler it would be lost. Ignored signals, as
    under `nohup`, stay ignored, but for the signals that ``also`` names.
    """

    def end(number: int, frame: object) -> None:
        for part in filter(os.path.isfile, tuple(unfinished)):
            with suppress(OSError):  # It is not there yet, or no more.
                os.unlink(part)
        with suppress(OSError):  # The file is closed.
            os.write(to, f"{name}: ended by {signal.Signals(number).name}\n".encode())
        os._exit(128 + number)

    for each in ENDING:
        number = getattr(signal, each, None)
        if number is None or signal.getsignal(number) is None:
            continue
        if number in also or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, end)
