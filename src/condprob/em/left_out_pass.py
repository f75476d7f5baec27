"""The passes over the pairs with one token of each left out: see `leave_one_out`."""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.kernels import AHEAD, NEAR
from condprob.em.state import Smoothing
from condprob.runtime.jit import JIT
from condprob.runtime.simd import AT_ONCE, SMALLEST, VECTOR, prefetch, weighted_logs
from condprob.smoothing import coefficients

# Strength of the base where a class would be empty without the pair. Not measured.
TINY = 1e-9


class SoftCounts(NamedTuple):
    """What the passes change in place."""

    responsibilities: np.ndarray  # float32, shape (nnz, m)
    of_W: np.ndarray  # shape (rows, m)
    of_H: np.ndarray  # shape (columns, m): soft counts of ``H``, transposed, of the pass before
    new_H: np.ndarray  # shape (threads, columns, m): of this pass, by thread; zero between passes
    # `last_W`, `last_H`: shapes (rows, m) and (columns, m): with momentum, what the pass before
    # found; without, they have no rows
    last_W: np.ndarray
    last_H: np.ndarray


class Classes(NamedTuple):
    """How each latent class turns soft counts into probabilities.

    ``(x - taken min(x, 1) + given base_j) / total``, five arrays of shape (m,); ``seen`` is the sum
    of ``min(x, 1)``, ``freed`` by how much ``given`` falls where that sum does. A discount shared
    by what was not seen is shared anew where a part of a pair is left out: see `smooth_rest`.
    """

    taken: np.ndarray
    given: np.ndarray
    total: np.ndarray
    seen: np.ndarray
    freed: np.ndarray


class Task(NamedTuple):
    """What the compiled functions are given, besides the rows."""

    soft: SoftCounts
    classes: Classes
    smoothing: Smoothing
    outcomes: int  # over how many outcomes a row of ``H`` is smoothed
    left_out: float  # how much of a pair is left out, tokens: one, or none, which is EM
    momentum: float  # see `extrapolate`


@njit(**JIT)
def first_pass(rows, W, H, responsibilities, soft_W, soft_H):
    """Find the responsibilities of the starting factors and add up their soft counts.

    ``W`` has the shape (rows, m), ``H``, transposed, (columns, m); the others are
    ``responsibilities``, ``of_W`` and ``of_H`` of `SoftCounts`, and the pass adds to the last.
    Returns ``sum C log(W H)``, nats.
    """
    m, log_likelihood, first = W.shape[1], 0.0, rows.indptr[0]
    joint, q = np.empty(m), np.empty(AT_ONCE)
    for i in range(len(W)):
        for l in range(m):
            soft_W[i, l] = 0.0
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            j, value, product = rows.outcomes[p], rows.values[p], 0.0
            for l in range(m):
                joint[l] = W[i, l] * H[j, l]
            for l in range(m):  # see below
                product += joint[l]
            if product <= 0.0:
                return -np.inf
            if p - first == AT_ONCE:
                log_likelihood += weighted_logs(rows.values[first:p], q)
                first = p
            q[p - first] = product
            for l in range(m):
                share = joint[l] / product
                responsibilities[p, l] = share
                soft_W[i, l] += value * share
                soft_H[j, l] += value * share
    left = rows.indptr[len(W)] - first
    return log_likelihood + weighted_logs(rows.values[first : first + left], q[:left])


@njit(**JIT)
def extrapolate(x, before, momentum):
    """Return where the next pass begins, of soft counts found by this pass and by the one before.

    ``momentum`` is how many times the way from the one to the other it goes on.
    """
    return max(x + momentum * (x - before), 0.0)


@njit(**JIT)
def smooth_rest(x, out, total, seen, outcomes, constant, discount):
    """Return what an outcome gets when a class is smoothed after ``out`` was taken of its ``x``.

    ``total`` is the sum of the class afterwards, ``seen`` that of ``min(x, 1)`` before; for the
    constant and the discount see `smoothing.coefficients`.
    """
    rest = max(x - out, 0.0)
    clipped = min(rest, 1.0)
    seen -= min(x, 1.0) - clipped
    b, a, z = coefficients(constant, discount, max(total, 0.0), seen, outcomes - seen)
    return (rest + b * clipped + a * (1.0 - clipped)) / z


