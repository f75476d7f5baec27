"""Tests of claims on differences, ratios and minima: they rest on paired or resampled scores.

Each test takes a `source.Claim` and an `evidence.Results`, and returns the columns of its verdict
with the numbers it rests on. criteria.toml has the criteria in words.
"""

import numpy as np
import pandas as pd

from reproduction.scores.intervals import (
    CONFIDENCE,
    bootstrap_weights,
    percentile_interval,
    resample_loss,
    student_interval,
)
from reproduction.scores.pairs import losses_of, paired_difference
from reproduction.verdicts.criteria import SHARE_OF_RISK, SMALL_RANK, reach_verdict
from reproduction.verdicts.evidence import Untestable, choose, say_number

ALONG = ("order", "n")  # sizes that a reason names, where they vary


def judge_order(claim, results):
    """Ask of every comparison that worse minus better be above zero; report the weakest.

    A claim of an effect has a tolerance: a difference below that is none.
    """
    least = 0.0 if np.isnan(claim.tolerance) else claim.tolerance
    numbers = [_compare(*pair) for pair in results.pairs(claim)]
    above = [number["low"] > least for number in numbers]
    below = [number["high"] < 0 for number in numbers]
    trend = 2 * sum(above) > len(numbers) and not any(below)
    points = f"{sum(above)} of {len(numbers)} above {f'{least:g}' if least else 'zero'}"
    if any(below):
        points += f", {sum(below)} below"
    weakest = min(numbers, key=lambda number: number["low"])
    return _decide("weakest: ", weakest, numbers, reach_verdict(all(above), trend), points)


def judge_average(claim, results):
    """Ask of the mean over families of points that it be as large as claimed, and above zero."""
    numbers, families = [], []
    for where, rows, better, worse in results.pairs(claim):
        numbers.append(_compare(where, rows, better, worse))
        families.append(rows[claim.settings["families"]].iloc[0])
    means = pd.Series([number["value"] for number in numbers]).groupby(families).mean()
    value, low, high = student_interval(means.to_numpy())
    weakest = min(numbers, key=lambda number: number["value"])
    return {
        **{"measured": value, "low": low, "high": high},
        "verdict": reach_verdict(value >= claim.published and low > 0, low > 0),
        "points": f"{sum(number['value'] > 0 for number in numbers)} of {len(numbers)} above zero",
        "reason": f"{weakest['worse']} minus {weakest['better']}: mean of {means.size} families, "
        f"smallest of {len(numbers)} samples {weakest['value']:.4f}",
    }, _evidence(numbers)


def judge_unbeaten(claim, results):
    """Ask of every comparison that it be above the margin of a tie below zero.

    Of models the margin is no more than a share of the other's risk.
    """

    def margin(rows, other):
        most = SHARE_OF_RISK * _risk_of(rows, other) if "trial" in rows else np.inf
        return min(claim.tolerance, most)

    return _judge_behind(claim, results, margin)


def judge_within_share(claim, results):
    """Ask the same with a share of the other's risk for a margin."""
    return _judge_behind(
        claim, results, lambda rows, other: claim.tolerance * _risk_of(rows, other)
    )


def _judge_behind(claim, results, margin_of):
    """Ask of every comparison that it be above a margin below zero; report the one that decides."""
    numbers = []
    for where, rows, better, worse in results.pairs(claim):
        number = _compare(where, rows, better, worse)
        numbers.append(number | {"margin": margin_of(rows, worse)})
    inside = sum(number["low"] > -number["margin"] for number in numbers)
    outside = [number for number in numbers if number["value"] <= -number["margin"]]
    weakest = min(outside or numbers, key=lambda number: number["low"] / number["margin"])
    verdict = reach_verdict(inside == len(numbers), not outside)
    points, margin = f"{inside} of {len(numbers)} above the margin", weakest["margin"]
    return _decide("weakest: ", weakest, numbers, verdict, points, f", margin {margin:.2g}")


def _risk_of(rows, method):
    """Return the mean risk of a method, nats."""
    return rows[rows["method"] == method]["kl_risk"].mean()


