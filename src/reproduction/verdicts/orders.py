"""Tests of claims on a model's order: whether it degrades as the order rises, or stays as it is."""

from reproduction.scores.pairs import compare_orders, losses_by_order
from reproduction.verdicts.criteria import reach_verdict
from reproduction.verdicts.evidence import Missing, choose, say_number


def judge_degrades(claim, results):
    """Ask of each method that its loss at the highest order be clearly above that at its best."""
    numbers = list(_last_less_best(claim, results))
    above = sum(number["low"] > 0 for number in numbers)
    trend = all(number["value"] > 0 for number in numbers)
    weakest = min(numbers, key=lambda number: number["low"])
    return _verdict(
        weakest, reach_verdict(above == len(numbers), trend), numbers, above, "above zero"
    )


def judge_steady(claim, results):
    """Ask of each method that its loss at the highest order be near that at its best."""
    numbers = list(_last_less_best(claim, results))
    below = sum(number["high"] <= claim.tolerance for number in numbers)
    trend = all(number["value"] <= claim.tolerance for number in numbers)
    weakest = max(numbers, key=lambda number: number["high"])
    verdict = reach_verdict(below == len(numbers), trend)
    return _verdict(weakest, verdict, numbers, below, "within the margin")


def _last_less_best(claim, results):
    """Yield, for each text and method, the loss at the highest order less that at the best."""
    frame = results.rows("scores", claim.exhibit, claim.settings)
    for method in claim.settings["methods"]:
        choose(frame, claim.exhibit, "method", frame["method"] == method, {"method": method})
        for corpus, part in frame[frame["method"] == method].groupby("corpus", sort=True):
            found = losses_by_order(part, method)
            if len(found) < 2:
                raise Missing(f"{claim.exhibit} has a single order of {method}")
            best, last = int(found.idxmin()), int(found.index.max())
            value = low = high = 0.0
            if best != last:
                value, low, high = compare_orders(part, best, last)
            quantity = f"{method}: order {last} - order {best}"
            yield {"corpus": corpus, "quantity": quantity, "value": value, "low": low, "high": high}


def _verdict(weakest, verdict, numbers, count, place):
    """Return the columns of a verdict, and the numbers behind it."""
    shown = {"measured": weakest["value"], "low": weakest["low"], "high": weakest["high"]}
    return shown | {
        "verdict": verdict,
        "points": f"{count} of {len(numbers)} {place}",
        "reason": f"weakest: {weakest['quantity']}, {weakest['corpus']}, {say_number(weakest)}",
    }, numbers
