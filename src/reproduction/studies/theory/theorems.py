"""The paper's theory: each statement as cases, inequalities ``value <= bound``.

They are computed here at small sizes, for the target of the paper. `checks` has Theorems 2, 3, 4
and 8 and Lemmas 5 and 7 at large ones, by the same functions. Formulas are written out here from
the paper, apart from the estimators of the library.
"""

from zlib import crc32

import numpy as np
import pandas as pd

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.smoothing import AddConstant
from reproduction.studies.theory import identities, quantisation, statements
from reproduction.studies.theory.cases import (
    LARGEST_SLOPE_AT_REST,
    LAWS,
    SHAPES,
    draw_case,
    slope_along_simplices,
)
from reproduction.studies.theory.rates import check_risks, score_sweep
from reproduction.verdicts.cases import make_case

# Sizes at which risks are held against the bounds: with a floor the premise of Theorem 3 holds.
SMALL_MODELS = [(4, 2, 1000, 0.9), (8, 2, 10_000, 0.9), (16, 4, 100_000, 0.9), (50, 3, 5000, 0)]
SMALL_MODELS.append((100, 2, 50_000, 0))
TRIALS, STARTS = 20, 3


def check_theorems(root=0, checks=None):
    """Yield rows of `verdicts.cases.COLUMNS`: each case of each statement.

    The checks are functions of a generator: by default those of this module, of `quantisation`, of
    `statements` and of `identities`.
    """
    every = (*_CHECKS, *quantisation.CHECKS, *statements.CHECKS, *identities.CHECKS)
    for check in every if checks is None else checks:
        stream = np.random.SeedSequence(root, spawn_key=(crc32(check.__name__.encode()),))
        yield from check(np.random.default_rng(stream))


def check_empirical_risk(rng):
    """Section 3: E[R_n] of the empirical matrix. Eq. (2) has P_ij over Q_ij, so R_n <= 0."""
    for k, rank, n in SHAPES:
        model, counts = draw_case(rng, k, rank, n)
        ratio = model.P[counts.contexts, counts.outcomes] / _empirical(counts)
        risk = counts.values @ np.log(ratio) / n
        case = "R_n is finite and below zero; it is R, Eq. (1), that is infinite"
        yield make_case("empirical-risk-infinite", case, risk, np.inf, k, rank, n) | {
            "holds": False
        }


def check_add_half(rng):
    """Sections 3 and 7: how far the sum of a row is from one under either denominator."""
    for k, rank, n in SHAPES:
        counts = draw_case(rng, k, rank, n)[1].dense()
        for section, extra in ((3, k / 2), (7, 1 / 2)):
            sums = ((counts + 0.5) / (counts.sum(axis=1, keepdims=True) + extra)).sum(axis=1)
            case = f"rows sum to {sums.min():.3g} to {sums.max():.3g}"
            off = abs(sums - 1).max()
            yield make_case(f"add-half-section-{section}", case, off, 0, k, rank, n)


def check_zero_column(rng):
    """Section 5: the column of an outcome never seen, in ``Q_LR(C)``."""
    for k, rank, n in SHAPES:
        array = draw_case(rng, k, rank, n)[1].dense()
        array[:, 0] = 0
        Q = method("lr", rank=rank, iterations=50).fit(CountMatrix.from_dense(array), rng).dense()
        yield make_case("zero-column", "largest entry of the column", Q[:, 0].max(), 0, k, rank, n)


def check_naive_rank_one(rng):
    """Section 5: at m = 1, ``Q_LR(C + 1/2)`` is the outcomes' counts plus ``k/2``, normalised."""
    for k, _, n in SHAPES:
        counts = draw_case(rng, k, 1, n)[1]
        Q = method("naive-add-half-lr", rank=1, iterations=50).fit(counts, rng).dense()
        expected = (counts.column_sums + k / 2) / (n + k * k / 2)
        yield make_case("naive-rank-one", "largest deviation", abs(Q - expected).max(), 0, k, 1, n)


def check_soft_counts(rng):
    """Section 5: sums of both factors before they are smoothed and normalised."""
    for k, rank, n in SHAPES:
        counts = draw_case(rng, k, rank, n)[1].dense()
        W, H = rng.dirichlet(np.ones(rank), k), rng.dirichlet(np.ones(k), rank)
        soft_W, soft_H = _soft_counts(counts, W, H)
        rows = abs(soft_W.sum(axis=1) - counts.sum(axis=1)).max()
        columns = abs(soft_H.sum(axis=0) - counts.sum(axis=0)).max()
        case = "largest deviation of a sum"
        yield make_case("soft-counts", case, max(rows, columns), 0, k, rank, n)


def check_soft_discounting(rng):
    """Section 5: the sum of soft absolute discounting as printed, alpha = 3/4."""
    k = 30
    cases = {
        "whole counts, some zero": rng.integers(0, 4, k).astype(float),
        "fractional counts": rng.gamma(0.5, 2, k),
        "every count below one": rng.random(k),
        "every count one or more": 1 + rng.gamma(0.5, 2, k),
    }
    for name, c in cases.items():
        D, d, S = (c >= 1).sum(), c[c < 1].sum(), c.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            share = 0.75 * (D + d) / (k - D - d) * (1 - c)
        total = np.where(c >= 1, c - 0.75, 0.25 * c + share).sum() / S
        yield make_case("soft-discounting", f"{name}: sum {total:.3f}", abs(total - 1), 0, k)


