"""The paper's stochastic algorithm (Algorithm 1, after Hu, Kwok and Pan 2009), to compare.

`fista` has what is used.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from condprob.checks import Seed
from condprob.models.structured.fista import Point, unigram_start
from condprob.models.structured.problem import Problem, expected_counts, forward, gradient_of
from condprob.models.structured.proximal import KINDS, Work, step, value_of
from condprob.sequences.suffixes import ContextTree, add_up


@dataclass(frozen=True)
class Stochastic:
    """How Algorithm 1 runs.

    Attributes
    ----------
    steps : int
        How many mini-batches.
    batch : int
        Places in each, drawn at random with replacement.
    form : "corrected" or "printed"
        Of the combination of the estimates. READING: the print has ``(1 - mu) Z`` where the
        weights of its sum, which divides by ``rho tau + mu``, add up only with ``rho tau Z``.
    convexity : float
        ``mu``, of log-loss and penalty per place; zero but for ``l2``.
    start : "zero" or "unigram"
        The paper's, or that of `fista`.
    every : int
        Steps between two looks at the objective.
    """

    steps: int = 1000
    batch: int = 400
    form: Literal["corrected", "printed"] = "corrected"
    convexity: float = 0.0
    start: Literal["zero", "unigram"] = "zero"
    every: int = 100


def minimise_stochastically(
    kind: str,
    problem: Problem,
    tree: ContextTree,
    words: np.ndarray,
    penalty: float,
    how: Stochastic,
    seed: Seed = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Run Algorithm 1.

    Parameters
    ----------
    kind, problem, penalty
        See `fista.minimise`.
    tree : ContextTree
        The contexts of the problem.
    words : numpy.ndarray of int, shape (n,)
        What stands at each place.
    how : Stochastic
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Of the mini-batches.

    Returns
    -------
    weights : numpy.ndarray, shape (weights,)
    history : numpy.ndarray, shape (1 + how.steps // how.every,)
        Objective at each look, nats per place; not finite where the weights have diverged.
    """
    rng, number = np.random.default_rng(seed), KINDS.index(kind)
    weights = np.zeros(problem.forest.parent.size)
    if how.start == "unigram":
        weights = unigram_start(problem)
    aim, work = weights.copy(), Work.of(weights.size)
    point = Point.at(weights, problem)
    own_pair = _pairs_of_places(problem, tree, words)
    mu, of_mean = how.convexity, penalty / problem.n
    lipschitz = _largest_curvature(problem)
    tau = delta = 1.0
    rho = lipschitz + mu
    history = [_objective(number, problem, penalty, weights, point, work)]
    for t in range(1, how.steps + 1):
        between = (1 - tau) * weights + tau * aim
        drawn = rng.integers(own_pair.size, size=how.batch)
        _gradient(_restrict(problem, tree.leaf[drawn], own_pair[drawn]), between, point)
        weights = between - point.gradient / how.batch / rho
        step(number, problem.forest, weights, np.full(weights.size, rho), of_mean, work)
        kept = rho * tau if how.form == "corrected" else 1 - mu
        aim = (kept * aim + (mu - rho) * between + rho * weights) / (rho * tau + mu)
        rho = lipschitz + mu / delta
        tau = (np.sqrt(4 * delta + delta**2) - delta) / 2
        delta *= 1 - tau
        if t % how.every == 0:
            history.append(_objective(number, problem, penalty, weights, point, work))
    return weights, np.array(history)


def _largest_curvature(problem):
    """Return half the largest squared length of a history's features: that of the mean loss."""
    forest = problem.forest
    squares = np.add.reduceat(forest.copies * forest.features**2, forest.start[:-1])
    for p, upper in enumerate(problem.pairs.parent):
        if upper >= 0:
            squares[p] += squares[upper]
    return squares.max() / 2


def _pairs_of_places(problem, tree, words):
    """Return the pair of each place's whole history and word."""
    pairs = problem.pairs
    keys = pairs.context * problem.outcomes + pairs.outcome
    order = np.argsort(keys)
    return order[np.searchsorted(keys[order], tree.leaf * problem.outcomes + words)]


def _restrict(problem, contexts, own_pairs):
    """Return the problem of some of its places."""
    own = np.bincount(contexts, minlength=problem.own.size).astype(float)
    own_pairs = np.bincount(own_pairs, minlength=problem.pairs.parent.size).astype(float)
    counts = add_up(problem.pairs.parent, own_pairs)
    return problem._replace(own=own, pairs=problem.pairs._replace(own=own_pairs, counts=counts))


def _gradient(problem, weights, point):
    """Put the gradient of the log-loss of all places of the problem into the point."""
    forward(problem, weights, point.score, point.power, point.normaliser)
    expected_counts(problem, point)
    gradient_of(problem, point.expected, point.gradient)


def _objective(number, problem, penalty, weights, point, work):
    """Return log-loss and penalty, nats per place."""
    loss = forward(problem, weights, point.score, point.power, point.normaliser)
    return (loss + penalty * value_of(number, problem.forest, weights, work)) / problem.n