def judge_similar(claim, results):
    """Ask of every comparison that its interval lie inside a margin; report the farthest."""
    numbers = [_compare(*pair) for pair in results.pairs(claim)]
    reach = [max(abs(number["low"]), abs(number["high"])) for number in numbers]
    inside = sum(each <= claim.tolerance for each in reach)
    trend = all(abs(number["value"]) <= claim.tolerance for number in numbers)
    verdict = reach_verdict(inside == len(numbers), trend)
    points = f"{inside} of {len(numbers)} within the margin"
    return _decide("farthest: ", numbers[int(np.argmax(reach))], numbers, verdict, points)


def judge_some(claim, results):
    """Ask of one comparison among all that it be above zero, allowing for their number."""
    pairs = list(results.pairs(claim))
    numbers = [_compare(*pair) for pair in pairs]
    wide = [_compare(*pair, 1 - (1 - CONFIDENCE) / len(pairs)) for pair in pairs]
    strongest = max(wide, key=lambda number: number["low"])
    single = sum(number["low"] > 0 for number in numbers)
    widened = sum(number["low"] > 0 for number in wide)
    points = f"{widened} of {len(wide)} above zero"
    end = f"; interval widened for {len(wide)} points"
    verdict = reach_verdict(widened, single)
    return _decide("strongest: ", strongest, numbers, verdict, points, end)


def judge_size(claim, results):
    """Ask of one difference that it be above zero, and as large as claimed.

    It is within the claim's tolerance of the number, or, without a tolerance, at least that.
    """
    (number,) = (_compare(*pair) for pair in results.pairs(claim))
    more = number["value"] - claim.published
    as_large = more >= 0 if np.isnan(claim.tolerance) else abs(more) <= claim.tolerance
    above = number["low"] > 0
    found, _ = _decide("", number, [], reach_verdict(as_large and above, above))
    return found, _evidence([number])


def _decide(which, number, numbers, verdict, points="", end=""):
    """Return the columns of a verdict that rests on one difference, and all of them as evidence."""
    at = {size: number["where"][size] for size in ALONG if _varies(size, number, numbers)}
    shown = {"measured": number["value"], "low": number["low"], "high": number["high"]}
    shown |= dict.fromkeys(ALONG, np.nan) | at | {"better": number["better"]}
    name = f"{number['worse']} minus {number['better']}{_at(number, numbers)}"
    reason = f"{which}{name}, {say_number(number)}, {number['over']}{end}"
    shown |= {"worse": number["worse"], "verdict": verdict, "points": points, "reason": reason}
    return shown, _evidence(numbers)


def judge_growth(claim, results):
    """Ask of the slope of ``log(risk of worse / risk of better)`` against ``log k`` to reach one.

    The claim is that the ratio can be as large as some multiple of ``k``; growing faster is more.
    """
    ((better, worse),) = claim.settings["pairs"]
    risks, numbers = {}, []
    for where, part, _, _ in results.pairs(claim):
        table = part.pivot(index="trial", columns="method", values="kl_risk")[[worse, better]]
        risks[where["k"]] = table.to_numpy()
        ratio = table[worse].mean() / table[better].mean()
        numbers.append({**where, "quantity": f"{worse} / {better}", "value": ratio})
    if len(risks) < 2:
        raise Untestable(f"{claim.exhibit} has a single k: a slope needs two")
    logs = np.log(list(risks))
    logs -= logs.mean()
    drawn = [bootstrap_weights(len(values), k) @ values for k, values in risks.items()]
    means = np.stack(drawn, axis=1)  # (draws, k, 2)
    slopes = np.log(means[..., 0] / means[..., 1]) @ logs / (logs @ logs)
    slope = np.log([number["value"] for number in numbers]) @ logs / (logs @ logs)
    low, high = percentile_interval(slopes)
    ratios = ", ".join(f"{number['value']:.3g} at k = {number['k']}" for number in numbers)
    reason = f"ratios {ratios}{_excluded(claim, low, high)}"
    found = {"measured": slope, "low": low, "high": high, "reason": reason}
    return found | {"verdict": reach_verdict(high >= claim.published and low > 0, low > 0)}, numbers


