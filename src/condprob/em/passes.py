r"""The compiled iteration of EM on a sparse matrix: the same numbers as `em.factorise`.

It is fast for these reasons; none changes a number beyond rounding:

- One pass over the seen pairs in row order finds the product, the ratio, the soft counts of both
  factors and the objective. ``H`` is transposed, so that a pair touches two short rows. The rows
  of the next pairs are fetched ahead. Their places are unsigned: none counts from the end.
- Row ``i`` of ``W`` depends on row ``i`` of the counts alone: it is smoothed as soon as that row is
  done. Its soft counts sum to ``C_i``, so its normalisation is known beforehand.
- Smoothing is affine in ``(x, min(x, 1))`` (see `smoothing`): no branch, three sums.
- Contexts and outcomes without counts never enter. After one iteration all such rows of ``W`` are
  equal, and all such columns of ``H`` too: they are added in closed form.
- Logarithms are taken where the objective is wanted, and many at a time (see `jit`).

The passes work on a range of rows, so that several threads can share the problem.
"""

import math
from typing import NamedTuple

import numpy as np

from condprob.jit import AT_ONCE, JIT, SMALLEST, VECTOR, log, njit, prefetch, weighted_logs
from condprob.smoothing import AddConstant, VectorSmoother, coefficients

# Pairs between the fetch of a row of H and its use. Not measured.
AHEAD = 4
# Floats of H that stay in a core's own cache, with no need to fetch them. Not measured.
NEAR = 1 << 15
# A smaller entry of a factor becomes zero. Without smoothing entries fall for ever, and products of
# two would be denormal numbers, with which a processor is many times slower. A pair that was seen
# keeps the class that explains most of it, in both factors.
LEAST = 1e-150


class Smoothing(NamedTuple):
    """How the soft counts of both factors are smoothed: see `smoothing.coefficients`."""

    of_W: float  # constant that is added to the soft counts of ``W``
    constant: float  # of the rows of ``H``, as is the discount
    discount: float

    @classmethod
    def of(cls, smooth_W: AddConstant, smooth_H: VectorSmoother) -> "Smoothing":
        """Return the smoothing by vector smoothers of the rows of ``W`` and of ``H``."""
        return cls(float(smooth_W.constant), *smooth_H.added_and_taken)

    @property
    def is_penalised(self) -> bool:
        """Whether the fit has the penalty of Eq. (3): both factors are smoothed by a constant."""
        return self.of_W > 0.0 and self.constant > 0.0 and self.discount == 0.0


@njit(**JIT)
def update_H(H, soft_H, k, smoothing, rest):
    """Turn soft counts into ``H``, shape (columns, m), on one thread; clear them.

    ``soft_H`` has the shape (1, columns, m). There are ``k`` outcomes in all; ``rest``, shape (m,),
    becomes the probability of each that has no column, by class.
    """
    m, unseen_outcomes = H.shape[1], float(k - len(H))
    total, seen, unseen = np.zeros(m), np.zeros(m), np.full(m, unseen_outcomes)
    b, a, scale = np.empty(m), np.empty(m), np.empty(m)
    add_up(H, soft_H, 0, len(H), total, seen, unseen)
    find_coefficients(smoothing, total, seen, unseen, b, a, scale)
    smooth(H, 0, len(H), b, a, scale)
    for l in range(m):
        rest[l] = a[l] * scale[l]


@njit(**JIT)
def sparse_pass(problem, start, stop, W, H, soft_H, of_W, update_W, wanted):
    """Visit the pairs of rows ``start..stop-1``; return their ``sum C log(W H)``, nats.

    The sum takes logarithms, and is zero unless ``wanted``. If ``update_W``, each row of ``W`` is
    replaced by its soft counts, smoothed with the constant ``of_W``.

    Parameters
    ----------
    problem : Problem
    start, stop : int
    W : numpy.ndarray, shape (rows, m)
    H : numpy.ndarray, shape (columns, m)
        Transposed.
    soft_H : numpy.ndarray, shape (columns, m)
        The pass adds the soft counts to it, without their last factor, ``H``.
    of_W : float
    update_W, wanted : bool
    """
    indptr, outcomes, values, m = problem.indptr, problem.outcomes, problem.values, W.shape[1]
    far, last = H.size > NEAR, outcomes.size - 1
    soft_w, q, first, log_likelihood = np.empty(m), np.empty(AT_ONCE), indptr[start], 0.0
    for i in range(start, stop):
        for l in range(m):
            soft_w[l] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            if far:
                ahead = np.uintp(outcomes[min(p + AHEAD, last)])
                for l in range(0, m, VECTOR):
                    prefetch(H, ahead, l)
                    prefetch(soft_H, ahead, l)
            j, product = np.uintp(outcomes[p]), 0.0  # views of rows are counted references: slow
            for l in range(m):
                product += W[i, l] * H[j, l]
            if wanted:
                if p - first == AT_ONCE:
                    log_likelihood += weighted_logs(values[first:p], q)
                    first = p
                q[p - first] = product
            ratio = values[p] / product
            for l in range(m):
                soft_w[l] += ratio * H[j, l]
                soft_H[j, l] += ratio * W[i, l]
        if update_W:
            smooth_row(W, i, soft_w, problem.sums[i], of_W)
    left = indptr[stop] - first if wanted else 0
    return log_likelihood + weighted_logs(values[first : first + left], q[:left])


