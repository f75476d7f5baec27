"""The tidy tables of its exhibits."""

import numpy as np
import pandas as pd

from reproduction.scores.pairs import interval_of_mean, paired_difference
from reproduction.studies.survey.exact import TITLES, place_titles
from reproduction.studies.survey.plan import (
    ASO,
    FEATURES,
    KNESER_NEY,
    LSA,
    OURS,
    RIDGED,
    SUPERVISED,
)

BESIDE = {"": KNESER_NEY, "_ours": OURS}  # the methods to compare with, by the ending of columns
DIFFERENCES = [f"{column}{of}" for of in BESIDE for column in ("difference", "low", "high")]
METHODS = [
    "corpus",
    "setting",
    "family",
    "method",
    "mean",
    *DIFFERENCES,
    "chosen",
    "megabytes",
    "seeds",
    "converged",
]
COST = [
    "corpus",
    "setting",
    "family",
    "method",
    "mean",
    "fit_seconds",
    "score_seconds",
    "megabytes",
]
RISK = ["n", "family", "method", "mean", *DIFFERENCES, "trials", "converged"]
TABLE = [
    "method",
    "order",
    "perplexity",
    "low",
    "high",
    "parameters",
    "seeds",
    "converged",
    "printed",
    "ratio",
    "ratio_low",
    "ratio_high",
    "printed_ratio",
    "words",
]
MAP = ["method", "group", "word", "x", "y", "beside", "near"]
RETRIEVAL = [
    "words",
    "genre",
    "method",
    "queries",
    "precision",
    "low",
    "high",
    "gain",
    "gain_low",
    "gain_high",
    "rank",
    "settled",
]
STRUCTURAL = [
    "n",
    "method",
    "accuracy",
    "low",
    "high",
    "gain",
    "gain_low",
    "gain_high",
    "draws",
    "rank",
    "settled",
]


def tabulate_methods(given):
    """Return cross-entropies, nats per word, next to Kneser-Ney's and PY-LR's (`study.Material`).

    ``difference`` is a method's less Kneser-Ney's with three discounts, with its 95 % interval over
    stretches of test words and starts; ``difference_ours`` less PY-LR's. ``chosen`` are settings
    chosen on held-out training words. Where a mean is infinite there are no differences.
    """
    rows = []
    for row, part, own in _of_texts(given):
        row |= {"chosen": own["chosen"].iloc[0], "seeds": own["seed"].nunique()}
        rows.append(row | {"converged": own["converged"].mean()} | _beside(part, row["method"]))
    return pd.DataFrame(rows, columns=METHODS)


def tabulate_cost(given):
    """Return cross-entropies with seconds of the processor and megabytes, means over starts."""
    rows = [
        row | dict(own.groupby("seed")[["fit_seconds", "score_seconds"]].first().mean())
        for row, _, own in _of_texts(given)
    ]
    return pd.DataFrame(rows, columns=COST)


def _of_texts(given):
    """Yield the first columns of a row, the scores of its text, and those of its method."""
    for (corpus, setting), part in _groups(given.scores, ["corpus", "setting"]):
        for family, method, own in _families(given.entry, part):
            row = {"corpus": corpus, "setting": setting, "family": family, "method": method}
            mean = own["loss"].sum() / own["pairs"].sum()
            yield row | {"mean": mean, "megabytes": own["bytes"].iloc[0] / 1e6}, part, own


def tabulate_risk(given):
    """Return KL risks, nats, compared with Kneser-Ney's and PY-LR's, with Student's intervals."""
    rows = []
    for n, part in _groups(given.scores, "n"):
        for family, method, own in _families(given.entry, part):
            row = {"n": n, "family": family, "method": method, "mean": own["kl_risk"].mean()}
            row |= {"trials": len(own), "converged": own["converged"].mean()}
            rows.append(row | _beside(part, method))
    return pd.DataFrame(rows, columns=RISK)


def _groups(scores, keys):
    return scores.groupby(keys, sort=False) if len(scores) else ()


def _families(entry, part):
    """Yield the family, the name and the rows of each method that there is."""
    for family, methods in entry["families"].items():
        for method in methods:
            own = part[part["method"] == method]
            if len(own):
                yield family, method, own


def _beside(part, method):
    """Return the columns of the differences of a method from others."""
    found = {}
    for of, other in BESIDE.items():
        if method != other and other in set(part["method"]) and _is_finite(part, method):
            numbers = paired_difference(part, other, method)
            found |= dict(
                zip((f"{w}{of}" for w in ("difference", "low", "high")), numbers, strict=True)
            )
    return found


def _is_finite(part, method):
    """Whether no pair has probability zero by a method: an infinite loss has no interval."""
    columns = [name for name in ("loss", "kl_risk") if name in part]
    return bool(np.isfinite(part.loc[part["method"] == method, columns]).all(axis=None))


