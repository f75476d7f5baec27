"""How sure a probability is: draws from the posterior of PY-LR whose discounts are zero.

Rows are then Dirichlet around mixtures of Dirichlet classes, ``P_i ~ Dir(theta W_i H)``. Each sweep
of the sampler (docs/py-lr-model.md) gives a draw of any row: ``P_i ~ Dir(C_i + theta W_i H)``. A
fit has the most probable constants; here they are sampled as well, because few pairs do not
determine them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from condprob.checks import Seed, check_integer, check_memory, check_number, check_seed, warn_caller
from condprob.checks.entries import check_labels
from condprob.checks.frozen import Frozen
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.methods.pitman_yor.chain import weights_of_classes, weights_of_contexts
from condprob.methods.pitman_yor.rows import count_tokens
from condprob.methods.pitman_yor.tables import DistinctPairs, Law, Seating, share_alone, sweep
from condprob.products import product
from condprob.progress import chunks
from condprob.run import DEFAULT_RUN, Run

# Pairs that an interval needs, in all and for each context seen: fewer do not tell the law of the
# rows. The exhibit `posterior` of the study `theory` measures from here on.
FEWEST_PAIRS, FEWEST_OF_CONTEXT = 100, 10
SAMPLES, BURN_IN_SWEEPS, RANK = 400, 400, 20  # with these it measures
CONSTANTS, STRENGTHS_OF_CLASSES = (1e-4, 1e3), (1e-3, 1e4)  # ends of ``a_l``, and of ``b``
# Ends of ``theta``. The upper one is low rank to the eye: at most one token in sixty of the largest
# row has no table of its own.
LEAST_STRENGTH, TIMES_LARGEST_ROW = 1e-2, 30
SMALLEST_SHAPE = 1e-300  # of what has a logarithm


class IntervalEnds(NamedTuple):
    """Ends of intervals: arrays of one shape, or two numbers."""

    low: Any
    high: Any


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Frozen):
    """Samples from the posterior of a model of counts; the result of `posterior`.

    Attributes
    ----------
    counts : CountMatrix
        The data.
    strength : numpy.ndarray, shape (samples,)
        Concentration ``theta`` of the rows around the base, in pseudo-counts.
    weights : numpy.ndarray of float32, shape (samples, contexts, rank)
        Sampled factors ``W``.
    classes : numpy.ndarray of float32, shape (samples, rank, outcomes)
        Sampled factors ``H``.

    Examples
    --------
    >>> from condprob import posterior
    >>> samples = posterior([[80, 20, 0], [1, 9, 0], [0, 3, 7]], seed=0)
    >>> samples.draw(0, seed=0).shape
    (400, 3)
    """

    counts: CountMatrix
    strength: np.ndarray
    weights: np.ndarray = field(repr=False)
    classes: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        rows, columns = self.counts.shape
        strength = f"strength {self.strength.mean():.4g} on average"
        return f"<Posterior: {rows:,} x {columns:,}, {self.strength.size} draws, {strength}>"

    @np.errstate(under="ignore")
    def draw(self, context: int, seed: Seed = 0) -> np.ndarray:
        """Sample the row of a context once for each sample, shape (samples, outcomes)."""
        seed = check_seed(seed)
        if np.ndim(context):
            raise ValueError("pass the number of one context")
        check_labels(context, self.counts.shape[0], "contexts")
        base = product(self.weights[:, context, None], self.classes)[:, 0]
        shape = self.strength[:, None] * base
        part = slice(*self.counts.indptr[context : context + 2])
        shape[:, self.counts.outcomes[part]] += self.counts.values[part]
        return draw_dirichlet(shape, np.random.default_rng(seed))

    def interval(
        self, contexts: ArrayLike, outcomes: ArrayLike, level: float = 0.95, seed: Seed = 0
    ) -> IntervalEnds:
        """Credible interval of the probability of each pair, with equal tails, shape (n,).

        Raises
        ------
        ValueError
            If the counts are below 100 pairs, or below 10 per observed context on average.
        """
        seed = check_seed(seed)
        n, seen = self.counts.n, self.counts.seen_contexts.size
        if n < max(FEWEST_PAIRS, FEWEST_OF_CONTEXT * seen):
            raise ValueError(
                f"too few data for an interval: {n:g} pairs in {seen} contexts; use at least "
                f"{FEWEST_PAIRS} pairs, and {FEWEST_OF_CONTEXT} per context on average"
            )
        given, level = level, check_number("level", level)
        if not 0 < level < 1:
            raise ValueError(f"level = {given!r}: must be between 0 and 1, both excluded")
        contexts, outcomes = np.broadcast_arrays(np.atleast_1d(contexts), np.atleast_1d(outcomes))
        if contexts.ndim > 1:
            raise ValueError("pass one list of contexts and one of outcomes, of the same length")
        contexts = check_labels(contexts, self.counts.shape[0], "contexts")
        outcomes = check_labels(outcomes, self.counts.shape[1], "outcomes")
        rng, found = np.random.default_rng(seed), np.empty((2, contexts.size))
        for context in np.unique(contexts):
            here = np.flatnonzero(contexts == context)
            drawn = self.draw(int(context), rng)[:, outcomes[here]]
            found[:, here] = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return IntervalEnds(*found)


@np.errstate(under="ignore")
def sample_posterior(
    counts: Counts,
    samples: int = SAMPLES,
    burn_in: int = BURN_IN_SWEEPS,
    *,
    rank: int = RANK,
    run: Run = DEFAULT_RUN,
) -> Posterior:
    """Sample the posterior of counts.

    Parameters
    ----------
    counts : CountMatrix, scipy sparse matrix or 2-D array
        Numbers >= 0. Those with fractions become whole numbers of a unit, as in a fit of `py-lr`:
        the smallest if all are its multiples, else twice the mean.
    samples, burn_in : int
        Sweeps that are kept, and sweeps before them.
    rank : int
        Classes that rows may mix, at most; superfluous classes empty. With 1 the rows are Dirichlet
        around a common base. The samples take ``4 * samples * rank * (contexts + outcomes)`` bytes.
    run : Run

    Raises
    ------
    ValueError
        If the counts are no counts, a number is too small, or the samples take more memory than
        there is.

    Warns
    -----
    UserWarning
        If counts have fractions: how many observations they are decides how wide intervals are.
    """
    counts, rng = as_counts(counts), run.generator()
    samples, burn_in = check_integer("samples", samples, 1), check_integer("burn_in", burn_in, 0)
    rank = check_integer("rank", rank, 1)
    if not counts.is_whole:
        tokens = count_tokens(counts)
        counts = CountMatrix(counts.shape, counts.indptr, counts.outcomes, tokens.whole)
        warn_caller(f"counts have fractions: {tokens.unit:.4g} of them is taken as one observation")
    contexts, outcomes = counts.shape
    name = f"a posterior of {samples:,} samples with rank = {rank:,}"
    check_memory(name, 4.0 * samples * rank * (contexts + outcomes))
    strength = np.empty(samples)
    weights = np.empty((samples, contexts, rank), dtype=np.float32)
    classes = np.empty((samples, rank, outcomes), dtype=np.float32)
    pairs = DistinctPairs.of(counts, counts.values.astype(np.int64))
    seating, base = Seating.empty(pairs, counts.shape, rank), np.zeros(counts.nnz)
    alone = share_alone(0.0, max(int(pairs.customers.max(initial=1)), 2))
    a, b, theta = np.ones(rank), float(outcomes), float(max(counts.row_sums.max(initial=0), 1))
    for done, _ in chunks(burn_in + samples, 1, run.progress, "sweep"):
        law = Law.of(a, b, d=0, v=1 / outcomes, strength=theta, discount=0.0, alone=alone)
        sweep(pairs, seating, law, base, True, rng)
        a = draw_constants(seating.of_contexts[:, :rank], a, rng)
        b = draw_strength_of_classes(seating.of_outcomes, b, rng)
        theta = draw_strength(seating.tables @ pairs.weights, counts.row_sums, theta, rng)
        kept = done - burn_in
        if kept >= 0:
            strength[kept] = theta
            weights[kept] = draw_dirichlet(weights_of_contexts(seating, law), rng)
            classes[kept] = draw_dirichlet(weights_of_classes(seating, law).T, rng)
    return Posterior(counts, strength, weights, classes)


def draw_dirichlet(shapes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a distribution for each row of shapes, by logarithms: tiny shapes do not underflow.

    A gamma of shape ``a`` is one of shape ``a + 1`` times ``U^(1/a)`` (Marsaglia and Tsang 2000).
    """
    shapes = np.maximum(shapes, SMALLEST_SHAPE)
    logs = np.log(rng.standard_gamma(shapes + 1)) - rng.standard_exponential(shapes.shape) / shapes
    drawn = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return drawn / drawn.sum(axis=-1, keepdims=True)


