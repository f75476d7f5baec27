"""A third paper: two folders and one line in the list of studies, from its config to `verify`.

Its text is a play on two letters, of which Kneser-Ney knows what comes next and add-1/2, which
smooths over all words, knows less. Its source says so, which holds; we say the opposite, which
does not: whoever adds the two up is found out.
"""

import contextlib
import filecmp
import random
import re

import pandas as pd
import pytest
from project import TOP, Project

from reproduction.trust.keep import keep_target
from reproduction.verify import main as verify

NAME, LIST = "tales", "src/reproduction/studies/__init__.py"
ID = "On Tales of Two Letters"
PACKAGE = {
    "__init__.py": '"""A paper on tales."""\n',
    "tables.py": '''"""The table of its one kind of exhibit: the paper's."""

from reproduction.studies.near_optimal.tables import TABULATE

__all__ = ["TABULATE"]
''',
    "figures.py": '''"""The figure of its one kind of exhibit: the paper's."""

from reproduction.studies.near_optimal.figures import DRAW

__all__ = ["DRAW"]
''',
    "words.toml": f"""[targets.{NAME}]
title = "Tales"
question = "Does a tale end?"
takes = "a minute"
""",
    "source.py": f'''"""The paper on tales."""

from reproduction.verdicts.source import Claim, Source

SOURCE = Source(
    title="{ID}",
    byline="Somebody, 1999",
    link="https://example.org/tales",
    claims=(
        Claim(
            "tale-order", "Table 1", "Kneser-Ney is ahead.", "order", "tale-table",
            settings={{"corpus": "two-letters", "pairs": [("tale-kn", "tale-half")]}},
        ),
        Claim(
            "tale-opposite", "Table 1", "Add-1/2 is ahead by 0.1.", "size", "tale-table", 0.1,
            settings={{"corpus": "two-letters", "pairs": [("tale-half", "tale-kn")]}}, by="project",
        ),
    ),
    order=("tale-table",),
    descriptions={{"tale-table": "Two methods on a tale."}},
)
''',
    "mistakes.py": '''"""Mistakes in how the values of this study's section go together."""


def find_mistakes(section, sections):
    """Ask for no more endings than there are exhibits."""
    if section["endings"] > len(section["exhibits"]):
        yield ("endings",), f"{section['endings']} is not allowed; must be at most 1"
''',
}
WORKFLOW = {
    "rules.smk": f'''"""Tales: its table is on a text, and scored as the paper's."""

TALES = section_of(config, "{NAME}")["exhibits"]
EXHIBITS |= list_exhibits(TALES, CORPORA)
STUDIES["{NAME}"] = make_study(
    "{NAME}",
    "{NAME}",
    list_exhibits(TALES, CORPORA),
    list_scores("{NAME}", list_exhibits(TALES, CORPORA), config["methods"]),
    corpora=corpora_of(TALES),
    has_checks=False,
)
''',
    "config.yaml": f"""corpora:
  two-letters:
    source: file
    path: workflow/studies/{NAME}/tale.txt
    tokenizer: whitespace
    train: 600
    test: 300
methods:
  tale-kn: {{method: kn}}
  tale-half: {{method: add-half}}
studies:
  {NAME}:
    endings: 1
    exhibits:
      tale-table:
        kind: table
        title: A table of a tale
        corpora: [two-letters]
        methods: [tale-kn, tale-half]
        seeds: 1
""",
    "schema.yaml": """section:
  description: A paper on tales.
  type: object
  additionalProperties: false
  required: [endings, exhibits]
  properties:
    endings: {description: "How often a tale ends.", type: integer, minimum: 1}
    exhibits: {description: "Tables, by name.", $ref: "#/$defs/exhibits"}
""",
}
FILE = f"workflow/studies/{NAME}/config.yaml"


