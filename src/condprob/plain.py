"""The direct methods at their defaults once more, over dictionaries, for the command line.

Importing numpy takes longer than fitting and scoring a text of some ten thousand words. Formulas
and readings are those of `direct` and `backoff`, where they are explained; so are the numbers.
"""

from collections import Counter
from functools import cached_property
from itertools import pairwise
from math import fsum, log

CONSTANT, DISCOUNT, WEIGHT = 0.5, 0.75, 0.4  # the defaults there


class PairCounts:
    """What `counts.CountMatrix` holds, by words: of the pairs of a text over ``k`` types."""

    def __init__(self, words, k):
        self.words, self.k = words, k
        self.pairs = Counter(pairwise(words))

    @cached_property
    def row_sums(self):
        """Times each context was seen, counted when a method asks: none needs all."""
        return Counter(self.words[:-1])

    @cached_property
    def column_sums(self):
        """Times each outcome was seen."""
        return Counter(self.words[1:])

    @cached_property
    def distinct_outcomes(self):
        """Number of distinct outcomes seen after each context."""
        return Counter(context for context, _ in self.pairs)

    @cached_property
    def distinct_contexts(self):
        """Number of distinct contexts seen before each outcome."""
        return Counter(outcome for _, outcome in self.pairs)


def cross_entropy(train, test, k, id):
    """Return the cross-entropy, nats per pair, of one text under a method fitted to another.

    Parameters
    ----------
    train, test : list of str
        At least two words each.
    k : int
        Number of types of both together.
    id : str
        One of `METHODS`.
    """
    probability = METHODS[id](PairCounts(train, k))
    losses = (
        times * log(probability(context, outcome))
        for (context, outcome), times in Counter(pairwise(test)).items()
    )
    return -fsum(losses) / (len(test) - 1)


def add_half(counts):
    """Return ``(context, outcome) -> Q`` of `direct.AddHalf`."""
    pairs, row_sums, added = counts.pairs, counts.row_sums, CONSTANT * counts.k
    return lambda i, j: (pairs[i, j] + CONSTANT) / (row_sums[i] + added)


def absolute_discounting(counts):
    """Return ``(context, outcome) -> Q`` of `direct.AbsoluteDiscounting`."""
    unigram = discounted(counts.column_sums, counts.k)

    def probability(i, j):
        total, distinct = counts.row_sums[i], counts.distinct_outcomes[i]
        return share(counts.pairs[i, j], total, distinct, counts.k) if total else unigram(j)

    return probability


def stupid_backoff(counts):
    """Return ``(context, outcome) -> Q`` of `backoff.StupidBackoff`."""
    unigram, seen = discounted(counts.column_sums, counts.k), Counter()
    for i, j in counts.pairs:
        seen[i] += unigram(j)

    def probability(i, j):
        if not (total := counts.row_sums[i]):
            return unigram(j)
        times = counts.pairs[i, j]
        score = times / total if times else WEIGHT * unigram(j)
        return score / (1 + WEIGHT * max(1 - seen[i], 0))

    return probability


def kneser_ney(counts):
    """Return ``(context, outcome) -> Q`` of `backoff.KneserNey`."""
    continuation = discounted(counts.distinct_contexts, counts.k)

    def probability(i, j):
        if not (total := counts.row_sums[i]):
            return continuation(j)
        freed = DISCOUNT * counts.distinct_outcomes[i] * continuation(j)
        return (max(counts.pairs[i, j] - DISCOUNT, 0) + freed) / total

    return probability


def discounted(counts, k):
    """Return ``outcome -> probability`` by absolute discounting of a `Counter`."""
    total, distinct = sum(counts.values()), len(counts)
    return lambda j: share(counts[j], total, distinct, k)


def share(times, total, distinct, k):
    """Return what absolute discounting gives to an outcome seen so many times of ``total``."""
    if distinct == k:  # no unseen outcome to give to
        return times / total
    return (times - DISCOUNT if times else DISCOUNT * distinct / (k - distinct)) / total


METHODS = {
    "add-half": add_half,
    "ad": absolute_discounting,
    "sb": stupid_backoff,
    "kn": kneser_ney,
}
