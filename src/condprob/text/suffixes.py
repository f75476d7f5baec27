"""The suffix trie of a text, and the suffix tree into which it collapses.

A history stands for all its suffixes: its last word, its last two words, and so on. The contexts of
a text are the suffixes of its histories; the parent of a context is the one shorter by its farthest
word. That is the suffix trie. A context whose parent occurs at the very same places is one node
with it in the suffix tree, which so has at most two nodes for each place, whatever the length of
the histories.

One sort of the histories, the nearest word first, gives both. All numbers of places, contexts and
pairs have the type of integers of `Places.ends`.
"""

from typing import NamedTuple

import numpy as np

from condprob.checks.frozen import protected
from condprob.jit import EXACT, njit

NOWHERE = -1  # the parent of the root


class Places(NamedTuple):
    """Where each observed word stands, and how far one can look back from there."""

    text: np.ndarray  # int, shape (any,): numbers of words
    # int, shape (n,): the history of place ``i`` is ``text[ends[i] - 1]``, ``text[ends[i] - 2]``,
    # and so on. No two places have the same.
    ends: np.ndarray
    lengths: np.ndarray  # int, shape (n,): how many words of it count


class SuffixTree(NamedTuple):
    """The contexts of a text, a trie or a tree of collapsed ones: parents before children."""

    text: np.ndarray  # int, shape (any,): numbers of words
    # int, shape (nodes,): the root, the empty context, is node 0, and its parent `NOWHERE`
    parent: np.ndarray
    # int, shape (nodes,): words of the longest context of a node; the shortest has one more than
    # the parent's longest
    depth: np.ndarray
    # int, shape (nodes,): these words are ``text[ends - 1]``, ``text[ends - 2]``, and so on
    ends: np.ndarray

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.parent.size

    @property
    def copies(self) -> np.ndarray:
        """How many contexts each node stands for, shape (nodes,): one each in a trie."""
        copies = self.depth.copy()
        copies[1:] -= self.depth[self.parent[1:]]
        copies[0] = 1
        return copies


class Pairs(NamedTuple):
    """Pairs of a context and a word seen after it, by context, then by word."""

    first: np.ndarray  # int, shape (nodes + 1,): node ``s`` has ``first[s]:first[s + 1]``
    word: np.ndarray  # int, shape (pairs,)
    # int, shape (pairs,): the same word after the parent of the context; `NOWHERE` after the root.
    # Parents stand before children.
    upper: np.ndarray
    # shape (pairs,): weight of the places where the word follows and the context is the whole
    # history
    own: np.ndarray


def build_tree(places: Places, order: np.ndarray, collapse: bool) -> tuple[SuffixTree, np.ndarray]:
    """Return the contexts of all places, and the node of the whole history of each, shape (n,).

    The order of the places is that of `sort_histories`. ``collapse`` is whether contexts that occur
    at the same places are one node.
    """
    places = _as_compiled(places)
    shared = shared_lengths(places.text, places.ends, places.lengths, order)
    sorted_lengths = places.lengths[order]
    most = 2 * order.size + 1 if collapse else 1 + int((sorted_lengths - shared).sum())
    kind = places.ends.dtype
    parent, depth, first, rank = (np.empty(most, dtype=kind) for _ in range(4))
    leaf = np.empty(order.size, dtype=kind)
    size = _grow(sorted_lengths, shared, collapse, parent, depth, first, leaf, rank)
    # A node is closed after all below it: backwards, parents come first.
    number = np.subtract(size - 1, rank[:size], out=rank[:size])
    parent = _put(number, number[parent[:size]])
    parent[0] = NOWHERE
    depth = _put(number, depth[:size])
    ends = np.zeros(1, dtype=kind)
    if order.size:
        ends = places.ends[_put(number, order[first[:size]])]
    return SuffixTree(places.text, parent, depth, ends), _put(order, number[leaf])


def _as_compiled(arrays):
    """Return a record of arrays, read-only and in one piece: for others Numba compiles again."""
    return protected(arrays._make(map(np.ascontiguousarray, arrays)))


def nodes_of(first: np.ndarray) -> np.ndarray:
    """Return the node of each pair, shape (pairs,): node ``s`` has ``first[s]:first[s + 1]``."""
    return np.repeat(np.arange(first.size - 1), np.diff(first))


