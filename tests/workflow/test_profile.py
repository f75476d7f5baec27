"""What the profile of SLURM and the container's recipe hold, as far as no cluster is needed."""

import os
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from forks import run_snakemake
from own_config import own_config
from packaging.specifiers import SpecifierSet
from project import LONGEST

from reproduction.study import plan_scopes

TOP = Path(__file__).parents[2]
FOLDER = TOP / "profiles" / "slurm"
PROFILE, DEFAULT = (
    yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    for folder in (FOLDER, FOLDER.parent / "default")
)
FILES = [*TOP.glob("workflow/rules/*.smk"), *TOP.glob("workflow/studies/*/rules.smk")]
# Those of a study stand inside a condition: without its settings there are none.
RULES = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FILES))
LOCAL = set(
    re.findall(
        r"^ +(\w+),$", "".join(re.findall(r"^ *localrules:\n(?: +\w+,\n)+", RULES, re.M)), re.M
    )
)
NAMED = set(re.findall(r"^ *rule (\w+):$", RULES, re.M))
SENT = NAMED - LOCAL - {"everything"}


@pytest.fixture(scope="module")
def plan():
    """What a dry run of everything prints, with the groups of the profile."""
    groups = [f"{rule}={group}" for rule, group in PROFILE["groups"].items()]
    components = [f"{group}={count}" for group, count in PROFILE["group-components"].items()]
    options = ["-n", "-j8", "--config", "results=none", "--groups", *groups]
    options += ["--group-components", *components]
    status, printed = run_snakemake(
        options, TOP, os.environ | {"PYTHONPATH": str(TOP / "src")}, LONGEST
    )
    assert status == 0, printed
    return printed


def test_default_run_is_fewer_than_sixty_jobs_of_a_cluster(plan):
    groups = re.findall(r"Group job (\w+) \(jobs", plan)
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", plan, re.M))
    single = {rule: int(jobs.get(rule, 0)) for rule in SENT - set(PROFILE["groups"])}
    assert set(groups) == {"compile", "score"}
    assert single["check_theory"] == 1
    sent = len(groups) + sum(single.values())
    assert sent < 60
    for page in (TOP / "docs" / "scale.md", FOLDER / "config.yaml"):
        text = page.read_text(encoding="utf-8").replace("\n# ", " ")
        assert re.findall(r"[Tt]he default run\s+is (\d+) jobs", text) == [str(sent)], page


def test_the_scheduler_is_the_one_that_a_signal_can_end():
    """Snakemake's own never ends where a signal meets its solver."""
    assert PROFILE["scheduler"] == DEFAULT["scheduler"] == "greedy"


def test_a_bare_run_takes_the_default_profile(plan):
    assert "profile profiles/default for setting default command line arguments" in plan
    both = {name: PROFILE[name] for name in DEFAULT}
    assert both == DEFAULT


def test_profile_names_rules_that_are_sent():
    assert set(PROFILE["groups"]) <= SENT
    assert set(PROFILE["set-resources"]) <= SENT
    assert set(PROFILE["group-components"]) <= set(PROFILE["groups"].values())


def test_every_rule_that_is_sent_has_measured_memory_and_its_own_minutes():
    for rule in SENT - {"check_theory"}:
        assert rule in PROFILE["set-resources"], rule
    blocks = re.split(r"^ *rule (\w+):$", RULES, flags=re.M)
    for name, block in zip(blocks[1::2], blocks[2::2], strict=True):
        if name in SENT:
            assert re.search(r"^ +mem_mb=(\d+|of_job\(.*\)),$", block, re.M), name


def test_local_rules_are_rules():
    assert NAMED >= LOCAL > {"split_corpus", "draw_exhibit"}


def test_a_fit_to_a_million_words_has_more_minutes(monkeypatch):
    """The expression of the profile, as Snakemake evaluates it for a job."""
    minutes = PROFILE["set-resources"]["score"]["runtime"]
    monkeypatch.chdir(TOP)
    scopes = plan_scopes(own_config())
    for name, times in (("million", 240), ("near_optimal", 60), ("structured_full", 60)):
        for job in scopes[name].jobs:
            known = {"wildcards": SimpleNamespace(job=job), "attempt": 2}
            assert eval(minutes, known) == 2 * times, job


def test_container_takes_a_python_of_the_project_and_the_locks():
    recipe = (TOP / "workflow" / "Containerfile").read_text(encoding="utf-8")
    (version,) = re.findall(r"^FROM python:([\d.]+)-", recipe, re.M)
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"{version}.0" in SpecifierSet(project["requires-python"])
    copied = re.findall(r"^COPY (.+) /lock/$", recipe, re.M)[0].split()
    installed = re.findall(r"--requirement (\S+)", recipe)
    assert [f"/lock/{Path(name).name}" for name in copied] == installed
    assert all((TOP / name).is_file() for name in copied)
