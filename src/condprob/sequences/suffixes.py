"""The suffix trie of a text, and the suffix tree into which it collapses.

A history stands for all its suffixes: its last word, its last two words, and so on. The contexts of
a text are the suffixes of its histories; the parent of a context is the one shorter by its farthest
word. That is the suffix trie. A context whose parent occurs at the very same places is one node
with it in the suffix tree, which so has at most two nodes for each place, whatever the length of
the histories.

One sort of the histories, the nearest word first, gives both.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.jit import JIT

NOWHERE = -1  # the parent of the root


class Places(NamedTuple):
    """Where each observed word stands, and how far one can look back from there."""

    text: np.ndarray  # int64, shape (any,): numbers of words
    # int64, shape (n,): the history of place ``i`` is ``text[ends[i] - 1]``, ``text[ends[i] - 2]``,
    # and so on
    ends: np.ndarray
    lengths: np.ndarray  # int64, shape (n,): how many words of it count


class ContextTree(NamedTuple):
    """The contexts of a text, a trie or a tree of collapsed ones: parents before children."""

    # int64, shape (nodes,): the root, the empty context, is node 0, and its parent `NOWHERE`
    parent: np.ndarray
    # int64, shape (nodes,): words of the longest context of a node; the shortest has one more than
    # the parent's longest
    depth: np.ndarray
    place: np.ndarray  # int64, shape (nodes,): a place whose history begins with the context
    leaf: np.ndarray  # int64, shape (n,): the node of the whole history of each place

    @property
    def copies(self) -> np.ndarray:
        """How many contexts each node stands for, shape (nodes,): one each in a trie."""
        copies = self.depth.copy()
        copies[1:] -= self.depth[self.parent[1:]]
        copies[0] = 1
        return copies


class Pairs(NamedTuple):
    """Pairs of a context and a word seen after it: one tree for each word, after one another."""

    context: np.ndarray  # int64, shape (pairs,): node of the suffix tree
    outcome: np.ndarray  # int64, shape (pairs,)
    # int64, shape (pairs,): the same word after the parent of the context; `NOWHERE` after the
    # root. Parents stand before children.
    parent: np.ndarray
    counts: np.ndarray  # float, shape (pairs,): how often the word followed the context
    # float, shape (pairs,): how often it did so where the context is the whole history
    own: np.ndarray


def build_contexts(places: Places, order: np.ndarray, collapse: bool) -> ContextTree:
    """Return the contexts of all places, whose order is that of `sort_histories`.

    ``collapse`` is whether contexts that occur at the same places are one node.
    """
    shared = shared_lengths(places.text, places.ends, places.lengths, order)
    sorted_lengths = places.lengths[order]
    most = 2 * order.size + 1 if collapse else 1 + int((sorted_lengths - shared).sum())
    parent, depth, first = (np.empty(most, dtype=np.int64) for _ in range(3))
    leaf, rank = np.empty(order.size, dtype=np.int64), np.empty(most, dtype=np.int64)
    size = _grow(sorted_lengths, shared, collapse, parent, depth, first, leaf, rank)
    # A node is closed after all below it: backwards, parents come first.
    number = size - 1 - rank[:size]
    found = np.empty((3, size), dtype=np.int64)
    above = parent[:size]
    found[0, number] = np.where(above == NOWHERE, NOWHERE, number[above])
    found[1, number] = depth[:size]
    found[2, number] = order[first[:size]] if order.size else 0
    leaf_of_place = np.empty(order.size, dtype=np.int64)
    leaf_of_place[order] = number[leaf]
    return ContextTree(*found, leaf_of_place)


def sort_histories(places: Places) -> np.ndarray:
    """Return the places by their histories, the nearest word first; a prefix before what it begins.

    Words are compared from the farthest to the nearest by stable sorts. For up to 2**16 words they
    are counting sorts: one pass over the places for each word of a history.
    """
    order = np.arange(places.ends.size)
    small = places.text.size == 0 or places.text.max() < 2**16 - 1
    kind = np.uint16 if small else np.int64
    for back in range(int(places.lengths.max(initial=0)), 0, -1):
        there = places.lengths >= back
        key = np.zeros(order.size, dtype=kind)  # zero: the history is over
        key[there] = places.text[places.ends[there] - back] + 1
        order = order[np.argsort(key[order], kind="stable")]
    return order


@njit(**JIT)
def shared_length(text, ends, lengths, one, other):
    """Return how many words two histories share, from the nearest on."""
    both = min(lengths[one], lengths[other])
    for back in range(both):
        if text[ends[one] - 1 - back] != text[ends[other] - 1 - back]:
            return back
    return both


@njit(**JIT)
def shared_lengths(text, ends, lengths, order):
    """Return how many words each history shares with the one before it in ``order``, (n,)."""
    shared = np.zeros(order.size, dtype=np.int64)
    for i in range(1, order.size):
        shared[i] = shared_length(text, ends, lengths, order[i - 1], order[i])
    return shared


@njit(**JIT)
def _grow(lengths, shared, collapse, parent, depth, first, leaf, rank):
    """Grow the tree history by history; return its size.

    The open nodes are the nodes of the history before, on a stack. Nodes are numbered in the order
    of opening; ``rank`` is the order of closing.
    """
    longest = 0
    for i in range(lengths.size):
        longest = max(longest, lengths[i])
    stack = np.empty(longest + 2, dtype=np.int64)
    stack[0] = 0
    parent[0], depth[0], first[0] = NOWHERE, 0, 0
    top, size, closed = 0, 1, 0
    for i in range(lengths.size):
        while depth[stack[top]] > shared[i]:
            node = stack[top]
            if depth[stack[top - 1]] < shared[i]:  # a branch in the middle of a collapsed node
                depth[size], first[size] = shared[i], first[node]
                parent[node], stack[top] = size, size
                size += 1
            else:
                parent[node] = stack[top - 1]
                top -= 1
            rank[node] = closed
            closed += 1
        if lengths[i] > shared[i]:
            for d in range(lengths[i] if collapse else shared[i] + 1, lengths[i] + 1):
                top += 1
                depth[size], first[size], stack[top] = d, i, size
                size += 1
        leaf[i] = stack[top]
    while top >= 0:
        parent[stack[top]] = stack[top - 1] if top else NOWHERE
        rank[stack[top]] = closed
        closed += 1
        top -= 1
    return size


def list_pairs(
    places: Places,
    words: np.ndarray,
    weights: np.ndarray,
    order: np.ndarray,
    contexts: ContextTree,
) -> Pairs:
    """Return the pairs of all contexts and the words after them, of places by `sort_histories`."""
    by_word = order[np.argsort(words[order], kind="stable")]
    shared = _shared_with_same_word(places.text, places.ends, places.lengths, words, by_word)
    tree = contexts.parent, contexts.depth, contexts.leaf
    size = _count_pairs(*tree, by_word, shared)
    context, outcome, parent = (np.empty(size, dtype=np.int64) for _ in range(3))
    own = np.zeros(size)
    _list_pairs(*tree, by_word, words, shared, weights, context, outcome, parent, own)
    return Pairs(context, outcome, parent, add_up(parent, own), own)


@njit(**JIT)
def _shared_with_same_word(text, ends, lengths, words, by_word):
    """Return how many words each history shares with the last history of its word; -1 if none."""
    shared = np.full(by_word.size, -1, dtype=np.int64)
    for i in range(1, by_word.size):
        if words[by_word[i]] == words[by_word[i - 1]]:
            shared[i] = shared_length(text, ends, lengths, by_word[i - 1], by_word[i])
    return shared


@njit(**JIT)
def _count_pairs(above, depth, leaf, by_word, shared):
    """Return how many pairs there are."""
    size = 0
    for i in range(by_word.size):
        node = leaf[by_word[i]]
        while node != NOWHERE and depth[node] > shared[i]:
            size += 1
            node = above[node]
    return size


@njit(**JIT)
def _list_pairs(
    above, depth, leaf, by_word, words, shared, weights, context, outcome, parent, own
):  # fmt: skip
    """Fill in the pairs, those of each word together, parents first.

    A context is new unless the last history before the same word has it, too.
    """
    latest = np.full(above.size, NOWHERE)  # the pair of each context, of the word in turn
    size = 0
    for i in range(by_word.size):
        place = by_word[i]
        node, new = leaf[place], 0
        while node != NOWHERE and depth[node] > shared[i]:
            new += 1
            node = above[node]
        node = leaf[place]
        for p in range(size + new - 1, size - 1, -1):
            context[p], outcome[p], latest[node] = node, words[place], p
            node = above[node]
        for p in range(size, size + new):
            upper = above[context[p]]
            parent[p] = NOWHERE if upper == NOWHERE else latest[upper]
        size += new
        own[latest[leaf[place]]] += weights[place]


@njit(**JIT)
def add_up(parent, own):
    """Return the sums of ``own`` over subtrees."""
    sums = own.copy()
    for p in range(parent.size - 1, -1, -1):
        if parent[p] != NOWHERE:
            sums[parent[p]] += sums[p]
    return sums
