"""A study without its texts plans nothing that needs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.corpora.sources import is_at_hand
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[2]


def test_no_study_plans_to_read_a_text_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.delenv("NLTK_DATA", raising=False)
    if any(is_at_hand({"source": "nltk", "package": name}) for name in ("brown", "shakespeare")):
        pytest.skip("a text is at hand without NLTK_DATA on this machine")
    env = {name: value for name, value in os.environ.items() if name != "NLTK_DATA"}
    command = [sys.executable, "-m", "snakemake", "-n", "-s", str(TOP / "Snakefile")]
    command += ["-d", str(tmp_path), "--configfile", str(TOP / "tests" / "smoke.yaml")]
    targets = ["all" if study == "near_optimal" else study for study in STUDIES]
    ran = subprocess.run(
        [*command, "--", *targets],
        env=env | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    printed = ran.stdout + ran.stderr
    assert ran.returncode == 0, printed
    planned = set(re.findall(r"^(read_\w+) +\d+$", printed, re.MULTILINE))
    assert not planned & {"read_blocks", "read_brown", "read_tagged", "read_plays"}
