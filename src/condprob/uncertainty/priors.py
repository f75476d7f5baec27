"""Priors of the classes: their sizes, and the law of the values in a class.

Both factors are random, and the parameters of their laws are learned. `Weights` is a hierarchical
Dirichlet prior of the rows of ``W`` (Teh et al. 2006), ``W_i ~ Dir(a S)`` and
``S ~ Dir(b / m, ..., b / m)``: classes that no pair needs have shares near zero. `Shapes` lets the
values of a class have nearly any law, a power law or a uniform one: ::

    H_lj = G_lj / sum_j' G_lj'        G_lj ~ Gamma(SHAPE, scale s_u g_j)      u ~ w

with scales ``s_u`` on a grid and a level ``g_j`` of each outcome, ``1 / g_j ~ Gamma(r, rate r)``.
"""

import math
from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import ArrayLike
from scipy.special import gammaln

from condprob.jit import EXACT

# The least shape of a gamma: one that has a logarithm. Not measured.
LEAST = 1e-300
# Shape and rate of the gamma priors of ``a`` and ``b``. With a rate of ``a`` of 0.2 or 0.01 in
# place of 1, rows of rank 5 with uniform classes were thought to be alike, and intervals of 95 %
# held 87 % of the cells of 2,000 pairs (2 to 4 models of 100 x 100, of other seeds than those of
# 570a500:benchmarks/coverage_of_intervals.py, with a Dirichlet prior of the classes). There rates
# of ``b`` from 1 to 25 moved the coverage by up to 5 points, and elsewhere by 1; with the prior of
# classes that is below, 3 was compared with 5 alone.
OF_WEIGHTS, OF_SHARES = (1.0, 1.0), (1.0, 3.0)
# The smallest and the largest value of a class are far apart: 3^7 covers power laws of exponent
# 1.5 over 100 outcomes. Of all cells of rank 5 and 2,000 pairs 97.2 % are covered where rows are
# power laws and 95.9 % where they are uniform. With shape 5 on powers of 2 it is 96.9 and 94.8 %,
# with shape 8 96.7 and 94.7 % (40 models of other seeds than those of the script); but on the
# script's ten models shape 8 covered 92.8 % of those of uniform rows, in four chains.
SHAPE, SCALES = 2.0, 3.0 ** np.arange(-7, 1)
# The evenness ``r`` of the levels has a log-uniform prior between these; not measured.
EVENNESS = (math.log(0.1), math.log(1e4))


