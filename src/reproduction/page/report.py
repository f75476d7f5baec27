"""The page that answers: which claims of a paper hold, how far, and under which settings.

One file with its style and a few lines of script; it shows the pictures of the folder next to it.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from condprob.model import SETTLED_BELOW
from reproduction.exhibits.printing import (
    UNMEASURED,
    format_difference,
    share_between,
)
from reproduction.exhibits.sweeps import find_variants, rows_with
from reproduction.methods import DIRECT
from reproduction.page.claims import (
    claim_rows,
    count_verdicts,
    group_claims,
    label_methods,
    under_setting,
)
from reproduction.page.material import RESULTS
from reproduction.page.pictures import describe_figure, describe_pictures
from reproduction.page.render import format_scientific, read_verdict, render_page
from reproduction.page.sources import systems_of
from reproduction.study import TOP
from reproduction.verdicts.criteria import MEANINGS, REPRODUCED
from reproduction.verdicts.judge import say_verdicts

# The rule whose scores, or whose cases, stand behind an exhibit.
RULES = {
    "models": {"rule": "score_models", "file": "workflow/rules/score.smk"},
    "texts": {"rule": "score_corpus", "file": "workflow/rules/score.smk"},
    "theorems": {"rule": "check_theory", "file": "workflow/rules/judge.smk"},
    "corpora": {"rule": "split_corpus", "file": "workflow/rules/prepare.smk"},
}
STUDIES = Path(__file__).parents[1] / "studies"
# Next to a number to which the protocol was fitted; in `print_table` a dagger has another meaning.
FITTED = "\N{DOUBLE DAGGER}"
CLAIM_ID = re.compile(r'id = "(.+)"$')  # in a words.toml


@dataclass(frozen=True)
class Origins:
    """Where the numbers of each exhibit come from."""

    target: object  # the target: its name, study and exhibits
    folder: str  # the folder of results, from the top folder: commands name it
    make: str  # the command that makes a file

    def describe(self, exhibit, claim=None):
        """Say where an exhibit's numbers are: its file, its rule, the command that makes it."""
        name = self.target.name
        file, rule = f"{name}/exhibits/{exhibit}.csv", self._rule_of(exhibit)
        anchor, shown_as = exhibit, "figure"
        if exhibit == "theorems":
            file, rule = f"{name}/theory.csv", RULES["theorems"]
            if claim:
                anchor, shown_as = f"check-{claim.id}", "cases"
        if exhibit == "corpora":
            rule = RULES["corpora"]
            if claim:
                file, shown_as = f"corpora/{claim.settings['corpus']}.json", "corpus"
        return {
            "file": file,
            "drawing": f"{name}/exhibits/{exhibit}.svg",
            "made_by": rule,
            "anchor": anchor,
            "shown_as": shown_as,
            "command": f"{self.make} {self.folder}/{file}",
        }

    def _rule_of(self, exhibit):
        """Return the rule whose scores stand behind an exhibit; a study has rules of its own."""
        entry = self.target.exhibits.get(exhibit, {})
        if "k_values" in entry:
            return RULES["models"]
        if entry.get("kind") in ("table", "learning-curve", "rank-selection"):
            return RULES["texts"]
        own = Path(f"workflow/studies/{self.target.study}/rules.smk")
        file = own if (TOP / own).is_file() else Path("workflow/rules/answer.smk")
        return {"rule": file.name, "file": str(file)}


def describe_exhibits(material, rows, project, pictures, made):
    """Return the fields of each exhibit on the page, in the source's order.

    ``rows`` and ``project`` are `claims.claim_rows` of the source and of this project. An
    exhibit has the project's where it tests none of the source's. ``pictures`` are those of
    `pictures.describe_pictures`.
    """
    paper, tables, config = material.source, material.results.tables, material.config
    labels = label_methods(config)
    names = [name for name in paper.order if name in tables]
    shown = []
    for name in [*names, *(name for name in tables if name not in paper.order)]:
        exhibit, table = material.exhibits[name], tables[name]
        methods = {method: config["methods"][method] for method in exhibit["methods"]}
        own, other = [row for row in rows if row["exhibit"] == name], _as_setting(paper, rows, name)
        claims = own or other or [row for row in project if row["exhibit"] == name]
        shown.append(
            made.describe(name)
            | {
                "name": name,
                "title": exhibit.get("title", name),
                "paper": paper.descriptions.get(name, exhibit.get("description", "")),
                "remark": paper.remarks.get(name, ""),
                "picture": pictures.get(name),
                "alt": exhibit.get("alt") or describe_figure(table, exhibit, methods),
                "claims": claims,
                "counts": [count for count in count_verdicts(claims, "alike") if count["count"]],
                "as_setting": bool(other and not own),
                "convergence": (
                    describe_convergence(table, config["methods"], labels)
                    if "converged" in table
                    else []
                ),
                "converged_at": format_scientific(SETTLED_BELOW),
                "interpretations": [r for r in paper.interpretations if name in r.exhibits],
                "cells": (
                    _cells(table, methods, own, paper.columns)
                    if exhibit["kind"] == "table"
                    else None
                ),
            }
        )
    links = link_texts([exhibit["title"] for exhibit in shown])
    return [exhibit | {"link": link} for exhibit, link in zip(shown, links, strict=True)]


