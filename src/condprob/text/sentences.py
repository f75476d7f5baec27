"""Sentences: the data of models that read whole histories."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions, check_integer
from condprob.checks.entries import check_labels
from condprob.checks.frozen import Frozen
from condprob.vocabulary import Vocabulary

NOTHING = -1  # stands in a history for each place before the sentence's first word


@dataclass(frozen=True, eq=False)
class Sentences(Frozen):
    """Text as numbered words, one sentence after the other.

    A history never reaches over the start of its sentence.

    Attributes
    ----------
    k : int
        Size of the vocabulary: the number of outcomes.
    words : numpy.ndarray of int64, shape (n,)
        Words of all sentences, ``0..k-1``.
    starts : numpy.ndarray of int64, shape (sentences + 1,)
        Sentence ``s`` consists of the words ``starts[s]:starts[s + 1]``.

    Examples
    --------
    >>> from condprob import Sentences
    >>> text = Sentences.from_lists([[0, 1, 2], [0, 1]], k=3)
    >>> text.words.tolist(), text.starts.tolist()
    ([0, 1, 2, 0, 1], [0, 3, 5])
    """

    k: int
    words: np.ndarray = field(repr=False)
    starts: np.ndarray = field(repr=False)

    @classmethod
    def from_lists(cls, sentences: Iterable[Sequence[int]], k: int) -> "Sentences":
        """Take sentences given as sequences of word numbers; an empty one has no words.

        Raises
        ------
        ValueError
            If ``k`` is below 1, or a word is no integer ``0..k-1``.
        """
        k = check_integer("k", k, 1)
        parts = [
            check_labels(np.asarray(s, dtype=None if len(s) else int), k, "words").ravel()
            for s in sentences
        ]
        starts = np.cumsum([0, *(part.size for part in parts)])
        return cls(k, np.concatenate([np.empty(0, dtype=np.int64), *parts]), starts)

    @classmethod
    def from_words(cls, words: ArrayLike, k: int) -> "Sentences":
        """Take a text of word numbers as one sentence."""
        return cls.from_lists([np.asarray(words)], k)

    @classmethod
    def from_labels(
        cls, labels: Iterable[Hashable], vocabulary: Vocabulary
    ) -> tuple["Sentences", int]:
        """Take a text of labels as one sentence, cut where a label is unknown.

        Returns
        -------
        sentences : Sentences
        unknown : int
            How many labels the vocabulary does not have.
        """
        labels = list(labels)
        known = np.array([label in vocabulary for label in labels], dtype=bool)
        numbers = vocabulary.numbers(label for label in labels if label in vocabulary)
        cuts = np.cumsum(known)[~known]
        starts = np.unique([0, *cuts, numbers.size])
        return cls(len(vocabulary), numbers, starts), int(known.size - known.sum())

    @property
    def n(self) -> int:
        """Number of words."""
        return self.words.size

    def __len__(self) -> int:
        return self.starts.size - 1

    def split(self, share: float) -> tuple["Sentences", "Sentences"]:
        """Return the first sentences with ``share`` of the words, and the others.

        The cut is at the end of a sentence; of a text of one sentence, between two words.
        """
        cut = round(share * self.n)
        whole = self.starts[(self.starts > 0) & (self.starts < self.n)]
        if whole.size:
            cut = int(whole[np.argmin(abs(whole - cut))])
        before, after = (np.clip(self.starts, *ends) for ends in ((0, cut), (cut, self.n)))
        return (
            Sentences(self.k, self.words[:cut], np.unique(before)),
            Sentences(self.k, self.words[cut:], np.unique(after) - cut),
        )

    def with_stops(self) -> "Sentences":
        """Return the sentences with one more word, ``k``, which ends each of them.

        So a model gives a probability to whole sentences: their sum is one where the end can be
        reached from every word. The start of a sentence is in histories in any case.
        """
        starts = self.starts + np.arange(self.starts.size)
        return Sentences(self.k + 1, np.insert(self.words, self.starts[1:], self.k), starts)

    def histories(self, order: int) -> np.ndarray:
        """Return the ``order - 1`` words before each word, shape (n, order - 1), nearest last.

        Where the sentence has fewer before it, `NOTHING` stands.
        """
        order = check_integer("order", order, 1)
        places = np.arange(self.n)
        start = np.repeat(self.starts[:-1], np.diff(self.starts))
        back = places[:, None] - np.arange(order - 1, 0, -1)
        return np.where(back >= start[:, None], self.words[np.maximum(back, 0)], NOTHING)


class NgramCounts(NamedTuple):
    """Counts of n-grams: all that Kneser-Ney, and any method at order 2, knows of a text.

    Memory and time of a fit grow with the number of distinct n-grams, and not with their counts.

    Attributes
    ----------
    k : int
        Number of words that there are to choose from: the outcomes.
    order : int
        Words of an n-gram, 2 or more.
    before : numpy.ndarray of int64, shape (ngrams, order - 1)
        The words before the last, nearest last; `NOTHING` before the start of a sentence.
    words : numpy.ndarray of int64, shape (ngrams,)
        The last words. No two n-grams are equal.
    counts : numpy.ndarray of int64, shape (ngrams,)
        Above zero.
    """

    k: int
    order: int
    before: np.ndarray
    words: np.ndarray
    counts: np.ndarray

    @property
    def n(self) -> int:
        """Number of words of the text that was counted."""
        return int(self.counts.sum())

    def histories(self, order: int) -> np.ndarray:
        """Return the words before each last word; see `Sentences.histories`."""
        if order != self.order:
            raise ValueError(f"counts of n-grams of order {self.order}, and not of {order}")
        return self.before


def as_histories(histories: Conditions, order: int, k: int) -> np.ndarray:
    """Return histories of any lengths as an array, shape (n, order - 1), nearest word last.

    Parameters
    ----------
    histories : array of int, shape (n, any), or sequence of sequences of int
        Only the last ``order - 1`` words of each count; a shorter one starts a sentence.
    order : int
    k : int
        Number of words.

    Raises
    ------
    ValueError
        If a word is no integer ``0..k-1`` (or `NOTHING`).
    """
    length = order - 1
    found = np.full((len(histories), length), NOTHING, dtype=np.int64)
    if isinstance(histories, np.ndarray) and histories.ndim == 2:  # all at once
        words = histories[:, max(histories.shape[1] - length, 0) :]
        check_labels(words[words != NOTHING], k, "histories")
        found[:, length - words.shape[1] :] = words
        return found
    for row, history in zip(found, histories, strict=True):
        words = np.asarray(history, dtype=None if len(history) else int).ravel()
        words = words[max(words.size - length, 0) :]
        check_labels(words[words != NOTHING], k, "histories")
        row[length - words.size :] = words
    return found
