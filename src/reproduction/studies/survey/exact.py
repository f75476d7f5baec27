"""LSA, PLSA and SDR on tables small enough to be sure: printed formulas and derivations."""

from itertools import combinations

import numpy as np
from scipy.optimize import minimize
from scipy.special import gammaln, xlogy

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.survey.alternating import SCALINGS
from reproduction.verdicts.cases import at_least, make_case

ROUNDING_TOLERANCE = 1e-9
# Figure 1: terms by titles.
TITLES = ("u1", "u2", "u3", "g1", "g2", "g3")
TERMS = (
    "human",
    "interface",
    "computer",
    "user",
    "system",
    "response",
    "time",
    "EPS",
    "survey",
    "trees",
    "graph",
    "minors",
)
FIGURE_1 = np.array(
    [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 0, 0],
        [0, 1, 1, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 0, 0, 1, 0, 1],
        [0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 1, 1],
    ]
)
# Ridge that keeps a fit of positive counts from drifting, and moves it by as little.
SMALL_RIDGE = 1e-4
RIDGE_OF_PROJECTION = 2.0  # the ridge under which alternating projection was the fastest
PASSES_OF_PROJECTIONS = 3 * SCALINGS  # for biases, for factors of outcomes and of contexts
RIDGE_TOLERANCE = 1e-3  # of moments and of information, with that ridge
SUM_TOLERANCE = 1e-6  # of sums over all samples, with slopes by differences
# Pairs with w in a sample that is enumerated; estimators that are drawn.
PAIRS_OF_SAMPLE = 8
ESTIMATORS_DRAWN = 1000


def place_titles():
    """Return the titles of Figure 1 in the plane of the two left singular vectors, (titles, 2)."""
    phi, _, _ = np.linalg.svd(FIGURE_1)
    signs = np.sign(phi[:, :2].sum(axis=0))  # a singular vector is one up to its sign
    return FIGURE_1.T @ (signs * phi[:, :2])


def check_factors(root):
    """Yield the cases of the claims on LSA and PLSA."""
    rng = np.random.default_rng(root)
    yield from check_example()
    yield from check_query()
    yield from check_squares(rng)
    yield from check_plsa(rng)
    yield from check_gaussian(np.random.default_rng([root, 1]))


def check_example():
    """Compare cosines within both groups of titles with those across."""
    places = place_titles()
    unit = places / np.linalg.norm(places, axis=1)[:, None]
    cosines, group = unit @ unit.T, np.arange(len(TITLES)) < len(TITLES) // 2
    same = group[:, None] == group
    case = "least cosine of titles of one kind, against the largest across"
    yield at_least("l-figure", case, cosines[same].min(), cosines[~same].max())


def check_query():
    """Section 3.1: a query for the word "human" on Figure 1, by the library and by hand."""
    lsa = method("lsa", rank=2, weighting="counts", weight=0.0)
    query = np.eye(len(TERMS), dtype=int)[TERMS.index("human")][None]
    (found,) = lsa.similarity(lsa.fit(FIGURE_1.T), query)
    phi, values, _ = np.linalg.svd(FIGURE_1.astype(float))
    project = np.sqrt(values[:2])[:, None] * phi[:, :2].T
    by_hand = (project @ query[0]) @ (project @ FIGURE_1)
    case = "similarities by the fit, and by the printed projections: largest difference"
    yield make_case("l-query", case, abs(found - by_hand).max(), ROUNDING_TOLERANCE)
    lacking = [i for i, name in enumerate(TITLES) if name in ("u2", "u3")]
    others = [i for i, name in enumerate(TITLES) if name.startswith("g")]
    case = "titles on interfaces without the word, against the most similar on graphs"
    yield at_least("l-synonym", case, found[lacking].min(), found[others].max())


