"""The tidy tables of the study."""

import pandas as pd

from reproduction.corpora.receipts import left_out
from reproduction.scores.intervals import student_interval
from reproduction.scores.pairs import paired_difference
from reproduction.studies.since.plan import ORACLE, OURS, UNBIASED

POINT = ["corpus", "k", "rank", "n"]
SHOWN = 3  # methods that a cell of the map names


def split_name(name):
    """Return a method's name, and how its setting was chosen: "" is by held-out pairs."""
    for end in (ORACLE, UNBIASED):
        if name.endswith(end):
            return name.removesuffix(end), end
    return name, ""


def summarise(scores):
    """Return the mean of each method at each point, with its regret.

    ``regret`` is the mean difference from the best method without an oracle, ``of_choice`` that
    from the oracle of the same method. Both have Student's 95 % intervals over trials.
    """
    rows = []
    for point, part in scores.groupby(POINT, sort=True):
        table = part.pivot(index="trial", columns="method", values="kl_risk")
        means = table.mean()
        best = means[[name for name in table if not name.endswith(ORACLE)]].idxmin()
        others = part.groupby("method")[["total_variation", "seconds", "found"]].mean()
        for name in table:
            row = dict(zip(POINT, point, strict=True)) | {"method": name, "risk": means[name]}
            _, row["low"], row["high"] = student_interval(table[name].to_numpy())
            regret = student_interval((table[name] - table[best]).to_numpy())
            row["regret"], row["regret_low"], row["regret_high"] = regret
            oracle = split_name(name)[0] + ORACLE
            if oracle in table and oracle != name:
                row["of_choice"] = (table[name] - table[oracle]).mean()
            rows.append(row | dict(others.loc[name]) | {"trials": len(table)})
    return pd.DataFrame(rows)


def tabulate_regret(given):
    """Return `summarise` of the models (`study.Material`)."""
    return summarise(given.scores)


def tabulate_map(given):
    """Return the three methods with the lowest mean risk at each point, and the best oracle."""
    table = summarise(given.scores)
    is_oracle = table["method"].str.endswith(ORACLE)
    parts = [
        part.sort_values("risk").groupby(POINT, sort=True).head(count)
        for part, count in ((table[~is_oracle], SHOWN), (table[is_oracle], 1))
    ]
    found = pd.concat(parts).sort_values(POINT, kind="stable")
    return found[[*POINT, "method", "risk", "low", "high", "trials"]]


def tabulate_rank(given):
    """Return how often each method that estimates a rank finds it, and the mean rank."""
    rows = []
    scores = given.scores.dropna(subset=["found"])
    for (*point, name), part in scores.groupby([*POINT, "method"], sort=True):
        if part["found"].nunique() > 1 or part["found"].iloc[0] > 1:
            row = dict(zip(POINT, point, strict=True)) | {"method": name}
            hits = part["found"] == part["rank"]
            row["low"], row["median"], row["high"] = part["found"].quantile([0.25, 0.5, 0.75])
            rows.append(row | {"hit": hits.mean(), "trials": len(part)})
    return pd.DataFrame(rows)


def tabulate_text(given):
    """Return cross-entropies, nats per word, their difference from PY-LR's, and seconds."""
    rows = []
    if len(given.scores):
        for (corpus, name), own in given.scores.groupby(["corpus", "method"], sort=False):
            part = given.scores[given.scores["corpus"] == corpus]
            row = {"corpus": corpus, "method": name, "loss": own["loss"].sum() / own["pairs"].sum()}
            if name != OURS:
                row["difference"], row["low"], row["high"] = paired_difference(part, OURS, name)
            firsts = own.groupby("seed")[["seconds", "found"]].first().mean()
            rows.append(row | dict(firsts) | {"seeds": own["seed"].nunique()})
    rows += [{"corpus": name, "note": why} for name, why in left_out(given.receipts).items()]
    columns = ["corpus", "method", "loss", "difference", "low", "high", "seconds", "found", "seeds"]
    return pd.DataFrame([{"note": ""} | row for row in rows], columns=[*columns, "note"])


def tabulate_trajectory(given):
    """Return the mean risk of each estimator from a trajectory, and from independent pairs."""
    return _tabulate_means(given.scores, ["k", "n", "gap", "drawn", "method"], "kl_risk", "risk")


def tabulate_bounds(given):
    """Return the mean of each case of the bounds, with Student's interval."""
    return _tabulate_means(given.scores, ["case", "method", "k", "n"], "value", "value")


def _tabulate_means(scores, keys, column, name):
    """Return the mean of a column at each place of the keys, with Student's interval."""
    rows = []
    for place, part in scores.groupby(keys, sort=True):
        mean, low, high = student_interval(part[column].to_numpy())
        row = dict(zip(keys, place, strict=True)) | {name: mean, "low": low, "high": high}
        rows.append(row | {"trials": len(part)})
    return pd.DataFrame(rows)
