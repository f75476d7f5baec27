"""What the tests of the reproduction share as fixtures."""

import fcntl
import os
import pickle
from pathlib import Path

import pytest
from forks import run_snakemake
from project import LONGEST, TOP

DUMP = f'''
include: "{TOP}/Snakefile"

import pickle

Path("studies").write_bytes(pickle.dumps(STUDIES))
'''


@pytest.fixture(scope="session")
def targets(tmp_path_factory):
    """The `study.Study` of each target, by its name, in the configuration as it is delivered.

    With every text. The rules plan them once for all processes of the tests.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "all-studies"
    folder.mkdir(exist_ok=True)
    kept = folder / "studies"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            Path(folder, "Snakefile").write_text(DUMP, encoding="utf-8")
            environment = os.environ | {"PYTHONPATH": str(TOP / "src")}
            options = ["--list", "--config", "strict=True"]
            status, printed = run_snakemake(options, folder, environment, LONGEST)
            assert status == 0, printed
    return pickle.loads(kept.read_bytes())
