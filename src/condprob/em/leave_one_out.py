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
    ) -> None:
        m = W.shape[1]
        self.problem, self.W, self.H, self.rest = problem, W, H, np.zeros(m)
        self.work = problem.size * m
        self.task = compiled.Task(
            np.empty((problem.values.size, m), np.float32),
            np.empty(W.shape),
            np.zeros(H.shape),
            np.zeros((threads, *H.shape)),
            *np.zeros((4, m)),
            smoothing,
        )
        self.kept = {
            name: getattr(self.task, name) for name in ("responsibilities", "of_W", "of_H")
        }

    @property
    def identity(self) -> tuple[tuple, tuple]:
        """See `Expectation`."""
        return (self.W, self.H), tuple(self.task.smoothing)

    def begin(self, course: np.ndarray, iterations: int) -> int:
        """Find the soft counts of the start, which is the first iteration, if there is one."""
        course[0, 0] = compiled.first_pass(self.problem, self.W, self.H, *self.task[:3])
        check_possible(course[0, :1])
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
            compiled.update_classes(task, problem.k)
            found = team.each(lambda r: compiled.left_out_pass(problem, task, *rows[r], r))
            compiled.merge_threads(task)
            course[0, t] = sum(found)
        return stop

    def finish(self, team: "Team | None", course: np.ndarray, done: int) -> None:
        """Smooth the soft counts into the factors, and find their likelihood."""
        if not done:
            return
        task, W, H = self.task, self.W, self.H
        compiled.update_classes(task, self.problem.k)
        compiled.smooth_into(self.problem, task, W, H, self.rest)
        course[0, done] = Expectation(self.problem, W, H, task.smoothing).find_likelihood(None)
