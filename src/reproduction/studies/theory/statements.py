"""Statements of the paper in passing: priors, Pinsker's inequality, the naive methods, counting.

Cases are those of `theorems`; formulas are written out here from the paper.
"""

from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import rel_entr
from scipy.stats import beta, binom, dirichlet

from condprob.catalogue import method
from condprob.methods.smoothing import AddConstant
from condprob.risk import kl_risk
from reproduction.studies.theory.cases import (
    LARGEST_SLOPE_AT_REST,
    LAWS,
    SHAPES,
    draw_case,
    slope_along_simplices,
)
from reproduction.studies.theory.deviation import (
    check_deviation,
    enumerate_class,
    score_deviation,
)
from reproduction.studies.theory.rates import FACTOR_OF_LOWER_BOUND, FACTOR_OF_UPPER_BOUND
from reproduction.verdicts.cases import BOUND_TOLERANCE, at_least, make_case

VANISHING = 0.001  # READING: so small a share vanishes (Definition 1)
UP_TO_A_CONSTANT = 2  # READING: "up to a constant" (Definition 1) is taken as twice
TRIALS = 10


def check_add_half_vectors(rng):
    """Section 3: the worst risk of Add-1/2 for two outcomes, compared with the least possible.

    The mean risk under a prior is at most the least worst risk; Dirichlet(1/2) is taken, whose
    posterior mean is Add-1/2. The worst risk of another smoother is at least the least worst risk:
    that of Braess and Sauer (2004) adds 1/2, 1 or 3/4 to counts of zero, one or more.
    """
    p = (np.arange(2000) + 0.5) / 2000  # quantiles of the prior, and a grid that is fine at zero
    p = np.unique(np.concatenate([beta.ppf(p, 0.5, 0.5), np.geomspace(1e-6, 0.5, 1000)]))
    weights = np.diff(beta.cdf(np.concatenate([[0], (p[1:] + p[:-1]) / 2, [1]]), 0.5, 0.5))
    for n in (10, 100, 400):
        counts = np.arange(n + 1)
        chances = binom.pmf(counts, n, p[:, None])
        half = _risks(p, chances, (counts + 0.5) / (n + 1))
        added = counts + np.select([counts == 0, counts == 1], [0.5, 1.0], 0.75)
        other = _risks(p, chances, added / (added + added[::-1]))
        case = "worst risk of Add-1/2, and twice its mean over Dirichlet(1/2)"
        yield make_case(
            "add-half-vectors", case, half.max(), UP_TO_A_CONSTANT * weights @ half, 2, n=n
        )
        case = "worst risk of Add-1/2, and that of Braess and Sauer"
        yield make_case("add-half-vectors-exact", case, half.max(), other.max(), 2, n=n)


def check_definition_1(rng):
    """Definition 1 on the bounds of Theorems 3 and 4: optimal, near-optimal, weak or strong.

    With the minimax risk at its lower bound, the factor of Theorem 3 is the ratio of the bounds.
    Near-optimality asks that its logarithm vanishes next to that of the risk. Add-1/2 has the
    factor k/m of Section 3, here as k grows at a fixed number of pairs.
    """
    k, m, shares, factors = 1000, 10, [], []
    for digits in (10.0, 1e3, 1e5):
        log_n = digits * np.log(10)
        factor = np.log(FACTOR_OF_UPPER_BOUND / FACTOR_OF_LOWER_BOUND)
        factor += 2 * np.log(np.logaddexp(log_n + np.log(2), np.log(k)))
        shares.append(factor / abs(np.log(FACTOR_OF_LOWER_BOUND * k * m) - log_n))
        factors.append(factor)
    case = "log phi / log r* at n = 10^1000 and at 10^100000"
    yield make_case(
        "near-optimal", f"{case}, compared with that at the previous n", shares[1], shares[0]
    )
    yield make_case("near-optimal", f"{case}: the last", shares[2], VANISHING)
    grown = np.exp(factors[2] - factors[0])
    yield at_least("not-optimal", "times that phi grows from n = 10^10 to 10^100000", grown, 1e6)
    needed = [_pairs_needed(k, m, floor) for floor in (1e-4, 1e-5)]
    case = "pairs from which Theorem 3 holds: where the least P_ij is a tenth, for each of before"
    yield at_least("weakly-optimal", case, needed[1] / needed[0], 10, k=k, rank=m)
    logs = [np.log(size / m) / np.log(size * m) for size in (1e10, 1e100)]
    case = "log phi / log r* of Add-1/2 at k = 10^100, growing with k"
    yield at_least("add-half-not-near-optimal", case, logs[1], max(logs[0], 0.5), rank=m)


def _pairs_needed(k, m, floor):
    """Return the least n with ``floor > (km/n) log(2n + k)``."""
    return brentq(lambda n: floor * n - k * m * np.log(2 * n + k), k, 1e15)


def _risks(p, chances, q):
    """Return the KL risk at each ``p`` of estimating it by ``q`` of the count, nats."""
    return (chances * (rel_entr(p[:, None], q) + rel_entr(1 - p[:, None], 1 - q))).sum(axis=1)


