"""Lemma 7: the effect of quantising distributions to multiples of 1/L, on random and hard cases.

The lemma's first bound holds. Its second, ``2/L`` in l1 distance, does not: half of ``k`` entries
may each be off by nearly ``1/2L`` upwards and half downwards, ``k/2L`` in all. With ``(m + 4)/4``
in the place of 3 its consequences hold: so ``3/L`` for an entry of ``Q = A B`` holds up to
``m = 8``. It fails from ``m = 9`` on, and ``6/(L eps)`` for the risk from ``m = 21``, on the
matrices built here. The rate of Theorem 3 is the same up to its constant: L may be taken larger,
and only log L enters.
"""

from itertools import product

import numpy as np
import pandas as pd

from reproduction.scores.seeds import spawn_seed
from reproduction.verdicts.cases import make_case

SMALL_SETTINGS = {"k": 20, "rank": [2, 10, 40], "levels": [80_000], "draws": 2}
OUTCOMES = 400  # of the hard matrices: the largest move is within 1/400 of the possible one
TILT = 1e-6  # of 1/L: how much nearer to the next multiple are entries to be rounded up


def quantise(p, L):
    """Return the multiples of ``1/L`` with sum 1 that are nearest to ``p`` in l1 distance.

    Rounding every entry down and giving the rest to the largest fractions is optimal: the distance
    is a sum of convex functions of the entries.
    """
    scaled = np.asarray(p) * L
    whole = np.floor(scaled + 1e-9)
    missing = round(L - whole.sum())
    up = np.argsort(whole - scaled, kind="stable")[:missing]
    whole[up] += 1
    return whole / L


def check_quantised_vectors(rng):
    """Lemma 7's bounds for one distribution."""
    cases = [
        (f"random, k = {k}, L = {L}", rng.dirichlet(np.ones(k)), L)
        for k in (4, 20, 100)
        for L in (10, 1000)
    ]
    cases.append(("uniform, k = 200, L = 100", np.full(200, 1 / 200), 100))
    for name, p, L in cases:
        moved = abs(p - quantise(p, L))
        yield make_case("lemma-7-entry", name, moved.max(), 1 / L, p.size)
        yield make_case("lemma-7-norm", name, moved.sum(), 2 / L, p.size)


def check_quantised_matrices(rng):
    """Lemma 7's bounds for ``Q = A B``, at a few sizes: see `check_quantisation`."""
    scores = score_quantisation(int(rng.integers(2**31)), SMALL_SETTINGS)
    yield from check_quantisation(pd.DataFrame(scores))


def score_quantisation(root, given):
    """Yield how far quantising both factors to multiples of 1/L moves a matrix and its risk.

    The factors are random, and the hard ones of `hard_factors`. The risk moves most where the true
    matrix sits on the entry whose logarithm moves most; ``risk_moved`` is that largest move.
    ``least`` is the smallest entry before.
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


def check_quantisation(scores):
    """Compare the effects of quantising with the bounds of Lemma 7, and with the mended one."""
    for row in scores.itertuples():
        case = f"{row.case}, L = {row.levels}"
        sizes = {"k": row.k, "rank": row.rank}
        yield make_case("lemma-7-matrix", case, row.entry, 3 / row.levels, **sizes)
        mended = (row.rank + 4) / 4 / row.levels
        yield make_case("lemma-7-mended", case, row.entry, mended, **sizes)
        least = row.least * (1 - 1e-9)
        if least > 0 and row.levels > 6 / least:
            bound = 6 / (row.levels * least)
            yield make_case("lemma-7-risk", case, row.risk_moved, bound, **sizes)


def hard_factors(m, L):
    """Return factors, (m, m) and (m, k), whose quantisation moves an entry of ``A B`` the most.

    Of each row of A half of the entries are rounded up, each by a half of ``1/L``; the other half,
    of nearly all the mass, is rounded down. The first half's rows of B are all on outcome 0, the
    others' are nearly uniform, so that outcome 0 gains as much as the first half: ``m / 4L``. Of
    each row of B only outcome 0 is rounded up, by nearly ``1/L``: it gains that as well.
    """
    k, up = OUTCOMES, m // 2
    A = np.full(m, up / m)  # in units of 1/L: fractions that add up to how many are rounded up
    A[:up] += TILT * (m - up)
    A[up:] += _spread(L - up, m - up) - TILT * up
    B = np.full((m, k), 1 / k - TILT)
    B[:, 0] += k * TILT
    B[:up, 0] += L - 1
    B[up:] += _spread(L - 1, k)
    return np.tile(A / L, (m, 1)), B / L


def _spread(total, size):
    """Return whole numbers that are as alike as can be but for the last, and their sum."""
    parts = np.full(size, total // size)
    parts[-1] += total % size
    return parts


CHECKS = [check_quantised_vectors, check_quantised_matrices]
