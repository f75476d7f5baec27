"""A log-linear bigram: a softmax whose scores are a term of the outcome plus a term of the pair."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from condprob.counts import CountMatrix
from condprob.files.stored import stored
from condprob.methods.structured.fista import Solution
from condprob.methods.structured.problem import TreeProblem, evaluate
from condprob.model import Ended
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.text.suffixes import NOWHERE, SuffixTree


@dataclass(frozen=True, eq=False, repr=False)
class LogLinearMatrix(SparsePlusLowRank, kind="log-linear"):
    """Log-linear model of pairs: a bias for each outcome plus a weight for each observed pair.

    Attributes
    ----------
    history : numpy.ndarray, shape (iterations + 1,)
        Objective before each iteration and after the last, in nats per pair: log-loss and penalty.
    penalty : float
        Weight of the penalty, relative to the log-loss of all pairs.
    decay : float
        Weight of a depth relative to the depth above it.
    gap : float
        Bound on how far the objective is above its minimum, in nats per pair.
    tol : float
        Gap at which the fit was to end.

    Notes
    -----
    ``Q_ij = exp(b_j + w_ij) / Z_i`` with ``w`` zero except for the observed pairs: the sum of a
    matrix of rank one and a sparse one.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("ll-l2", penalty=0.1).fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]])
    >>> matrix.gap <= matrix.tol
    True
    """

    history: np.ndarray = stored("f", "iterations+1", default=None, low=-np.inf, high=np.inf)
    penalty: float = stored("f", default=np.nan, nan=True)
    decay: float = stored("f", default=1.0)
    gap: float = stored("f", default=np.inf, low=-np.inf, high=np.inf)
    tol: float = stored("f", default=0.0, low=0)

    @property
    def ended(self) -> Ended:
        """Settled if the gap is at most ``tol``."""
        return "settled" if self.gap <= self.tol else "limit"


def matrix_of(
    problem: TreeProblem,
    tree: SuffixTree,
    counts: CountMatrix,
    solution: Solution,
    penalty: float,
    decay: float = 1.0,
) -> LogLinearMatrix:
    """Return the matrix of pairs, whose histories have one word, or none."""
    pairs = problem.pairs
    _, power, normaliser = evaluate(problem, solution.weights)
    root = pairs.parent == NOWHERE
    right = np.ones((1, counts.shape[1]))
    right[0, pairs.outcome[root]] = power[root]
    # A node below the root is a context of one word, the number of its row.
    row_of = tree.text[tree.ends[1:] - 1]
    left = np.full((counts.shape[0], 1), 1 / normaliser[0])
    left[row_of, 0] = 1 / normaliser[1:]
    entries = np.zeros(counts.nnz)
    if not root.all():
        below = np.flatnonzero(~root)
        rows = row_of[pairs.context[below] - 1]
        below = below[np.lexsort((pairs.outcome[below], rows))]
        above = power[below] - power[pairs.parent[below]]
        entries = above / normaliser[pairs.context[below]]
    own = of_solution(solution, penalty, decay)
    return LogLinearMatrix.on_pattern(counts, left, right, entries, **own)


def of_solution(solution: Solution, penalty: float, decay: float) -> dict[str, Any]:
    """Return the fields that each log-linear fit has, from its solution."""
    gap = float(solution.gap)
    own = {"history": solution.history, "penalty": float(penalty), "decay": float(decay)}
    return own | {"gap": gap, "tol": solution.tol}
