r"""The compiled parts of an iteration of EM: the same numbers as `em.factorise`, and fast.

They are fast for these reasons; none changes a number beyond rounding:

- One pass over the seen pairs in row order finds the product, the ratio and the soft counts of both
  factors. ``H`` is transposed, so that a pair touches two short rows. The rows of the next pairs
  are fetched ahead.
- Rows are read in lines of eight numbers (see `vectors`).
- Row ``i`` of ``W`` depends on row ``i`` of the counts alone: it is smoothed as soon as that row is
  done. Its soft counts sum to ``C_i``, so its normalisation is known beforehand.
- Smoothing is affine in ``(x, min(x, 1))`` (see `smoothing`): no branch, three sums.
- Contexts and outcomes without counts never enter. After one iteration all such rows of ``W`` are
  equal, and all such columns of ``H`` too: they are added in closed form.

There are two passes: `visit`, over seen pairs, and `visit_densely`, over whole rows. A pass visits
rows ``start..stop-1`` and adds soft counts to ``soft_H``. The functions of this module take:

=========================  =========================================================================
``indptr, outcomes``, ...  the arrays of an `em.Problem`
``W, new_W``               shape (rows, entries): a pass that is to ``update_W`` writes the new
                           ``W``, row by row, into ``new_W``, which may be ``W``. The ``m`` classes
                           of a row have any numbers after them (`vectors.in_lines`)
``H``                      shape (columns, entries): transposed, with zeros after the classes
``soft_H``                 shape (columns, entries): soft counts without their last factor, ``H``;
                           or (threads, columns, entries). `add_up_columns` clears it
``scale, share``           shape (rows,): what the soft counts of a row of ``W`` are multiplied by,
                           and what is then added to each
``room``                   room to work in: lines, of any numbers
``products``               shape (pairs of these rows,), or (rows, room for columns): becomes the
                           products ``W H`` where it is not empty
``sums``                   shape (threads, 3, entries): the three sums of `smoothing` of each
                           class; then, of the first thread, ``b``, ``a`` and ``1 / z``
``rest``                   shape (m,): becomes the probability, by class, of each of the ``k``
                           outcomes that has no column
=========================  =========================================================================
"""

import numpy as np

