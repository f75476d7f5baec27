"""Accelerated proximal gradient steps with restarts, until a duality gap certifies the result.

The method is FISTA (Beck and Teboulle 2009) with the restarts of O'Donoghue and Candes (2015), on
all places at once. The length of a step depends on the counts of a word: the curvature of the
log-loss by its weights is at most its expected count, so that rare words take longer steps. One
factor, found by backtracking, is common to all.

The step of ``tree2`` has a closed form only if all weights of a word have one scale, and rare
contexts then move too slowly. So most of its steps have a scale for each weight, and the norms are
replaced by their quadratic bound at the start of the step (the variational form of norms: Bach,
Jenatton, Mairal and Obozinski 2012, Section 5). Such steps never leave zero: before every look at
the gap comes the closed form.

The residuals of the model are shrunk towards the data until they satisfy the constraint of the
dual. The entropies of the shrunk model are then a lower bound of the objective
(`problem.entropy_towards_data`). The gap is the largest possible fall of the objective.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from condprob.files.checkpoints import Keeper
from condprob.jit import EXACT, njit
from condprob.methods.structured.problem import (
    TreeProblem,
    entropy_towards_data,
    forward,
    gradient_of,
)
from condprob.methods.structured.proximal import (
    L2,
    PENALTY_KINDS,
    TREE2,
    Work,
    bounded_step,
    largest_share,
    step,
    value_of,
)
from condprob.progress import Goal, Parts, shown
from condprob.run import DEFAULT_RUN, Run
from condprob.text.suffixes import NOWHERE

ITERATIONS_BETWEEN_GAPS = 10  # iterations between two computations of the gap; not measured
# Of the factor: at a step that was too long, and after each that was not. Not measured.
FACTOR_AFTER_LONG_STEP, FACTOR_AFTER_STEP = 1.5, 0.95
LOSS_ROUNDING = 1e-12  # relative rounding of the loss, a sum of many numbers; not measured
# Places in the state, whose first two are the factors of both steps.
PLACE_OF_MOMENTUM = 2
PLACE_OF_BOUND = 3


@dataclass(frozen=True)
class Solution:
    """Weights, and the course of the fit."""

    weights: np.ndarray  # shape (weights,)
    # shape (iterations + 1,): objective before each iteration and after the last, nats per place:
    # log-loss and penalty
    history: np.ndarray
    gap: float  # the objective is at most so much above its minimum, nats per place
    tol: float  # the gap at which the fit stops

    @property
    def converged(self) -> bool:
        """Whether the gap is at most ``tol``."""
        return self.gap <= self.tol


class Point(NamedTuple):
    """The state of the iterations."""

    # `weights`, `before`, `ahead`, `gradient`: shape (weights,): now, one iteration ago, at the
    # start of the next step; the gradient that the step follows
    weights: np.ndarray
    before: np.ndarray
    ahead: np.ndarray
    gradient: np.ndarray
    # `scale`, `common`: shape (weights,): how short the step is, and the closed form's of
    # ``tree2``: one scale for each word. `scaled`: one of them times its factor
    scale: np.ndarray
    common: np.ndarray
    scaled: np.ndarray
    # `expected`, `score`, `power`, `taken`: shape (pairs,)
    expected: np.ndarray
    score: np.ndarray
    power: np.ndarray
    taken: np.ndarray
    # `normaliser`, `mass`: shape (contexts,): see `problem.forward`
    normaliser: np.ndarray
    mass: np.ndarray

    @classmethod
    def at(cls, weights: np.ndarray, problem: TreeProblem) -> "Point":
        """Return the point at given weights."""
        copies = (weights.copy() for _ in range(3))
        of_pairs = np.zeros((4, problem.pairs.parent.size))
        of_contexts = np.zeros((2, problem.own.size))
        scales = *scales_of(problem), np.zeros(weights.size)
        return cls(*copies, np.zeros(weights.size), *scales, *of_pairs, *of_contexts)


def minimise(
    kind: str,
    problem: TreeProblem,
    penalty: float,
    tol: float = 1e-3,
    iterations: int = 10_000,
    start: np.ndarray | None = None,
    run: Run = DEFAULT_RUN,
) -> Solution:
    """Minimise the log-loss and a penalty: "l1", "l2", "tree2" or "treeinf".

    ``tree2`` needs a forest that is not collapsed. The penalty, > 0, is the weight of the norm
    added to the log-loss of all places. The fit stops at a duality gap of ``tol``, nats per
    place, or after ``iterations``. It starts from weights, by default those of `unigram_start`.

    Raises ValueError if the file is no checkpoint, is damaged or belongs to another fit, and
    OSError if it cannot be read or written.
    """
    number, size = PENALTY_KINDS.index(kind), problem.forest.parent.size
    penalty = float(penalty)  # for an integer all would be compiled once more
    weights = np.maximum(unigram_start(problem) if start is None else start, 0.0)
    point = Point.at(weights, problem)
    work, course = Work.of(size), np.zeros(iterations + 1)
    state = np.array([1.0, 1.0, 1.0, -math.inf])  # two factors, momentum, lower bound
    n = problem.n or 1.0
    counts = *problem.pairs, *problem.forest, problem.above, problem.own, problem.outcomes
    fit = counts, (weights,), (kind, penalty, float(tol))
    kept = {"weights": point.weights, "ahead": point.ahead, "state": state}
    keeper = Keeper(run.checkpoint, fit, kept, {"objective": course})
    done = keeper.restore()

    def last_gap():  # as the last look at it found it
        return (
            course[max(done - 1, 0) // ITERATIONS_BETWEEN_GAPS * ITERATIONS_BETWEEN_GAPS]
            - state[PLACE_OF_BOUND]
        ) / n

    arguments = number, problem, penalty, point, work, course, state
    goal = Goal("gap", tol, last_gap)
    with shown(iterations, done=done, goal=goal, progress=run.progress) as show:
        while done < iterations:
            is_look = done % ITERATIONS_BETWEEN_GAPS == 0
            if is_look and duality_gap(*arguments, done) <= tol * n:
                break
            iterate_fista(*arguments, done)
            done += 1
            keeper.save(done)
            show(done)
        keeper.save(done, is_last=True)
    gap = duality_gap(*arguments, done) / n
    return Solution(point.weights, course[: done + 1] / n, gap, float(tol))


def path(
    kind: str, problem: TreeProblem, penalties: Sequence[float], tol: float = 1e-3, **options
) -> Iterator[Solution]:
    """Yield the solution for each penalty, each from the one before; options are `minimise`'s."""
    start, run = None, options.get("run", DEFAULT_RUN)
    parts = Parts("penalty", len(penalties), run.progress)
    for penalty in penalties:
        with parts.next():
            solution = minimise(kind, problem, penalty, tol, start=start, **options)
        start = solution.weights
        yield solution


