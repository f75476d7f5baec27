"""How each kind of claim is judged, in words (criteria.toml) and in thresholds.

Both were fixed before any claim was judged; docs/reproduction.md lists the changes since then.
"""

import tomllib
from math import isnan
from pathlib import Path

REPRODUCED, PARTLY, FAILED, WITHIN, TRIVIAL, NOT_RUN, UNTESTED = VERDICTS = (
    "reproduced",
    "partially reproduced",
    "not reproduced",
    "within the bound",  # a bound that could have been broken, and was not
    "holds trivially",  # it could not have failed
    "not run at this size",
    "not testable",
)

# Four kinds of claims, whose counts are never added up.
KINDS = {
    "number": "Published numbers",
    "comparison": "Comparisons",
    "theory": "Statements of theory",
    "protocol": "Checks of protocol",
}
KIND_MEANINGS = {
    "number": "the source gives the number",
    "comparison": "what data show: a comparison of one method with another, or with chance",
    "theory": "a theorem, an identity, or a property of an algorithm",
    "protocol": "whether the same was done: sizes of corpora, axes, coverage of intervals",
}
MEANINGS = {
    REPRODUCED: "it meets its criterion, and so does its interval where chance is involved",
    PARTLY: "the direction is right, but its size or its interval is not enough",
    FAILED: "it does not hold",
    WITHIN: "the source states a bound that could have been violated and was not",
    TRIVIAL: "it could not have failed, because it is an identity or its bound is far away",
    NOT_RUN: "these settings leave out what tests it, such as an order or a text",
    UNTESTED: "data, code or a number is missing; the reason says which",
}

CELL_TREND = 0.03  # nats per word: a third of the effect that the paper reports
WORDS_TREND = 0.05  # relative: another edition, or another way of cutting, of the same text
AXIS_MARGIN = 0.1  # of the axis's length, beyond either end
AXIS_SHARE = 0.5  # of the points inside it for a trend; of its length, spanned by the curves
SMALL_RANK = 0.1  # of the vocabulary: a rank below this counts as "m << k"
# Of the other's risk: by more than that on a model nobody is unbeaten; not measured.
SHARE_OF_RISK = 0.02
VACUOUS = 1e-3  # of a bound: a statement whose values are all below this could not have failed
SIZE_TOLERANCE = 0.05  # relative: a sample size that stands for one that the paper names

# By the test of a claim: its ``criterion`` in words, ``columns``, ``unit``, and ``number``.
CRITERIA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
# Tests whose number is that of a case. The reason of a claim that holds by one of them names the
# case that is nearest to its bound. No other test has their ``columns`` and ``unit``.
TESTS_OF_CASES = ("theory", "slope")
COLUMNS_OF_CASES = {(CRITERIA[test]["columns"], CRITERIA[test]["unit"]) for test in TESTS_OF_CASES}


def describe_criterion(claim, paper):
    """Return the criterion of a claim in words."""
    words = paper.criteria.get(claim.test, CRITERIA[claim.test]["criterion"])
    if "could_fail" in claim.settings:
        words += f" {CRITERIA[claim.test]['could_fail'][claim.settings['could_fail']]}"
    for limit in ("partial", "proxy"):
        if claim.test == "theory" and limit in claim.settings:
            words += f" {CRITERIA[claim.test][limit]}"
    given = {
        "share": SHARE_OF_RISK,
        "times": 1 / VACUOUS,
        "as_large": f"at least {claim.published:g}",
    }
    if not isnan(claim.tolerance):
        given["as_large"] = f"within {claim.tolerance:g} of the published {claim.published:g}"
    return words.format(published=claim.published, tolerance=claim.tolerance, **given)


def kind_of(claim):
    """Return the kind of a claim, a key of `KINDS`: its own, or that of its test."""
    return claim.kind or CRITERIA[claim.test]["kind"]


def reach_verdict(reproduced, trend):
    """Return the verdict of two answers, of which the first outweighs the second."""
    return REPRODUCED if reproduced else PARTLY if trend else FAILED
