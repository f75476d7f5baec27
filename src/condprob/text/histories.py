"""Texts as pairs: each distinct history of ``order - 1`` words is a context of its own."""

from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions, check_order
from condprob.checks.entries import check_labels
from condprob.counts import CountMatrix, PairsInOrder
from condprob.files.stored import stored, stored_part
from condprob.matrix import ConditionalMatrix
from condprob.model import Ended
from condprob.run import Run
from condprob.text import SequenceModel
from condprob.text.sentences import NOTHING, NgramCounts, Sentences


@dataclass(frozen=True, eq=False, repr=False)
class HistoryModel(SequenceModel, kind="histories"):
    """Language model whose contexts are whole histories, as rows of a matrix.

    Attributes
    ----------
    matrix : ConditionalMatrix, shape (histories, outcomes), or one context more
        The rows. An additional last context stands for all unseen histories: it has no counts, and
        its row is the method's row for such a context.
    histories : numpy.ndarray of int64, shape (histories, order - 1)
        Distinct histories: all possible ones, or those that were observed.
    pairs : int or None
        Number of distinct pairs of a history and a word that were observed; None if unknown.

    Examples
    --------
    >>> from condprob import Sentences, method
    >>> text = Sentences.from_lists([[0, 1, 2], [0, 1, 0]], k=3)
    >>> method("add-half").fit_text(text, order=3).order
    3
    """

    matrix: ConditionalMatrix = stored_part(ConditionalMatrix)
    histories: np.ndarray = stored("i", "histories", "words", low=NOTHING, below="outcomes")
    pairs: int | None = stored("i", default=None, optional=True, low=0)

    @property
    def order(self) -> int:
        """Number of words that the model sees at once."""
        return self.histories.shape[1] + 1

    @property
    def ended(self) -> Ended:
        """How the fit of the matrix ended."""
        return self.matrix.ended

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.matrix.shape[1]

    @property
    def parameters(self) -> int | None:
        """Number of distinct pairs of a history and a word that were seen."""
        return self.pairs

    def contexts(self, histories: Conditions) -> np.ndarray:
        """Return the context of each history; a new history has the last context."""
        wanted = self.prepare(histories)
        both = np.concatenate([self.histories, wanted])
        _, first, number = np.unique(both, axis=0, return_index=True, return_inverse=True)
        place = first[number.ravel()[len(self.histories) :]]
        return np.minimum(place, len(self.histories))

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history, shape (len(histories), outcomes)."""
        return self.matrix.rows(self.contexts(histories))

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history, shape (len(histories),)."""
        outcomes = check_labels(outcomes, self.outcomes, "outcomes")
        return self.matrix.at(self.contexts(histories), outcomes)

    def in_plain_words(self) -> list[str]:
        """Return the lines of the matrix; see `ConditionalModel.in_plain_words`."""
        return self.matrix.in_plain_words()

    def settings_in_lines(self) -> list[str]:
        """Return its own lines and those of the matrix; see `ConditionalModel`."""
        return [*super().settings_in_lines(), *self.matrix.settings_in_lines()]

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        if found.matrix.shape[0] - len(found.histories) not in (0, 1):
            raise ValueError("the contexts of 'matrix' do not go with the histories")
        return found


class Fitter(Protocol):
    """A method for pairs: an `Estimator`, which itself imports this module."""

    def fit(self, counts: CountMatrix | PairsInOrder, seed: Run) -> ConditionalMatrix:
        """Fit counts, or pairs in their order, as a run says it."""
        ...


def fit_histories(
    estimator: Fitter, sentences: Sentences | NgramCounts, order: int, run: Run
) -> HistoryModel:
    """Fit each history as a context of pairs, independent of its shorter histories."""
    contexts, shape, histories = number_histories(sentences, order)
    if isinstance(sentences, NgramCounts):
        counts = CountMatrix.from_pairs(contexts, sentences.words, shape, weights=sentences.counts)
        return HistoryModel(estimator.fit(counts, run), histories, counts.nnz)
    matrix = estimator.fit(PairsInOrder(contexts, sentences.words, shape), run)
    pairs = CountMatrix.from_pairs(contexts, sentences.words, shape).nnz
    return HistoryModel(matrix, histories, pairs)


def number_histories(
    sentences: Sentences | NgramCounts, order: int
) -> tuple[np.ndarray, tuple[int, int], np.ndarray]:
    """Return the context of each word, the shape of the counts, and the history of each context.

    At order 2 the contexts are all words and the start of a sentence: see `bigram_contexts`.
    Otherwise they are the histories that occur, in lexicographic order, and one more without
    counts, which stands for all others. The arrays are int64, shapes (n,) and
    (histories, order - 1). Raises ValueError if the order is below one.
    """
    order = check_order(order)
    if order == 2:
        histories = np.append(np.arange(sentences.k), NOTHING)[:, None]
        return bigram_contexts(sentences), (sentences.k + 1, sentences.k), histories
    histories, number = np.unique(sentences.histories(order), axis=0, return_inverse=True)
    return number.ravel(), (len(histories) + 1, sentences.k), histories


def count_bigrams(sentences: Sentences) -> CountMatrix:
    """Return the counts of pairs, shape (words + 1, words): see `bigram_contexts`."""
    shape = (sentences.k + 1, sentences.k)
    pairs = bigram_contexts(sentences), sentences.words
    return CountMatrix.from_pairs(*pairs, shape=shape)


def bigram_contexts(sentences: Sentences | NgramCounts) -> np.ndarray:
    """Return the word before each; a sentence begins after a context of its own, the last."""
    contexts = sentences.histories(2)[:, 0]
    return np.where(contexts == NOTHING, sentences.k, contexts)
