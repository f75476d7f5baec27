"""The page that answers: which claims of a paper hold, how far, and under which readings.

One file, nothing fetched: text from `jinja2`, figures as data, style and script inside it.
"""

from functools import partial

from reproduction.page.ledger import count_verdicts, ledger_rows
from reproduction.page.pictures import PAGE_LIMIT, embed_figures
from reproduction.page.render import render_page
from reproduction.page.shown import Sources, describe_exhibits
from reproduction.verdicts.judge import say_verdicts

TEXT_ROOM = 500_000  # of these, for everything but the figures of the exhibits


def write_page(material):
    """Return the page of a scope in HTML."""
    source, results, config = material.source, material.results, material.config
    made = Sources(material.scope, config["results"], material.command)
    every = ledger_rows(material, made)
    # A page about a paper counts the paper's claims; ours on the same text stand by themselves.
    own = [row for row in every if source.is_paper and row["by"] == "us"]
    rows = [row for row in every if row not in own]
    pictures = embed_figures(list(material.figures.values()), PAGE_LIMIT - TEXT_ROOM)
    checks = _checks(results.checks, every)
    page = {
        "headline": (source.headline or partial(say_verdicts, source.claims))(material.readings),
        "rows": rows,
        "counts": count_verdicts(rows),
        "parts": list(dict.fromkeys(row["part"] for row in rows)),
        "own": own,
        "counts_of_own": [count for count in count_verdicts(own) if count["count"]],
        "exhibits": describe_exhibits(material, rows, pictures, made),
        "checks": checks,
        "theorems": made.describe("theorems"),
        "anchors": {"corpora", *results.tables, *(check["anchor"] for check in checks)},
        "errata": _errata(source, rows),
    }
    how = config.get("repository", ""), material.provenance
    return render_page("report.html.j2", material.frame | page, *how)


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
