r"""Expectation-maximisation with the smoothing inside (Section 5): the definition and the loop.

The counts ``C``, contexts by outcomes, are factorised: ``P(j | i) = sum_l W_il H_lj``. An iteration
turns the factors into soft counts, both from the same product, and smooths each row of them:

.. math::
    W_{il} \leftarrow W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
    H_{lj} \leftarrow H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}.

`factorise` is this definition on dense arrays. `iterate` computes the same numbers from sparse
counts: `problem` reduces these to rows and columns that differ, `starts` makes the first factors,
`Expectation` is the iteration, compiled in `passes`, and `threads` shares it out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isfinite
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from condprob.em import passes
from condprob.em.passes import Smoothing
from condprob.em.problem import Problem
from condprob.jit import address_of, sum_of_logs
from condprob.progress import Goal, shown
from condprob.run import Run
from condprob.vectors import Width, in_lines, width_of

Smoother = Callable[[np.ndarray], np.ndarray]
# Classes of the widest row that is compiled as a whole: more do not stay in registers. So there are
# eleven widths at most.
WIDEST = 64
ATTENTION = 0.1  # seconds, nearly doubled at most, between two moments at which a fit hears Ctrl-C


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
    history: bool = False  # whether each iteration finds the objective; with ``tol`` each does
    run: Run = field(default_factory=Run)


class Fit(NamedTuple):
    """The course of a fit; the factors themselves are changed in place."""

    # ``sum C log((C_ij / C_i) / Q_ij)`` and the penalty of Eq. (3), if there is one; nats. Shape
    # (iterations done + 1,): before each iteration and after the last; or (2,), of the last alone
    objective: np.ndarray
    rest: np.ndarray  # shape (m,): the probability of an outcome without a column, by row of ``H``
    converged: bool | None  # whether ``tol`` was met; None where none was given


def iterate(engine: Any, schedule: Schedule) -> Fit:
    """Iterate on both factors, in place, until the iterations are done or the objective settles.

    The objective needs logarithms. It is found where somebody reads it, in the first iteration,
    which so tells an impossible start, and in the last. The iterations between are done many at a
    time, so many that an interrupt (Ctrl-C) is heard at once.

    Parameters
    ----------
    engine : Expectation, or another with its method ``step`` and its attributes
    schedule : Schedule

    Raises
    ------
    ValueError
        If the start gives probability zero to a pair that was seen, or the checkpoint belongs to
        another fit.
    """
    last, is_kept = schedule.iterations, schedule.history or schedule.tol is not None
    objective = np.full(last + 1, inf)  # nats; infinite where nobody wants it
    tolerance = (schedule.tol or 0.0) * (float(engine.problem.sums.sum()) or 1.0)
    options = *engine.options, schedule.tol, schedule.history
    fit = engine.problem, (engine.W, engine.H), options
    keeper = schedule.run.keeper(fit, engine.state, {"objective": objective})
    done, many = keeper.restore() if keeper else 0, 1

    def change(t):
        """Return by how much iteration ``t`` changed the objective, nats."""
        return abs(float(objective[t]) - float(objective[t - 1])) if t > 0 else inf

    settled = change(done - 1) < tolerance
    goal = None
    if tol := schedule.tol:
        goal = Goal("change", tol, lambda: change(done - 1) * tol / tolerance)
    total, progress = done if settled else last, schedule.run.progress
    with shown(total, done=done, goal=goal, progress=progress) as show:
        while done < last and not settled:
            begun = perf_counter()
            if is_kept or done in (0, last - 1):
                objective[done] = engine.step()
                settled = change(done) < tolerance  # this iteration shows what the one before did
                done += 1
            else:
                many = min(many, last - 1 - done)
                engine.step(many, wanted=False)
                done += many
                many *= 2 if perf_counter() - begun < ATTENTION else 1
            show(done)
            if keeper:
                keeper.save(done, is_last=settled or done == last)
    objective[done] = engine.step(0)
    settled |= change(done) < tolerance
    first = 0 if is_kept else max(done - 1, 0)
    converged = None if schedule.tol is None else settled
    return Fit(objective[first : done + 1], engine.rest, converged)


class Expectation:
    """The engine of EM: passes over the rows of a problem, on one thread.

    A subclass has another `iterate`: `threads.InParts` does its passes elsewhere. An engine of
    other soft counts has the method `step` and the attributes but ``lines`` and ``soft_H``.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The start; copied.
    smoothing : Smoothing
    alternating : bool
        Whether ``H`` is updated from the product with the new ``W``.
    penalty : float
        The penalty of Eq. (3) at the start, nats.

    Attributes
    ----------
    W, H : numpy.ndarray, shapes (rows, m) and (columns, m)
        The factors after the last iteration, views of ``lines``.
    lines : (numpy.ndarray, numpy.ndarray), shapes (rows, entries) and (columns, entries)
        Both as they are stored: see `vectors.in_lines`.
    rest : numpy.ndarray, shape (m,)
        See `Fit`; zero before the first iteration.
    soft_H : numpy.ndarray, shape (threads, columns, entries)
        Soft counts without their last factor, ``H``; zero between two iterations.
    state : dict of numpy.ndarray
        What an iteration changes in place, for a checkpoint.
    options : tuple
        Numbers and names that, with problem, start and schedule, determine the fit.
    """

    def __init__(
        self,
        problem: Problem,
        W: np.ndarray,
        H: np.ndarray,
        smoothing: Smoothing,
        alternating: bool = False,
        penalty: float = 0.0,
    ) -> None:
        self.problem, self.smoothing, self.alternating = problem, smoothing, alternating
        self.penalty_of_start = penalty
        self.lines = in_lines(W), in_lines(H)
        self.W, self.H = (lines[:, : W.shape[1]] for lines in self.lines)
        self.soft_H, self.rest = in_lines(np.zeros(H.shape))[None], np.zeros(W.shape[1])
        self.block, self.visit = find_pass(problem, *self.lines, self.rest.size)
        self.state = {"W": self.W, "H": self.H, "rest": self.rest}
        self.options: tuple = (*smoothing, alternating)

    def step(self, iterations: int = 1, wanted: bool = True) -> float:
        """Do iterations; return the objective before the last, nats, infinite unless ``wanted``.

        Where there are none it is that of the factors as they are. It is wanted of one or none.
        """
        penalty = self.penalty() if wanted else 0.0
        likelihood = self.iterate(iterations, wanted)
        if not wanted:
            return inf
        check_possible(likelihood)
        return self.problem.entropy - likelihood - penalty

    def iterate(self, iterations: int, wanted: bool) -> float:
        """Do iterations; return the log-likelihood before the last, nats: see `passes.iterate`."""
        return passes.iterate(
            self.visit,
            self.block,
            self.problem,
            self.alternating,
            *self.lines,
            self.soft_H,
            self.smoothing,
            self.rest,
            iterations,
            wanted,
        )

    def visit_rows(
        self, rows: tuple[int, int], soft_H: np.ndarray, update_W: bool, wanted: bool
    ) -> float:
        """Pass over the pairs of some rows, ``(start, stop)``: see `passes.sparse_pass`."""
        of_W, m = self.smoothing.of_W, self.rest.size
        return passes.visit_rows(
            self.visit, self.problem, *rows, *self.lines, soft_H, m, of_W, update_W, wanted
        )

    def penalty(self) -> float:
        """Return the penalty of Eq. (3) of the factors as they are, nats."""
        if not (self.smoothing.is_penalised and self.rest.any()):
            return self.penalty_of_start
        unseen = self.problem.k - len(self.H)
        return passes.find_penalty(self.smoothing, *self.sums_of_logs(), unseen, self.rest)

    def sums_of_logs(self) -> tuple[float, float]:
        """Return the sums of the logarithms of ``W`` and of ``H``."""
        return sum_of_logs(np.ascontiguousarray(self.W)), sum_of_logs(np.ascontiguousarray(self.H))


def find_pass(problem: Problem, W: np.ndarray, H: np.ndarray, m: int) -> tuple[Width, Any]:
    """Return the width of one vector, and the address of the pass over a problem.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, entries) and (columns, entries)
    m : int
        The number of classes.
    """
    width = width_of(m)
    if problem.is_dense or m > WIDEST:
        from condprob.em.other_passes import dense_pass, wide_pass

        found = dense_pass if problem.is_dense else wide_pass
    else:
        found = passes.sparse_pass(width)
    return ((None,), width[1]), address_of(found, problem, 0, 0, W, H, H, m, 0.0, True, True)


def check_possible(likelihood: float) -> None:
    """Raise ValueError unless a likelihood is finite."""
    if not isfinite(likelihood):
        raise ValueError("the starting factors give probability zero to a pair that was seen")
