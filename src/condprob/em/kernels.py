r"""The passes of expectation-maximisation with the smoothing inside (Section 5).

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

The passes work on a range of rows, so that several threads can share them out.
"""

import numpy as np
from numba import njit

from condprob.runtime.jit import JIT
from condprob.runtime.simd import AT_ONCE, SMALLEST, VECTOR, log, prefetch, weighted_logs
from condprob.smoothing import coefficients

# Pairs between the fetch of a row of H and its use. docs/performance.md says what fetching earns;
# the number itself was not measured.
AHEAD = 4
# Floats of H that stay in a core's own cache, with no need to fetch them. Not measured.
NEAR = 1 << 15


@njit(**JIT)
def sparse_pass(rows, start, stop, of_W, update_W, W, H, soft_H):
    """Visit the pairs of rows ``start..stop-1``; return their ``sum C log(W H)``, nats.

    ``W``, ``H`` and ``soft_H`` are those of `expectation.Factors`, but for one thread; the pass
    adds to ``soft_H``. ``of_W`` smooths ``W``; ``update_W`` is whether each of its rows is replaced
    by its smoothed soft counts.
    """
    indptr, outcomes, values, m = rows.indptr, rows.outcomes, rows.values, W.shape[1]
    far, last = H.size > NEAR, outcomes.size - 1
    soft_w, q, first, log_likelihood = np.empty(m), np.empty(AT_ONCE), indptr[start], 0.0
    for i in range(start, stop):
        for l in range(m):
            soft_w[l] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            if far:
                ahead = outcomes[min(p + AHEAD, last)]
                for l in range(0, m, VECTOR):
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
            smooth_row(W, i, soft_w, rows.sums[i], of_W)
    left = indptr[stop] - first
    return log_likelihood + weighted_logs(values[first : first + left], q[:left])


@njit(**JIT)
def dense_pass(rows, start, stop, of_W, update_W, W, H, soft_H):
    """Do what `sparse_pass` does for ``C = background base^T + sparse``, row by row.

    For inputs that are nowhere zero (the naive methods) and for counts of which most pairs are
    seen. Only one row is ever dense; vectors run over outcomes. The parameters are the same.
    """
    indptr, outcomes, values, m, size = rows.indptr, rows.outcomes, rows.values, W.shape[1], len(H)
    width = (size + VECTOR - 1) // VECTOR * VECTOR  # whole vectors; no counts in the added columns
    H_rows, soft_rows, soft_w = np.ones((m, width)), np.zeros((m, width)), np.empty(m)
    row, spread, product = np.empty(width), np.zeros(width), np.empty(width)
    for j in range(size):
        spread[j] = rows.base[j]
        for l in range(m):
            H_rows[l, j] = H[j, l]
    log_likelihood, valid = 0.0, 0
    for i in range(start, stop):
        for j in range(width):
            row[j] = rows.background[i] * spread[j]
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
            smooth_row(W, i, soft_w, rows.sums[i], of_W)
    for j in range(size):
        for l in range(m):
            soft_H[j, l] += soft_rows[l, j]
    return log_likelihood if valid == (stop - start) * width else -np.inf


@njit(**JIT)
def smooth_row(W, i, soft_w, row_sum, constant):
    """Make row ``i`` of ``W`` of its soft counts plus a constant; uniform where there are none.

    The soft counts, shape (m,), lack their last factor, the row itself; with it they sum to
    ``row_sum``.
    """
    m = soft_w.size
    _, a, z = coefficients(constant, 0.0, row_sum, 0.0, float(m))
    scale, share = (1.0 / z, a / z) if row_sum > 0.0 else (0.0, 1.0 / m)
    for l in range(m):
        W[i, l] = W[i, l] * soft_w[l] * scale + share


@njit(**JIT)
def add_up(H, soft_H, start, stop, total, seen, unseen):
    """Put the complete soft counts of outcomes ``start..stop-1`` into ``H``; clear ``soft_H``.

    ``H`` has the shape (columns, m), ``soft_H``, each thread's own, (threads, columns, m). To
    ``total``, ``seen`` and ``unseen``, shape (m,), is added what smoothing needs to know: see
    `smoothing`.
    """
    first = soft_H[0]
    for j in range(start, stop):
        for r in range(1, len(soft_H)):
            for l in range(total.size):
                first[j, l] += soft_H[r, j, l]
                soft_H[r, j, l] = 0.0
        for l in range(total.size):
            x = H[j, l] * first[j, l]
            clipped = min(x, 1.0)
            H[j, l] = x
            first[j, l] = 0.0
            total[l] += x
            seen[l] += clipped
            unseen[l] += 1.0 - clipped


@njit(**JIT)
def coefficients_of_classes(smoothing, total, seen, unseen):
    """Return ``(b, a, 1 / z)`` of each latent class, three arrays of shape (m,)."""
    b, a, scale = np.empty_like(total), np.empty_like(total), np.empty_like(total)
    for l in range(total.size):
        b[l], a[l], z = coefficients(
            smoothing.constant, smoothing.discount, total[l], seen[l], unseen[l]
        )
        scale[l] = 1.0 / z
    return b, a, scale


@njit(**JIT)
def smooth(H, start, stop, b, a, scale):
    """Smooth ``H``, (columns, m), where it holds the soft counts of outcomes ``start..stop-1``.

    For ``b``, ``a`` and ``scale``, shape (m,), see `coefficients_of_classes`.
    """
    for j in range(start, stop):
        for l in range(scale.size):
            x = H[j, l]
            clipped = min(x, 1.0)
            H[j, l] = (x + b[l] * clipped + a[l] * (1.0 - clipped)) * scale[l]
