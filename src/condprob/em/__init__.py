r"""Expectation-maximisation with the smoothing inside (Section 5): the definition and the loop.

The counts ``C``, contexts by outcomes, are factorised: ``P(j | i) = sum_l W_il H_lj``. An iteration
turns the factors into soft counts, both from the same product, and smooths each row of them:

.. math::
    W_{il} \leftarrow W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
    H_{lj} \leftarrow H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}.

`factorise` is this definition on dense arrays. `run` computes the same numbers from sparse counts:
`problem` reduces the counts to rows and columns that differ, `starts` makes the first factors,
`passes` has the compiled iteration, and `threads` shares it out. Other soft counts have an
engine of their own: see `Expectation`.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from condprob.em import passes
from condprob.em.passes import Smoothing, Task
from condprob.em.problem import Problem

if TYPE_CHECKING:
    from condprob.checkpoints import Checkpoint, Keeper
    from condprob.em.threads import Team

# Pairs and rows of factors, times classes, between two chances to interrupt: measured on one core,
# a tenth of a second of EM.
CHUNK = 10**8

Smoother = Callable[[np.ndarray], np.ndarray]


def factorise(
    C: np.ndarray,
    W: np.ndarray,
    H: np.ndarray,
    smooth_W: Smoother,
    smooth_H: Smoother,
    iterations: int,
    update: str = "simultaneous",
) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors after so many iterations: the algorithm of Section 5, as it is printed.

    Parameters
    ----------
    C : numpy.ndarray, shape (contexts, outcomes)
    W, H : numpy.ndarray, shapes (contexts, m) and (m, outcomes)
    smooth_W, smooth_H : callable
        Vector smoothers (`smoothing`): each turns rows of soft counts into distributions.
    iterations : int
    update : "simultaneous" or "alternating"
        Whether the soft counts of ``H`` are those of the old ``W`` or of the new one.
    """

    def soft_counts(W, H):
        ratio = np.divide(C, W @ H, out=np.zeros(C.shape), where=C > 0)
        return W * (ratio @ H.T), H * (W.T @ ratio)

    for _ in range(iterations):
        soft_W, soft_H = soft_counts(W, H)
        W = smooth_W(soft_W)
        if update == "alternating":
            _, soft_H = soft_counts(W, H)
        H = smooth_H(soft_H)
    return W, H


@dataclass(frozen=True)
class Schedule:
    """When a fit stops, and how it is run."""

    iterations: int  # at most so many
    # change of the objective in one iteration, nats per pair, at which it stops; None for never
    tol: float | None = None
    threads: int = 1
    progress: bool = False
    checkpoint: "Checkpoint | None" = None
    team: "Team | None" = None  # that shares the passes, in place of threads


class Fit(NamedTuple):
    """The course of a fit; the factors themselves are changed in place."""

    # shape (iterations done + 1,): the objective as each iteration found it, and after the last:
    # ``sum C log((C_ij / C_i) / Q_ij)`` and the penalty of Eq. (3), if there is one; nats
    risk: np.ndarray
    rest: np.ndarray  # shape (m,): the probability of an outcome without a column, by row of ``H``
    converged: bool | None  # whether ``tol`` was met; None where none was given


def run(engine: Any, schedule: Schedule) -> Fit:
    """Iterate on both factors, in place, until the iterations are done or the objective settles.

    The engine is `Expectation`, or another with its methods. Raises ValueError if the start gives
    probability zero to a pair that was seen, or the checkpoint belongs to another fit.
    """
    course = np.zeros((2, schedule.iterations + 1))  # likelihood and penalty, nats
    tolerance = (schedule.tol or 0.0) * (engine.problem.sums.sum() or 1.0)
    keeper = _keeper(engine, schedule, course)
    done = (keeper and keeper.restore()) or engine.begin(course, schedule.iterations)

    def has_settled(t):
        return tolerance > 0.0 and bool(passes.is_settled(*course, t, tolerance))

    def last_change():  # nats per pair
        now, before = course.sum(axis=0)[[done - engine.lag, done - engine.lag - 1]]
        return abs(now - before) * schedule.tol / tolerance if done > engine.lag else inf

    settled = has_settled(done - engine.lag)
    last = done if settled else schedule.iterations
    with _team(schedule) as team, _shown(schedule, last, done, last_change) as show:
        steps = CHUNK // engine.work + 1 if team is None else 1
        while done < last and not settled:
            done = engine.iterate(team, course, done, min(done + steps, last), tolerance)
            settled = has_settled(done - engine.lag)
            show(done)
            if keeper:
                keeper.save(done, is_last=settled or done == last)
        engine.finish(team, course, done)
    # The likelihood of the end may show that the last iteration changed less than `tol`.
    settled |= has_settled(done)
    likelihood, penalty = course[:, : done + 1]
    converged = None if schedule.tol is None else settled
    return Fit(engine.problem.entropy - likelihood - penalty, engine.rest, converged)


