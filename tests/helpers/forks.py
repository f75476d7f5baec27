"""Snakemake in a fork of a process that has imported it: its imports take as long as a small run.

By itself this module is that process: a line of its input is a run, a line of its output how it
ended.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

SERVERS = []  # of this process: none before the first run, then one


def heed_signals():
    """Heed what a shell's background job ignores, and nohup: a process passes that on."""
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_DFL)


def run_snakemake(options, folder, environment, longest):
    """Run Snakemake to its end, in a group of processes of its own; kill it after so many seconds.

    Returns its exit status and what it printed, errors too.
    """
    if not SERVERS:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        SERVERS.append(subprocess.Popen([sys.executable, __file__], text=True, **pipes))
    (server,) = SERVERS
    with tempfile.NamedTemporaryFile() as printed:
        given = options, str(folder), environment, longest, printed.name
        print(json.dumps(given), file=server.stdin, flush=True)
        status = int(server.stdout.readline())
        return status, Path(printed.name).read_text(encoding="utf-8")


def stop():
    """End the process of this one, if it has one."""
    while SERVERS:
        SERVERS.pop().communicate()


def serve():
    """Import what every run imports, and nothing of this project; fork for each run."""
    import jsonschema  # noqa: F401
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import scipy.optimize  # noqa: F401
    import smart_open  # noqa: F401
    import snakemake.cli
    import snakemake.report.html_reporter  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            be_snakemake(*json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def be_snakemake(options, folder, environment, longest, printed):
    """Be what ``python -m snakemake`` in a folder, with an environment, would be."""
    from snakemake.cli import main

    os.setsid()
    heed_signals()
    signal.alarm(longest)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[:1] = [folder, environment["PYTHONPATH"]]  # in place of this module's folder
    sys.argv = ["snakemake", *options]
    streams = os.open(os.devnull, os.O_RDONLY), os.open(printed, os.O_WRONLY | os.O_APPEND)
    for number, stream in enumerate((*streams, streams[1])):
        os.dup2(stream, number)
    main()


if __name__ == "__main__":
    serve()
