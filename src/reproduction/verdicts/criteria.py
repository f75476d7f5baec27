"""The verdict on one claim: how each kind of statement is tested.

Each test takes a `paper.Claim` and an `evidence.Results`, and returns the columns of its verdict
with the numbers it rests on. The criteria in words are `paper.CRITERIA`.
"""

import numpy as np

from reproduction.papers.near_optimal_smoothing import claims as paper
from reproduction.verdicts.evidence import Untestable, choose
from reproduction.verdicts.intervals import CONFIDENCE, bootstrap_weights, paired_difference

REPRODUCED, TREND, FAILED, UNTESTED = VERDICTS = (
    "reproduced",
    "trend only",
    "not reproduced",
    "not testable here",
)


def _verdict(reproduced, trend):
    return REPRODUCED if reproduced else TREND if trend else FAILED


def judge_cell(claim, results):
    """Compare a cell of Table 1; its interval is over starts, none where there is no chance."""
    table = results.rows("tables", claim.exhibit, claim.settings)
    method = claim.settings["method"]
    row = choose(table, claim.exhibit, "method", table["method"] == method, claim.settings).iloc[0]
    error = row["mean"] - claim.published
    verdict = _verdict(abs(error) <= claim.tolerance, abs(error) <= paper.CELL_TREND)
    starts = f", mean over {row['seeds']:.0f} starts" if row["seeds"] > 1 else ""
    number = {"corpus": row["corpus"], "rank": row["rank"], "n": row["n"], "quantity": method}
    number |= {"value": row["mean"], "low": row["low"], "high": row["high"]}
    reason = f"{error:+.4f} from the printed value{starts}"
    return _ours(number) | {"verdict": verdict, "reason": reason}, [number]


def judge_order(claim, results):
    """Ask of every comparison that worse minus better be above zero; report the weakest."""
    numbers = [_compare(*pair) for pair in results.pairs(claim)]
    above = [number["low"] > 0 for number in numbers]
    below = [number["high"] < 0 for number in numbers]
    trend = 2 * sum(above) > len(numbers) and not any(below)
    weakest = min(numbers, key=lambda number: number["low"])
    points = f"{sum(above)} of {len(numbers)} above zero"
    reason = f"weakest: {weakest['quantity']}{_at(weakest, numbers)}"
    if any(below):
        points += f", {sum(below)} below"
    return {
        **_ours(weakest),
        "verdict": _verdict(all(above), trend),
        "points": points,
        "reason": reason,
    }, numbers


def judge_some(claim, results):
    """Ask of one comparison among all that it be above zero, allowing for their number."""
    pairs = list(results.pairs(claim))
    numbers = [_compare(*pair) for pair in pairs]
    wide = [_compare(*pair, 1 - (1 - CONFIDENCE) / len(pairs)) for pair in pairs]
    strongest = max(wide, key=lambda number: number["low"])
    single = sum(number["low"] > 0 for number in numbers)
    widened = sum(number["low"] > 0 for number in wide)
    return {
        **_ours(strongest),
        "verdict": _verdict(widened, single),
        "points": f"{widened} of {len(wide)} above zero",
        "reason": f"strongest: {strongest['quantity']}{_at(strongest, numbers)}; "
        f"interval widened for {len(wide)} points",
    }, numbers


def judge_size(claim, results):
    """Compare the size of a difference with the printed one."""
    (number,) = (_compare(*pair) for pair in results.pairs(claim))
    near = abs(number["value"] - claim.published) <= claim.tolerance
    above = number["low"] > 0
    return {
        **_ours(number),
        "verdict": _verdict(near and above, above),
        "reason": f"{number['quantity']}{_at(number, [])}",
    }, [number]


def judge_growth(claim, results):
    """Fit the slope of ``log(risk of worse / risk of better)`` against ``log k``."""
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
    low, high = np.quantile(slopes, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    near = abs(slope - claim.published) <= claim.tolerance
    ratios = ", ".join(f"{number['value']:.3g} at k = {number['k']}" for number in numbers)
    found = {"reproduced": slope, "low": low, "high": high, "reason": f"ratios {ratios}"}
    return found | {"verdict": _verdict(near and low > 0, low > 0)}, numbers


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
    found = ranks[drawn.argmin(axis=1)]
    low, high = np.quantile(found, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], method="nearest")
    limit = min(ranks[-1], paper.SMALL_RANK * k)
    inside = ranks[0] < low and high < limit
    numbers = [
        {"corpus": claim.settings["corpus"], "rank": rank, "quantity": method, "value": value}
        for rank, value in zip(ranks, curve, strict=True)
    ]
    reason = f"lowest at m = {best} of {ranks[0]} to {ranks[-1]}, k = {k:,}"
    return {
        **{"reproduced": best, "low": low, "high": high},
        "reason": reason,
        "verdict": _verdict(inside, ranks[0] < best < limit),
    }, numbers


