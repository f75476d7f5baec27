"""Judge the claims of `reproduction.papers.near_optimal_smoothing.claims` by the results of a run.

Orderings rest on paired differences: over trials that saw the same counts (Student's interval),
or over the same test words, in a bootstrap that draws blocks of text and starts again. A claim is
judged under the default readings; other readings of the same claim are judged beside it.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from reproduction.papers.near_optimal_smoothing import claims as paper
from reproduction.verdicts.criteria import COLUMNS, TESTS, UNITS, UNTESTED
from reproduction.verdicts.evidence import Untestable

# Other readings: what to call them, the settings they may change, from what, to what.
METHODS = ("pairs", "methods", "method")
READINGS = [
    ("KN with uniform continuation", METHODS, "kn", "kn-uniform"),
    ("AD-LR from random starts", METHODS, "ad-lr", "ad-lr-random"),
    ("power-law rows of B", ("exhibit",), "figure-1a", "figure-1a-power-law"),
    ("C_ij / C_i for P_ij in Eq. (2)", ("check",), "lemma-5", "lemma-5-counts"),
]
CLAIM_COLUMNS = [
    "id",
    "place",
    "statement",
    "published",
    "reproduced",
    "low",
    "high",
    "unit",
    "tolerance",
    "verdict",
    "points",
    "exhibit",
    "columns",
    "criterion",
    "reason",
    "other_readings",
]
POINT = ("corpus", "k", "rank", "n")
EVIDENCE_COLUMNS = [
    "evidence",
    "id",
    "reading",
    "corpus",
    "k",
    "rank",
    "n",
    "quantity",
    "value",
    "low",
    "high",
]


def judge_claims(results, claims=None):
    """Judge every claim.

    Parameters
    ----------
    results : evidence.Results
    claims : sequence of paper.Claim, optional
        `paper.CLAIMS` by default.

    Returns
    -------
    claims, evidence : pandas.DataFrame
        `CLAIM_COLUMNS`, a row for each claim; `EVIDENCE_COLUMNS`, a row for each number that a
        verdict rests on, under each reading.
    """
    rows, evidence = [], []
    for claim in paper.CLAIMS if claims is None else claims:
        verdict, numbers = judge(claim, results)
        evidence += _label(claim, "default", numbers)
        beside = []
        for name, other in other_readings(claim):
            also, numbers = judge(other, results)
            if also["verdict"] != UNTESTED:
                beside.append(f"{name}: {_in_words(also)}")
                evidence += _label(claim, name, numbers)
        rows.append(
            {
                **{key: getattr(claim, key) for key in CLAIM_COLUMNS[:4]},
                **verdict,
                "tolerance": claim.tolerance,
                "unit": UNITS[claim.test],
                "exhibit": claim.exhibit,
                "columns": COLUMNS[claim.test],
                "criterion": claim.criterion,
                "other_readings": "; ".join(beside),
            }
        )
    return pd.DataFrame(rows)[CLAIM_COLUMNS], pd.DataFrame(evidence, columns=EVIDENCE_COLUMNS)


def judge(claim, results):
    """Return the verdict on one claim, as columns, and the numbers it rests on."""
    blank = dict.fromkeys(("reproduced", "low", "high"), np.nan) | {"points": "", "reason": ""}
    try:
        found, numbers = TESTS[claim.test](claim, results)
    except Untestable as why:
        return blank | {"verdict": UNTESTED, "reason": str(why)}, []
    return blank | found, numbers


def other_readings(claim):
    """Yield ``(name, claim)`` for each reading of `READINGS` that changes the claim."""
    for name, keys, old, new in READINGS:
        if "exhibit" in keys and claim.exhibit == old:
            yield name, replace(claim, exhibit=new)
        given = {key: claim.settings[key] for key in keys if key in claim.settings}
        changed = {key: _replaced(value, old, new) for key, value in given.items()}
        if changed != given:
            yield name, replace(claim, settings=claim.settings | changed)


def _replaced(value, old, new):
    """Replace a name in a name, or in a list or pairs of names."""
    if isinstance(value, str):
        return new if value == old else value
    return type(value)(_replaced(item, old, new) for item in value)


def _label(claim, reading, numbers):
    """Complete the rows of evidence; the first column tells each from all others."""
    for number in numbers:
        where = " ".join(f"{key}={value}" for key, value in number.items() if key in POINT)
        name = f"{claim.id} | {reading} | {number['quantity']} | {where}"
        yield {"evidence": name, "id": claim.id, "reading": reading} | number


def _in_words(verdict):
    """Say a verdict and its numbers in a few words."""
    ours = verdict["reproduced"]
    number = f"{ours:.4f}, " if np.isfinite(ours) else ""
    points = f"{verdict['points']}, " if verdict["points"] else ""
    return f"{number}{points}{verdict['verdict']}"
