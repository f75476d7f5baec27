"""Cases of its claims: example and propositions, the work of steps, and the chosen settings."""

import numpy as np
import pandas as pd

from reproduction.scores.pairs import compare_orders, losses_by_order
from reproduction.studies.entries import ENTRIES
from reproduction.studies.structured.theory import check_theory
from reproduction.verdicts.cases import at_least, make_case

HIGHEST = 12  # to which the paper's figure goes: its words on high orders are judged there
NAMES = {"ll-l1": "l1", "ll-l2": "l2^2", "ll-tree2": "T2", "ll-treeinf": "Tinf"}
WEIGHTED = {name: f"{name}-w" for name in NAMES}
BELOW_ONE = sorted(name for name in NAMES if ENTRIES[f"{name}-w"]["decay"] < 1)
GROWN = "py-lr"  # among the study's methods
SMALLEST, LARGEST = 7, 11  # orders that are "about 9"


def check_cases(root, scores, inputs):
    """Yield the cases of the study's claims (`study.Theory`), with those of `work.check_work`."""
    yield from check_theory(root)
    yield from check_scores(next(iter(scores.values())))
    yield from pd.read_csv(inputs["cases"]).to_dict("records")


def check_scores(scores):
    """Yield cases of the claims on the highest order, where it was fitted."""
    for corpus, part in scores.groupby("corpus", sort=True) if len(scores) else ():
        there = set(part["method"])
        if {2, 3} <= set(part[part["method"] == GROWN]["order"]):
            yield gains_by_growing(corpus, part)
        if part["order"].max() < HIGHEST:
            continue
        if set(NAMES) | set(WEIGHTED.values()) <= there:
            yield gains_most(corpus, part)
        for name in BELOW_ONE:
            if f"{name}-a" in there:
                yield below_one(corpus, part, name)
        if "ll-tree2-w" in there:
            best = int(losses_by_order(part, "ll-tree2-w").idxmin())
            yield at_least("t11-best", f"{corpus}: best order of wT2", best, SMALLEST)
            yield make_case("t11-best", f"{corpus}: best order of wT2", best, LARGEST)


def gains_most(corpus, part):
    """Compare the gains of weighting at the highest order: T2's against the most of others."""
    gains = {
        name: (losses_by_order(part, name) - losses_by_order(part, weighted)).iloc[-1]
        for name, weighted in WEIGHTED.items()
    }
    others = max(value for name, value in gains.items() if name != "ll-tree2")
    case = f"{corpus}: most that weighting gains another norm, against T2"
    return make_case("t11-most", case, others, gains["ll-tree2"]) | {
        "holds": bool(others <= gains["ll-tree2"]),
        "share": float(np.sign(others)),
    }


def gains_by_growing(corpus, part):
    """Compare PY-LR as the base measure of order 3 with its bigram."""
    _, low, _ = compare_orders(part[part["method"] == GROWN], 3, 2)
    return at_least("ours-longer", f"{corpus}: low end of what order 3 gains", low, 1e-6)


def below_one(corpus, part, name):
    """Look at the alpha that was chosen at the highest order."""
    rows = part[(part["method"] == f"{name}-a") & (part["order"] == part["order"].max())]
    case = f"{corpus}: alpha less one, {NAMES[name]}, below zero"
    beyond = rows["chosen_decay"].iloc[0] - 1 + 1e-6
    return make_case(f"t12-{name.removeprefix('ll-')}-side", case, beyond, 0)
