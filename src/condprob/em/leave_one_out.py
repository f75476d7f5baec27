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

from functools import cached_property

import numpy as np
from numba import njit

from condprob.em import expectation
from condprob.em.left_out_pass import (
    TINY,
    Classes,
    SoftCounts,
    Task,
    extrapolate,
    first_pass,
    left_out_pass,
)
from condprob.em.problem import Problem, Rows
from condprob.em.state import Course, Schedule, Smoothing, check_possible
from condprob.runtime.jit import JIT
from condprob.runtime.threads import Team, share_out
from condprob.smoothing import coefficients


@njit(**JIT)
def update_classes(task, soft_H):
    """Put into the classes what soft counts of ``H``, shape (columns, m), make of them."""
    (columns, m), classes, outcomes = soft_H.shape, task.classes, task.outcomes
    _, constant, discount, _, is_interpolated, strength = task.smoothing
    sums, kinds = np.zeros(m), np.zeros(m)
    for j in range(columns):
        for l in range(m):
            sums[l] += soft_H[j, l]
            kinds[l] += min(soft_H[j, l], 1.0)
    for l in range(m):
        total, seen = sums[l], kinds[l]
        if is_interpolated:
            added = max(strength, TINY)
            classes.taken[l], classes.given[l] = discount, added + discount * seen
            classes.total[l], classes.freed[l] = total + added, discount
        else:
            b, a, z = coefficients(constant, discount, total, seen, outcomes - seen)
            classes.taken[l], classes.given[l], classes.total[l] = a - b, a, z
        classes.seen[l] = seen


@njit(**JIT)
def smooth_into(task, soft_W, soft_H, W, H, rest):
    """Smooth soft counts into ``W``, ``H`` and what a class gives to an outcome without column.

    The last, ``rest``, of shape (m,), is in parts of the base.
    """
    (taken, given, totals, _, _), m = task.classes, task.classes.taken.size
    of_W, base = task.smoothing.of_W, task.smoothing.base
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
    """Add up what the threads of a pass found into ``of_H``, extrapolate it, and clear the parts.

    One sweep on one thread, for with few pairs the sweeps cost as much as the pass. See
    `SoftCounts` for the arrays and `extrapolate` for the momentum.
    """
    _, _, soft_H, new_H, _, last_H = task.soft
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


@njit(inline="always", **JIT)  # see `expectation`
def iterate_left_out(rows, task):
    """Run an iteration on one thread; return the likelihood that it found, and no penalty."""
    update_classes(task, task.soft.of_H)
    found = left_out_pass(rows, task, 0, len(task.soft.of_W), 0)
    merge_threads(task)
    return found, 0.0


class LeaveOneOut:
    """The engine of soft counts with one token of each pair left out: see `run.run`.

    ``Fit.risk`` has the empirical risk of the starting factors, then that of each iteration as it
    is with a token left out, and at the end that of the factors, nothing left out; nats. It has
    no penalty, and need not fall.

    Of a pair ``left_out`` tokens are left out: one, or none, which is EM. The momentum is less than
    one and quickens the fit: see `extrapolate`. All else is as of `expectation.Expectation`.
    """

    is_evaluated_alike = False  # the likelihood of the end leaves nothing out

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        schedule: Schedule,
        left_out: float = 1.0,
        momentum: float = 0.0,
    ) -> None:
        self.problem, self.schedule, m = problem, schedule, W.shape[1]
        self.W, self.H, self.rest = W, H, np.zeros(m)
        kept = (len(W), len(H)) if momentum else (0, 0)
        soft = SoftCounts(
            np.empty((problem.rows.values.size, m), np.float32),
            np.empty(W.shape),
            np.zeros(H.shape),
            np.zeros((schedule.threads, *H.shape)),
            *(np.empty((size, m)) for size in kept),
        )
        how = problem.outcomes, float(left_out), float(momentum)
        self.task = Task(soft, Classes(*np.zeros((5, m))), smoothing, *how)
        names = ["responsibilities", "of_W", "of_H", *(["last_W", "last_H"] if momentum else [])]
        self.kept = {name: getattr(soft, name) for name in names}

    @property
    def identity(self) -> tuple[tuple, tuple]:
        """See `expectation.Expectation`."""
        smoothing = self.task.smoothing
        options = (*smoothing.numbers, self.task.left_out, self.task.momentum)
        return (self.W, self.H, smoothing.base), options

    def add_up_kept(self, kept: dict[str, np.ndarray]) -> tuple[np.ndarray]:
        """Return the sums of the responsibilities of each pair in a checkpoint."""
        return (kept["responsibilities"].sum(axis=1, dtype=float),)

    @cached_property
    def shares(self) -> list[tuple[int, int]]:
        """Rows of each thread."""
        return share_out(self.problem.rows.indptr, self.schedule.threads)

    @property
    def compiled(self) -> tuple[Rows, None, Task]:
        """See `expectation.Expectation`."""
        return self.problem.rows, None, self.task

    def begin(self, course: Course) -> int:
        """Find the soft counts of the start, which is the first iteration, if there is one."""
        soft = self.task.soft
        course.likelihood[0] = first_pass(self.problem.rows, self.W, self.H, *soft[:3])
        check_possible(course.likelihood[:1])
        if self.task.momentum:
            soft.last_W[:], soft.last_H[:] = soft.of_W, soft.of_H
        return min(self.schedule.iterations, 1)

    def iterate_on(self, team: Team) -> tuple[float, float]:
        """Do what `iterate_left_out` does on several threads."""
        rows, task, shares = self.problem.rows, self.task, self.shares
        update_classes(task, task.soft.of_H)
        found = team.each(lambda r: left_out_pass(rows, task, *shares[r], r))
        merge_threads(task)
        return sum(found), 0.0

    def finish(self, team: Team, course: Course, done: int) -> None:
        """Smooth the soft counts into the factors, and record their likelihood."""
        if not done:
            return
        task, soft, W, H, rest = self.task, self.task.soft, self.W, self.H, self.rest
        soft_W, soft_H = (soft.last_W, soft.last_H) if task.momentum else (soft.of_W, soft.of_H)
        update_classes(task, soft_H)
        smooth_into(task, soft_W, soft_H, W, H, rest)
        if not self.schedule.evaluated:
            return
        factors = expectation.Factors(W, H, np.zeros((1, *H.shape)), rest)
        of_EM = expectation.Task(
            factors, task.smoothing, task.outcomes, self.problem.is_dense, False
        )
        course.likelihood[done] = expectation.evaluate(self.problem.rows, of_EM)
