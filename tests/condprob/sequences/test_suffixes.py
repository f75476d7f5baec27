"""Histories in order, and what neighbours share: against Python's own sorting."""

import numpy as np
import pytest

from condprob import Sentences
from condprob.models.structured.problem import places_of_sentences
from condprob.sequences.suffixes import shared_lengths, sort_histories

RNG = np.random.default_rng(5)
LISTS = [RNG.integers(0, 3, length).tolist() for length in (30, 1, 0, 12)]


def reversed_history(places, place):
    """Return the words of a history, the nearest first."""
    end, length = places.ends[place], places.lengths[place]
    return tuple(int(word) for word in places.text[end - length : end][::-1])


@pytest.mark.parametrize("far", [0, 2**16])  # words whose numbers take more than 16 bits, too
@pytest.mark.parametrize("order", [1, 2, 4, 40])
def test_histories_are_sorted_from_the_nearest_word_on(order, far):
    lists = [[word + far for word in words] for words in LISTS]
    places = places_of_sentences(Sentences.from_lists(lists, far + 3), order)
    found = sort_histories(places)
    # A stable sort of tuples: a prefix stands before what it begins, equals as in the text.
    expected = sorted(range(found.size), key=lambda place: reversed_history(places, place))
    assert found.tolist() == expected
    shared = shared_lengths(places.text, places.ends, places.lengths, found)
    for i in range(1, found.size):
        before, here = (reversed_history(places, place) for place in found[i - 1 : i + 1])
        common = next(
            (n for n, (a, b) in enumerate(zip(before, here, strict=False)) if a != b),
            min(len(before), len(here)),
        )
        assert shared[i] == common
