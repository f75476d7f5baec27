"""How sure a probability is: draws from the posterior of PY-LR without its discounts.

Rows are then Dirichlet around mixtures of classes, ``P_i ~ Dir(theta W_i H)``, and each draw of the
sampler (docs/py-lr.md) has one of any row: ``P_i ~ Dir(C_i + theta W_i H)``.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import (
    Seed,
    check_integer,
    check_labels,
    check_memory,
    check_number,
    check_seed,
)
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.entries import protect_fields
from condprob.pitman_yor.chain import draw_dirichlet
from condprob.pitman_yor.estimator import PitmanYorLowRank
from condprob.pitman_yor.rows import Rows

# Pairs that an interval needs, in all and for each context seen: fewer do not tell the law of the
# rows. The exhibit `posterior` of the study `theory` measures from here on.
FEWEST, FEWEST_OF_CONTEXT = 100, 10
SAMPLES, RANK = 400, 20  # not measured


class Range(NamedTuple):
    """Ends of intervals: arrays of one shape, or two numbers."""

    low: Any
    high: Any


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Draws of the parameters of a model of counts.

    Attributes
    ----------
    counts : CountMatrix
    strength : numpy.ndarray, shape (samples,)
        ``theta``: tokens of the base in every row.
    weights : numpy.ndarray of float32, shape (samples, contexts, m)
        ``W``.
    classes : numpy.ndarray of float32, shape (samples, m, outcomes)
        ``H``; where a draw has fewer than ``m`` classes the others are zero.
    """

    counts: CountMatrix
    strength: np.ndarray
    weights: np.ndarray = field(repr=False)
    classes: np.ndarray = field(repr=False)

    def __post_init__(self) -> None:
        protect_fields(self)

    def __repr__(self) -> str:
        rows, columns = self.counts.shape
        strength = f"strength {self.strength.mean():.4g} on average"
        return f"<Posterior: {rows:,} x {columns:,}, {self.strength.size} draws, {strength}>"

    def draw(self, context: int, seed: Seed = 0) -> np.ndarray:
        """Draw the row of a context once for each sample, shape (samples, outcomes)."""
        check_seed(seed)
        if np.ndim(context):
            raise ValueError("the number of one context is needed")
        check_labels(context, self.counts.shape[0], "contexts")
        base = np.matmul(self.weights[:, context, None], self.classes)[:, 0]
        shape = self.strength[:, None] * base
        part = slice(*self.counts.indptr[context : context + 2])
        shape[:, self.counts.outcomes[part]] += self.counts.values[part]
        return draw_dirichlet(shape, np.random.default_rng(seed))

    def interval(
        self, contexts: ArrayLike, outcomes: ArrayLike, level: float = 0.95, seed: Seed = 0
    ) -> Range:
        """Return the interval of the probability of each pair, with equal tails, shape (n,).

        Raises
        ------
        ValueError
            If the counts are below 100 pairs, or below 10 for each context that was seen.
        """
        check_seed(seed)
        n, seen = self.counts.n, self.counts.seen_contexts.size
        if n < max(FEWEST, FEWEST_OF_CONTEXT * seen):
            raise ValueError(
                f"no interval of fewer than {FEWEST} pairs, or {FEWEST_OF_CONTEXT} for each"
                f" context seen: pairs {n:g}, contexts {seen}"
            )
        if not 0 < check_number("level", level) < 1:
            raise ValueError(f"level = {level!r}: must be between 0 and 1, both excluded")
        contexts, outcomes = np.broadcast_arrays(np.atleast_1d(contexts), np.atleast_1d(outcomes))
        if contexts.ndim > 1:
            raise ValueError("one list of contexts is needed, and one of outcomes, as long")
        check_labels(outcomes, self.counts.shape[1], "outcomes")
        rng, found = np.random.default_rng(seed), np.empty((2, contexts.size))
        for context in np.unique(contexts):
            here = np.flatnonzero(contexts == context)
            drawn = self.draw(int(context), rng)[:, outcomes[here]]
            found[:, here] = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return Range(*found)


def posterior(
    counts: Counts,
    samples: int = SAMPLES,
    seed: Seed = 0,
    *,
    rank: int = RANK,
    progress: bool = False,
) -> Posterior:
    """Sample the posterior of counts.

    Parameters
    ----------
    counts : CountMatrix, scipy sparse matrix or 2-D array of int
    samples : int
        Of each of several numbers of classes, as many sweeps are kept, and there are as many before
        them. A draw is of one of these numbers, by its weight in a fit of `py-lr`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    rank : int
        Classes that rows may mix, at most. With 1 the rows are Dirichlet around a common base. The
        draws take about ``12 samples rank (contexts + outcomes)`` bytes.
    progress : bool
        Show a bar on standard error.

    Raises
    ------
    ValueError
        If the counts are not whole, a number is too small, or the draws take more memory than there
        is.
    """
    check_seed(seed)
    counts = as_counts(counts)
    samples, rank = check_integer("samples", samples, 1), check_integer("rank", rank, 1)
    if not counts.is_whole:
        raise ValueError("a posterior needs whole counts, and these have fractions")
    estimator = PitmanYorLowRank(largest_rank=rank, chains=1, sweeps=2 * samples)
    drawn = estimator.ranks[-1] + sum(estimator.ranks)
    name = f"a posterior of {samples:,} samples with rank = {rank:,}"
    check_memory(name, 4.0 * samples * drawn * sum(counts.shape))
    rows = Rows(counts, counts.values, np.zeros(3))
    tokens = counts.values.astype(np.int64)
    chains, weights, _ = estimator.run_chains(counts, rows, tokens, seed, progress, draws=True)
    chosen = np.searchsorted(np.cumsum(weights)[:-1], (np.arange(samples) + 0.5) / samples)
    m = max(chains[c].a.size for c in chosen)
    W = np.zeros((samples, counts.shape[0], m), np.float32)
    H = np.zeros((samples, m, counts.shape[1]), np.float32)
    for c in np.unique(chosen):
        of_chain = np.flatnonzero(chosen == c)
        spread = np.linspace(0, samples - 1, of_chain.size).astype(int)
        for s, kept in zip(of_chain, spread, strict=True):
            W[s, :, : chains[c].a.size], H[s, : chains[c].a.size] = chains[c].draws[kept]
    return Posterior(counts, np.array([chains[c].strength for c in chosen]), W, H)
