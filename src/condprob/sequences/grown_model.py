"""The model of `longer_histories`: a bigram matrix with weights of longer contexts."""

from dataclasses import dataclass, field

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from condprob.checks import UNIT, Conditions
from condprob.entries import take
from condprob.jit import JIT
from condprob.matrix import ConditionalMatrix
from condprob.model import Ended, pack, unpack
from condprob.sequences.suffixes import NOWHERE
from condprob.sequences.tree_model import (
    Contexts,
    TreeModel,
    find,
    scores_before,
    take_tree,
    walk,
)


@dataclass(frozen=True, eq=False, repr=False)
class GrownModel(TreeModel, kind="grown histories"):
    """``p(y | x) = b(y | last word of x) exp(sum of w_y(s) over longer suffixes s of x) / Z(x)``.

    The base measure ``b`` is a smoothed bigram, and weights belong to contexts of two words and
    more. The start of a sentence is one more word of its histories.

    Attributes
    ----------
    base : ConditionalMatrix, shape (words + 1, words)
        Its last context is the start of a sentence.
    longest : int
        Words of a history that count: the order less one.
    text : numpy.ndarray of int
        Where the words of the contexts stand.
    contexts : tree_model.Contexts
        Of the suffix tree; ``factor`` is ``1 / Z``.
    word : numpy.ndarray of int, shape (pairs,)
        By context, ascending.
    scores : numpy.ndarray, shape (pairs,)
        Weights of the word, added up over the context and all above it.
    penalty : float
        Weight of half the squares of all weights beside the log-loss of each context.
    """

    base: ConditionalMatrix = field(repr=False)
    longest: int
    text: np.ndarray = field(repr=False)
    contexts: Contexts = field(repr=False)
    word: np.ndarray = field(repr=False)
    scores: np.ndarray = field(repr=False)
    penalty: float

    @property
    def ended(self) -> Ended:
        """How the fit of the base ended; each longer context is the solution of an equation."""
        return self.base.ended

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.base.shape[1]

    @property
    def parameters(self) -> int:
        """Number of pairs of a longer context and a word that have weights."""
        return self.word.size

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history, shape (len(histories), outcomes)."""
        prepared = self._histories(histories)
        found = np.array(self.base.rows(prepared[:, -1]))
        _scale_rows(self._edges, self.contexts, self.word, self.scores, prepared, found)
        return found

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        prepared, outcomes = self._pairs(histories, outcomes)
        found = self.base.at(prepared[:, -1], outcomes)
        node, place = _locate(self._edges, self.contexts, self.word, prepared, outcomes)
        found *= self.contexts.factor[node]
        known = place >= 0
        found[known] *= np.exp(self.scores[place[known]])
        return found

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file."""
        own = {name: getattr(self, name) for name in ("text", "word", "scores")}
        own |= {name: np.array(getattr(self, name)) for name in ("longest", "penalty")}
        return own | pack("base", self.base) | self.contexts._asdict()

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "GrownModel":
        """Build the model from its `arrays`, or raise ValueError."""
        base = unpack("base", arrays, ConditionalMatrix)
        starts, words = base.shape
        if starts != words + 1:
            raise ValueError("'base' must have one context more than outcomes")
        longest, text, contexts, word = take_tree(arrays, words, words + 1)
        scores = take(arrays, "scores", "f", (word.size,))
        penalty = take(arrays, "penalty", "f", ()).item()
        found = cls(base, longest, text, contexts, word, scores, penalty)
        found._check_normalisers()
        return found

    def _check_normalisers(self) -> None:
        """Raise ValueError unless each factor is one over the sum of its row."""
        parent, depth, ends, factor, _ = self.contexts
        # Where the context before has no word, the base knows all of this one's shortest.
        longer = np.where(parent >= 0, depth[parent], 0) > 0
        node = self.contexts.nodes_of_pairs
        if (factor[~longer] != 1).any() or self.scores[~longer[node]].any():
            raise ValueError("contexts of one word must be those of the base")
        own = np.flatnonzero(longer[node])
        before = scores_before(self.contexts, self.word, self.scores, self.outcomes)
        shares = self.base.at(self.text[ends[node[own]] - 1], self.word[own])
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            added = shares * (np.exp(self.scores[own]) - np.exp(before[own]))
            sums = np.bincount(node[own], added, minlength=factor.size).astype(float)  # if empty
            sums[longer] += 1 / factor[parent[longer]]
            is_right = np.isclose(sums[longer] * factor[longer], 1, rtol=0, atol=UNIT)
        if not is_right.all():
            raise ValueError("normalisers must be the sums of what they normalise")


@njit(**JIT)
def _scale_rows(edges, contexts, word, score, histories, found):
    for i in range(len(found)):
        node, _ = walk(edges, contexts, histories[i])
        for y in range(found.shape[1]):
            found[i, y] *= contexts.factor[node]
        # a word seen after a context was seen after all above it, which have less of its score
        done = np.zeros(found.shape[1], dtype=np.bool_)
        while node != NOWHERE:
            for p in range(contexts.first[node], contexts.first[node + 1]):
                if not done[word[p]]:
                    found[i, word[p]] *= np.exp(score[p])
                    done[word[p]] = True
            node = contexts.parent[node]


@njit(**JIT)
def _locate(edges, contexts, word, histories, outcomes):
    node_of = np.empty(outcomes.size, dtype=np.int64)
    place_of = np.full(outcomes.size, -1, dtype=np.int64)
    for i in range(outcomes.size):
        node, _ = walk(edges, contexts, histories[i])
        node_of[i] = node
        while node != NOWHERE:
            first, stop = contexts.first[node], contexts.first[node + 1]
            place = find(word, first, stop, outcomes[i])
            if place >= 0:
                place_of[i] = place
                break
            node = contexts.parent[node]
    return node_of, place_of
