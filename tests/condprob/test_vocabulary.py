"""Labels and their numbers."""

import doctest

import numpy as np
import pytest
from inputs import exactly

from condprob import Vocabulary, vocabulary
from condprob.vocabulary import number_words


def test_the_example_of_its_docstring():
    assert doctest.testmod(vocabulary).failed == 0


def test_labels_are_numbered_as_they_first_appear():
    words = Vocabulary(["b", "a", "b", 3, ("x", 1)])
    assert list(words) == ["b", "a", 3, ("x", 1)]
    assert words.numbers([3, "b", "b"]).tolist() == [2, 0, 0]
    assert words.labels([1, 1, 3]) == ["a", "a", ("x", 1)]
    assert ("a" in words, "z" in words, words[2]) == (True, False, 3)
    assert words == Vocabulary(["b", "a", 3, ("x", 1)]) != Vocabulary(["a", "b"])


def test_an_unknown_label_is_one_clear_line():
    with pytest.raises(ValueError, match=exactly("'c' is not in the vocabulary of 2 labels")):
        Vocabulary("ab").numbers("abc")
    assert Vocabulary("ab").numbers("abcb", -1).tolist() == [0, 1, -1, 1]


def test_words_as_numbers():
    numbers, types = number_words(["a", "rose", "is", "a", "rose"])
    assert (numbers.tolist(), types) == ([0, 1, 2, 0, 1], 3)
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 5
    assert number_words([])[1] == 0
    assert number_words([])[0].dtype == np.int64
