"""Tempered EM (Hofmann 1999): responsibilities ``gamma_ijl`` as ``(W_il H_lj)^temperature``.

Below one they are softer than those of EM, which fits the pairs less closely; at one it is EM.

READING: Hofmann's own model is ``P(l) P(i | l) P(j | l)`` and he tempers the last two; here it is
``W_il H_lj``, ``P(l | i) P(j | l)``, and both are.
"""

import numpy as np
from numba import njit
from scipy.sparse import csr_array

from condprob.counts import CountMatrix
from condprob.em.problem import Problem
from condprob.em.run import Fit
from condprob.em.state import Course, Schedule, check_possible, is_settled
from condprob.runtime.checkpoints import Identity, Keeper
from condprob.runtime.jit import JIT
from condprob.runtime.products import products_at
from condprob.runtime.progress import Goal, chunks

# Of a product of factors. Arithmetic: counts of 1e-99 and of 1e15 divided by it are numbers.
LEAST = 1e-200


def iterate_tempered(
    counts: csr_array, W: np.ndarray, H: np.ndarray, temperature: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors after an iteration.

    With ``U = W^temperature`` and ``V = H^temperature`` the soft counts are those of EM of
    ``U V``, as if these were the factors.

    Parameters
    ----------
    counts : scipy.sparse.csr_array, shape (contexts, outcomes)
        No context and no outcome is without counts.
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (outcomes, m)
        Transposed.
    temperature : float
    """
    # Each row is divided by its largest, which the soft counts do not see: none vanishes.
    U, V = ((each / each.max(axis=1, keepdims=True)) ** temperature for each in (W, H))
    soft_W, soft_H = np.zeros_like(U), np.zeros_like(V)
    _soften(counts.indptr, counts.indices, counts.data, U, V, soft_W, soft_H)
    soft_H[:, soft_H.sum(axis=0) == 0] = 1.0  # a class that has died
    return soft_W / soft_W.sum(axis=1, keepdims=True), soft_H / soft_H.sum(axis=0)


def run_tempered(
    counts: CountMatrix, W: np.ndarray, H: np.ndarray, temperature: float, schedule: Schedule
) -> Fit:
    """Iterate on both factors, in place: what `em.run.run` does, tempered, on one thread.

    Parameters
    ----------
    counts : CountMatrix
    W, H : numpy.ndarray, shapes (seen contexts, m) and (seen outcomes, m)
    temperature : float
    schedule : Schedule
        Updates are simultaneous.
    """
    problem = Problem.of_counts(counts)
    among = counts.sparse()[counts.seen_contexts][:, counts.seen_outcomes]
    contexts = np.repeat(np.arange(len(W)), np.diff(among.indptr))
    most = among.data @ np.log(among.data / counts.row_sums[counts.contexts])
    course = Course(*np.zeros((2, schedule.iterations + 1)))
    tolerance = (schedule.tol or 0.0) * (counts.n or 1.0)
    keeper = Keeper(
        schedule.checkpoint,
        # Counts and start are identified as `em.run` does: what is other is the temperature.
        lambda: Identity.of((*problem.rows, problem.outcomes), (W, H),
                            (temperature, *schedule.decisive)),
        {"W": W, "H": H}, {"likelihood": course.likelihood},
        lambda kept: (kept["W"].sum(axis=1), kept["H"].sum(axis=0)),
    )  # fmt: skip

    def look(t):
        """Record the likelihood of the factors; return whether it has settled."""
        products = products_at(contexts, among.indices, W, H)
        course.likelihood[t] = among.data @ np.log(np.maximum(products, LEAST))
        return tolerance > 0 and bool(is_settled(course, t, tolerance))

    def last_change():  # nats per pair
        change = course.likelihood[done] - course.likelihood[done - 1]
        return abs(change) * schedule.tol / tolerance

    done = keeper.restore()
    settled = look(done)
    last = done if settled else schedule.iterations
    goal = Goal("change", schedule.tol, last_change) if schedule.tol else None
    for _, stop in chunks(last, 1, schedule.progress, done=done, goal=goal):
        W[...], H[...] = iterate_tempered(among, W, H, temperature)
        done, settled = stop, look(stop)
        keeper.save(done, is_last=settled or done == last)
        if settled:
            break
    check_possible(course.likelihood[: done + 1])
    converged = None if schedule.tol is None else settled
    rest = np.full(W.shape[1], 0.0 if len(H) else 1 / counts.shape[1])
    return Fit(most - course.likelihood[: done + 1], rest, converged)


@njit(**JIT)
def _soften(indptr, outcomes, values, U, V, soft_W, soft_H):
    """Add the soft counts of both factors to zeros."""
    m = U.shape[1]
    for i in range(len(U)):
        for p in range(indptr[i], indptr[i + 1]):
            j, product = outcomes[p], 0.0
            for l in range(m):
                product += U[i, l] * V[j, l]
            ratio = values[p] / max(product, LEAST)
            for l in range(m):
                soft_W[i, l] += ratio * V[j, l]
                soft_H[j, l] += ratio * U[i, l]
    for l in range(m):
        for i in range(len(U)):
            soft_W[i, l] *= U[i, l]
        for j in range(len(V)):
            soft_H[j, l] *= V[j, l]
