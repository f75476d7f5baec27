"""The page that answers: which claims of a paper hold, how far, and under which readings.

One file, nothing fetched: text from `jinja2`, figures as data, style and script inside it.
"""

from reproduction.page.exhibits import Sources, describe_exhibits, label_methods
from reproduction.page.ledger import count_verdicts, ledger_rows
from reproduction.page.pictures import embed_figures
from reproduction.page.render import render_page

PAGE_LIMIT = 1_950_000  # bytes: the page stays below 2 MB
TEXT_ROOM = 500_000  # of these, for everything but the figures of the exhibits


def write_report(paper, config, results, claims, readings, figures, provenance, made_by, **files):
    """Write the page.

    Parameters
    ----------
    paper : reproduction.verdicts.source.Paper
    config : dict
        With ``results``, ``methods``, ``exhibits`` and perhaps ``repository``.
    results : evidence.Results
        Its ``scores`` are not needed.
    claims, readings : pandas.DataFrame
        claims.csv and claims-readings.csv.
    figures : sequence of str
        SVG of each exhibit, with a PNG beside it.
    provenance : dict
        provenance.json; empty where there is none.
    made_by : dict of dict
        See `exhibits.Sources`.
    **files
        Its ``tables`` and ``checks``, where they lie elsewhere.

    Returns
    -------
    str
        HTML.
    """
    sources = Sources(config["exhibits"], made_by, config["results"], **files)
    rows = ledger_rows(paper, claims, readings, label_methods(config), sources)
    pictures = embed_figures(figures, PAGE_LIMIT - TEXT_ROOM)
    checks = _checks(results.checks, rows)
    page = {
        "paper": paper,
        "headline": paper.headline(readings),
        "results": config["results"],
        "rows": rows,
        "counts": count_verdicts(rows),
        "parts": list(dict.fromkeys(row["part"] for row in rows)),
        "exhibits": describe_exhibits(paper, config, results.tables, rows, pictures, sources),
        "checks": checks,
        "theorems": sources.describe("theorems"),
        "anchors": {"corpora", *results.tables, *(check["anchor"] for check in checks)},
        "errata": _errata(paper, rows),
        "receipts": results.receipts,
        "provenance": provenance,
    }
    return render_page("report.html.j2", page, config.get("repository", ""), provenance)


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
        claims = [by_id[id] for id in erratum.claims if id in by_id]
        if all(claim["look"] == "failed" for claim in claims):
            found.append({"title": erratum.title, "text": erratum.text, "claims": claims})
    return found
