"""KL risks of Theorems 3 and 4, the empirical risk of Lemma 5, and Lemma 7.

Risks are over sweeps of n, k and m. An oracle stands beside the estimators: as in the paper's proof
of the lower bound it knows the latent class of each pair, and estimates both factors by Add-1/2.
Lemma 7 is over levels and ranks.
"""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.catalogue import method
from condprob.counts import CountMatrix
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.near_optimal.quantisation import hard_factors, quantise
from reproduction.studies.near_optimal.theorems import draw_floored
from reproduction.studies.theory.plan import ADD_HALF, ADD_HALF_LR, ORACLE

SETTLED = 1e-10  # nats per pair: a step of the objective below this ends a fit


def score_sweep(root, inputs, methods, given):
    """Yield the scores of each model, at each size, of each estimator (`study.Job`)."""
    for k, rank, n in product(given["k"], given["rank"], given["n"]):
        for trial in range(given["trials"]):
            seed = spawn_seed(root, "theory", given["sweep"], k, rank, n, trial)
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
    return min(fits, key=lambda fit: fit.history[-1]), bool((steps < SETTLED).all())


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


def score_quantisation(root, inputs, methods, given):
    """Yield how far quantising both factors to multiples of 1/L moves a matrix and its risk.

    The risk moves most where the true matrix sits on the entry whose logarithm moves most;
    ``risk_moved`` is that largest move. ``least`` is the smallest entry before.
    """
    for rank, levels in product(given["rank"], given["levels"]):
        rng = np.random.default_rng(spawn_seed(root, "theory", "quantisation", rank, levels))
        k = given["k"]
        drawn = [
            (rng.dirichlet(np.ones(rank), k), rng.dirichlet(np.ones(k), rank))
            for _ in range(given["draws"])
        ]
        for trial, (A, B) in enumerate([*drawn, hard_factors(rank, levels)]):
            Q = A @ B
            moved = np.apply_along_axis(quantise, 1, A, levels) @ np.apply_along_axis(
                quantise, 1, B, levels
            )
            case = "random" if trial < given["draws"] else "hard"
            row = {"k": B.shape[1], "rank": rank, "levels": levels, "trial": trial, "case": case}
            row |= {"entry": abs(Q - moved).max(), "risk_moved": _largest_ratio(Q, moved)}
            yield row | {"least": Q.min()}


def _largest_ratio(Q, moved):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nanmax(abs(np.log(moved) - np.log(Q)))
