"""The systems of the sources, and where each is: a page of the documentation, and a table of pages.

``sources.toml`` is the one file of data. A row is a system: where its source has it, the functions
and methods that do it, its exhibits, its claims, and words by which a reader may look for it.
`python -m reproduction.page.sources` writes docs/sources.md, with verdicts of results/reference.
"""

import ast
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reproduction.study import read_words
from reproduction.verdicts.criteria import NOT_RUN, UNTESTED, VERDICTS

TOP = Path(__file__).parents[3]
ROWS = Path(__file__).parents[1] / "sources.toml"
PAGE = TOP / "docs" / "sources.md"
HEAD = """# The systems of the sources

The project has four source documents. Each system that one of them names is a row below: where
the source has it, what to call, the exhibit that shows it, and the verdicts on its claims. Words in
italics are others by which it is known. Exhibits and verdicts are those of
[results/reference](../results/reference). Verdicts are those of the source's own target, those on
claims of the source before this project's. Where a target of another size disagrees, the claim is
named with both verdicts.

In a call, `lines` is a list of sentences, such as `["the cat sat", "a dog ran"]`. `data` is a table
of ratings. `module:function` is a function of the reproduction, from which the exhibit is made.
[Tables](tables.md), [language models](text.md) and [counts](counts.md) show calls of the
library by example, and `help(...)` explains each.

<!-- Written by `python -m reproduction.page.sources` from src/reproduction/sources.toml. -->
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
    """Return who makes each claim and its verdicts, by ``study/claim``, from a folder of results.

    A verdict stands by the target that gave it, that of the study's default target first. A target
    that did not test a claim gives way to those that did.
    """
    found = {}
    for study, target in targets():
        path = reference / target / "claims.csv"
        if path.is_file():
            for row in pd.read_csv(path, keep_default_na=False).itertuples():
                of_claim = found.setdefault(f"{study}/{row.id}", (row.by, {}))[1]
                of_claim[target] = row.verdict
    return {name: (by, _tested(of_claim)) for name, (by, of_claim) in found.items()}


def targets():
    """Yield each study with each of its targets, its default target first."""
    for words in sorted((Path(__file__).parents[1] / "studies").glob("*/words.toml")):
        study = words.parent.name
        yield from ((study, target) for target in read_words(words).get("targets", {study: {}}))


def _tested(verdicts):
    """Return the verdicts of the targets that tested a claim; if none did, that of the first."""
    tested = {name: each for name, each in verdicts.items() if each not in (NOT_RUN, UNTESTED)}
    return tested or dict([next(iter(verdicts.items()))])


def count_verdicts(system, verdicts):
    """Return the verdicts on a system's claims in words, those of the source before this project's.

    They are those of the default target. Where a target of another size disagrees, both are named.
    """
    known = {name: verdicts[name] for name in system.claims if name in verdicts}
    counts = Counter((by, next(iter(found.values()))) for by, found in known.values())
    said = []
    for by, whose in (("source", ""), ("project", "this project's ")):
        listed = [(counts[by, verdict], verdict) for verdict in VERDICTS if counts[by, verdict]]
        said += [f"{whose}{number} {verdict}" for number, verdict in listed]
    parts = [", ".join(said)]
    for name, (_, found) in known.items():
        by_verdict = {}
        for target, verdict in found.items():
            by_verdict.setdefault(verdict, []).append(f"`{target}`")
        if len(by_verdict) > 1:
            each = [f"{verdict} ({', '.join(names)})" for verdict, names in by_verdict.items()]
            parts.append(f"{name.partition('/')[2]}: {', '.join(each)}")
    return "; ".join(filter(None, parts))


def write_markdown(systems, verdicts):
    """Return the page of the documentation."""
    parts = [HEAD]
    for source in read_sources():
        words = read_words(TOP / "src" / "reproduction" / "studies" / source["study"] / "source.py")
        others = [
            f"`make {name}` ({target['title']})"
            for name, target in words.get("targets", {}).items()
            if name != source["study"]
        ]
        further = f" Further targets: {'; '.join(others)}." if others else ""
        parts.append(
            f"## {words['title']}\n\n{words['byline'].strip()}. "
            f"Its target is `{source['target']}`.{further}\n"
        )
        lines = [
            "| where | system | call | exhibits | verdicts |",
            "| --- | --- | --- | --- | --- |",
        ]
        lines += [_line(row, verdicts) for row in systems if row.source == source["study"]]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(system, verdicts):
    """Return the row of a system in Markdown."""
    other = f"; *{', '.join(system.words)}*" if system.words else ""
    calls = "<br>".join(f"`{call}`" for call in system.calls)
    exhibits = "<br>".join(map(_link, system.exhibits))
    said = count_verdicts(system, verdicts) or system.missing
    cells = (system.place, f"{system.system}{other}", calls, exhibits, said)
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _link(name):
    """Return an exhibit as a link to its picture; without one if no reference keeps it."""
    target, _, exhibit = name.partition("/")
    picture = f"results/reference/{target}/exhibits/{exhibit}.png"
    return f"[{exhibit}](../{picture})" if (TOP / picture).is_file() else f"{exhibit} of `{target}`"


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
    """Write the page of the documentation."""
    verdicts = read_verdicts(TOP / "results" / "reference")
    PAGE.write_text(write_markdown(read_systems(), verdicts), encoding="utf-8")


if __name__ == "__main__":
    main()