def _team(schedule: Schedule):
    """Return the `Team` of a fit; None stands for one thread."""
    if schedule.team or schedule.threads == 1:
        return nullcontext(schedule.team)
    from condprob.em.threads import Team

    return Team(schedule.threads)


def _shown(schedule: Schedule, last: int, done: int, last_change: Callable[[], float]):
    """Return the bar of a fit, a function of the iterations done; it does nothing if not wanted."""
    if not schedule.progress:
        return nullcontext(lambda done: None)
    from condprob.progress import Goal, shown

    goal = Goal("change", schedule.tol, last_change) if schedule.tol else None
    return shown(last, done=done, goal=goal)


def _keeper(engine, schedule: Schedule, course: np.ndarray) -> "Keeper | None":
    """Return the keeper of a fit, or None if the fit has no checkpoint."""
    if not schedule.checkpoint:
        return None
    from condprob.checkpoints import Keeper

    start, options = engine.identity
    options = (*options, schedule.tol, schedule.threads)
    course = dict(zip(("likelihood", "penalty"), course, strict=True))
    fit = engine.problem[:7], start, options
    state = engine.kept | (schedule.team.kept if schedule.team else {})
    return Keeper(schedule.checkpoint, fit, state, course)


def check_possible(likelihood: np.ndarray) -> None:
    """Raise ValueError unless likelihoods are finite."""
    if not np.isfinite(likelihood).all():
        raise ValueError("the starting factors give probability zero to a pair that was seen")


class Expectation:
    """The engine of EM: the iterations of `passes` on one thread, or of `threads` on several.

    An engine has the methods ``begin``, ``iterate`` and ``finish``, which `run` calls. After ``t``
    iterations entry ``t - lag`` of the course is known. ``kept`` are the arrays of a checkpoint.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The start, C-contiguous; changed in place.
    smoothing : Smoothing
    threads : int
    alternating : bool
        Whether ``H`` is updated from the product with the new ``W``.
    penalty : float
        The penalty of Eq. (3) at the start, nats.
    """

    lag = 1

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        threads: int = 1,
        alternating: bool = False,
        penalty: float = 0.0,
    ) -> None:
        soft_H, self.rest = np.zeros((threads, *H.shape)), np.zeros(W.shape[1])
        self.problem, self.penalty = problem, penalty
        self.task = Task(W, H, soft_H, self.rest, smoothing, alternating)
        self.how = problem, self.task, True if problem.is_dense else None
        self.all_rows = 0, len(W)
        self.kept = {"W": W, "H": H, "rest": self.rest}
        self.work = problem.size * W.shape[1]

    @property
    def identity(self) -> tuple[tuple, tuple]:
        """Arrays and numbers that, with the counts and the schedule, determine the fit."""
        task = self.task
        return (task.W, task.H), (*task.smoothing, task.is_alternating)

    def begin(self, course: np.ndarray, iterations: int) -> int:
        """Record the penalty of the start; return the iterations done, which are none."""
        course[1, 0] = self.penalty
        return 0

    def iterate(
        self, team: "Team | None", course: np.ndarray, start: int, stop: int, tolerance: float
    ) -> int:
        """Run iterations ``start..stop-1``, fewer once the objective settles; return where."""
        if team is None:
            return passes.iterate(*self.how, self.all_rows, *course, start, stop, tolerance)
        for t in range(start, stop):
            course[0, t], course[1, t + 1] = team.iterate(*self.how)
        return stop

    def find_likelihood(self, team: "Team | None", update_W: bool = False) -> float:
        """Return ``sum C log(W H)`` of the factors, nats; no iteration can follow."""
        if team is not None:
            return team.visit(*self.how, update_W)
        return passes.visit(*self.how, self.all_rows, update_W)

    def finish(self, team: "Team | None", course: np.ndarray, done: int) -> None:
        """Record the likelihood of the factors."""
        course[0, done] = self.find_likelihood(team)
        check_possible(course[0, : done + 1])
