"""The systems of the sources, and where each is: pages of the documentation.

``sources.toml`` is the one file of data. A row is a system: where its source has it, the functions
and methods that do it, its exhibits, its claims, and words by which a reader may look for it.
`python -m reproduction.page.sources` writes docs/sources.md, which finds a system by its words, and
a page for each source in docs/sources, with verdicts and pictures of results/reference.
"""

import ast
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd
import yaml

from reproduction.studies import STUDIES
from reproduction.study import words_of
from reproduction.verdicts.criteria import VERDICTS

TOP = Path(__file__).parents[3]
ROWS = Path(__file__).parents[1] / "sources.toml"
PAGE = TOP / "docs" / "sources.md"
PAGES = TOP / "docs" / "sources"
# Numbered parts of a source, by which a reader may look for a system: "Table 8.7".
NUMBERED = re.compile(
    r"\b(figure|table|definition|theorem|lemma|algorithm|example)s?"
    r" ((?:\d[\d.]*(?:\(\w\))?(?:, | and )?)+)",
    re.IGNORECASE,
)
WRITTEN = (
    "<!-- Written by `python -m reproduction.page.sources` from src/reproduction/sources.toml. -->"
)
HEAD = f"""# Systems of the sources

The project has four source documents. Each has a page that lists every system it names: what the
system is, how to call it, its figures, and a verdict on each claim that the source makes about it.

{{table}}

## Find a system

{{finder}}

{WRITTEN}
"""
HEAD_OF_SOURCE = f"""# {{title}}

{{byline}}. `{{target}}` makes its figures, tables and verdicts.
[All sources](../sources.md) has an index of all systems by name.

In a call, `lines` is a list of sentences, such as `["the cat sat", "a dog ran"]`, and `data` a
table of ratings. [Tables](../tables.md), [language models](../text.md) and
[counts](../counts.md) show example calls; `help(...)` explains each. Verdicts are those of
[results/reference](../../results/reference).

{WRITTEN}
"""


@dataclass(frozen=True)
class System:
    """One system of a source."""

    source: str  # its study
    place: str  # where the source has it
    system: str  # what it is
    calls: tuple[str, ...] = ()  # Python expressions of the library, or ``module:function``
    exhibits: tuple[str, ...] = ()  # as ``target/exhibit``
    claims: tuple[str, ...] = ()  # as ``study/claim``
    words: tuple[str, ...] = ()  # others by which a reader may look for it
    missing: str = ""  # why there is no exhibit and no claim


def read_sources():
    """Return the records of the sources in their order."""
    return tomllib.loads(ROWS.read_text(encoding="utf-8"))["source"]


def read_systems():
    """Return the systems of all sources in the order of the file."""
    rows = tomllib.loads(ROWS.read_text(encoding="utf-8"))["row"]
    lists = ("calls", "exhibits", "claims", "words")
    return [System(**row | {key: tuple(row.get(key, ())) for key in lists}) for row in rows]


def systems_of(study):
    """Return the systems with an exhibit or a claim of a study, or of which it is the source."""
    return [
        system
        for system in read_systems()
        if system.source == study
        or any(name.startswith(f"{study}/") for name in (*system.claims, *system.exhibits))
    ]


def read_verdicts(reference):
    """Return who makes each claim and its verdict, by ``study/claim``, from a folder of results."""
    return {name: (row.by, row.verdict) for name, row in _read_claims(reference)}


def read_statements(reference):
    """Return the statement of each claim, by ``study/claim``."""
    return {name: row.statement for name, row in _read_claims(reference)}


def _read_claims(reference):
    """Yield the row of each claim with its name, ``study/claim``."""
    for study in STUDIES:
        path = reference / study / "claims.csv"
        if path.is_file():
            rows = pd.read_csv(path, keep_default_na=False).itertuples()
            yield from ((f"{study}/{row.id}", row) for row in rows)


def count_verdicts(system, verdicts):
    """Return the verdicts on a system's claims in words, those of the source first."""
    counts = Counter(verdicts[name] for name in system.claims if name in verdicts)
    said = []
    for by, whose in (("source", ""), ("project", "this project's ")):
        listed = [(counts[by, verdict], verdict) for verdict in VERDICTS if counts[by, verdict]]
        said += [f"{whose}{number} {verdict}" for number, verdict in listed]
    return ", ".join(said)


def write_pages(systems, reference):
    """Return the text of each page of the documentation by its path."""
    verdicts, statements = read_verdicts(reference), read_statements(reference)
    lines = ["| source | systems | target |", "| --- | ---: | --- |"]
    pages, places = {}, []
    for source in read_sources():
        study, rows = source["study"], [s for s in systems if s.source == source["study"]]
        words = words_of(study)
        file = f"{study.replace('_', '-')}.md"
        head = HEAD_OF_SOURCE.format(
            title=words["title"],
            byline=words["byline"].strip(),
            target=source["target"],
        )
        shown = set()
        parts = [_write_system(row, verdicts, statements, shown) for row in rows]
        pages[PAGES / file] = "\n".join([head, *parts])
        lines.append(f"| [{words['title']}](sources/{file}) | {len(rows)} | `{source['target']}` |")
        places += [
            (word, f"sources/{file}#{slug(heading_of(row))}")
            for row in rows
            for word in dict.fromkeys([*row.words, *_numbers_of(row), heading_of(row)])
        ]
    finder = "\n\n".join(_list_words(places))
    return {PAGE: HEAD.format(table="\n".join(lines), finder=finder)} | pages


