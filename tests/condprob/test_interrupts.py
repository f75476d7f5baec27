"""Signals at any moment of any command, and standard streams that are closed."""

import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from condprob import cli

COMMAND = [sys.executable, "-m", "condprob"]
SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]
LONG = [
    "fit",
    "train",
    "-o",
    "model.npz",
    "--no-lines",
    "--order",
    "2",
    "--method",
    "ad-lr",
    "--set",
    "iterations=10000000",
]
READ = ["fit", "-", "-o", "model.npz", "--method", "kn"]  # and nothing comes
CASES = [
    (READ, "SIGINT", 0),  # while modules are imported
    (READ, "SIGTERM", 0.3),
    (READ, "SIGHUP", 4),
    (LONG, "SIGINT", 1),
    # Seconds after the first iterations, when there is a checkpoint.
    ([*LONG, "--checkpoint", "fit.npz"], "SIGINT", 0),
    ([*LONG, "--checkpoint", "fit.npz"], "SIGTERM", 0.2),
]


@pytest.fixture
def folder(tmp_path):
    words = [f"w{i * i % 97}" for i in range(3000)]
    (tmp_path / "train").write_text(" ".join(words), encoding="utf-8")
    return tmp_path


def start(folder, *arguments, **streams):
    """Start a command with signals as in a terminal, whatever this process ignores."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: [signal.signal(getattr(signal, n), signal.SIG_DFL) for n in SIGNALS],
        **streams,
    )


def begun(process):
    """Wait until a command catches signals, which is the first thing that it does."""
    is_caught = False
    while not is_caught:
        assert process.poll() is None
        told = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        caught = int(re.search(r"SigCgt:\s*([0-9a-f]+)", told)[1], 16)
        is_caught = bool(caught >> (signal.SIGHUP - 1) & 1)
        time.sleep(0.005)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell")
@pytest.mark.parametrize(("arguments", "name", "seconds"), CASES)
def test_a_signal_ends_a_command_in_one_line(folder, arguments, name, seconds):
    process = start(folder, *arguments)
    begun(process)
    while "--checkpoint" in arguments and not (folder / "fit.npz").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(seconds)
    process.send_signal(getattr(signal, name))
    began = time.monotonic()
    process.wait(timeout=60)  # and not `communicate`, which ends what the command may read
    assert time.monotonic() - began < 5  # two seconds, and the time of a busy machine
    _, told = process.communicate()
    assert told.decode() == f"condprob: ended by {name}\n"
    assert process.returncode == 128 + getattr(signal, name)
    assert {path.name for path in folder.iterdir()} <= {"train", "fit.npz"}


@pytest.mark.parametrize("package", ["condprob"])
def test_a_command_catches_signals_before_it_imports_what_takes_long(package):
    # Without `site`, which is Python's own, and with it what tools of packaging import there.
    code = f"import sys, {package}.__main__; print(*sys.modules)"
    source = {"PYTHONPATH": str(Path(cli.__file__).parents[1])}
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code], env=source, capture_output=True, text=True, check=True
    )
    late = {"typing", "pathlib", "secrets", "numpy", "condprob.files", "condprob.cli"}
    assert late.isdisjoint(ran.stdout.split())


WRITES = """
import sys, time
from condprob.files import replacing
from condprob.interrupts import end_on_signals
end_on_signals()
with replacing("model.npz") as file:
    file.write(b"half")
    print("writing", flush=True)
    time.sleep(600)
"""


def test_a_signal_while_a_file_is_written_leaves_the_old_one(folder):
    (folder / "model.npz").write_bytes(b"old")
    process = subprocess.Popen(
        [sys.executable, "-c", WRITES], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (143, b"condprob: ended by SIGTERM\n")
    assert {path.name for path in folder.iterdir()} == {"train", "model.npz"}
    assert (folder / "model.npz").read_bytes() == b"old"


def test_an_ignored_signal_stays_ignored(folder):
    # The shell that ignores it becomes the command.
    command = f"trap '' HUP; exec {sys.executable} -m condprob {' '.join(READ)}"
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2)
    process.send_signal(signal.SIGHUP)
    told, _ = process.communicate(b"w1 w4 w1", timeout=60)
    assert process.returncode == 0
    assert b"by kn: " in told


@pytest.mark.parametrize(
    ("redirected", "status", "told"),
    [
        ("fit - -o m.npz <&-", 2, "condprob: error: -: standard input is closed\n"),
        ("top absent a 2>&-", 2, ""),
        (
            "fit train -o m.npz --no-lines --order 2 --method ad-lr --progress >/dev/null 2>&-",
            0,
            "",
        ),
    ],
)
def test_a_closed_stream_is_one_line_or_nothing(folder, redirected, status, told):
    ran = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m condprob {redirected}"],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (status, told)


@pytest.mark.filterwarnings("default")
def test_a_warning_is_one_line(monkeypatch, capsys):
    def warned(record):
        warnings.warn("not\n settled", stacklevel=1)

    monkeypatch.setattr(cli, "_in_words", warned)
    assert cli.main(["methods", "kn"]) == 0
    assert capsys.readouterr().err == "condprob: warning: not settled\n"
