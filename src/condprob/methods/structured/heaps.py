"""Pairing heaps in arrays, the largest value at the top: merged at once, emptied item by item."""

import numpy as np

from condprob.jit import EXACT, njit

NONE = -1  # stands for no node


@njit(**EXACT)
def merge(value, child, sibling, one, other):
    """Return the top of two heaps made one, of their tops ``one`` and ``other``; `NONE` if empty.

    ``value`` is that of each item; ``child`` and ``sibling`` are its first child and its next
    sibling, `NONE` where there is none.
    """
    if one == NONE:
        return other
    if other == NONE:
        return one
    if value[one] < value[other]:
        one, other = other, one
    sibling[other] = child[one]
    child[one] = other
    return one


@njit(**EXACT)
def pop(value, child, sibling, top):
    """Take the top off a heap and return the new top."""
    pairs, item = np.int64(NONE), child[top]
    child[top] = NONE
    while item != NONE:  # from left to right in pairs, kept on a list
        second = sibling[item]
        following = NONE if second == NONE else sibling[second]
        sibling[item] = NONE
        if second != NONE:
            sibling[second] = NONE
        both = merge(value, child, sibling, item, second)
        sibling[both] = pairs
        pairs, item = both, following
    whole = np.int64(NONE)
    while pairs != NONE:  # and from right to left
        following = sibling[pairs]
        sibling[pairs] = NONE
        whole = merge(value, child, sibling, whole, pairs)
        pairs = following
    return whole
