"""KL risks of Theorems 3 and 4, and the empirical risk of Lemma 5, at any sizes.

An oracle is compared with the estimators: as in the paper's proof
of the lower bound it knows the latent class of each pair, and estimates both factors by Add-1/2.
"""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.synthetic import Model, draw_model
from reproduction.scores.seeds import spawn_seed
from reproduction.verdicts.cases import at_least, make_case

ADD_HALF, ADD_HALF_LR, ORACLE = "add-half", "add-half-lr", "oracle"
FACTOR_OF_UPPER_BOUND, FACTOR_OF_LOWER_BOUND = 3100, 0.06  # the constants of Theorems 3 and 4
LARGEST_LAST_STEP = 1e-10  # nats per pair: a step of the objective below this ends a fit


def score_sweep(root, sweep, given):
    """Yield the scores of each model, at each size, of each estimator."""
    for k, rank, n in product(given["k"], given["rank"], given["n"]):
        for trial in range(given["trials"]):
            seed = spawn_seed(root, "theory", sweep, k, rank, n, trial)
            rng = np.random.default_rng(seed)
            model = draw_floored(rng, k, rank, given["floor"])
            place = {"k": k, "rank": rank, "n": n, "trial": trial, "floor": given["floor"]}
            premise = bool(model.P.min() > k * rank / n * np.log(2 * n + k))
            for row in score_model(rng, model, n, given["starts"], given["iterations"]):
                yield place | {"premise": premise} | row


def score_model(rng, model, n, starts, iterations):
    """Yield the risks of the estimators on one sample of a model.

    The global minimum of Eq. (3) is the best of some random starts.
    """
    contexts = rng.multinomial(n, model.pi)
    classes = np.array([rng.multinomial(c, a) for c, a in zip(contexts, model.A, strict=True)])
    outcomes = rng.multinomial(classes, model.B)  # (k, m, k): context, class, outcome
    counts = CountMatrix.from_dense(outcomes.sum(axis=1))
    by_class = add_half(classes) @ add_half(outcomes.sum(axis=0))
    yield {"method": ORACLE, "kl_risk": risk(model, by_class), "converged": True}
    direct = method(ADD_HALF).fit(counts, seed=0).dense()
    yield {"method": ADD_HALF, "kl_risk": risk(model, direct), "converged": True}
    best, converged = fit_best(counts, model.rank, starts, iterations, rng)
    Q = best.dense()
    yield {
        "method": ADD_HALF_LR,
        "kl_risk": risk(model, Q),
        "converged": converged,
        "risk_printed": empirical_risk(counts, Q, model.P),
        "risk_counts": empirical_risk(counts, Q),
    }


def fit_best(counts, rank, starts, iterations, rng):
    """Return the fit of Add-1/2-LR with the lowest objective, and whether all of them settled."""
    steps = np.full(starts, np.inf)
    fits = []
    for start in range(starts):
        fits.append(method(ADD_HALF_LR, rank=rank, iterations=iterations).fit(counts, rng))
        steps[start] = abs(np.diff(fits[-1].history[-2:]))[0]
    return min(fits, key=lambda fit: fit.history[-1]), bool((steps < LARGEST_LAST_STEP).all())


def add_half(counts):
    """Return rows of counts smoothed by Add-1/2."""
    return (counts + 0.5) / (counts.sum(axis=1, keepdims=True) + counts.shape[1] / 2)


def risk(model, Q):
    """Return the KL risk of Eq. (1) of a whole matrix, nats."""
    return float(model.pi @ rel_entr(model.P, Q).sum(axis=1))


def empirical_risk(counts, Q, P=None):
    """Return R_n(Q), nats: as Eq. (2) is printed, with P, or with C_ij / C_i where that is None."""
    places = counts.contexts, counts.outcomes
    true = counts.values / counts.row_sums[counts.contexts] if P is None else P[places]
    return float(counts.values @ np.log(true / Q[places]) / counts.n)


def draw_floored(rng, k, rank, floor):
    """Draw a model of which each row of B is mixed with the uniform distribution.

    All entries of P are then at least ``floor / k``.
    """
    model = draw_model(k, rank, seed=rng)
    return Model(model.pi, model.A, floor / k + (1 - floor) * model.B)


def rate(rows):
    """Return km/n of each row."""
    return rows["k"] * rows["rank"] / rows["n"]


def upper_bound(rows):
    """Return the bound of Theorem 3 at each row's sizes, nats."""
    return FACTOR_OF_UPPER_BOUND * rate(rows) * np.log(2 * rows["n"] + rows["k"]) ** 2


def bound_of_lemma_5(rows):
    """Return the bound of Lemma 5 at each row's sizes, nats."""
    return rows["k"] / rows["n"] + rate(rows) * np.log(2 * rows["n"] + rows["k"])


def check_risks(scores):
    """Hold mean risks against the bounds of Theorems 3 and 4 and of Lemma 5 (`score_sweep`).

    READING: Eq. (2) is taken as the paper prints it, with the true P; with C_ij / C_i in its place
    (``lemma-5-counts``) the risk of n pairs grows with k^2 / 2n and Lemma 5 fails.
    """
    fits = scores[scores["method"] == ADD_HALF_LR]
    for (k, rank, n, floor), rows in fits.groupby(["k", "rank", "n", "floor"], sort=True):
        sizes, risks, of = {"k": k, "rank": rank, "n": n}, rows["kl_risk"], f"floor {floor:g}"
        met = rows["premise"]
        if met.any():  # it is a matter of the model, and so of each row
            where = "" if met.all() else f", {met.sum()} of {met.size} models with its premise"
            bound = upper_bound(rows).iloc[0]
            yield make_case(
                "theorem-3", f"mean risk, {of}{where}", risks[met].mean(), bound, **sizes
            )
        least = FACTOR_OF_LOWER_BOUND * rate(rows).iloc[0]
        yield at_least("theorem-4", f"mean risk, {of}", risks.mean(), least, **sizes)
        bound = bound_of_lemma_5(rows).iloc[0]
        for check, column in (("lemma-5", "risk_printed"), ("lemma-5-counts", "risk_counts")):
            case = f"mean R_n(Q_n), {of}"
            yield make_case(check, case, rows[column].mean(), bound, **sizes)