@njit(**JIT)
def left_out_pass(rows, task, start, stop, r):
    """Find new responsibilities of the pairs of rows ``start..stop-1``, one token left out.

    The pass replaces the rows of ``of_W``, extrapolated with momentum, and of ``last_W``, and adds
    to the part of ``new_H`` of thread ``r``.
    Returns ``sum C log`` of what each pair is given when one token of it is left out, nats.
    """
    responsibilities, soft_W, soft_H, parts, last_W, _ = task.soft
    of_W, constant, discount, base, is_interpolated, _ = task.smoothing
    taken, given, totals, seen, freed = task.classes
    outcomes, left_out, new_H = task.outcomes, task.left_out, parts[r]
    is_shared, m, log_likelihood = not is_interpolated and discount > 0.0, taken.size, 0.0
    joint, row, q = np.empty(m), np.empty(m), np.empty(AT_ONCE)
    far, last, first = soft_H.size > NEAR, rows.outcomes.size - 1, rows.indptr[start]
    for i in range(start, stop):
        of_row = m * of_W + rows.sums[i]
        for l in range(m):
            row[l] = 0.0
        for p in range(rows.indptr[i], rows.indptr[i + 1]):
            if far:
                ahead = rows.outcomes[min(p + AHEAD, last)]
                for l in range(0, m, VECTOR):
                    prefetch(soft_H, ahead, l)
                    prefetch(new_H, ahead, l)
            j, value = rows.outcomes[p], rows.values[p]
            token, to_outcome, product = min(value, left_out), base[j], 0.0
            if is_shared:  # not affine in what is left out
                for l in range(m):
                    out = responsibilities[p, l] * token
                    x = soft_H[j, l]
                    total = totals[l] - min(out, x) if seen[l] > 0.0 else 0.0
                    probability = smooth_rest(x, out, total, seen[l], outcomes, constant, discount)
                    joint[l] = (max(soft_W[i, l] - out, 0.0) + of_W) * probability
            else:
                for l in range(m):
                    out = responsibilities[p, l] * token
                    x = soft_H[j, l]
                    rest = max(x - out, 0.0)
                    clipped = min(rest, 1.0)
                    share = given[l] - freed[l] * (min(x, 1.0) - clipped)
                    probability = (rest - taken[l] * clipped + share * to_outcome) / max(
                        totals[l] - min(out, x), TINY
                    )
                    joint[l] = (max(soft_W[i, l] - out, 0.0) + of_W) * probability
            # By itself: a loop that also stores is run by vectors or not, by where its arrays
            # happen to lie, and so would the order of the sum be.
            for l in range(m):
                product += joint[l]
            # Without smoothing a pair may have no class but its own. One over a product below the
            # smallest normal number may be infinite.
            possible = product >= SMALLEST and of_row > token
            if p - first == AT_ONCE:
                log_likelihood += weighted_logs(rows.values[first:p], q)
                first = p
            q[p - first] = product / (of_row - token) if possible else 0.0
            if possible:
                scale = 1.0 / product
                for l in range(m):
                    share = joint[l] * scale
                    responsibilities[p, l] = share
                    row[l] += value * share
                    new_H[j, l] += value * share
            else:
                for l in range(m):
                    row[l] += value * responsibilities[p, l]
                    new_H[j, l] += value * responsibilities[p, l]
        if last_W.size:
            for l in range(m):
                soft_W[i, l] = extrapolate(row[l], last_W[i, l], task.momentum)
                last_W[i, l] = row[l]
        else:
            for l in range(m):
                soft_W[i, l] = row[l]
    left = rows.indptr[stop] - first
    return log_likelihood + weighted_logs(rows.values[first : first + left], q[:left])
