"""KL risks of Theorems 3 and 4 and the empirical risk of Lemma 5; Lemma 7, and Theorem 8.

Risks are over sweeps of n, k and m. An oracle stands beside the estimators: as in the paper's proof
of the lower bound it knows the latent class of each pair, and estimates both factors by Add-1/2.
Lemma 7 is over levels and ranks, Theorem 8 on classes small enough to enumerate.
"""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.synthetic import draw_model
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.near_optimal.quantisation import hard_factors, quantise
from reproduction.studies.near_optimal.theorems import draw_floored
from reproduction.studies.theory.plan import ADD_HALF, ADD_HALF_LR, ORACLE

SETTLED = 1e-10  # nats per pair: a step of the objective below this ends a fit
LARGEST_CLASS = 2_000_000  # matrices that are enumerated, at most


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


def score_deviation(root, inputs, methods, given):
    """Yield the supremum of Theorem 8, ``(R - R_n) / sqrt(R)`` over a class, for each sample.

    The class has every product of quantised factors with entries above ``epsilon``. READING: R_n is
    taken as Eq. (2) is printed, with the true P; with C_ij / C_i it is no mean of the pairs.
    """
    for rank in given["rank"]:
        k, levels = given["k"], given["levels"]
        rng = np.random.default_rng(spawn_seed(root, "theory", "deviation", rank))
        model = draw_model(k, rank, seed=rng)
        P = 0.5 / k + 0.5 * model.P
        epsilon = 1 / levels**2
        members = enumerate_class(k, rank, levels, epsilon)
        logs = np.log(P / members)  # (members, k, k)
        risks = (model.pi[:, None] * rel_entr(P, members)).sum(axis=(1, 2))
        kept = risks > 1e-12  # READING: of a member that is P itself the ratio is 0 / 0
        for n, trial in product(given["n"], range(given["draws"])):
            shares = rng.multinomial(n, (model.pi[:, None] * P).ravel()) / n
            empirical = logs.reshape(len(logs), -1) @ shares
            worst = ((risks - empirical)[kept] / np.sqrt(risks[kept])).max()
            yield {
                "k": k, "rank": rank, "n": n, "trial": trial, "levels": levels,
                "deviation": worst, "delta": P.min(), "epsilon": epsilon,
            }  # fmt: skip


def enumerate_class(k, rank, levels, epsilon):
    """Return each product of factors of multiples of ``1/levels`` with entries above ``epsilon``.

    Returns
    -------
    numpy.ndarray, shape (members, k, k)
    """
    of_A, of_B = (np.array(list(_compositions(levels, size))) / levels for size in (rank, k))
    if len(of_A) ** k * len(of_B) ** rank > LARGEST_CLASS:
        raise ValueError(f"k = {k}, rank = {rank}, levels = {levels}: too many to enumerate")
    A = of_A[np.array(list(product(range(len(of_A)), repeat=k)))]
    B = of_B[np.array(list(product(range(len(of_B)), repeat=rank)))]
    members = np.unique(np.einsum("aim,bmj->abij", A, B).reshape(-1, k * k).round(12), axis=0)
    return members[(members > epsilon).all(axis=1)].reshape(-1, k, k)


def _compositions(total, parts):
    """Yield every way to write a number as a sum of so many whole ones, zero among them."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)
