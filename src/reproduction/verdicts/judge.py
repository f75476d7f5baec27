"""Judge the claims of a paper by the results of a run.

Orderings rest on paired differences: over trials that saw the same counts (Student's interval),
or over the same test words, in a bootstrap that draws blocks of text and starts again. A claim is
judged under the default settings; other settings of the same claim are judged as well.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pandas as pd

from reproduction.corpora.receipts import left_out
from reproduction.methods import METHODS
from reproduction.verdicts import comparisons, orders, rows, values
from reproduction.verdicts.criteria import (
    CRITERIA,
    KINDS,
    NOT_RUN,
    REPRODUCED,
    TRIVIAL,
    UNTESTED,
    WITHIN,
    describe_criterion,
    kind_of,
)
from reproduction.verdicts.evidence import Missing, Untestable, say_number

TESTS = {
    "cell": values.judge_cell,
    "order": comparisons.judge_order,
    "effect": comparisons.judge_order,
    "average": comparisons.judge_average,
    "unbeaten": comparisons.judge_unbeaten,
    "spread": values.judge_spread,
    "within-share": comparisons.judge_within_share,
    "similar": comparisons.judge_similar,
    "degrades": orders.judge_degrades,
    "steady": orders.judge_steady,
    "some": comparisons.judge_some,
    "size": comparisons.judge_size,
    "growth": comparisons.judge_growth,
    "minimum": comparisons.judge_minimum,
    "axis": values.judge_axis,
    "words": values.judge_words,
    "rows": rows.judge_rows,
    "theory": values.judge_theory,
    "slope": values.judge_slope,
    "external": values.judge_external,
}
CLAIM_COLUMNS = [
    *("id", "by", "kind", "place", "statement", "published"),
    *("measured", "low", "high", "unit", "tolerance"),
    *("verdict", "points", "exhibit", "columns", "criterion", "reason", "other_settings"),
]
POINT = ("corpus", "k", "rank", "n", "order")
EVIDENCE_COLUMNS = ["evidence", "id", "setting", *POINT, "quantity", "value", "low", "high"]
SETTING_COLUMNS = [
    *("verdict_of", "id", "setting", "verdict", "measured", "low", "high"),
    *("better", "worse", "order", "n", "points", "reason"),
]


def judge_claims(results, paper, methods=None):
    """Judge every claim of a source.

    ``methods`` are the entries of the config, by name: no claim is judged on an entry that
    differs from the source's.

    Returns three tables. `CLAIM_COLUMNS`, and the verdict under each of the source's `columns`: a
    row for each claim. `EVIDENCE_COLUMNS`: a row for each number that a verdict rests on; a setting
    that leaves a claim as it is has the numbers of the default. `SETTING_COLUMNS`: a row for the
    verdict on each claim under each of the `columns`, or the default, and under each other setting
    that could be tested: ``better``, ``worse`` and ``n`` say which difference the number is, where
    it is one.
    """
    rows, evidence, settings = [], [], []
    names = [setting.name for setting in paper.columns]
    others = find_others(paper.stated, methods or {})
    for claim in paper.claims:
        verdict, numbers = judge(claim, results, others)
        evidence += _label(claim, paper.default, numbers)
        under, beside = {paper.default: verdict}, []
        for setting in paper.changing:
            other = change(claim, setting)
            also, numbers = judge(other, results, others) if other else (verdict, [])
            was_tested = other and also["verdict"] not in (UNTESTED, NOT_RUN)
            if was_tested:
                beside.append(f"{setting.name}: {_in_words(also)}")
                evidence += _label(claim, setting.name, numbers)
            if was_tested or setting in paper.columns:
                under[setting.name] = also
        settings += [_under(claim, name, found) for name, found in under.items()]
        rows.append(
            {
                **{key: getattr(claim, key) for key in CLAIM_COLUMNS[:6]},
                "kind": kind_of(claim),
                **verdict,
                "tolerance": claim.tolerance,
                "exhibit": claim.exhibit,
                **{key: CRITERIA[claim.test][key] for key in ("columns", "unit")},
                "criterion": describe_criterion(claim, paper),
                "other_settings": "; ".join(beside),
                **{name: under[name]["verdict"] for name in names},
            }
        )
    return (
        pd.DataFrame(rows, columns=[*CLAIM_COLUMNS, *names]),
        pd.DataFrame(evidence, columns=EVIDENCE_COLUMNS),
        pd.DataFrame(settings, columns=SETTING_COLUMNS),
    )


def find_others(stated, methods):
    """Return why entries of the config differ from what a source states of them, by name.

    An option that an entry lacks is the library's default, but a rank that of the exhibit. Of a
    list of values, a sweep, each has to be the source's.
    """
    why = {}
    for name in [name for name in stated if name in methods]:
        wanted, entry = {"method": name} | stated[name], methods[name]
        options = METHODS[wanted["method"]].options
        for option, theirs in wanted.items():
            default = theirs if option in ("method", "rank") else options[option].default
            found = entry.get(option, default)
            if any(value != theirs for value in (found if isinstance(found, list) else [found])):
                why[name] = f"{name} has {option} {found} here, and the source {theirs}"
                break
    return why


def names_in(value):
    """Yield the texts in settings of a claim: names of methods among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from names_in(list(value.values()))
    elif isinstance(value, Iterable):
        for item in value:
            yield from names_in(item)