def unigram_start(problem: TreeProblem) -> np.ndarray:
    """Return weights of only the empty context, which give add-one probabilities."""
    weights = np.zeros(problem.forest.parent.size)
    root = problem.pairs.parent == NOWHERE
    weights[problem.forest.start[:-1][root]] = np.log1p(problem.pairs.counts[root])
    return weights


def scales_of(problem: TreeProblem) -> tuple[np.ndarray, np.ndarray]:
    """Return two inverse lengths of steps: of each weight, and the largest of its word.

    Both have the shape (weights,), and are in proportion to the curvature of the log-loss.
    """
    pairs, forest = problem.pairs, problem.forest
    counts = np.repeat(pairs.counts, np.diff(forest.start))
    roots = forest.parent == NOWHERE
    return forest.features * counts, counts[roots][np.cumsum(roots) - 1]


def iterate_fista(
    kind: int,
    problem: TreeProblem,
    penalty: float,
    point: Point,
    work: Work,
    course: np.ndarray,
    state: np.ndarray,
    t: int,
) -> None:
    """Run iteration ``t`` in place.

    ``kind`` is a place in `proximal.PENALTY_KINDS`. The course receives the objective after the
    iteration, nats in all. The state has the factors of the scale and of the common one, momentum,
    and the best lower bound of the objective.
    """
    weights, before, ahead, forest = point.weights, point.before, point.ahead, problem.forest
    values, scaled = (point.score, point.power, point.normaliser), point.scaled
    bounded = kind == TREE2 and t % ITERATIONS_BETWEEN_GAPS != ITERATIONS_BETWEEN_GAPS - 1
    factor, scale = (1, point.common) if kind == TREE2 and not bounded else (0, point.scale)
    there = forward(problem, ahead, *values)
    gradient_of(problem, point)
    before[:] = weights
    while True:
        _step_down(ahead, point.gradient, scale, state[factor], scaled, weights)
        if bounded:
            bounded_step(forest, weights, ahead, scaled, penalty, work)
        else:
            step(kind, forest, weights, scaled, penalty, work)
        loss = forward(problem, weights, *values)
        bound, turned = _look_back(forest.copies, point.gradient, scaled, weights, ahead, before)
        if loss <= there + bound + LOSS_ROUNDING * abs(there):
            break
        state[factor] *= FACTOR_AFTER_LONG_STEP
    course[t + 1] = loss + penalty * value_of(kind, forest, weights, work)
    state[factor] *= FACTOR_AFTER_STEP
    before_momentum = state[PLACE_OF_MOMENTUM]
    momentum = (1.0 + math.sqrt(1.0 + 4.0 * before_momentum * before_momentum)) / 2
    push = (before_momentum - 1.0) / momentum
    # the step went against where the weights were going, or the next has another metric
    if turned > 0.0 or (kind == TREE2 and (t + 2) % ITERATIONS_BETWEEN_GAPS <= 1):
        push, momentum = 0.0, 1.0
    state[PLACE_OF_MOMENTUM] = momentum
    _go_ahead(weights, before, push, ahead)


