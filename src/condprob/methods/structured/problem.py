"""The weights on pairs of a context and a word, and the log-loss of a text with its gradient.

Notation, that of Nelakanti, Archambeau, Mairal, Bach and Bouchard (EMNLP 2013) next to the code's:

| paper | code | meaning |
| --- | --- | --- |
| `S`, `T` | `collapse` false, true | suffix trie, and suffix tree |
| `m` | `order - 1` | words of a history that count |
| `w_v`, `v` | `weights` | weights of a word, one for each context after which it was seen |
| `c` | `copies` | contexts that a node of the tree stands for |
| `phi` | `features` | value of the feature of a context |
| `lambda` | `penalty` | weight of the penalty added to the log-loss summed over the text |
| `kappa` | `threshold` | penalty times step size |
| `g(w, j)` | | weights of the subtree at `j`, which are contiguous |

Positive weights make it small: a word that was never seen after a context has weight zero there, so
that only seen pairs have weights (Section 3.1). Those of one word are a tree, closed under parents.
Contexts that occur at the same places have the same part in the log-loss, so that it is always
computed on the suffix tree; the weights are those of the trie where the penalty tells them apart.

The normaliser of a context differs from that of its parent only in the words seen after it:

    Z(s) = Z(parent) + sum over words y after s of (exp sc(s, y) - exp sc(parent, y)),

where ``sc(s, y)`` adds up the weights of ``y`` in ``s`` and all contexts above it, and Z of the
empty context begins with one for each word. So the cost is that of the seen pairs, and not of all
words at each place, which the paper's conclusion names as the bottleneck.
"""

import math
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit
from condprob.text.ngrams import places_with_starts
from condprob.text.sentences import Sentences
from condprob.text.suffixes import (
    NOWHERE,
    Pairs,
    Places,
    SuffixTree,
    build_tree,
    list_pairs,
    nodes_of,
    sort_histories,
    sums_of_subtrees,
)


class WordTrees(NamedTuple):
    """`suffixes.Pairs` by word: the tree of each word, after one another."""

    context: np.ndarray  # int64, shape (pairs,): node of the suffix tree
    outcome: np.ndarray  # int64, shape (pairs,)
    # int64, shape (pairs,): the same word after the parent of the context; `NOWHERE` after the
    # root. Parents stand before children.
    parent: np.ndarray
    counts: np.ndarray  # float, shape (pairs,): how often the word followed the context
    # float, shape (pairs,): how often it did so where the context is the whole history
    own: np.ndarray


class Forest(NamedTuple):
    """The weights: one tree for each word, after one another, each subtree contiguous."""

    # int64, shape (pairs + 1,): pair ``p`` of the suffix tree has the weights ``start[p]:start[p +
    # 1]``: one, or one for each context that it stands for, the shortest first
    start: np.ndarray
    # int64, shape (weights,): `NOWHERE` for roots. Parents stand before children.
    parent: np.ndarray
    copies: np.ndarray  # float, shape (weights,): contexts that share the weight
    features: np.ndarray  # float, shape (weights,): value of the feature of each of them
    # float, shape (weights,): weight of the groups of the penalty that begin there, added up over
    # the copies
    groups: np.ndarray


class TreeProblem(NamedTuple):
    """The log-loss of a text, which is minimised together with a penalty."""

    outcomes: int  # number of words
    n: float  # weight of all places: their number, where none is given
    above: np.ndarray  # int64, shape (contexts,): parent of each context of the suffix tree
    # float, shape (contexts,): weight of the places whose whole history is the context
    own: np.ndarray
    pairs: WordTrees
    forest: Forest


class Weighting(NamedTuple):
    """How depth weighs: ``decay ** depth``, on the features or on the penalty's groups.

    READING: the paper adjusts "the penalties by choosing an exponential decrease of weights varying
    as alpha^m for a feature at depth m" and calls it feature weighting. ``"features"`` takes the
    features to have these values; ``"penalty"`` the groups to have these weights.
    """

    decay: float = 1.0
    of: str = "features"


UNWEIGHTED = Weighting()


def can_collapse(kind: str, weighting: Weighting) -> bool:
    """Whether the penalty leaves equal weights of collapsed contexts equal (Propositions 1, 2).

    It does for the unweighted ``l1``, ``l2`` and ``treeinf``, and for ``treeinf`` with group
    weights that do not rise with depth. The l2-norm of trees never does.
    """
    if kind == "tree2":
        return False
    if weighting.decay == 1.0:
        return True
    return kind == "treeinf" and weighting.of == "penalty" and weighting.decay < 1.0


