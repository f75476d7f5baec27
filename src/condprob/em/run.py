"""The loop: start, iterations in chunks that can be interrupted, record, stop."""

from math import inf
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.expectation import Expectation, iterate_expectation
from condprob.em.leave_one_out import LeaveOneOut, iterate_left_out
from condprob.em.state import Course, is_settled
from condprob.runtime.checkpoints import Identity, Keeper
from condprob.runtime.jit import JIT
from condprob.runtime.progress import Goal, chunks
from condprob.runtime.threads import Team

# Pairs and rows of factors, times classes, between two chances to interrupt: measured on one core,
# a tenth of a second of EM, and two tenths with a token left out.
CHUNK = 10**8


class Fit(NamedTuple):
    """What the iterations leave, besides the factors, which they change in place."""

    # shape (iterations done + 1,): ``sum C log((C_ij / C_i) / Q_ij)`` as each iteration found it
    # and after the last, and the penalty of Eq. (3) where there is one; nats.
    risk: np.ndarray
    rest: np.ndarray  # shape (m,): what each row of ``H`` gives to an outcome that has no column
    converged: bool | None  # whether ``tol`` was met; None where none was given


def run(engine: Expectation | LeaveOneOut) -> Fit:
    """Iterate on both factors, in place, until the iterations are done or settled.

    The engine has the factors, their schedule, and an iteration: alone, and on several threads.
    Raises ValueError if the start gives probability zero to a pair that was seen, or the checkpoint
    is not that of this fit.
    """
    problem, schedule = engine.problem, engine.schedule
    course = Course(*np.zeros((2, schedule.iterations + 1)))
    tolerance = (schedule.tol or 0.0) * (problem.rows.sums.sum() or 1.0)
    keeper = Keeper(
        schedule.checkpoint,
        lambda: _identify(engine),
        engine.kept,
        course._asdict(),
        engine.add_up_kept,
    )

    def has_settled(t):
        return tolerance > 0.0 and bool(is_settled(course, t, tolerance))

    def last_change():  # nats per pair
        now, before = (course.likelihood[t] + course.penalty[t] for t in (done - 1, done - 2))
        return abs(now - before) * schedule.tol / tolerance if done > 1 else inf

    done = keeper.restore() or engine.begin(course)
    settled = has_settled(done - 1)
    last = done if settled else schedule.iterations
    with Team(schedule.threads) as team:
        steps = CHUNK // _work(engine) + 1 if team.size == 1 else 1
        goal = Goal("change", schedule.tol, last_change) if schedule.tol else None
        for start, stop in chunks(last, steps, schedule.progress, done=done, goal=goal):
            if team.size == 1:
                done = iterate(*engine.compiled, course, start, stop, tolerance)
            else:
                course.likelihood[start], course.penalty[stop] = engine.iterate_on(team)
                done = stop
            settled = has_settled(done - 1)
            keeper.save(done, is_last=settled or done == last)
            if settled:
                break
        engine.finish(team, course, done)
    # A change below `tol` may be seen one iteration late, when the likelihood of its end is known.
    settled |= engine.is_evaluated_alike and has_settled(done)
    likelihood, penalty = (part[: done + 1] for part in course)
    converged = None if schedule.tol is None else settled
    return Fit(problem.entropy - likelihood - penalty, engine.rest, converged)


@njit(**JIT)
def iterate(rows, expectation, left_out, course, start, stop, tolerance):
    """Run iterations ``start..stop-1`` on one thread, fewer once the objective has settled.

    It returns where it stopped, and no array: Numba runs Python code to return one, and an
    interrupt that falls there would come out as a SystemError. One of ``expectation`` and
    ``left_out``, the tasks of the two engines, is None, and Numba leaves out the branch of an
    argument that is None. The course receives ``likelihood[t]`` and ``penalty[t + 1]`` of each
    iteration ``t``; below a change of ``tolerance``, nats in all, it has settled, and never where
    that is 0.
    """
    for t in range(start, stop):
        if expectation is not None:
            course.likelihood[t], course.penalty[t + 1] = iterate_expectation(rows, expectation)
        if left_out is not None:
            course.likelihood[t], course.penalty[t + 1] = iterate_left_out(rows, left_out)
        if is_settled(course, t, tolerance):
            return t + 1
    return stop


def _identify(engine):
    """Return the `Identity` of a fit."""
    start, options = engine.identity
    counts = (*engine.problem.rows, engine.problem.outcomes)
    return Identity.of(counts, start, (*options, *engine.schedule.decisive))


def _work(engine):
    """Return the pairs, and rows of factors, that an iteration visits, times the classes."""
    rows = engine.problem.rows
    return (rows.values.size + rows.sums.size + rows.base.size + 1) * engine.rest.size