def _excluded(claim, low, high):
    """Say that an interval leaves the printed slope out, and on which side."""
    if low <= claim.published <= high:
        return ""
    pace = "faster" if low > claim.published else "more slowly"
    return f"; the interval excludes {claim.published:g}: it grows {pace}"


def judge_minimum(claim, results):
    """Bootstrap the rank at which the mean cross-entropy is lowest."""
    frame = results.rows("scores", claim.exhibit, claim.settings)
    method, k = claim.settings["method"], results.receipts[claim.settings["corpus"]]["types"]
    frame = choose(frame, claim.exhibit, "method", frame["method"] == method, claim.settings)
    ranks = np.array(sorted(frame["rank"].unique()))
    if len(ranks) < 3:
        raise Untestable(f"{claim.exhibit} has ranks {ranks.tolist()}: a minimum needs three")
    curve, drawn = _rank_curve(frame)
    best = ranks[curve.argmin()]
    low, high = percentile_interval(ranks[drawn.argmin(axis=1)], method="nearest")
    limit = min(ranks[-1], SMALL_RANK * k)
    inside = ranks[0] < low and high < limit
    numbers = [
        {"corpus": claim.settings["corpus"], "rank": rank, "quantity": method, "value": value}
        for rank, value in zip(ranks, curve, strict=True)
    ]
    end = {ranks[0]: ", the first rank tried", ranks[-1]: ", the last rank tried"}.get(best, "")
    reason = f"lowest at m = {best} of {ranks[0]} to {ranks[-1]}, k = {k:,}{end}"
    return {
        **{"measured": best, "low": low, "high": high},
        "reason": reason,
        "verdict": reach_verdict(inside, ranks[0] < best < limit),
    }, numbers


def _rank_curve(frame):
    """Return the mean loss per pair by rank, and its bootstrap, (ranks,) and (draws, ranks)."""
    curve, drawn, blocks = [], [], None
    for rank, part in frame.groupby("rank", sort=True):
        losses = losses_of(part)
        pairs = part.groupby("block")["pairs"].first().to_numpy()
        blocks = bootstrap_weights(pairs.size) if blocks is None else blocks
        starts = bootstrap_weights(len(losses), int(rank))
        curve.append(losses.mean(axis=0).sum() / pairs.sum())
        drawn.append(resample_loss(losses, pairs, blocks, starts))
    return np.array(curve), np.stack(drawn, axis=1)


def _compare(where, rows, better, worse, confidence=CONFIDENCE):
    """Return one paired difference with its place."""
    value, low, high = paired_difference(rows, better, worse, confidence)
    return {
        "where": where,
        "better": better,
        "worse": worse,
        "value": value,
        "low": low,
        "high": high,
        "over": _say_sample(rows),
    }


def _say_sample(rows):
    """Say what an interval rests on: how many trials, or stretches of test words."""
    unit, name = ("trial", "trials") if "trial" in rows else ("block", "blocks of test words")
    return f"{rows[unit].nunique()} {name}"


def _quantity(number):
    """Name a difference by its methods."""
    return f"{number['worse']} - {number['better']}"


def _evidence(numbers):
    """Return differences as rows of evidence."""
    return [
        {**number["where"], "quantity": _quantity(number)}
        | {key: number[key] for key in ("value", "low", "high")}
        for number in numbers
    ]


def _at(number, numbers):
    """Say on which text and at which sizes, where there are several."""
    text = f" on {number['where']['corpus']}" if _varies("corpus", number, numbers) else ""
    sizes = (
        f" at {size} = {number['where'][size]:,}"
        for size in ("k", "rank", *ALONG)
        if _varies(size, number, numbers)
    )
    return text + "".join(sizes)


def _varies(size, number, numbers):
    """Whether comparisons differ in a size; a single one is named with its n."""
    if size not in number["where"]:
        return False
    values = {other["where"][size] for other in numbers}
    return len(values) > 1 or (not values and size == "n")