def places_of_sentences(sentences: Sentences, order: int, starts: bool = True) -> Places:
    """Return where the words of sentences stand; a history ends where its sentence begins.

    With ``starts`` the start of a sentence is the farthest word of such a history, with the number
    ``k``, as in Kneser-Ney's n-grams.
    """
    if starts:
        places = places_with_starts(sentences, order)
        return Places(*(part.astype(np.int64) for part in places))
    ends = np.arange(sentences.n)
    since = ends - np.repeat(sentences.starts[:-1], np.diff(sentences.starts))
    return Places(sentences.words, ends, np.minimum(since, order - 1))


def places_of_counts(counts: CountMatrix, order: int) -> Places:
    """Return the pairs of counts as places, each of one word before: none at order 1."""
    text = counts.contexts.astype(np.int64)
    lengths = np.full(text.size, min(order - 1, 1))
    return Places(text, np.arange(text.size) + 1, lengths)


def build_problem(
    places: Places,
    words: np.ndarray,
    outcomes: int,
    collapse: bool,
    weighting: Weighting = UNWEIGHTED,
    weights: np.ndarray | None = None,
) -> tuple[TreeProblem, SuffixTree]:
    """Return the problem of a text, and its suffix tree.

    ``words``, shape (n,), stand at the places, which weigh one each by default. ``collapse`` is
    whether contexts that occur at the same places share their weights; they have the same part in
    the log-loss in any case.
    """
    words = np.asarray(words, dtype=np.int64)
    weights = np.ones(words.size) if weights is None else np.asarray(weights, dtype=float)
    order = sort_histories(places)
    tree, leaf = build_tree(places, order, collapse=True)
    pairs = list_pairs(tree, leaf, places, words, weights, order)
    rank = np.zeros(places.text.size + 1, dtype=np.int64)
    rank[places.ends[order]] = np.arange(order.size)
    trees = _by_word(pairs, tree, rank)
    own = np.bincount(leaf, weights, minlength=tree.nodes).astype(float)  # of no places: integers
    forest = plant(trees, tree, collapse, weighting)
    return TreeProblem(outcomes, float(weights.sum()), tree.parent, own, trees, forest), tree


def _by_word(pairs: Pairs, tree: SuffixTree, rank: np.ndarray) -> WordTrees:
    """Return pairs as trees of words; each tree by the rank of a context's place, then by depth."""
    context, number = nodes_of(pairs.first), np.empty_like(pairs.upper)
    listed = np.lexsort((tree.depth[context], rank[tree.ends[context]], pairs.word))
    number[listed] = np.arange(listed.size)
    parent = np.where(pairs.upper == NOWHERE, NOWHERE, number[pairs.upper])[listed]
    own = pairs.own[listed]
    return WordTrees(
        context[listed], pairs.word[listed], parent, sums_of_subtrees(parent, own), own
    )


def plant(
    pairs: WordTrees, tree: SuffixTree, collapse: bool, weighting: Weighting = UNWEIGHTED
) -> Forest:
    """Return the forest of the weights of pairs; see `build_problem`."""
    copies, depth = tree.copies[pairs.context], tree.depth[pairs.context]
    if collapse:
        start, parent = np.arange(copies.size + 1), pairs.parent
    else:
        start = np.concatenate([[0], np.cumsum(copies)])
        depth = np.repeat(depth + 1 - copies - start[:-1], copies) + np.arange(start[-1])
        parent = np.arange(-1, start[-1] - 1)
        parent[start[:-1]] = np.where(pairs.parent == NOWHERE, NOWHERE, start[pairs.parent + 1] - 1)
        copies = np.ones_like(depth)
    copies = copies.astype(float)
    decayed = _decayed(depth, copies, weighting.decay)
    if weighting.of == "features":
        return Forest(start, parent, copies, decayed / copies, copies)
    return Forest(start, parent, copies, np.ones(copies.size), decayed)


def _decayed(depth: np.ndarray, copies: np.ndarray, decay: float) -> np.ndarray:
    """Return ``decay ** d`` added up over the depths ``d`` of each node's copies."""
    if decay == 1.0:
        return copies.copy()
    shortest = depth - copies + 1.0
    return decay**shortest * (1 - decay**copies) / (1 - decay)


