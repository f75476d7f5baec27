"""A neural probabilistic language model of histories of a fixed length, and mixtures with it."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions
from condprob.checks.entries import check_labels
from condprob.files.stored import Array, stored, stored_part, stored_together
from condprob.matrix import Classes, ConditionalMatrix
from condprob.model import CELLS_AT_ONCE, ENDS, Ended, worst_end
from condprob.products import product
from condprob.text import SequenceModel
from condprob.text.sentences import NOTHING


class Network(NamedTuple):
    """The weights of ``softmax(b + W x + U h)``, where ``h = tanh(d + H x)``.

    ``x`` has the embedding of each word of the history, the farthest first. Biases, direct
    connections and those from the hidden layer are rows of one matrix, against the features
    ``[h, x, 1]``.
    """

    embedding: np.ndarray  # shape (contexts, size)
    inward: np.ndarray  # shape (inputs, hidden): ``H``; there are ``size`` inputs for each word
    offset: np.ndarray  # shape (hidden,): ``d``
    outward: np.ndarray  # shape (features, words): ``U``, ``W`` unless there is none, and ``b``

    @property
    def is_direct(self) -> bool:
        """Whether the inputs are also features."""
        return len(self.outward) > self.offset.size + 1

    def features(self, histories: np.ndarray) -> np.ndarray:
        """Return the features of histories of contexts' numbers, shape (n, features)."""
        x = self.embedding[histories].reshape(len(histories), len(self.inward))
        parts = [np.tanh(product(x, self.inward) + self.offset), np.ones((len(x), 1), x.dtype)]
        return np.hstack([parts[0], x, parts[1]] if self.is_direct else parts)

    def log_rows(self, histories: np.ndarray) -> np.ndarray:
        """Return the log probability of every word after each history, nats, shape (n, words)."""
        scores = product(self.features(histories), self.outward)
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        return scores

    def log_at(self, histories: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Return the log probability of each word after its history, nats, shape (n,)."""
        distinct, row_of = np.unique(histories, axis=0, return_inverse=True)
        row_of, found = row_of.ravel(), np.empty(len(words))
        order, step = np.argsort(row_of, kind="stable"), max(CELLS_AT_ONCE // self.words, 1)
        for start in range(0, len(distinct), step):
            rows = self.log_rows(distinct[start : start + step])
            which = order[slice(*np.searchsorted(row_of[order], [start, start + len(rows)]))]
            found[which] = rows[row_of[which] - start, words[which]]
        return found

    @property
    def words(self) -> int:
        """Number of outcomes."""
        return self.outward.shape[1]


@dataclass(frozen=True, eq=False, repr=False)
class NeuralModel(SequenceModel, kind="neural histories"):
    """``(1 - share)`` times a network and ``share`` times n-grams.

    The start of a sentence is one more word of its histories, the last of the embedding.

    Attributes
    ----------
    network : Network
        Of float64.
    longest : int
        Words of a history that the network sees: the order less one.
    other : SequenceModel
        The n-grams, of any order.
    share : float
        Theirs.
    history : numpy.ndarray, shape (epochs + 1,)
        Mean held-out log-loss of the network by itself, at first and after each epoch,
        nats per word; the network is that of the least.
    ended : "settled" or "limit"
        Settled if the last epochs were no better than one before them.
    """

    network: Network = stored_together(
        Network._make,
        embedding=Array("f", ("outcomes+1", "size")),
        inward=Array("f", ("inputs", "hidden")),
        offset=Array("f", ("hidden",)),
        outward=Array("f", ("features", "outcomes")),
    )
    longest: int = stored("i", low=0)
    other: SequenceModel = stored_part(SequenceModel)
    share: float = stored("f", low=0, high=1)
    history: np.ndarray = stored("f", "epochs+1", low=0)
    ended: Ended = stored("U", default="limit", choices=ENDS)

    @property
    def order(self) -> int:
        """Number of words that the network sees at once, the next one among them."""
        return self.longest + 1

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.network.words

    @property
    def parameters(self) -> int:
        """Number of weights of the network, and of seen n-grams where they have a share."""
        return sum(part.size for part in self.network) + (
            self.other.parameters or 0 if self.share else 0
        )

    @property
    def decoder(self) -> Network:
        """The network, which turns histories into distributions."""
        return self.network

    def _histories(self, prepared):
        return np.where(prepared == NOTHING, self.outcomes, prepared)

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history, shape (len(histories), outcomes)."""
        rows = np.exp(self.decoder.log_rows(self._histories(self.prepare(histories))))
        return (1 - self.share) * rows + self.share * self.other.rows(histories)

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        prepared = self._histories(self.prepare(histories))
        outcomes = check_labels(outcomes, self.outcomes, "outcomes")
        outcomes = np.broadcast_to(outcomes, len(prepared))
        found = np.exp(self.decoder.log_at(prepared, outcomes))
        return (1 - self.share) * found + self.share * self.other.at(histories, outcomes)

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        embedding, inward, offset, outward = found.network
        inputs = found.longest * embedding.shape[1]
        if len(inward) != inputs or len(outward) - offset.size - 1 not in (0, inputs):
            raise ValueError("a network must have weights for each of its features")
        return found


@dataclass(frozen=True, eq=False, repr=False)
class MixedMatrix(ConditionalMatrix, kind="mixed matrices"):
    """``Q = (1 - share) one + share other``.

    Where both are sparse plus low rank, so is their mixture: see `MixtureMatrix`.

    Attributes
    ----------
    one, other : ConditionalMatrix
        Of the same shape.
    share : float
        Between zero and one.
    """

    one: ConditionalMatrix = stored_part(ConditionalMatrix)
    other: ConditionalMatrix = stored_part(ConditionalMatrix)
    share: float = stored("f", low=0, high=1)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return self.one.shape

    @property
    def ended(self) -> Ended:
        """The worse end of the two."""
        return worst_end([self.one.ended, self.other.ended])

    def classes(self) -> tuple[Classes, Classes]:
        """Return classes of contexts and of outcomes that are alike in both matrices."""
        return tuple(map(_meet, self.one.classes(), self.other.classes()))

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """Return ``Q[contexts, outcomes]``, broadcast together."""
        return self._mix(self.one.at(contexts, outcomes), self.other.at(contexts, outcomes))

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        return self._mix(self.one.rows(contexts), self.other.rows(contexts))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        return self._mix(self.one.block(contexts, outcomes), self.other.block(contexts, outcomes))

    def _mix(self, one, other):
        return (1 - self.share) * one + self.share * other


def _meet(one: Classes, other: Classes) -> Classes:
    """Return the classes of items that are alike in both divisions."""
    both = np.column_stack([one.class_of, other.class_of])
    _, first, class_of = np.unique(both, axis=0, return_index=True, return_inverse=True)
    return Classes(first, class_of.ravel())
