"""A study without its texts plans nothing that needs them, and is made of the others."""

import os
import re
from pathlib import Path

import pandas as pd
import pytest
from forks import run_snakemake
from project import LONGEST

from reproduction.corpora.sources import is_at_hand
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[2]
SMALLER = """
studies:
  readings:
    axes: {split: [halves]}
    words: 600
    rank: 2
    iterations: 2
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run Snakemake on a machine without texts, but for those that come with Python."""
    monkeypatch.delenv("NLTK_DATA", raising=False)
    if any(is_at_hand({"source": "nltk", "package": name}) for name in ("brown", "shakespeare")):
        pytest.skip("a text is at hand without NLTK_DATA on this machine")
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(*options, targets):
        given = [*options, "-s", str(TOP / "Snakefile"), "-d", str(tmp_path)]
        given += ["--configfile", str(TOP / "tests" / "smoke.yaml")]
        given += [str(file) for file in tmp_path.glob("*.yaml")]
        environment = os.environ | {"PYTHONPATH": str(TOP / "src")}
        status, printed = run_snakemake([*given, "--", *targets], TOP, environment, LONGEST)
        assert status == 0, printed
        return printed

    return run


def test_no_study_plans_to_read_a_text_that_is_missing(run):
    targets = ["all" if study == "near_optimal" else study for study in STUDIES]
    planned = set(re.findall(r"^(read_\w+) +\d+$", run("-n", targets=targets), re.MULTILINE))
    assert not planned & {"read_blocks", "read_brown", "read_tagged", "read_plays"}


def test_tables_and_figures_of_a_study_are_made_of_the_texts_that_there_are(run, tmp_path):
    """Of four texts one is at hand; claims about all of them are not testable."""
    (tmp_path / "smaller.yaml").write_text(SMALLER, encoding="utf-8")
    exhibits = tmp_path / "results" / "readings" / "exhibits"
    targets = [
        "results/readings/exhibits/specification.png",
        "results/readings/exhibits/choices.png",
        "results/readings/claims.csv",
    ]
    printed = run("-j2", targets=targets)
    assert "Left out: genesis, because" in printed
    for name in ("specification", "choices"):
        assert set(pd.read_csv(exhibits / f"{name}.csv")["corpus"]) == {"pydoc"}
        assert (exhibits / f"{name}.png").stat().st_size > 5000
    claims = pd.read_csv(tmp_path / "results" / "readings" / "claims.csv")
    assert set(claims["verdict"]) == {"not testable"}, claims[["id", "verdict", "reason"]]