def check_theorem_2(rng):
    """Theorem 2: decrease at every step, gradient at the end, and the converse."""
    for k, rank, n in SHAPES:
        counts = draw_case(rng, k, rank, n)[1]
        fit = method("add-half-lr", rank=rank, iterations=3000, history=True).fit(counts, rng)
        slope = slope_of(counts, fit)
        yield from check_descent("every of 3000 iterations", fit.history, slope, k, rank, n)
    k, rank, n = SHAPES[0]
    counts = draw_case(rng, k, rank, n)[1]
    W, H = _minimise(counts.dense(), rank, rng)
    soft = _soft_counts(counts.dense(), W, H)
    moved = max(abs(AddConstant()(new) - old).max() for new, old in zip(soft, (W, H), strict=True))
    case = "step of EM from a minimum that another optimiser found"
    yield make_case("theorem-2-converse", case, moved, LARGEST_SLOPE_AT_REST, k, rank, n)


def check_descent(case, objectives, slope, k, rank, n):
    """Yield Theorem 2's cases of a fit of Add-1/2-LR: its largest rise, its gradient at the end."""
    rise = np.diff(objectives).max()
    yield make_case("theorem-2-decrease", f"{case}: largest rise", rise, 0, k, rank, n)
    yield make_case(
        "theorem-2-stationary", f"{case}: gradient", slope, LARGEST_SLOPE_AT_REST, k, rank, n
    )


def check_risk_bounds(rng):
    """Theorems 3 and 4, Lemma 5 at small sizes: see `rates.check_risks`."""
    root, scores = int(rng.integers(2**31)), []
    for k, rank, n, floor in SMALL_MODELS:
        given = {"k": [k], "rank": [rank], "n": [n], "floor": floor, "trials": TRIALS}
        given |= {"starts": STARTS, "iterations": 200}
        scores += score_sweep(root, "small", given)
    yield from check_risks(pd.DataFrame(scores))


def check_entries(rng):
    """Section 6: the smallest entry of an Add-1/2-LR estimate."""
    for k, rank, n in SHAPES:
        for rows in LAWS:
            counts = draw_case(rng, k, rank, n, rows)[1]
            Q = method("add-half-lr", rank=rank).fit(counts, rng).dense()
            case = f"smallest entry, {rows} rows: 1/(2n+k), {1 / (2 * n + k):.3g}, minus it"
            yield make_case("entries-bounded", case, 1 / (2 * n + k) - Q.min(), 0, k, rank, n)


def _empirical(counts):
    """Return ``C_ij / C_i`` of the seen pairs."""
    return counts.values / counts.row_sums[counts.contexts]


def _soft_counts(C, W, H):
    """Return both factors after an update and before smoothing (the algorithm of Section 5)."""
    ratio = C / (W @ H)
    return W * (ratio @ H.T), H * (W.T @ ratio)


def slope_of(counts, fit):
    """Return the `projected_gradient` of a fit, of only the seen pairs."""
    C = counts.sparse()
    C.data = C.data / fit.at(counts.contexts, counts.outcomes)
    of_risk = -(C @ fit.H.T), -(C.T @ fit.W).T
    return float(projected_gradient((fit.W, fit.H), of_risk, counts.n))


def projected_gradient(factors, of_risk, n):
    """Return the largest component of Eq. (3)'s gradient along the simplices, nats per pair.

    ``of_risk`` are the gradients of ``n`` times the empirical risk by both factors.
    """
    gradients = (g - 0.5 / factor for factor, g in zip(factors, of_risk, strict=True))
    return slope_along_simplices(factors, gradients, n)


def _minimise(C, rank, rng):
    """Minimise Eq. (3) by L-BFGS over softmax rows: it shares nothing with EM."""
    from scipy.optimize import minimize, root
    from scipy.special import log_softmax

    k = len(C)

    def split(x):
        logs = log_softmax(x[: k * rank].reshape(k, rank), axis=1)
        return logs, log_softmax(x[k * rank :].reshape(rank, k), axis=1)

    def objective(x):
        log_W, log_H = split(x)
        W, H = np.exp(log_W), np.exp(log_H)
        ratio = C / (W @ H)
        value = -(C * np.log(W @ H)).sum() - 0.5 * (log_W.sum() + log_H.sum())
        slopes = []
        for factor, g in ((W, -ratio @ H.T), (H, -W.T @ ratio)):
            g = factor * g - 0.5  # by the logarithm of the entry
            slopes.append((g - factor * g.sum(axis=1, keepdims=True)).ravel())
        return value / C.sum(), np.concatenate(slopes) / C.sum()

    start = rng.normal(size=2 * k * rank)
    options = {"maxiter": 20_000, "ftol": 1e-16, "gtol": 1e-10}
    near = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
    # Near a minimum a function tells half of its digits; a zero of the gradient tells all of them.
    found = root(lambda x: objective(x)[1], near.x, method="lm", tol=1e-15)
    return tuple(np.exp(logs) for logs in split(found.x))


_CHECKS = [
    check_empirical_risk,
    check_add_half,
    check_zero_column,
    check_naive_rank_one,
    check_soft_counts,
    check_soft_discounting,
    check_theorem_2,
    check_risk_bounds,
    check_entries,
]
