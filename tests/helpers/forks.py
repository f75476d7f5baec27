"""Snakemake in a fork of a process that has imported it: its imports take as long as a small run.

By itself this module is that process: a line of its input is a run, a line of its output how it
ended.
"""

import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


def heed_signals():
    """Heed what a shell's background job ignores, and nohup: a process passes that on."""
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_DFL)


class Server:
    """A process that forks; it is started by another command, if one is given."""

    def __init__(self, *started_by):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([*started_by, sys.executable, __file__], text=True, **pipes)

    def run(self, what, folder, environment, longest):
        """Run Snakemake with options, or a command of a shell, to its end.

        It is in a group of processes of its own, and killed after so many seconds. Returns its exit
        status and what it printed, errors too.
        """
        with tempfile.NamedTemporaryFile() as printed:
            given = what, str(folder), environment, longest, printed.name
            print(json.dumps(given), file=self.process.stdin, flush=True)
            status = int(self.process.stdout.readline())
            return status, Path(printed.name).read_text(encoding="utf-8")

    def stop(self):
        """End the process."""
        self.process.communicate()


SERVERS = []  # of this process: none before the first run, then one


def run_snakemake(options, folder, environment, longest):
    """Run Snakemake by the server of this process: see `Server.run`."""
    if not SERVERS:
        SERVERS.append(Server())
    return SERVERS[0].run(options, folder, environment, longest)


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
        child = os.fork()
        if not child:
            become(*json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def become(what, folder, environment, longest, printed):
    """Be what ``python -m snakemake`` or ``sh -c``, in a folder with an environment, would be."""
    from snakemake.cli import main

    os.setsid()
    heed_signals()
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
