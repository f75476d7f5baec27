"""The table of each exhibit, made from its scores."""

import numpy as np
import pandas as pd

from condprob.methods.structured.proximal import proximal_step
from reproduction.scores.intervals import student_half_width, student_interval
from reproduction.studies.structured import growth
from reproduction.studies.structured.checks import PARENTS, VALUES, plant

KEYS = ["method", "order", "corpus"]
ORDERS = [
    *("order", "method", "mean", "low", "high", "sd", "perplexity", "parameters"),
    *("chosen_penalty", "chosen_decay", "gap", "steps", "types", "unknown"),
    *("seeds", "converged"),
]
LEARNED = "learned"
THRESHOLD = 0.8  # kappa of the worked example
KEPT = [0, 1, 3, 4, 5, 7]  # chains of equal values are one node with copies
COLLAPSED = [-1, 0, 1, 2, 2, 1]  # the parents of the kept nodes
# Table 1 as it is printed.
PRINTED_TABLE_1 = {
    step: dict(zip(("generalises", "memory", "time"), printed, strict=True))
    for step, printed in {
        "l1": ("no", "yes, O(|T|)", "yes, O(|T|)"),
        "l2": ("no", "yes, O(|T|)", "yes, O(|T|)"),
        "tree2": ("yes", "no, O(|S|)", "no, O(|S|)"),
        "pivot": ("yes", "yes, O(|T|)", "no, O(|T|\u00b2)"),
        "heap": ("yes", "yes, O(|T|)", "yes, O(|T| log |T|)"),
    }.items()
}
TABLE_1_COLUMNS = [
    "step",
    "structure",
    "generalises",
    "memory",
    "time",
    "words",
    "weights",
    "visited",
    "seconds",
    "exponent",
    "low",
    "high",
    "blocks",
]
EXAMPLE = ["panel", "node", "parent", "across", "down", "label"]