class Weights:
    """The rows of ``W``, integrated out while their common prior is drawn.

    Attributes
    ----------
    concentration : float
        ``a``.
    spread : float
        ``b``.
    shares : numpy.ndarray, shape (m,)
        ``S``.
    """

    def __init__(self, m: int) -> None:
        self.concentration, self.spread = 10.0, 1.0  # where they begin; not measured
        self.shares = np.full(m, 1 / m)

    @property
    def shapes(self) -> np.ndarray:
        """``a S``."""
        return self.concentration * self.shares

    def draw(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw ``a``, ``b``, ``S`` and ``W`` given the tables of each context in each class.

        Parameters
        ----------
        counts : numpy.ndarray of int, shape (contexts, m)
        rng : numpy.random.Generator

        Returns
        -------
        numpy.ndarray, shape (contexts, m)
        """
        m = self.shares.size
        if m == 1:
            return np.ones(counts.shape)
        tables = count_tables(counts, self.shapes, rng).sum(axis=0, keepdims=True)
        total = tables.sum()
        above = count_tables(tables, np.full(m, self.spread / m), rng).sum()
        self.concentration = draw_concentration(
            self.concentration, counts.sum(axis=1), total, OF_WEIGHTS, rng
        )
        self.spread = draw_concentration(self.spread, tables.sum(axis=1), above, OF_SHARES, rng)
        self.shares = draw_dirichlet(tables[0] + self.spread / m, rng)
        return draw_dirichlet(counts + self.shapes, rng)


class Shapes:
    """The rows of ``H``, and the law of their values.

    Attributes
    ----------
    law : numpy.ndarray, shape (scales,)
        ``w``.
    levels : numpy.ndarray, shape (outcomes,)
        ``g``.
    evenness : float
        ``r``.
    values : numpy.ndarray, shape (m, outcomes)
        ``G``.
    labels : numpy.ndarray of int, shape (m, outcomes)
        ``u``.
    """

    def __init__(self, m: int, levels: ArrayLike, rng: np.random.Generator) -> None:
        self.levels = np.array(levels, dtype=float)
        self.law = np.full(SCALES.size, 1 / SCALES.size)
        self.evenness = 2.0  # where it begins; not measured
        self.labels = rng.integers(SCALES.size, size=(m, self.levels.size))
        self.values = self.levels * rng.standard_gamma(1.0, size=self.labels.shape)

    def draw(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw the law, the levels and ``H`` given the tables of each outcome in each class.

        Classes without tables are left out where law and levels are drawn, and drawn after them.
        The divisor of ``H`` is replaced by a number ``V_l ~ Gamma(n_l, rate sum_j G_lj)``, given
        which the values are independent: ``G_lj^n_lj exp(-V_l G_lj)`` stands in their posterior.

        Parameters
        ----------
        counts : numpy.ndarray of int, shape (m, outcomes)
        rng : numpy.random.Generator

        Returns
        -------
        numpy.ndarray, shape (m, outcomes)
        """
        sizes = counts.sum(axis=1)
        labels, values = self.labels[sizes > 0], self.values[sizes > 0]
        of_scales = np.bincount(labels.ravel(), minlength=SCALES.size)
        self.law = draw_dirichlet(of_scales + 1 / SCALES.size, rng)
        self._draw_levels(labels, values, rng)
        V = rng.standard_gamma(sizes) / self.values.sum(axis=1)
        logs = np.log(np.maximum(self.law, LEAST))
        draw_values(counts, V, self.levels, logs, SCALES, self.values, self.labels, rng)
        return self.values / self.values.sum(axis=1, keepdims=True)

    def _draw_levels(self, labels, values, rng):
        shape = self.evenness + SHAPE * len(labels)
        inverse = rng.gamma(shape, 1 / (self.evenness + (values / SCALES[labels]).sum(axis=0)))
        inverse = np.maximum(inverse, LEAST)
        self.levels = 1 / inverse
        n, logs, total = inverse.size, np.log(inverse).sum(), inverse.sum()

        def log_density(log_r):
            r = math.exp(log_r)
            return n * (r * log_r - gammaln(r)) + r * (logs - total)

        self.evenness = math.exp(draw_by_slice(math.log(self.evenness), log_density, EVENNESS, rng))


@njit(**EXACT)
def draw_values(counts, V, levels, law, scales, values, labels, rng):
    """Draw the scale of each value of each class, the value integrated out, and then the value.

    Parameters
    ----------
    counts : numpy.ndarray of int, shape (m, outcomes)
    V : numpy.ndarray, shape (m,)
    levels : numpy.ndarray, shape (outcomes,)
    law : numpy.ndarray, shape (scales,)
        Logarithms of ``w``.
    scales : numpy.ndarray, shape (scales,)
    values, labels : numpy.ndarray, shape (m, outcomes)
        Changed in place.
    rng : numpy.random.Generator
    """
    logs = np.empty(scales.size)
    for l in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            a = SHAPE + counts[l, j]
            for u in range(scales.size):
                scale = scales[u] * levels[j]
                logs[u] = law[u] - SHAPE * math.log(scale) - a * math.log(1 / scale + V[l])
            top, total = logs.max(), 0.0
            for u in range(scales.size):
                total += math.exp(logs[u] - top)
                logs[u] = total
            drawn, new = rng.random() * total, 0
            while new < scales.size - 1 and logs[new] <= drawn:
                new += 1
            labels[l, j] = new
            rate = 1 / (scales[new] * levels[j]) + V[l]
            values[l, j] = max(rng.standard_gamma(a) / rate, LEAST)


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
