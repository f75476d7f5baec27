"""How good an estimate is, and how sure that is: intervals, paired comparisons, reliability.

The words of a text are not independent, nor are the pairs of a context. A bootstrap therefore
draws whole blocks with replacement: stretches of neighbouring words, and contexts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, inf, isfinite, log, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from condprob.checks import Seed, check_integer, check_seed, in_brief, rounded, warn_caller
from condprob.counts import CountMatrix, as_counts
from condprob.labelled_model import LabelledModel
from condprob.model import ConditionalModel
from condprob.risk import check_estimate, cross_entropy
from condprob.sequences import SequenceModel
from condprob.sequences.sentences import Sentences

CONFIDENCE = 0.95  # of an interval: the usual level
DRAWS = 2000  # of a bootstrap; not measured
FEWEST = 5  # blocks that an interval needs; not measured
NO_INTERVAL = f"no interval of fewer than {FEWEST} blocks"
MOST_NATS = 709  # the exponential of more is no float


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


@dataclass(frozen=True, repr=False)
class Score:
    """The report on test data.

    Attributes
    ----------
    nats : float
        Cross-entropy of the known words or pairs, nats for each.
    low, high : float
        Its interval: see `interval`.
    n : int or float
        Number of these words or pairs.
    unknown : int or float
        Number of words or pairs that the model does not know.
    nats_with_unknown : float
        Cross-entropy of all. Infinite where the unknown has no probability.
    unseen : int or float
        Pairs among ``n`` whose context was never seen; their row is the method's for a context
        without counts. Zero for a text.
    """

    nats: float
    low: float
    high: float
    n: float
    unknown: float = 0
    nats_with_unknown: float = nan
    unseen: float = 0

    def __repr__(self) -> str:
        sure = f" [{self.low:.4f}, {self.high:.4f}]"
        sure = sure if isfinite(self.low) else f" ({NO_INTERVAL})"
        text = (
            f"{self.nats:.4f} nats{sure}, perplexity {self.perplexity:.5g}, n = {rounded(self.n)}"
        )
        if self.unseen:
            text += f", {rounded(self.unseen)} of them in contexts never seen"
        if self.unknown:
            text += (
                f", {rounded(self.unknown)} unknown: {self.nats_with_unknown:.4f} nats with them"
            )
        return f"<Score: {text}>"

    @property
    def bits(self) -> float:
        """Cross-entropy, bits."""
        return self.nats / log(2)

    @property
    def perplexity(self) -> float:
        """So many equally likely outcomes would be as hard to predict."""
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


def interval(data: Any, model: Any, *, seed: Seed = 0) -> Interval:
    """Return the cross-entropy of data under a model with its bootstrap interval, nats.

    Parameters
    ----------
    data : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
        Blocks are the contexts. Of ``n`` words, blocks are about ``sqrt(n)`` stretches of
        neighbouring words. An estimate or a language model takes the data of its `score`, and
        leaves out the unknown.
    model : ConditionalMatrix, SequenceModel, Estimate or LanguageModel
    seed : int, numpy.random.SeedSequence or numpy.random.Generator

    Warns
    -----
    UserWarning
        If there are too few blocks for an interval.
    """
    losses = block_losses(data, model)
    if isinstance(model, LabelledModel):
        value = float(losses.sums.sum() / losses.sizes.sum())
    else:
        value = cross_entropy(in_numbers(data, model)[1], model)
    return _with_interval(value, losses, seed)


def compare(one: Any, other: Any, data: Any, *, seed: Seed = 0) -> Interval:
    """Return by how much one model is better than another on the same data, nats per pair.

    Parameters
    ----------
    one, other, data
        See `interval`. Two estimates in labels have the same outcomes, in any order; their contexts
        may differ.

    Returns
    -------
    Interval
        Of the cross-entropy of ``other`` less that of ``one``, by a paired bootstrap: both are
        scored on the same blocks of each draw. Above zero, ``one`` is clearly better; below it,
        ``other``.

    Raises
    ------
    ValueError
        If the two do not go together or with the data.

    Warns
    -----
    UserWarning
        If there are too few blocks for an interval.
    """
    labelled = [isinstance(model, LabelledModel) for model in (one, other)]
    if all(labelled):
        single = _outcome_of_one(one.outcomes, other.outcomes)
        if single is not None:
            raise ValueError(f"{in_brief(single)} is an outcome of one alone: both need the same")
    elif any(labelled):
        kind = type(other if labelled[0] else one).__name__
        raise ValueError(f"one model has labels and the other, of type {kind}, has none: give both")
    data = list(data) if isinstance(data, Iterator) else data  # each model reads it
    losses, others = (block_losses(data, model) for model in (one, other))
    if not losses.sizes.sum():
        raise ValueError("a comparison on no pairs")
    if not np.array_equal(losses.sizes, others.sizes):
        n, m = losses.sizes.sum(), others.sizes.sum()
        raise ValueError(f"the models take the data for {n:g} and {m:g} outcomes: cut both alike")
    if not (np.isfinite(losses.sums) | np.isfinite(others.sums)).all():
        raise ValueError("both models give zero to something in a block of data: neither is better")
    gained = Losses(others.sums - losses.sums, losses.sizes)
    return _with_interval(float(gained.sums.sum() / gained.sizes.sum()), gained, seed)


def _with_interval(value: float, losses: Losses, seed: Seed) -> Interval:
    """Return a number with its interval; warn where there are too few blocks for one."""
    if losses.sizes.size < FEWEST:
        warn_caller(f"{NO_INTERVAL}, and the data have {losses.sizes.size}")
    return Interval(value, *bootstrap(losses, seed))


def _outcome_of_one(outcomes: Iterable[Any], others: Iterable[Any]) -> Any:
    one, other = (dict.fromkeys(labels) for labels in (outcomes, others))
    return next((label for label in one | other if label not in one or label not in other), None)


def in_numbers(data: Any, model: Any) -> tuple[Any, CountMatrix | Sentences]:
    """Return a model in numbers, and data as it takes them.

    Contexts that the counts lack at their end, such as the row of new contexts in an estimate, have
    no counts.

    Raises
    ------
    ValueError
        If the model is none, or the data do not go with it.
    """
    if isinstance(model, LabelledModel):
        return model.model, model.in_numbers(data)
    if isinstance(data, Sentences):
        check_estimate(model, SequenceModel)
        return model, data
    check_estimate(model)
    counts = as_counts(data)
    if counts.shape[0] < model.shape[0]:
        counts = counts.resized((model.shape[0], counts.shape[1]))
    if counts.shape != model.shape:
        raise ValueError(f"test counts of shape {counts.shape}: {model.shape} is needed")
    return model, counts


def block_losses(data: Any, model: Any) -> Losses:
    """Return the losses of data in blocks: see `interval`."""
    if isinstance(model, LabelledModel):
        return model.block_losses(data)
    model, data = in_numbers(data, model)
    if isinstance(data, Sentences):
        return in_stretches(-model.score(data))
    losses = -data.values * model.log_prob(data.contexts, data.outcomes)
    sums = np.bincount(data.contexts, losses, minlength=data.shape[0])
    return Losses(sums[data.seen_contexts], data.row_sums[data.seen_contexts])


def in_stretches(losses: np.ndarray) -> Losses:
    """Add up the losses of neighbouring words, in about ``sqrt(n)`` stretches as long."""
    length = max(round(sqrt(losses.size)), 1)
    starts = np.arange(0, losses.size, length)
    sizes = np.diff(np.append(starts, losses.size))
    sums = np.add.reduceat(losses, starts) if losses.size else np.zeros(0)
    return Losses(sums, sizes)


def bootstrap(losses: Losses, seed: Seed = 0) -> tuple[float, float]:
    """Return the interval of the mean loss of the blocks."""
    check_seed(seed)
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
    """Predicted probabilities beside observed frequencies; each array has the shape (bins,).

    Attributes
    ----------
    said : numpy.ndarray
        Mean probability of the cells of a bin, weighted by how often their contexts were seen.
    happened : numpy.ndarray
        How often the outcomes of these cells occurred.
    chances : numpy.ndarray
        Number of chances: contexts seen, times cells in the bin.
    """

    said: np.ndarray
    happened: np.ndarray
    chances: np.ndarray


def reliability(data: Any, matrix: ConditionalModel | LabelledModel, bins: int = 20) -> Reliability:
    """Return the reliability curve of an estimate on test data.

    Parameters
    ----------
    data : CountMatrix, scipy sparse matrix or 2-D array; or Sentences; or data of `score`
    matrix : ConditionalMatrix, SequenceModel, Estimate or LanguageModel
    bins : int
        Bins of equal width on a logarithmic scale, from the smallest probability of a cell to one.
        All cells of contexts with test pairs are counted; bins without cells are left out.
    """
    model, counts = in_numbers(data, matrix)
    conditions: Any = None
    if isinstance(counts, Sentences):  # each distinct history is a context
        conditions, which = np.unique(counts.histories(model.order), axis=0, return_inverse=True)
        shape = (len(conditions), counts.k)
        counts = CountMatrix.from_pairs(which.ravel(), counts.words, shape=shape)

    def row_of(context: int) -> np.ndarray:
        return model.rows([context] if conditions is None else conditions[[context]])[0]

    bins, seen = check_integer("bins", bins, 1), counts.seen_contexts
    rows = counts.sparse()
    least = min((float(row[row > 0].min()) for row in map(row_of, seen)), default=1.0)
    edges = np.geomspace(least, 1.0, bins + 1)[1:-1]
    said, happened, chances = np.zeros((3, bins))
    for context in seen:
        row, weight = row_of(context), counts.row_sums[context]
        which = np.searchsorted(edges, row)
        said += weight * np.bincount(which, row, minlength=bins)
        chances += weight * np.bincount(which, minlength=bins)
        happened += np.bincount(which, rows[[context]].toarray()[0], minlength=bins)
    used = chances > 0
    return Reliability(said[used] / chances[used], happened[used] / chances[used], chances[used])
