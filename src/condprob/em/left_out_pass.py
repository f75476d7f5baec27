"""The compiled iteration with one token of each pair left out: see `leave_one_out`."""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.passes import AHEAD, NEAR, Smoothing, is_settled
from condprob.jit import AT_ONCE, JIT, SMALLEST, VECTOR, prefetch, weighted_logs
from condprob.smoothing import coefficients

TINY = 1e-9  # sum of a class that would be empty without the pair; not measured


class Task(NamedTuple):
    """The soft counts that iterations change in place, and the options of an iteration."""

    responsibilities: np.ndarray  # float32, shape (nnz, m)
    of_W: np.ndarray  # shape (rows, m): soft counts of ``W`` by the last pass
    of_H: np.ndarray  # shape (columns, m): those of ``H``, transposed
    new_H: np.ndarray  # shape (threads, columns, m): of this pass, by thread; zero between passes
    # How a class turns the soft counts ``x`` of its outcomes into probabilities:
    # ``(x - taken min(x, 1) + given) / total``. These three, and `seen`, the sum of ``min(x, 1)``,
    # have the shape (m,).
    taken: np.ndarray
    given: np.ndarray
    total: np.ndarray
    seen: np.ndarray
    smoothing: Smoothing


@njit(**JIT)
def iterate(problem, task, likelihood, penalty, start, stop, tolerance):
    """Run iterations ``start..stop-1`` on one thread, fewer once they settle; return where.

    Iteration ``t`` writes ``likelihood[t]``, that of `left_out_pass`, nats; there is no penalty.
    """
    for t in range(start, stop):
        update_classes(task, problem.k)
        likelihood[t] = left_out_pass(problem, task, 0, len(task.of_W), 0)
        merge_threads(task)
        if is_settled(likelihood, penalty, t, tolerance):
            return t + 1
    return stop


@njit(**JIT)
def update_classes(task, outcomes):
    """Derive the classes from the soft counts of ``H``; ``outcomes`` is ``k``."""
    columns, m = task.of_H.shape
    sums, kinds = np.zeros(m), np.zeros(m)
    for j in range(columns):
        for l in range(m):
            sums[l] += task.of_H[j, l]
            kinds[l] += min(task.of_H[j, l], 1.0)
    _, constant, discount = task.smoothing
    for l in range(m):
        b, a, z = coefficients(constant, discount, sums[l], kinds[l], outcomes - kinds[l])
        task.taken[l], task.given[l], task.total[l], task.seen[l] = a - b, a, z, kinds[l]


@njit(**JIT)
def first_pass(problem, W, H, responsibilities, soft_W, soft_H):
    """Find the responsibilities of the starting factors and add up their soft counts.

    ``W`` has the shape (rows, m), ``H``, transposed, (columns, m). The others are the first three
    arrays of `Task`; the pass adds to ``soft_H``. Returns ``sum C log(W H)``, nats.
    """
    m, log_likelihood, first = W.shape[1], 0.0, problem.indptr[0]
    joint, q = np.empty(m), np.empty(AT_ONCE)
    for i in range(len(W)):
        for l in range(m):
            soft_W[i, l] = 0.0
        for p in range(problem.indptr[i], problem.indptr[i + 1]):
            j, value, product = problem.outcomes[p], problem.values[p], 0.0
            for l in range(m):
                joint[l] = W[i, l] * H[j, l]
            for l in range(m):  # see below
                product += joint[l]
            if product <= 0.0:
                return -np.inf
            if p - first == AT_ONCE:
                log_likelihood += weighted_logs(problem.values[first:p], q)
                first = p
            q[p - first] = product
            for l in range(m):
                share = joint[l] / product
                responsibilities[p, l] = share
                soft_W[i, l] += value * share
                soft_H[j, l] += value * share
    left = problem.indptr[len(W)] - first
    return log_likelihood + weighted_logs(problem.values[first : first + left], q[:left])


@njit(**JIT)
def smooth_rest(x, out, total, seen, outcomes, constant, discount):
    """Return the probability of an outcome in a class after ``out`` was taken of its ``x``.

    ``total`` is the sum of the class afterwards, ``seen`` that of ``min(x, 1)`` before; for the
    constant and the discount see `smoothing.coefficients`.
    """
    rest = max(x - out, 0.0)
    clipped = min(rest, 1.0)
    seen -= min(x, 1.0) - clipped
    b, a, z = coefficients(constant, discount, max(total, 0.0), seen, outcomes - seen)
    return (rest + b * clipped + a * (1.0 - clipped)) / z


