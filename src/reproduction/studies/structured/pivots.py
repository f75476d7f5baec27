"""The proximal step of the l-infinity norm of trees by the paper's Algorithm 3, random pivots.

Its misprints are put right. `work` has Algorithm 4.
"""

import numpy as np

from condprob.jit import EXACT, njit
from condprob.methods.structured.problem import Forest
from condprob.text.suffixes import NOWHERE


def step_by_pivots(
    forest: Forest, weights: np.ndarray, threshold: float, seed: int = 0
) -> np.ndarray:
    """Return the step by Algorithm 3: each subtree is gathered, its level found by random pivots.

    READING: the paper compares with the index ``rho`` of the pivot where its value is meant, and
    lacks the case of a subtree whose sum is at most the threshold: the level would be negative.

    The seed is of the pivots, which change the time and not the result, shape (weights,).
    """
    return step_and_count(forest, weights, threshold, seed)[0]


def step_and_count(
    forest: Forest, weights: np.ndarray, threshold: float, seed: int = 0
) -> tuple[np.ndarray, int]:
    """Return `step_by_pivots`, and the values it visits: once gathered, once for each pivot."""
    found = np.maximum(weights, 0.0)
    rng = np.random.default_rng(seed)
    visited = _by_pivots(forest.parent, forest.copies, forest.groups, found, threshold, rng)
    return found, int(visited)


@njit(**EXACT)
def _by_pivots(parent, copies, groups, weights, threshold, rng):
    size = np.ones(weights.size, dtype=np.int64)
    items, visited = np.empty(weights.size, dtype=np.int64), 0
    for p in range(weights.size - 1, -1, -1):
        if parent[p] != NOWHERE:
            size[parent[p]] += size[p]
        reach, whole = threshold * groups[p], 0.0
        visited += size[p]
        for q in range(p, p + size[p]):  # a subtree is contiguous
            items[q - p] = q
            whole += copies[q] * weights[q]
        if whole <= reach:
            weights[p : p + size[p]] = 0.0
            continue
        total, width, first, stop = 0.0, 0.0, 0, size[p]  # items first..stop-1 are undecided
        while first < stop:
            visited += stop - first
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
    return visited
