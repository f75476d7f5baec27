"""Every target can be planned, and no study's rules take a name from another's."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TOP = Path(__file__).parents[2]
RULES = [*TOP.glob("workflow/rules/*.smk"), *TOP.glob("workflow/studies/*/rules.smk")]


def names_bound(path):
    """Yield what a file of rules binds at its top: by import, def or assignment, with its text."""
    text = path.read_text(encoding="utf-8")
    for module, within, alone in re.findall(
        r"^from (\S+) import (?:\(([^)]*)\)|(.*))$", text, re.M
    ):
        for part in filter(str.strip, (within or alone).split(",")):
            name, _, bound = part.strip().partition(" as ")
            yield bound or name, (module, name)
    for name in re.findall(r"^(?:def (?=\w+\()|(?=\w+ = ))(\w+)", text, re.M):
        yield name, path


def test_no_file_of_rules_takes_a_name_of_another():
    found = defaultdict(set)  # included files share one namespace, whose last binding all see
    for path in RULES:
        for name, origin in names_bound(path):
            found[name].add(origin)
    assert {"STRUCTURED", "results", "section_of"} <= found.keys()
    assert {name: origins for name, origins in found.items() if len(origins) > 1} == {}


def test_everything_can_be_planned():
    options = ["-n", "--quiet", "all", "--configfile", "tests/smoke.yaml"]
    options += ["--config", "results=none", "--", "everything"]
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", *options],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
