"""Lemma 7: the effect of quantising distributions to multiples of 1/L, on random and hard cases.

The lemma's first bound holds. Its second, ``2/L`` in l1 distance, does not: half of ``k`` entries
may each be off by nearly ``1/2L`` upwards and half downwards, ``k/2L`` in all. With ``(m + 4)/4``
in the place of 3 its consequences hold: so ``3/L`` for an entry of ``Q = A B`` holds up to
``m = 8``. It fails from ``m = 9`` on, and ``6/(L eps)`` for the risk from ``m = 21``, on the
matrices built here. The rate of Theorem 3 is the same up to its constant: L may be taken larger,
and only log L enters.
"""

import numpy as np

from reproduction.studies.near_optimal.cases import make_row

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
    cases = [(f"random, k = {k}, L = {L}", rng.dirichlet(np.ones(k)), L)
             for k in (4, 20, 100) for L in (10, 1000)]  # fmt: skip
    cases.append(("uniform, k = 200, L = 100", np.full(200, 1 / 200), 100))
    for name, p, L in cases:
        moved = abs(p - quantise(p, L))
        yield make_row("lemma-7-entry", name, moved.max(), 1 / L, p.size)
        yield make_row("lemma-7-norm", name, moved.sum(), 2 / L, p.size)


def check_quantised_matrices(rng):
    """Lemma 7's bounds for ``Q = A B``: random factors, and the hard ones of `hard_factors`."""
    cases = [(f"random, L = {L}", rng.dirichlet(np.ones(m), 20), rng.dirichlet(np.ones(20), m), L)
             for m in (2, 5) for L in (2000, 20_000)]  # fmt: skip
    cases += [(f"hard, m = {m}, L = 80000", *hard_factors(m, 80_000), 80_000) for m in (9, 40)]
    for name, A, B, L in cases:
        Q = A @ B
        quantised = np.array([quantise(row, L) for row in A]) @ np.array(
            [quantise(row, L) for row in B]
        )
        m, k = B.shape
        yield make_row("lemma-7-matrix", name, abs(Q - quantised).max(), 3 / L, k, m)
        eps = Q.min() * (1 - 1e-9)
        if 6 / eps < L:
            # The true P is free: the worst one sits on the entry whose logarithm moved most.
            moved = abs(np.log(quantised / Q)).max()
            yield make_row("lemma-7-risk", name, moved, 6 / (L * eps), k, m)


def hard_factors(m, L):
    """Return factors, (m, m) and (m, k), whose quantisation moves an entry of ``A B`` the most.

    Of each row of A half of the entries are rounded up, each by a half of ``1/L``; the other half,
    of nearly all the mass, is rounded down. The first half's rows of B are all on outcome 0, the
    others' are nearly uniform, so that outcome 0 gains as much as the first half: ``m / 4L``. Of
    each row of B outcome 0 alone is rounded up, by nearly ``1/L``: it gains that, too.
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
