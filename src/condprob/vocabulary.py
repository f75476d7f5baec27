"""Labels and their numbers: words, items, users, or whatever contexts and outcomes are called."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import repeat
from typing import Any

import numpy as np

from condprob.checks import in_brief

HASHABLE = "a label must be hashable, as texts and numbers are"


class Vocabulary:
    """Labels numbered ``0..size-1`` in the order in which they are given.

    Parameters
    ----------
    labels : iterable of hashable
        Words, items or any labels, a pandas column among them; each may occur more than once, and
        the first time counts. Labels that Python takes for equal, such as 1, 1.0 and True, are one.

    Raises
    ------
    ValueError
        If a label is not hashable.

    Examples
    --------
    >>> from condprob import Vocabulary
    >>> words = Vocabulary("a rose is a rose".split())
    >>> len(words), words.numbers(["rose", "is"]).tolist(), words[0]
    (3, [1, 2], 'a')
    """

    def __init__(self, labels: Iterable[Hashable]) -> None:
        try:
            distinct = dict.fromkeys(labels)
        except TypeError as error:
            raise ValueError(f"{HASHABLE}: {error}") from None
        self._labels = [as_plain(label) for label in distinct]
        self._number = {label: number for number, label in enumerate(self._labels)}

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, label: Hashable) -> bool:
        try:
            return label in self._number
        except TypeError as error:
            raise ValueError(f"{HASHABLE}: {error}") from None

    def __getitem__(self, number: int) -> Any:
        return self._labels[number]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._labels)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self._labels == other._labels

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Vocabulary: {len(self):,} labels>"

    def numbers(self, labels: Iterable[Hashable], otherwise: int | None = None) -> np.ndarray:
        """Return the number of each label, shape (n,), int64.

        A label that is not in the vocabulary has the number ``otherwise``, if there is one.

        Raises
        ------
        ValueError
            If a label is not in the vocabulary and there is none; the message names the first such
            label. If one is not hashable.
        """
        if otherwise is None:
            found = map(self._number.__getitem__, labels)
        else:
            found = map(self._number.get, labels, repeat(otherwise))
        try:
            return np.fromiter(found, dtype=np.int64)
        except KeyError as unknown:
            told = f"{in_brief(unknown.args[0])} is not in the vocabulary of {len(self):,} labels"
            raise ValueError(told) from None
        except TypeError as error:
            raise ValueError(f"{HASHABLE}: {error}") from None

    def number(self, label: Hashable, otherwise: int) -> int:
        """Return the number of a label, or another where it is not in the vocabulary."""
        return self._number.get(label, otherwise)

    def labels(self, numbers: Iterable[int]) -> list[Any]:
        """Return the label of each number."""
        return [self._labels[number] for number in numbers]


def as_plain(label: Any) -> Any:
    """Return a number of NumPy's as Python's, which is its equal and which files hold."""
    return label.item() if isinstance(label, np.integer | np.floating | np.bool_) else label


def number_words(words: Iterable[Hashable]) -> tuple[np.ndarray, int]:
    """Return words as numbers, given to types in order of first appearance, and how many types.

    Returns
    -------
    numbers : numpy.ndarray of int64, shape (words,)
        Read-only.
    types : int
    """
    words = list(words)
    vocabulary = Vocabulary(words)
    numbers = vocabulary.numbers(words)
    numbers.flags.writeable = False
    return numbers, len(vocabulary)
