"""How good an estimate is, and how sure that is: intervals, paired comparisons, reliability.

The words of a text are not independent, nor are the pairs of a context. A bootstrap therefore
draws whole blocks with replacement: stretches of neighbouring words, and contexts.
"""

from dataclasses import dataclass
from math import exp, inf, log, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from condprob.annotations import Seed
from condprob.checks import check_integer
from condprob.counts import Counts, as_counts
from condprob.matrices.contract import ConditionalMatrix
from condprob.risk import cross_entropy
from condprob.sequences.sentences import Sentences

CONFIDENCE = 0.95
DRAWS = 2000  # of a bootstrap; not measured
FEWEST = 5  # blocks with which an interval is told; not measured
MOST_NATS = 709  # of which the exponential is a float


class Interval(NamedTuple):
    """A number and the interval in which 95 % of a bootstrap's draws lie, NaN of few blocks."""

    value: float
    low: float
    high: float


class Losses(NamedTuple):
    """Losses in blocks that are drawn together.

    Attributes
    ----------
    sums : numpy.ndarray, shape (blocks,)
        Nats.
    sizes : numpy.ndarray, shape (blocks,)
        Words, or pairs.
    """

    sums: np.ndarray
    sizes: np.ndarray


@dataclass(frozen=True)
class Score:
    """The report on test data.

    Attributes
    ----------
    nats : float
        Cross-entropy of what is known, nats for each.
    low, high : float
        Its interval: see `interval`.
    n : int or float
        Words or pairs behind it.
    unknown : int
        Those that are not behind it, because the model does not know them.
    nats_with_unknown : float
        Cross-entropy of all. Infinite where the model gives what it does not know no probability.
    """

    nats: float
    low: float
    high: float
    n: float
    unknown: int = 0
    nats_with_unknown: float = nan

    @property
    def bits(self) -> float:
        """Cross-entropy, bits."""
        return self.nats / log(2)

    @property
    def perplexity(self) -> float:
        """As many equally likely outcomes would be as hard."""
        return exp(self.nats) if self.nats < MOST_NATS else inf

    @property
    def perplexity_with_unknown(self) -> float:
        """The same of all, known and unknown."""
        nats = self.nats_with_unknown
        return exp(nats) if nats < MOST_NATS else inf

    @property
    def share_unknown(self) -> float:
        """Which share of the data the model does not know."""
        total = self.n + self.unknown
        return self.unknown / total if total else 0.0


def interval(data: Counts | Sentences, model: Any, *, seed: Seed = 0) -> Interval:
    """Return the cross-entropy of data under a model with its bootstrap interval, nats.

    Parameters
    ----------
    data : CountMatrix or what makes one, or Sentences
        Blocks are the contexts; of sentences, about as many stretches of neighbouring words as
        each has words.
    model : ConditionalMatrix or SequenceModel
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    """
    value = cross_entropy(data, model)
    return Interval(value, *bootstrap(block_losses(data, model), seed))


def compare(one: Any, other: Any, data: Counts | Sentences, *, seed: Seed = 0) -> Interval:
    """Return by how much one model is better than another on the same data, nats per pair.

    Returns
    -------
    Interval
        Of the cross-entropy of ``other`` less that of ``one``, by a paired bootstrap: both are
        scored on the same blocks of each draw. Above zero, ``one`` is clearly better; below it,
        ``other``.
    """
    losses, others = (block_losses(data, model) for model in (one, other))
    gained = Losses(others.sums - losses.sums, losses.sizes)
    return Interval(float(gained.sums.sum() / gained.sizes.sum()), *bootstrap(gained, seed))


def block_losses(data: Counts | Sentences, model: Any) -> Losses:
    """Return the losses of data in blocks: see `interval`."""
    if isinstance(data, Sentences):
        return in_stretches(-model.score(data))
    counts = as_counts(data)
    losses = -counts.values * model.log_prob(counts.contexts, counts.outcomes)
    sums = np.bincount(counts.contexts, losses, minlength=counts.shape[0])
    return Losses(sums[counts.seen_contexts], counts.row_sums[counts.seen_contexts])


def in_stretches(losses: np.ndarray) -> Losses:
    """Add up the losses of neighbouring words, in about ``sqrt(n)`` stretches as long."""
    length = max(round(sqrt(losses.size)), 1)
    starts = np.arange(0, losses.size, length)
    sizes = np.diff(np.append(starts, losses.size))
    sums = np.add.reduceat(losses, starts) if losses.size else np.zeros(0)
    return Losses(sums, sizes)


def bootstrap(losses: Losses, seed: Seed = 0) -> tuple[float, float]:
    """Return the interval of the mean loss of what is in the blocks."""
    blocks = losses.sizes.size
    if blocks < FEWEST or not np.isfinite(losses.sums).all():
        return nan, nan
    rng, means = np.random.default_rng(seed), np.empty(DRAWS)
    for draw in range(DRAWS):
        chosen = rng.integers(blocks, size=blocks)
        means[draw] = losses.sums[chosen].sum() / losses.sizes[chosen].sum()
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


class Reliability(NamedTuple):
    """How often happens what is said to be so likely; each array has the shape (bins,).

    Attributes
    ----------
    said : numpy.ndarray
        The mean probability of the cells of a bin, each weighted by how often its context was seen.
    happened : numpy.ndarray
        How often their outcomes came.
    chances : numpy.ndarray
        How many chances there were: contexts seen, times cells in the bin.
    """

    said: np.ndarray
    happened: np.ndarray
    chances: np.ndarray


def reliability(data: Counts, matrix: ConditionalMatrix, bins: int = 20) -> Reliability:
    """Return the reliability curve of a matrix on test data.

    Parameters
    ----------
    data : CountMatrix or what makes one
    matrix : ConditionalMatrix
    bins : int
        Of probabilities, as wide as each other on a logarithmic scale from the smallest that a
        cell has; bins without cells are left out. All cells of contexts with test pairs are in one.
    """
    counts = as_counts(data)
    if counts.shape != matrix.shape:
        raise ValueError(f"test counts of shape {counts.shape}: {matrix.shape} is needed")
    bins, seen = check_integer("bins", bins, 1), counts.seen_contexts
    rows = counts.sparse()
    least = min((float(matrix[i][matrix[i] > 0].min()) for i in seen), default=1.0)
    edges = np.geomspace(least, 1.0, bins + 1)[1:-1]
    said, happened, chances = np.zeros((3, bins))
    for context in seen:
        row, weight = matrix[context], counts.row_sums[context]
        which = np.searchsorted(edges, row)
        said += weight * np.bincount(which, row, minlength=bins)
        chances += weight * np.bincount(which, minlength=bins)
        happened += np.bincount(which, rows[[context]].toarray()[0], minlength=bins)
    used = chances > 0
    return Reliability(said[used] / chances[used], happened[used] / chances[used], chances[used])
