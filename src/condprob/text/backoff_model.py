"""Back-off models: probabilities of the seen n-grams, and a factor for each history."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions
from condprob.files.stored import stored
from condprob.jit import EXACT, njit
from condprob.text.sentences import NOTHING
from condprob.text.suffixes import NOWHERE, nodes_of
from condprob.text.tree_model import TreeModel, check_tree, climb, find, walk


@dataclass(frozen=True, eq=False, repr=False)
class BackoffModel(TreeModel, kind="back-off histories"):
    """Probabilities of seen n-grams; any other is that of the shorter history, times a factor.

    Interpolated models have this form too: the probabilities of seen n-grams are added up in the
    fit.
    The start of a sentence is one more word of its histories.

    Attributes
    ----------
    words : int
        Number of outcomes; the start of a sentence has this number in the tree.
    longest : int
        Words of a history that count: the order less one.
    tree : suffixes.SuffixTree
        One node for each context.
    factor : numpy.ndarray, shape (nodes,)
        Back-off factor of each context to the next shorter one.
    first, word : numpy.ndarray of int, shapes (nodes + 1,) and (pairs,)
        The words seen after each context: see `suffixes.Pairs`.
    probability : numpy.ndarray, shape (pairs,)
        Of each of these words.
    is_score : bool
        Whether rows need not sum to one, as in ARPA files of some programs.
    """

    first: np.ndarray = stored("i", "nodes+1", low=0)
    word: np.ndarray = stored("i", "pairs", low=0, below="words")
    probability: np.ndarray = stored("f", "pairs", low=0)
    is_score: bool = stored("b", default=False, optional=True)

    @property
    def parameters(self) -> int:
        """Number of n-grams that were seen, of all orders."""
        return self.word.size

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history, shape (len(histories), outcomes)."""
        rows = np.empty((len(histories), self.words))
        for row, history in zip(rows, self.whole_histories(histories), strict=True):
            node, way = walk(self.tree, self.edges, history)[0], []
            while node != NOWHERE:
                way.append(node)
                node = self.tree.parent[node]
            row[:] = 1 / self.words
            for node in reversed(way):
                here = slice(*self.first[node : node + 2])
                row *= self.factor[node]
                row[self.word[here]] = self.probability[here]
        return rows

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        prepared, outcomes = self._pairs(histories, outcomes)
        found = np.empty(len(prepared))
        _fill_probabilities(
            self.tree,
            self.edges,
            self.factor,
            self.first,
            self.word,
            self.probability,
            self.words,
            prepared,
            outcomes,
            found,
        )
        return found

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        check_tree(values["tree"], values["first"], values["word"], values["words"])
        return super().restored(values)

    def row_sums(self) -> np.ndarray:
        """Return the sum of each context's row, (nodes,), if the next shorter row sums to one.

        Seen words add their probabilities; other words add the factor times their shorter row.
        """
        node, nodes = nodes_of(self.first), self.tree.nodes
        shorter, place = climb(self.tree.parent, self.factor, self.first, self.word, self.words)
        shorter = np.where(place >= 0, shorter * self.probability[place], shorter / self.words)
        left = 1 - np.bincount(node, shorter, minlength=nodes)
        return np.bincount(node, self.probability, minlength=nodes) + self.factor * left


@njit(**EXACT)
def _fill_probabilities(
    tree, edges, factor, first, word, probability, words, histories, outcomes, found
):
    length = histories.shape[1]
    way = np.zeros(length + 1, dtype=tree.parent.dtype)  # contexts of a history from the root
    for i in range(found.size):
        depth = 0
        while depth < length and histories[i, length - 1 - depth] != NOTHING:
            start, stop = edges.first[way[depth]], edges.first[way[depth] + 1]
            edge = find(edges.word, start, stop, histories[i, length - 1 - depth])
            if edge < 0:
                break
            depth += 1
            way[depth] = edges.node[edge]
        found[i], place = 1.0, -1
        while depth >= 0 and place < 0:
            node = way[depth]
            place = find(word, first[node], first[node + 1], outcomes[i])
            found[i] *= probability[place] if place >= 0 else factor[node]
            depth -= 1
        if place < 0:
            found[i] /= words  # the uniform distribution stands behind all