def evaluate(
    problem: TreeProblem, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scores and their exponentials, both (pairs,), and normalisers, (contexts,)."""
    score, power = np.empty((2, problem.pairs.parent.size))
    normaliser = np.empty(problem.own.size)
    forward(problem, weights, score, power, normaliser)
    return score, power, normaliser


# Compiled functions take arrays one by one: handing over a tuple in a tuple takes longer than some
# hundreds of pairs.


def forward(
    problem: TreeProblem,
    weights: np.ndarray,
    score: np.ndarray,
    power: np.ndarray,
    normaliser: np.ndarray,
) -> float:
    """Return the log-loss of all places, nats; fill in scores, their exponentials, normalisers.

    ``score`` and ``power``, shape (pairs,), receive ``sc`` and ``exp sc``, ``normaliser``, shape
    (contexts,), ``Z``.
    """
    pairs, forest = problem.pairs, problem.forest
    of_contexts = problem.outcomes, problem.above, problem.own
    of_pairs = pairs.parent, pairs.context, pairs.own
    of_weights = forest.start, forest.copies, forest.features, weights
    return _forward(*of_contexts, *of_pairs, *of_weights, score, power, normaliser)


@njit(**EXACT)
def _forward(
    outcomes,
    above,
    own_places,
    parent,
    context,
    own,
    start,
    copies,
    features,
    weights,
    score,
    power,
    normaliser,
):
    total = 0.0
    for s in range(normaliser.size):
        normaliser[s] = 0.0
    normaliser[0] = outcomes
    for p in range(score.size):
        upper = parent[p]
        before_score, before = 0.0, 1.0
        if upper != NOWHERE:
            before_score, before = score[upper], power[upper]
        added = 0.0
        for q in range(start[p], start[p + 1]):
            added += copies[q] * features[q] * weights[q]
        score[p], power[p] = before_score, before
        if added != 0.0:
            score[p] += added
            power[p] = math.exp(score[p])
            normaliser[context[p]] += power[p] - before
        total -= own[p] * score[p]
    for s in range(normaliser.size):
        if s:
            normaliser[s] += normaliser[above[s]]
        if own_places[s] != 0.0:
            total += own_places[s] * math.log(normaliser[s])
    return total


def gradient_of(problem: TreeProblem, point) -> None:
    """Fill in the gradient by the weight of each single context, of the log-loss of all places.

    The `fista.Point` has ``power`` and ``normaliser`` from `forward`. Its ``mass`` receives the sum
    of ``1 / Z`` over the places of each context, and ``expected`` how often the model expects each
    pair, ``sum p(y | history)`` over its places.
    """
    pairs, forest = problem.pairs, problem.forest
    of_pairs = pairs.parent, pairs.context, pairs.counts, forest.start, forest.features
    values = point.power, point.normaliser, point.mass, point.taken, point.expected, point.gradient
    _gradient_of(problem.above, problem.own, *of_pairs, *values)


@njit(**EXACT)
def _gradient_of(
    above,
    own,
    parent,
    context,
    counts,
    start,
    features,
    power,
    normaliser,
    mass,
    taken,
    expected,
    gradient,
):
    for s in range(mass.size):
        mass[s] = own[s] / normaliser[s]
    for s in range(mass.size - 1, 0, -1):
        mass[above[s]] += mass[s]
    for p in range(expected.size):
        taken[p] = expected[p] = 0.0
    for p in range(expected.size - 1, -1, -1):
        upper, here = parent[p], mass[context[p]]
        expected[p] += power[p] * (here - taken[p])
        if upper != NOWHERE:
            taken[upper] += here
            expected[upper] += expected[p]
        for q in range(start[p], start[p + 1]):
            gradient[q] = features[q] * (expected[p] - counts[p])


def entropy_towards_data(problem: TreeProblem, point, share: float) -> float:
    """Return ``sum H(share p + (1 - share) e_y)`` over all places, nats.

    ``p`` is the model's distribution after a history and ``e_y`` all of the word that came. It is
    the dual objective of the log-loss at residuals shrunk to ``share``, from 0 to 1. The
    `fista.Point` has ``score``, ``power`` and ``normaliser`` from `forward`; its ``mass`` is used
    for work.
    """
    pairs, values = problem.pairs, (point.score, point.power, point.normaliser)
    given = problem.above, problem.own, pairs.parent, pairs.context, pairs.own
    return _entropy_towards_data(*given, *values, point.mass, share)


@njit(**EXACT)
def _entropy_towards_data(
    above, own_places, parent, context, own, score, power, normaliser, work, share
):
    total = 0.0
    for s in range(work.size):
        work[s] = 0.0  # first the sum over words of score exp(score)
    for p in range(score.size):
        upper = parent[p]
        before = 0.0 if upper == NOWHERE else score[upper] * power[upper]
        work[context[p]] += score[p] * power[p] - before
    log_share = math.log(share) if share > 0.0 else 0.0
    for s in range(work.size):
        if s:
            work[s] += work[above[s]]
        if own_places[s] != 0.0:
            z = normaliser[s]
            total += own_places[s] * share * (math.log(z) - work[s] / z - log_share)
    for p in range(score.size):
        if own[p] != 0.0:  # the word that came has more than its share of p
            z = normaliser[context[p]]
            shrunk = share * power[p] / z
            mixed = shrunk + 1.0 - share
            without = shrunk * (log_share + score[p] - math.log(z))
            total += own[p] * (without - mixed * math.log(mixed))
    return total
