"""The direct methods over dictionaries give what those over arrays, and the formulas, do."""

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

from condprob import CountMatrix, method
from condprob import cross_entropy as cross_entropy_of_matrix
from condprob.plain import METHODS, cross_entropy

ids = pytest.mark.parametrize("id", METHODS)
SLOW = {
    "add-half": reference.add_half,
    "ad": reference.ad,
    "sb": reference.stupid_backoff,
    "kn": reference.kneser_ney,
}


def count(words, vocabulary):
    numbers = np.array([vocabulary.index(word) for word in words])
    return CountMatrix.from_pairs(numbers[:-1], numbers[1:], len(vocabulary))


@ids
@given(train=st.text("abcde", min_size=2, max_size=60), test=st.text("abcdef", min_size=2))
def test_numbers_are_those_of_arrays_and_of_the_formulas(id, train, test):
    # Short alphabets: contexts never seen, rows in which every outcome is, words of the test alone.
    vocabulary = sorted(set(train + test))
    found = cross_entropy(list(train), list(test), len(vocabulary), id)
    fitted, scored = count(train, vocabulary), count(test, vocabulary)
    arrays = cross_entropy_of_matrix(scored, method(id).fit(fitted))
    assert found == pytest.approx(arrays, rel=1e-12, abs=1e-12)
    slow = reference.cross_entropy(scored.dense(), SLOW[id](fitted.dense()))
    assert found == pytest.approx(slow, rel=1e-12, abs=1e-12)


def test_kneser_ney_by_hand():
    # Of abab over a, b, c: a is followed by b twice, b by a once; c is never seen, so of the
    # continuation distribution it has what both others lose: 3/4 of 2 of 2. They have 1/8 each.
    # ab: (2 - 3/4 + 3/4 / 8) / 2. bc: 3/4 * 3/4. ca: 1/8.
    expected = -np.log([43 / 64, 9 / 16, 1 / 8]).mean()
    assert cross_entropy(list("abab"), list("abca"), 3, "kn") == pytest.approx(expected)
