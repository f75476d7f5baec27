"""Statements of the paper on the risk itself: an identity, an approximation, convexity.

Cases are those of `theorems`; formulas are written out here from the paper.
"""

import numpy as np
from scipy.special import rel_entr
from scipy.stats import entropy

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.evaluation import cross_entropy
from condprob.risk import kl_risk
from reproduction.studies.theory.cases import SHAPES, draw_case
from reproduction.verdicts.cases import BOUND_TOLERANCE, make_case

MIDPOINTS = 200  # pairs of points on whose chord convexity is asked, for each shape and factor
# The largest relative difference of two matrices that are near each other.
RELATIVE_DISTANCES = (0.1, 0.01, 0.001)


def check_cross_entropy(rng):
    """Section 1: the expected cross-entropy of Q is its KL risk plus an entropy without Q.

    The left side is the library's cross-entropy of pairs whose counts are ``pi_i P_ij``, the right
    side the library's KL risk and SciPy's entropy.
    """
    for k, rank, n in SHAPES:
        model, counts = draw_case(rng, k, rank, n)
        Q = method("add-half").fit(counts)
        whole = cross_entropy(CountMatrix.from_dense(model.pi[:, None] * model.P), Q)
        parts = kl_risk(model.pi, model.P, Q) + model.pi @ entropy(model.P, axis=1)
        case = "cross-entropy minus KL risk and entropy: how far from zero"
        yield make_case("cross-entropy", case, abs(whole - parts), BOUND_TOLERANCE, k, rank, n)


def check_squares(rng):
    """Section 2: where KL risk is close to half a weighted squared distance, and to Frobenius'.

    With ``Q = P (1 + d)`` and rows of ``P d`` that sum to zero the KL risk is half the sum of
    ``pi P d^2``, but for terms of third order: their ratio is within ``max |d|`` of one. Where the
    rows of P are also near to uniform, ``P d^2`` is ``k (P - Q)^2``: the squared distance of
    Frobenius, its rows weighted by ``pi``. Far from both conditions (`check_pinsker`) it is not.
    """
    k = 20
    for size in RELATIVE_DISTANCES:
        pi = rng.dirichlet(np.ones(k))
        any_rows, uniform = rng.dirichlet(np.ones(k), k), np.full((k, k), 1 / k)
        near_uniform = uniform * (1 + _deviations(rng, uniform, size))
        for name, P, squares, bound in (
            ("any rows, squares by 1/P", any_rows, any_rows, size),
            ("rows as near to uniform, Frobenius", near_uniform, uniform, 2 * size),
        ):
            Q = P * (1 + _deviations(rng, P, size))
            half = pi @ ((P - Q) ** 2 / squares).sum(axis=1) / 2
            ratio = pi @ rel_entr(P, Q).sum(axis=1) / half
            case = f"{name}, Q within {size:g} of P: how far the ratio is from one"
            yield make_case("kl-like-squares", case, abs(ratio - 1), bound, k)


def _deviations(rng, P, size):
    """Return ``d`` with rows of ``P d`` that sum to zero, lopsided, and ``max |d|`` of a size."""
    d = rng.choice([-0.25, 1.0], P.shape, p=[0.8, 0.2])
    d = d - (P * d).sum(axis=1, keepdims=True)
    return d * size / abs(d).max()


def check_convexity(rng):
    """Section 5: the loss is convex in W for a given H, in H for a given W, and not in both.

    At the middle of two points a convex function is at most the mean of its values there. The
    classes of a matrix can be named in any order: two orders are two points with one loss. The
    identity in both orders has loss zero, and halfway between them every entry is 1/2.
    """
    for k, rank, n in SHAPES:
        C = rng.poisson(n / k**2, (k, k)) + rng.integers(0, 2, (k, k))
        for factor in ("W", "H"):
            worst = -np.inf
            for _ in range(MIDPOINTS):
                W, V = rng.dirichlet(np.ones(rank), (2, k))
                H, G = rng.dirichlet(np.ones(k), (2, rank))
                ends = ((W, H), (V, H)) if factor == "W" else ((W, H), (W, G))
                worst = max(worst, _above_chord(C, *ends))
            case = f"{factor}: largest rise of {MIDPOINTS} midpoints above the mean of the ends"
            yield make_case("convex-in-each", case, worst, 0, k, rank, n)
    swap, same = np.eye(2)[::-1], np.eye(2)
    rise = _above_chord(np.eye(2), (same, same), (swap, swap))
    case = "the identity in two orders of its classes: log 2 minus the rise at the middle"
    yield make_case("not-jointly-convex", case, np.log(2) - rise, 0, 2, 2, 2)


def _above_chord(C, one, other):
    """Return the loss at the middle of two pairs of factors less the mean of theirs, per pair."""
    ends = [_loss(C, *factors) for factors in (one, other)]
    middle = [(first + second) / 2 for first, second in zip(one, other, strict=True)]
    return _loss(C, *middle) - sum(ends) / 2


def _loss(C, W, H):
    """Return ``sum C log(1 / WH)`` over the pairs that were seen, by their number."""
    seen = C > 0
    return -(C[seen] * np.log((W @ H)[seen])).sum() / C.sum()


CHECKS = [check_cross_entropy, check_squares, check_convexity]
