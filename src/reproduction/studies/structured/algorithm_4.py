"""The proximal step of the l-infinity norm of trees as the paper prints it, to compare with ours.

`proximal` has what is used. This is Algorithm 4 with its misprints put right; Algorithm 3 is in
benchmarks/pivots.py. All three give the same weights.
"""

import numpy as np
from numba import njit

from condprob.jit import JIT
from condprob.models.structured.heaps import NONE, merge, pop
from condprob.models.structured.problem import Forest
from condprob.sequences.suffixes import NOWHERE


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