def heading_of(system):
    """Return the heading of a system: what it is, in words."""
    return system.system[0].upper() + system.system[1:]


def _numbers_of(system):
    """Return the figures, tables and theorems of a system's place, each with its number."""
    return [
        f"{kind.capitalize()} {number}"
        for kind, numbers in NUMBERED.findall(system.place)
        for number in re.findall(r"\d[\d.]*(?:\(\w\))?", numbers)
    ]


def _without_article(word):
    """Return a word of the finder as it is sorted."""
    return re.sub(r"^(a|an|the) ", "", word.casefold())


def slug(heading):
    """Return the anchor that a forge and the documentation give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _list_words(places):
    """Yield a paragraph for each first letter: the words with links to their systems."""
    by_word = {}
    for word, address in places:
        by_word.setdefault(word, []).append(address)
    by_letter = {}
    for word in sorted(by_word, key=_without_article):
        initial = _without_article(word)[0]
        letter = initial.upper() if initial.isalpha() else "0-9"
        first, *others = by_word[word]
        links = [f"[{word}]({first})", *(f"[{i}]({a})" for i, a in enumerate(others, 2))]
        by_letter.setdefault(letter, []).append(" ".join(links))
    return (f"**{letter}** {', '.join(links)}" for letter, links in by_letter.items())


def _write_system(system, verdicts, statements, shown):
    """Return the section of a system; a picture that is among those ``shown`` is a link."""
    lines = [f"## {heading_of(system)}", "", f"*{system.place}.*"]
    if system.words:
        lines[-1] += f" Also: {', '.join(system.words)}."
    lines.append("")
    library = [call for call in system.calls if not call.startswith("reproduction")]
    if library:
        lines.append(f"- Call: {', '.join(f'`{call}`' for call in library)}")
    if code := [_link_code(call) for call in system.calls if call not in library]:
        lines.append(f"- Code of the exhibits and checks: {', '.join(code)}")
    pictures = [name for name in system.exhibits if picture_of(name)]
    links = [f"[{title_of(name)}](../../{picture_of(name)})" for name in pictures]
    links += [
        f"{title_of(name)} (`make {name.partition('/')[0]}`)"
        for name in system.exhibits
        if name not in pictures
    ]
    if links:
        lines.append(f"- Figures: {'; '.join(links)}")
    if said := count_verdicts(system, verdicts) or system.missing:
        lines.append(f"- Verdicts: {said}")
        lines += dict.fromkeys(  # a claim that two studies judge alike has one line
            f"  - *{_said_of(*verdicts[name])}*: {' '.join(statements[name].split())}"
            for name in system.claims
            if name in verdicts
        )
    for name in pictures:
        if name not in shown:
            lines += ["", f"![{title_of(name)}](../../{picture_of(name)})"]
            shown.add(name)
    return "\n".join([*lines, ""])


def _said_of(by, verdict):
    """Return the verdict on a claim in words."""
    return f"{verdict}, this project's" if by == "project" else verdict


def _link_code(call):
    """Return a function of the reproduction as a link to its module."""
    module, _, name = call.partition(":")
    return f"[`{name}`](../../src/{module.replace('.', '/')}.py)"


def picture_of(name):
    """Return the path of an exhibit's picture below the project; none if no reference keeps it."""
    target, _, exhibit = name.partition("/")
    picture = f"results/reference/{target}/exhibits/{exhibit}.png"
    return picture if (TOP / picture).is_file() else ""


@cache
def _titles():
    """Return the titles of all exhibits by name: those of the config and of the studies' words."""
    found = {}
    for path in [TOP / "config.yaml", *sorted(TOP.glob("workflow/studies/*/config.yaml"))]:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        parts = [config, *config.get("studies", {}).values()]
        for part in parts:
            for name, entry in part.get("exhibits", {}).items():
                found[name] = entry.get("title", name)
    return found


def title_of(name):
    """Return the title of an exhibit."""
    study, _, exhibit = name.partition("/")
    title = words_of(study).get("exhibits", {}).get(exhibit, {}).get("title")
    return title or _titles().get(exhibit, exhibit)


def names_called(call):
    """Return the dotted name with which a call begins: f.g of ``f.g(x).h(y)``."""
    node = ast.parse(call, mode="eval").body
    while True:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            node = node.value
        else:
            return ast.unparse(node)


def main():
    """Write the pages of the documentation."""
    pages = write_pages(read_systems(), TOP / "results" / "reference")
    PAGES.mkdir(exist_ok=True)
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
