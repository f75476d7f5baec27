"""The universes of the multiverse, from its scores, and the one nearest to Table 1."""

import itertools

import numpy as np
import pandas as pd

from reproduction.scores.columns import read_scores
from reproduction.studies.readings.axes import (
    AXES,
    CHOICES,
    LR_AXES,
    METHOD_AXES,
    ORDER,
    STATED,
    TEXT_AXES,
    UNSEEN,
)

DIGITS = "%.7g"  # of the tables: a multiverse is large
WARNING = (
    "selected after seeing the published values, as the best of so many: its fit is no evidence "
    "that the paper was computed so"
)


def read_grid(files):
    """Read the scores of the grid, the choices as text, with the ``cross_entropy`` of each."""
    names = dict.fromkeys([*TEXT_AXES, "method", *CHOICES], str)
    table = read_scores(files, dtype=names)
    blank = [name for name in names if name not in table]
    return table.assign(cross_entropy=table["loss"] / table["pairs"], **dict.fromkeys(blank))


def read_universes(file):
    """Read a written table of `build_universes`, the choices as text."""
    return pd.read_csv(file, dtype=dict.fromkeys([*TEXT_AXES, *CHOICES], str))


def build_universes(scores, axes):
    """Cross the choices: one row for each universe.

    Scores are from `read_grid`, axes those of the study's section. Columns: the choices
    (`TEXT_AXES` and `CHOICES`); ``stated``, whether all that the paper does say is as it says;
    ``distributions``, whether every method is one; the cross-entropy of each method in nats per
    pair, of AD-LR the mean over ``seeds`` starts with ``sd``; ``lowest-kn``, the lowest KN under
    any choice on the same pairs; the margins of `CLAIMS`.
    """
    axes = {axis: [str(value) for value in values] for axis, values in axes.items()}
    table = scores[scores["method"] == "add-half"][TEXT_AXES]
    for axis in (axis for axis in CHOICES if axis not in LR_AXES):
        table = table.merge(pd.DataFrame({axis: axes[axis]}), how="cross")
    for method in ORDER:
        table = _join_method(table, scores, method)
    lowest = scores[scores["method"] == "kn"].groupby(TEXT_AXES)["cross_entropy"].min()
    table = table.join(lowest.rename("lowest-kn"), on=TEXT_AXES)
    margins = [*itertools.pairwise(ORDER), ("lowest-kn", "ad-lr")]
    for high, low in margins:
        table[f"{high}-minus-{low}"] = table[high] - table[low]
    table["stated"] = (table[STATED] == [axes[axis][0] for axis in STATED]).all(axis=1)
    table["distributions"] = table["backoff"] == "normalised"
    values = [*ORDER, "sd", "seeds", "lowest-kn", *(f"{a}-minus-{b}" for a, b in margins)]
    return table[[*TEXT_AXES, *CHOICES, "stated", "distributions", *values]]


def _join_method(table, scores, method):
    """Add the cross-entropy of a method; for AD-LR, a row for each of its own choices too."""
    keys = [*TEXT_AXES, *METHOD_AXES[method]]
    groups = scores[scores["method"] == method].groupby(keys, sort=False)["cross_entropy"]
    if method == "ad-lr":
        found = groups.agg(**{method: "mean", "sd": "std", "seeds": "size"}).reset_index()
    else:
        found = groups.first().rename(method).reset_index()
    if "unseen" in keys:  # from its meaning for this method to the reading shared by all
        own = [{"unseen": own[method], "reading": reading} for reading, own in UNSEEN.items()]
        found = found.merge(pd.DataFrame(own), on="unseen").drop(columns="unseen")
        found = found.rename(columns={"reading": "unseen"})
    return table.merge(found, on=[key for key in keys if key in table.columns])


def find_nearest(universes, printed):
    """Find the set of readings nearest to a printed table, by the root mean square of its errors.

    All corpora of the table that are there take the same choices, but each its own tokenizer. The
    printed numbers, nats per word, are by corpus and method. There is a row for each cell:
    ``corpus, method, paper, ours, error``, the choices, ``rms`` (nats) over the cells, ``largest``
    error, ``candidates`` (the sets compared) and ``warning``.
    """
    shared = [axis for axis in AXES if axis != "tokenizer"]
    best, candidates = [], 1
    for corpus in (name for name in printed if name in set(universes["corpus"])):
        part = universes[(universes["corpus"] == corpus) & universes["distributions"]]
        errors = part[ORDER] - [printed[corpus][method] for method in ORDER]
        part = part.assign(squares=(errors**2).sum(axis=1))
        first = part.sort_values("squares", kind="stable").drop_duplicates(shared)
        best.append(first.set_index(shared))
        candidates *= part["tokenizer"].nunique()
    columns = ["corpus", "method", "paper", "ours", "error", "rms", "largest", "candidates"]
    if not best:
        return pd.DataFrame(columns=[*columns, "tokenizer", *shared, "warning"])
    squares = pd.concat([table["squares"] for table in best], axis=1, join="inner").sum(axis=1)
    winner = squares.idxmin()
    rows = []
    for table in best:
        row = table.loc[winner]
        for method in ORDER:
            paper = printed[row["corpus"]][method]
            cell = {"corpus": row["corpus"], "method": method, "paper": paper, "ours": row[method]}
            rows.append(cell | {"error": row[method] - paper, "tokenizer": row["tokenizer"]})
    rows = pd.DataFrame(rows).assign(**dict(zip(shared, winner, strict=True)), warning=WARNING)
    rows["rms"] = np.sqrt((rows["error"] ** 2).mean())
    rows["largest"] = rows["error"].abs().max()
    rows["candidates"] = candidates * len(squares)
    return rows[[*columns, "tokenizer", *shared, "warning"]]
