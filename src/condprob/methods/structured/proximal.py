"""Proximal steps of the four penalties, in place, for all words at once.

With groups ``g_j``, the weights of the subtree at ``j``, the penalties are

    l1        sum w                     l2        sum w^2 / 2
    tree2     sum_j |g_j|_2             treeinf   sum_j max g_j

and a step minimises ``threshold penalty(w) + sum scale (w - u)^2 / 2`` over ``w >= 0``. Groups are
nested, so that a step is one for each group, children first (Jenatton et al. 2011). Negative
weights become zero first: with these penalties that is exact.

READING: the paper's step for ``l2`` divides by ``1 + kappa``, which makes the penalty half the
square.
"""

import math
from typing import NamedTuple

import numpy as np

from condprob.jit import EXACT, njit
from condprob.methods.structured.heaps import NONE, merge, pop
from condprob.text.suffixes import NOWHERE

PENALTY_KINDS = ("l1", "l2", "tree2", "treeinf")
L1, L2, TREE2, TREEINF = range(4)


class Work(NamedTuple):
    """Arrays in which the steps work, each of shape (weights,)."""

    # `value`, `size`, `level`: items of heaps: how high, of how many copies, and to where they were
    # lowered. Other steps use the first of them for sums below a node, or for a curvature.
    value: np.ndarray
    size: np.ndarray
    level: np.ndarray
    # `heap`, `child`, `sibling`: places in the heaps
    heap: np.ndarray
    child: np.ndarray
    sibling: np.ndarray

    @classmethod
    def of(cls, weights: int) -> "Work":
        """Return arrays for so many weights."""
        floats = (np.zeros(weights) for _ in range(3))
        return cls(*floats, *(np.full(weights, NONE) for _ in range(3)))


def proximal_step(kind: str, forest, weights: np.ndarray, threshold: float) -> np.ndarray:
    """Return the proximal step of a penalty of `PENALTY_KINDS`, with unit scale, shape (weights,).

    The threshold is ``kappa``: the penalty's weight times the step size. Raises ValueError if
    ``tree2`` is asked for on a collapsed tree.
    """
    if kind == "tree2" and (forest.copies > 1).any():
        raise ValueError(
            "tree2 requires the suffix trie: its step changes equal weights differently"
        )
    found = np.array(weights, dtype=float)
    scale = np.ones(found.size)
    step(PENALTY_KINDS.index(kind), forest, found, scale, float(threshold), Work.of(found.size))
    return found


def step(kind, forest, weights, scale, threshold, work):
    """Do the step of a penalty in place; ``kind`` is its place in `PENALTY_KINDS`.

    The scale, shape (weights,), is that of the squared distance, for each copy of a weight;
    ``tree2`` needs one for each word.
    """
    np.maximum(weights, 0.0, out=weights)
    if kind == TREE2:
        step_tree2(forest.parent, forest.groups, weights, scale, threshold, work.value)
    elif kind == TREEINF:
        step_treeinf(forest.parent, forest.copies, forest.groups, weights, scale, threshold, work)
    else:
        step_each(kind == L1, forest.copies, forest.groups, weights, scale, threshold)


@njit(**EXACT)
def step_each(is_l1, copies, groups, weights, scale, threshold):
    """Do the step of ``l1`` or ``l2``, of each weight by itself."""
    for p in range(weights.size):
        reach = threshold * groups[p] / (copies[p] * scale[p])
        if is_l1:
            weights[p] = max(weights[p] - reach, 0.0)
        else:
            weights[p] /= 1.0 + reach


@njit(**EXACT)
def step_tree2(parent, groups, weights, scale, threshold, shrink):
    """Algorithm 2: norms upwards, factors downwards.

    READING: the square that floats at the end of the upward pass belongs to the factor:
    ``gamma = eta^2 gamma``.
    """
    for p in range(shrink.size):
        shrink[p] = 0.0  # first the squared norms of the subtree without its root
    for p in range(weights.size - 1, -1, -1):
        squared = weights[p] * weights[p] + shrink[p]
        norm, reach = math.sqrt(squared), threshold * groups[p] / scale[p]
        shrink[p] = 1.0 - reach / norm if norm > reach else 0.0
        if parent[p] != NOWHERE:
            shrink[parent[p]] += shrink[p] * shrink[p] * squared
    for p in range(weights.size):
        if parent[p] != NOWHERE:
            shrink[p] *= shrink[parent[p]]
        weights[p] *= shrink[p]