def link_texts(titles):
    """Return the names of exhibits in a list: the part of each title before its colon.

    Where several titles share that part, it is the part behind the colon.
    """
    parts = [title.partition(": ") for title in titles]
    heads = Counter(head for head, _, _ in parts)
    return [rest if rest and heads[head] > 1 else head for head, _, rest in parts]


def describe_convergence(table, methods, labels):
    """Say which share of its fits had converged, of each method that iterates.

    A method iterates if it is none of the direct ones, or if one of its fits ended before it
    converged: the fits decide, not the options of the method. Nothing is said of samplers and
    random steps, which do not measure it. Each has a ``label``, its ``share``
    over all fits and the ``range`` from the worst to the best point, as text.
    """
    found = []
    for name, part in table.groupby("method", sort=False):
        shares = part["converged"].astype(float)
        id = methods[name]["method"]
        if id in UNMEASURED or (shares.min() == 1 and id in DIRECT):
            continue
        fits = part["trials" if "trials" in part else "seeds"]
        mean = np.average(shares, weights=fits)
        found.append(
            {
                "label": labels.get(name, name),
                "share": share_between(mean, mean),
                "range": share_between(shares.min(), shares.max()),
            }
        )
    return found


def _as_setting(paper, rows, exhibit):
    """Return the claims that an exhibit tests under another setting."""
    for setting in paper.changing:
        found = [row for row in rows if setting.instead.get(row["exhibit"]) == exhibit]
        if found:
            return under_setting(found, setting.name)
    return []


def _cells(table, methods, rows, columns=()):
    """Return a table as rows of text: a method; by corpus measured, published and the difference.

    A cell has a mark for each of the settings ``columns`` under which a claim is about it: another
    setting may judge the claim by another method. It is ``searched`` if the protocol was chosen to
    match its number. Of each corpus it says whether the paper prints some cell.
    """
    marks, searched = {}, set()
    for row in rows:
        if row["test"] == "cell":
            if row["settings"].get("searched"):
                searched.add((row["settings"]["corpus"], row["settings"]["method"]))
            for number, found in enumerate(row["under"]):
                instead = columns[number].instead if columns else {}
                method = row["settings"]["method"]
                place = row["settings"]["corpus"], instead.get(method, method)
                mark = {"setting": number, "id": row["id"]}
                mark |= {key: found[key] for key in ("look", "sign", "verdict")}
                marks.setdefault(place, []).append(mark)
    corpora, body = list(dict.fromkeys(table["corpus"])), []
    for name, values, label in find_variants(table, methods):
        part = rows_with(table[table["method"] == name], values)
        cells = {row.corpus: row for row in part.itertuples()}
        row = [cells.get(corpus) for corpus in corpora]
        judged = {} if values else marks  # A claim is on the method as the paper has it.
        shown = [
            cell
            and _cell(cell, judged.get((cell.corpus, name), []))
            | {"searched": not values and (cell.corpus, name) in searched}
            for cell in row
        ]
        body.append({"label": label, "cells": shown})
    printed = set(table.loc[table["paper"].notna(), "corpus"])
    named = [{"name": corpus, "is_printed": corpus in printed} for corpus in corpora]
    return {"corpora": named, "rows": body, "searched": bool(searched), "mark": FITTED}


def _cell(row, marks):
    """Return one cell, with the marks of the claims that judge it."""
    spread = f" ±\N{NO-BREAK SPACE}{row.sd:.4f}" if row.seeds > 1 else ""
    is_printed = row.paper == row.paper
    return {
        "measured": f"{row.mean:.4f}{spread}",
        "paper": f"{row.paper:g}" if is_printed else "",
        "difference": format_difference(row.mean - row.paper, 4) if is_printed else "",
        "marks": marks,
    }


