"""The exhibits as they are shown: picture, the paper's words, claims, convergence, readings."""

from dataclasses import dataclass

import numpy as np

from reproduction.exhibits.tables import unavailable
from reproduction.experiments.estimators import CONVERGED, build_method
from reproduction.page.ledger import count_verdicts, under_reading
from reproduction.page.pictures import describe_figure
from reproduction.page.render import format_share


@dataclass(frozen=True)
class Sources:
    """Where the numbers of each exhibit come from.

    Attributes
    ----------
    exhibits : dict
        The config's.
    made_by : dict of dict
        The ``rule`` that computes the scores of each kind of exhibit, and the ``file`` of that
        rule; ``corpora`` and ``theorems`` count as kinds.
    folder : str
        The folder of results, from the top folder: commands name it.
    """

    exhibits: dict
    made_by: dict
    folder: str

    def describe(self, exhibit, claim=None):
        """Say where an exhibit's numbers are: its file, its rule, the command that makes it."""
        kind = self.exhibits.get(exhibit, {}).get("kind", exhibit)
        file = {"theorems": "theorems.csv"}.get(exhibit, f"exhibits/{exhibit}.csv")
        anchor, shown_as = exhibit, "figure"
        if exhibit == "theorems" and claim:
            anchor, shown_as = f"check-{claim.id}", "cases"
        if exhibit == "corpora" and claim:
            file, shown_as = f"corpora/{claim.settings['corpus']}.json", "corpus"
        return {
            "file": file,
            "made_by": self.made_by.get(kind, {}),
            "anchor": anchor,
            "shown_as": shown_as,
            "command": f"snakemake -j8 {self.folder}/{file}",
        }


def describe_exhibits(paper, config, tables, rows, pictures, sources):
    """Return what is shown of each exhibit, in the paper's order.

    Parameters
    ----------
    paper : reproduction.verdicts.paper.Paper
    config : dict
        With ``methods`` and ``exhibits``.
    tables : dict of pandas.DataFrame
        The CSV of each exhibit.
    rows : list of dict
        From `ledger.ledger_rows`.
    pictures : dict of str
        The figure of each exhibit, as a data address.
    sources : Sources
    """
    labels = label_methods(config)
    names = [name for name in paper.order if name in tables]
    shown = []
    for name in [*names, *(name for name in tables if name not in paper.order)]:
        exhibit, table = config["exhibits"][name], tables[name]
        own, other = [row for row in rows if row["exhibit"] == name], _as_reading(paper, rows, name)
        claims = own or other
        shown.append(
            sources.describe(name)
            | {
                "name": name,
                "title": exhibit.get("title", name),
                "paper": paper.descriptions.get(name, exhibit.get("description", "")),
                "picture": pictures.get(name),
                "alt": describe_figure(table, exhibit, labels),
                "missing": unavailable(table) if "note" in table else {},
                "claims": claims,
                "counts": [count for count in count_verdicts(claims) if count["count"]],
                "as_reading": bool(other and not own),
                "convergence": describe_convergence(table, config["methods"], labels),
                "converged_at": f"{CONVERGED:g}",
                "readings": [r for r in paper.readings if name in r.exhibits],
                "cells": _cells(table, labels, own) if exhibit["kind"] == "table" else None,
            }
        )
    return shown


def label_methods(config):
    """Return what to call each of the config's methods."""
    return {name: entry.get("label", name) for name, entry in config["methods"].items()}


def describe_convergence(table, methods, labels):
    """Say of each iterated method which share of its fits had converged.

    Parameters
    ----------
    table : pandas.DataFrame
        The CSV of an exhibit, with ``converged``.
    methods : dict
        Entries of the config's ``methods``.
    labels : dict

    Returns
    -------
    list of dict
        ``label``, ``share`` over all fits, ``worst`` and ``best`` among the points, as text.
    """
    found = []
    known = table.dropna(subset=["method"])
    for name, part in known.groupby("method", sort=False):
        if not _is_iterated(methods[name]):
            continue
        fits = part["trials" if "trials" in part else "seeds"]
        shares = part["converged"].astype(float)
        found.append(
            {
                "label": labels.get(name, name),
                "share": format_share(np.average(shares, weights=fits)),
                "worst": format_share(shares.min()),
                "best": format_share(shares.max()),
            }
        )
    return found


def _is_iterated(entry):
    """Whether a method improves its fit step by step, so that it may stop too early."""
    return hasattr(build_method(entry, rank=1), "iterations")


def _as_reading(paper, rows, exhibit):
    """Return the claims that an exhibit tests under another reading."""
    for reading in paper.other_readings:
        if "exhibit" in reading.keys and reading.new == exhibit:
            return under_reading(rows, reading.name)
    return []


def _cells(table, labels, rows):
    """Return a table as rows of text: a method, then ours, spread and the paper's by corpus."""
    known = table.dropna(subset=["method"])
    verdicts = {
        (row["settings"]["corpus"], row["settings"]["method"]): row
        for row in rows
        if row["test"] == "cell"
    }
    corpora = list(dict.fromkeys(table["corpus"]))
    cells = {(row.corpus, row.method): row for row in known.itertuples()}
    body = []
    for method in dict.fromkeys(known["method"]):
        row = [cells.get((corpus, method)) for corpus in corpora]
        shown = [cell and _cell(cell, verdicts.get((cell.corpus, method))) for cell in row]
        body.append({"label": labels.get(method, method), "cells": shown})
    return {"corpora": corpora, "rows": body}


def _cell(row, claim):
    """Return one cell, with the claim that judges it if there is one."""
    spread = f" ± {row.sd:.4f}" if row.seeds > 1 else ""
    paper = "" if row.paper != row.paper else f"{row.paper:g}"
    return {"ours": f"{row.mean:.4f}{spread}", "paper": paper, "claim": claim}
