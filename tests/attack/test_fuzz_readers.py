"""The attack of `make attack` runs, with atheris and without."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.long
def test_each_reader_is_attacked_and_holds(tmp_path):
    script = Path(__file__).with_name("fuzz_readers.py")
    command = [sys.executable, "-W", "ignore", script, "--seconds", "6", "--corpus", tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count(" tried, ") == 3  # the targets
