"""How sure a probability is: draws from the posterior of a hierarchical Dirichlet model.

Rows are Dirichlet around a common base, ``P_i ~ Dir(strength G)``, and ``G ~ Dir(spread / size)``
over as many outcomes as there are, with Gamma priors on both numbers. Gibbs sampling (Teh et al.
2006) draws all of them, and each draw has one of any row: ``P_i ~ Dir(C_i + strength G)``.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.annotations import Seed
from condprob.checks import check_integer, check_labels
from condprob.counts import CountMatrix, Counts, as_counts

SAMPLES, BURN_IN = 400, 200  # not measured
SHAPE, RATE = 1.0, 0.01  # of the Gamma priors: a mean of 100, as wide as that; not measured


class Range(NamedTuple):
    """Ends of intervals, arrays of one shape."""

    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Draws of the parameters of a hierarchical Dirichlet model of counts.

    Attributes
    ----------
    counts : CountMatrix
    strength : numpy.ndarray, shape (samples,)
        Tokens of the base in every row.
    base : numpy.ndarray, shape (samples, outcomes)
    """

    counts: CountMatrix
    strength: np.ndarray
    base: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        rows, columns = self.counts.shape
        strength = f"strength {self.strength.mean():.4g} on average"
        return f"<Posterior: {rows:,} x {columns:,}, {self.strength.size} draws, {strength}>"

    def draw(self, context: int, seed: Seed = 0) -> np.ndarray:
        """Draw the row of a context once for each sample, shape (samples, outcomes)."""
        check_labels(context, self.counts.shape[0], "contexts")
        shape = self.strength[:, None] * self.base
        part = slice(*self.counts.indptr[context : context + 2])
        shape[:, self.counts.outcomes[part]] += self.counts.values[part]
        drawn = np.random.default_rng(seed).standard_gamma(shape)
        return drawn / drawn.sum(axis=1, keepdims=True)

    def interval(
        self, contexts: ArrayLike, outcomes: ArrayLike, level: float = 0.95, seed: Seed = 0
    ) -> Range:
        """Return the interval of the probability of each pair, with equal tails, shape (n,)."""
        if not 0 < level < 1:
            raise ValueError(f"level = {level!r}: must be between 0 and 1, both excluded")
        contexts, outcomes = np.broadcast_arrays(np.atleast_1d(contexts), np.atleast_1d(outcomes))
        check_labels(outcomes, self.counts.shape[1], "outcomes")
        rng, found = np.random.default_rng(seed), np.empty((2, contexts.size))
        for context in np.unique(contexts):
            here = np.flatnonzero(contexts == context)
            drawn = self.draw(int(context), rng)[:, outcomes[here]]
            found[:, here] = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return Range(*found)


def posterior(
    counts: Counts, samples: int = SAMPLES, seed: Seed = 0, burn_in: int = BURN_IN
) -> Posterior:
    """Sample the posterior of counts.

    Parameters
    ----------
    counts : CountMatrix or what makes one
        Whole.
    samples, burn_in : int
        Sweeps that are kept, and sweeps before them.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator

    Raises
    ------
    ValueError
        If the counts are not whole.
    """
    counts, rng = as_counts(counts), np.random.default_rng(seed)
    samples = check_integer("samples", samples, 1)
    if not counts.is_whole:
        raise ValueError("a posterior needs whole counts, and these have fractions")
    columns = counts.shape[1]
    base = (counts.column_sums + 0.5) / (counts.n + columns / 2)
    strength, spread = SHAPE / RATE, SHAPE / RATE
    strengths, bases = np.empty(samples), np.empty((samples, columns))
    for sweep in range(-check_integer("burn_in", burn_in, 0), samples):
        tables = _seat(counts.values, strength * base[counts.outcomes], rng)
        of_outcome = np.bincount(counts.outcomes, tables, minlength=columns).astype(np.int64)
        strength = _draw_strength(strength, counts.row_sums, int(of_outcome.sum()), rng)
        above = _seat(of_outcome, np.full(columns, spread / columns), rng)
        spread = _draw_strength(spread, of_outcome.sum(keepdims=True), int(above.sum()), rng)
        base = rng.dirichlet(of_outcome + spread / columns)
        base = np.maximum(base, np.finfo(float).tiny)
        if sweep >= 0:
            strengths[sweep], bases[sweep] = strength, base
    return Posterior(counts, strengths, bases)


def _seat(counts, strength, rng):
    # Token c of a count opens a table with probability strength / (strength + c).
    tables = np.minimum(counts, 1).astype(np.int64)
    waiting = np.flatnonzero(counts > 1)
    token = 1
    while waiting.size:
        a = strength[waiting]
        tables[waiting] += rng.random(waiting.size) * (a + token) < a
        token += 1
        waiting = waiting[counts[waiting] > token]
    return tables


def _draw_strength(strength, sums, tables, rng):
    """Draw a concentration given its rows' tables, by auxiliary variables (Teh et al., A.6)."""
    sums = sums[sums > 0]
    logs = np.log(rng.beta(strength + 1, sums))
    ones = rng.random(sums.size) * (strength + sums) < sums
    drawn = rng.gamma(SHAPE + tables - ones.sum(), 1 / (RATE - logs.sum()))
    return max(drawn, np.finfo(float).tiny)
