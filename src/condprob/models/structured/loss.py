"""The log-loss, its exact gradient and the entropies of the duality gap, at the cost of the pairs.

The normaliser of a context differs from that of its parent only in the words seen after it:

    Z(s) = Z(parent) + sum over words y after s of (exp sc(s, y) - exp sc(parent, y)),

where ``sc(s, y)`` adds up the weights of ``y`` in ``s`` and all contexts above it, and Z of the
empty context begins with one for each word. So the cost is that of the seen pairs, and not of all
words at each place, which the paper's conclusion names as the bottleneck.
"""

import math

from numba import njit

from condprob.runtime.jit import JIT
from condprob.sequences.suffixes import NOWHERE


@njit(**JIT)
def forward(problem, weights, score, power, normaliser):
    """Return the log-loss of all places, nats; fill in scores, their exponentials, normalisers.

    ``score`` and ``power``, shape (pairs,), receive ``sc`` and ``exp sc``, ``normaliser``, shape
    (contexts,), ``Z``.
    """
    pairs, forest, total = problem.pairs, problem.forest, 0.0
    normaliser[:] = 0.0
    normaliser[0] = problem.outcomes
    for p in range(score.size):
        upper = pairs.parent[p]
        before_score, before = 0.0, 1.0
        if upper != NOWHERE:
            before_score, before = score[upper], power[upper]
        added = 0.0
        for q in range(forest.start[p], forest.start[p + 1]):
            added += forest.copies[q] * forest.features[q] * weights[q]
        score[p], power[p] = before_score, before
        if added != 0.0:
            score[p] += added
            power[p] = math.exp(score[p])
            normaliser[pairs.context[p]] += power[p] - before
        total -= pairs.own[p] * score[p]
    for s in range(normaliser.size):
        if s:
            normaliser[s] += normaliser[problem.above[s]]
        if problem.own[s] != 0.0:
            total += problem.own[s] * math.log(normaliser[s])
    return total


@njit(**JIT)
def expected_counts(problem, point):
    """Fill in how often the model expects each pair, ``sum p(y | history)`` over its places.

    The `fista.Point` has ``power`` and ``normaliser`` from `forward`; its ``mass`` receives the sum
    of ``1 / Z`` over the places of each context, ``expected`` the result.
    """
    pairs, mass, taken, expected = problem.pairs, point.mass, point.taken, point.expected
    for s in range(mass.size):
        mass[s] = problem.own[s] / point.normaliser[s]
    for s in range(mass.size - 1, 0, -1):
        mass[problem.above[s]] += mass[s]
    taken[:] = 0.0
    expected[:] = 0.0
    for p in range(expected.size - 1, -1, -1):
        upper, here = pairs.parent[p], mass[pairs.context[p]]
        expected[p] += point.power[p] * (here - taken[p])
        if upper != NOWHERE:
            taken[upper] += here
            expected[upper] += expected[p]


@njit(**JIT)
def gradient_of(problem, expected, gradient):
    """Fill in the gradient by the weight of each single context, of the log-loss of all places."""
    pairs, forest = problem.pairs, problem.forest
    for p in range(expected.size):
        for q in range(forest.start[p], forest.start[p + 1]):
            gradient[q] = forest.features[q] * (expected[p] - pairs.counts[p])


@njit(**JIT)
def entropy_towards_data(problem, point, share):
    """Return ``sum H(share p + (1 - share) e_y)`` over all places, nats.

    ``p`` is the model's distribution after a history and ``e_y`` all of the word that came. It is
    the dual objective of the log-loss at residuals shrunk to ``share``, from 0 to 1. The
    `fista.Point` has ``score``, ``power`` and ``normaliser`` from `forward`; its ``mass`` is used
    for work.
    """
    pairs, score, power, total = problem.pairs, point.score, point.power, 0.0
    work = point.mass  # sum over words of score exp(score)
    work[:] = 0.0
    for p in range(score.size):
        upper = pairs.parent[p]
        before = 0.0 if upper == NOWHERE else score[upper] * power[upper]
        work[pairs.context[p]] += score[p] * power[p] - before
    log_share = math.log(share) if share > 0.0 else 0.0
    for s in range(work.size):
        if s:
            work[s] += work[problem.above[s]]
        if problem.own[s] != 0.0:
            z = point.normaliser[s]
            total += problem.own[s] * share * (math.log(z) - work[s] / z - log_share)
    for p in range(score.size):
        if pairs.own[p] != 0.0:  # the word that came has more than its share of p
            z = point.normaliser[pairs.context[p]]
            shrunk = share * power[p] / z
            mixed = shrunk + 1.0 - share
            without = shrunk * (log_share + score[p] - math.log(z))
            total += pairs.own[p] * (without - mixed * math.log(mixed))
    return total
