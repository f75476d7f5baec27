"""Lemma 7: what quantising distributions to multiples of 1/L does, on random and on hard cases.

The lemma's first bound holds. Its second, ``2/L`` in l1 distance, does not: half of ``k`` entries
may each be off by nearly ``1/2L`` upwards and half downwards, ``k/2L`` in all. What rests on it,
``3/L`` for an entry of ``Q = A B``, fails from ``m > 12`` on, and ``6/(L eps)`` for the risk from
``m > 24``, on the matrices built here. With ``(m + 4)/4`` in the place of 3 the proof goes through,
and the rate of Theorem 3 is the same up to its constant: L may be taken larger, and only log L
enters.
"""

import numpy as np


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
        yield _row("lemma-7-entry", name, moved.max(), 1 / L, p.size, "")
        yield _row("lemma-7-norm", name, moved.sum(), 2 / L, p.size, "")


def check_quantised_matrices(rng):
    """Lemma 7's bounds for ``Q = A B``: random factors, and the hard ones of `hard_factors`."""
    cases = [(f"random, L = {L}", rng.dirichlet(np.ones(m), 20), rng.dirichlet(np.ones(20), m), L)
             for m in (2, 5) for L in (2000, 20_000)]  # fmt: skip
    cases.append(("hard, m = 40, L = 80000", *hard_factors(40, 80_000), 80_000))
    for name, A, B, L in cases:
        Q = A @ B
        quantised = np.array([quantise(row, L) for row in A]) @ np.array(
            [quantise(row, L) for row in B]
        )
        k, m = A.shape
        yield _row("lemma-7-matrix", name, abs(Q - quantised).max(), 3 / L, k, m)
        eps = Q.min() * (1 - 1e-9)
        if 6 / eps < L:
            # The true P is free: the worst one sits on the entry whose logarithm moved most.
            moved = abs(np.log(quantised / Q)).max()
            yield _row("lemma-7-risk", name, moved, 6 / (L * eps), k, m)


def hard_factors(m, L):
    """Return factors of order ``m`` whose quantisation moves one entry of ``A B`` by ``m / 4L``.

    Half of each row of A, a little over ``1/2L`` an entry, is rounded up; the other half, as much
    below a multiple and a half, is rounded down. The first half's rows of B are all on outcome 0,
    the others' are nearly uniform: outcome 0 gains what the first half gains. B's rows are
    multiples of 1/L, so they stay.
    """
    half, tilt = m // 2, 1e-3
    large = round((L - half / 2 - half / 2) / half)
    row = np.concatenate([np.full(half, 0.5 + tilt), np.full(half, large + 0.5 - tilt)]) / L
    B = np.zeros((m, m))
    B[:half, 0] = 1
    share = L // m
    B[half:] = share
    B[half:, -1] += L - share * m
    B[half:] /= L
    return np.tile(row, (m, 1)), B


def _row(check, case, value, bound, k, rank):
    numbers = {"value": float(value), "bound": float(bound)}
    return {"check": check, "case": case, "k": k, "rank": rank, "n": ""} | numbers


CHECKS = [check_quantised_vectors, check_quantised_matrices]
