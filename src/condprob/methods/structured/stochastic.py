"""Algorithm 1 of Nelakanti et al. (2013): accelerated proximal gradient steps on mini-batches.

The algorithm is SAGE (Hu, Kwok and Pan, NIPS 2009), in the notation of the paper:

    V = (1 - tau) W + tau Z                                  where the gradient is taken
    W = prox(V - gradient(V) / rho)                          the step, from a mini-batch
    Z = (kept Z + (mu - rho) V + rho W) / (rho tau + mu)     the second sequence

``W`` and ``Z`` begin at zero. ``mu`` is the strong convexity of the objective per place: that of
``l2``, and zero for the other penalties. ``kept`` and the constants ``rho`` and ``tau`` depend on
the form:

| form | kept | rho after step t | tau after step t |
| --- | --- | --- | --- |
| printed | ``1 - mu`` | ``L + mu / delta`` | ``(sqrt(4 delta + delta^2) - delta) / 2`` |
| corrected | ``rho tau`` | the same | the same |
| growing | ``rho tau`` | ``L + b (t + 1)^(3/2)`` | ``2 / (t + 2)`` |

In the first two ``delta`` is multiplied by ``1 - tau`` after each step. READING: the paper prints
``1 - mu``, with which the weights of the second sequence do not add up to one. With ``rho tau``
they do, and the line is that of Hu et al. Without strong convexity the corrected steps never
become shorter, so that the noise of the mini-batches stays. "growing" is the schedule of Hu et al.
for that case.

A step visits all weights, because the penalty moves all of them: so one costs about as much as a
step of `fista`, which has all places for it.
"""

import math
from typing import Literal

import numpy as np

from condprob.files.checkpoints import Keeper
from condprob.methods.structured.fista import Point, Solution, duality_gap
from condprob.methods.structured.problem import (
    TreeProblem,
    forward,
    gradient_of,
)
from condprob.methods.structured.proximal import PENALTY_KINDS, Work, step, value_of
from condprob.progress import Goal, chunks
from condprob.run import DEFAULT_RUN, Run
from condprob.text.suffixes import NOWHERE, sums_of_subtrees

Steps = Literal["printed", "corrected", "growing"]
FORMS = ("printed", "corrected", "growing")
PRINTED, _, GROWING = range(3)
BATCH_SIZE = 400  # places of a mini-batch, as in the paper
# A table may count 10^15 pairs, and the duality gap is looked at after each pass.
MOST_BATCHES = 10_000  # mini-batches of a pass: four million places, in batches of 400
GROWTH_OF_STEPS = 1e-3  # b of the growing steps, in parts of L


def minimise_stochastically(
    kind: str,
    problem: TreeProblem,
    penalty: float,
    tol: float = 1e-3,
    passes: int = 100,
    run: Run = DEFAULT_RUN,
    *,
    batch: int = BATCH_SIZE,
    form: Steps | None = None,
) -> Solution:
    """Minimise the log-loss and a penalty by Algorithm 1, from weights of zero.

    Parameters
    ----------
    kind, problem, penalty
        See `fista.minimise`.
    tol : float
        Duality gap, nats per place, at which the fit stops. It is computed after each pass.
    passes : int
        Passes over the data at most. A pass is as many mini-batches as have ``problem.n`` places
        together, and at most `MOST_BATCHES`.
    run : Run, optional
        Its seed is that of the mini-batches, whose places are sampled with replacement.
    batch : int
        Places of a mini-batch.
    form : "printed", "corrected" or "growing", optional
        Of the constants; by default "corrected" where the objective is strongly convex, and
        "growing" elsewhere.

    Returns
    -------
    Solution
        Its history has the objective before each pass and after the last, nats per place. It is
        infinite, and the fit has ended, where the weights have left all numbers.

    Raises
    ------
    ValueError
        If the checkpoint is no checkpoint, is damaged or belongs to another fit.
    OSError
        If it cannot be read or written.
    """
    descent = _Descent(kind, problem, penalty, batch, form)
    root = int(run.generator().integers(2**53))  # a checkpoint keeps it as a float
    course = np.zeros(passes + 1)
    counts = *problem.pairs, *problem.forest, problem.above, problem.own, problem.outcomes
    fit = counts, (), (kind, penalty, tol, batch, descent.form, root)
    kept = {"weights": descent.weights, "aim": descent.aim}
    kept |= {"constants": descent.constants, "bounds": descent.bounds}
    keeper = Keeper(run.checkpoint, fit, kept, {"objective": course})
    done = keeper.restore()
    gap = descent.look(course, done)
    goal = Goal("gap", tol, lambda: gap)
    for start, stop in chunks(passes, 1, run.progress, "pass", done, goal):
        if gap <= tol or not math.isfinite(course[start]):
            break
        descent.run_pass(np.random.default_rng([root, start]))
        done, gap = stop, descent.look(course, stop)
        keeper.save(done, is_last=gap <= tol or done == passes)
    return Solution(descent.weights, course[: done + 1], gap, float(tol))


def strong_convexity(kind: str, problem: TreeProblem, penalty: float) -> float:
    """Return ``mu`` of log-loss and penalty per place: above zero only for ``l2``."""
    forest = problem.forest
    if kind != "l2" or not forest.copies.size or not problem.n:
        return 0.0
    return float(penalty / problem.n * (forest.groups / forest.copies).min())


