r"""The one hot loop: expectation-maximisation with the smoothing inside (Section 5).

Each iteration turns the factors into soft counts, both from the same old product, and smooths:

.. math::
    W_{il} \leftarrow W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
    H_{lj} \leftarrow H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}.

What makes it fast, and changes no number beyond rounding:

- One pass over the seen pairs in row order finds the product, the ratio, the soft counts of both
  factors and the objective. ``H`` is kept transposed, so that a pair touches two short rows, and
  those of the pairs to come are fetched ahead.
- Row ``i`` of ``W`` serves row ``i`` of the counts alone: it is smoothed as soon as that is done.
  Its soft counts sum to ``C_i``, so its normalisation is known beforehand.
- Smoothing is affine in ``(x, min(x, 1))`` (see `smoothing`): no branch, three sums.
- Contexts and outcomes without counts never enter. After one iteration all such rows of ``W`` are
  equal and all such columns of ``H`` too; they are accounted for in closed form.
- Logarithms are taken many at a time (see `simd`).

Functions work on a range of rows, so that `threads` can share them out. Everywhere

- ``matrix`` is (indptr, outcomes, values, background, base, row sums), as in `cells.Cells`;
- ``W``, ``H`` and ``soft_H`` are (contexts, >= m), (outcomes, >= m) and (outcomes, >= m); their
  first ``m`` columns count, the others only make every row start at a cache line;
- ``soft_H`` lacks the last factor of the soft counts, ``H`` itself, until `add_up`.
"""

import numpy as np
from numba import njit

from condprob.em.layout import LINE
from condprob.em.simd import JIT, SMALLEST, log, prefetch, sum_of_logs, weighted_logs
from condprob.smoothing import FULL_BELOW

CONSTANT, DISCOUNT = 0, 1  # how the rows of H are smoothed
AHEAD = 4  # pairs between the fetch of a row of H and its use
AT_ONCE = 1024  # pairs whose logarithms are taken together
NEAR = 1 << 15  # floats of H that stay in a core's own cache: no need to fetch them


@njit(**JIT)
def sparse_pass(matrix, start, stop, m, constant, update_W, W, H, soft_H):
    """Visit the pairs of rows ``start..stop-1``; return their ``sum C log(W H)``.

    ``constant`` is added to the soft counts of ``W``, which is smoothed in place if ``update_W``.
    """
    indptr, outcomes, values, _, _, row_sums = matrix
    far, last = H.size > NEAR, outcomes.size - 1
    soft_w, q, first, log_likelihood = np.empty(m), np.empty(AT_ONCE), indptr[start], 0.0
    for i in range(start, stop):
        for l in range(m):
            soft_w[l] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            if far:
                ahead = outcomes[min(p + AHEAD, last)]
                for l in range(0, m, LINE):
                    prefetch(H, ahead, l)
                    prefetch(soft_H, ahead, l)
            j, product = outcomes[p], 0.0  # views of rows would be counted references: slow
            for l in range(m):
                product += W[i, l] * H[j, l]
            if p - first == AT_ONCE:
                log_likelihood += weighted_logs(values[first:p], q)
                first = p
            q[p - first] = product
            ratio = values[p] / product
            for l in range(m):
                soft_w[l] += ratio * H[j, l]
                soft_H[j, l] += ratio * W[i, l]
        if update_W:
            smooth_row(W, i, soft_w, row_sums[i], constant)
    left = indptr[stop] - first
    return log_likelihood + weighted_logs(values[first : first + left], q[:left])


@njit(**JIT)
def dense_pass(matrix, start, stop, m, constant, update_W, W, H, soft_H):
    """Do what `sparse_pass` does for ``C = background base^T + sparse``, row by row.

    For inputs that are nowhere zero (the naive methods) and for counts of which most cells are
    seen. Only one row is ever dense; vectors run over outcomes.
    """
    indptr, outcomes, values, background, base, row_sums = matrix
    size = len(H)
    width = (size + LINE - 1) // LINE * LINE  # whole vectors; no counts in the added columns
    H_rows, soft_rows, soft_w = np.ones((m, width)), np.zeros((m, width)), np.empty(m)
    row, spread, product = np.empty(width), np.zeros(width), np.empty(width)
    for j in range(size):
        spread[j] = base[j]
        for l in range(m):
            H_rows[l, j] = H[j, l]
    log_likelihood, valid = 0.0, 0
    for i in range(start, stop):
        for j in range(width):
            row[j] = background[i] * spread[j]
            product[j] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            row[outcomes[p]] += values[p]
        for l in range(m):
            w = W[i, l]
            for j in range(width):
                product[j] += w * H_rows[l, j]
        for j in range(width):
            valid += (product[j] >= SMALLEST) | (row[j] == 0.0)
            q = max(product[j], SMALLEST)
            log_likelihood += row[j] * log(q)
            row[j] /= q
        for l in range(m):
            w, total = W[i, l], 0.0
            for j in range(width):
                total += row[j] * H_rows[l, j]
                soft_rows[l, j] += w * row[j]
            soft_w[l] = total
        if update_W:
            smooth_row(W, i, soft_w, row_sums[i], constant)
    for j in range(size):
        for l in range(m):
            soft_H[j, l] += soft_rows[l, j]
    return log_likelihood if valid == (stop - start) * width else -np.inf


