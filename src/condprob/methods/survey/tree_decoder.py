"""A hierarchical decoder in place of the softmax (Morin and Bengio 2005): words in a binary tree.

The probability of a word is that of the turns on the way from the root to its leaf, each a logistic
function of a node's score: a word costs as many scores as its way is long, and not as many as there
are words.

READING: Morin and Bengio take their tree from WordNet. Here it is as even as can be, and the words
stand in it by how often they were seen, so that words alike in frequency share their way.

The tree is that of a heap: node ``i``, from 1 to ``words - 1``, has below it ``2 i`` and
``2 i + 1``, and the leaf at place ``p`` has the number ``words + p``.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks.entries import check_labels
from condprob.files.stored import stored
from condprob.matrix import ConditionalMatrix, at_pairs
from condprob.methods.survey.neural_model import Network, NeuralModel
from condprob.model import ENDS, Ended
from condprob.products import product


class Ways(NamedTuple):
    """The way of each word from its leaf to the root."""

    nodes: np.ndarray  # int64, shape (words, longest): zero, which is no node, where it is shorter
    turns: np.ndarray  # shape (words, longest): 1 to the left, -1 to the right, 0 for no node


def leaves_by_counts(counts: np.ndarray) -> np.ndarray:
    """Return the place of the leaf of each word, shape (words,): the commonest word is first."""
    places = np.empty(counts.size, dtype=np.int64)
    places[np.argsort(-counts, kind="stable")] = np.arange(counts.size)
    return places


def ways_of(leaves: np.ndarray) -> Ways:
    """Return the ways of words whose leaves have these places."""
    below, nodes, turns = leaves + leaves.size, [], []
    while (below > 1).any():
        is_there = below > 1
        turns.append(np.where(is_there, 1.0 - 2.0 * (below % 2), 0.0))
        below = below // 2
        nodes.append(np.where(is_there, below, 0))
    empty = np.zeros((leaves.size, 0))
    return Ways(np.column_stack([empty.astype(np.int64), *nodes]), np.column_stack([empty, *turns]))


def log_rows_of(scores: np.ndarray, leaves: np.ndarray) -> np.ndarray:
    """Return the log probabilities of all words from the scores of all nodes, shape (n, words).

    Column ``i`` of the scores, of the same shape, is that of node ``i``; the first is no node's.
    """
    words = leaves.size
    found, first = np.zeros((len(scores), 2 * words), dtype=scores.dtype), 1
    while first < words:
        here = np.arange(first, min(2 * first, words))
        found[:, 2 * here] = found[:, here] - np.logaddexp(0, -scores[:, here])
        found[:, 2 * here + 1] = found[:, here] - np.logaddexp(0, scores[:, here])
        first *= 2
    return found[:, words + leaves]


def start_scores_of(unigram: np.ndarray, leaves: np.ndarray) -> np.ndarray:
    """Return scores of the nodes at which words have a distribution without zeros, (words,)."""
    words = leaves.size
    mass = np.zeros(2 * words)
    mass[words + leaves] = unigram
    for node in range(words - 1, 0, -1):
        mass[node] = mass[2 * node] + mass[2 * node + 1]
    scores, nodes = np.zeros(words), np.arange(1, words)
    scores[1:] = np.log(mass[2 * nodes]) - np.log(mass[2 * nodes + 1])
    return scores


class TreeNetwork(NamedTuple):
    """A `Network` whose outward scores are those of the nodes of a tree."""

    network: Network
    leaves: np.ndarray  # int64, shape (words,): see `leaves_by_counts`

    def log_rows(self, histories: np.ndarray) -> np.ndarray:
        """See `Network.log_rows`."""
        return log_rows_of(
            product(self.network.features(histories), self.network.outward), self.leaves
        )

    def log_at(self, histories: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Return the log probability of each word after its history, nats, shape (n,)."""
        ways, features = ways_of(self.leaves), self.network.features(histories)
        found = np.zeros(len(words))
        for nodes, turns in zip(ways.nodes[words].T, ways.turns[words].T, strict=True):
            scores = (features * self.network.outward[:, nodes].T).sum(axis=1)
            found -= np.where(turns == 0, 0.0, np.logaddexp(0, -turns * scores))
        return found


@dataclass(frozen=True, eq=False, repr=False)
class NeuralTreeModel(NeuralModel, kind="neural histories, tree"):
    """A `NeuralModel` whose network has a tree of words in place of the softmax.

    Attributes
    ----------
    leaves : numpy.ndarray of int, shape (outcomes,)
        See `leaves_by_counts`.
    """

    leaves: np.ndarray = stored("i", "outcomes", low=0, default=None)

    @property
    def decoder(self) -> TreeNetwork:
        """The network with its tree."""
        return TreeNetwork(self.network, self.leaves)

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """See `Stored`: each leaf must be that of one word."""
        check_leaves(values["leaves"])
        return super().restored(values)


@dataclass(frozen=True, eq=False, repr=False)
class TreeMatrix(ConditionalMatrix, kind="tree of outcomes"):
    """Rows of a tree of outcomes, whose nodes have scores of low rank.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, r)
    right : numpy.ndarray, shape (r, outcomes)
        Of the nodes: see `log_rows_of`.
    leaves : numpy.ndarray of int, shape (outcomes,)
        See `leaves_by_counts`.
    ended : "direct", "settled" or "limit"
    """

    left: np.ndarray = stored("f", "contexts", "r")
    right: np.ndarray = stored("f", "r", "outcomes")
    leaves: np.ndarray = stored("i", "outcomes", low=0)
    ended: Ended = stored("U", default="direct", choices=ENDS)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return (len(self.left), self.right.shape[1])

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        return np.exp(log_rows_of(self.left[contexts] @ self.right, self.leaves))

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """Return ``Q[contexts, outcomes]``, broadcast together."""
        return at_pairs(self._at, self.shape, contexts, outcomes)

    def _at(self, contexts, outcomes):
        distinct, row_of = np.unique(contexts, return_inverse=True)
        return self.rows(distinct)[row_of, outcomes]

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """See `Stored`: each leaf must be that of one outcome."""
        check_leaves(values["leaves"])
        return super().restored(values)


def check_leaves(leaves: np.ndarray) -> None:
    """Raise ValueError unless each place is that of one word."""
    if not np.array_equal(np.sort(leaves), np.arange(leaves.size)):
        raise ValueError("each leaf of the tree must be that of one word")
