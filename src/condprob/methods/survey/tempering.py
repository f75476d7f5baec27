"""Tempered EM (Hofmann 1999): responsibilities ``gamma_ijl`` as ``(W_il H_lj)^temperature``.

Below a temperature of one they are softer than those of EM, which fits the pairs less closely; at
one it is EM.

READING: Hofmann's own model is ``P(l) P(i | l) P(j | l)`` and he tempers the last two factors; here
it is ``W_il H_lj``, ``P(l | i) P(j | l)``, and both factors are tempered.
"""

from math import inf

import numpy as np

from condprob.jit import products_at
from condprob.methods.em import Problem
from condprob.methods.em.engines import Expectation, check_possible
from condprob.methods.smoothing import Smoothing

# Of a product of factors. Arithmetic: counts of 1e-99 and of 1e15 divided by it are numbers.
SMALLEST_PRODUCT = 1e-200


def iterate_tempered(
    problem: Problem, W: np.ndarray, H: np.ndarray, temperature: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors after an iteration.

    With ``U = W^temperature`` and ``V = H^temperature`` the soft counts are those of EM of
    ``U V``, as if these were the factors.

    Parameters
    ----------
    problem : Problem
        Of counts: no context and no outcome is without counts.
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (outcomes, m)
        Transposed.
    temperature : float
    """
    # Each row is divided by its largest entry, which leaves the soft counts as they are: no row
    # vanishes.
    U, V = ((each / each.max(axis=1, keepdims=True)) ** temperature for each in (W, H))
    # A row whose sum is one, without a constant, keeps its soft counts.
    as_they_are = problem._replace(sums=np.ones(len(U)))
    engine = Expectation(as_they_are, U, V, Smoothing(0.0, 0.0, 0.0))
    engine.visit_all(update_W=True, wanted=False)
    U, soft_H = engine.W, V * engine.soft_H[0, :, : V.shape[1]]
    soft_H[:, soft_H.sum(axis=0) == 0] = 1.0  # a class that has died
    return U / U.sum(axis=1, keepdims=True), soft_H / soft_H.sum(axis=0)


class Tempered:
    """The engine of tempered EM, on one thread: see `em.engines.Expectation`.

    Parameters
    ----------
    problem : Problem
        Of counts: no context and no outcome is without counts.
    W, H : numpy.ndarray, shapes (seen contexts, m) and (seen outcomes, m)
        The start; changed in place.
    temperature : float
    """

    def __init__(self, problem: Problem, W: np.ndarray, H: np.ndarray, temperature: float) -> None:
        self.places = np.repeat(np.arange(len(W)), np.diff(problem.indptr)), problem.outcomes
        self.entropy = problem.values @ np.log(problem.values / problem.sums[self.places[0]])
        self.problem, self.W, self.H, self.temperature = problem, W, H, temperature
        self.rest = np.full(W.shape[1], 0.0 if len(H) else 1 / problem.k)
        self.state, self.options = {"W": W, "H": H}, (temperature,)

    def step(self, wanted: bool = True) -> float:
        """Do an iteration; return the objective before it, nats, infinite unless ``wanted``."""
        objective = self.objective() if wanted else inf
        new = iterate_tempered(self.problem, self.W, self.H, self.temperature)
        self.W[...], self.H[...] = new
        return objective

    def steps(self, most: int) -> int:
        """Do an iteration without the objective; return that it is one."""
        self.step(False)
        return 1

    def objective(self) -> float:
        """Return the objective of the factors as they are, nats."""
        products = np.maximum(products_at(*self.places, self.W, self.H), SMALLEST_PRODUCT)
        likelihood = self.problem.values @ np.log(products)
        check_possible(likelihood)
        return float(self.entropy - likelihood)