def check_gaussian(rng):
    """Section 3.1.2: the most probable Gaussian with ``W W' + s I``, by L-BFGS, and the SVD."""
    rank, size = 2, 6
    X = rng.normal(size=(200, rank)) @ rng.normal(size=(rank, size)) * 2
    X += rng.normal(size=X.shape)
    S = X.T @ X / len(X)

    def loss(flat):
        W = flat[:-1].reshape(size, rank)
        C = W @ W.T + np.exp(flat[-1]) * np.eye(size)
        return np.linalg.slogdet(C)[1] + np.trace(np.linalg.solve(C, S))

    how = {"method": "L-BFGS-B", "options": {"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-9}}
    starts = rng.normal(size=(5, size * rank + 1))
    best = min((minimize(loss, start, **how) for start in starts), key=lambda each: each.fun)
    W = np.linalg.qr(best.x[:-1].reshape(size, rank))[0]
    V = np.linalg.svd(X, full_matrices=False)[2][:rank].T
    case = "projections on both spaces: largest difference"
    yield make_case("l-gaussian", case, abs(W @ W.T - V @ V.T).max(), RIDGE_TOLERANCE)


def check_squares(rng):
    """Section 3.1.1: the best approximation, its error, and gradients against differences."""
    X, rank = rng.normal(size=(8, 6)), 2
    phi, values, psi = np.linalg.svd(X, full_matrices=False)
    best = ((X - (phi[:, :rank] * values[:rank]) @ psi[:rank]) ** 2).sum()
    least = np.inf
    for _ in range(100):
        psi_of = rng.normal(size=(rank, 6))
        for _ in range(20):  # least squares in turns, from random starts
            phi_of = np.linalg.lstsq(psi_of.T, X.T, rcond=None)[0].T
            psi_of = np.linalg.lstsq(phi_of, X, rcond=None)[0]
        least = min(least, ((X - phi_of @ psi_of) ** 2).sum())
    yield make_case(
        "l-optimum",
        "that of the SVD, against least squares from 100 initialisations",
        best,
        least + ROUNDING_TOLERANCE,
    )
    left_out = np.linalg.eigvalsh(X.T @ X)[: 6 - rank].sum()
    yield make_case(
        "l-error", "squared error: off that sum", abs(best - left_out), ROUNDING_TOLERANCE
    )
    weights = (phi[:, :rank] * values[:rank]) ** 2
    lengths = np.sqrt(weights.sum(axis=0))
    yield make_case(
        "l-weighted-printed",
        "lengths of its columns: off the eigenvalues",
        abs(lengths - values[:rank] ** 2).max(),
        ROUNDING_TOLERANCE,
    )
    yield make_case(
        "l-weighted",
        "lengths of its columns: off the singular values",
        abs(lengths - values[:rank]).max(),
        ROUNDING_TOLERANCE,
    )
    A, B = rng.normal(size=(8, rank)), rng.normal(size=(6, rank))
    printed = 2 * (X - A @ B.T) @ B
    found = differences(lambda A: ((X - A @ B.T) ** 2).sum(), A)
    yield make_case(
        "l-gradient-printed", "against differences: largest error", abs(found - printed).max(), 1e-5
    )
    yield make_case(
        "l-gradient",
        "minus the print, against differences: largest error",
        abs(found + printed).max(),
        1e-5,
    )


def differences(function, A, step=1e-6):
    """Return the gradient of a function of an array, by central differences."""
    found = np.empty_like(A)
    for place in np.ndindex(A.shape):
        ends = []
        for sign in (1, -1):
            moved = A.copy()
            moved[place] += sign * step
            ends.append(function(moved))
        found[place] = (ends[0] - ends[1]) / (2 * step)
    return found


def check_plsa(rng):
    """Section 3.2: divergence and likelihood, EM step by step, and folding in."""
    C = rng.poisson(2.0, size=(12, 9)) + (np.arange(9) == 0)  # no row is empty
    counts = CountMatrix.from_dense(C)
    fit = method("lr", rank=3, iterations=3000, history=True).fit(counts, 1)
    history = np.asarray(fit.history)
    yield make_case(
        "p-rises",
        "largest step of the loss in 3,000 iterations, nats per pair",
        np.diff(history).max(),
        1e-12,
    )
    others = [fit, *(method("lr", rank=3, iterations=n).fit(counts, n) for n in (1, 5, 20))]
    logs = [xlogy(C, other.dense()).sum() for other in others]
    p = C / C.sum(axis=1, keepdims=True)
    constant = np.where(C > 0, C * np.log(np.where(C > 0, p, 1)), 0).sum()
    divergences = [constant - log for log in logs]
    yield make_case(
        "p-same-printed",
        "the divergence minus the likelihood, both at the best fit",
        abs(min(divergences) - max(logs)),
        ROUNDING_TOLERANCE,
    )
    gaps = np.array(divergences) + np.array(logs)
    yield make_case(
        "p-same",
        "their sum over four fits: largest minus smallest",
        np.ptp(gaps),
        ROUNDING_TOLERANCE * abs(constant),
    )
    folded = method("lr", rank=3).fold_in(fit, counts)
    yield make_case(
        "p-fold",
        "rows of W at the optimum, folded in again: largest change",
        abs(folded.W - fit.W).max(),
        1e-3,
    )


def check_exponential(root):
    """Yield the cases of the claims on SDR."""
    rng = np.random.default_rng(root)
    yield from check_optimum(rng)
    yield from check_least_information(rng)
    yield from check_fisher(rng)
    yield from check_variance(rng)
    yield from check_projection(np.random.default_rng([root, 2]))


def check_projection(rng):
    """Section 4.1: passes over the cells of gradients and of alternating projection.

    Both have one objective and one start. A pass computes the model's probability of each cell: an
    iteration of L-BFGS has one, besides few of its line search, and a pair of projections has one
    for each step of scaling.
    """
    law = rng.dirichlet(np.full(40, 0.3), 3)[rng.integers(3, size=60)]
    counts, courses = CountMatrix.from_dense([rng.multinomial(30, row) for row in law]), {}
    for algorithm in ("gradient", "projection"):
        how = {"rank": 3, "weight": 0.0, "tol": 1e-9, "iterations": 500}
        fit = method("sdr", algorithm=algorithm, **how)
        courses[algorithm] = fit.fit_scores(counts, RIDGE_OF_PROJECTION)[1].history
    least = min(course.min() for course in courses.values())
    ends = abs(courses["projection"].min() - courses["gradient"].min())
    yield make_case("s-projection-same", "nats per pair between the two ends", ends, 1e-4)
    needed = {name: np.argmax(course <= least + 0.01) for name, course in courses.items()}
    passes = PASSES_OF_PROJECTIONS * needed["projection"] / needed["gradient"]
    case = "passes of projection for each of gradients, to 0.01 nats per pair above the minimum"
    yield at_least("s-projection", case, passes, 10, rank=3, n=counts.n)


def fit_joint(C, rank):
    """Return the joint distribution of an SDR fit of counts, the counts', and ``phi``."""
    counts = CountMatrix.from_dense(C)
    fit = method("sdr", rank=rank, ridge=SMALL_RIDGE, weight=0.0, iterations=20_000, tol=1e-15).fit(
        counts
    )
    observed = C / C.sum()
    rows = fit.rows(np.arange(len(C)))
    is_bias = (fit.left == 1).all(axis=0)
    return observed.sum(axis=1)[:, None] * rows, observed, fit.left[:, ~is_bias]


def information(p, q=None):
    """Return ``sum p log(q / p(d) p(w))``, with the marginals of ``p``; ``q`` may be ``p``."""
    marginals = np.outer(p.sum(axis=1), p.sum(axis=0))
    return float((p * np.log((p if q is None else q) / marginals)).sum())


def check_optimum(rng):
    """Section 4.1: the moments matched at the optimum, and the information of the measurement."""
    C = rng.poisson(20, size=(7, 6)) + 1
    p, observed, phi = fit_joint(C, 2)
    yield make_case(
        "s-marginals",
        "largest error of a marginal",
        max(abs(p.sum(axis=i) - observed.sum(axis=i)).max() for i in (0, 1)),
        RIDGE_TOLERANCE,
    )
    means = [(each / each.sum(axis=0)).T @ phi for each in (p, observed)]
    yield make_case(
        "s-marginals",
        "largest error of a mean of phi, given w, compared with its spread",
        abs(means[0] - means[1]).max() / np.ptp(phi),
        RIDGE_TOLERANCE,
    )
    sums = information(p), information(observed, p)
    yield make_case(
        "s-information",
        "sums with both weights: relative difference",
        abs(sums[0] / sums[1] - 1),
        10 * RIDGE_TOLERANCE,
    )
    p, observed, _ = fit_joint(C, 5)
    yield make_case(
        "s-whole",
        "rank 5 of 7 by 6: largest error of a probability, relative",
        abs(p / observed - 1).max(),
        10 * RIDGE_TOLERANCE,
    )


def check_least_information(rng):
    """Section 4.1: with the means of phi given, the fit has most entropy and least information."""
    C = rng.poisson(20, size=(4, 5)) + 1
    p, observed, phi = fit_joint(C, 1)
    means = (observed.T @ phi).ravel()

    def constraints(flat):
        q = flat.reshape(p.shape)
        return np.concatenate(
            [
                q.sum(axis=0) - observed.sum(axis=0),
                q.sum(axis=1)[1:] - observed.sum(axis=1)[1:],
                (q.T @ phi).ravel()[1:] - means[1:],
            ]
        )

    found = minimize(
        lambda flat: (flat * np.log(flat)).sum(),
        observed.ravel(),
        jac=lambda flat: np.log(flat) + 1,
        bounds=[(1e-9, 1)] * observed.size,
        method="SLSQP",
        constraints={"type": "eq", "fun": constraints},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    q = found.x.reshape(p.shape)
    yield make_case(
        "s-entropy",
        "most entropy, found by SLSQP: largest difference to the fit",
        abs(p - q).max(),
        RIDGE_TOLERANCE,
    )
    yield at_least(
        "s-least",
        "information of the counts, with the same means",
        information(observed),
        information(p),
    )


def check_fisher(rng):
    """Section 4.2: the information of draws of d given w on ``psi(w)``, by differences."""
    phi, A, psi, step = rng.normal(size=6), rng.normal(size=6), 0.7, 1e-4

    def logs(value):
        scores = phi * value + A
        return scores - np.log(np.exp(scores).sum())

    p = np.exp(logs(psi))
    second = (logs(psi + step) - 2 * logs(psi) + logs(psi - step)) / step**2
    covariance = p @ phi**2 - (p @ phi) ** 2
    yield make_case(
        "s-fisher",
        "of one draw given w: off the variance of phi, given w",
        abs(-(p @ second) - covariance),
        1e-6,
    )


def check_variance(rng):
    """Section 4.2: the bound of Cramer and Rao on ``psi(w)``, over all samples of draws given w.

    No estimator is unbiased at every ``psi``; these are at one, and to the first order around it.
    """
    phi, A, psi, step = rng.normal(size=4), rng.normal(size=4), 0.7, 1e-4
    samples = list_samples(PAIRS_OF_SAMPLE, phi.size)

    def probabilities(value):
        p = np.exp(phi * value + A)
        logs = gammaln(PAIRS_OF_SAMPLE + 1) - gammaln(samples + 1).sum(axis=1)
        return np.exp(logs + samples @ np.log(p / p.sum()))

    p, ends = probabilities(psi), (probabilities(psi + step), probabilities(psi - step))
    mean = samples @ phi
    # From all but the mean to noise alone.
    near = np.geomspace(0.01, 100, ESTIMATORS_DRAWN)[:, None]
    drawn = np.vstack([mean + near * rng.normal(size=(ESTIMATORS_DRAWN, len(samples))), mean])
    slopes = drawn @ (ends[0] - ends[1]) / (2 * step)
    variances = ((drawn - (drawn @ p)[:, None]) ** 2 @ p) / slopes**2
    given_w = np.exp(phi * psi + A)
    given_w /= given_w.sum()
    bound = 1 / (PAIRS_OF_SAMPLE * (given_w @ phi**2 - (given_w @ phi) ** 2))
    case = f"least variance of {ESTIMATORS_DRAWN:,} estimators of psi from {PAIRS_OF_SAMPLE} "
    case += "pairs, over the bound"
    yield at_least("s-variance", case, variances[:-1].min() / bound, 1)
    yield make_case(
        "s-tight",
        "variance of the one by the mean of phi, over the bound: off one",
        abs(variances[-1] / bound - 1),
        SUM_TOLERANCE,
    )


def list_samples(n, kinds):
    """Return how often each kind occurs in every sample of ``n``, shape (samples, kinds)."""
    bars = np.array([*combinations(range(n + kinds - 1), kinds - 1)])
    edges = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), n + kinds - 1)])
    return np.diff(edges, axis=1) - 1
