"""The page that answers: which claims of the paper hold, how far, and under which readings.

One file, nothing fetched: text from `jinja2`, figures as data, style and script inside it.
"""

import re
from pathlib import Path

from markupsafe import Markup, escape

from reproduction.exhibits.tables import unavailable
from reproduction.page.ledger import (
    LOOKS,
    ledger_rows,
    other_verdicts,
    scientific,
    source,
    under_reading,
)
from reproduction.page.multiverse import describe_multiverse
from reproduction.page.pictures import describe_figure, embed_figures
from reproduction.papers.near_optimal_smoothing.errata import DESCRIPTIONS, ERRATA
from reproduction.papers.near_optimal_smoothing.readings import READINGS
from reproduction.verdicts.criteria import REPRODUCED, TREND
from reproduction.verdicts.judge import READINGS as OTHER_READINGS

TEMPLATES = Path(__file__).parent / "templates"
_FORMULAS = [
    (r"\b([A-Z])_([A-Za-z]+)\b", r"<i>\1</i><sub>\2</sub>"),
    (r"\^\(([^)]+)\)", r"<sup>\1</sup>"),
    (r"\^(-?\w+)", r"<sup>\1</sup>"),
    (r"&gt;&gt;", "≫"),
    (r"&lt;&lt;", "≪"),
    (r"\beps\b", "ε"),
    (r"\bl1 distance", "&ell;<sub>1</sub> distance"),
    (r"(?<![\w-])-(?=\d)", "\N{MINUS SIGN}"),
]
PAGE_LIMIT = 1_950_000  # bytes: the page stays below 2 MB
TEXT_ROOM = 500_000  # of these, for everything but the figures of the exhibits
# The paper's order; what it does not have comes last.
ORDER = (
    *("figure-1a", "figure-1a-power-law", "figure-1b", "figure-1c", "table-1"),
    *("figure-2a", "figure-2b", "figure-2c", "factor-k-over-m"),
)


def write_report(
    config, results, claims, figures, provenance, multiverse=None, root="..", made_by=None
):
    """Write the page.

    Parameters
    ----------
    config : dict
    results : evidence.Results
        Its ``scores`` are not needed.
    claims : pandas.DataFrame
        claims.csv.
    figures : sequence of str
        SVG of each exhibit, with a PNG beside it.
    provenance : dict
        provenance.json; empty where there is none.
    multiverse : dict, optional
        As `multiverse_report.read_multiverse` returns it.
    root : str
        The top folder, from that of the results.

    Returns
    -------
    str
        HTML.
    """
    rows = ledger_rows(claims, config["exhibits"], config["results"])
    pictures = embed_figures(figures, PAGE_LIMIT - TEXT_ROOM)
    left = PAGE_LIMIT - TEXT_ROOM // 2 - sum(map(len, pictures.values()))
    checks = _checks(results.checks, rows)
    page = {
        "root": root,
        "results": config["results"],
        "rows": rows,
        "counts": _counts(rows),
        "lowest": _lowest(rows),
        "parts": list(dict.fromkeys(row["part"] for row in rows)),
        "exhibits": _exhibits(config, results.tables, rows, pictures),
        "checks": checks,
        "anchors": {"corpora", *results.tables, *(check["anchor"] for check in checks)},
        "errata": _errata(rows),
        "readings": READINGS,
        "receipts": results.receipts,
        "provenance": provenance,
        "multiverse": describe_multiverse(multiverse, left) if multiverse else None,
    }
    return _environment().get_template("report.html.j2").render(page)


def _environment():
    """Return the templates' environment: everything escaped, nothing undefined."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = scientific
    environment.filters["math"] = set_formulas
    return environment


def set_formulas(text):
    """Set plain formulas in HTML: ``C_ij``, ``log^2``, ``k >> n``, ``eps``."""
    text = str(escape(text))
    for pattern, set_as in _FORMULAS:
        text = re.sub(pattern, set_as, text)
    return Markup(text)


def _counts(rows):
    """Return how many claims have each verdict, with its looks."""
    return [
        {
            "verdict": verdict,
            "look": look,
            "sign": sign,
            "count": sum(row["verdict"] == verdict for row in rows),
        }
        for verdict, (look, sign) in LOOKS.items()
    ]


def _lowest(rows):
    """Count verdicts on AD-LR being lowest: reproduced, trend, all; by default and by reading."""
    rows = [row for row in rows if row["id"].endswith("-lowest") and row["look"] != "untested"]
    default = {"default": [row["verdict"] for row in rows]}
    for row in rows:
        for name, (_, verdict) in other_verdicts(row).items():
            default.setdefault(name, []).append(verdict)
    return {
        name: (verdicts.count(REPRODUCED), verdicts.count(TREND), len(verdicts))
        for name, verdicts in default.items()
    }


def _exhibits(config, tables, rows, pictures):
    """Return what is shown of each exhibit: picture, the paper's words, claims, readings."""
    labels = {name: entry.get("label", name) for name, entry in config["methods"].items()}
    names = [name for name in ORDER if name in tables]
    shown = []
    for name in [*names, *(name for name in tables if name not in ORDER)]:
        exhibit = config["exhibits"][name]
        own, other = [row for row in rows if row["exhibit"] == name], _as_reading(rows, name)
        shown.append(
            source(name, config["exhibits"], config["results"])
            | {
                "name": name,
                "title": exhibit.get("title", name),
                "paper": DESCRIPTIONS.get(name, exhibit.get("description", "")),
                "picture": pictures.get(name),
                "alt": describe_figure(tables[name], exhibit, labels),
                "missing": unavailable(tables[name]) if "note" in tables[name] else {},
                "claims": own or other,
                "as_reading": bool(other and not own),
                "readings": [r for r in READINGS if name in r.exhibits],
                "cells": _cells(tables[name], labels, rows) if exhibit["kind"] == "table" else None,
            }
        )
    return shown


def _as_reading(rows, exhibit):
    """Return the claims that an exhibit tests under another reading."""
    for name, keys, _, other in OTHER_READINGS:
        if "exhibit" in keys and other == exhibit:
            return under_reading(rows, name)
    return []


def _cells(table, labels, rows):
    """Return Table 1 as rows of text: a method, then ours, spread and the paper's by corpus."""
    known = table.dropna(subset=["method"])
    verdicts = {row["id"]: row for row in rows}
    corpora = list(dict.fromkeys(table["corpus"]))
    cells = {(row.corpus, row.method): row for row in known.itertuples()}
    body = []
    for method in dict.fromkeys(known["method"]):
        row = [cells.get((corpus, method)) for corpus in corpora]
        shown = [c and _cell(c, verdicts.get(f"table-1-{c.corpus}-{method}")) for c in row]
        body.append({"label": labels.get(method, method), "cells": shown})
    return {"corpora": corpora, "rows": body}


def _cell(row, claim):
    """Return one cell, with the claim that judges it if there is one."""
    spread = f" ± {row.sd:.4f}" if row.seeds > 1 else ""
    paper = "" if row.paper != row.paper else f"{row.paper:g}"
    return {"ours": f"{row.mean:.4f}{spread}", "paper": paper, "claim": claim}


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


def _errata(rows):
    """Return the errata whose claims all failed, with the claims."""
    by_id = {row["id"]: row for row in rows}
    found = []
    for erratum in ERRATA:
        claims = [by_id[id] for id in erratum.claims if id in by_id]
        if all(claim["look"] == "failed" for claim in claims):
            found.append({"title": erratum.title, "text": erratum.text, "claims": claims})
    return found