def _put(places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return an array that has each of as many values at its place."""
    found = np.empty_like(values)
    found[places] = values
    return found


def sort_histories(places: Places) -> np.ndarray:
    """Return the places by their histories, the nearest word first; a prefix before what it begins.

    Words are compared from the farthest to the nearest by stable sorts. For up to 2**16 words they
    are counting sorts: one pass over the places for each word of a history.
    """
    order = np.arange(places.ends.size, dtype=places.ends.dtype)
    small = places.text.size == 0 or places.text.max() < 2**16 - 1
    kind = np.uint16 if small else np.int64
    for back in range(int(places.lengths.max(initial=0)), 0, -1):
        there = places.lengths >= back
        key = np.zeros(order.size, dtype=kind)  # zero: the history is over
        key[there] = places.text[places.ends[there] - back] + 1
        order = order[np.argsort(key[order], kind="stable")]
    return order


@njit(**EXACT)
def shared_length(text, ends, lengths, one, other):
    """Return how many words two histories share, from the nearest on."""
    both = min(lengths[one], lengths[other])
    for back in range(both):
        if text[ends[one] - 1 - back] != text[ends[other] - 1 - back]:
            return back
    return both


@njit(**EXACT)
def shared_lengths(text, ends, lengths, order):
    """Return how many words each history shares with the one before it in ``order``, (n,)."""
    shared = np.zeros(order.size, dtype=lengths.dtype)
    for i in range(1, order.size):
        shared[i] = shared_length(text, ends, lengths, order[i - 1], order[i])
    return shared


@njit(**EXACT)
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
    tree: SuffixTree,
    leaf: np.ndarray,
    places: Places,
    words: np.ndarray,
    weights: np.ndarray,
    order: np.ndarray,
) -> Pairs:
    """Return the pairs of each context and the words after it.

    Parameters
    ----------
    tree, leaf
        See `build_tree`.
    places : Places
    words, weights : numpy.ndarray, shape (n,)
        The word at each place, and what the place counts.
    order : numpy.ndarray of int, shape (n,)
        See `sort_histories`.
    """
    tree, places = _as_compiled(tree), _as_compiled(places)
    words, weights = (protected(np.ascontiguousarray(each)) for each in (words, weights))
    key = words.astype(np.uint16) if words.max(initial=0) < 2**16 else words  # as `sort_histories`
    by_word = order[np.argsort(key[order], kind="stable")]
    shared = _shared_with_same_word(places.text, places.ends, places.lengths, words, by_word)
    first = _count_pairs(tree, leaf, by_word, shared)
    word, upper = (np.empty(first[-1], dtype=first.dtype) for _ in range(2))
    own = np.zeros(first[-1], dtype=weights.dtype)
    pairs = Pairs(first, word, upper, own)
    _list_pairs(tree, leaf, by_word, shared, words, weights, pairs)
    return pairs


@njit(**EXACT)
def _shared_with_same_word(text, ends, lengths, words, by_word):
    """Return how many words each history shares with the last history of its word; -1 if none."""
    shared = np.full(by_word.size, -1, dtype=lengths.dtype)
    for i in range(1, by_word.size):
        if words[by_word[i]] == words[by_word[i - 1]]:
            shared[i] = shared_length(text, ends, lengths, by_word[i - 1], by_word[i])
    return shared


@njit(**EXACT)
def _count_pairs(tree, leaf, by_word, shared):
    """Return where the pairs of each context begin, shape (nodes + 1,)."""
    first = np.zeros(tree.parent.size + 1, dtype=tree.parent.dtype)
    for i in range(by_word.size):
        node = leaf[by_word[i]]
        while node != NOWHERE and tree.depth[node] > shared[i]:
            first[node + 1] += 1
            node = tree.parent[node]
    for s in range(tree.parent.size):
        first[s + 1] += first[s]
    return first


@njit(**EXACT)
def _list_pairs(tree, leaf, by_word, shared, words, weights, pairs):
    """Fill in the pairs. A context is new unless the last history of the same word has it, too."""
    latest = pairs.first[:-1].copy()  # the last pair of each context
    latest -= 1
    for i in range(words.size):
        place = by_word[i]
        node = leaf[place]
        while node != NOWHERE and tree.depth[node] > shared[i]:
            latest[node] += 1
            pairs.word[latest[node]] = words[place]
            node = tree.parent[node]
        node = leaf[place]
        while node != NOWHERE and tree.depth[node] > shared[i]:
            upper = tree.parent[node]
            pairs.upper[latest[node]] = NOWHERE if upper == NOWHERE else latest[upper]
            node = upper
        pairs.own[latest[leaf[place]]] += weights[place]


@njit(**EXACT)
def sums_of_subtrees(parent, own):
    """Return the sums of ``own`` over subtrees."""
    sums = own.copy()
    for p in range(parent.size - 1, -1, -1):
        if parent[p] != NOWHERE:
            sums[parent[p]] += sums[p]
    return sums
