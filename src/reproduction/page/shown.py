"""The exhibits as they are shown: picture, the paper's words, claims, convergence, readings."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from condprob.catalogue import METHODS
from condprob.model import SETTLED
from reproduction.exhibits.printing import share_between, unavailable
from reproduction.exhibits.sweeps import find_variants, rows_with
from reproduction.page.ledger import count_verdicts, label_methods, under_reading
from reproduction.page.pictures import describe_figure
from reproduction.page.render import format_scientific


@dataclass(frozen=True)
class Sources:
    """Where the numbers of each exhibit come from."""

    scope: object  # study.Scope, or its fields
    folder: str  # the folder of results, from the top folder: commands name it
    make: str  # the command that makes a file

    def describe(self, exhibit, claim=None):
        """Say where an exhibit's numbers are: its file, its rule, the command that makes it."""
        name = self.scope.name
        file, rule = f"{name}/exhibits/{exhibit}.csv", RULES["exhibit"]
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
            "made_by": rule,
            "anchor": anchor,
            "shown_as": shown_as,
            "command": f"{self.make} {self.folder}/{file}",
        }


# The rule whose scores, or whose cases, stand behind an exhibit.
RULES = {
    "exhibit": {"rule": "score", "file": "workflow/rules/score.smk"},
    "theorems": {"rule": "check_theory", "file": "workflow/rules/judge.smk"},
    "corpora": {"rule": "split_corpus", "file": "workflow/rules/prepare.smk"},
}


def describe_exhibits(material, rows, pictures, made):
    """Return the fields of each exhibit on the page, in the source's order.

    Rows are those of `ledger.ledger_rows`, pictures data addresses by exhibit.
    """
    paper, tables, config = material.source, material.results.tables, material.config
    labels = label_methods(config)
    names = [name for name in paper.order if name in tables]
    shown = []
    for name in [*names, *(name for name in tables if name not in paper.order)]:
        exhibit, table = material.exhibits[name], tables[name]
        methods = {method: config["methods"][method] for method in exhibit["methods"]}
        own, other = [row for row in rows if row["exhibit"] == name], _as_reading(paper, rows, name)
        claims = own or other
        shown.append(
            made.describe(name)
            | {
                "name": name,
                "title": exhibit.get("title", name),
                "paper": paper.descriptions.get(name, exhibit.get("description", "")),
                "picture": pictures.get(name),
                "alt": exhibit.get("alt") or describe_figure(table, exhibit, methods),
                "missing": unavailable(table) if {"note", "corpus", "method"} <= set(table) else {},
                "claims": claims,
                "counts": [count for count in count_verdicts(claims) if count["count"]],
                "as_reading": bool(other and not own),
                "convergence": (
                    describe_convergence(table, config["methods"], labels)
                    if "converged" in table
                    else []
                ),
                "converged_at": format_scientific(SETTLED),
                "readings": [r for r in paper.readings if name in r.exhibits],
                "cells": _cells(table, methods, own) if exhibit["kind"] == "table" else None,
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

    A method iterates if its record says so, or if one of its fits ended before it converged: the
    fits decide, not the options of the method. Each has a ``label``, its ``share`` over all fits
    and the ``range`` from the worst to the best point, as text.
    """
    found = []
    known = table.dropna(subset=["method"])
    for name, part in known.groupby("method", sort=False):
        shares = part["converged"].astype(float)
        if shares.min() == 1 and METHODS[methods[name]["method"]].agreement == "exact":
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


def _as_reading(paper, rows, exhibit):
    """Return the claims that an exhibit tests under another reading."""
    for reading in paper.other_readings:
        if "exhibit" in reading.keys and reading.new == exhibit:
            return under_reading(rows, reading.name)
    return []


def _cells(table, methods, rows):
    """Return a table as rows of text: a method, then ours, spread and the paper's by corpus."""
    verdicts = {
        (row["settings"]["corpus"], row["settings"]["method"]): row
        for row in rows
        if row["test"] == "cell"
    }
    corpora, body = list(dict.fromkeys(table["corpus"])), []
    for name, values, label in find_variants(table, methods):
        part = rows_with(table[table["method"] == name], values)
        cells = {row.corpus: row for row in part.itertuples()}
        row = [cells.get(corpus) for corpus in corpora]
        judged = {} if values else verdicts  # A claim is on the method as the paper has it.
        shown = [cell and _cell(cell, judged.get((cell.corpus, name))) for cell in row]
        body.append({"label": label, "cells": shown})
    return {"corpora": corpora, "rows": body}


def _cell(row, claim):
    """Return one cell, with the claim that judges it if there is one."""
    spread = f" ± {row.sd:.4f}" if row.seeds > 1 else ""
    paper = "" if row.paper != row.paper else f"{row.paper:g}"
    return {"ours": f"{row.mean:.4f}{spread}", "paper": paper, "claim": claim}
