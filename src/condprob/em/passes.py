r"""The compiled iteration of EM on a sparse matrix: the same numbers as `em.factorise`.

It is fast for these reasons; none changes a number beyond rounding:

- One pass over the seen pairs in row order finds the product, the ratio and the soft counts of both
  factors. ``H`` is transposed, so that a pair touches two short rows. The rows of the next pairs
  are fetched ahead.
- Rows are vectors whose number is known when compiled (see `vectors`). A row of ``W`` and its soft
  counts stay in registers as long as its pairs last.
- Row ``i`` of ``W`` depends on row ``i`` of the counts alone: it is smoothed as soon as that row is
  done. Its soft counts sum to ``C_i``, so its normalisation is known beforehand.
- Smoothing is affine in ``(x, min(x, 1))`` (see `smoothing`): no branch, three sums.
- Contexts and outcomes without counts never enter. After one iteration all such rows of ``W`` are
  equal, and all such columns of ``H`` too: they are added in closed form.
- Logarithms are taken where the objective is wanted, and many at a time (see `jit`).

There are three passes, with the same arguments: `sparse_pass`, for each width of rows that stay in
registers; `wide_pass`, for wider rows; `dense_pass`, where most pairs are seen. A pass visits the
pairs of rows ``start..stop-1``, adds soft counts to ``soft_H``, and returns the likelihood of the
rows, ``sum C log(W H)``, nats, or zero unless it is wanted. The functions of this module take:

======================  ============================================================================
``visit``               the address of a pass
``problem``             an `em.Problem`
``W, new_W``            shape (rows, entries): a pass that is to ``update_W`` writes the new ``W``,
                        row by row, into ``new_W``, which may be ``W``. The ``m`` classes of a row
                        have any numbers after them (`vectors.in_lines`)
``H``                   shape (columns, entries): transposed, with zeros after the classes
``soft_H``              shape (columns, entries): soft counts without their last factor, ``H``; or
                        (threads, columns, entries). `add_up` clears it
``smoothing, of_W``     a `Smoothing`; the constant that is added to the soft counts of ``W``
``sums, coefficients``  shape (3, entries): the three sums of `smoothing`, and ``b``, ``a`` and
                        ``1 / z``, of each class
``rest``                shape (m,): becomes the probability, by class, of each of the ``k`` outcomes
                        that has no column
======================  ============================================================================
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from condprob.jit import (
    AT_ONCE,
    EXACT,
    INNER,
    JIT,
    SMALLEST_DIVISOR,
    call,
    log,
    njit,
    prefetch,
    weighted_logs,
)
from condprob.smoothing import coefficients
from condprob.vectors import (
    LANES,
    Width,
    alone,
    larger,
    load,
    smaller,
    store,
    total,
    width_of,
    zero_below,
    zeros,
)

# Pairs between the fetch of a row of H and its use. Not measured.
PAIRS_FETCHED_AHEAD = 4
# Floats of H that stay in a core's own cache, with no need to fetch them. Not measured.
FLOATS_IN_CACHE = 1 << 15
# Columns of H whose sums are added up together: they stay in a core's own cache. Not measured.
COLUMNS_AT_ONCE = 128
# A smaller entry of a factor becomes zero. Without smoothing entries fall for ever, and products of
# two would be denormal numbers, with which a processor is many times slower. A pair that was seen
# keeps the class that explains most of it, in both factors.
SMALLEST_FACTOR_ENTRY = 1e-150
LINE = width_of(LANES)  # of a row of one vector
FOUR_LINES = width_of(4 * LANES)


@njit(**EXACT)
def iterate(visit, problem, alternating, W, H, soft_H, smoothing, rest, times, wanted):
    """Do iterations on one thread; return the log-likelihood before the last of them, nats.

    It is that of the factors as they are if there are no iterations, and zero unless ``wanted``.
    If it is ``alternating``, ``H`` is updated from the product with the new ``W``.
    """
    found, m, of_W = 0.0, rest.size, smoothing.of_W
    for _ in range(times):
        found = call(visit, problem, 0, len(W), W, W, H, soft_H[0], m, of_W, True, wanted)
        if alternating:
            soft_H[:] = 0.0
            call(visit, problem, 0, len(W), W, W, H, soft_H[0], m, of_W, False, False)
        update_H(H, soft_H, problem.k, smoothing, rest)
    if times == 0:
        found = call(visit, problem, 0, len(W), W, W, H, soft_H[0], m, of_W, False, wanted)
        soft_H[:] = 0.0
    return found


@njit(**EXACT)
def visit_rows(visit, problem, start, stop, W, new_W, H, soft_H, m, of_W, update_W, wanted):
    """Do the pass at an address."""
    return call(visit, problem, start, stop, W, new_W, H, soft_H, m, of_W, update_W, wanted)


@njit(**EXACT)
def update_H(H, soft_H, k, smoothing, rest):
    """Turn the soft counts of one thread into ``H``, and clear them."""
    sums = np.zeros((3, H.shape[1]))
    sums[2] = k - len(H)
    add_up(H, soft_H, 0, len(H), sums)
    smooth(H, 0, len(H), find_coefficients(smoothing, sums, rest))


@cache
def sparse_pass(width: Width) -> Callable:
    """Return the pass over the pairs of rows, for rows of factors of this width."""

    def visit(problem, start, stop, W, new_W, H, soft_H, m, of_W, update_W, wanted):
        indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
        far, last = H.size > FLOATS_IN_CACHE, outcomes.size - 1
        products, first, logs = np.empty(AT_ONCE), indptr[start], 0.0
        for i in range(start, stop):
            w, soft_w = load(width, W, i, 0), zeros(width)
            for p in range(indptr[i], indptr[i + 1]):
                if far:
                    fetch(H, soft_H, outcomes[min(p + PAIRS_FETCHED_AHEAD, last)])
                j = np.uintp(outcomes[p])  # it does not count from the end
                h = load(width, H, j, 0)
                product = total(w * h)
                if wanted:
                    if p - first == AT_ONCE:
                        logs += add_logs(values[first:p], products)
                        first = p
                    products[p - first] = product
                ratio = values[p] / product
                soft_w = soft_w + ratio * h
                store(soft_H, j, 0, load(width, soft_H, j, 0) + ratio * w)
            if update_W:
                scale, share = of_row(problem.sums[i], m, of_W)
                store(new_W, i, 0, zero_below(w * soft_w * scale + share, SMALLEST_FACTOR_ENTRY))
        if wanted:
            end = indptr[stop]
            logs += add_logs(values[first:end], products[: end - first])
        return logs

    # To the linker functions of one name and one signature are one, whichever process kept them.
    visit.__qualname__ = f"visit_rows_of_{len(width)}"
    return njit(**EXACT, **INNER)(visit)


@njit(**EXACT, **INNER)
def wide_pass(problem, start, stop, W, new_W, H, soft_H, m, of_W, update_W, wanted):
    """Visit the pairs of rows that are too wide for registers, vector by vector.

    The lines that hold products for their logarithms stand here as in `sparse_pass`: a function of
    them makes a pass with logarithms a third slower.
    """
    indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
    last, places, soft_w = outcomes.size - 1, range(0, H.shape[1], LANES), np.empty((1, H.shape[1]))
    products, first, logs = np.empty(AT_ONCE), indptr[start], 0.0
    for i in range(start, stop):
        soft_w[:] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            fetch(H, soft_H, outcomes[min(p + PAIRS_FETCHED_AHEAD, last)])
            j, sums = np.uintp(outcomes[p]), zeros(LINE)
            for l in places:
                sums = sums + load(LINE, W, i, l) * load(LINE, H, j, l)
            product = total(sums)
            if wanted:
                if p - first == AT_ONCE:
                    logs += add_logs(values[first:p], products)
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
                store(new_W, i, l, zero_below(w, SMALLEST_FACTOR_ENTRY))
    if wanted:
        end = indptr[stop]
        logs += add_logs(values[first:end], products[: end - first])
    return logs


@njit(**JIT, **INNER)
def dense_pass(problem, start, stop, W, new_W, H, soft_H, m, of_W, update_W, wanted):
    """Visit whole rows of ``C = background base^T + sparse``.

    It is for matrices without zeros (the naive methods) and for counts of which most pairs are
    seen. Only one row is ever dense; vectors run over outcomes.

    A sum over outcomes is that of four vectors side by side, then of those that are left, one
    by one: the order in which a compiler adds up, and which the published numbers have.
    """
    indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
    size = len(H)
    length = (size + LANES - 1) // LANES * LANES  # whole vectors; no counts in the added columns
    first_left = length // (4 * LANES) * 4 * LANES
    H_rows, soft_rows = room(m, length), room(m, length)
    row, product, ratio = room(1, length), room(1, length), room(1, length)
    spread = np.empty(length)
    for j in range(length):
        spread[j] = problem.base[j] if j < size else 0.0
        for l in range(m):
            H_rows[l, j] = H[j, l] if j < size else 1.0
            soft_rows[l, j] = 0.0
    log_likelihood, valid = 0.0, 0
    for i in range(start, stop):
        for j in range(length):
            row[0, j] = problem.background[i] * spread[j]
        for p in range(indptr[i], indptr[i + 1]):
            row[0, outcomes[p]] += values[p]
        for j in range(0, length, LANES):
            x = zeros(LINE)
            for l in range(m):
                x = x + W[i, l] * load(LINE, H_rows, l, j)
            store(product, 0, j, x)
            store(ratio, 0, j, load(LINE, row, 0, j) / larger(x, SMALLEST_DIVISOR))
        if wanted:
            for j in range(length):
                valid += (product[0, j] >= SMALLEST_DIVISOR) | (row[0, j] == 0.0)
                log_likelihood += row[0, j] * log(max(product[0, j], SMALLEST_DIVISOR))
        scale, share = of_row(problem.sums[i], m, of_W)
        for l in range(m):
            w, together = W[i, l], zeros(FOUR_LINES)
            for j in range(0, first_left, 4 * LANES):
                r = load(FOUR_LINES, ratio, 0, j)
                together = together + r * load(FOUR_LINES, H_rows, l, j)
                store(soft_rows, l, j, load(FOUR_LINES, soft_rows, l, j) + w * r)
            soft_w = alone(LINE, total(together))
            for j in range(first_left, length, LANES):
                r = load(LINE, ratio, 0, j)
                soft_w = soft_w + r * load(LINE, H_rows, l, j)
                store(soft_rows, l, j, load(LINE, soft_rows, l, j) + w * r)
            if update_W:
                w = w * scale * total(soft_w) + share
                new_W[i, l] = 0.0 if w < SMALLEST_FACTOR_ENTRY else w
    for j in range(size):
        for l in range(m):
            soft_H[j, l] += soft_rows[l, j]
    is_possible = valid == (stop - start) * length or not wanted
    return log_likelihood if is_possible else -np.inf


@njit(**EXACT, **INNER)
def room(rows, length):
    """Return an array of this shape, with any numbers in it, that begins with a cache line.

    A vector that lies in two lines takes twice the time.
    """
    stored = np.empty(rows * length + LANES)
    first = -(stored.ctypes.data // stored.itemsize) % LANES
    return stored[first : first + rows * length].reshape((rows, length))


@njit(**EXACT)
def fetch(H, soft_H, outcome):
    """Ask for the rows of an outcome to be brought near."""
    for l in range(0, H.shape[1], LANES):
        prefetch(H, np.uintp(outcome), l)
        prefetch(soft_H, np.uintp(outcome), l)


@njit(**EXACT)
def add_logs(weights, x):
    """Return `weighted_logs`: inlined in a pass they take its registers, and 1.3 times the time."""
    return weighted_logs(weights, x)


@njit(**EXACT)
def of_row(row_sum, m, constant):
    """Return what a row of ``W`` is multiplied by, and what is then added to each entry.

    The soft counts of the row sum to ``row_sum``. A row without counts becomes uniform.
    """
    if row_sum == 0.0:
        return 0.0, 1.0 / m
    _, a, z = coefficients(constant, 0.0, row_sum, 0.0, float(m))
    return 1.0 / z, a / z


@njit(**EXACT)
def add_up(H, soft_H, start, stop, sums):
    """Write whole soft counts of columns ``start..stop-1`` into ``H``; add to their ``sums``."""
    first_of_threads = soft_H[0]
    for first in range(start, stop, COLUMNS_AT_ONCE):
        for l in range(0, H.shape[1], LANES):
            whole, seen = load(LINE, sums, 0, l), load(LINE, sums, 1, l)
            unseen = load(LINE, sums, 2, l)
            for j in range(first, min(first + COLUMNS_AT_ONCE, stop)):
                x = load(LINE, first_of_threads, j, l)
                store(first_of_threads, j, l, zeros(LINE))
                for r in range(1, len(soft_H)):
                    x = x + load(LINE, soft_H[r], j, l)
                    store(soft_H[r], j, l, zeros(LINE))
                x = load(LINE, H, j, l) * x
                clipped = smaller(x, 1.0)
                store(H, j, l, x)
                whole, seen, unseen = whole + x, seen + clipped, unseen + (1.0 - clipped)
            store(sums, 0, l, whole)
            store(sums, 1, l, seen)
            store(sums, 2, l, unseen)


@njit(**EXACT)
def find_coefficients(smoothing, sums, rest):
    """Return the coefficients of each class, zero after the last one, and write ``rest``."""
    found = np.zeros(sums.shape)
    for l in range(rest.size):
        of_class = sums[0, l], sums[1, l], sums[2, l]
        b, a, z = coefficients(smoothing.constant, smoothing.discount, *of_class)
        found[0, l], found[1, l], found[2, l] = b, a, 1.0 / z
        rest[l] = a * found[2, l]
    return found


@njit(**EXACT)
def smooth(H, start, stop, coefficients):
    """Smooth the soft counts of columns ``start..stop-1``, which are in ``H``."""
    for j in range(start, stop):
        for l in range(0, H.shape[1], LANES):
            b, a = load(LINE, coefficients, 0, l), load(LINE, coefficients, 1, l)
            scale = load(LINE, coefficients, 2, l)
            x = load(LINE, H, j, l)
            clipped = smaller(x, 1.0)
            h = (x + b * clipped + a * (1.0 - clipped)) * scale
            store(H, j, l, zero_below(h, SMALLEST_FACTOR_ENTRY))


@njit(**JIT)
def find_penalty(smoothing, logs_of_W, logs_of_H, unseen_outcomes, rest):
    """Return the penalty of Eq. (3) by the sums of logarithms of the factors, nats."""
    total = 0.0
    for l in range(rest.size):
        total += math.log(rest[l])
    return smoothing.constant * (logs_of_W + logs_of_H + unseen_outcomes * total)
