"""Claims on perplexities: differences of one model at two orders, of two models, with intervals."""

import numpy as np
import pandas as pd

from reproduction.scores.grid import GROWN
from reproduction.scores.intervals import paired_difference
from reproduction.studies.structured.claims import ALPHAS
from reproduction.studies.structured.theory import at_least, row

SIMILAR = 0.02  # nats per word: two models that are this near are alike
SMALL = 0.01  # nats per word: what does not count as degrading
NAMES = {"ll-l1": "l1", "ll-l2": "l2^2", "ll-tree2": "T2", "ll-treeinf": "Tinf"}
WEIGHTED = {name: f"{name}-w" for name in NAMES}
BELOW_ONE = sorted(f"ll-{name}" for name, _, alpha in ALPHAS if alpha < 1)


def check_scores(scores, highest):
    """Yield cases of the claims on figure 2.

    What is said of high orders is asked where the highest was fitted.

    Parameters
    ----------
    scores : pandas.DataFrame
        Rows of `experiments.orders.score_order`; ``n`` is the order.
    highest : int
        Order.
    """
    there = set(scores["method"])
    for corpus, part in scores.groupby("corpus", sort=True):
        high = part["n"].max() >= highest
        for check, name, rises in (
            *(("t6", name, True) for name in ("ll-l1", "ll-l2")),
            ("t7", "ll-tree2", False),
            ("t9-later", "ll-treeinf", True),
            ("t11-wtinf", "ll-treeinf-w", False),
        ):
            if high and name in there:
                yield degrades(check, corpus, part, name, rises)
        yield from similar("t8", corpus, part, "ll-tree2", "kn")
        yield from similar("t8-modified", corpus, part, "ll-tree2", "kn-modified")
        for other in ("ll-tree2", "ll-treeinf"):
            yield from similar("t10-similar", corpus, part, "ll-l2-w", other)
        if high and set(NAMES) | set(WEIGHTED.values()) <= there:
            yield gains_most(corpus, part)
        if {2, 3} <= set(part[part["method"] == GROWN]["n"]):
            yield gains_by_growing(corpus, part)
        for name in BELOW_ONE:
            if high and f"{name}-a" in there:
                yield below_one(corpus, part, name)
        if high and "ll-tree2-w" in there:
            best = int(losses(part, "ll-tree2-w").idxmin())
            yield at_least("t11-best", f"{corpus}: best order of wT2", best, 7)
            yield row("t11-best", f"{corpus}: best order of wT2", best, 11)


def losses(part, name):
    """Return the cross-entropy of a model by order, nats per word."""
    sums = part[part["method"] == name].groupby("n")[["loss", "pairs"]].sum()
    return sums["loss"] / sums["pairs"]


def degrades(check, corpus, part, name, rises):
    """Compare a model at the highest order with itself at its best."""
    found = losses(part, name)
    best, last = int(found.idxmin()), int(found.index.max())
    case = f"{corpus}: {name}, order {last} minus order {best}"
    low = high = 0.0
    if best != last:
        ends = by_order(part, name, (best, last))
        _, low, high = paired_difference(ends, str(best), str(last))
    if rises:  # READING: degrading is a loss whose 95 % interval is above zero
        return row(check, f"{case}: low end, sign changed, below zero", -low + 1e-6, 0)
    return row(check, f"{case}: high end", high, SMALL)


def similar(check, corpus, part, one, other):
    """Yield how far two models are apart at every order."""
    if {one, other} <= set(part["method"]):
        apart = (losses(part, one) - losses(part, other)).abs()
        for order, value in apart.items():
            yield row(check, f"{corpus}, order {order}: {one} and {other} apart", value, SIMILAR)


def gains_most(corpus, part):
    """Compare what weighting gains at the highest order: that of T2 against the most of others."""
    gains = {
        name: (losses(part, name) - losses(part, weighted)).iloc[-1]
        for name, weighted in WEIGHTED.items()
    }
    others = max(value for name, value in gains.items() if name != "ll-tree2")
    case = f"{corpus}: most that weighting gains another norm, against T2"
    return row("t11-most", case, others, gains["ll-tree2"]) | {
        "holds": bool(others <= gains["ll-tree2"]),
        "share": float(np.sign(others)),
    }


def gains_by_growing(corpus, part):
    """Compare PY-LR as the base measure of order 3 with its bigram."""
    _, low, _ = paired_difference(by_order(part, GROWN, (2, 3)), "3", "2")
    return at_least("ours-longer", f"{corpus}: low end of what order 3 gains", low, 1e-6)


def by_order(part, name, orders):
    """Return the rows of one model at some orders, which are called methods."""
    rows = part[part["method"] == name]
    return pd.concat([rows[rows["n"] == n].assign(method=str(n)) for n in orders])


def below_one(corpus, part, name):
    """Look at the alpha that was chosen at the highest order."""
    rows = part[(part["method"] == f"{name}-a") & (part["n"] == part["n"].max())]
    case = f"{corpus}: alpha less one, {NAMES[name]}, below zero"
    beyond = rows["decay"].iloc[0] - 1 + 1e-6
    return row(f"t12-{name.removeprefix('ll-')}-side", case, beyond, 0)