def judge(claim, results, others=MappingProxyType({})):
    """Return the verdict on one claim, as columns, and the numbers it rests on.

    ``others`` has the reasons why entries of the config differ from the source's; see
    `find_others`. A claim that is ``searched`` says in these words what was chosen to match it.
    """
    blank = dict.fromkeys(("measured", "low", "high"), np.nan) | {"points": "", "reason": ""}
    other = next((others[name] for name in names_in(claim.settings) if name in others), None)
    if other is not None:
        return blank | {"verdict": UNTESTED, "reason": other}, []
    try:
        found, numbers = TESTS[claim.test](claim, results)
    except Missing as why:
        lost = left_out(results.receipts)
        has_scores = any(map(len, results.scores.values()))
        if lost and not has_scores:  # other settings have no more of such a text
            reason = f"the text is not available: {next(iter(lost.values()))}"
            return blank | {"verdict": UNTESTED, "reason": reason}, []
        return blank | {"verdict": NOT_RUN, "reason": str(why)}, []
    except Untestable as why:
        return blank | {"verdict": UNTESTED, "reason": str(why)}, []
    if searched := claim.settings.get("searched"):
        found["reason"] += f"; {searched}"
    return blank | found, numbers


def change(claim, setting):
    """Return a claim under an `source.Setting`; None if it is left as it is."""
    exhibit = setting.instead.get(claim.exhibit, claim.exhibit)
    settings = claim.settings | {
        key: _replaced(value, setting.instead)
        for key, value in claim.settings.items()
        if not setting.keys or key in setting.keys
    }
    if (exhibit, settings) == (claim.exhibit, claim.settings):
        return None
    return replace(claim, exhibit=exhibit, settings=settings)


def _replaced(value, instead):
    """Replace names in a setting, in a list or in pairs of them."""
    if isinstance(value, list | tuple):
        return type(value)(_replaced(item, instead) for item in value)
    return instead.get(value, value) if isinstance(value, str) else value


def _label(claim, setting, numbers):
    """Complete the rows of evidence; the first column tells each from all others."""
    for number in numbers:
        where = " ".join(f"{key}={value}" for key, value in number.items() if key in POINT)
        name = f"{claim.id} | {setting} | {number['quantity']} | {where}"
        yield {"evidence": name, "id": claim.id, "setting": setting} | number


def _under(claim, setting, verdict):
    """Return the row of a verdict under one setting; the first column tells it from all others."""
    return {"verdict_of": f"{claim.id} | {setting}", "id": claim.id, "setting": setting} | verdict


def _in_words(verdict):
    """Say a verdict and its numbers in a few words."""
    number = ""
    if np.isfinite(verdict["measured"]):
        number = say_number({"value": verdict["measured"]} | verdict) + ", "
    points = f"{verdict['points']}, " if verdict["points"] else ""
    return f"{number}{points}{verdict['verdict']}"


def verdicts_on_source(settings, source):
    """Return the verdicts on a source's own claims, by claim and then by setting.

    ``settings`` are `SETTING_COLUMNS`; this project's claims about a paper are left out. The
    columns are the source's `columns`, or its default setting.
    """
    theirs = {c.id for c in source.claims if c.by == "source" or not source.is_paper}
    own = settings[settings["id"].isin(theirs)]
    verdicts = own.pivot(index="id", columns="setting", values="verdict")
    return verdicts.reindex(columns=source.judged_under)


def say_verdicts(source, settings):
    """Return sentences on how many of a source's own claims of each kind are reproduced.

    Where a source has `columns`, these are the claims that are reproduced under all of them. Claims
    that are within a bound, that hold trivially, or that nothing tests here are counted apart.
    """
    verdicts = verdicts_on_source(settings, source)
    kinds = pd.Series({claim.id: kind_of(claim) for claim in source.claims})
    held, untested, within, sure = (
        verdicts.isin(names).all(axis=1)
        for names in ([REPRODUCED], [NOT_RUN, UNTESTED], [WITHIN], [TRIVIAL])
    )
    parts, left = [], []
    for kind, title in KINDS.items():
        own = kinds[held.index] == kind
        name = f"{title[0].lower()}{title[1:]}"
        tested = (own & ~untested & ~within & ~sure).sum()
        aside = [((own & within).sum(), "within the bound"), ((own & sure).sum(), "hold trivially")]
        aside = ", ".join(f"{count} more {how}" for count, how in aside if count)
        more = f" ({aside})" if aside else ""
        if tested or more:
            parts.append(f"{(own & held).sum()} of {tested} {name}{more}")
        if (own & untested).any():
            left.append(f"{(own & untested).sum()} {name}")
    under = " under every setting" if source.columns else ""
    said = [f"Reproduced{under}: {', '.join(parts)}."] if parts else []
    return " ".join([*said, *([f"Not tested here: {', '.join(left)}."] if left else [])])