@njit(**EXACT)
def _step_down(ahead, gradient, scale, factor, scaled, weights):
    """Go down the gradient, as far as the scale times its factor says."""
    for q in range(scaled.size):
        scaled[q] = factor * scale[q]
        weights[q] = ahead[q] - gradient[q] / scaled[q]


@njit(**EXACT)
def _go_ahead(weights, before, push, ahead):
    """Go on in the direction of the step."""
    for q in range(ahead.size):
        ahead[q] = max(weights[q] + push * (weights[q] - before[q]), 0.0)


@njit(**EXACT)
def _look_back(copies, gradient, scaled, weights, ahead, before):
    """Return a bound of the rise of the loss by the step, and how far the step went back."""
    bound, turned = 0.0, 0.0
    for q in range(scaled.size):
        moved = weights[q] - ahead[q]
        bound += copies[q] * (gradient[q] + scaled[q] * moved / 2) * moved
        turned -= copies[q] * scaled[q] * moved * (weights[q] - before[q])
    return bound, turned


def duality_gap(
    kind: int,
    problem: TreeProblem,
    penalty: float,
    point: Point,
    work: Work,
    course: np.ndarray,
    state: np.ndarray,
    t: int,
) -> float:
    """Return how far the objective is above the best lower bound of its minimum, nats in all.

    The objective itself goes to ``course[t]``; the parameters are those of `iterate_fista`.
    """
    forest, slopes = problem.forest, point.gradient
    loss = forward(problem, point.weights, point.score, point.power, point.normaliser)
    course[t] = loss + penalty * value_of(kind, forest, point.weights, work)
    gradient_of(problem, point)
    np.maximum(-slopes, 0.0, out=slopes)
    conjugate = 0.0
    if kind == L2:  # no ball: the bound rises up to about here
        squares = (forest.copies * slopes) ** 2 / (2 * penalty * forest.groups)
        conjugate = float(np.cumsum(squares)[-1]) if squares.size else 0.0  # in their order
        rise = entropy_towards_data(problem, point, 1.0) - loss
        share = min(max(rise, 0.0) / (2 * conjugate), 1.0) if conjugate > 0.0 else 1.0
    else:
        share = largest_share(kind, forest, slopes, penalty, work)
    lower = entropy_towards_data(problem, point, share) - share * share * conjugate
    state[PLACE_OF_BOUND] = max(state[PLACE_OF_BOUND], lower)
    return float(course[t] - state[PLACE_OF_BOUND])
