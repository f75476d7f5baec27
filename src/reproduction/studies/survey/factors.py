"""LSA and PLSA on matrices small enough to be sure: their printed formulas and proofs."""

import numpy as np

from condprob.catalogue import method
from condprob.counts import CountMatrix
from reproduction.verdicts.cases import at_least, make_case

EXACT = 1e-9
# Figure 1: terms by titles.
TITLES = ("u1", "u2", "u3", "g1", "g2", "g3")
TERMS = ("human", "interface", "computer", "user", "system", "response", "time", "EPS", "survey",
         "trees", "graph", "minors")  # fmt: skip
FIGURE_1 = np.array(
    [[1, 0, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0],
     [0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],
     [0, 1, 0, 0, 1, 0], [0, 0, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 1, 1]]
)  # fmt: skip


def place_titles():
    """Return the titles of Figure 1 in the plane of the two left singular vectors, (titles, 2)."""
    phi, _, _ = np.linalg.svd(FIGURE_1)
    signs = np.sign(phi[:, :2].sum(axis=0))  # a singular vector is one up to its sign
    return FIGURE_1.T @ (signs * phi[:, :2])


def check_factors(root):
    """Yield the cases of the claims on LSA and PLSA."""
    rng = np.random.default_rng(root)
    yield from check_example()
    yield from check_squares(rng)
    yield from check_plsa(rng)


def check_example():
    """Compare cosines within both groups of titles with those across."""
    places = place_titles()
    unit = places / np.linalg.norm(places, axis=1)[:, None]
    cosines, group = unit @ unit.T, np.arange(len(TITLES)) < len(TITLES) // 2
    same = group[:, None] == group
    case = "least cosine of titles of one kind, against the largest across"
    yield at_least("l-figure", case, cosines[same].min(), cosines[~same].max())


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
    yield make_case("l-optimum", "that of the SVD, against least squares from 100 starts", best,
                    least + EXACT)  # fmt: skip
    left_out = np.linalg.eigvalsh(X.T @ X)[: 6 - rank].sum()
    yield make_case("l-error", "squared error: off that sum", abs(best - left_out), EXACT)
    weights = (phi[:, :rank] * values[:rank]) ** 2
    lengths = np.sqrt(weights.sum(axis=0))
    yield make_case("l-weighted-printed", "lengths of its columns: off the eigenvalues",
                    abs(lengths - values[:rank] ** 2).max(), EXACT)  # fmt: skip
    yield make_case("l-weighted", "lengths of its columns: off the singular values",
                    abs(lengths - values[:rank]).max(), EXACT)  # fmt: skip
    A, B = rng.normal(size=(8, rank)), rng.normal(size=(6, rank))
    printed = 2 * (X - A @ B.T) @ B
    found = differences(lambda A: ((X - A @ B.T) ** 2).sum(), A)
    yield make_case("l-gradient-printed", "against differences: largest error",
                    abs(found - printed).max(), 1e-5)  # fmt: skip
    yield make_case("l-gradient", "minus the print, against differences: largest error",
                    abs(found + printed).max(), 1e-5)  # fmt: skip


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
    fit = method("lr", rank=3, iterations=3000, unseen="factors").fit(counts, 1)
    history = np.asarray(fit.history)
    yield make_case("p-rises", "largest step of the loss in 3,000 iterations, nats per pair",
                    np.diff(history).max(), 1e-12)  # fmt: skip
    others = [fit, *(method("lr", rank=3, iterations=n).fit(counts, n) for n in (1, 5, 20))]
    logs = [(C * other.log_prob(*np.indices(C.shape))).sum() for other in others]
    p = C / C.sum(axis=1, keepdims=True)
    constant = np.where(C > 0, C * np.log(np.where(C > 0, p, 1)), 0).sum()
    divergences = [constant - log for log in logs]
    yield make_case("p-same-printed", "the divergence less the likelihood, both at the best fit",
                    abs(min(divergences) - max(logs)), EXACT)  # fmt: skip
    gaps = np.array(divergences) + np.array(logs)
    yield make_case("p-same", "their sum over four fits: largest less smallest", np.ptp(gaps),
                    EXACT * abs(constant))  # fmt: skip
    folded = method("lr", rank=3).fold_in(fit, counts)
    yield make_case("p-fold", "rows of W at the optimum, folded in again: largest change",
                    abs(folded.W - fit.W).max(), 1e-3)  # fmt: skip
