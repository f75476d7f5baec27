"""The table of each exhibit, made from its scores."""

import numpy as np
import pandas as pd

from reproduction.scores.intervals import student_interval
from reproduction.studies.theory.checks import (
    find_sweeps,
    fit_slope,
    name_texts,
)
from reproduction.studies.theory.complexity import (
    DIMENSION,
    DRAWN,
    NEEDED,
    RATE,
    WORST,
    dimension,
    find_needed,
    sizes_of,
    split_cases,
    worst_of,
)
from reproduction.studies.theory.deviation import tail_bound
from reproduction.studies.theory.plan import ADD_HALF_LR
from reproduction.studies.theory.rates import (
    FACTOR_OF_LOWER_BOUND,
    bound_of_lemma_5,
    rate,
    upper_bound,
)

SLOPES = {RATE: "slope", DIMENSION: "slope_of_dimension"}  # of the columns of exponents


def tabulate_rates(given):
    """Return the mean risk at each size with its interval, its bounds, and slopes (`Material`)."""
    keys = ["floor", "k", "rank", "n", "method"]
    scores = given.scores
    rows = []
    for place, part in scores.groupby(keys, sort=True):
        mean, low, high = student_interval(part["kl_risk"])
        first = part.iloc[:1]
        rows.append(
            dict(zip(keys, place, strict=True))
            | {"risk": mean, "low": low, "high": high}
            | {"trials": len(part), "premise": bool(part["premise"].all())}
            | {
                "lower": FACTOR_OF_LOWER_BOUND * rate(first).iloc[0],
                "upper": upper_bound(first).iloc[0],
            }
        )
    table = pd.DataFrame(rows).assign(
        slope_of="", slope=np.nan, slope_low=np.nan, slope_high=np.nan
    )
    for _, size, part in find_sweeps(scores[scores["floor"] == 0]):
        for id, of_method in part.groupby("method"):
            chosen = (table["floor"] == 0) & (table["method"] == id)
            for other in {"k", "rank", "n"} - {size}:
                chosen &= table[other] == part[other].iloc[0]
            columns = ["slope", "slope_low", "slope_high"]
            table.loc[chosen, columns] = fit_slope(of_method, size)
            table.loc[chosen, "slope_of"] = size
    table["constant"] = table["risk"] / rate(table)
    return table


def tabulate_complexity(given):
    """Return the pairs needed with the exponents, and the risks of simulated and worst models.

    ``constant`` is in units of the theorem's rate: n epsilon / (k m), or the risk times n / (k m);
    ``per_dimension`` is n epsilon over half of the `dimension`.
    """
    of_needed, of_search = split_cases(given.scores)
    needed = find_needed(of_needed)
    low, high = np.quantile(needed.drawn, [0.025, 0.975], axis=1)
    per_pair = needed.table["epsilon"] / (needed.table["k"] * needed.table["rank"])
    rows = needed.table.assign(
        case=NEEDED,
        constant=needed.table["n"] * per_pair,
        low=low * per_pair,
        high=high * per_pair,
        per_dimension=2 * needed.table["n"] * needed.table["epsilon"] / dimension(needed.table),
    )
    for sizes in sizes_of(needed.table):
        for size, exponent, *ends in needed.fit_exponents(sizes):
            name = SLOPES.get(size, f"exponent_{size}")
            rows[name], rows[f"{name}_low"], rows[f"{name}_high"] = exponent, *ends
    bounds = []
    for n, *parts in worst_of(of_search):
        for case, part in zip((DRAWN, WORST), parts, strict=True):
            unit = rate(part).iloc[0]
            mean, low, high = student_interval(part["kl_risk"]) / unit
            bounds.append(
                {
                    "case": case,
                    "k": part["k"].iloc[0],
                    "rank": part["rank"].iloc[0],
                    "n": n,
                    "constant": mean,
                    "low": low,
                    "high": high,
                    "trials": len(part),
                    "lower": FACTOR_OF_LOWER_BOUND,
                    "upper": upper_bound(part).iloc[0] / unit,
                }
            )
    return pd.concat([rows, pd.DataFrame(bounds)], ignore_index=True)


def tabulate_lemma_5(given):
    """Return the mean empirical risk by either reading, and the bound."""
    scores = given.scores[given.scores["method"] == ADD_HALF_LR]
    keys = ["floor", "k", "rank", "n"]
    means = scores.groupby(keys)[["risk_printed", "risk_counts"]].mean().reset_index()
    return means.assign(bound=bound_of_lemma_5(means))


def tabulate_descent(given):
    """Return each fit at some of its iterations, the objective above the least of its method."""
    scores = name_texts(given.scores)
    least = scores.groupby(["corpus", "method"])["objective"].transform("min")
    columns = ["corpus", "method", "start", "iteration", "objective", "gap", "slope", "moved"]
    return scores.assign(gap=scores["objective"] - least)[columns]


def tabulate_restarts(given):
    """Return the objective of each initialisation above the lowest of its sample, and the risk."""
    scores = given.scores
    of_sample = scores.groupby(["n", "trial"])["objective"]
    lowest = scores.loc[of_sample.transform("idxmin"), "kl_risk"].to_numpy()
    return scores.assign(
        gap=scores["objective"] - of_sample.transform("min"), ratio=scores["kl_risk"] / lowest
    )[["n", "trial", "start", "objective", "gap", "kl_risk", "ratio"]]


def tabulate_quantisation(given):
    """Return the largest change of an entry times L, and the largest share of the risk's bound."""
    scores = given.scores
    share = scores["risk_moved"] * scores["levels"] * scores["least"] / 6
    scores = scores.assign(
        entry_times_levels=scores["entry"] * scores["levels"],
        share_of_risk=share.where(scores["levels"] * scores["least"] > 6),
    )
    columns = ["entry_times_levels", "share_of_risk"]
    return scores.groupby(["case", "rank", "levels"])[columns].max().reset_index()


def tabulate_deviation(given):
    """Return quantiles of the supremum next to the tau at which the bound is as small."""
    rows = []
    taus = np.geomspace(1e-3, 1e3, 4001)
    for (k, rank, n), part in given.scores.groupby(["k", "rank", "n"], sort=True):
        bound = tail_bound(part, taus)
        for tail in (0.5, 0.1, 0.01):
            rows.append(
                {
                    "k": k,
                    "rank": rank,
                    "n": n,
                    "tail": tail,
                    "deviation": part["deviation"].quantile(1 - tail),
                    "bound": taus[np.argmax(bound <= tail)],
                }
            )
    return pd.DataFrame(rows)


def tabulate_coverage(given):
    """Return the share of intervals with the truth, its standard error over models, in per cent.

    Of intervals of texts also the share that has a warning.
    """
    groups = given.scores.groupby(["quantity", "data", "size"], sort=False)
    held = groups["held"]
    table = {"held": 100 * held.mean(), "error": 100 * held.sem(), "models": held.size()}
    if "warned" in given.scores:
        table["warned"] = 100 * groups["warned"].mean()
    return pd.DataFrame(table).reset_index()


TABULATE = {
    "rates": tabulate_rates,
    "complexity": tabulate_complexity,
    "lemma-5": tabulate_lemma_5,
    "descent": tabulate_descent,
    "restarts": tabulate_restarts,
    "quantisation": tabulate_quantisation,
    "deviation": tabulate_deviation,
    "intervals": tabulate_coverage,
    "posterior": tabulate_coverage,
}
