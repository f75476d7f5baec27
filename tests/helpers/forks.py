"""Snakemake in a fork of a process that has imported it: its imports take as long as a small run.

So are its jobs, whose imports take as long as a small fit. By itself this module is that process: a
line of its input starts a run or asks how one has ended, a line of its output is the answer.
"""

import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from shlex import quote


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
    """Import what every run and job imports, and nothing of this project; fork for each."""
    import jsonschema  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401
    import smart_open  # noqa: F401
    import snakemake.cli
    import snakemake.report.html_reporter  # noqa: F401

    gc.freeze()  # a collection in a fork would visit, and so copy, all that stands here
    folder = tempfile.mkdtemp()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/socket")
        listener.listen(64)
        jobs = os.fork()
        if not jobs:
            serve_jobs(listener)
    python = Path(folder, "python")  # Snakemake starts the scripts of jobs with it
    client = Path(__file__).with_name("job_of_fork.py")
    command = f"{quote(sys.executable)} -IS {quote(str(client))} {quote(f'{folder}/socket')}"
    python.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    for line in sys.stdin:
        kind, *given = json.loads(line)
        answer = start_fork(python, *given) if kind == "start" else status_of(*given)
        print(json.dumps(answer), flush=True)
    os.kill(jobs, signal.SIGTERM)
    os.waitpid(jobs, 0)
    shutil.rmtree(folder)


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


def become(python, what, folder, environment, longest, printed):
    """Be what ``python -m snakemake`` or ``sh -c``, in a folder with an environment, would be."""
    from snakemake.cli import main

    os.setsid()
    signal.alarm(longest)
    streams = os.open(os.devnull, os.O_RDONLY), os.open(printed, os.O_WRONLY | os.O_APPEND)
    enter(folder, environment, (*streams, streams[1]))
    if isinstance(what, str):
        os.execlp("sh", "sh", "-c", what)
    sys.path[:1] = [folder, environment["PYTHONPATH"]]  # in place of this module's folder
    sys.argv = ["snakemake", *what]
    sys.executable = str(python)
    main()


def enter(folder, environment, streams):
    """Be in a folder, with an environment, with these streams and Python's signals at its start."""
    # A shell's background job, and nohup, ignore these.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)


def serve_jobs(listener):
    """Fork for each script that a job asks for, until SIGTERM; wait for all."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server, working = os.getppid(), 0
    listener.settimeout(1)
    try:
        while os.getppid() == server:
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                working += 1
                if not os.fork():
                    answer_job(connection)
                connection.close()
            while working and os.waitpid(-1, os.WNOHANG)[0]:
                working -= 1
    finally:
        for _ in range(working):
            os.wait()
        os._exit(0)


def answer_job(connection):
    """Run a script in a fork and tell its status; it is interrupted, or killed, as who asks is."""
    _, streams, _, _ = socket.recv_fds(connection, 1, 3)
    with connection.makefile("rb") as lines:
        arguments, folder, environment = json.loads(lines.readline())
    pid = os.fork()
    if not pid:
        enter(folder, environment, streams)
        os._exit(run_script(arguments, environment))
    ended = 0
    while not ended:
        if select.select([connection], [], [], 0.02)[0]:
            os.kill(pid, signal.SIGINT if connection.recv(64) else signal.SIGKILL)
        ended, status = os.waitpid(pid, os.WNOHANG)
    with suppress(OSError):
        connection.sendall(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def run_script(arguments, environment):
    """Run a script as ``python SCRIPT`` does; return its exit status."""
    paths = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = [os.path.dirname(arguments[0]), *filter(None, paths)]
    sys.argv = arguments
    status = 0
    try:
        runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int | None) else 1
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status or 0


if __name__ == "__main__":
    serve()
