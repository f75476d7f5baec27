"""The file of systems, sources.toml: all in it exists, and all that the sources have is in it."""

import re
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

import condprob
from reproduction.page.sources import (
    PAGE,
    PAGES,
    TOP,
    System,
    count_verdicts,
    names_called,
    read_sources,
    read_systems,
    read_verdicts,
    slug,
    write_pages,
)
from reproduction.studies import STUDIES
from reproduction.study import source_of

SYSTEMS = read_systems()
SOURCES = read_sources()
REFERENCE = TOP / "results" / "reference"
JUDGED = [study for source in SOURCES for study in source["judged_by"]]


@pytest.fixture(scope="module")
def own_targets(targets):
    """The targets of the project's own configuration that belong to a source."""
    return {name: study for name, study in targets.items() if study.package in JUDGED}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: f"{system.source}-{system.system}")
def test_all_that_a_system_names_exists(own_targets, system):
    assert system.source in {source["study"] for source in SOURCES}
    for name in system.exhibits:
        target, _, exhibit = name.partition("/")
        assert exhibit in own_targets[target].exhibits, name
    for name in system.claims:
        study, _, claim = name.partition("/")
        assert claim in {each.id for each in source_of(study).claims}, name
    for call in system.calls:
        if ":" in call and call.startswith("reproduction"):
            module, _, name = call.partition(":")
            assert callable(attrgetter(name)(import_module(module))), call
        else:
            assert find(names_called(call)) is not None, call
    assert system.exhibits or system.claims or system.missing


def find(name):
    """Return the object with a dotted name, importing the modules on its way."""
    first, *others = name.split(".")
    assert first == "condprob", name
    found = condprob
    for other in others:
        if not hasattr(found, other):
            import_module(f"{found.__name__}.{other}")
        found = getattr(found, other)
    return found


@pytest.mark.filterwarnings("ignore:tol = ")  # ten words are little for Algorithm 1
@pytest.mark.parametrize(
    "call", sorted({call for row in SYSTEMS for call in row.calls if "(" in call})
)
def test_a_call_runs_as_it_is_printed(call):
    lines = 8 * ["the cat sat on the mat", "a dog ran", "a dog sat", "the mat is red"]
    data = [(user, film, (3 * user + film) % 5) for user in range(6) for film in range(4)]
    assert eval(call, {"condprob": condprob, "lines": lines, "data": data}) is not None


def test_every_exhibit_of_the_sources_is_a_systems(own_targets):
    named = {name for system in SYSTEMS for name in system.exhibits}
    for target in own_targets.values():
        of_study = {each for each, other in own_targets.items() if other.package == target.package}
        for exhibit in target.exhibits:
            assert named & {f"{each}/{exhibit}" for each in of_study}, f"{target.name}/{exhibit}"


def test_every_claim_of_the_sources_is_a_systems(own_targets):
    named = {name for system in SYSTEMS for name in system.claims}
    for study in JUDGED:
        if any(target.judged for target in own_targets.values() if target.package == study):
            missing = {f"{study}/{claim.id}" for claim in source_of(study).claims} - named
            assert not missing


@cache
def pages():
    """Return the pages as they are to be, by path."""
    return write_pages(SYSTEMS, REFERENCE)


def test_the_pages_are_the_file():
    for path, text in pages().items():
        assert path.read_text(encoding="utf-8") == text, path
    assert set(PAGES.glob("*.md")) == set(pages()) - {PAGE}
    contents = Path(TOP, "docs", "index.md").read_text(encoding="utf-8")
    assert all(f"sources/{path.stem}\n" in contents for path in pages() if path != PAGE)


def test_every_link_of_the_pages_leads_somewhere():
    for path, text in pages().items():
        for target in re.findall(r"\]\(([^)]+)\)", text):
            file, _, anchor = target.partition("#")
            there = (path.parent / file).resolve()
            assert there.exists(), target
            if anchor:
                headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.M)
                assert anchor in map(slug, headings), target


def test_a_heading_stands_once_on_a_page():
    for path, text in pages().items():
        slugs = [slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)]
        assert len(slugs) == len(set(slugs)), path


@pytest.mark.parametrize(
    "word",
    [
        *("k-means++", "Federalist Papers", "faces of Olivetti", "WSJ", "Wall Street Journal"),
        *("basketball", "word sense", "discriminative language model", "LDA", "syntax tree"),
        *("sequence memoizer", "strong convexity", "iterative residual rescaling", "Netflix"),
        *("speech recognition", "known words", "SRILM", "Fisher information", "folding in"),
    ],
)
def test_a_reader_finds(word):
    assert f"[{word}](sources/" in pages()[PAGE]


def test_a_picture_is_shown_once_on_the_page_of_its_source():
    text = pages()[PAGES / "textbook.md"]
    shown = re.findall(r"^!\[[^]]+\]\(([^)]+)\)$", text, re.M)
    assert len(shown) == len(set(shown))
    assert "../../results/reference/textbook/exhibits/elbow.png" in shown


def test_the_readme_leads_to_the_page():
    assert "docs/sources.md" in Path(TOP, "README.md").read_text(encoding="utf-8")


def test_verdicts_of_the_source_come_first(tmp_path):
    system = System("survey", "5.3", "", claims=("survey/n-us", "survey/n-cells", "survey/n-mixed"))
    (tmp_path / "survey").mkdir()
    lines = ["n-cells,source,reproduced", "n-mixed,source,not testable", "n-us,project,reproduced"]
    text = "\n".join(["id,by,verdict", *lines])
    (tmp_path / "survey" / "claims.csv").write_text(text, encoding="utf-8")
    assert count_verdicts(system, read_verdicts(tmp_path)) == (
        "1 reproduced, 1 not testable, this project's 1 reproduced"
    )


def test_every_reference_belongs_to_a_study():
    assert {path.parent.name for path in REFERENCE.glob("*/claims.csv")} <= {*STUDIES}
