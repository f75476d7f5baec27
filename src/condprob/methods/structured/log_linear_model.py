"""A log-linear model of histories: weights on all suffixes of a history, normalised exactly."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions
from condprob.checks.entries import check_rising
from condprob.files.stored import Array, stored, stored_together
from condprob.jit import EXACT, njit
from condprob.methods.structured.fista import Solution
from condprob.methods.structured.log_linear_matrix import of_solution
from condprob.methods.structured.problem import TreeProblem, evaluate
from condprob.model import Ended
from condprob.text.suffixes import NOWHERE, SuffixTree, nodes_of
from condprob.text.tree_model import TreeModel, check_tree, find, walk


class TreeScores(NamedTuple):
    """Pairs of a context and a word, by context, words ascending."""

    first: np.ndarray  # int, shape (nodes + 1,): node ``s`` has ``first[s]:first[s + 1]``
    word: np.ndarray  # int, shape (pairs,)
    before: np.ndarray  # shape (pairs,): score of the word after the parent of the context
    # int64, shape (pairs + 1,): where the weights of each pair begin: there is one for each of a
    # node's contexts, the shortest first, or a single one that all of them share
    start: np.ndarray
    weight: np.ndarray  # shape (weights,): the part of each context in the score


@dataclass(frozen=True, eq=False, repr=False)
class LogLinearModel(TreeModel, kind="log-linear histories"):
    """Log-linear language model that adds up weights of all suffixes of a history.

    Attributes
    ----------
    words : int
        Number of outcomes.
    longest : int
        Number of words of a history that count: the order minus one.
    tree : suffixes.SuffixTree
        Tree of the observed histories.
    factor : numpy.ndarray, shape (nodes,)
        Normaliser ``Z`` of the longest context of each node.
    scores : Scores
        Weights of the words at each node.
    history : numpy.ndarray, shape (iterations + 1,)
        Objective before each iteration and after the last, in nats per word.
    penalty : float
        Weight of the penalty, relative to the log-loss of all words.
    decay : float
        Weight of a depth relative to the depth above it.
    gap : float
        Bound on how far the objective is above its minimum, in nats per word.
    tol : float
        Gap at which the fit was to end.
    has_starts : bool
        Whether the start of a sentence is a word of the contexts, with the number ``words``. Files
        of earlier versions do not contain this field and have no starts.

    Notes
    -----
    ``p(y | x) = exp(sum of w_y(s) over suffixes s of x) / Z(x)``. If a node stands for several
    contexts, a history may contain only the shorter ones.

    Examples
    --------
    >>> from condprob import Sentences, method
    >>> text = Sentences.from_lists([[0, 1, 2], [0, 1, 0]], k=3)
    >>> method("ll-l2", penalty=0.1).fit_text(text, order=3).longest
    2
    """

    scores: TreeScores = stored_together(
        TreeScores._make,
        first=Array("i", ("nodes+1",), low=0),
        word=Array("i", ("pairs",), low=0, below="words"),
        before=Array("f", ("pairs",)),
        start=Array("i", ("pairs+1",), low=0),
        weight=Array("f", ("weights",)),
    )
    history: np.ndarray = stored("f", "iterations+1", low=-np.inf, high=np.inf)
    penalty: float = stored("f", nan=True)
    decay: float = stored("f")
    gap: float = stored("f", default=np.inf, low=-np.inf, high=np.inf)
    tol: float = stored("f", default=0.0, low=0)
    has_starts: bool = stored("b", default=False, optional=True)

    @property
    def ended(self) -> Ended:
        """Settled if the gap is at most ``tol``."""
        return "settled" if self.gap <= self.tol else "limit"

    @property
    def parameters(self) -> int:
        """Number of weights that are not zero."""
        return int(np.count_nonzero(self.scores.weight))

    @property
    def iterations(self) -> int:
        """Iterations of the fit."""
        return self.history.size - 1

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history, shape (len(histories), outcomes)."""
        prepared = self.whole_histories(histories)
        found = np.ones((len(prepared), self.words))
        _fill_rows(self.tree, self.edges, self.factor, self.scores, prepared, found)
        return found

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        prepared, outcomes = self._pairs(histories, outcomes)
        found = np.empty(len(prepared))
        _fill_from_scores(
            self.tree, self.edges, self.factor, self.scores, prepared, outcomes, found
        )
        return found

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """See `Stored`: a pair must have one weight, or one for each of its contexts."""
        tree, (first, word, _, start, weight) = values["tree"], values["scores"]
        check_tree(tree, first, word, values["words"])
        check_rising(start, weight.size, "where weights begin")
        weights = np.diff(start)
        if ((weights != 1) & (weights != tree.copies[nodes_of(first)])).any():
            raise ValueError("a pair must have one weight, or one for each of its contexts")
        return super().restored(values)