def _rank_curve(frame):
    """Return the mean loss per pair by rank, and its bootstrap, (ranks,) and (draws, ranks)."""
    curve, drawn, blocks = [], [], None
    for rank, part in frame.groupby("rank", sort=True):
        losses = part.pivot(index="seed", columns="block", values="loss").to_numpy()
        pairs = part.groupby("block")["pairs"].first().to_numpy()
        blocks = bootstrap_weights(pairs.size) if blocks is None else blocks
        starts = bootstrap_weights(len(losses), int(rank))
        curve.append(losses.mean(axis=0).sum() / pairs.sum())
        drawn.append(((starts @ losses) * blocks).sum(axis=1) / (blocks @ pairs))
    return np.array(curve), np.stack(drawn, axis=1)


def judge_axis(claim, results):
    """Ask whether the curves lie on the printed axis, and fill it."""
    table = results.rows("tables", claim.exhibit, claim.settings)
    for method in claim.settings["methods"]:
        choose(table, claim.exhibit, "method", table["method"] == method, {"method": method})
    table = table[table["method"].isin(claim.settings["methods"])]
    drawn = table["difference" if "difference" in table else "mean"].to_numpy()
    scale = np.log if claim.settings["log"] else np.asarray
    bottom, top = scale(np.array(claim.settings["ends"], dtype=float))
    heights = (scale(drawn) - bottom) / (top - bottom)
    inside = (heights >= -paper.AXIS_MARGIN) & (heights <= 1 + paper.AXIS_MARGIN)
    spanned = np.ptp(np.clip(heights, 0, 1))
    fills = spanned >= paper.AXIS_SHARE
    return {
        "low": drawn.min(),
        "high": drawn.max(),
        "verdict": _verdict(inside.all() and fills, inside.mean() >= paper.AXIS_SHARE and fills),
        "points": f"{inside.sum()} of {inside.size} on the axis",
        "reason": f"the curves span {spanned:.0%} of the axis",
    }, []


def judge_words(claim, results):
    """Compare a number of words with the printed one."""
    corpus, column = claim.settings["corpus"], claim.settings["column"]
    receipt = results.receipts.get(corpus, {"reason": "config.yaml does not name it"})
    if "reason" in receipt:
        raise Untestable(f"{corpus} could not be had: {receipt['reason']}")
    value = receipt[column]
    error = abs(value - claim.published)
    verdict = _verdict(error <= claim.tolerance, error <= paper.WORDS_TREND * claim.published)
    what = "distinct words among" if column == "types" else "words to train on, of"
    reason = f"{value:,} {what} the {receipt['words']:,} of the text"
    return {"reproduced": value, "verdict": verdict, "reason": reason}, []


def judge_theory(claim, results):
    """Ask whether a statement holds in every case of the theory that was computed."""
    cases = results.checks[results.checks["check"] == claim.settings["check"]]
    if cases.empty:
        raise Untestable(f"results have no check {claim.settings['check']}")
    held = cases["holds"].astype(bool)
    worst = (cases[~held] if not held.all() else cases.iloc[[cases["share"].argmax()]]).iloc[0]
    numbers = [
        {"k": row.k, "rank": row.rank, "n": row.n, "quantity": row.case, "value": row.value}
        for row in cases.itertuples()
    ]
    return {
        "published": worst["bound"],
        "reproduced": worst["value"],
        "verdict": _verdict(held.all(), False),
        "points": f"{held.sum()} of {held.size} cases hold",
        "reason": f"{'tightest' if held.all() else 'broken by'}: {worst['case']}",
    }, numbers


def judge_external(claim, results):
    """Say why it cannot be judged."""
    raise Untestable("the comparison is with another paper's numbers, which are not restated")


def _compare(where, rows, better, worse, confidence=CONFIDENCE):
    """Return one paired difference as a row of evidence."""
    value, low, high = paired_difference(rows, better, worse, confidence)
    quantity = f"{worse} - {better}"
    return {**where, "quantity": quantity, "value": value, "low": low, "high": high}


def _ours(number):
    """Return the columns of a verdict that hold our number."""
    return {"reproduced": number["value"], "low": number["low"], "high": number["high"]}


def _at(number, numbers):
    """Say at which n, where there are several."""
    several = len({other["n"] for other in numbers}) != 1
    return f" at n = {number['n']:,}" if several else ""


TESTS = {
    "cell": judge_cell,
    "order": judge_order,
    "some": judge_some,
    "size": judge_size,
    "growth": judge_growth,
    "minimum": judge_minimum,
    "axis": judge_axis,
    "words": judge_words,
    "theory": judge_theory,
    "external": judge_external,
}
COLUMNS = {
    "cell": "mean, low, high",
    "order": "kl_risk by trial, or loss by block and seed",
    "some": "kl_risk by trial",
    "size": "loss by block and seed",
    "growth": "kl_risk by trial",
    "minimum": "loss by block, seed and rank",
    "axis": "mean, or difference",
    "words": "train_words, types",
    "theory": "value, bound, holds",
    "external": "",
}
UNITS = {
    "cell": "nats per word",
    "order": "nats",
    "some": "nats",
    "size": "nats per word",
    "growth": "slope",
    "minimum": "rank",
    "axis": "nats",
    "words": "words",
    "theory": "",
    "external": "",
}
