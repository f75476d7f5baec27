"""Labels and their numbers: words, items, users, or whatever contexts and outcomes are called."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from datetime import date, time, timedelta
from itertools import chain, repeat
from numbers import Real
from typing import Any

import numpy as np

from condprob.checks import in_brief, warn_caller
from condprob.checks.values import as_label, as_labels

HASHABLE = "a label must be hashable, as texts and numbers are"


class Vocabulary:
    """Labels numbered ``0..size-1`` in the order in which they are given.

    Parameters
    ----------
    labels : iterable of hashable
        Words, items or any labels, such as a pandas column. A label that occurs more than once has
        the number of its first place. Labels that are equal in Python, such as 1, 1.0 and True, are
        one label. A dictionary numbers its labels, as scikit-learn's ``vocabulary_`` does.

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
        if not isinstance(labels, Iterable):
            raise ValueError(f"{in_brief(labels)}: expected a list of labels")
        if isinstance(labels, Mapping):
            labels = in_order_of_numbers(labels, "labels")
        self._labels = _distinct(labels)
        self._number = {label: number for number, label in enumerate(self._labels)}

    @classmethod
    def in_order(cls, labels: Iterable[Hashable], first: Iterable[Hashable] = ()) -> "Vocabulary":
        """Return labels numbered in sorted order, whatever the order of rows of data.

        Numbers come before the other types, which follow by the names of the types. Tuples are
        sorted part by part. Labels in ``first`` have the first numbers, in their own order.

        Warns
        -----
        UserWarning
            If labels of a type have no order. They are numbered by first appearance.
        """
        distinct = _distinct(labels)
        try:
            is_plain = set(map(type, distinct)) in ({str}, {int})
            return cls(chain(first, sorted(distinct, key=None if is_plain else _place_of)))
        except TypeError as error:
            problem = "the labels have no order, and are numbered by first appearance"
            warn_caller(f"{problem}: {error}; the order of rows may change results")
            return cls(chain(first, distinct))

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, label: Hashable) -> bool:
        try:
            return as_label(label) in self._number
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

        A label that is not in the vocabulary gets the number ``otherwise``, if it is given.

        Raises
        ------
        ValueError
            If a label is not hashable, or is not in the vocabulary and ``otherwise`` is None; the
            message names the first such label.
        """
        if hasattr(labels, "codes"):  # a `Column`: each label once
            return self.numbers(labels.distinct, otherwise)[labels.codes]
        labels = as_labels(labels)
        if otherwise is None:
            found = map(self._number.__getitem__, labels)
        else:
            found = map(self._number.get, labels, repeat(otherwise))
        try:
            return np.fromiter(found, dtype=np.int64)
        except KeyError as unknown:
            label = in_brief(unknown.args[0])
            problem = f"{label} is not in the vocabulary of {len(self):,} labels"
            hint = "to add it, fit again with outcomes=[...], or for a text with known=[...]"
            raise ValueError(f"{problem}; {hint}") from None
        except TypeError as error:
            raise ValueError(f"{HASHABLE}: {error}") from None

    def number(self, label: Hashable, otherwise: int) -> int:
        """Return the number of a label, or another where it is not in the vocabulary."""
        return self._number.get(as_label(label), otherwise)

    def labels(self, numbers: Iterable[int]) -> list[Any]:
        """Return the label of each number."""
        return [self._labels[number] for number in numbers]


def in_order_of_numbers(labels: Mapping, name: str) -> list[Any]:
    """Return labels in the order of their numbers, which a mapping says in either direction.

    The keys of a mapping to only None are labels in their order, as by `dict.fromkeys`.

    Raises
    ------
    ValueError
        If neither the values nor the keys are 0, 1, ..., or both are, in different orders.
    """
    pairs = [(as_label(key), as_label(value)) for key, value in labels.items()]
    if all(number is None for _, number in pairs):
        return [label for label, _ in pairs]
    numbers = list(range(len(pairs)))
    found = {}
    for side in (1, 0):
        if all(type(pair[side]) is int for pair in pairs):
            ordered = sorted(pairs, key=lambda pair: pair[side])
            if [pair[side] for pair in ordered] == numbers:
                found[side] = [pair[1 - side] for pair in ordered]
    if len(found) == 1 or (found and found[0] == found[1]):
        return found.popitem()[1]
    problem = "both sides have" if found else "no side has"
    hint = "give the labels in their order, as a list"
    raise ValueError(
        f"{name} = {in_brief(labels)}: {problem} the numbers 0 to {len(pairs) - 1}; {hint}"
    )


def _distinct(labels: Iterable[Hashable]) -> list[Any]:
    """Return labels, each once, as values of Python."""
    if hasattr(labels, "distinct"):  # a `Column`
        return list(labels.distinct)
    try:
        return list(dict.fromkeys(as_labels(labels)))
    except TypeError as error:
        raise ValueError(f"{HASHABLE}: {error}") from None


def refuse_repeated(what: str, labels: list[Any]) -> None:
    """Raise ValueError if a label occurs twice, with what it is the label of."""
    if len(_distinct(labels)) < len(labels):
        ((twice, _),) = Counter(as_labels(labels)).most_common(1)
        raise ValueError(f"{what} {in_brief(twice)} occurs twice")


def _place_of(label: Any) -> tuple:
    """Return a key by which labels of several types are sorted; TypeError where there is none."""
    if isinstance(label, Real):
        return "", label
    if isinstance(label, tuple):
        return "tuple", tuple(map(_place_of, label))
    if isinstance(label, frozenset):  # whose own order is that of subsets
        return "frozenset", tuple(sorted(map(_place_of, label)))
    kind = next((kind for kind in (str, date, time, timedelta) if isinstance(label, kind)), None)
    return (kind or type(label)).__name__, label


def like_labels(labels: list, known: Iterable[Hashable]) -> list:
    """Return labels in the type of known ones: numbers for texts, or texts for numbers.

    A label that has no counterpart of that type stays as it is.
    """
    first = next(iter(known), None)
    kind = next((kind for kind in (bool, str, int, float) if isinstance(first, kind)), None)
    if kind is None or all(isinstance(label, kind) for label in labels):
        return labels
    return [_in_type(label, kind) for label in labels]


def _in_type(label: Any, kind: type) -> Any:
    if isinstance(label, kind) or not isinstance(label, str | int | float):
        return label
    if kind is bool:
        return {"True": True, "False": False}.get(str(label), label)
    try:
        read = kind(label)
    except (ValueError, OverflowError):
        return label
    # A whole number has one spelling: 007 and 1_0 are other labels.
    return label if kind is int and isinstance(label, str) and str(read) != label else read
