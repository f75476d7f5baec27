"""The EM loop: soft counts and objective, smoothing of ``H``, record, stop (Section 5)."""

import numpy as np
from numba import njit

from condprob.em.kernels import add_up, coefficients_of_classes, dense_pass, smooth, sparse_pass
from condprob.em.simd import JIT, sum_of_logs
from condprob.em.state import is_penalised, is_settled


@njit(**JIT)
def iterate(rows, dense, factors, smoothing, alternating, course, start, stop, tolerance):
    """Run iterations ``start..stop-1`` in place, fewer once the objective has settled.

    It returns no array: Numba runs Python code to return one, and an interrupt that falls there
    would come out as a SystemError.

    Parameters
    ----------
    rows : problem.Rows
    dense : bool
        Which pass visits them.
    factors : state.Factors
    smoothing : state.Smoothing
    alternating : bool
        Whether the soft counts of ``H`` are those of the new ``W``.
    course : state.Course
        Receives ``likelihood[t]`` and ``penalty[t + 1]`` of each iteration ``t``.
    start, stop : int
    tolerance : float
        Change of the objective, nats in all, below which it has settled; 0 for never.

    Returns
    -------
    int
        Where it stopped.
    """
    (W, H, soft_H, rest), m = factors, factors.W.shape[1]
    for t in range(start, stop):
        for half in range(2 if alternating else 1):
            update_W = half == 0
            if dense:
                found = dense_pass(rows, 0, len(W), smoothing.of_W, update_W, W, H, soft_H)
            else:
                found = sparse_pass(rows, 0, len(W), smoothing.of_W, update_W, W, H, soft_H)
            if update_W:
                course.likelihood[t] = found
                if alternating:  # the soft counts of H: once more, from the new W
                    soft_H[:] = 0.0
        unseen_outcomes = smoothing.outcomes - len(H)
        total, seen, unseen = np.zeros(m), np.zeros(m), np.full(m, float(unseen_outcomes))
        add_up(H, soft_H, 0, len(H), total, seen, unseen)
        b, a, scale = coefficients_of_classes(smoothing, total, seen, unseen)
        smooth(H, 0, len(H), b, a, scale)
        rest[:] = a * scale
        if is_penalised(smoothing):
            logs = sum_of_logs(W) + sum_of_logs(H) + unseen_outcomes * np.log(rest).sum()
            course.penalty[t + 1] = smoothing.constant * logs
        if is_settled(course, t, tolerance):
            return t + 1
    return stop


@njit(**JIT)
def evaluate(rows, dense, factors):
    """Return ``sum C log(W H)``, nats; only ``soft_H`` is used, and cleared again."""
    W, H, soft_H, _ = factors
    if dense:
        found = dense_pass(rows, 0, len(W), 0.0, False, W, H, soft_H)
    else:
        found = sparse_pass(rows, 0, len(W), 0.0, False, W, H, soft_H)
    soft_H[:] = 0.0
    return found