def check_dirichlet_prior(rng):
    """Section 2: Add-1/2 as a posterior mean; Eq. (3) and a log posterior differ by a constant."""
    drawn = dirichlet.rvs([0.5] * 3, 200_000, rng)
    weights = np.prod(drawn ** np.array([3, 1, 0]), axis=1)  # the likelihood of counts 3, 1, 0
    mean, half = weights @ drawn / weights.sum(), AddConstant(0.5)([3, 1, 0])
    error = np.sqrt((weights**2) @ (drawn - mean) ** 2) / weights.sum()  # of weighted draws
    case = "posterior mean of 200,000 weighted draws: deviation, and four standard errors"
    worst = (abs(mean - half) / error).argmax()
    yield make_case("dirichlet-prior", case, abs(mean - half)[worst], 4 * error[worst], 3, n=4)
    for k, rank, n in SHAPES:
        C = draw_case(rng, k, rank, n)[1].dense()
        gaps = []
        for _ in range(2):
            W, H = rng.dirichlet(np.ones(rank), k), rng.dirichlet(np.ones(k), rank)
            loss = -(C * np.log(W @ H)).sum()  # n times Eq. (3), but for a constant
            penalised = loss - 0.5 * (np.log(W).sum() + np.log(H).sum())
            prior = sum(
                dirichlet.logpdf(row, [1.5] * row.size) for factor in (W, H) for row in factor
            )
            gaps.append((penalised - (loss - prior)) / n)
        case = "Eq. (3) minus the negative log posterior: how far from a constant"
        yield make_case(
            "dirichlet-prior", case, abs(gaps[0] - gaps[1]), BOUND_TOLERANCE, k, rank, n
        )


def check_pinsker(rng):
    """Section 2: the l1 risk of a matrix, squared, is at most twice its KL risk; not the reverse.

    The l1 risk weighs the rows by ``pi``, as Eq. (1) does.
    """
    for k in (2, 20, 100):
        pi = rng.dirichlet(np.ones(k))
        P = rng.dirichlet(np.ones(k), k)
        tilt = np.where(np.arange(k) % 2, 1 - 1e-3, 1 + 1e-3)
        near = np.full((k, k), 1 / k)
        for case, true, Q in (
            ("random", P, rng.dirichlet(np.ones(k), k)),
            ("hard: uniform rows, tilted by a thousandth", near * tilt, near),
        ):
            l1 = pi @ abs(true - Q).sum(axis=1)
            yield make_case("pinsker", case, l1**2, 2 * pi @ rel_entr(true, Q).sum(axis=1), k)
    for d in (0.1, 0.02, 0.005):  # an outcome of mass d gets exp(-1/d)
        true, Q = np.array([1 - d, d]), np.array([1 - np.exp(-1 / d), np.exp(-1 / d)])
        case = f"l1 risk {abs(true - Q).sum():.2g}: 1/2 minus the KL risk"
        yield make_case("pinsker-reverse", case, 0.5 - rel_entr(true, Q).sum(), 0, 2)


def check_naive_methods(rng):
    """Section 5: where the halves of ``C + 1/2`` go, and ``1/2k`` in their place."""
    k, n = 40, 400
    counts = draw_case(rng, k, 4, n)[1]
    for rank in (1, 2, 4, 8, 16):
        fit = method("naive-add-half-lr", rank=rank).fit(counts, rng)
        halves = fit.H * (fit.W.T @ (0.5 / (fit.W @ fit.H)))  # soft counts, (m, k)
        case = f"{halves.mean():.3g} on an outcome of a class: distance from k/2m"
        distance = abs(halves.mean() - k / (2 * rank))
        yield make_case("naive-oversmooths", case, distance, 0, k, rank, n)
    for n, rank, rows in product((400, 2000), (2, 8), LAWS):
        risks = np.zeros(2)
        for _ in range(TRIALS):
            model, counts = draw_case(rng, k, rank, n, rows)
            fits = (
                method("add-half-lr", rank=rank),
                method("naive-add-half-lr", rank=rank, constant=1 / (2 * k)),
            )
            risks += [kl_risk(model.pi, model.P, each.fit(counts, rng)) for each in fits]
        case = f"{rows} rows: mean risk of Add-1/2-LR, and of adding 1/2k"
        yield make_case("half-over-k", case, *(risks / TRIALS), k, rank, n)


def check_likelihood(rng):
    """Section 5: unsmoothed EM descends, and its gradient along the simplices vanishes."""
    for k, rank, n in SHAPES:
        counts = draw_case(rng, k, rank, n)[1]
        fit = method("lr", rank=rank, iterations=3000, history=True).fit(counts, rng)
        rise = np.diff(fit.history).max()
        yield make_case("lr-descends", "largest step, nats per pair", rise, 0, k, rank, n)
        C = counts.dense()
        ratio = np.divide(C, fit.W @ fit.H, out=np.zeros(C.shape), where=C > 0)
        gradients = -ratio @ fit.H.T, -fit.W.T @ ratio
        slope = slope_along_simplices((fit.W, fit.H), gradients, n)
        case = "gradient after 3000 steps, and what counts as none"
        yield make_case("lr-descends", case, slope, LARGEST_SLOPE_AT_REST, k, rank, n)


def check_class_size(rng):
    """Section 6: members of the quantised class, each product once, and their bound."""
    for k, rank, L in ((2, 1, 2), (2, 1, 6), (2, 2, 3), (3, 1, 4)):
        members = len(enumerate_class(k, rank, L, -1))
        bound = (L + 1) ** (2 * k * rank)
        yield make_case("types-count", f"members with L = {L}", members, bound, k, rank)


def check_uniform_convergence(rng):
    """Theorem 8 on a class small enough to enumerate."""
    given = {"rank": [1], "k": 3, "levels": 4, "n": [100, 1000], "draws": 100}
    scores = pd.DataFrame(score_deviation(int(rng.integers(2**31)), given))
    yield from check_deviation(scores)


CHECKS = [
    check_add_half_vectors,
    check_definition_1,
    check_dirichlet_prior,
    check_pinsker,
    check_naive_methods,
    check_likelihood,
    check_class_size,
    check_uniform_convergence,
]
