"""Algorithm 1 as printed and as corrected, compared with FISTA: the objective by passes.

A pass is as many gradients of single places as there are places. FISTA and subgradient steps take
one for each step; what FISTA spends on the length of a step and on its certificate is not counted.
"""

import numpy as np

from condprob.jit import EXACT, njit
from condprob.methods.structured.fista import Point, minimise
from condprob.methods.structured.problem import (
    UNWEIGHTED,
    build_problem,
    can_collapse,
    forward,
    gradient_of,
    places_of_sentences,
)
from condprob.methods.structured.proximal import PENALTY_KINDS, Work, value_of
from condprob.methods.structured.stochastic import largest_curvature, minimise_stochastically
from condprob.run import Run
from condprob.text.suffixes import NOWHERE
from reproduction.scores.seeds import spawn_seed
from reproduction.verdicts.cases import at_least, make_case

SOLVER_COLUMNS = ["norm", "solver", "passes", "objective", "above", "words", "weights"]
NORMS = ("l2", "treeinf")  # with strong convexity and without
FISTA, PRINTED, CORRECTED = "FISTA", "Algorithm 1, as printed", "Algorithm 1, corrected"
GROWING, WHOLE = "Algorithm 1, growing steps", "Algorithm 1, corrected, all places"
SUBGRADIENT = "subgradient steps"
MINIMUM = 1e-5  # duality gap, nats per word, of what counts as the minimum
NATS_ALIKE = 0.02  # nats per word: models that are no farther apart are alike, as in words.toml
FACTORS = (1.0, 10.0, 100.0)  # of the first subgradient step, in parts of 1/L: the best counts


def compare_solvers(root, train, settings):
    """Yield rows of `SOLVER_COLUMNS`: each solver's objective after each pass, nats per word.

    ``train`` are sentences; the settings are the ``order``, the ``penalty`` and the ``passes``.
    ``above`` is how far the objective is above the minimum, as FISTA finds it; both are infinite
    where the weights have left all numbers, and there the course ends.
    """
    places = places_of_sentences(train, settings["order"])
    for norm in NORMS:
        problem, _ = build_problem(places, train.words, train.k, can_collapse(norm, UNWEIGHTED))
        penalty, passes = settings["penalty"], settings["passes"]
        least = minimise(norm, problem, penalty, MINIMUM).history[-1]
        seed = spawn_seed(root, "structured", "solvers", norm)
        for solver, history in _run_solvers(norm, problem, penalty, passes, train.n, seed):
            for done, objective in enumerate(history[: passes + 1]):
                yield {
                    "norm": norm,
                    "solver": solver,
                    "passes": done,
                    "objective": objective,
                    "above": objective - least,
                    "words": train.n,
                    "weights": problem.forest.parent.size,
                }


def _run_solvers(norm, problem, penalty, passes, n, seed):
    """Yield each solver's name and its course, the objective before each pass and at the end."""
    tol = 0.0
    start = np.zeros(problem.forest.parent.size)
    yield FISTA, minimise(norm, problem, penalty, tol, passes, start).history
    forms = [(PRINTED, "printed", {}), (CORRECTED, "corrected", {})]
    forms += [(WHOLE, "corrected", {"batch": n})] if norm == "l2" else []
    forms += [(GROWING, "growing", {})] if norm != "l2" else []
    for solver, form, how in forms:
        found = minimise_stochastically(
            norm, problem, penalty, tol, passes, Run(seed), form=form, **how
        )
        yield solver, found.history
    courses = [
        descend_by_subgradients(norm, problem, penalty, passes, factor) for factor in FACTORS
    ]
    yield SUBGRADIENT, min(courses, key=lambda course: course[-1])


def descend_by_subgradients(norm, problem, penalty, steps, factor):
    """Return the objective before each step and after the last, nats per place, from zero weights.

    Step ``t`` goes ``factor / (L sqrt(t))`` along a subgradient of log-loss and penalty per place,
    and weights below zero become zero. Of the largest of a subtree one has all of its slope.
    """
    kind, forest, n = PENALTY_KINDS.index(norm), problem.forest, problem.n
    weights = np.zeros(forest.parent.size)
    point, work = Point.at(weights, problem), Work.of(weights.size)
    curvature, course = largest_curvature(problem), np.zeros(steps + 1)
    slopes = np.zeros(weights.size)
    for t in range(steps + 1):
        loss = forward(problem, weights, point.score, point.power, point.normaliser)
        course[t] = (loss + penalty * value_of(kind, forest, weights, work)) / n
        gradient_of(problem, point)
        _slopes_of_penalty(norm == "treeinf", forest, weights, slopes)
        slope = (point.gradient + penalty * slopes / forest.copies) / n
        weights = np.maximum(weights - factor / (curvature * np.sqrt(t + 1)) * slope, 0.0)
    return course


@njit(**EXACT)
def _slopes_of_penalty(is_treeinf, forest, weights, slopes):
    """Fill in a subgradient, by each weight, of half the squares, or of the l-infinity norm."""
    if not is_treeinf:
        for p in range(weights.size):
            slopes[p] = forest.groups[p] * weights[p]
        return
    slopes[:] = 0.0
    largest = np.arange(weights.size)
    for p in range(weights.size - 1, -1, -1):
        slopes[largest[p]] += forest.groups[p]
        upper = forest.parent[p]
        if upper != NOWHERE and weights[largest[p]] > weights[largest[upper]]:
            largest[upper] = largest[p]


def check_solvers(table):
    """Yield the cases of Algorithm 1: where each solver is after all passes, nats per word."""
    passes = int(table["passes"].max())
    n = int(table["words"].iloc[0])
    ends = {
        key: part["above"].iloc[-1] for key, part in table.groupby(["norm", "solver"], sort=False)
    }
    case = f"squared l2, {passes} passes: nats per word above the minimum"
    yield make_case("a1", f"{case}, corrected", ends["l2", CORRECTED], NATS_ALIKE, n=n)
    yield make_case("a1-printed", f"{case}, as printed", ends["l2", PRINTED], NATS_ALIKE, n=n)
    case = f"l-infinity norm of trees, {passes} passes: nats per word above the minimum"
    yield make_case("a1-flat", f"{case}, corrected", ends["treeinf", CORRECTED], NATS_ALIKE, n=n)
    yield make_case(
        "a1-growing", f"{case}, growing steps", ends["treeinf", GROWING], NATS_ALIKE, n=n
    )
    case = f"squared l2, {passes} passes: batches of 400, and all places"
    yield make_case("a1-batches", case, ends["l2", CORRECTED], ends["l2", WHOLE], n=n)
    proximal = table[(table["norm"] == "treeinf") & (table["solver"] == FISTA)]
    near = proximal[proximal["above"] <= NATS_ALIKE]["passes"].min()
    if not np.isfinite(near):
        near = passes
    slow = table[(table["norm"] == "treeinf") & (table["solver"] == SUBGRADIENT)]
    above = slow[slow["passes"] == near]["above"].iloc[0]
    case = f"subgradient steps above the minimum when proximal ones are alike ({near:.0f} passes)"
    yield at_least("a1-subgradient", case, above, 2 * NATS_ALIKE, n=n)