def tabulate_table(given):
    """Return the perplexity of each model and order, and its ratio to that of Kneser-Ney.

    Kneser-Ney is the first model with a published perplexity, at that order. Intervals are over
    stretches of the test text, those of ratios paired by them. ``words`` is the training size.
    """
    published = [
        (name, int(n), value)
        for name, of in given.entry["printed"].items()
        for n, value in of.items()
    ]
    baseline, order, printed = published[0] if published else ("", 0, np.nan)
    groups = {point: own for point, own in _groups(given.scores, ["method", "order"])}
    words = given.scores["n"].max() if "n" in given.scores else np.nan
    rows = []
    for (name, n), own in groups.items():
        mean, low, high = interval_of_mean(own)
        row = {"method": name, "order": n, "words": words, "parameters": own["parameters"].iloc[0]}
        row |= {"perplexity": np.exp(mean), "low": np.exp(low), "high": np.exp(high)}
        row |= {"seeds": 1, "converged": own["converged"].all()}
        row["printed"] = given.entry["printed"].get(name, {}).get(str(n), np.nan)
        row["printed_ratio"] = row["printed"] / printed
        if (baseline, order) in groups:
            both = [own.assign(method="own"), groups[baseline, order].assign(method="baseline")]
            ratio = np.exp(paired_difference(pd.concat(both), "baseline", "own"))
            row |= dict(zip(("ratio", "ratio_low", "ratio_high"), ratio, strict=True))
        rows.append(row)
    return pd.DataFrame(rows, columns=TABLE)


def tabulate_words(given):
    """Return where words lie, and the neighbours of some of them."""
    return given.scores.reindex(columns=MAP)


def tabulate_example(given):
    """Return where the titles of Figure 1 lie."""
    return pd.DataFrame(place_titles(), columns=["x", "y"]).assign(title=TITLES)


def tabulate_structural(given):
    """Return accuracies, and the gain of each method over ASO, with 95 % intervals.

    Intervals are over documents and draws of the labelled examples (`study.Material`); of
    ASO over the supervised method, of a changed ingredient over ASO with a ridge on v;
    paired by document and draw.
    """
    rows = []
    for (n, name), own in (
        given.scores.groupby(["n", "method"], sort=False) if len(given.scores) else ()
    ):
        mean, low, high = interval_of_mean(own)
        row = {"n": n, "method": name, "accuracy": 1 - mean, "low": 1 - high, "high": 1 - low}
        row |= {"draws": own["seed"].nunique(), "rank": own.groupby("seed")["rank"].first().mean()}
        part = given.scores[given.scores["n"] == n]
        row["settled"] = own["converged"].mean()
        other = SUPERVISED if name in (ASO, RIDGED, FEATURES) else RIDGED
        if name != SUPERVISED:
            gains = errors_saved(part, name, other)
            row |= dict(zip(("gain", "gain_low", "gain_high"), gains, strict=True))
        rows.append(row)
    return pd.DataFrame(rows, columns=STRUCTURAL)


def tabulate_retrieval(given):
    """Return the precision at ten of each model, of all queries and of those of each genre.

    ``words`` are those of a query, and zero is a whole document. Intervals of 95 % are over
    queries; ``gain`` is over LSA by cosines, paired by query.
    """
    rows = []
    for (words, name), part in _groups(given.scores, ["n", "method"]):
        every = given.scores[given.scores["n"] == words]
        for genre, own in [("all", part), *part.groupby("genre")]:
            mean, low, high = interval_of_mean(own)
            row = {"words": words, "genre": genre, "method": name, "queries": len(own)}
            row |= {"precision": 1 - mean, "low": 1 - high, "high": 1 - low}
            row |= {"rank": own["rank"].iloc[0], "settled": own["converged"].all()}
            if genre == "all" and name != LSA:
                gains = errors_saved(every, name, LSA)
                row |= dict(zip(("gain", "gain_low", "gain_high"), gains, strict=True))
            rows.append(row)
    return pd.DataFrame(rows, columns=RETRIEVAL)


def errors_saved(scores, better, worse):
    """Return the errors per example of worse less better, with a 95 % interval.

    Both saw the same examples: the difference is taken in each draw and each document.
    """
    table = scores.pivot(index=["seed", "block"], columns="method", values="loss")
    pairs = scores.groupby("block")["pairs"].first()
    rows = (table[worse] - table[better]).rename("loss").reset_index()
    return interval_of_mean(rows.assign(pairs=rows["block"].map(pairs)))


TABULATE = {
    "methods": tabulate_methods,
    "cost": tabulate_cost,
    "risk": tabulate_risk,
    "example": tabulate_example,
    "perplexities": tabulate_table,
    "words": tabulate_words,
    "retrieval": tabulate_retrieval,
    "tagging": tabulate_structural,
    "genres": tabulate_structural,
}