from condprob.jit import EXACT, njit
from condprob.methods.smoothing import coefficients
from condprob.methods.vectors import (
    BYTES,
    larger,
    line_at,
    line_of,
    prefetch,
    smaller,
    store,
    total,
    zero_below,
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
SMALLEST_DIVISOR = np.finfo(float).smallest_normal  # one over a smaller number may be infinite
FLOAT = 8  # bytes


@njit(**EXACT)
def visit(
    indptr,
    outcomes,
    values,
    start,
    stop,
    W,
    new_W,
    H,
    soft_H,
    scale,
    share,
    room,
    update_W,
    products,
):
    """Visit the pairs of rows; ``room`` has the shape (entries,).

    The first two lines of a row of ``W`` and of its soft counts stay in registers while its pairs
    last, which takes 0.84 of the time at ten classes and 0.96 at fifty.
    """
    row, last, first = FLOAT * H.shape[1], outcomes.size - 1, indptr[start]
    is_wide, is_far, is_wanted = row > BYTES, H.size > FLOATS_IN_CACHE, products.size > 0
    all_W, all_new_W, soft_w = W.ctypes.data, new_W.ctypes.data, room.ctypes.data
    all_H, all_soft_H = H.ctypes.data, soft_H.ctypes.data
    for i in range(start, stop):
        w, new_w = all_W + row * i, all_new_W + row * i
        w0, w1, soft_w0, soft_w1, h1 = (
            line_at(w),
            line_at(w),
            line_of(0.0),
            line_of(0.0),
            line_of(0.0),
        )
        if is_wide:
            w1 = line_at(w + BYTES)
        for l in range(2 * BYTES, row, BYTES):
            store(soft_w + l, line_of(0.0))
        for p in range(indptr[i], indptr[i + 1]):
            if is_far:
                ahead = row * np.int64(outcomes[min(p + PAIRS_FETCHED_AHEAD, last)])
                for l in range(ahead, ahead + row, BYTES):
                    prefetch(all_H + l)
                    prefetch(all_soft_H + l)
            place = row * np.int64(outcomes[p])
            h, soft_h = all_H + place, all_soft_H + place
            h0 = line_at(h)
            together = w0 * h0
            if is_wide:
                h1 = line_at(h + BYTES)
                together = together + w1 * h1
                for l in range(2 * BYTES, row, BYTES):
                    together = together + line_at(w + l) * line_at(h + l)
            product = total(together)
            if is_wanted:
                products[p - first] = product
            ratio = values[p] / product
            soft_w0 = soft_w0 + ratio * h0
            store(soft_h, line_at(soft_h) + ratio * w0)
            if is_wide:
                soft_w1 = soft_w1 + ratio * h1
                store(soft_h + BYTES, line_at(soft_h + BYTES) + ratio * w1)
                for l in range(2 * BYTES, row, BYTES):
                    store(soft_w + l, line_at(soft_w + l) + ratio * line_at(h + l))
                    store(soft_h + l, line_at(soft_h + l) + ratio * line_at(w + l))
        if update_W:
            store(soft_w, soft_w0)
            if is_wide:
                store(soft_w + BYTES, soft_w1)
            for l in range(0, row, BYTES):
                x = line_at(w + l) * line_at(soft_w + l) * scale[i] + share[i]
                store(new_w + l, zero_below(x, SMALLEST_FACTOR_ENTRY))


@njit(**EXACT)
def visit_densely(
    indptr,
    outcomes,
    values,
    background,
    base,
    start,
    stop,
    W,
    new_W,
    H,
    soft_H,
    scale,
    share,
    room,
    update_W,
    products,
):
    """Visit whole rows of ``C = background base^T + sparse``.

    It is for matrices without zeros (the naive methods) and for counts of which most pairs are
    seen. Only one row is ever dense; lines run over outcomes. ``room`` has the shape (2 + 2 m, room
    for columns): for counts and ratios of a row, and for ``H`` and its soft counts, transposed.
    There is room for whole lines, in fours; ``base`` has zeros after the columns.
    """
    m, row, four, is_wanted = len(room) // 2 - 1, FLOAT * base.size, 4 * BYTES, products.size > 0
    counts, bases, all_products = room.ctypes.data, base.ctypes.data, products.ctypes.data
    ratios, all_H, all_soft_H = counts + row, counts + 2 * row, counts + (2 + m) * row
    for l in range(m):
        for j in range(base.size):
            room[2 + l, j] = H[j, l] if j < len(H) else 1.0
            room[2 + m + l, j] = 0.0
    for i in range(start, stop):
        for j in range(0, row, BYTES):
            store(counts + j, background[i] * line_at(bases + j))
        for p in range(indptr[i], indptr[i + 1]):
            room[0, outcomes[p]] += values[p]
        for j in range(0, row, BYTES):
            product = line_of(0.0)
            for l in range(m):
                product = product + W[i, l] * line_at(all_H + row * l + j)
            if is_wanted:
                store(all_products + row * (i - start) + j, product)
            store(ratios + j, line_at(counts + j) / larger(product, SMALLEST_DIVISOR))
        for l in range(m):
            w, h, soft_h = W[i, l], all_H + row * l, all_soft_H + row * l
            one, two, three, other = line_of(0.0), line_of(0.0), line_of(0.0), line_of(0.0)
            for j in range(0, row, four):  # sums of their own, which need not wait for each other
                a, b = line_at(ratios + j), line_at(ratios + j + BYTES)
                c, d = line_at(ratios + j + 2 * BYTES), line_at(ratios + j + 3 * BYTES)
                one, two = one + a * line_at(h + j), two + b * line_at(h + j + BYTES)
                three = three + c * line_at(h + j + 2 * BYTES)
                other = other + d * line_at(h + j + 3 * BYTES)
                for k, ratio in ((0, a), (BYTES, b), (2 * BYTES, c), (3 * BYTES, d)):
                    store(soft_h + j + k, line_at(soft_h + j + k) + w * ratio)
            if update_W:
                x = w * total((one + two) + (three + other)) * scale[i] + share[i]
                new_W[i, l] = 0.0 if x < SMALLEST_FACTOR_ENTRY else x
    for j in range(len(H)):
        for l in range(m):
            soft_H[j, l] += room[2 + m + l, j]


@njit(inline="always", **EXACT)
def add_up_columns(H, soft_H, start, stop, sums):
    """Write whole soft counts of columns ``start..stop-1`` into ``H``, and their ``sums``.

    Those are of one thread, shape (3, entries).
    """
    for l in range(sums.shape[1]):
        sums[0, l] = sums[1, l] = sums[2, l] = 0.0
    row, threads, of_sums = FLOAT * H.shape[1], len(soft_H), sums.ctypes.data
    all_H, all_soft_H, size = H.ctypes.data, soft_H.ctypes.data, FLOAT * H.size
    for first in range(start, stop, COLUMNS_AT_ONCE):
        end = min(first + COLUMNS_AT_ONCE, stop)
        for l in range(0, row, BYTES):
            whole, seen = line_at(of_sums + l), line_at(of_sums + row + l)
            unseen = line_at(of_sums + 2 * row + l)
            for place in range(row * first + l, row * end, row):
                x = line_at(all_soft_H + place)
                store(all_soft_H + place, line_of(0.0))
                for r in range(1, threads):
                    x = x + line_at(all_soft_H + size * r + place)
                    store(all_soft_H + size * r + place, line_of(0.0))
                x = line_at(all_H + place) * x
                clipped = smaller(x, 1.0)
                store(all_H + place, x)
                whole, seen, unseen = whole + x, seen + clipped, unseen + (1.0 - clipped)
            store(of_sums + l, whole)
            store(of_sums + row + l, seen)
            store(of_sums + 2 * row + l, unseen)


@njit(inline="always", **EXACT)
def find_coefficients(constant, discount, unseen, sums, rest):
    """Replace the sums by the coefficients of each class, and write ``rest``.

    So many outcomes, ``unseen``, have no column.
    """
    for l in range(sums.shape[2]):
        for k in range(3):
            for r in range(1, len(sums)):
                sums[0, k, l] += sums[r, k, l]
        if l < rest.size:
            of_class = sums[0, 0, l], sums[0, 1, l], sums[0, 2, l] + unseen
            b, a, z = coefficients(constant, discount, of_class[0], of_class[1], of_class[2])
            sums[0, 0, l], sums[0, 1, l], sums[0, 2, l] = b, a, 1.0 / z
            rest[l] = a * sums[0, 2, l]
        else:
            sums[0, 0, l] = sums[0, 1, l] = sums[0, 2, l] = 0.0


@njit(inline="always", **EXACT)
def smooth(H, start, stop, coefficients):
    """Smooth the soft counts of columns ``start..stop-1``, which are in ``H``."""
    row, all_H, of_classes = FLOAT * H.shape[1], H.ctypes.data, coefficients.ctypes.data
    for place in range(all_H + row * start, all_H + row * stop, row):
        for l in range(0, row, BYTES):
            b, a = line_at(of_classes + l), line_at(of_classes + row + l)
            x, scale = line_at(place + l), line_at(of_classes + 2 * row + l)
            clipped = smaller(x, 1.0)
            h = (x + b * clipped + a * (1.0 - clipped)) * scale
            store(place + l, zero_below(h, SMALLEST_FACTOR_ENTRY))


@njit(**EXACT)
def update_columns(H, soft_H, constant, discount, unseen, sums, rest):
    """Replace ``H`` by its soft counts, smoothed, on one thread: one call instead of three."""
    add_up_columns(H, soft_H, 0, len(H), sums[0])
    find_coefficients(constant, discount, unseen, sums, rest)
    smooth(H, 0, len(H), sums[0])
