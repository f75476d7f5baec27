"""Signals that end a command: with one line, no part of a file left, and the signal's status.

A command arms itself with this module before it imports anything else: it imports little itself.
"""

import os
import select
import signal
import threading
from collections.abc import Callable

ENDING = ("SIGINT", "SIGTERM", "SIGHUP")  # where the system has them
# That a full pipe, which somebody may yet read, is waited for: a command is to end within two.
SECONDS = 1.0

_at_end: list[Callable[[], None]] = []


def call_at_end(function: Callable[[], None]) -> None:
    """Have a function called when a signal ends this process; it must not fail."""
    _at_end.append(function)


def end_on_signals(name: str = "condprob") -> None:
    """From now on let signals end this process at once, as the command of this name.

    A thread waits for them: the main one hears of a signal only between two lines of Python, and a
    compiler may be at work for seconds. Signals that are ignored, as under `nohup`, stay so.
    """
    if threading.current_thread() is not threading.main_thread() or _do_nothing in (
        signal.getsignal(getattr(signal, each)) for each in ENDING if hasattr(signal, each)
    ):
        return  # Only the main thread may, and once is enough.
    numbers = [getattr(signal, each) for each in ENDING if hasattr(signal, each)]
    watched = [n for n in numbers if signal.getsignal(n) not in (signal.SIG_IGN, None)]
    reader, writer = os.pipe()
    if hasattr(os, "set_blocking"):  # On Windows from Python 3.12 on, and not needed there.
        os.set_blocking(writer, False)
    threading.Thread(target=_wait, args=(reader, name, watched), daemon=True).start()
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in watched:
        signal.signal(number, _do_nothing)


def leave_signals() -> None:
    """Let signals that `end_on_signals` watches change nothing more: all is written and told.

    Python itself takes some milliseconds to end. Before that it forgets who waits for signals, and
    one would end it without a line.
    """
    for number in (getattr(signal, each) for each in ENDING if hasattr(signal, each)):
        if signal.getsignal(number) is _do_nothing:
            signal.signal(number, signal.SIG_IGN)


def _wait(reader: int, name: str, watched: list[int]) -> None:
    while (number := os.read(reader, 1)[0]) not in watched:
        pass
    for function in _at_end:
        function()
    try:
        if os.name != "posix" or select.select([], [2], [], SECONDS)[1]:
            os.write(2, f"{name}: ended by {signal.Signals(number).name}\n".encode())
    except (OSError, ValueError):  # It is closed.
        pass
    os._exit(128 + number)  # The main thread may be deep in compiled code.


def _do_nothing(number: int, frame: object) -> None:
    """Stand in for a handler: the number is on its way through the pipe."""
