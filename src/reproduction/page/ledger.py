"""The ledger of claims as it is shown: numbers as text, and where to follow each of them."""

import math

from reproduction.papers.near_optimal_smoothing.claims import CLAIMS, CRITERIA
from reproduction.verdicts.criteria import FAILED, REPRODUCED, TREND, UNTESTED

# Of each verdict: a class for its looks, and a sign, so that it is never told by colour alone.
LOOKS = {
    REPRODUCED: ("reproduced", "✓"),
    TREND: ("trend", "≈"),
    FAILED: ("failed", "✗"),
    UNTESTED: ("untested", "○"),
}
# What computes the scores behind an exhibit: rule, and the file of the rule.
RULES = {
    "risk-curve": ("score_trials", "synthetic"),
    "table": ("score_text", "text"),
    "learning-curve": ("score_text", "text"),
    "rank-selection": ("score_text", "text"),
    "corpora": ("split_corpus", "text"),
    "theorems": ("check_theorems", "report"),
}
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
# What the ledger's number is, where the claim does not say it.
WHICH = {
    "order": "weakest margin",
    "some": "strongest margin",
    "size": "difference",
    "growth": "slope",
}
TEXT_COLUMNS = ("points", "reason", "other_readings", "columns")


def ledger_rows(table, exhibits, folder):
    """Return a row for each claim, ready to be shown.

    Parameters
    ----------
    table : pandas.DataFrame
        claims.csv.
    exhibits : dict
        The config's.
    folder : str
        Of the results, from the top folder: commands name it.
    """
    claims = {claim.id: claim for claim in CLAIMS}
    rows = []
    for number, row in enumerate(table.to_dict("records")):
        claim = claims[row["id"]]
        look, sign = LOOKS[row["verdict"]]
        text = {key: row[key] if isinstance(row[key], str) else "" for key in TEXT_COLUMNS}
        rows.append(
            {key: row[key] for key in ("id", "place", "statement", "verdict", "exhibit")}
            | text
            | source(row["exhibit"], exhibits, folder, claim)
            | {
                "number": number,
                "look": look,
                "sign": sign,
                "part": part_of(claim),
                "criterion": CRITERIA[claim.test],
                "published": published(row, claim),
                "published_key": row["published"],
                "ours": ours(row, claim.test).replace("-", MINUS),
                "which": WHICH.get(claim.test, ""),
                "test": claim.test,
                "ours_key": row["reproduced"] if known(row["reproduced"]) else row["high"],
                "interval": interval(row, claim.test).replace("-", MINUS),
                "tolerance": tolerance(row["tolerance"], claim.test),
                "tolerance_key": row["tolerance"],
            }
        )
    return rows


def part_of(claim):
    """Return the part of the paper by which claims are filtered."""
    for word in ("Figure 1", "Figure 2", "Table 1"):
        if word.lower() in claim.place.lower():
            return word
    return {"words": "Corpora", "external": "Other work"}.get(claim.test, "Theory")


def other_verdicts(row):
    """Return numbers and verdict, as text, under each of a row's other readings."""
    found = {}
    for text in filter(None, row["other_readings"].split("; ")):
        name, _, words = text.partition(": ")
        numbers, _, verdict = words.rpartition(", ")
        found[name] = numbers, verdict
    return found


def under_reading(rows, name):
    """Return the rows that have another reading of this name, as it judges them."""
    found = []
    for row in rows:
        if name in other_verdicts(row):
            numbers, verdict = other_verdicts(row)[name]
            look, sign = LOOKS[verdict]
            shown = {"verdict": verdict, "look": look, "sign": sign, "points": numbers}
            found.append(row | shown | {"ours": "", "interval": "", "other_readings": ""})
    return found


def source(exhibit, exhibits, folder, claim=None):
    """Say where an exhibit's numbers are: its CSV, its rule, and the command that makes it."""
    kind = exhibits.get(exhibit, {}).get("kind", exhibit)
    rule, file = RULES.get(kind, ("", ""))
    csv = f"{exhibit}.csv"
    if exhibit == "corpora":
        csv = f"corpora/{claim.settings['corpus']}.json"
    return {
        "csv": csv,
        "rule": rule,
        "rule_file": f"workflow/rules/{file}.smk",
        "anchor": {"theorems": f"check-{claim.id}"}.get(exhibit, exhibit) if claim else exhibit,
        "shown_as": {"theorems": "cases", "corpora": "corpus"}.get(exhibit, "figure"),
        "command": f"snakemake -j8 {folder}/{csv}",
    }


def known(value):
    """Whether a cell of a CSV holds a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)


def scientific(value):
    """Write a number with three digits."""
    text = f"{value:.3g}"
    digits, _, exponent = text.partition("e")
    return f"{digits} {TIMES} 10^{int(exponent)}" if exponent else text


def published(row, claim):
    """Write what the paper prints, or the bound that it states."""
    value = row["published"]
    if claim.test == "axis":
        return "{} to {}".format(*claim.settings["ends"])
    if claim.test == "theory" and isinstance(value, float) and not math.isnan(value):
        return "infinite" if math.isinf(value) else f"≤ {scientific(value)}" if value else "0"
    if not known(value):
        return ""
    if claim.test == "words":
        return f"{value:,.0f}"
    return f"slope {value:g}" if claim.test == "growth" else f"{value:g}"


def ours(row, test):
    """Write our number."""
    value = row["reproduced"]
    if test == "axis" and known(row["low"]):
        return f"{row['low']:.3g} to {row['high']:.3g}"
    if not known(value):
        return ""
    if test == "theory":
        return scientific(value) if abs(value) > 1e-9 else "0"
    if test in ("words", "minimum"):
        return f"m = {value:.0f}" if test == "minimum" else f"{value:,.0f}"
    return f"{value:.4f}"


def interval(row, test):
    """Write the 95 % interval of our number."""
    if test == "axis" or not (known(row["low"]) and known(row["high"])):
        return ""
    form = ",.0f" if test == "minimum" else ".4f"
    return f"{row['low']:{form}} to {row['high']:{form}}"


def tolerance(value, test):
    """Write how near is near enough; an ordering has to be above zero."""
    if test in ("order", "some"):
        return "> 0"
    return f"± {value:,g}" if known(value) else ""
