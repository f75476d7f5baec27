"""What the profiles and the container's recipe hold, as far as no cluster is needed."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.specifiers import SpecifierSet

TOP = Path(__file__).parents[2]
FOLDER = TOP / "profiles" / "slurm"
PROFILE, DEFAULT = (
    yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    for folder in (FOLDER, FOLDER.parent / "default")
)
FILES = [*TOP.glob("workflow/rules/*.smk"), *TOP.glob("workflow/studies/*/rules.smk")]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FILES))
PARTS = re.split(r"^(?:use )?rule (\w+)", TEXT, flags=re.M)
RULES = dict(zip(PARTS[1::2], PARTS[2::2], strict=True))
SENT = {name for name, text in RULES.items() if "localrule: True" not in text}


def test_the_scheduler_is_the_one_that_a_signal_can_end():
    """Snakemake's own never ends where a signal meets its solver."""
    assert PROFILE["scheduler"] == DEFAULT["scheduler"] == "greedy"


def test_both_profiles_agree_on_what_is_made_again():
    """The version of the code is a param; the time of a script is none."""
    for key in ("rerun-triggers", "rerun-incomplete", "quiet", "max-jobs-per-timespan"):
        assert PROFILE[key] == DEFAULT[key]
    assert DEFAULT["rerun-triggers"] == ["input", "mtime", "params"]


def test_profile_names_rules_that_are_sent():
    assert set(PROFILE["groups"]) <= SENT
    assert set(PROFILE["set-resources"]) <= SENT
    assert set(PROFILE["group-components"]) <= set(PROFILE["groups"].values())


def test_every_rule_has_its_memory_and_the_version_of_its_code():
    for name, text in RULES.items():
        if f"use rule {name}" not in TEXT and name != "verify":
            assert "mem_mb=" in text, name
            assert "code_version(" in text or name == "write_provenance", name


def test_container_takes_a_python_of_the_project_and_the_locks():
    recipe = (TOP / "workflow" / "Containerfile").read_text(encoding="utf-8")
    (version,) = re.findall(r"^FROM python:([\d.]+)-", recipe, re.M)
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"{version}.0" in SpecifierSet(project["requires-python"])
    copied = re.findall(r"^COPY (.+) /lock/$", recipe, re.M)[0].split()
    installed = re.findall(r"--requirement (\S+)", recipe)
    assert [f"/lock/{Path(name).name}" for name in copied] == installed
    assert all((TOP / name).is_file() for name in copied)
