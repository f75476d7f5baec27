"""Each reference in the repository says by which code of its history it was made."""

import json
import subprocess
from pathlib import Path

import pytest

from reproduction.studies import STUDIES
from reproduction.study import source_of
from reproduction.verify import read_table

TOP = Path(__file__).parents[3]
PROVENANCES = sorted(TOP.glob("results/reference/*/provenance.json"))
OF_PY_LR = sorted(TOP.glob("benchmarks/py_lr/reference/*/provenance.json"))


def git(*arguments):
    """Return the output of git in the checkout, and whether it did what it was asked."""
    run = subprocess.run(
        ["git", "-C", TOP, *arguments], capture_output=True, text=True, check=False
    )
    return run.stdout.strip(), run.returncode == 0


@pytest.fixture(scope="module")
def history():
    """The whole history, which a shallow clone and an archive lack."""
    shallow, known = git("rev-parse", "--is-shallow-repository")
    if not known or shallow == "true" or git("rev-parse", "--show-toplevel")[0] != str(TOP):
        pytest.skip("the history is not at hand: an archive, or a shallow clone")


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize("path", PROVENANCES + OF_PY_LR, ids=lambda path: path.parent.name)
def test_a_reference_was_made_by_a_commit_of_its_history(path):
    """Or, where that commit was lost, it has the hashes of the code that it was kept with."""
    provenance = json.loads(path.read_text(encoding="utf-8"))
    made_by = provenance["git"]
    kept_by = git("log", "-1", "--format=%H", "--", path)[0] or "HEAD"
    commit = made_by["commit"] or made_by["nearest"]["commit"]
    assert git("merge-base", "--is-ancestor", commit, kept_by)[1], commit
    if "page" in provenance:  # made anew, by a later run
        assert git("merge-base", "--is-ancestor", provenance["page"]["git"]["commit"], kept_by)[1]
    if not made_by["commit"]:
        assert made_by["lost"]
        assert made_by["note"]
        for folder, tree in made_by["nearest"]["trees"].items():
            assert git("rev-parse", f"{commit}:{folder}") == (tree, True)


@pytest.mark.parametrize("path", PROVENANCES, ids=lambda path: path.parent.name)
def test_a_reference_has_the_claims_of_its_source_in_the_same_words(path):
    """`make verify` fails otherwise, once its target is made."""
    rows = read_table(path.with_name("claims.csv"))[1].values()
    claims = {each.id: each.statement for each in source_of(path.parent.name).claims}
    assert {row["id"]: row["statement"] for row in rows} == claims


def test_every_study_has_a_reference():
    assert {path.parent.name for path in PROVENANCES} == {*STUDIES}
