"""Snakemake in a fork of a process that has imported it: its imports take as long as a small run.

By itself this module is that process: a line of its input starts a run or asks how one has ended, a
line of its output is the answer.
"""

import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Run:
    """A fork that is at work, as `subprocess.Popen` has processes."""

    def __init__(self, server, pid, printed):
        self.server, self.pid, self.printed, self.returncode = server, pid, printed, None

    def poll(self):
        """Return the exit status of a run that has ended, else None."""
        if self.returncode is None:
            self.returncode = self.server.ask("poll", self.pid)
        return self.returncode

    def send_signal(self, how):
        """Send a signal to the run alone, not to its group."""
        os.kill(self.pid, how)

    def communicate(self, timeout=None):
        """Wait for the end; return what the run printed, errors too, and None."""
        end = time.monotonic() + (timeout or float("inf"))
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("a fork", timeout)
            time.sleep(0.02)
        text = self.printed.read_text(encoding="utf-8")
        self.printed.unlink()
        return text, None


class Server:
    """A process that forks; it is started by another command, if one is given."""

    def __init__(self, *started_by):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([*started_by, sys.executable, __file__], text=True, **pipes)

    def ask(self, *question):
        """Return the answer of the process, which begins no other before."""
        print(json.dumps(question), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def start(self, what, folder, environment, longest):
        """Start Snakemake with options, or a command of a shell.

        It is in a group of processes of its own, and killed after so many seconds.
        """
        opened, printed = tempfile.mkstemp()
        os.close(opened)
        pid = self.ask("start", what, str(folder), environment, longest, printed)
        return Run(self, pid, Path(printed))

    def stop(self):
        """End the process."""
        self.process.communicate()


SERVERS = []  # of this process: none before the first run, then one


def start(what, folder, environment, longest):
    """Start a run by the server of this process: see `Server.start`."""
    if not SERVERS:
        SERVERS.append(Server())
    return SERVERS[0].start(what, folder, environment, longest)


def run_snakemake(options, folder, environment, longest):
    """Run Snakemake to its end; return its exit status and what it printed, errors too."""
    run = start(options, folder, environment, longest)
    printed, _ = run.communicate()
    return run.returncode, printed


def stop():
    """End the server of this process, if it has one."""
    while SERVERS:
        SERVERS.pop().stop()


def serve():
    """Import what every run imports, and nothing of this project; fork for each run."""
    import jsonschema  # noqa: F401
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import scipy.optimize  # noqa: F401
    import smart_open  # noqa: F401
    import snakemake.cli
    import snakemake.report.html_reporter  # noqa: F401

    gc.freeze()  # a collection in a fork would visit, and so copy, all that stands here
    for line in sys.stdin:
        kind, *given = json.loads(line)
        print(json.dumps(start_fork(*given) if kind == "start" else status_of(*given)), flush=True)


def start_fork(*given):
    """Return the id of a fork, which becomes what is given."""
    pid = os.fork()
    if not pid:
        become(*given)
    return pid


def status_of(pid):
    """Return the exit status of a fork, None before its end."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def become(what, folder, environment, longest, printed):
    """Be what ``python -m snakemake`` or ``sh -c``, in a folder with an environment, would be."""
    from snakemake.cli import main

    os.setsid()
    # Python at its start; a shell's background job, and nohup, ignore these.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.alarm(longest)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    streams = os.open(os.devnull, os.O_RDONLY), os.open(printed, os.O_WRONLY | os.O_APPEND)
    for number, stream in enumerate((*streams, streams[1])):
        os.dup2(stream, number)
    if isinstance(what, str):
        os.execlp("sh", "sh", "-c", what)
    sys.path[:1] = [folder, environment["PYTHONPATH"]]  # in place of this module's folder
    sys.argv = ["snakemake", *what]
    main()


if __name__ == "__main__":
    serve()
