r"""Expectation-maximisation with the smoothing inside (Section 5): the definition and the loop.

The counts ``C``, contexts by outcomes, are factorised: ``P(j | i) = sum_l W_il H_lj``. An iteration
turns the factors into soft counts, both from the same product, and smooths each row of them:

.. math::
    W_{il} \leftarrow W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
    H_{lj} \leftarrow H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}.

`factorise` is this definition on dense arrays. `run` computes the same numbers from sparse counts:
`problem` reduces the counts to rows and columns that differ, `starts` makes the first factors, and
`passes` has the compiled iteration. Other soft counts have engines of their own: `leave_one_out`
leaves one token of each pair out, `tempering` tempers the responsibilities.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from condprob.em import passes
from condprob.em.passes import Smoothing, Task
from condprob.em.problem import Problem
from condprob.runtime.jit import sum_of_logs
from condprob.runtime.progress import Goal, drive
from condprob.runtime.threads import Team, share_out, split_evenly

if TYPE_CHECKING:
    from condprob.em.leave_one_out import LeaveOneOut
    from condprob.em.tempering import Tempered
    from condprob.runtime.checkpoints import Checkpoint

# Pairs and rows of factors, times classes, between two chances to interrupt: measured on one core,
# a tenth of a second of EM, and two tenths with a token left out.
CHUNK = 10**8
# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS = 8

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


class Fit(NamedTuple):
    """The course of a fit; the factors themselves are changed in place."""

    # shape (iterations done + 1,): the objective as each iteration found it, and after the last:
    # ``sum C log((C_ij / C_i) / Q_ij)`` and the penalty of Eq. (3), if there is one; nats
    risk: np.ndarray
    rest: np.ndarray  # shape (m,): the probability of an outcome without a column, by row of ``H``
    converged: bool | None  # whether ``tol`` was met; None where none was given


def run(engine: "Expectation | LeaveOneOut | Tempered", schedule: Schedule) -> Fit:
    """Iterate on both factors, in place, until the iterations are done or the objective settles.

    Raises ValueError if the start gives probability zero to a pair that was seen, or the checkpoint
    belongs to another fit.
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

    def iterate(start, stop):
        nonlocal done
        done = engine.iterate(team, course, start, stop, tolerance)
        return done, has_settled(done - engine.lag)

    settled = has_settled(done - engine.lag)
    last = done if settled else schedule.iterations
    goal = Goal("change", schedule.tol, last_change) if schedule.tol else None
    with Team(schedule.threads) as team:
        steps = CHUNK // engine.work + 1 if team.size == 1 else 1
        settled |= drive(iterate, done, last, steps, keeper, schedule.progress, goal)
        engine.finish(team, course, done)
    # The likelihood of the end may show that the last iteration changed less than `tol`.
    settled |= engine.is_evaluated_alike and has_settled(done)
    likelihood, penalty = course[:, : done + 1]
    converged = None if schedule.tol is None else settled
    return Fit(engine.problem.entropy - likelihood - penalty, engine.rest, converged)


def _keeper(engine, schedule, course):
    """Return the `Keeper` of a fit, or None if the fit has no checkpoint."""
    if not schedule.checkpoint:
        return None
    from condprob.runtime.checkpoints import Identity, Keeper

    start, options = engine.identity
    options = (*options, schedule.tol, schedule.threads)
    identity = Identity.of(engine.problem[:7], start, options)
    course = dict(zip(("likelihood", "penalty"), course, strict=True))
    return Keeper(schedule.checkpoint, identity, engine.kept, course)


def check_possible(likelihood: np.ndarray) -> None:
    """Raise ValueError unless likelihoods are finite."""
    if not np.isfinite(likelihood).all():
        raise ValueError("the starting factors give probability zero to a pair that was seen")


class Expectation:
    """The engine of EM: the iterations of `passes` on one thread, or shared by several.

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
    is_evaluated_alike = True  # the likelihood of the end is of the same kind as the others

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
        self.task = Task(W, H, soft_H, self.rest, smoothing, problem.is_dense, alternating)
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
        self, team: Team, course: np.ndarray, start: int, stop: int, tolerance: float
    ) -> int:
        """Run iterations ``start..stop-1``, fewer once the objective settles; return where."""
        if team.size == 1:
            return passes.iterate(self.problem, self.task, *course, start, stop, tolerance)
        for t in range(start, stop):
            course[0, t], course[1, t + 1] = self._iterate_on(team)
        return stop

    def _iterate_on(self, team):
        """Do one iteration of `passes.iterate` on several threads."""
        W, H, soft_H, rest, smoothing, _, is_alternating = self.task
        found, penalty = self._visit(team, True), 0.0
        if is_alternating:
            soft_H[:] = 0.0
            self._visit(team, False)
        columns = split_evenly(len(H), team.size)
        unseen_outcomes = self.problem.k - len(H)
        sums = np.zeros((team.size, 3, H.shape[1]))
        sums[0, 2] = unseen_outcomes
        team.each(lambda r: passes.add_up(H, soft_H, *columns[r], *sums[r]))
        b, a, scale = np.empty((3, rest.size))
        passes.find_coefficients(smoothing, *sums.sum(axis=0), b, a, scale)
        team.each(lambda r: passes.smooth(H, *columns[r], b, a, scale))
        rest[:] = a * scale
        if passes.is_penalised(smoothing):
            rows = split_evenly(len(W), team.size)

            def sum_of_part(r):
                return sum_of_logs(W[slice(*rows[r])]) + sum_of_logs(H[slice(*columns[r])])

            logs = sum(team.each(sum_of_part)) + unseen_outcomes * np.log(rest).sum()
            penalty = smoothing.constant * logs
        return found, penalty

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        """Ranges of rows, which threads take in turn."""
        threads = len(self.task.soft_H)
        return share_out(self.problem.indptr, threads * (1 if self.task.is_dense else BLOCKS))

    def _visit(self, team, update_W):
        """Pass over all rows, each thread over its blocks; return ``sum C log(W H)``, nats."""
        W, H, soft_H, _, smoothing, is_dense, _ = self.task
        visit = passes.dense_pass if is_dense else passes.sparse_pass

        def visit_blocks(r):
            how = smoothing.of_W, update_W, W, H, soft_H[r]
            blocks = self._blocks[r :: team.size] if team.size > 1 else [(0, len(W))]
            return sum(visit(self.problem, *block, *how) for block in blocks)

        return sum(team.each(visit_blocks))

    def find_likelihood(self, team: Team) -> float:
        """Return ``sum C log(W H)`` of the factors, nats."""
        found = self._visit(team, False)
        self.task.soft_H[:] = 0.0
        return found

    def finish(self, team: Team, course: np.ndarray, done: int) -> None:
        """Record the likelihood of the factors."""
        course[0, done] = self.find_likelihood(team)
        check_possible(course[0, : done + 1])
