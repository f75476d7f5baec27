"""From the weights of a solution to what a fit returns."""

import numpy as np

from condprob.counts import CountMatrix
from condprob.models.structured.fista import Solution
from condprob.models.structured.loss import forward
from condprob.models.structured.matrix import LogLinearMatrix
from condprob.models.structured.problem import Problem
from condprob.models.structured.sequence import Contexts, LogLinearModel, Scores
from condprob.sequences.suffixes import NOWHERE, ContextTree, Places


def model_of(
    problem: Problem,
    tree: ContextTree,
    places: Places,
    order: int,
    solution: Solution,
    penalty: float,
    decay: float = 1.0,
) -> LogLinearModel:
    """Return the model of histories; pairs and contexts whose weights are zero are left out."""
    pairs, forest = problem.pairs, problem.forest
    score, _, normaliser = _evaluate(problem, solution.weights)
    owner = np.repeat(np.arange(pairs.parent.size), np.diff(forest.start))
    added = forest.features * solution.weights
    kept = np.bincount(owner, added != 0, minlength=pairs.parent.size) > 0
    used = np.bincount(pairs.context[kept], minlength=problem.above.size) > 0
    used[0] = True
    for node in range(used.size - 1, 0, -1):
        used[problem.above[node]] |= used[node]
    number = np.cumsum(used) - 1
    by_context = np.flatnonzero(kept)
    by_context = by_context[np.lexsort((pairs.outcome[kept], number[pairs.context[kept]]))]
    upper = pairs.parent[by_context]
    sizes = np.diff(forest.start)[by_context]
    start = np.concatenate([[0], np.cumsum(sizes)])
    weights = np.arange(start[-1]) + np.repeat(forest.start[by_context] - start[:-1], sizes)
    ends = places.ends[tree.place[used]] if places.ends.size else np.zeros(1, dtype=np.int64)
    of_context = np.bincount(number[pairs.context[by_context]], minlength=used.sum())
    above = tree.parent[used]
    contexts = Contexts(
        np.where(above == NOWHERE, NOWHERE, number[above]),
        tree.depth[used],
        ends,
        normaliser[used],
        np.concatenate([[0], np.cumsum(of_context)]),
    )
    before = np.where(upper == NOWHERE, 0.0, score[upper])
    scores = Scores(pairs.outcome[by_context], before, start, added[weights])
    told = solution.history, float(penalty), float(decay), float(solution.gap), solution.tol
    return LogLinearModel(problem.outcomes, order - 1, places.text, contexts, scores, *told)


def matrix_of(
    problem: Problem,
    tree: ContextTree,
    counts: CountMatrix,
    solution: Solution,
    penalty: float,
    decay: float = 1.0,
) -> LogLinearMatrix:
    """Return the matrix of pairs, whose histories have one word, or none."""
    pairs = problem.pairs
    _, power, normaliser = _evaluate(problem, solution.weights)
    root = pairs.parent == NOWHERE
    right = np.ones((1, counts.shape[1]))
    right[0, pairs.outcome[root]] = power[root]
    # A node below the root is a context, in the row of any of its places.
    row_of = counts.contexts[tree.place] if counts.nnz else tree.place
    left = np.full((counts.shape[0], 1), 1 / normaliser[0])
    left[row_of[1:], 0] = 1 / normaliser[1:]
    entries = np.zeros(counts.nnz)
    if not root.all():
        below = np.flatnonzero(~root)
        rows = row_of[pairs.context[below]]
        below = below[np.lexsort((pairs.outcome[below], rows))]
        above = power[below] - power[pairs.parent[below]]
        entries = above / normaliser[pairs.context[below]]
    told = {"history": solution.history, "penalty": float(penalty), "decay": float(decay)}
    told |= {"gap": float(solution.gap), "tol": solution.tol}
    return LogLinearMatrix.on_pattern(counts, left, right, entries, **told)


def _evaluate(problem, weights):
    """Return scores, their exponentials and normalisers."""
    score, power = np.empty((2, problem.pairs.parent.size))
    normaliser = np.empty(problem.own.size)
    forward(problem, weights, score, power, normaliser)
    return score, power, normaliser