@njit(**JIT)
def smooth_row(W, i, soft_w, row_sum, constant):
    """Make row ``i`` of ``W`` of its soft counts plus a constant; uniform without either."""
    m = soft_w.size
    z = row_sum + m * constant
    scale, share = (1.0 / z, constant / z) if z > 0.0 else (0.0, 1.0 / m)
    for l in range(m):
        W[i, l] = W[i, l] * soft_w[l] * scale + share


@njit(**JIT)
def add_up(H, soft_H, start, stop, total, seen, unseen):
    """Put the complete soft counts of outcomes ``start..stop-1`` into ``H``; clear ``soft_H``.

    Adds up what smoothing needs to know of them.
    """
    for j in range(start, stop):
        for l in range(total.size):
            x = H[j, l] * soft_H[j, l]
            clipped = min(x, 1.0)
            H[j, l] = x
            soft_H[j, l] = 0.0
            total[l] += x
            seen[l] += clipped
            unseen[l] += 1.0 - clipped


@njit(**JIT)
def smooth(H, start, stop, b, a, scale):
    """Smooth ``H`` where it holds the soft counts of outcomes ``start..stop-1``."""
    for j in range(start, stop):
        for l in range(scale.size):
            x = H[j, l]
            clipped = min(x, 1.0)
            H[j, l] = (x + b[l] * clipped + a[l] * (1.0 - clipped)) * scale[l]


@njit(**JIT)
def coefficients(total, seen, unseen, kind, constant):
    """Return ``(b, a, 1 / z)`` of each latent class: see `smoothing.VectorSmoother`."""
    b, a, scale = np.zeros_like(total), np.zeros_like(total), np.zeros_like(total)
    for l in range(total.size):
        z = total[l]
        if kind == CONSTANT:
            b[l] = a[l] = constant
            z += (seen[l] + unseen[l]) * constant
        elif unseen[l] >= FULL_BELOW:
            b[l], a[l] = -constant, constant * seen[l] / unseen[l]
        if z == 0.0:  # a latent class that lost every count: uniform
            a[l], z = 1.0, unseen[l]
        scale[l] = 1.0 / z
    return b, a, scale


@njit(**JIT)
def smooth_H(H, soft_H, k, m, kind, constant):
    """Make ``H`` of its soft counts, clear them, and return ``rest``.

    That is, for each latent class, the probability of an outcome without counts.
    """
    total, seen, unseen = np.zeros(m), np.zeros(m), np.full(m, float(k - len(H)))
    add_up(H, soft_H, 0, len(H), total, seen, unseen)
    b, a, scale = coefficients(total, seen, unseen, kind, constant)
    smooth(H, 0, len(H), b, a, scale)
    return a * scale


@njit(**JIT)
def iterate(matrix, dense, k, m, factors, smoothing, alternating, likelihood, logs):
    """Run ``len(logs)`` iterations in place; return ``rest`` (see `smooth_H`).

    Parameters
    ----------
    factors : tuple of numpy.ndarray
        ``W``, ``H`` and ``soft_H`` (all zero, and left so).
    smoothing : (float, int, float)
        The constant of ``W``; CONSTANT or DISCOUNT, and its parameter, for ``H``.
    likelihood : numpy.ndarray
        Receives ``sum C log Q`` before each iteration and, if longer than ``logs``, after the last.
    logs : numpy.ndarray
        Receives the sum of ``log W`` and ``log H``, over all ``k`` outcomes, after each iteration
        where both are smoothed by a constant (the penalty of Eq. (3)), else 0.
    """
    W, H, soft_H = factors
    constant, kind, parameter = smoothing
    penalised = kind == CONSTANT and constant > 0.0 and parameter > 0.0
    rest = np.zeros(m)
    for t in range(likelihood.size):
        last = t == logs.size  # no iteration any more, only the objective
        for half in range(2 if alternating and not last else 1):
            update_W = half == 0 and not last
            if dense:
                found = dense_pass(matrix, 0, len(W), m, constant, update_W, W, H, soft_H)
            else:
                found = sparse_pass(matrix, 0, len(W), m, constant, update_W, W, H, soft_H)
            if half == 0:
                likelihood[t] = found
                if alternating or last:  # the soft counts of H: once more, from the new W
                    soft_H[:] = 0.0
        if not last:
            rest = smooth_H(H, soft_H, k, m, kind, parameter)
            logs[t] = 0.0
            if penalised:
                unseen = (k - len(H)) * np.log(rest).sum()
                logs[t] = sum_of_logs(W, m) + sum_of_logs(H, m) + unseen
    return rest