def tabulate_figure_2(given):
    """Return the tidy table (`study.Material`): means over blocks of text.

    Columns: ``order``, ``method``, ``mean`` (nats per word) with Student's 95 % interval over
    blocks, ``perplexity``, the mean over blocks, ``parameters``, ``penalty``, ``decay``, ``gap``,
    ``iterations``, ``types`` of the vocabulary, ``unknown`` share of the test words, which are not
    scored, ``seeds`` (blocks) and ``converged``.
    """
    of_fits = ["parameters", "chosen_penalty", "chosen_decay", "gap", "steps"]
    scores = given.scores.reindex(columns=[*KEYS, "loss", "pairs", *of_fits, "converged"])
    how = {"loss": "sum", "pairs": "sum", "converged": "all"} | dict.fromkeys(of_fits, "first")
    blocks = scores.groupby(KEYS, sort=False).agg(how).reset_index()
    blocks["mean"] = blocks["loss"] / blocks["pairs"]
    blocks = blocks.astype({"corpus": str}).join(_describe_blocks(given.receipts), on="corpus")
    blocks["perplexity"] = np.exp(blocks["mean"])
    groups = blocks.groupby(["method", "order"], sort=False)
    table = groups[["mean", "perplexity", *of_fits, "types", "unknown", "converged"]].mean()
    table["seeds"] = groups.size()
    table["sd"] = groups["mean"].std()
    half = student_half_width(table["sd"], table["seeds"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    return table.reset_index()[ORDERS]


def _describe_blocks(receipts):
    """Return types and share of unknown test words of each block in the receipts."""
    blocks = [block for each in receipts.values() for block in each.get("blocks", {}).items()]
    rows = {name: (block["types"], block["unknown_test"]) for name, block in blocks}
    return pd.DataFrame.from_dict(rows, orient="index", columns=["types", "unknown"])


def tabulate_alpha(given):
    """Return the least held-out loss at each decay of the methods that learn it, by order."""
    names = [name for name, entry in given.methods.items() if entry.get("decay") == LEARNED]
    keys = ["order", "method", "chosen_decay"]
    paths = given.held_out[given.held_out["method"].isin(names)]
    paths = paths.assign(mean=paths["loss"] / paths["pairs"])
    least = paths.groupby([*keys, "corpus"])["mean"].min()
    return least.groupby(keys).mean().reset_index()


def tabulate_figure_1(given):
    """Return the tree of figure 1, a row for each node of each panel (`study.Material`)."""
    trie, values, places = plant(PARENTS), np.array(VALUES), _place_nodes(PARENTS)
    steps = (proximal_step(norm, trie, values, THRESHOLD) for norm in ("tree2", "treeinf"))
    first, *others = ([f"{weight:.3g}" for weight in weights] for weights in (values, *steps))
    labels = ["3", "4", "6 (2)", "4", "5", "7 (2)"]
    panels = (
        ("(a) weights on the trie", PARENTS, places, first),
        ("(b) collapsed, copies in brackets", COLLAPSED, [places[i] for i in KEPT], labels),
        ("(c) step of the l2-norm", PARENTS, places, others[0]),
        ("(d) step of the l\u221e-norm", PARENTS, places, others[1]),
    )
    rows = [
        (name, node, parent, *place, label)
        for name, *tree in panels
        for node, (parent, place, label) in enumerate(zip(*tree, strict=True))
    ]
    return pd.DataFrame(rows, columns=EXAMPLE)


def _place_nodes(parents):
    """Return where each node stands: leaves side by side, others above the middle of theirs."""
    below = [
        [child for child, up in enumerate(parents) if up == node] for node in range(len(parents))
    ]
    places, leaves = {}, 0
    for node in reversed(range(len(parents))):
        across = np.mean([places[child][0] for child in below[node]]) if below[node] else leaves
        leaves -= not below[node]  # from the right
        depth, up = 0, parents[node]
        while up >= 0:
            depth, up = depth + 1, parents[up]
        places[node] = (across, -depth)
    return [places[node] for node in range(len(parents))]


def tabulate_figure_3(given):
    """Return the table of `work.count_work` (`study.Material`)."""
    return given.tables["work"]


def tabulate_algorithm_1(given):
    """Return the table of `solvers.compare_solvers` (`study.Material`)."""
    return given.tables["solvers"]


def tabulate_properties(given):
    """Return Table 1 of the paper with this project's numbers next to it (`study.Material`).

    Columns: ``step`` and ``structure``; what the paper prints of generalisation, memory and time;
    at the largest size, means over blocks, the ``weights``, the values ``visited`` and the
    ``seconds`` of one step; the ``exponent`` of the values visited in the weights with Student's
    interval over blocks. ``heap`` and ``pivot`` stand for the algorithms.
    """
    steps, rows = given.tables["steps"], []
    exponents = growth.exponents_of_steps(steps)
    for step, printed in PRINTED_TABLE_1.items():
        part = steps[steps["step"] == step]
        largest = part.loc[part.groupby("block")["words"].idxmax()]
        found = exponents[exponents["step"] == step]["exponent"].to_numpy()
        mean, low, high = student_interval(found) if found.size > 1 else (*found, np.nan, np.nan)
        means = largest[["words", "weights", "visited", "seconds"]].mean()
        row = {"step": step, "structure": growth.STEPS[step][1], "blocks": found.size} | printed
        rows.append(row | means.to_dict() | {"exponent": mean, "low": low, "high": high})
    return pd.DataFrame(rows, columns=TABLE_1_COLUMNS)


def tabulate_positivity(given):
    """Return the table of `growth.measure_memory` (`study.Material`)."""
    return given.tables["memory"]


TABULATE = {
    "example": tabulate_figure_1,
    "order-curve": tabulate_figure_2,
    "work": tabulate_figure_3,
    "solvers": tabulate_algorithm_1,
    "properties": tabulate_properties,
    "positivity": tabulate_positivity,
    "alpha": tabulate_alpha,
}