def model_of(
    problem: TreeProblem,
    tree: SuffixTree,
    order: int,
    starts: bool,
    solution: Solution,
    penalty: float,
    decay: float = 1.0,
) -> LogLinearModel:
    """Return the model of histories; pairs and contexts whose weights are zero are left out.

    ``starts`` is that of `problem.places_of_sentences`.
    """
    pairs, forest = problem.pairs, problem.forest
    score, _, normaliser = evaluate(problem, solution.weights)
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
    of_context = np.bincount(number[pairs.context[by_context]], minlength=used.sum())
    above = tree.parent[used]
    above = np.where(above == NOWHERE, NOWHERE, number[above])
    kept_tree = SuffixTree(tree.text, above, tree.depth[used], tree.ends[used])
    scores = TreeScores(
        first=np.concatenate([[0], np.cumsum(of_context)]),
        word=pairs.outcome[by_context],
        before=np.where(upper == NOWHERE, 0.0, score[upper]),
        start=start,
        weight=added[weights],
    )
    own = of_solution(solution, penalty, decay)
    parts = kept_tree, normaliser[used], scores
    return LogLinearModel(problem.outcomes, order - 1, *parts, **own, has_starts=starts)


@njit(**EXACT)
def _score(scores, pair, had):
    """Return the score of a pair of which a history has so many contexts."""
    start, stop = scores.start[pair], scores.start[pair + 1]
    if stop == start + 1:
        return scores.before[pair] + had * scores.weight[start]
    total = scores.before[pair]
    for q in range(start, start + had):
        total += scores.weight[q]
    return total


@njit(**EXACT)
def _normaliser(tree, factor, scores, node, had):
    """Return ``Z`` of a node of which a history has so many contexts."""
    upper = tree.parent[node]
    if upper == NOWHERE or had == tree.depth[node] - tree.depth[upper]:
        return factor[node]
    z = factor[upper]
    for pair in range(scores.first[node], scores.first[node + 1]):
        z += np.exp(_score(scores, pair, had)) - np.exp(scores.before[pair])
    return z


@njit(**EXACT)
def _fill_from_scores(tree, edges, factor, scores, histories, outcomes, found):
    """Fill in the probability of each outcome: its score is that of the longest context with it."""
    for i in range(found.size):
        node, had = walk(tree, edges, histories[i])
        z, score = _normaliser(tree, factor, scores, node, had), 0.0
        while node != NOWHERE:
            first, stop = scores.first[node], scores.first[node + 1]
            place = find(scores.word, first, stop, outcomes[i])
            if place >= 0:
                score = _score(scores, place, had)
                break
            node = tree.parent[node]
            if node != NOWHERE:
                upper = tree.parent[node]
                had = 1 if upper == NOWHERE else tree.depth[node] - tree.depth[upper]
        found[i] = np.exp(score) / z


@njit(**EXACT)
def _fill_rows(tree, edges, factor, scores, histories, found):
    """Turn rows of ones into distributions: longer contexts overwrite shorter ones."""
    way = np.empty(histories.shape[1] + 1, dtype=np.int64)
    for i in range(len(found)):
        node, had_of_last = walk(tree, edges, histories[i])
        z, length = _normaliser(tree, factor, scores, node, had_of_last), 0
        while node != NOWHERE:
            way[length] = node
            length += 1
            node = tree.parent[node]
        for step in range(length - 1, -1, -1):
            node, had = way[step], had_of_last
            if step and node:
                had = tree.depth[node] - tree.depth[tree.parent[node]]
            elif step:
                had = 1
            for pair in range(scores.first[node], scores.first[node + 1]):
                found[i, scores.word[pair]] = np.exp(_score(scores, pair, had))
        found[i] /= z