def bounded_step(forest, weights, here, scale, threshold, work):
    """Do a step of ``tree2`` in place, its norms replaced by their quadratic bound.

    A norm of a group is at most ``(|g|^2 / |h| + |h|) / 2``, and as much where ``g = h``: so the
    step is one of a sum of squares, and each weight may have its own scale. The bound is met
    ``here``, nowhere negative; groups that are zero there remain zero.
    """
    _bounded_step(forest.parent, forest.groups, weights, here, scale, threshold, work.value)


@njit(**EXACT)
def _bounded_step(parent, groups, weights, here, scale, threshold, curvature):
    for p in range(curvature.size):
        curvature[p] = 0.0  # first the squared norms
    for p in range(weights.size - 1, -1, -1):
        curvature[p] += here[p] * here[p]
        if parent[p] != NOWHERE:
            curvature[parent[p]] += curvature[p]
    for p in range(weights.size):
        norm = math.sqrt(curvature[p])
        curvature[p] = threshold * groups[p] / norm if norm > 0.0 else math.inf
        if parent[p] != NOWHERE:
            curvature[p] += curvature[parent[p]]
        weights[p] = max(weights[p], 0.0) / (1.0 + curvature[p] / scale[p])


@njit(**EXACT)
def step_treeinf(parent, copies, groups, weights, scale, threshold, work):
    """Algorithm 4 with one item for all that was lowered together.

    Each group lowers its largest weights to one level. They stay equal for ever, so that they go
    back to the heap as one item, and every item but the new ones was paid for when it came: about
    one is popped for each node, however many weights are lowered. After the last group of a tree
    none is popped any more: what comes there is a list of heaps, whose level is found without an
    order (`common_level`).
    """
    value, size, level, heap, child, sibling = work
    for p in range(heap.size):
        heap[p] = NONE
    queue = np.empty_like(heap)
    for p in range(weights.size - 1, -1, -1):
        level[p], upper = 0.0, parent[p]
        if weights[p] > 0.0:
            value[p], size[p] = weights[p], copies[p] * scale[p]
            child[p] = sibling[p] = NONE
            if upper == NOWHERE:
                sibling[p], heap[p] = heap[p], p
            else:
                heap[p] = merge(value, child, sibling, heap[p], p)
        top = heap[p]
        if top == NONE:
            continue
        if upper == NOWHERE:
            level[p] = common_level(value, size, child, sibling, top, threshold * groups[p], queue)
            continue
        total, width = -threshold * groups[p], 0.0
        # as long as the next is above the level of those before it
        while top != NONE and (width == 0.0 or value[top] * width > total):
            total += size[top] * value[top]
            width += size[top]
            last = top  # most heaps are of one item: the call would take longer than all else
            top = pop(value, child, sibling, top) if child[top] != NONE else NONE
        if total > 0.0:
            level[p] = total / width
            value[last], size[last] = level[p], width
            child[last] = sibling[last] = NONE
            top = merge(value, child, sibling, top, last)
        if top == NONE:
            continue
        if parent[upper] == NOWHERE:
            sibling[top], heap[upper] = heap[upper], top
        else:
            heap[upper] = merge(value, child, sibling, heap[upper], top)
    for p in range(weights.size):
        if parent[p] != NOWHERE:
            level[p] = min(level[p], level[parent[p]])
        weights[p] = min(weights[p], level[p])


