"""Pairing heaps: items come back in order, whichever heaps were merged before."""

import numpy as np
import pytest

from condprob.models.structured.heaps import NONE, merge, pop


def take_all(value, child, sibling, top):
    """Empty a heap and return its items in the order in which they came."""
    found = []
    while top != NONE:
        found.append(top)
        top = pop(value, child, sibling, top)
    return found


@pytest.mark.parametrize("items", [1, 2, 3, 50])
@pytest.mark.parametrize("heaps", [1, 2, 7])
def test_a_heap_gives_its_items_back_in_order(items, heaps):
    rng = np.random.default_rng(7)
    value = np.round(rng.uniform(0, 1, items), 1)  # many are equal
    child, sibling = np.full((2, items), NONE)
    tops = [NONE] * heaps
    for item in range(items):
        tops[item % heaps] = merge(value, child, sibling, tops[item % heaps], item)
    whole = NONE
    for top in tops:
        whole = merge(value, child, sibling, whole, top)
    found = take_all(value, child, sibling, whole)
    assert sorted(found) == [*range(items)]
    assert value[found].tolist() == sorted(value, reverse=True)
    assert (child == NONE).all()


def test_items_that_come_after_some_were_taken_are_in_order_too():
    value = np.array([5.0, 3.0, 4.0, 1.0, 2.0])
    child, sibling = np.full((2, 5), NONE)
    top = NONE
    for item in (0, 1, 3):
        top = merge(value, child, sibling, top, item)
    assert top == 0
    top = pop(value, child, sibling, top)
    assert top == 1
    for item in (4, 2):
        top = merge(value, child, sibling, top, item)
    assert take_all(value, child, sibling, top) == [2, 1, 4, 3]


def test_of_an_empty_heap_and_another_the_other_is_the_whole():
    value, (child, sibling) = np.ones(1), np.full((2, 1), NONE)
    assert merge(value, child, sibling, NONE, 0) == merge(value, child, sibling, 0, NONE) == 0
    assert merge(value, child, sibling, NONE, NONE) == NONE
