"""The claims as a page shows them: numbers as text, and where each can be followed."""

import math
import re

from reproduction.page.render import LOOKS, MINUS, format_scientific, look_of_verdicts, sum_up
from reproduction.verdicts.criteria import (
    CRITERIA,
    KIND_MEANINGS,
    KINDS,
    TESTS_OF_CASES,
    describe_criterion,
    kind_of,
)
from reproduction.verdicts.judge import change

WORD = re.compile(r"[\w-]+")


def claim_rows(material, made):
    """Return a row for each claim, ready to be shown."""
    paper, labels = material.source, label_methods(material.config)
    stated = {claim.id: claim for claim in paper.claims}
    found = material.settings.to_dict("records")
    by_setting = {(row["id"], row["setting"]): row for row in found}
    rows = []
    for row in material.claims.to_dict("records"):
        claim = stated[row["id"]]
        own = by_setting[claim.id, paper.default]
        others = [
            describe_verdict(by_setting[claim.id, setting.name], claim.test, labels)
            for setting in paper.changing
            if change(claim, setting) and (claim.id, setting.name) in by_setting
        ]
        under = [by_setting[claim.id, name] for name in paper.judged_under]
        rows.append(
            {key: row[key] for key in ("id", "by", "place", "statement", "exhibit")}
            | describe_verdict(own, claim.test, labels)
            | made.describe(row["exhibit"], claim)
            | {
                "kind": kind_of(claim),
                "under": [describe_verdict(each, claim.test, labels) for each in under],
                "alike": sum_up([each["verdict"] for each in under]),
                "criterion": describe_criterion(claim, paper),
                "settings": claim.settings,
                "published": format_published(row, claim),
                "which": CRITERIA[claim.test].get("number", ""),
                "test": claim.test,
                "tolerance": format_tolerance(row),
                "others": others,
            }
        )
    return rows


def describe_verdict(row, test, labels):
    """Return a verdict under one setting, a row of claims-settings.csv, as text."""
    look, sign = LOOKS[row["verdict"]]
    return {
        "setting": row["setting"],
        "verdict": row["verdict"],
        "look": look,
        "sign": sign,
        "measured": format_measured(row, test).replace("-", MINUS),
        "interval": format_interval(row, test).replace("-", MINUS),
        "points": _text(row["points"]),
        "reason": _say_reason(row, test, labels),
    }


def _say_reason(row, test, labels):
    """Say which difference a verdict rests on by the labels of its methods; else its reason."""
    if not _text(row["better"]):
        reason = _text(row["reason"])
        if test == "average":  # it names methods by their ids
            reason = WORD.sub(lambda word: labels.get(word[0], word[0]), reason)
        return reason
    better, worse = (labels.get(row[side], row[side]) for side in ("better", "worse"))
    sizes = [size for size in ("order", "n") if is_known(row[size])]
    at = "".join(f" at {size} = {row[size]:,.0f}" for size in sizes)
    wider = ", whose interval is widened for the number of points" if test == "some" else ""
    return f"{CRITERIA[test]['number']}: {worse} minus {better}{at}{wider}"


def under_setting(rows, name):
    """Return the rows that have another setting of this name, as it judges them."""
    return [
        row | other | {"others": [], "under": [other], "alike": other["verdict"]}
        for row in rows
        for other in row["others"]
        if other["setting"] == name
    ]


def count_verdicts(rows, key="verdict"):
    """Return how many rows have each verdict, with its looks."""
    return look_of_verdicts(lambda verdict: sum(row[key] == verdict for row in rows))


def group_claims(rows):
    """Return the rows by kind and, within each, by criterion, so that each is printed once."""
    found = []
    for kind, title in KINDS.items():
        of_kind = [row for row in rows if row["kind"] == kind]
        groups = {}
        for row in of_kind:
            groups.setdefault(row["criterion"], []).append(row)
        criteria = [{"criterion": words, "rows": group} for words, group in groups.items()]
        group = {"kind": kind, "title": title, "about": KIND_MEANINGS[kind], "criteria": criteria}
        found += [group | {"counts": count_verdicts(of_kind, "alike")}] if of_kind else []
    return found


def label_methods(config):
    """Return the label of each of the config's methods, by name."""
    return {name: entry.get("label", name) for name, entry in config["methods"].items()}


def is_known(value):
    """Whether a cell of a CSV holds a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)


def _text(value):
    """Return a cell of a CSV that holds text; an empty one was read as nan."""
    return value if isinstance(value, str) else ""


def format_published(row, claim):
    """Write the number that the paper prints, or the bound that it states."""
    value = row["published"]
    if claim.test == "axis":
        return "{} to {}".format(*claim.settings["ends"])
    if claim.test in TESTS_OF_CASES and isinstance(value, float) and not math.isnan(value):
        bound = "infinite" if math.isinf(value) else f"≤ {format_scientific(value)}"
        return bound if value else "0"
    if not is_known(value):
        return ""
    if claim.test == "words":
        return f"{value:,.0f}"
    form = "slope {:g}" if claim.test == "growth" else "{:g}"
    form = "≥ {:g}" if claim.test == "size" and math.isnan(claim.tolerance) else form
    return form.format(value)


def format_measured(row, test):
    """Write the number that was measured."""
    value = row["measured"]
    if test == "axis" and is_known(row["low"]):
        return f"{row['low']:.3g} to {row['high']:.3g}"
    if not is_known(value):
        return ""
    if test in TESTS_OF_CASES:
        return format_scientific(value) if abs(value) > 1e-9 else "0"
    if test in ("words", "minimum"):
        return f"m = {value:.0f}" if test == "minimum" else f"{value:,.0f}"
    return f"{value:.4f}"


def format_interval(row, test):
    """Write the 95 % interval of the measured number."""
    if test == "axis" or not (is_known(row["low"]) and is_known(row["high"])):
        return ""
    form = ",.0f" if test == "minimum" else ".4f"
    return f"{row['low']:{form}} to {row['high']:{form}}"


def format_tolerance(row):
    """Write how near to a published number is near enough; criteria state other thresholds."""
    known = is_known(row["published"]) and is_known(row["tolerance"])
    return f"± {row['tolerance']:,g}" if known else ""
