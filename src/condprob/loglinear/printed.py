"""Proximal steps of the l-infinity norm of trees as the paper prints them, to compare with ours.

`proximal` has what is used. These are Algorithms 3 and 4 with their misprints put right; all three
give the same weights.
"""

import numpy as np
from numba import njit

from condprob.loglinear.heaps import NONE, merge, pop
from condprob.loglinear.problem import Forest
from condprob.runtime.jit import JIT
from condprob.sequences.suffixes import NOWHERE


def step_by_pivots(
    forest: Forest, weights: np.ndarray, threshold: float, seed: int = 0
) -> np.ndarray:
    """Return the step by Algorithm 3: each subtree is gathered, its level found by random pivots.

    READING: the print compares with the index ``rho`` of the pivot where its value is meant, and
    lacks the case of a subtree whose sum is at most the threshold: the level would be negative.

    The seed is of the pivots, which change the time and not the result, shape (weights,).
    """
    found = np.maximum(weights, 0.0)
    rng = np.random.default_rng(seed)
    _by_pivots(forest.parent, forest.copies, forest.groups, found, threshold, rng)
    return found


def step_by_heaps(
    forest: Forest, weights: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the step by Algorithm 4: each subtree is a heap, whose largest values are lowered.

    READING: in the print ``tau`` begins as the value where ``c_x v_x`` is meant, and ``delta``
    forgets the copies; what the threshold takes of the sum is the threshold.

    The second array, of the same shape (weights,), says how many values each step lowered, ``k``;
    zero where all became zero.
    """
    found = np.maximum(weights, 0.0)
    lowered = np.zeros(found.size, dtype=np.int64)
    _by_heaps(forest.parent, forest.copies, forest.groups, found, threshold, lowered)
    return found, lowered


@njit(**JIT)
def _by_pivots(parent, copies, groups, weights, threshold, rng):
    size = np.ones(weights.size, dtype=np.int64)
    items = np.empty(weights.size, dtype=np.int64)
    for p in range(weights.size - 1, -1, -1):
        if parent[p] != NOWHERE:
            size[parent[p]] += size[p]
        reach, whole = threshold * groups[p], 0.0
        for q in range(p, p + size[p]):  # a subtree is contiguous
            items[q - p] = q
            whole += copies[q] * weights[q]
        if whole <= reach:
            weights[p : p + size[p]] = 0.0
            continue
        total, width, first, stop = 0.0, 0.0, 0, size[p]  # items first..stop-1 are undecided
        while first < stop:
            chosen = first + min(int(rng.random() * (stop - first)), stop - first - 1)
            pivot = items[chosen]
            items[chosen], items[first] = items[first], pivot
            upper, more, wider = first + 1, weights[pivot] * copies[pivot], copies[pivot]
            for i in range(first + 1, stop):
                q = items[i]
                if weights[q] >= weights[pivot]:
                    items[i], items[upper] = items[upper], q
                    upper += 1
                    more += weights[q] * copies[q]
                    wider += copies[q]
            if (total + more) - (width + wider) * weights[pivot] < reach:
                total, width, first = total + more, width + wider, upper
            else:
                first, stop = first + 1, upper
        level = (total - reach) / width
        for q in range(p, p + size[p]):
            weights[q] = min(weights[q], level)


@njit(**JIT)
def _by_heaps(parent, copies, groups, weights, threshold, lowered):
    heap, child, sibling = np.full((3, weights.size), NONE)
    value, sums, gone = weights.copy(), copies * weights, np.zeros(weights.size, dtype=np.bool_)
    taken = np.empty(weights.size, dtype=np.int64)
    for p in range(weights.size - 1, -1, -1):
        reach = threshold * groups[p]
        heap[p] = merge(value, child, sibling, heap[p], p)
        if sums[p] <= reach:
            gone[p] = True
            continue
        total, width, k, top = 0.0, 0.0, 0, heap[p]
        while top != NONE and (k == 0 or value[top] * width > total - reach):
            total += copies[top] * value[top]
            width += copies[top]
            taken[k] = top
            k += 1
            top = pop(value, child, sibling, top)
        lowered[p] = k
        for i in range(k):
            item = taken[i]
            value[item] = (total - reach) / width
            child[item] = sibling[item] = NONE
            top = merge(value, child, sibling, top, item)
        if parent[p] != NOWHERE:
            sums[parent[p]] += sums[p] - reach
            heap[parent[p]] = merge(value, child, sibling, heap[parent[p]], top)
    for p in range(weights.size):
        gone[p] |= parent[p] != NOWHERE and gone[parent[p]]
        weights[p] = 0.0 if gone[p] else value[p]
