"""The engine of EM on one thread, which `em.iterate` calls; `em.threads` has one on several.

An engine of other soft counts has the method ``step``, and the attributes ``problem``, ``W``,
``H``, ``rest``, ``state`` and ``options``.
"""

from math import inf, isfinite
from typing import Any

import numpy as np

from condprob.em import Problem, passes
from condprob.jit import address_of, sum_of_logs
from condprob.smoothing import Smoothing
from condprob.vectors import in_lines, width_of

# Classes of the widest row that is compiled as a whole: more do not stay in registers. So there are
# eight widths at most.
WIDEST_ROW = 64


class Expectation:
    """The engine of EM: passes over the rows of a problem.

    Its iterations are one compiled loop. A subclass has its own `iterate`, such as in `em.threads`.

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
        The factors after the last iteration, views of ``lines``: of both as `passes` has them.
    rest, soft_H : numpy.ndarray
        See `passes`. Before the first iteration ``rest`` is zero, between two ``soft_H`` is.
    state : dict of numpy.ndarray
        What an iteration changes in place, for a checkpoint.
    options : tuple
        Numbers and names that, with problem, start and `iterate`'s options, determine the fit.
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
        self.state = {"W": self.W, "H": self.H, "rest": self.rest}
        self.options: tuple = (*smoothing, alternating)
        self.visit = find_pass(problem, *self.lines, self.rest.size)

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
            self.problem,
            self.alternating,
            *self.lines,
            self.soft_H,
            self.smoothing,
            self.rest,
            iterations,
            wanted,
        )

    def penalty(self) -> float:
        """Return the penalty of Eq. (3) of the factors as they are, nats."""
        if not (self.smoothing.is_penalised and self.rest.any()):
            return self.penalty_of_start
        unseen = self.problem.k - len(self.H)
        return passes.find_penalty(self.smoothing, *self.sums_of_logs(), unseen, self.rest)

    def sums_of_logs(self) -> tuple[float, float]:
        """Return the sums of the logarithms of ``W`` and of ``H``."""
        return tuple(sum_of_logs(np.ascontiguousarray(each)) for each in (self.W, self.H))


def find_pass(problem: Problem, W: np.ndarray, H: np.ndarray, m: int) -> Any:
    """Return the address of the pass over a problem.

    Parameters
    ----------
    problem : Problem
    W, H : numpy.ndarray, shapes (rows, entries) and (columns, entries)
    m : int
        The number of classes.
    """
    if problem.is_dense:
        found = passes.dense_pass
    else:
        found = passes.wide_pass if m > WIDEST_ROW else passes.sparse_pass(width_of(m))
    return address_of(found, problem, 0, 0, W, W, H, H, m, 0.0, True, True)


def check_possible(likelihood: float) -> None:
    """Raise ValueError unless a likelihood is finite."""
    if not isfinite(likelihood):
        raise ValueError("the starting factors give probability zero to a pair that was seen")