def largest_curvature(problem: TreeProblem) -> float:
    """Return ``L`` of the mean log-loss: half the largest squared length of a place's features."""
    forest, squares = problem.forest, np.zeros(problem.pairs.parent.size)
    np.add.at(
        squares,
        np.repeat(np.arange(squares.size), np.diff(forest.start)),
        forest.copies * forest.features**2,
    )
    for p, upper in enumerate(problem.pairs.parent):
        if upper != NOWHERE:
            squares[p] += squares[upper]
    return float(squares.max(initial=0.0)) / 2


class _Descent:
    """The two sequences of Algorithm 1 and its constants, changed in place."""

    def __init__(
        self,
        kind: str,
        problem: TreeProblem,
        penalty: float,
        batch: int,
        form: Steps | None,
    ) -> None:
        self.number, self.problem, self.penalty = PENALTY_KINDS.index(kind), problem, float(penalty)
        self.batch, self.convexity = batch, strong_convexity(kind, problem, penalty)
        self.form: Steps = form or ("corrected" if self.convexity > 0 else "growing")
        self.curvature = largest_curvature(problem)
        size = problem.forest.parent.size
        self.weights, self.aim = np.zeros((2, size))
        self.constants = np.array([1.0, 1.0, self.curvature + self.convexity, 0.0])
        # `fista.duality_gap` keeps the best at `fista.PLACE_OF_BOUND`; numbers of a checkpoint are
        # finite.
        self.bounds = np.full(4, np.finfo(float).min)
        self.point = Point.at(self.weights, problem)._replace(weights=self.weights)
        self.work = Work.of(size)
        # A place is drawn as the pair of its whole history.
        self.ends = np.cumsum(problem.pairs.own)
        pairs = problem.pairs._replace(
            own=np.zeros_like(problem.pairs.own), counts=np.zeros_like(problem.pairs.counts)
        )
        self.part = problem._replace(own=np.zeros_like(problem.own), pairs=pairs)

    def look(self, course: np.ndarray, done: int) -> float:
        """Record the objective after ``done`` passes; return the duality gap, nats per place."""
        n, point, forest = self.problem.n or 1.0, self.point, self.problem.forest
        loss = forward(self.problem, self.weights, point.score, point.power, point.normaliser)
        value = loss + self.penalty * value_of(self.number, forest, self.weights, self.work)
        if not np.isfinite(value):
            course[done] = math.inf
            return math.inf
        gap = duality_gap(
            self.number, self.problem, self.penalty, point, self.work, course, self.bounds, done
        )
        course[done] /= n
        return gap / n

    def run_pass(self, rng: np.random.Generator) -> None:
        """Do the steps of one pass over the data."""
        steps = min(math.ceil(self.problem.n / self.batch), MOST_BATCHES)
        drawn = rng.random((steps, self.batch)) * self.ends[-1] if steps else np.zeros((0, 1))
        places = np.minimum(np.searchsorted(self.ends, drawn, "right"), self.ends.size - 1)
        threshold = self.penalty / (self.problem.n or 1.0)
        numbers = threshold, self.curvature, self.convexity, FORMS.index(self.form)
        _run(
            self.number, self.part, numbers, self.point, self.work, self.aim, self.constants, places
        )


def _run(
    kind: int,
    part: TreeProblem,
    numbers: tuple[float, float, float, int],
    point: Point,
    work: Work,
    aim: np.ndarray,
    constants: np.ndarray,
    places: np.ndarray,
) -> None:
    """Do a step for each row of ``places``: numbers of pairs, sampled for a mini-batch.

    ``part`` is the problem with room for the counts of a mini-batch. ``constants`` are ``tau``,
    ``delta``, ``rho`` and the number of steps done; ``point.weights`` and ``aim`` are W and Z.
    """
    threshold, curvature, convexity, form = numbers
    weights, ahead, pairs, batch = point.weights, point.ahead, part.pairs, places.shape[1]
    tau, delta, rho, done = constants.tolist()
    for drawn in places:
        pairs.own[:] = np.bincount(drawn, minlength=pairs.own.size)
        part.own[:] = np.bincount(pairs.context[drawn], minlength=part.own.size)
        pairs.counts[:] = sums_of_subtrees(pairs.parent, pairs.own)
        ahead[:] = (1 - tau) * weights + tau * aim
        forward(part, ahead, point.score, point.power, point.normaliser)
        gradient_of(part, point)
        weights[:] = ahead - point.gradient / batch / rho
        step(kind, part.forest, weights, np.full(weights.size, rho), threshold, work)
        kept = 1 - convexity if form == PRINTED else rho * tau
        moved = (convexity - rho) * ahead + rho * weights
        aim[:] = (kept * aim + moved) / (rho * tau + convexity)
        done += 1
        if form == GROWING:
            rho = curvature * (1 + GROWTH_OF_STEPS * (done + 1) ** 1.5)
            tau = 2 / (done + 2)
        else:
            rho = curvature + convexity / delta
            tau = (math.sqrt(4 * delta + delta * delta) - delta) / 2
            delta *= 1 - tau
    constants[:] = tau, delta, rho, done
