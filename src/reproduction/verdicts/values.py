"""Tests of claims on single values: printed cells, axes, numbers of words, cases of the theory.

Each test takes a `source.Claim` and an `evidence.Results`, and returns the columns of its verdict
with the numbers it rests on. criteria.toml has the criteria in words.
"""

import numpy as np

from reproduction.verdicts.criteria import (
    AXIS_MARGIN,
    AXIS_SHARE,
    CELL_TREND,
    REPRODUCED,
    TRIVIAL,
    UNTESTED,
    VACUOUS,
    WITHIN,
    WORDS_TREND,
    reach_verdict,
)
from reproduction.verdicts.evidence import Missing, Untestable, choose

ANOTHER_PAPER = "the comparison is with another paper's numbers, which are not restated"


def judge_cell(claim, results):
    """Compare a cell of a table; its interval is over runs, none where there is no chance."""
    table = results.rows("tables", claim.exhibit, claim.settings)
    method = claim.settings["method"]
    row = choose(table, claim.exhibit, "method", table["method"] == method, claim.settings).iloc[0]
    error = row["mean"] - claim.published
    verdict = reach_verdict(abs(error) <= claim.tolerance, abs(error) <= CELL_TREND)
    runs = f", mean over {row['seeds']:.0f} runs" if row["seeds"] > 1 else ""
    number = {"corpus": row["corpus"], "rank": row["rank"], "n": row["n"], "quantity": method}
    number |= {"value": row["mean"], "low": row["low"], "high": row["high"]}
    reason = f"{error:+.4f} from the published value{runs}"
    ours = {"measured": number["value"], "low": number["low"], "high": number["high"]}
    return ours | {"verdict": verdict, "reason": reason}, [number]


def judge_spread(claim, results):
    """Ask whether random initialisations differ little in cross-entropy; report the widest."""
    frame = results.rows("scores", claim.exhibit, claim.settings)
    method = claim.settings["method"]
    frame = choose(frame, claim.exhibit, "method", frame["method"] == method, claim.settings)
    sums = frame.groupby(["corpus", "k", "rank", "n", "seed"])[["loss", "pairs"]].sum()
    spread = (sums["loss"] / sums["pairs"]).groupby(level=["corpus", "k", "rank", "n"]).std()
    inside = int((spread <= claim.tolerance).sum())
    numbers = [
        row | {"quantity": method, "value": row.pop("spread")}
        for row in spread.rename("spread").reset_index().to_dict("records")
    ]
    return {
        "measured": spread.max(),
        "verdict": reach_verdict(inside == len(spread), 2 * inside > len(spread)),
        "points": f"{inside} of {len(spread)} within the margin",
        "reason": f"widest: {spread.idxmax()[0]}",
    }, numbers


def judge_axis(claim, results):
    """Ask whether the curves lie on the printed axis, and fill it."""
    table = results.rows("tables", claim.exhibit, claim.settings)
    for method in claim.settings["methods"]:
        choose(table, claim.exhibit, "method", table["method"] == method, {"method": method})
    table = table[table["method"].isin(claim.settings["methods"])]
    # Of texts the paper draws differences; of models it draws risks.
    of_texts = {"corpus", "difference"} <= set(table)
    drawn = table["difference" if of_texts else "mean"].to_numpy()
    scale = np.log if claim.settings["log"] else np.asarray
    bottom, top = scale(np.array(claim.settings["ends"], dtype=float))
    heights = (scale(drawn) - bottom) / (top - bottom)
    inside = (heights >= -AXIS_MARGIN) & (heights <= 1 + AXIS_MARGIN)
    beyond = inside & ((heights < 0) | (heights > 1))
    spanned = np.ptp(np.clip(heights, 0, 1))
    fills = spanned >= AXIS_SHARE
    verdict = reach_verdict(inside.all() and fills, inside.mean() >= AXIS_SHARE and fills)
    points = f"{inside.sum()} of {inside.size} on the axis"
    if beyond.any():
        points += f", or within a tenth of its length beyond ({beyond.sum()} beyond)"
    if not fills:
        points += f", but they span only {spanned:.0%} of it, not half"
    return {
        "low": drawn.min(),
        "high": drawn.max(),
        "verdict": verdict,
        "points": points,
        "reason": f"the curves span {spanned:.0%} of the axis",
    }, []


def judge_words(claim, results):
    """Compare a number of words with the printed one."""
    corpus, column = claim.settings["corpus"], claim.settings["column"]
    receipt = results.receipts.get(corpus, {"reason": "config.yaml does not name it"})
    if "reason" in receipt:
        raise Untestable(f"{corpus} is not available: {receipt['reason']}")
    value = receipt[column]
    error = abs(value - claim.published)
    verdict = reach_verdict(error <= claim.tolerance, error <= WORDS_TREND * claim.published)
    if verdict == REPRODUCED and claim.settings.get("is_setting"):
        verdict = TRIVIAL
    kind = "distinct words among" if column == "types" else "words to train on, of"
    reason = f"{value:,} {kind} the {receipt['words']:,} of the text"
    return {"measured": value, "verdict": verdict, "reason": reason}, []


def judge_slope(claim, results):
    """Ask of every slope that its interval hold the exponent, which is 1 or -1."""
    found, numbers = judge_theory(claim, results)
    near = all(number["value"] < 0.5 for number in numbers)
    reproduced = found["verdict"] == REPRODUCED
    return found | {"verdict": reach_verdict(reproduced, near)}, numbers


def judge_theory(claim, results):
    """Ask whether a statement holds in every case of the theory that was computed.

    The claim's settings say what the cases can show. It ``could_fail`` "never", which its ``why``
    explains; only "near the bound"; or "as a bound", if the source states no more than one. A
    ``partial`` test, for the reason given, shows at best a part of the statement. A ``proxy``
    stands for data or a procedure that are missing: its cases are reported, and decide nothing.
    """
    cases = results.checks[results.checks["check"] == claim.settings["check"]]
    if cases.empty:
        if "lacking" in claim.settings:  # no other settings are sure to have it
            raise Untestable(claim.settings["lacking"])
        raise Missing(f"results have no check {claim.settings['check']}")
    held = cases["holds"].astype(bool)
    worst = (cases[~held] if not held.all() else cases.iloc[[cases["share"].argmax()]]).iloc[0]
    numbers = [
        {"k": row.k, "rank": row.rank, "n": row.n, "quantity": row.case, "value": row.value}
        for row in cases.itertuples()
    ]
    why, could_fail = claim.settings.get("why"), claim.settings.get("could_fail")
    far = could_fail == "near the bound" and cases["share"].max() < VACUOUS
    verdict = reach_verdict(held.all() and "partial" not in claim.settings, held.all())
    if held.all() and could_fail == "as a bound":
        verdict = WITHIN
    if held.all() and (could_fail == "never" or far):
        verdict = TRIVIAL
    which = f"tightest of {held.size}" if held.all() else f"violated, first of {sum(~held)}"
    reason = f"{which}: {worst['case']}, {worst['value']:.3g} (at most {worst['bound']:.3g})"
    if "proxy" in claim.settings:
        verdict, reason = UNTESTED, f"{claim.settings['proxy']}; {reason}"
    return {
        "published": worst["bound"],
        "measured": worst["value"],
        "verdict": verdict,
        "points": f"{held.sum()} of {held.size} cases hold",
        "reason": "; ".join([reason, *filter(None, [why, claim.settings.get("partial")])]),
    }, numbers


def judge_external(claim, results):
    """Say why it cannot be judged."""
    raise Untestable(claim.settings.get("why", ANOTHER_PAPER))