@njit(**JIT)
def dense_pass(problem, start, stop, W, H, soft_H, of_W, update_W, wanted):
    """Visit whole rows of ``C = background base^T + sparse``; otherwise as `sparse_pass`.

    It is for matrices without zeros (the naive methods) and for counts of which most pairs are
    seen. Only one row is ever dense; vectors run over outcomes.
    """
    indptr, outcomes, values = problem.indptr, problem.outcomes, problem.values
    m, size = W.shape[1], len(H)
    width = (size + VECTOR - 1) // VECTOR * VECTOR  # whole vectors; no counts in the added columns
    H_rows, soft_rows, soft_w = np.empty((m, width)), np.empty((m, width)), np.empty(m)
    row, spread, product = np.empty(width), np.empty(width), np.empty(width)
    for j in range(width):
        spread[j] = problem.base[j] if j < size else 0.0
        for l in range(m):
            H_rows[l, j] = H[j, l] if j < size else 1.0
            soft_rows[l, j] = 0.0
    log_likelihood, valid = 0.0, 0
    for i in range(start, stop):
        for j in range(width):
            row[j] = problem.background[i] * spread[j]
            product[j] = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            row[outcomes[p]] += values[p]
        for l in range(m):
            w = W[i, l]
            for j in range(width):
                product[j] += w * H_rows[l, j]
        if wanted:
            for j in range(width):
                valid += (product[j] >= SMALLEST) | (row[j] == 0.0)
                log_likelihood += row[j] * log(max(product[j], SMALLEST))
        for j in range(width):
            row[j] /= max(product[j], SMALLEST)
        for l in range(m):
            w, total = W[i, l], 0.0
            for j in range(width):
                total += row[j] * H_rows[l, j]
                soft_rows[l, j] += w * row[j]
            soft_w[l] = total
        if update_W:
            smooth_row(W, i, soft_w, problem.sums[i], of_W)
    for j in range(size):
        for l in range(m):
            soft_H[j, l] += soft_rows[l, j]
    is_possible = valid == (stop - start) * width or not wanted
    return log_likelihood if is_possible else -np.inf


@njit(**JIT, forceinline=True)
def smooth_row(W, i, soft_w, row_sum, constant):
    """Replace row ``i`` of ``W`` by its soft counts plus a constant, normalised.

    The soft counts, shape (m,), lack their last factor, the row itself; with it they sum to
    ``row_sum``. A row without counts becomes uniform.
    """
    m = soft_w.size
    _, a, z = coefficients(constant, 0.0, row_sum, 0.0, float(m))
    scale, share = (1.0 / z, a / z) if row_sum > 0.0 else (0.0, 1.0 / m)
    for l in range(m):
        w = W[i, l] * soft_w[l] * scale + share
        W[i, l] = 0.0 if w < LEAST else w


@njit(**JIT)
def add_up(H, soft_H, start, stop, total, seen, unseen):
    """Write the complete soft counts of outcomes ``start..stop-1`` into ``H``; clear ``soft_H``.

    ``H`` has the shape (columns, m), ``soft_H`` the shape (threads, columns, m). The three sums of
    `smoothing` are added to ``total``, ``seen`` and ``unseen``, shape (m,).
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
def find_coefficients(smoothing, total, seen, unseen, b, a, scale):
    """Write ``b``, ``a`` and ``1 / z`` of each latent class (see `smoothing`), shape (m,)."""
    for l in range(total.size):
        of_class = total[l], seen[l], unseen[l]
        b[l], a[l], z = coefficients(smoothing.constant, smoothing.discount, *of_class)
        scale[l] = 1.0 / z


@njit(**JIT)
def smooth(H, start, stop, b, a, scale):
    """Smooth the soft counts of outcomes ``start..stop-1``, which are in ``H``, (columns, m)."""
    for j in range(start, stop):
        for l in range(scale.size):
            x = H[j, l]
            clipped = min(x, 1.0)
            h = (x + b[l] * clipped + a[l] * (1.0 - clipped)) * scale[l]
            H[j, l] = 0.0 if h < LEAST else h


@njit(**JIT)
def find_penalty(smoothing, logs_of_W, logs_of_H, unseen_outcomes, rest):
    """Return the penalty of Eq. (3) by the sums of logarithms of the factors, nats.

    ``rest``, shape (m,), stands for each of the outcomes without a column.
    """
    total = 0.0
    for l in range(rest.size):
        total += math.log(rest[l])
    return smoothing.constant * (logs_of_W + logs_of_H + unseen_outcomes * total)
