"""Cases of its claims: example and propositions, and what the scores say."""

import numpy as np
import pandas as pd

from condprob.models.structured.problem import Forest
from condprob.models.structured.proximal import proximal_step
from reproduction.scores.pairs import compare_orders, losses_by_order
from reproduction.studies.structured.source import DECAYS
from reproduction.verdicts.cases import at_least, make_case

HIGHEST = 12  # to which the paper's figure goes: its words on high orders are judged there
NAMES = {"ll-l1": "l1", "ll-l2": "l2^2", "ll-tree2": "T2", "ll-treeinf": "Tinf"}
WEIGHTED = {name: f"{name}-w" for name in NAMES}
BELOW_ONE = sorted(name for name in NAMES if DECAYS[name] < 1)
GROWN = "py-lr"  # among the study's methods
SMALLEST, LARGEST = 7, 11  # orders that are "about 9"
EXACT = 1e-12
TRIALS = 200
# Figure 1(a): 3 -> 4 -> {6 -> 6 -> {4, 5}, 7 -> 7}, parents of the nodes in preorder.
PARENTS = (-1, 0, 1, 2, 3, 3, 1, 6)
VALUES = (3.0, 4, 6, 6, 4, 5, 7, 7)
FIGURE_1D = (3, 4, 5.2, 5.2, 3.2, 4.2, 5.4, 5.4)
FIGURE_1C = (2.8, 3.5, 4.8, 3.0, 5.6)  # as far as its print is legible


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


def check_theory(root):
    """Yield the cases of its example and of its propositions."""
    yield from check_figure_1()
    yield from check_propositions(np.random.default_rng(root))


def check_figure_1():
    """T1: the worked example, exactly; the legible part of (c), to its last digit."""
    trie, values = plant(PARENTS), np.array(VALUES)
    found = proximal_step("treeinf", trie, values, 0.8)
    yield make_case("t1", "figure 1(d): largest error", abs(found - FIGURE_1D).max(), EXACT)
    collapsed = plant((-1, 0, 1, 2, 2, 1), (1, 1, 2, 1, 1, 2))
    short = proximal_step("treeinf", collapsed, values[[0, 1, 2, 4, 5, 6]], 0.8)
    error = abs(short - np.array(FIGURE_1D)[[0, 1, 2, 4, 5, 6]]).max()
    yield make_case("t1", "figure 1(d), collapsed: largest error", error, EXACT)
    found = proximal_step("tree2", trie, values, 0.8)
    error = max(abs(found - value).min() for value in FIGURE_1C)
    yield make_case("t1", "figure 1(c): largest error of its legible numbers", error, 0.05)


def check_propositions(rng):
    """T2 to T4: chains of equal values under both norms of trees, also weighted by depth."""
    for check, decay in (("t2", 1.0), ("t3", 1.0), ("t3-falling", 0.85), ("t3-rising", 1.1)):
        worst = 0.0
        for _ in range(TRIALS):
            tree, trie, copies = draw_chains(rng, decay)
            values = np.round(rng.uniform(0, 4, copies.size), 1)
            threshold = rng.uniform(0.1, 1.5)
            whole = proximal_step("treeinf", trie, np.repeat(values, copies), threshold)
            first = np.cumsum(copies) - copies
            if check == "t2":
                worst = max(worst, abs(whole - np.repeat(whole[first], copies)).max())
            else:
                found = proximal_step("treeinf", tree, values, threshold)
                worst = max(worst, abs(whole - np.repeat(found, copies)).max())
        gap = "apart within a chain" if check == "t2" else "trie and tree apart"
        yield make_case(check, f"{TRIALS} random trees, alpha = {decay}: {gap}", worst, EXACT)
    pair = proximal_step("tree2", plant((-1, 0)), np.array([6.0, 6.0]), 0.8)
    yield make_case("t4", "l2-norm of trees, chain (6, 6): 0.1 less what sets them apart",
              0.1 - abs(pair[0] - pair[1]), 0)  # fmt: skip


def plant(parents, copies=None):
    """Return a forest with its own weights, of groups that weigh their copies."""
    copies = np.ones(len(parents)) if copies is None else np.array(copies, dtype=float)
    start = np.arange(copies.size + 1)
    return Forest(start, np.array(parents), copies, np.ones(copies.size), copies.copy())


def draw_chains(rng, decay):
    """Return a random collapsed forest, the same with every copy a node, and the copies."""
    parents, way = [], []
    for node in range(rng.integers(1, 12)):
        way = way[: rng.integers(0, len(way) + 1)]
        parents.append(way[-1] if way else -1)
        way.append(node)
    parents = np.array(parents)
    copies = rng.integers(1, 4, parents.size)
    last = np.cumsum(copies) - 1
    whole = np.arange(-1, last[-1])
    whole[last - copies + 1] = np.where(parents < 0, -1, last[parents])
    depth = np.zeros(whole.size)
    for node, upper in enumerate(whole):
        depth[node] = depth[upper] + 1 if upper >= 0 else 0
    groups = decay**depth
    trie = plant(whole)._replace(groups=groups)
    added = np.add.reduceat(groups, last - copies + 1)
    return plant(parents, copies)._replace(groups=added), trie, copies
