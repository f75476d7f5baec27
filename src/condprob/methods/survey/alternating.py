"""SDR by alternating projection (Globerson and Tishby 2003), next to the gradients of L-BFGS.

With the factors of contexts fixed the model is an exponential family, and its member of maximum
likelihood is the projection of the pairs onto the distributions with the same marginal of outcomes
and the same means of these factors. Iterative scaling finds it, and then the same is done with the
two sides exchanged.

READING: the survey names the algorithm and does not give it. A projection ends after
`SCALINGS` steps of generalised iterative scaling (Darroch and Ratcliff 1972). The ridge of the
factors has a part in each step, so that the objective is that of the gradients.
"""

import numpy as np
from scipy.special import wrightomega

from condprob.methods.survey.bilinear_fit import FittedScores, GroupedCounts, Scores
from condprob.progress import Goal, Progress, shown

SCALINGS = 10  # steps of a projection, chosen by hand


def alternate(
    problem: GroupedCounts,
    start: Scores,
    ridge: float,
    tol: float,
    iterations: int,
    progress: Progress = False,
) -> FittedScores:
    """Minimise the log-loss with the ridge on the factors, and none on the biases, per pair.

    An iteration projects twice: for the factors and biases of outcomes, then for the factors of
    contexts. No step of either raises the objective. The fit ends where an iteration changes the
    objective by less than ``tol``, nats per pair. All cells are in memory.
    """
    C = problem.counts.dense()
    scores = Scores(*(part.copy() for part in start))
    history = [_objective(C, problem, scores, ridge)]

    def last_change():
        return abs(history[-2] - history[-1])

    ended = "limit"
    with shown(iterations, goal=Goal("change", tol, last_change), progress=progress) as show:
        for done in range(1, iterations + 1):
            for _ in range(SCALINGS):
                _scale_biases(C, problem, scores)
                _scale_outcomes(C, problem, scores, ridge)
            for _ in range(SCALINGS):
                _scale_contexts(C, problem, scores, ridge)
            history.append(_objective(C, problem, scores, ridge))
            show(done)
            if last_change() < tol:
                ended = "settled"
                break
    return FittedScores(scores, np.array(history), ended)


def _expected(problem, scores):
    """Return how often the model expects each pair of a row and a column, and their log-sums."""
    logits = scores.phi @ scores.psi.T + scores.B + np.log(problem.columns)
    highest = logits.max(axis=1, keepdims=True)
    power = np.exp(logits - highest)
    sums = power.sum(axis=1, keepdims=True)
    return problem.counts.row_sums[:, None] * power / sums, logits - highest - np.log(sums)


def _objective(C, problem, scores, ridge):
    _, logs = _expected(problem, scores)
    squares = problem.rows @ (scores.phi**2).sum(axis=1)
    squares += problem.columns @ (scores.psi**2).sum(axis=1)
    # Outcomes that are one column share its probability equally.
    shared = problem.counts.column_sums @ np.log(problem.columns)
    return float((shared - (C * logs).sum() + ridge / 2 * squares) / problem.counts.n)


def _scale_biases(C, problem, scores):
    """Give each column the marginal that it has in the counts."""
    expected, _ = _expected(problem, scores)
    scores.B[:] += np.log(C.sum(axis=0) / expected.sum(axis=0))


def _scale_outcomes(C, problem, scores, ridge):
    expected, _ = _expected(problem, scores)
    least = scores.phi.min(axis=0)
    features = scores.phi - least
    sums = C.T @ features, expected.T @ features
    moved = _step(*sums, features, ridge * problem.columns, scores.psi)
    scores.psi[:] += moved
    scores.B[:] -= moved @ least


def _scale_contexts(C, problem, scores, ridge):
    expected, _ = _expected(problem, scores)
    features = scores.psi - scores.psi.min(axis=0)  # a constant of a row is in no distribution
    sums = C @ features, expected @ features
    scores.phi[:] += _step(*sums, features, ridge * problem.rows, scores.phi)


def _step(observed, expected, features, ridges, weights):
    """Return by how much each weight moves, shape as ``weights``.

    It is the ``d`` at which ``expected exp(M d) + ridge (weights + d) = observed``, where ``M`` is
    the largest sum of the features, which are not negative, of one row.
    """
    most = features.sum(axis=1).max(initial=0.0)
    if most == 0.0:
        return np.zeros(weights.shape)
    ridges = ridges[:, None]
    left = observed / ridges - weights
    with np.errstate(divide="ignore"):
        logs = np.log(most * expected / ridges)
    return left - wrightomega(logs + most * left) / most
