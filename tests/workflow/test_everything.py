"""Every target can be planned, and no study's rules take a name from another's."""

import os
import re
from collections import defaultdict
from pathlib import Path

from forks import run_snakemake
from project import LONGEST

TOP = Path(__file__).parents[2]
RULES = [*TOP.glob("workflow/rules/*.smk"), *TOP.glob("workflow/studies/*/rules.smk")]
LOOPS = {"target", "part", "folder", "numbers", "name", "file", "package"}  # of loops, set anew


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
    assert {"STRUCTURED", "STUDIES", "section_of"} <= found.keys()
    assert {name: origins for name, origins in found.items() if len(origins) > 1} == {}


def test_each_file_of_rules_tells_its_steps_inputs_and_outputs():
    for path in RULES:
        text = path.read_text(encoding="utf-8").partition('"""\n\n')[0]
        assert path.name == "common.smk" or ("REQUIRED INPUTS" in text and "OUTPUTS" in text), path


def plan(folder, *options):
    """Return what a dry run prints, in a folder of its own."""
    given = ["-s", str(TOP / "Snakefile"), "-n", "--quiet", "rules", *options]
    environment = os.environ | {"PYTHONPATH": str(TOP / "src")}
    status, printed = run_snakemake(given, folder, environment, LONGEST)
    assert status == 0, printed
    return printed


def test_everything_can_be_planned(tmp_path):
    plan(tmp_path, "--config", "strict=True", "--", "everything")


def test_twelve_points_of_a_sweep_are_few_jobs(tmp_path):
    """Two k, two m, three n, two methods that iterate: written once, in ten lines."""
    (tmp_path / "mine.yaml").write_text(
        "exhibits:\n"
        "  sweep:\n"
        "    kind: risk-curve\n"
        "    k_values: [20, 40]\n"
        "    rank_values: [2, 4]\n"
        "    n_values: [100, 1000, 10000]\n"
        "    rows: uniform\n"
        "    methods: [add-half, kn, add-half-lr, ad-lr-random]\n"
        "    trials: 10\n",
        encoding="utf-8",
    )
    figure = "results/near_optimal/exhibits/sweep.png"
    printed = plan(tmp_path, "--configfile", "mine.yaml", "--", figure)
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", printed, re.M))
    assert (jobs["draw_models"], jobs["score_models"]) == ("4", "12")
    assert int(jobs["total"]) <= 20
