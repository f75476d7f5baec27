"""Further passes of EM: rows too wide for registers, and matrices of which most pairs are seen.

They take the arguments of a pass of `passes.sparse_pass`, and return what it does.
"""

import numpy as np

from condprob.em.passes import AHEAD, SMALLEST_FACTOR_ENTRY, fetch, of_row
from condprob.jit import AT_ONCE, EXACT, INNER, JIT, SMALLEST, log, njit, weighted_logs
from condprob.vectors import LANES, load, store, total, width_of, zero_below, zeros

LINE = width_of(LANES)  # of a row of one vector


@njit(**EXACT, **INNER)
def wide_pass(problem, start, stop, W, H, soft_H, m, of_W, update_W, wanted):
    """Visit the pairs of rows, vector by vector."""
    indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
    last, places, soft_w = outcomes.size - 1, range(0, H.shape[1], LANES), np.empty((1, H.shape[1]))
    products, first, log_likelihood = np.empty(AT_ONCE), indptr[start], 0.0
    for i in range(start, stop):
        soft_w[:] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            fetch(H, soft_H, outcomes[min(p + AHEAD, last)])
            j, sums = np.uintp(outcomes[p]), zeros(LINE)
            for l in places:
                sums = sums + load(LINE, W, i, l) * load(LINE, H, j, l)
            product = total(sums)
            if wanted:
                if p - first == AT_ONCE:
                    log_likelihood += weighted_logs(values[first:p], products)
                    first = p
                products[p - first] = product
            ratio = values[p] / product
            for l in places:
                w, h = load(LINE, W, i, l), load(LINE, H, j, l)
                store(soft_w, 0, l, load(LINE, soft_w, 0, l) + ratio * h)
                store(soft_H, j, l, load(LINE, soft_H, j, l) + ratio * w)
        if update_W:
            scale, share = of_row(problem.sums[i], m, of_W)
            for l in places:
                w = load(LINE, W, i, l) * load(LINE, soft_w, 0, l) * scale + share
                store(W, i, l, zero_below(w, SMALLEST_FACTOR_ENTRY))
    if wanted:
        end = indptr[stop]
        log_likelihood += weighted_logs(values[first:end], products[: end - first])
    return log_likelihood


@njit(**JIT, **INNER)
def dense_pass(problem, start, stop, W, H, soft_H, m, of_W, update_W, wanted):
    """Visit whole rows of ``C = background base^T + sparse``.

    It is for matrices without zeros (the naive methods) and for counts of which most pairs are
    seen. Only one row is ever dense; vectors run over outcomes.
    """
    indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
    size = len(H)
    length = (size + LANES - 1) // LANES * LANES  # whole vectors; no counts in the added columns
    H_rows, soft_rows, soft_w = np.empty((m, length)), np.empty((m, length)), np.empty(m)
    row, spread, product = np.empty(length), np.empty(length), np.empty(length)
    for j in range(length):
        spread[j] = problem.base[j] if j < size else 0.0
        for l in range(m):
            H_rows[l, j] = H[j, l] if j < size else 1.0
            soft_rows[l, j] = 0.0
    log_likelihood, valid = 0.0, 0
    for i in range(start, stop):
        for j in range(length):
            row[j] = problem.background[i] * spread[j]
            product[j] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            row[outcomes[p]] += values[p]
        for l in range(m):
            w = W[i, l]
            for j in range(length):
                product[j] += w * H_rows[l, j]
        if wanted:
            for j in range(length):
                valid += (product[j] >= SMALLEST) | (row[j] == 0.0)
                log_likelihood += row[j] * log(max(product[j], SMALLEST))
        for j in range(length):
            row[j] /= max(product[j], SMALLEST)
        for l in range(m):
            w, total = W[i, l], 0.0
            for j in range(length):
                total += row[j] * H_rows[l, j]
                soft_rows[l, j] += w * row[j]
            soft_w[l] = total
        if update_W:
            scale, share = of_row(problem.sums[i], m, of_W)
            for l in range(m):
                w = W[i, l] * soft_w[l] * scale + share
                W[i, l] = 0.0 if w < SMALLEST_FACTOR_ENTRY else w
    for j in range(size):
        for l in range(m):
            soft_H[j, l] += soft_rows[l, j]
    is_possible = valid == (stop - start) * length or not wanted
    return log_likelihood if is_possible else -np.inf
