"""Models on a suffix tree: from a history to its longest known context."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from condprob.checks import Conditions
from condprob.checks.entries import check_labels, check_sparse_rows
from condprob.checks.frozen import protected
from condprob.files.stored import Array, stored, stored_together
from condprob.jit import EXACT, njit
from condprob.text import SequenceModel
from condprob.text.sentences import NOTHING
from condprob.text.suffixes import NOWHERE, SuffixTree, nodes_of

LONGEST_HISTORY = 2**20  # words of a history that a file may have; not measured
MOST_EDGES = 2**62  # keys of edges are numbers of 64 bits


class Edges(NamedTuple):
    """The edges of a tree by their upper node and first word, by which histories are found."""

    first: np.ndarray  # int, shape (nodes + 1,): node ``s`` has the edges ``first[s]:first[s + 1]``
    word: np.ndarray  # int, shape (nodes - 1,): first word of each edge, ascending in a node
    node: np.ndarray  # int, shape (nodes - 1,): where each edge leads


def edges_of(tree: SuffixTree, words: int) -> Edges:
    """Return the edges of a tree; ``words`` is more than any number of a word."""
    upper, kind = tree.parent[1:], tree.parent.dtype
    word = tree.text[tree.ends[1:] - 1 - tree.depth[upper]]
    order = np.argsort(upper.astype(np.int64) * words + word)
    of_nodes = np.bincount(upper + 1, minlength=tree.nodes + 1)
    return Edges(np.cumsum(of_nodes, dtype=kind), word[order], (order + 1).astype(kind))


@dataclass(frozen=True, eq=False, repr=False)
class TreeModel(SequenceModel):
    """A model on a suffix tree.

    Attributes
    ----------
    words : int
        Number of outcomes.
    longest : int
        Words of a history that count: the order less one.
    tree : suffixes.SuffixTree
    factor : numpy.ndarray, shape (nodes,)
        A factor that the model gives to the whole node.
    """

    words: int = stored("i", low=1)
    longest: int = stored("i", low=0, high=LONGEST_HISTORY)
    tree: SuffixTree = stored_together(
        SuffixTree._make,
        text=Array("i", ("text",), low=0, below="words+1"),
        parent=Array("i", ("nodes",), low=NOWHERE),
        depth=Array("i", ("nodes",), low=0, below="longest+1"),
        ends=Array("i", ("nodes",), low=0, below="text+1"),
    )
    factor: np.ndarray = stored("f", "nodes", low=0)

    @property
    def has_starts(self) -> bool:
        """Whether the start of a sentence is a word of the contexts, with number ``outcomes``."""
        return True

    @property
    def order(self) -> int:
        """Number of words that the model sees at once."""
        return self.longest + 1

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.words

    @cached_property
    def edges(self) -> Edges:
        """The edges of the tree, by which histories are found."""
        return protected(edges_of(self.tree, self.outcomes + self.has_starts))

    def whole_histories(self, histories: Conditions) -> np.ndarray:
        """Return histories as an array in which sentences have starts, if the contexts do."""
        prepared = self.prepare(histories)
        return (
            np.where(prepared == NOTHING, self.outcomes, prepared) if self.has_starts else prepared
        )

    def _pairs(self, histories, outcomes):
        """Return the array of `whole_histories`, and as many outcomes, checked."""
        prepared = self.whole_histories(histories)
        outcomes = check_labels(outcomes, self.outcomes, "outcomes")
        outcomes = np.ascontiguousarray(np.broadcast_to(outcomes, len(prepared)))
        return prepared, protected(outcomes)  # sometimes it is read-only: else Numba compiles again


@njit(**EXACT)
def find(keys, low, high, key):
    """Return where a key >= 0 stands among ``keys[low:high]``, which ascend; -1 if it does not."""
    stop = high
    if low + key < stop and keys[low + key] == key:  # all smaller ones are there, too
        return low + key
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < stop and keys[low] == key else -1


@njit(**EXACT)
def walk(tree, edges, history):
    """Return the last node of a history, and how many contexts of the node the history has.

    The nearest word of the history is its last; it begins after any `sentences.NOTHING`.
    """
    text, node, depth, length = tree.text, 0, 0, history.size
    while depth < length and history[length - 1 - depth] != NOTHING:
        start, stop = edges.first[node], edges.first[node + 1]
        edge = find(edges.word, start, stop, history[length - 1 - depth])
        if edge < 0:
            break
        node, above = edges.node[edge], depth
        depth += 1
        while depth < tree.depth[node]:
            if depth >= length or text[tree.ends[node] - 1 - depth] != history[length - 1 - depth]:
                return node, depth - above
            depth += 1
    return node, (1 if node == 0 else tree.depth[node] - tree.depth[tree.parent[node]])


def climb(
    parent: np.ndarray, factor: np.ndarray, first: np.ndarray, word: np.ndarray, words: int
) -> tuple[np.ndarray, np.ndarray]:
    """Find the word of each pair in the nearest shorter context that has it.

    Parameters
    ----------
    parent, factor : numpy.ndarray, shape (nodes,)
        The parent of each context, and its factor.
    first, word : numpy.ndarray of int, shapes (nodes + 1,) and (pairs,)
        See `suffixes.Pairs`.
    words : int
        More than any number of a word.

    Returns
    -------
    product : numpy.ndarray, shape (pairs,)
        Of the factors of the contexts between.
    place : numpy.ndarray of int64, shape (pairs,)
        Where the pair is that was found; -1 where no context has the word.
    """
    node = nodes_of(first)
    keys, upper = node * words + word, parent[node].astype(np.int64)
    product, place = np.ones(node.size), np.full(node.size, -1)
    waiting = np.flatnonzero(upper >= 0)
    while waiting.size:
        wanted = upper[waiting] * words + word[waiting]
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        is_there = keys[found] == wanted
        place[waiting[is_there]] = found[is_there]
        waiting = waiting[~is_there]
        with np.errstate(over="ignore"):
            product[waiting] *= factor[upper[waiting]]
        upper[waiting] = parent[upper[waiting]]
        waiting = waiting[upper[waiting] >= 0]
    return product, place


def check_tree(tree: SuffixTree, first: np.ndarray, word: np.ndarray, words: int) -> None:
    """Raise ValueError unless compiled code can follow contexts and the words of their pairs."""
    _, parent, depth, ends = tree
    if not tree.nodes or parent[0] != NOWHERE or depth[0] != 0:
        raise ValueError("its tree of contexts has no root")
    upper = parent[1:]
    if (upper < 0).any() or (upper >= np.arange(1, tree.nodes)).any():
        raise ValueError("parents must stand before their children")
    if (depth[1:] <= depth[upper]).any():
        raise ValueError("depths must rise from parents to children")
    if (ends < depth).any():
        raise ValueError("contexts must stand in the text")
    check_sparse_rows(first, word, word, (tree.nodes, words))