def draw_by_slice(
    old: float,
    log_density: Callable[[float], float],
    bounds: tuple[float, float],
    rng: np.random.Generator,
) -> float:
    """Draw a positive number given the density of its logarithm, by a slice (Neal 2003).

    The slice begins as all that the bounds allow and shrinks towards ``old`` (Section 4.2).
    """
    (low, high), now = np.log(bounds), np.log(np.clip(old, *bounds))
    level = log_density(np.exp(now)) - rng.exponential()
    while True:
        new = rng.uniform(low, high)
        if log_density(np.exp(new)) > level or new == now:
            return float(np.exp(new))
        low, high = (new, high) if new < now else (low, new)


def draw_constants(of_contexts: np.ndarray, a: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Sample the constants of the Dirichlet prior of ``W``, each given the others.

    Their prior is exponential of mean one, so that few pairs do not make contexts alike.
    ``of_contexts``, shape (contexts, m), are tables.
    """
    a, n = a.copy(), of_contexts.astype(float)
    sums = n.sum(axis=1)
    for l in range(a.size if a.size > 1 else 0):
        others, of_class = a.sum() - a[l], n[n[:, l] > 0, l]

        def log_density(own, others=others, of_class=of_class):
            total = own + others
            found = (gammaln(total) - gammaln(total + sums)).sum() + np.log(own) - own
            return found + (gammaln(own + of_class) - gammaln(own)).sum()

        a[l] = draw_by_slice(a[l], log_density, CONSTANTS, rng)
    return a


def draw_strength_of_classes(of_outcomes: np.ndarray, b: float, rng: np.random.Generator) -> float:
    """Sample the strength of the classes; its logarithm has a uniform prior.

    ``of_outcomes``, shape (outcomes, m), are tables.
    """
    k, x = len(of_outcomes), of_outcomes.astype(float)
    sizes, x = x.sum(axis=0), x[x > 0]

    def log_density(b):
        found = (gammaln(b) - gammaln(b + sizes)).sum()
        return found + (gammaln(b / k + x) - gammaln(b / k)).sum()

    return draw_by_slice(b, log_density, STRENGTHS_OF_CLASSES, rng)


def draw_strength(tables: int, sums: np.ndarray, old: float, rng: np.random.Generator) -> float:
    """Sample ``theta`` for rows with so many tables; its logarithm has a uniform prior."""

    def log_density(theta):
        return tables * np.log(theta) + (gammaln(theta) - gammaln(theta + sums)).sum()

    most = TIMES_LARGEST_ROW * max(sums.max(initial=0), 1)
    return draw_by_slice(old, log_density, (LEAST_STRENGTH, most), rng)
