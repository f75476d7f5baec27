"""Back-off models: probabilities of the seen n-grams, and a factor for each history."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import UNIT, Conditions
from condprob.entries import narrow, take
from condprob.jit import JIT, njit
from condprob.text.sentences import NOTHING
from condprob.text.suffixes import NOWHERE
from condprob.text.tree_model import Contexts, TreeModel, climb, find, take_tree, walk


@dataclass(frozen=True, eq=False, repr=False)
class BackoffModel(TreeModel, kind="back-off histories"):
    """Probabilities of seen n-grams; any other is that of the shorter history, times a factor.

    Interpolated models have this form too: the probabilities of seen n-grams are added up in the
    fit.
    The start of a sentence is one more word of its histories.

    Attributes
    ----------
    words : int
        Number of outcomes; the start of a sentence has this number in ``text``.
    longest : int
        Words of a history that count: the order less one.
    text : numpy.ndarray of int
        Where the words of the contexts stand.
    contexts : tree_model.Contexts
        One node for each context; ``factor`` is its back-off factor to the next shorter context.
    word : numpy.ndarray of int, shape (pairs,)
        By context, ascending.
    probability : numpy.ndarray, shape (pairs,)
    is_score : bool
        Whether rows need not sum to one, as in ARPA files of some programs.
    """

    packed: ClassVar[bool] = True  # a third of the size, and a model is read once

    words: int
    longest: int
    text: np.ndarray = field(repr=False)
    contexts: Contexts = field(repr=False)
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
            node, way = walk(self.edges, self.contexts, history)[0], []
            while node != NOWHERE:
                way.append(node)
                node = self.contexts.parent[node]
            row[:] = 1 / self.words
            for node in reversed(way):
                here = slice(*self.contexts.first[node : node + 2])
                row *= self.contexts.factor[node]
                row[self.word[here]] = self.probability[here]
        return rows

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        prepared, outcomes = self._pairs(histories, outcomes)
        found = np.empty(len(prepared))
        given = self.edges, self.contexts, self.word, self.probability, self.words
        _fill_probabilities(*given, prepared, outcomes, found)
        return found

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file."""
        sizes = {"words": np.array(self.words), "longest": np.array(self.longest)}
        sizes |= {"is_score": np.array(True)} if self.is_score else {}
        arrays = {name: getattr(self, name) for name in ("text", "word", "probability")}
        arrays |= self.contexts._asdict()
        return sizes | {name: narrow(array) for name, array in arrays.items()}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "BackoffModel":
        """Build the model from its `arrays`, or raise ValueError."""
        words = take(arrays, "words", "i", (), 1).item()
        longest, text, contexts, word = take_tree(arrays, words, words + 1)
        probability = take(arrays, "probability", "f", (word.size,), 0)
        if (contexts.depth[1:] != contexts.depth[contexts.parent[1:]] + 1).any():
            raise ValueError("a context must have one word more than its parent")
        is_score = "is_score" in arrays and take(arrays, "is_score", "b", ()).item()
        sums = sums_backed_off(contexts, word, probability, words)
        if not is_score and (abs(sums - 1) > UNIT).any():
            raise ValueError("its rows are no distributions: they must sum to one")
        return cls(words, longest, text, contexts, word, probability, is_score)


def sums_backed_off(
    contexts: Contexts, word: np.ndarray, probability: np.ndarray, words: int
) -> np.ndarray:
    """Return the sum of each context's row, shape (contexts,), if the next shorter row sums to one.

    Seen words add their probabilities; the other words add the factor times their shorter row.
    """
    node, factor = contexts.nodes_of_pairs, contexts.factor
    shorter, place = climb(contexts, word, words)
    shorter = np.where(place >= 0, shorter * probability[place], shorter / words)
    left = 1 - np.bincount(node, shorter, minlength=factor.size)
    return np.bincount(node, probability, minlength=factor.size) + factor * left


@njit(**JIT)
def _fill_probabilities(edges, contexts, word, probability, words, histories, outcomes, found):
    length = histories.shape[1]
    way = np.zeros(length + 1, dtype=contexts.parent.dtype)  # contexts of a history from the root
    for i in range(found.size):
        depth = 0
        while depth < length and histories[i, length - 1 - depth] != NOTHING:
            start, stop = edges.first[way[depth]], edges.first[way[depth] + 1]
            edge = find(edges.words, start, stop, histories[i, length - 1 - depth])
            if edge < 0:
                break
            depth += 1
            way[depth] = edges.nodes[edge]
        found[i], place = 1.0, -1
        while depth >= 0 and place < 0:
            node = way[depth]
            place = find(word, contexts.first[node], contexts.first[node + 1], outcomes[i])
            found[i] *= probability[place] if place >= 0 else contexts.factor[node]
            depth -= 1
        if place < 0:
            found[i] /= words  # the uniform distribution stands behind all
