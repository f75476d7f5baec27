"""Soft counts of EM, as the paper has them (Section 5).

An iteration is a pass over the pairs, which finds the objective, replaces ``W`` and adds up the
soft counts of ``H``; then those are smoothed. It stands here twice, of the same pieces: compiled,
for one thread, where a call from Python would cost more than an iteration of a small fit; and for
several threads, which share out the pieces.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.kernels import add_up, coefficients_of_classes, dense_pass, smooth, sparse_pass
from condprob.em.problem import Problem, Rows
from condprob.em.state import Course, Schedule, Smoothing, check_possible
from condprob.runtime.jit import JIT
from condprob.runtime.simd import sum_of_logs
from condprob.runtime.threads import Team, share_out, split_evenly

# Blocks of rows for each thread, dealt out in turn, for pairs of frequent contexts take longer.
# The number itself was not measured.
BLOCKS = 8


class Factors(NamedTuple):
    """What the iterations change in place."""

    W: np.ndarray  # shape (rows, m)
    H: np.ndarray  # shape (columns, m): transposed
    # shape (threads, columns, m): soft counts that lack their last factor, ``H`` itself, until
    # `add_up`; zero between iterations
    soft_H: np.ndarray
    rest: np.ndarray  # shape (m,): what each row of ``H`` gives to an outcome that has no column


class Task(NamedTuple):
    """What the compiled functions are given, besides the rows."""

    factors: Factors
    smoothing: Smoothing
    outcomes: int  # over how many outcomes a row of ``H`` is smoothed
    is_dense: bool  # which pass visits the rows
    is_alternating: bool  # whether the soft counts of ``H`` are those of the new ``W``


@njit(inline="always", **JIT)  # saves some percent of an iteration of 300 pairs
def visit(rows, task, start, stop, r, update_W):
    """Pass over rows ``start..stop-1`` as thread ``r``; return their ``sum C log(W H)``, nats."""
    W, H, soft_H, of_W = task.factors.W, task.factors.H, task.factors.soft_H[r], task.smoothing.of_W
    if task.is_dense:
        return dense_pass(rows, start, stop, of_W, update_W, W, H, soft_H)
    return sparse_pass(rows, start, stop, of_W, update_W, W, H, soft_H)


@njit(**JIT)
def is_penalised(smoothing):
    """Whether the fit has the penalty of Eq. (3): both factors are smoothed by a constant."""
    return smoothing.of_W > 0.0 and smoothing.constant > 0.0 and smoothing.discount == 0.0


@njit(inline="always", **JIT)  # likewise
def iterate_expectation(rows, task):
    """Run an iteration on one thread; return the likelihood before it and the penalty after it."""
    (W, H, soft_H, rest), smoothing, m = task.factors, task.smoothing, task.factors.W.shape[1]
    likelihood, penalty = 0.0, 0.0
    for half in range(2 if task.is_alternating else 1):
        found = visit(rows, task, 0, len(W), 0, half == 0)
        if half == 0:
            likelihood = found
            if task.is_alternating:  # the soft counts of H: once more, from the new W
                soft_H[:] = 0.0
    unseen_outcomes = task.outcomes - len(H)
    total, seen, unseen = np.zeros(m), np.zeros(m), np.full(m, float(unseen_outcomes))
    add_up(H, soft_H, 0, len(H), total, seen, unseen)
    b, a, scale = coefficients_of_classes(smoothing, total, seen, unseen)
    smooth(H, 0, len(H), b, a, scale)
    rest[:] = a * scale
    if is_penalised(smoothing):
        logs = sum_of_logs(W) + sum_of_logs(H) + unseen_outcomes * np.log(rest).sum()
        penalty = smoothing.constant * logs
    return likelihood, penalty


@njit(**JIT)
def evaluate(rows, task):
    """Return ``sum C log(W H)``, nats; only ``soft_H`` is used, and cleared again."""
    found = visit(rows, task, 0, len(task.factors.W), 0, False)
    task.factors.soft_H[:] = 0.0
    return found


class Expectation:
    """The engine of EM: see `run.run`.

    ``W``, shape (rows, m), and ``H``, transposed, shape (columns, m), are C-contiguous and changed
    in place; the penalty is that of the start: see `Course`.
    """

    is_evaluated_alike = True  # the likelihood of the end is of the kind of those before

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        schedule: Schedule,
        penalty: float = 0.0,
    ) -> None:
        self.problem, self.schedule, self.penalty = problem, schedule, penalty
        threads = schedule.threads
        factors = Factors(W, H, np.zeros((threads, *H.shape)), np.zeros(W.shape[1]))
        how = problem.outcomes, problem.is_dense, schedule.alternating
        self.task = Task(factors, smoothing, *how)
        self.rest, self.kept = factors.rest, {"W": W, "H": H, "rest": factors.rest}

    @property
    def identity(self) -> tuple[tuple, tuple]:
        """Arrays and numbers that, with the counts and the schedule, decide on the fit."""
        W, H, *_ = self.task.factors
        return (W, H), self.task.smoothing.numbers

    def add_up_kept(self, kept: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums of all rows of both factors in a checkpoint."""
        W, H, rest = kept["W"], kept["H"], kept["rest"]
        return W.sum(axis=1), H.sum(axis=0) + (self.task.outcomes - len(H)) * rest

    @cached_property
    def shares(self) -> tuple[list, list, list]:
        """Blocks of rows for the passes; the rows and the columns of each thread in between."""
        (W, H, *_), threads = self.task.factors, self.schedule.threads
        blocks = threads * (1 if self.task.is_dense else BLOCKS)
        of_passes = share_out(self.problem.rows.indptr, blocks)
        return of_passes, split_evenly(len(W), threads), split_evenly(len(H), threads)

    @property
    def compiled(self) -> tuple[Rows, Task, None]:
        """What `run.iterate` is given."""
        return self.problem.rows, self.task, None

    def begin(self, course: Course) -> int:
        """Record what is known of the start; return the iterations that took: none."""
        course.penalty[0] = self.penalty
        return 0

    def iterate_on(self, team: Team) -> tuple[float, float]:
        """Do what `iterate_expectation` does on several threads."""
        (W, H, soft_H, rest), smoothing = self.task.factors, self.task.smoothing
        _, rows, columns = self.shares
        found, penalty = self._visit(team, True), 0.0
        if self.task.is_alternating:
            soft_H[:] = 0.0
            self._visit(team, False)
        unseen_outcomes = self.task.outcomes - len(H)
        sums = np.zeros((team.size, 3, H.shape[1]))
        sums[0, 2] = unseen_outcomes
        team.each(lambda r: add_up(H, soft_H, *columns[r], *sums[r]))
        b, a, scale = coefficients_of_classes(smoothing, *sums.sum(axis=0))
        team.each(lambda r: smooth(H, *columns[r], b, a, scale))
        rest[:] = a * scale
        if is_penalised(smoothing):

            def sum_of_part(r):
                return sum_of_logs(W[slice(*rows[r])]) + sum_of_logs(H[slice(*columns[r])])

            logs = sum(team.each(sum_of_part)) + unseen_outcomes * np.log(rest).sum()
            penalty = smoothing.constant * logs
        return found, penalty

    def _visit(self, team, update_W):
        """Pass over all rows, each thread over its blocks; return ``sum C log(W H)``."""
        rows, task, (blocks, _, _) = self.problem.rows, self.task, self.shares

        def visit_blocks(r):
            return sum(visit(rows, task, *block, r, update_W) for block in blocks[r :: team.size])

        return sum(team.each(visit_blocks))

    def finish(self, team: Team, course: Course, done: int) -> None:
        """Record the likelihood of the factors."""
        if team.size == 1:
            course.likelihood[done] = evaluate(self.problem.rows, self.task)
        else:
            course.likelihood[done] = self._visit(team, False)
        check_possible(course.likelihood[: done + 1])
