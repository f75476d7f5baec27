r"""Soft counts with one token left out, in place of those of EM.

EM computes the responsibilities of a pair from factors that the pair itself has shaped, so that a
pair seen once is explained by its own context alone. Here one token of the pair, with the
responsibilities that it had, is taken out of both factors' soft counts before its new ones are
computed, as CVB0 does for topic models (Asuncion et al. 2009):

.. math::
    \gamma_{ijl} \propto \bigl(s_{il} - \gamma_{ijl} + a\bigr)\, H_{lj}^{-},

where ``H^-`` smooths the soft counts ``s_lj - gamma_ijl``. All pairs change at once, from the same
old soft counts: the result does not depend on their order. The first responsibilities are those of
the starting factors, as in EM. A pair that counts for less than one token is taken out entirely.

With momentum the next pass begins beyond the soft counts of a pass, further along the way from
those of the pass before it (heavy-ball; Polyak 1964). It comes near the same fixed points in fewer
passes.
"""

from typing import TYPE_CHECKING

import numpy as np

from condprob.em import Expectation, check_possible
from condprob.em import left_out_pass as compiled
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem

if TYPE_CHECKING:
    from condprob.em.threads import Team


class LeaveOneOut:
    """The engine of soft counts with one token of each pair left out: see `Expectation`.

    ``Fit.risk`` has the empirical risk of the starting factors, then that of each iteration with a
    token left out, and at the end that of the factors with nothing left out; nats. It has no
    penalty, and need not fall.

    Parameters
    ----------
    problem, W, H, smoothing, threads
        See `Expectation`.
    base : numpy.ndarray, shape (columns,), optional
        Interpolates every class with this distribution, without the outcomes that have no column,
        as in a Pitman-Yor process: the discount is shared in its proportions, and there is no
        constant.
    strength : float
        Tokens that are added to each class in the same proportions.
    left_out : float
        Tokens of a pair that are left out: one, or none, which is EM.
    momentum : float
        Less than one: see `left_out_pass.extrapolate`.
    is_evaluated : bool
        Whether the likelihood of the end is found; it is zero if not.
    """

    lag = 1
    is_evaluated_alike = False  # the likelihood of the end leaves nothing out

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        threads: int = 1,
        *,
        base: np.ndarray | None = None,
        strength: float = 0.0,
        left_out: float = 1.0,
        momentum: float = 0.0,
        is_evaluated: bool = True,
    ) -> None:
        m, with_last = W.shape[1], (len(W), len(H)) if momentum else (0, 0)
        self.problem, self.W, self.H, self.rest = problem, W, H, np.zeros(m)
        self.is_evaluated, self.work = is_evaluated, problem.size * m
        self.task = compiled.Task(
            np.empty((problem.values.size, m), np.float32),
            np.empty(W.shape),
            np.zeros(H.shape),
            np.zeros((threads, *H.shape)),
            *(np.empty((size, m)) for size in with_last),
            *np.zeros((5, m)),
            np.ones(len(H)) if base is None else base,
            smoothing,
            base is not None,
            float(strength),
            float(left_out),
            float(momentum),
        )
        names = ["responsibilities", "of_W", "of_H", *(["last_W", "last_H"] if momentum else [])]
        self.kept = {name: getattr(self.task, name) for name in names}

    @property
    def identity(self) -> tuple[tuple, tuple]:
        """See `Expectation`."""
        return (self.W, self.H, self.task.base), (*self.task.smoothing, *self.task[-4:])

    def begin(self, course: np.ndarray, iterations: int) -> int:
        """Find the soft counts of the start, which is the first iteration, if there is one."""
        task = self.task
        course[0, 0] = compiled.first_pass(self.problem, self.W, self.H, *task[:3])
        check_possible(course[0, :1])
        if task.momentum:
            task.last_W[:], task.last_H[:] = task.of_W, task.of_H
        return min(iterations, 1)

    def iterate(
        self, team: "Team | None", course: np.ndarray, start: int, stop: int, tolerance: float
    ) -> int:
        """See `Expectation`; several threads share the rows of each pass."""
        problem, task = self.problem, self.task
        if team is None:
            return compiled.iterate(problem, task, *course, start, stop, tolerance)
        from condprob.em.threads import share_out

        rows = share_out(problem.indptr, team.size)
        for t in range(start, stop):
            compiled.update_classes(task, problem.k, task.of_H)
            found = team.each(lambda r: compiled.left_out_pass(problem, task, *rows[r], r))
            compiled.merge_threads(task)
            course[0, t] = sum(found)
        return stop

    def finish(self, team: "Team | None", course: np.ndarray, done: int) -> None:
        """Smooth the soft counts into the factors, and find their likelihood if it is wanted."""
        if not done:
            return
        task, W, H = self.task, self.W, self.H
        soft_W, soft_H = (task.last_W, task.last_H) if task.momentum else (task.of_W, task.of_H)
        compiled.update_classes(task, self.problem.k, soft_H)
        compiled.smooth_into(task, soft_W, soft_H, W, H, self.rest)
        if self.is_evaluated:
            em = Expectation(self.problem, W, H, task.smoothing)
            course[0, done] = em.find_likelihood(None)
