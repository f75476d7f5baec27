"""Models on a suffix tree: from a history to its longest known context."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.runtime.jit import JIT
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import NOTHING


class Contexts(NamedTuple):
    """The nodes of a suffix tree, and how to find them."""

    # int64, shape (nodes,): parents stand before children; that of the root, node 0, is
    # `suffixes.NOWHERE`
    parent: np.ndarray
    depth: np.ndarray  # int64, shape (nodes,): words of the longest context of each node
    # int64, shape (nodes,): its words are ``text[ends - 1]``, ``text[ends - 2]``, and so on
    ends: np.ndarray
    factor: np.ndarray  # shape (nodes,): what a model knows of the whole node
    # int64, shape (nodes + 1,): node ``s`` has the pairs ``first[s]:first[s + 1]``
    first: np.ndarray


class Edges(NamedTuple):
    """The edges of a tree by their upper node and first word."""

    words: int  # more than any number of a word
    text: np.ndarray  # int64: where the words of the contexts stand
    # int64, shape (nodes - 1,): upper node times ``words`` plus first word, ascending
    keys: np.ndarray
    nodes: np.ndarray  # int64, shape (nodes - 1,): where each edge leads


def edges_of(contexts: Contexts, text: np.ndarray, words: int) -> Edges:
    """Return the edges of a tree; see `Edges`."""
    upper = contexts.parent[1:].astype(np.int64, copy=False)  # a file may have 32 bits
    keys = upper * words + text[contexts.ends[1:] - 1 - contexts.depth[upper]]
    order = np.argsort(keys)
    return Edges(words, text, keys[order], order + 1)


class TreeModel(SequenceModel):
    """A model on a suffix tree; the start of a sentence has the number ``outcomes`` there."""

    longest: int  # words of a history that count: the order less one
    text: np.ndarray  # int64: where the words of the contexts stand
    contexts: Contexts

    @property
    def order(self) -> int:
        """Number of words that the model sees at once."""
        return self.longest + 1

    @cached_property
    def _edges(self) -> Edges:
        return edges_of(self.contexts, self.text, self.outcomes + 1)

    def _histories(self, histories):
        """Return histories as an array in which sentences have starts."""
        prepared = self.prepare(histories)
        return np.where(prepared == NOTHING, self.outcomes, prepared)


@njit(**JIT)
def find(keys, key):
    """Return where a key stands among ascending ones; -1 if it does not."""
    low, high = 0, keys.size
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.size and keys[low] == key else -1


@njit(**JIT)
def walk(edges, contexts, history):
    """Return the last node of a history, and how many contexts of the node the history has.

    The nearest word of the history is its last; it begins after any `sentences.NOTHING`.
    """
    words, text = edges.words, edges.text
    node, depth, length = 0, 0, history.size
    while depth < length and history[length - 1 - depth] != NOTHING:
        edge = find(edges.keys, node * words + history[length - 1 - depth])
        if edge < 0:
            break
        node, above = edges.nodes[edge], depth
        depth += 1
        while depth < contexts.depth[node]:
            if depth >= length or text[contexts.ends[node] - 1 - depth] != history[
                length - 1 - depth
            ]:  # fmt: skip
                return node, depth - above
            depth += 1
    return node, (1 if node == 0 else contexts.depth[node] - contexts.depth[contexts.parent[node]])
