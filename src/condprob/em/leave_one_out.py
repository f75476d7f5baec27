r"""Soft counts with one token left out, in place of those of EM.

EM computes the responsibilities of a pair from factors that the pair itself has shaped, so that a
pair seen once is explained by its own context alone. Here one token of the pair, with the
responsibilities that it had, is taken out of both factors' soft counts before its new ones are
computed, as CVB0 does for topic models (Asuncion et al. 2009):

.. math::
    \gamma_{ijl} \propto \bigl(s_{il} - \gamma_{ijl} + a\bigr)\, H_{lj}^{-},

where ``H^-`` smooths the soft counts ``s_lj - gamma_ijl``. All pairs change at once, from the same
old soft counts: the result does not depend on their order. The first responsibilities are those of
the starting factors, as in EM.

Of a pair that counts for less than one, all is taken out.

With momentum the next pass begins beyond what a pass found, further along the way from what the
pass before it had found (heavy-ball; Polyak 1964): it comes near the same fixed points in fewer
passes.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.checkpoints import Identity, Keeper
from condprob.em.kernels import AHEAD, AT_ONCE, NEAR
from condprob.em.loop import evaluate
from condprob.em.problem import Problem
from condprob.em.run import CHUNK, Fit, Schedule, chunks
from condprob.em.simd import JIT, VECTOR, prefetch, weighted_logs
from condprob.em.state import Factors
from condprob.em.threads import share_out
from condprob.smoothing import coefficients

TINY = 1e-9  # strength of the base where a class would be empty without the pair


@dataclass(frozen=True, eq=False)
class FactorSmoothing:
    """How the soft counts of both factors are smoothed.

    Attributes
    ----------
    of_W : float
        Constant that is added to the soft counts of ``W``.
    constant, discount : float
        Of the rows of ``H``. Without a strength they are those of `smoothing.coefficients`.
    strength : float or None
        If given, the discount is shared by all outcomes in the proportions of the base, and so
        many tokens are added in the same proportions: interpolation, as in a Pitman-Yor process.
    base : numpy.ndarray, shape (columns,)
        A distribution, without the outcomes that have no column; ones, where there is no strength.
    left_out : float
        How much of a pair is left out, tokens: one, or none, which is EM.
    """

    of_W: float
    constant: float
    discount: float
    strength: float | None
    base: np.ndarray
    left_out: float = 1.0


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


class Soft(NamedTuple):
    """What the passes change in place.

    Attributes
    ----------
    responsibilities : numpy.ndarray of float32, shape (nnz, m)
    of_W : numpy.ndarray, shape (rows, m)
    of_H : numpy.ndarray, shape (columns, m)
        Soft counts of ``H``, transposed, of the pass before.
    new_H : numpy.ndarray, shape (threads, columns, m)
        Of this pass, by thread; zero between passes.
    last_W, last_H : numpy.ndarray, shapes (rows, m) and (columns, m)
        With momentum, what the pass before found; without, they have no rows.
    """

    responsibilities: np.ndarray
    of_W: np.ndarray
    of_H: np.ndarray
    new_H: np.ndarray
    last_W: np.ndarray
    last_H: np.ndarray


@njit(**JIT)
def first_pass(rows, start, stop, W, H, responsibilities, soft_W, soft_H):
    """Find the responsibilities of the starting factors and add up their soft counts.

    Parameters
    ----------
    rows : problem.Rows
    start, stop : int
        The rows to visit.
    W : numpy.ndarray, shape (rows, m)
    H : numpy.ndarray, shape (columns, m)
        Transposed.
    responsibilities, soft_W, soft_H : numpy.ndarray
        See `Soft`; the pass adds to ``soft_H``.

    Returns
    -------
    float
        ``sum C log(W H)``, nats.
    """
    m, log_likelihood, joint = W.shape[1], 0.0, np.empty(W.shape[1])
    for i in range(start, stop):
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
            log_likelihood += value * np.log(product)
            for l in range(m):
                share = joint[l] / product
                responsibilities[p, l] = share
                soft_W[i, l] += value * share
                soft_H[j, l] += value * share
    return log_likelihood


@njit(**JIT)
def smooth_rest(x, out, total, seen, outcomes, constant, discount):
    """Return what an outcome gets when a class is smoothed after ``out`` was taken of it.

    Parameters
    ----------
    x : float
        Its soft count before.
    out : float
    total : float
        Of the class, afterwards.
    seen : float
        Sum of ``min(x, 1)`` of the class, before.
    outcomes : int
    constant, discount
        See `smoothing.coefficients`.
    """
    rest = max(x - out, 0.0)
    clipped = min(rest, 1.0)
    seen -= min(x, 1.0) - clipped
    b, a, z = coefficients(constant, discount, max(total, 0.0), seen, outcomes - seen)
    return (rest + b * clipped + a * (1.0 - clipped)) / z


@njit(**JIT)
def left_out_pass(
    rows, start, stop, outcomes, how, base, classes, responsibilities, soft_W, soft_H, new_H
):
    """Find new responsibilities of the pairs of rows ``start..stop-1``, one token left out.

    Parameters
    ----------
    rows : problem.Rows
    start, stop, outcomes : int
    how : tuple
    base : numpy.ndarray, shape (columns,)
    classes : Classes
        See `iterate` for these.
    responsibilities, soft_W, soft_H, new_H : numpy.ndarray
        See `Soft`; the pass adds to ``new_H`` and replaces the rows of ``soft_W``.

    Returns
    -------
    float
        ``sum C log`` of what each pair is given when one token of it is left out, nats.
    """
    left_out, of_W, constant, discount, _, interpolated = how
    taken, given, totals, seen, freed = classes
    is_shared, m, log_likelihood = not interpolated and discount > 0.0, taken.size, 0.0
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
            # Without smoothing a pair may have no class but its own.
            possible = product > 0.0 and of_row > token
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
        for l in range(m):
            soft_W[i, l] = row[l]
    left = rows.indptr[stop] - first
    return log_likelihood + weighted_logs(rows.values[first : first + left], q[:left])


@njit(**JIT)
def classes_of(soft_H, outcomes, how, classes):
    """Put into ``classes`` what the soft counts of ``H``, shape (columns, m), make of them.

    Parameters
    ----------
    soft_H : numpy.ndarray, shape (columns, m)
    outcomes : int
        Those without a column included.
    how : tuple
        See `iterate`.
    classes : Classes
    """
    (columns, m), (_, _, constant, discount, strength, interpolated) = soft_H.shape, how
    sums, kinds = np.zeros(m), np.zeros(m)
    for j in range(columns):
        for l in range(m):
            sums[l] += soft_H[j, l]
            kinds[l] += min(soft_H[j, l], 1.0)
    for l in range(m):
        total, seen = sums[l], kinds[l]
        if interpolated:
            added = max(strength, TINY)
            classes.taken[l], classes.given[l] = discount, added + discount * seen
            classes.total[l], classes.freed[l] = total + added, discount
        else:
            b, a, z = coefficients(constant, discount, total, seen, outcomes - seen)
            classes.taken[l], classes.given[l], classes.total[l] = a - b, a, z
        classes.seen[l] = seen


@njit(**JIT)
def factors_of(soft_W, soft_H, of_W, base, classes, W, H, rest):
    """Smooth the soft counts into ``W``, ``H`` and what a class gives to an outcome without column.

    The last, ``rest``, of shape (m,), is in parts of the base.
    """
    (taken, given, totals, _, _), m = classes, classes.taken.size
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
def further(x, before, momentum):
    """Return where the next pass begins, of soft counts found by this pass and by the one before.

    ``momentum`` is how many times the way from the one to the other it goes on.
    """
    return max(x + momentum * (x - before), 0.0)


@njit(**JIT)
def carry_on(found, last, momentum):
    """Move soft counts on from what a pass found, in place, and keep that in ``last``.

    Parameters
    ----------
    found, last : numpy.ndarray, shape (rows, m)
        Of this pass and of the one before; nothing is done where the second has no rows.
    momentum : float
        See `further`.
    """
    flat_found, flat_last = found.reshape(-1), last.reshape(-1)
    for q in range(flat_last.size):
        x = flat_found[q]
        flat_found[q] = further(x, flat_last[q], momentum)
        flat_last[q] = x


@njit(**JIT)
def take_over(new_H, soft_H, last_H, momentum):
    """Add up the parts of what a pass found into ``soft_H``, moved on, and clear them.

    One sweep on one thread, for with few pairs the sweeps cost as much as the pass. See `Soft` for
    the arrays and `further` for the momentum.
    """
    parts, now, last = new_H.reshape(len(new_H), -1), soft_H.reshape(-1), last_H.reshape(-1)
    for r in range(1, len(parts)):
        for q in range(now.size):
            parts[0, q] += parts[r, q]
            parts[r, q] = 0.0
    if last.size:
        for q in range(now.size):
            x = parts[0, q]
            parts[0, q] = 0.0
            now[q] = further(x, last[q], momentum)
            last[q] = x
    else:
        for q in range(now.size):
            now[q] = parts[0, q]
            parts[0, q] = 0.0


@njit(**JIT)
def has_settled(likelihood, t, tolerance):
    """Whether iteration ``t`` changed the likelihood by less than the tolerance.

    It has not where both are infinite, and says so without a warning.
    """
    return abs(likelihood[t] - likelihood[t - 1]) < tolerance


@njit(**JIT)
def iterate(rows, soft, classes, outcomes, how, base, momentum, likelihood, start, stop, tolerance):
    """Run iterations ``start..stop-1`` on one thread; return where it stopped.

    It returns no array: see `loop.iterate`.

    Parameters
    ----------
    rows : problem.Rows
    soft : Soft
    classes : Classes
    outcomes : int
    how : tuple
        ``left_out, of_W, constant, discount, strength, interpolated``: see `FactorSmoothing`; the
        last is whether there is a strength.
    base : numpy.ndarray, shape (columns,)
    momentum : float
        See `further`.
    likelihood : numpy.ndarray, shape (iterations + 1,)
        Receives that of each iteration.
    start, stop : int
    tolerance : float
        Change of the likelihood, nats in all, below which it has settled; 0 for never.
    """
    responsibilities, soft_W, soft_H, new_H, last_W, last_H = soft
    for t in range(start, stop):
        classes_of(soft_H, outcomes, how, classes)
        given = (outcomes, how, base, classes, responsibilities, soft_W, soft_H, new_H[0])
        likelihood[t] = left_out_pass(rows, 0, len(soft_W), *given)
        carry_on(soft_W, last_W, momentum)
        take_over(new_H, soft_H, last_H, momentum)
        if has_settled(likelihood, t, tolerance):
            return t + 1
    return stop


def _iterate_on_threads(
    rows, soft, classes, outcomes, how, base, momentum, likelihood, start, stop, tolerance
):
    """Do what `iterate` does on as many threads as ``soft.new_H`` has parts."""
    responsibilities, soft_W, soft_H, new_H, last_W, last_H = soft
    blocks = list(pairwise(share_out(rows.indptr, len(new_H))))

    def visit(r):
        given = (outcomes, how, base, classes, responsibilities, soft_W, soft_H, new_H[r])
        return left_out_pass(rows, *blocks[r], *given)

    with ThreadPoolExecutor(len(new_H)) as pool:
        for t in range(start, stop):
            classes_of(soft_H, outcomes, how, classes)
            likelihood[t] = sum(pool.map(visit, range(len(new_H))))
            carry_on(soft_W, last_W, momentum)
            take_over(new_H, soft_H, last_H, momentum)
            if has_settled(likelihood, t, tolerance):
                return t + 1
    return stop


def run_left_out(
    problem: Problem,
    W: np.ndarray,
    H: np.ndarray,
    smoothing: FactorSmoothing,
    schedule: Schedule,
    momentum: float = 0.0,
) -> Fit:
    """Do what `run.run` does, with one token of each pair left out of the soft counts.

    ``momentum``, less than one, quickens it: see `carry_on`.

    ``Fit.risk`` has the empirical risk of the starting factors, then that of each iteration as it
    is with a token left out, and at the end that of the factors, nothing left out; nats. It has
    no penalty, and need not fall.

    Raises
    ------
    ValueError
        If the start gives probability zero to a pair that was seen, or the checkpoint is not
        that of this fit.
    """
    m, rows = W.shape[1], problem.rows
    likelihood = np.zeros(schedule.iterations + 1)
    kept = len(W) if momentum else 0, len(H) if momentum else 0
    soft = Soft(
        np.empty((rows.values.size, m), np.float32),
        np.empty(W.shape),
        np.zeros(H.shape),
        np.zeros((schedule.threads, *H.shape)),
        *(np.empty((size, m)) for size in kept),
    )
    classes, rest = Classes(*np.zeros((5, m))), np.zeros(m)
    interpolated = smoothing.strength is not None
    of_H = (smoothing.constant, smoothing.discount, smoothing.strength or 0.0)
    how = (*map(float, (smoothing.left_out, smoothing.of_W, *of_H)), interpolated)
    tolerance = (schedule.tol or 0.0) * (rows.sums.sum() or 1.0)
    names = ["responsibilities", "of_W", "of_H", *(["last_W", "last_H"] if momentum else [])]
    quicker = [momentum] if momentum else []
    keeper = Keeper(
        schedule.checkpoint,
        lambda: Identity.of(problem, (W, H, smoothing.base), (*how, *schedule.decisive, *quicker)),
        {name: getattr(soft, name) for name in names},
        {"likelihood": likelihood},
    )
    done = keeper.restore()
    if not done:
        done = min(schedule.iterations, 1)
        likelihood[0] = first_pass(rows, 0, len(W), W, H, *soft[:3])
        if momentum:
            soft.last_W[:], soft.last_H[:] = soft.of_W, soft.of_H
    if likelihood[0] == -np.inf:
        raise ValueError("the starting factors give probability zero to a pair that was seen")
    steps = CHUNK // (4 * (rows.values.size + 1) * m) + 1
    settled = done > 1 and has_settled(likelihood, done - 1, tolerance)
    last = done if settled else schedule.iterations
    engine = iterate if schedule.threads == 1 else _iterate_on_threads
    for start, stop in chunks(last, steps, schedule.progress, done=done):
        given = (rows, soft, classes, problem.outcomes, how, smoothing.base, momentum)
        done = engine(*given, likelihood, start, stop, tolerance)
        settled = has_settled(likelihood, done - 1, tolerance)
        keeper.save(done, is_last=settled or done == last)
        if settled:
            break
    if schedule.iterations:
        soft_W, soft_H = (soft.last_W, soft.last_H) if momentum else (soft.of_W, soft.of_H)
        classes_of(soft_H, problem.outcomes, how, classes)
        factors_of(soft_W, soft_H, how[1], smoothing.base, classes, W, H, rest)
        factors = Factors(W, H, np.zeros(H.shape), rest)
        likelihood[done] = evaluate(rows, problem.is_dense, factors)
    converged = None if schedule.tol is None else bool(settled)
    return Fit(problem.entropy - likelihood[: done + 1], rest, converged)
