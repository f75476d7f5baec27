"""Ctrl-C while Snakemake is imported: one line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reproduction.interrupts import KEPT, STATUS_OF_INTERRUPT

TOP = Path(__file__).parents[2]
SECONDS = 60  # at most until a process has begun
# In place of Snakemake, whose import takes long: it says that it is being imported.
SLOW = """
import time
from pathlib import Path

Path({!r}).touch()
time.sleep(60)
"""


@pytest.mark.parametrize("ignored", [False, True])
def test_an_interrupt_while_snakemake_is_imported_is_one_line(tmp_path, ignored):
    package, begun = tmp_path / "snakemake", tmp_path / "begun"
    package.mkdir()
    (package / "__init__.py").touch()
    slow = SLOW.format(str(begun)).replace("sleep(60)", "sleep(1)" if ignored else "sleep(60)")
    (package / "cli.py").write_text(slow + "main = lambda: print('went on')\n")
    path = os.pathsep.join([str(tmp_path), str(TOP / "src")])
    heed = signal.SIG_IGN if ignored else signal.default_int_handler
    process = subprocess.Popen(
        [sys.executable, "-m", "reproduction.run"],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, heed),
    )
    end = time.monotonic() + SECONDS
    while not begun.exists():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=SECONDS)
    if ignored:  # as of a shell's background
        assert (process.returncode, printed) == (0, "went on\n")
    else:
        assert (process.returncode, printed) == (STATUS_OF_INTERRUPT, f"interrupted. {KEPT}\n")