@njit(**EXACT)
def common_level(value, size, child, sibling, top, threshold, queue):
    """Return the level to which all above it come down where they lose ``threshold`` together.

    The items are in heaps, the first top's siblings the others; ``queue``, of as many places,
    is used for work.
    Where all of them lose less than the threshold, the level is zero. The mean of what is still
    above the last mean, less its part of the threshold, rises until nothing leaves (Michelot 1986).
    """
    count, seen, item = 0, 0, top
    total, width = -threshold, 0.0
    while True:
        while item != NONE:
            queue[count] = item
            count += 1
            item = sibling[item]
        if seen == count:
            break
        item = queue[seen]
        seen += 1
        total += size[item] * value[item]
        width += size[item]
        item = child[item]
    if total <= 0.0:
        return 0.0
    while True:
        level, kept = total / width, 0
        total, width = -threshold, 0.0
        for place in range(count):
            item = queue[place]
            if value[item] >= level:
                queue[kept] = item
                kept += 1
                total += size[item] * value[item]
                width += size[item]
        if kept == count or kept == 0:  # none by rounding alone
            return level
        count = kept


def value_of(kind, forest, weights, work):
    """Return the penalty of weights that are nowhere negative; see `step`."""
    return _value_of(kind, forest.parent, forest.groups, weights, work.value)


@njit(**EXACT)
def _value_of(kind, parent, groups, weights, below):
    total = 0.0
    for p in range(below.size):
        below[p] = 0.0
    for p in range(weights.size - 1, -1, -1):
        w = weights[p]
        if kind == L1:
            total += groups[p] * w
        elif kind == L2:
            total += groups[p] * w * w / 2
        else:
            if kind == TREE2:
                below[p] += w * w
                total += groups[p] * math.sqrt(below[p])
            else:
                below[p] = max(below[p], w)
                total += groups[p] * below[p]
            if parent[p] != NOWHERE:
                upper = parent[p]
                below[upper] = (
                    below[upper] + below[p] if kind == TREE2 else max(below[upper], below[p])
                )
    return total


def largest_share(kind, forest, slopes, threshold, work):
    """Return the largest share of ``slopes``, at most one, whose proximal step is zero.

    That is where ``share slopes`` lies in the unit ball of the norm dual to the penalty, times
    ``threshold``: not of ``l2``, which has no such ball. The slopes, for each copy of a weight, are
    nowhere negative. What is left of a tree after its groups is a convex function of the share:
    Newton's method meets its zero from above.
    """
    arrays = forest.parent, forest.copies, forest.groups, slopes, work.value, work.size
    return _largest_share(kind, *arrays, threshold)


@njit(**EXACT)
def _largest_share(kind, parent, copies, groups, slopes, left, change, threshold):
    share = 1.0
    if kind == L1:
        for p in range(slopes.size):
            reach = threshold * groups[p] / copies[p]
            if slopes[p] * share > reach:
                share = reach / slopes[p]
        return share
    stop = slopes.size
    for root in range(slopes.size - 1, -1, -1):
        if parent[root] != NOWHERE:
            continue
        for _ in range(100):
            tree = kind == TREE2, root, stop
            _what_is_left(*tree, parent, copies, groups, slopes, left, change, threshold, share)
            if left[root] <= 1e-13 * threshold:
                break
            share -= left[root] / change[root]
        stop = root
    return share * (1.0 - 1e-12)


@njit(**EXACT)
def _what_is_left(
    is_tree2, start, stop, parent, copies, groups, slopes, left, change, threshold, share
):
    """Fill in the dual norm of the rest of each subtree, and its derivative by ``share``.

    Every group subtracts its threshold, for the l1-norm as for the l2-norm.
    """
    for p in range(start, stop):  # tree2: first the sums of squares, and half their derivatives
        left[p] = change[p] = 0.0
    for p in range(stop - 1, start - 1, -1):
        u, reach, upper = slopes[p], threshold * groups[p], parent[p]
        if is_tree2:
            norm = math.sqrt(left[p] + share * share * u * u)
            rate = (change[p] + share * u * u) / norm if norm > 0.0 else 0.0
        else:
            norm = left[p] + copies[p] * share * u
            rate = change[p] + copies[p] * u
        left[p] = change[p] = 0.0
        if norm > reach:
            left[p], change[p] = norm - reach, rate
            if p > start and is_tree2:
                left[upper] += left[p] * left[p]
                change[upper] += left[p] * change[p]
            elif p > start:
                left[upper] += left[p]
                change[upper] += change[p]
