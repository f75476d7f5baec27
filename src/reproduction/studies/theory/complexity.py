"""Sample complexity as Theorems 3 and 4 say it: the pairs needed, and the worst model found.

Theorem 3 bounds the expected risk at n pairs by a multiple of km/n, but for a logarithm. Read the
other way round, a risk of epsilon needs a multiple of km/epsilon pairs. Both theorems are about the
worst model. A mean over simulated models says little of it, and so a search looks for a bad one.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.synthetic import Model, draw_model, sample_counts
from reproduction.scores.intervals import bootstrap_weights, percentile_interval, student_interval
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.theory.rates import (
    ADD_HALF_LR,
    FACTOR_OF_LOWER_BOUND,
    fit_best,
    rate,
    risk,
    upper_bound,
)
from reproduction.verdicts.cases import at_least, make_case

NEEDED, WORST, DRAWN = "needed", "worst", "drawn"  # the kinds of rows: ``case``
RISKS = (0.03, 0.01, 0.003)  # nats: epsilon
SIZES = ("k", "rank", "epsilon")
RATE, DIMENSION = "km/epsilon", "(2km - k - m^2)/epsilon"
SIGNS = {"k": "k", "rank": "m", "epsilon": "epsilon"}
EXPONENTS = {"k": 1, "rank": 1, "epsilon": -1}  # of km/epsilon
# Concentrations of the Dirichlet laws of rows that a search tries.
CONCENTRATIONS = (0.1, 1.0)
# Of the shares of a new row in the row that it takes the place of; the last is a whole new row.
SHARES = (0.05, 0.2, 0.5, 1.0)


def score_needed(root, given):
    """Yield the risk of Add-1/2-LR at each size, on samples of a model that grow.

    ``pairs`` are in units of k m. The samples of a trial are nested: the smaller is a part of the
    larger.
    """
    for k, rank, trial in product(given["k"], given["rank"], range(given["trials"])):
        seed = spawn_seed(root, "theory", "complexity", k, rank, trial)
        rng = np.random.default_rng(seed)
        model = draw_model(k, rank, seed=rng)
        joint = (model.pi[:, None] * model.P).ravel()
        counts, n = np.zeros(k * k, dtype=int), 0
        for pairs in sorted(given["pairs"]):
            counts = counts + rng.multinomial(pairs * k * rank - n, joint)
            n = pairs * k * rank
            sample = CountMatrix.from_dense(counts.reshape(k, k))
            fit, converged = fit_best(sample, rank, given["starts"], given["iterations"], rng)
            yield {
                "k": k,
                "rank": rank,
                "n": n,
                "trial": trial,
                "case": NEEDED,
                "method": ADD_HALF_LR,
                "kl_risk": risk(model, fit.dense()),
                "converged": converged,
            }


def score_worst(root, given):
    """Yield risks on simulated models, and on the worst that searches find.

    The search compares mean risks of one start of a fit on the same few samples. Those that are
    yielded are of new samples, and of the best of ``starts`` fits: ``seed`` is the start of the
    search, and ``searched`` the mean at which it ended.
    """
    k, rank, fits = given["k"], given["rank"], (given["starts"], given["iterations"])
    for n in given["n"]:
        rng = np.random.default_rng(spawn_seed(root, "theory", "worst", k, rank, n))
        place = {"k": k, "rank": rank, "n": n, "method": ADD_HALF_LR}
        for trial in range(given["draws"]):
            model = draw_model(k, rank, seed=rng)
            yield place | {"trial": trial, "case": DRAWN} | _new_risk(rng, model, n, *fits)
        for start in range(given["searches"]):
            seeds = np.random.SeedSequence(int(rng.integers(2**63))).spawn(given["samples"])
            model, searched = find_worst(rng, k, rank, n, given, seeds)
            found = place | {"case": WORST, "seed": start, "searched": searched}
            for trial in range(given["draws"]):
                yield found | {"trial": trial} | _new_risk(rng, model, n, *fits)


def _new_risk(rng, model, n, starts, iterations):
    counts = sample_counts(model, n, rng)
    fit, converged = fit_best(counts, model.rank, starts, iterations, rng)
    return {"kl_risk": risk(model, fit.dense()), "converged": converged}


def find_worst(rng, k, rank, n, given, seeds):
    """Return the worst model that one start of a search finds, and its mean risk, nats.

    A step replaces a row of A, a row of B or pi, in part or wholly, by a random one, and
    is kept if the mean risk over samples from the same ``seeds`` grows.
    """

    def mean_risk(model):
        fit = method(ADD_HALF_LR, rank=rank, iterations=given["iterations"]).fit
        return np.mean(
            [risk(model, fit(sample_counts(model, n, seed), seed).dense()) for seed in seeds]
        )

    model = Model(
        rng.dirichlet(np.full(k, rng.choice(CONCENTRATIONS))),
        rng.dirichlet(np.full(rank, rng.choice(CONCENTRATIONS)), size=k),
        rng.dirichlet(np.full(k, rng.choice(CONCENTRATIONS)), size=rank),
    )
    worst = mean_risk(model)
    for _ in range(given["steps"]):
        tried = change_row(rng, model)
        found = mean_risk(tried)
        if found > worst:
            model, worst = tried, found
    return model, worst


def change_row(rng, model):
    """Return a model of which one row, of pi, A or B, is mixed with a random one."""
    part = ("pi", "A", "B")[rng.integers(3)]
    rows = np.atleast_2d(getattr(model, part)).copy()
    row, share = rng.integers(len(rows)), rng.choice(SHARES)
    drawn = rng.dirichlet(np.full(rows.shape[1], rng.choice(CONCENTRATIONS)))
    rows[row] = (1 - share) * rows[row] + share * drawn
    return replace(model, **{part: rows[0] if part == "pi" else rows})


@dataclass(frozen=True)
class Needed:
    """The pairs that a mean risk needs, of each setting, and the same of draws of trials."""

    table: pd.DataFrame  # ``k, rank, epsilon, n``
    drawn: np.ndarray  # of ``n``: (settings, draws)

    def fit_exponents(self, sizes):
        """Return the exponents of sizes in n, by least squares of logarithms, with intervals.

        Yields the size, its exponent, and both ends of a 95 % interval.
        """
        x = np.column_stack([np.ones(len(self.table)), *(np.log(size) for size in sizes.values())])
        solve = np.linalg.pinv(x)[1:]
        found, drawn = solve @ np.log(self.table["n"]), solve @ np.log(self.drawn)
        for size, exponent, each in zip(sizes, found, drawn, strict=True):
            yield size, exponent, *percentile_interval(each)


def find_needed(scores, risks=RISKS):
    """Return the pairs at which the mean risk over trials is ``epsilon``: see `Needed`.

    Between two sizes the logarithm of the mean risk is taken as a line against that of n. A risk
    that the sizes do not hold between them has no row.
    """
    rows, drawn = [], []
    for i, ((k, rank), part) in enumerate(scores.groupby(["k", "rank"], sort=True)):
        by_trial = part.pivot(index="trial", columns="n", values="kl_risk")
        sizes, each = np.log(by_trial.columns.to_numpy(float)), by_trial.to_numpy()
        curves = np.log(np.vstack([each.mean(axis=0), bootstrap_weights(len(each), i) @ each]))
        for epsilon in risks:
            n = np.exp(cross(sizes, curves, np.log(epsilon)))
            if np.isfinite(n).all():
                rows.append({"k": k, "rank": rank, "epsilon": epsilon, "n": n[0]})
                drawn.append(n[1:])
    return Needed(pd.DataFrame(rows, columns=[*SIZES, "n"]), np.array(drawn))


def cross(x, curves, height):
    """Return where each curve, a row of values at ``x``, first falls to a height; or NaN."""
    below = curves <= height
    after = below.argmax(axis=1)
    found = np.flatnonzero(below.any(axis=1) & (after > 0))
    j, places = after[found], np.full(len(curves), np.nan)
    high, low = curves[found, j - 1], curves[found, j]
    places[found] = x[j - 1] + (x[j] - x[j - 1]) * (high - height) / (high - low)
    return places


def sizes_of(table):
    """Return what n is fitted against: km/epsilon; k, m and epsilon; the dimension over epsilon."""
    together = {RATE: table["k"] * table["rank"] / table["epsilon"]}
    by_dimension = {DIMENSION: dimension(table) / table["epsilon"]}
    return together, {SIGNS[size]: table[size] for size in SIZES}, by_dimension


def dimension(table):
    """Return the dimension of the stochastic matrices of rank m: 2km - k - m^2.

    The rows of A have k(m - 1) free entries and those of B m(k - 1), of which a change of the
    classes, a matrix with rows that sum to one, takes m(m - 1). A maximum likelihood estimate of
    so many free numbers has a risk near their half over n (Wilks).
    """
    return 2 * table["k"] * table["rank"] - table["k"] - table["rank"] ** 2


def worst_of(scores):
    """Yield the rows of simulated models and those of the worst, at each n: only by the search."""
    for n, rows in scores.groupby("n", sort=True):
        of_search = rows[rows["case"] == WORST]
        chosen = of_search["searched"] == of_search["searched"].max()
        yield n, rows[rows["case"] == DRAWN], of_search[chosen]


def split_cases(scores):
    """Return the scores of the pairs needed, and those of the search."""
    of_needed = scores["case"] == NEEDED
    return scores[of_needed], scores[~of_needed]


def check_complexity(scores):
    """Yield the cases of the exponents, and those of the worst model between the two bounds."""
    of_needed, of_search = split_cases(scores)
    needed = find_needed(of_needed)
    wanted = {RATE: 1, DIMENSION: 1} | {SIGNS[size]: EXPONENTS[size] for size in SIZES}
    checks = (f"theory-complexity{end}" for end in ("", "-each", "-dimension"))
    for sizes, check in zip(sizes_of(needed.table), checks, strict=True):
        for size, slope, low, high in needed.fit_exponents(sizes):
            case = f"exponent {slope:.3f} [{low:.3f}, {high:.3f}] of {size}, off {wanted[size]}"
            reached = slope - low if slope > wanted[size] else high - slope
            yield make_case(check, case, abs(slope - wanted[size]), reached)
    for n, _, worst in worst_of(of_search):
        sizes = {"k": worst["k"].iloc[0], "rank": worst["rank"].iloc[0], "n": n}
        _, low, high = student_interval(worst["kl_risk"])
        least, most = FACTOR_OF_LOWER_BOUND * rate(worst).iloc[0], upper_bound(worst).iloc[0]
        yield at_least("theory-worst-lower", "worst model found, low end", low, least, **sizes)
        yield make_case("theory-worst-upper", "worst model found, high end", high, most, **sizes)