def write_tale_of_two_letters(path):
    """Write words of which each is followed by one of two, among many that are rare."""
    draw = random.Random(1)
    words = [f"{draw.choice('ab')} w{draw.randrange(200)}" for _ in range(500)]
    path.write_text(" ".join(words), encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with the study in it, and its target made."""
    project = Project(tmp_path_factory.mktemp("third") / "project")
    for folder, files in (
        (f"src/reproduction/studies/{NAME}", PACKAGE),
        (f"workflow/studies/{NAME}", WORKFLOW),
    ):
        (project.folder / folder).mkdir()
        for name, text in files.items():
            (project.folder / folder / name).write_text(text, encoding="utf-8")
    write_tale_of_two_letters(project.folder / "workflow" / "studies" / NAME / "tale.txt")
    studies = project.folder / LIST
    text = studies.read_text(encoding="utf-8")
    assert text.count('"near_optimal",') == 1
    studies.write_text(text.replace('"near_optimal",', f'"near_optimal", "{NAME}",'))
    status, printed = project.run("-j2", "--", NAME)
    assert status == 0, printed
    return project


def test_one_existing_file_is_touched(project):
    changed = set()
    for part in ("Snakefile", "src", "workflow"):
        paths = [TOP / part] if (TOP / part).is_file() else (TOP / part).rglob("*")
        for path in paths:
            place = path.relative_to(TOP)
            if path.is_file() and path.suffix in (".py", ".yaml", ".smk", ".j2", ".css", ".js", ""):
                copy = project.folder / place
                if copy.is_file() and not filecmp.cmp(path, copy, shallow=False):
                    changed.add(place.as_posix())
    assert changed == {LIST}


@pytest.mark.parametrize(
    "mistakes",
    [
        [("endings: 1", "endings: 0", "13: studies.tales.endings: 0 is not allowed; must be an ")],
        [("endings: 1", "endings: 2", "13: studies.tales.endings: 2 is not allowed; must be at")],
        [("tale-half]", "half]", "19: studies.tales.exhibits.tale-table.methods[1]: 'half' is ")],
    ],
    ids=["of a value", "of how values go together", "of a name"],
)
def test_a_mistake_in_its_section_is_one_line(project, mistakes):
    with contextlib.ExitStack() as changes:
        for old, new, _ in mistakes:
            changes.enter_context(project.change(FILE, old, new))
        printed = project.python("-m", "reproduction.config")
    for line, (_, _, message) in zip(printed.splitlines(), mistakes, strict=True):
        assert line.startswith(f"{FILE}:{message}")


def test_its_target_makes_its_results_and_no_others(project):
    made = {path.name for path in project.results.iterdir()}
    assert made == {NAME, "corpora", "logs", "benchmarks", "index.html"}
    corpora = {path.name for path in (project.results / "corpora").iterdir()}
    assert corpora == {"two-letters.json", "two-letters.npz"}
    exhibits = {path.name for path in (project.results / NAME / "exhibits").iterdir()}
    assert exhibits == {f"tale-table.{form}" for form in ("csv", "png", "svg", "md", "tex")}
    assert (project.results / NAME / "exhibits" / "tale-table.png").stat().st_size > 5_000


def test_each_claim_has_its_verdict_and_who_makes_it(project):
    claims = pd.read_csv(project.results / NAME / "claims.csv", index_col="id")
    assert claims["by"].to_dict() == {"tale-order": "source", "tale-opposite": "project"}
    assert claims["verdict"].to_dict() == {
        "tale-order": "reproduced",
        "tale-opposite": "not reproduced",
    }


def test_its_page_counts_the_claims_of_its_source_and_shows_the_projects_apart(project):
    page = (project.results / NAME / "report.html").read_text(encoding="utf-8")
    assert ID in page
    source, own = (
        page.partition(f'<section id="{name}"')[2].partition("</section>")[0]
        for name in ("claims", "own")
    )
    counted = re.findall(r"</span> (\d+) ([a-z ]+)</span>", source.partition("</summary>")[0])
    assert counted == [("1", "reproduced")]
    assert ("Kneser-Ney is ahead." in source, "Kneser-Ney is ahead." in own) == (True, False)
    assert ("Add-1/2 is ahead by 0.1." in source, "Add-1/2 is ahead by 0.1." in own) == (
        False,
        True,
    )


def test_the_paper_does_not_know_its_text(project):
    """What the other study makes stays the same to the file."""
    made = project.would_make("--", "near_optimal")
    assert "corpora/two-letters.json" not in made["split_corpus"]


def test_it_is_verified_and_another_number_is_found(project, capsys):
    with contextlib.chdir(project.folder):
        keep_target("results", "results/reference", NAME)
        assert verify(["--strict", NAME]) == 0
        assert "verified against" in capsys.readouterr().out
        name = f"{NAME}/exhibits/tale-table.csv"
        path = f"results/reference/{name}"
        rows = pd.read_csv(path)
        rows.loc[0, "mean"] += 0.01
        rows.to_csv(path, index=False)
        assert verify([NAME]) == 1
        assert f"different from results/reference: {name}" in capsys.readouterr().out
