"""The compiled iteration with one token of each pair left out: see `leave_one_out`."""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.passes import AHEAD, NEAR, Smoothing, is_settled
from condprob.jit import AT_ONCE, JIT, SMALLEST, VECTOR, prefetch, weighted_logs
from condprob.smoothing import coefficients

# Strength of the base in a class that would be empty without the pair. Not measured.
TINY = 1e-9


class Task(NamedTuple):
    """The soft counts that iterations change in place, and the options of an iteration."""

    responsibilities: np.ndarray  # float32, shape (nnz, m)
    of_W: np.ndarray  # shape (rows, m): soft counts of ``W`` by the last pass
    of_H: np.ndarray  # shape (columns, m): those of ``H``, transposed
    new_H: np.ndarray  # shape (threads, columns, m): of this pass, by thread; zero between passes
    # `last_W`, `last_H`: shapes (rows, m) and (columns, m): with momentum, the soft counts that the
    # last pass found; without, they have no rows
    last_W: np.ndarray
    last_H: np.ndarray
    # How a class turns the soft counts ``x`` of its outcomes into probabilities:
    # ``(x - taken min(x, 1) + given base_j) / total``. These three, and the next two, have the
    # shape (m,). `seen` is the sum of ``min(x, 1)``; `given` falls by `freed` times its fall.
    taken: np.ndarray
    given: np.ndarray
    total: np.ndarray
    seen: np.ndarray
    freed: np.ndarray
    base: np.ndarray  # shape (columns,): the distribution of interpolated classes; else ones
    smoothing: Smoothing
    # Whether the discount is shared by all outcomes in the proportions of the base, and
    # ``strength`` tokens are added in the same proportions, as in a Pitman-Yor process. There is
    # no constant then.
    is_interpolated: bool
    strength: float
    left_out: float  # how much of a pair is left out, tokens: one, or none, which is EM
    momentum: float  # see `extrapolate`


@njit(**JIT)
def iterate(problem, task, likelihood, penalty, start, stop, tolerance):
    """Run iterations ``start..stop-1`` on one thread, fewer once they settle; return where.

    Iteration ``t`` writes ``likelihood[t]``, that of `left_out_pass`, nats; there is no penalty.
    """
    for t in range(start, stop):
        update_classes(task, problem.k, task.of_H)
        likelihood[t] = left_out_pass(problem, task, 0, len(task.of_W), 0)
        merge_threads(task)
        if is_settled(likelihood, penalty, t, tolerance):
            return t + 1
    return stop


@njit(**JIT)
def update_classes(task, outcomes, soft_H):
    """Derive the classes from soft counts of ``H``, shape (columns, m); ``outcomes`` is ``k``."""
    columns, m = soft_H.shape
    sums, kinds = np.zeros(m), np.zeros(m)
    for j in range(columns):
        for l in range(m):
            sums[l] += soft_H[j, l]
            kinds[l] += min(soft_H[j, l], 1.0)
    _, constant, discount = task.smoothing
    for l in range(m):
        total, seen = sums[l], kinds[l]
        if task.is_interpolated:
            added = max(task.strength, TINY)
            task.taken[l], task.given[l] = discount, added + discount * seen
            task.total[l], task.freed[l] = total + added, discount
        else:
            b, a, z = coefficients(constant, discount, total, seen, outcomes - seen)
            task.taken[l], task.given[l], task.total[l] = a - b, a, z
        task.seen[l] = seen


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
def extrapolate(x, before, momentum):
    """Return the soft count with which the next pass begins.

    ``x`` was found by this pass, ``before`` by the pass before it. The step from the one to the
    other is repeated ``momentum`` times.
    """
    return max(x + momentum * (x - before), 0.0)


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

    The pass replaces the rows of ``of_W``, extrapolated with momentum, and of ``last_W``, and adds
    to the part of ``new_H`` of thread ``r``. Returns ``sum C log`` of the probability that each
    pair has while one token of it is left out, nats.
    """
    responsibilities, soft_W, soft_H, last_W = task[0], task[1], task[2], task[4]
    of_W, constant, discount = task.smoothing
    taken, given, totals, seen, freed = task.taken, task.given, task.total, task.seen, task.freed
    outcomes, left_out, new_H, base = problem.k, task.left_out, task.new_H[r], task.base
    is_shared = not task.is_interpolated and discount > 0.0
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
            token, to_outcome, product = min(value, left_out), base[j], 0.0
            if is_shared:  # not affine in the part left out
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
        if last_W.size:
            for l in range(m):
                soft_W[i, l] = extrapolate(row[l], last_W[i, l], task.momentum)
                last_W[i, l] = row[l]
        else:
            for l in range(m):
                soft_W[i, l] = row[l]
    left = problem.indptr[stop] - first
    return log_likelihood + weighted_logs(problem.values[first : first + left], q[:left])


@njit(**JIT)
def smooth_into(task, soft_W, soft_H, W, H, rest):
    """Smooth soft counts into ``W``, ``H`` and ``rest``, shape (m,).

    ``rest`` is the share of a class for an outcome without a column, in parts of the base.
    """
    taken, given, totals, m = task.taken, task.given, task.total, task.taken.size
    of_W, base = task.smoothing.of_W, task.base
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
    """Add up the soft counts of all threads into ``of_H``, extrapolate them, clear the parts.

    It is one sweep on one thread: with few pairs the sweeps cost as much as the pass.
    """
    soft_H, new_H, last_H = task.of_H, task.new_H, task.last_H
    parts, now, last = new_H.reshape(len(new_H), -1), soft_H.reshape(-1), last_H.reshape(-1)
    for r in range(1, len(parts)):
        for q in range(now.size):
            parts[0, q] += parts[r, q]
            parts[r, q] = 0.0
    if last.size:
        for q in range(now.size):
            x = parts[0, q]
            parts[0, q] = 0.0
            now[q] = extrapolate(x, last[q], task.momentum)
            last[q] = x
    else:
        for q in range(now.size):
            now[q] = parts[0, q]
            parts[0, q] = 0.0
