"""The workflow of benchmarks/py_lr: its plan, a run on small settings, and its reference."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from pydoc_data.topics import topics

import pandas as pd
import pytest
import yaml
from forks import run_snakemake
from project import LONGEST
from py_lr.claims import CLAIMS

from reproduction import verify

TOP = Path(__file__).parents[2]
FOLDER = TOP / "benchmarks" / "py_lr"
OPTIONS = [
    "-s",
    str(FOLDER / "Snakefile"),
    "--configfile",
    str(Path(__file__).with_name("smoke.yaml")),
]


def run(folder, *options):
    """Run Snakemake in a folder, with no corpora but Python's own; return what it printed."""
    environment = os.environ | {
        "PYTHONPATH": str(TOP / "src"),
        "HOME": str(folder),
        "NLTK_DATA": str(folder),
    }
    status, printed = run_snakemake([*OPTIONS, *options], folder, environment, LONGEST)
    assert status == 0, printed
    return printed


def test_all_of_it_can_be_planned(tmp_path):
    options = ("-n", "--quiet", "rules", "--config", "strict=True", "--", "fresh", "further")
    environment = os.environ | {"PYTHONPATH": str(TOP / "src")}
    given = ["-s", str(FOLDER / "Snakefile"), *options]
    status, printed = run_snakemake(given, tmp_path, environment, LONGEST)
    assert status == 0, printed
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", printed, re.M))
    config = yaml.safe_load((FOLDER / "config.yaml").read_text(encoding="utf-8"))["py_lr"]
    packages = {**config["fresh"]["packages"], **config["seen"]["packages"]}
    assert int(jobs["read_samples"]) == int(jobs["score_samples"]) == len(packages)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A run with one package of Debian's: a text and a table."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("it needs dpkg-deb")
    folder = tmp_path_factory.mktemp("py_lr")
    inside, package = folder / "tale", folder / ".nltk_data" / "debian" / "tale_1_all.deb"
    (inside / "DEBIAN").mkdir(parents=True)
    control = "Package: tale\nVersion: 1\nArchitecture: all\nMaintainer: me\nDescription: x\n"
    (inside / "DEBIAN" / "control").write_text(control)
    words = " ".join(topics.values()).split()[:900]
    (inside / "tale.txt").write_text(" ".join(words), encoding="utf-8")
    package.parent.mkdir(parents=True)
    subprocess.run(["dpkg-deb", "--build", inside, package], check=True, capture_output=True)
    entry = {
        "version": "1",
        "sha256": hashlib.sha256(package.read_bytes()).hexdigest(),
        "samples": {"tale": {"kind": "prose", "files": ["tale.txt"]}},
    }
    own = {"py_lr": {"fresh": {"packages": {"tale": entry}}}}
    (folder / "own.yaml").write_text(yaml.safe_dump(own), encoding="utf-8")
    options = ("own.yaml", "-j2", "--quiet", "reason", "host", "--", "fresh", "further")
    return folder / "results", run(folder, *options)


def test_a_run_makes_what_it_can_and_names_what_is_missing(results):
    folder, printed = results
    made = {path.relative_to(folder).as_posix() for path in folder.glob("f*/exhibits/*.png")}
    assert made == {
        "fresh/exhibits/fresh-train.png",
        "fresh/exhibits/fresh-text.png",
        *(f"further/exhibits/beyond-{name}.png" for name in ("settings", "items")),
        "further/exhibits/beyond-settings-models.png",
        "further/exhibits/beyond-structure.png",
    }
    assert "Left out: xkb-data, because" in printed
    assert "Left out: tartuffe, because" in printed


def test_all_claims_are_judged_each_at_one_target(results):
    folder, _ = results
    tables = [pd.read_csv(folder / target / "claims.csv") for target in ("fresh", "further")]
    assert sorted(pd.concat(tables)["id"]) == sorted(claim.id for claim in CLAIMS)
    fresh = tables[0].set_index("id")["verdict"]
    assert fresh["fresh-table-average-kn"].startswith("not testable")  # no table is at hand
    further = tables[1].set_index("id")["verdict"]
    assert not further["beyond-items-near-told"].startswith("not testable")


def test_a_run_agrees_with_itself_and_says_by_which_code_it_was_made(results):
    folder, _ = results
    given = ["fresh", "further", "--results", str(folder), "--reference", str(folder), "--strict"]
    assert verify.main(given) == 0
    provenance = json.loads((folder / "further" / "provenance.json").read_text(encoding="utf-8"))
    assert (
        provenance["run_time"]["score_structure"]["jobs"] == 3
    )  # fast, and py-lr at two exponents


@pytest.mark.parametrize("target", ["fresh", "further"])
def test_the_reference_has_the_claims_in_the_same_words(target):
    kept = pd.read_csv(FOLDER / "reference" / target / "claims.csv")
    exhibits = {path.stem for path in (FOLDER / "reference" / target / "exhibits").glob("*.csv")}
    claims = {each.id: each.statement for each in CLAIMS if each.exhibit in exhibits}
    assert dict(zip(kept["id"], kept["statement"], strict=True)) == claims
