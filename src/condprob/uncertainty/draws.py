"""Random draws that the sampler of a posterior is made of."""

import math
from collections.abc import Callable

import numpy as np
from numba import njit

from condprob.jit import EXACT

# The least shape of a gamma: one that has a logarithm. Not measured.
LEAST = 1e-300


def draw_dirichlet(shapes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a distribution for each row of shapes, by logarithms: tiny shapes do not underflow.

    A gamma of shape ``a`` is one of shape ``a + 1`` times ``U^(1/a)`` (Marsaglia and Tsang 2000).
    """
    shapes = np.maximum(shapes, LEAST)
    logs = np.log(rng.standard_gamma(shapes + 1)) - rng.standard_exponential(shapes.shape) / shapes
    drawn = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return drawn / drawn.sum(axis=-1, keepdims=True)


@njit(**EXACT)
def count_tables(counts, strengths, rng):
    """Draw how many tables each count sits at: token ``c`` opens one with ``a / (a + c)``.

    Parameters
    ----------
    counts : numpy.ndarray of int, shape (rows, columns)
    strengths : numpy.ndarray, shape (columns,)
        ``a`` of each column.

    Returns
    -------
    numpy.ndarray of int, shape (rows, columns)
    """
    tables = np.zeros(counts.shape, np.int64)
    for i in range(counts.shape[0]):
        for l in range(counts.shape[1]):
            for token in range(counts[i, l]):
                if token == 0 or rng.random() * (strengths[l] + token) < strengths[l]:
                    tables[i, l] += 1
    return tables


def draw_concentration(
    old: float,
    sums: np.ndarray,
    tables: int,
    prior: tuple[float, float],
    rng: np.random.Generator,
) -> float:
    """Draw a concentration given its rows' tables, by auxiliary variables (Teh et al. 2006, A.6).

    Parameters
    ----------
    old : float
    sums : numpy.ndarray, shape (rows,)
        Tokens of each row.
    tables : int
        Of all rows.
    prior : tuple of float
        Shape and rate of a gamma distribution.
    rng : numpy.random.Generator
    """
    shape, rate = prior
    sums = sums[sums > 0]
    logs = np.log(rng.beta(old + 1, sums))
    ones = rng.random(sums.size) * (old + sums) < sums
    drawn = rng.gamma(shape + tables - ones.sum(), 1 / (rate - logs.sum()))
    return max(drawn, np.finfo(float).tiny)


def draw_by_slice(
    old: float,
    log_density: Callable[[float], float],
    bounds: tuple[float, float],
    rng: np.random.Generator,
) -> float:
    """Draw the logarithm of a positive number between bounds, by a slice (Neal 2003).

    The slice begins as all that the bounds allow and shrinks towards ``old`` (Section 4.2).
    """
    low, high = bounds
    level = log_density(old) - rng.exponential()
    while True:
        new = rng.uniform(low, high)
        if log_density(new) > level or new == old:
            return new
        low, high = (new, high) if new < old else (low, new)


@njit(**EXACT)
def log_rising(a, count):
    """Return ``log a (a + 1) ... (a + count - 1)``."""
    if count > 8:  # From here on two logarithms of the gamma function are faster; not measured.
        return math.lgamma(a + count) - math.lgamma(a)
    product = 1.0
    for token in range(count):
        product *= a + token
    return math.log(product)