@njit(**JIT)
def left_out_pass(problem, task, start, stop, r):
    """Find new responsibilities of the pairs of rows ``start..stop-1``, one token left out.

    The pass replaces the rows of ``of_W``, and adds to the part of ``new_H`` of thread ``r``.
    Returns ``sum C log`` of the probability that each pair has while one token of it is left out,
    nats.
    """
    responsibilities, soft_W, soft_H, new_H = task[0], task[1], task[2], task.new_H[r]
    of_W, constant, discount = task.smoothing
    taken, given, totals, seen = task.taken, task.given, task.total, task.seen
    m, log_likelihood = taken.size, 0.0
    joint, row, q = np.empty(m), np.empty(m), np.empty(AT_ONCE)
    far, last, first = soft_H.size > NEAR, problem.outcomes.size - 1, problem.indptr[start]
    for i in range(start, stop):
        of_row = m * of_W + problem.sums[i]
        for l in range(m):
            row[l] = 0.0
        for p in range(problem.indptr[i], problem.indptr[i + 1]):
            if far:
                ahead = problem.outcomes[min(p + AHEAD, last)]
                for l in range(0, m, VECTOR):
                    prefetch(soft_H, ahead, l)
                    prefetch(new_H, ahead, l)
            j, value = problem.outcomes[p], problem.values[p]
            token, product = min(value, 1.0), 0.0
            if discount > 0.0:  # not affine in the part left out
                for l in range(m):
                    out = responsibilities[p, l] * token
                    x = soft_H[j, l]
                    total = totals[l] - min(out, x) if seen[l] > 0.0 else 0.0
                    probability = smooth_rest(x, out, total, seen[l], problem.k, constant, discount)
                    joint[l] = (max(soft_W[i, l] - out, 0.0) + of_W) * probability
            else:
                for l in range(m):
                    out = responsibilities[p, l] * token
                    x = soft_H[j, l]
                    rest = max(x - out, 0.0)
                    total = max(totals[l] - min(out, x), TINY)
                    probability = (rest - taken[l] * min(rest, 1.0) + given[l]) / total
                    joint[l] = (max(soft_W[i, l] - out, 0.0) + of_W) * probability
            # By itself: a loop that also stores is run by vectors or not, by where its arrays
            # happen to lie, and so would the order of the sum be.
            for l in range(m):
                product += joint[l]
            # Without smoothing a pair may have no class but its own. One over a product below the
            # smallest normal number may be infinite.
            possible = product >= SMALLEST and of_row > token
            if p - first == AT_ONCE:
                log_likelihood += weighted_logs(problem.values[first:p], q)
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
        for l in range(m):
            soft_W[i, l] = row[l]
    left = problem.indptr[stop] - first
    return log_likelihood + weighted_logs(problem.values[first : first + left], q[:left])


@njit(**JIT)
def smooth_into(problem, task, W, H, rest):
    """Smooth the soft counts into ``W``, ``H`` and ``rest``, shape (m,).

    ``rest`` is the probability of an outcome without a column, by class.
    """
    taken, given, totals, m = task.taken, task.given, task.total, task.taken.size
    of_W, soft_W, soft_H, base = task.smoothing.of_W, task.of_W, task.of_H, problem.base
    for l in range(m):
        rest[l] = given[l] / totals[l]
    for j in range(len(H)):
        for l in range(m):
            x = soft_H[j, l]
            H[j, l] = (x - taken[l] * min(x, 1.0) + given[l] * base[j]) / totals[l]
    for i in range(len(W)):
        total = 0.0
        for l in range(m):
            total += soft_W[i, l] + of_W
        for l in range(m):
            W[i, l] = (soft_W[i, l] + of_W) / total


@njit(**JIT)
def merge_threads(task):
    """Add up the soft counts of all threads into ``of_H``, and clear the parts.

    It is one sweep on one thread: with few pairs the sweeps cost as much as the pass.
    """
    parts, now = task.new_H.reshape(len(task.new_H), -1), task.of_H.reshape(-1)
    for r in range(1, len(parts)):
        for q in range(now.size):
            parts[0, q] += parts[r, q]
            parts[r, q] = 0.0
    for q in range(now.size):
        now[q] = parts[0, q]
        parts[0, q] = 0.0
