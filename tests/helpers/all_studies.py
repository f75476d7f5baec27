"""The studies as the rules plan them, in the configuration as it is delivered, with every text."""

import os
import pickle
import sys
from functools import cache
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

TOP = Path(__file__).parents[2]
DUMP = f'''
include: "{TOP}/Snakefile"

import pickle

Path("studies").write_bytes(pickle.dumps(STUDIES))
'''


@cache
def all_studies():
    """Return the `study.Study` of each target, by its name."""
    with TemporaryDirectory() as folder:
        Path(folder, "Snakefile").write_text(DUMP, encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--list", "--config", "strict=True"]
        environment = os.environ | {"PYTHONPATH": str(TOP / "src")}
        done = run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return pickle.loads(Path(folder, "studies").read_bytes())
