"""The tables of the exhibits, each made from its scores."""

import pandas as pd

from py_lr.leads import tabulate_leads
from py_lr.structure import TEXT
from reproduction.scores.intervals import student_interval
from reproduction.studies.near_optimal.tables import TABULATE as PAPERS


def tabulate_structure(given):
    """Return mean risks with intervals, how far each is above the best, and the points of texts.

    ``above`` is the mean risk over that of the best method of the cell, less one, in per cent.
    ``is_best`` marks the latter; ``is_clear``, whether its paired interval below the second leaves
    out zero.
    """
    scores = given.scores
    texts = scores[scores["method"] == TEXT]
    cells = scores[scores["method"] != TEXT]
    rows = []
    for (exponent, k, rank, n), cell in cells.groupby(["exponent", "k", "rank", "n"], sort=True):
        risks = cell.pivot(index="trial", columns="method", values="kl_risk")
        order = risks.mean().sort_values(kind="stable").index
        _, low, _ = student_interval(risks[order[1]] - risks[order[0]])
        for name in given.entry["methods"]:
            mean, *ends = student_interval(risks[name])
            rows.append(
                {
                    "exponent": exponent,
                    "k": k,
                    "rank": rank,
                    "n": n,
                    "pairs": n / k,
                    "method": name,
                    "mean": mean,
                    "low": ends[0],
                    "high": ends[1],
                    "trials": len(risks),
                    "above": 100 * (mean / risks[order[0]].mean() - 1),
                    "is_best": name == order[0],
                    "is_clear": name == order[0] and low > 0,
                }
            )
    points = texts[["corpus", "exponent", "k", "rank", "n", "method"]] if len(texts) else texts
    return pd.concat([pd.DataFrame(rows), points.assign(pairs=texts["n"] / texts["k"])])


def tabulate_samples(given):
    """Return the table of one reading: `leads.tabulate_leads`.

    ``collection`` is the package, whose texts depend on each other; the mean over texts is over
    texts drawn again one by one. ``frozen`` is the commit of the estimator, where a list has one.
    """
    scores, entry = given.scores, given.entry
    scores = scores[scores["setting"] == entry["vocabulary"]]
    scores = scores.assign(setting=scores["corpus"], corpus=scores["package"])
    table = tabulate_leads(given.root, scores, entry["ours"])
    return table.assign(frozen=entry["frozen"]) if "frozen" in entry else table


TABULATE = PAPERS | {"beyond-structure": tabulate_structure, "comparison": tabulate_samples}
