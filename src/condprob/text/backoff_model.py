"""Back-off models: probabilities of the seen n-grams, and a factor for each history."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import UNIT, Conditions
from condprob.entries import narrow, take
from condprob.jit import JIT, njit
from condprob.text.sentences import NOTHING
from condprob.text.suffixes import NOWHERE, SuffixTree, nodes_of
from condprob.text.tree_model import TreeModel, climb, find, take_tree, walk


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

    packed: ClassVar[bool] = True  # a third of the size, and a model is read once

    words: int
    longest: int
    tree: SuffixTree = field(repr=False)
    factor: np.ndarray = field(repr=False)
    first: np.ndarray = field(repr=False)
    word: np.ndarray = field(repr=False)
    probability: np.ndarray = field(repr=False)
    is_score: bool = False

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
        seen = self.factor, self.first, self.word, self.probability
        _fill_probabilities(self.tree, self.edges, *seen, self.words, prepared, outcomes, found)
        return found

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file."""
        sizes = {"words": np.array(self.words), "longest": np.array(self.longest)}
        sizes |= {"is_score": np.array(True)} if self.is_score else {}
        names = ("factor", "first", "word", "probability")
        arrays = self.tree._asdict() | {name: getattr(self, name) for name in names}
        return sizes | {name: narrow(array) for name, array in arrays.items()}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "BackoffModel":
        """Build the model from its `arrays`, or raise ValueError."""
        words = take(arrays, "words", "i", (), 1).item()
        longest, tree, factor, first, word = take_tree(arrays, words, words + 1)
        probability = take(arrays, "probability", "f", (word.size,), 0)
        if (tree.depth[1:] != tree.depth[tree.parent[1:]] + 1).any():
            raise ValueError("a context must have one word more than its parent")
        is_score = "is_score" in arrays and take(arrays, "is_score", "b", ()).item()
        found = cls(words, longest, tree, factor, first, word, probability, is_score)
        if not is_score and (abs(found.row_sums() - 1) > UNIT).any():
            raise ValueError("its rows are no distributions: they must sum to one")
        return found

    def row_sums(self) -> np.ndarray:
        """Return the sum of each context's row, (nodes,), if the next shorter row sums to one.

        Seen words add their probabilities; other words add the factor times their shorter row.
        """
        node, nodes = nodes_of(self.first), self.tree.nodes
        shorter, place = climb(self.tree.parent, self.factor, self.first, self.word, self.words)
        shorter = np.where(place >= 0, shorter * self.probability[place], shorter / self.words)
        left = 1 - np.bincount(node, shorter, minlength=nodes)
        return np.bincount(node, self.probability, minlength=nodes) + self.factor * left


@njit(**JIT)
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
