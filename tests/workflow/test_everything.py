"""Every target can be planned, and no study's rules take a name from another's."""

import os
import re
from collections import defaultdict
from pathlib import Path

from forks import run_snakemake
from project import LONGEST

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
    status, printed = run_snakemake(
        options, TOP, os.environ | {"PYTHONPATH": str(TOP / "src")}, LONGEST
    )
    assert status == 0, printed