def write_page(material):
    """Return the page of a target in HTML."""
    source, results, config = material.source, material.results, material.config
    made = Origins(material.target, RESULTS, material.command)
    every = claim_rows(material, made)
    # A page about a paper counts the paper's claims; ours on the same text stand by themselves.
    own = [row for row in every if source.is_paper and row["by"] == "project"]
    rows = [row for row in every if row not in own]
    checks = _checks(results.checks, every)
    shown = describe_exhibits(material, rows, own, describe_pictures(material.figures), made)
    by_id = {row["id"]: row for row in rows}
    opened = [row["exhibit"] for row in every if row["id"] in source.finding.get("claims", ())[:1]]
    systems = _systems(material.target.study, results.tables, every) if source.is_paper else []
    page = {
        "headline": (source.headline or partial(say_verdicts, source))(material.settings),
        "finding": _finding(source, every),
        "columns": source.columns,
        "abstract": _abstract(material.abstract, source.judged_under),
        "foremost": [by_id[id] for id in source.foremost if source.is_paper and id in by_id],
        "glance": next((e for e in shown if e["cells"] and source.is_paper), {}),
        # the exhibit of the finding is open, and the first
        "exhibits": sorted(shown, key=lambda each: each["name"] not in opened),
        "opened": opened,
        "kinds": group_claims(rows),
        "own": group_claims(own),
        "counts": count_verdicts(every),
        "meanings": MEANINGS,
        "stated": _lines_of_claims(source, material.target.study),
        "anchors": {"corpora", *results.tables, *(check["anchor"] for check in checks)},
        "errata": _errata(source, rows),
        "checks": checks,
        "theorems": made.describe("theorems"),
        "systems": systems,
        "background": bool(source.interpretations or checks or systems),
    }
    repository = config.get("repository", "")
    return render_page("report.html.j2", material.frame | page, repository, material.provenance)


def _abstract(table, settings):
    """Return the rows of the abstract, each with its verdict ``under`` each setting.

    A row whose numbers were not available has no cells.
    """
    return [
        row | {"under": [{"setting": name} | read_verdict(row[name]) for name in settings]}
        for row in table.astype(object).fillna("").to_dict("records")
    ]


def _systems(study, tables, rows):
    """Return the systems of a study's source, with those exhibits and claims that the page has."""
    by_id = {f"{study}/{row['id']}": row for row in rows}
    return [
        {
            "place": system.place,
            "system": system.system,
            "calls": system.calls,
            "exhibits": [
                exhibit
                for of, _, exhibit in (name.partition("/") for name in system.exhibits)
                if of == study and exhibit in tables
            ],
            "claims": [by_id[name] for name in system.claims if name in by_id],
            "missing": system.missing,
        }
        for system in systems_of(study)
    ]


def _lines_of_claims(source, study):
    """Return where each claim stands: its line of a study's words.toml, or source.py.

    The words of another study may have it: the theory's claims are also the paper's.
    """
    words = sorted(STUDIES.glob("*/words.toml"), key=lambda path: path.parent.name == study)
    by_line = {}
    for path in words:
        place = f"src/reproduction/studies/{path.parent.name}/words.toml"
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if match := CLAIM_ID.match(line):
                by_line[match[1]] = f"{place}#L{n}"
    own = f"src/reproduction/studies/{study}/source.py"
    return {claim.id: by_line.get(claim.id, own) for claim in source.claims}


def _checks(checks, rows):
    """Return the cases of each statement of the theory."""
    shown = []
    for row in rows:
        if row["exhibit"] == "theorems":
            cases = checks[checks["check"] == row["id"]].fillna("").to_dict("records")
            for case in cases:
                sizes = [("k", case["k"]), ("m", case["rank"]), ("n", case["n"])]
                case["sizes"] = ", ".join(f"{name} = {size:,.0f}" for name, size in sizes if size)
            if cases:
                shown.append(row | {"cases": cases})
    return shown


def _finding(source, rows):
    """Return the source's finding, if every claim that it rests on is reproduced."""
    text, claims = source.finding.get("text", ""), source.finding.get("claims", ())
    held = {row["id"] for row in rows if row["verdict"] == REPRODUCED}
    return text if held >= {*claims} else ""


def _errata(paper, rows):
    """Return the errata whose claims all failed, with the claims."""
    by_id = {row["id"]: row for row in rows}
    found = []
    for erratum in paper.errata:
        if not by_id.keys() >= set(erratum.claims):
            continue
        claims = [by_id[id] for id in erratum.claims]
        if all(claim["look"] == "failed" for claim in claims):
            found.append({"title": erratum.title, "text": erratum.text, "claims": claims})
    return found
