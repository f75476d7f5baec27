"""Proximal steps: the paper's figure, group by group, by a solver, and as printed."""

import numpy as np
import pytest
from dense_log_linear import naive_step
from inputs import exactly

from condprob.methods.structured.problem import Forest
from condprob.methods.structured.proximal import (
    PENALTY_KINDS,
    Work,
    bounded_step,
    largest_share,
    proximal_step,
)
from reproduction.studies.structured.pivots import step_by_pivots
from reproduction.studies.structured.work import step_by_heaps

TREES = ("tree2", "treeinf")


def forest_of(parent, copies=None, groups=None):
    """A forest with its own weights; ``groups`` are all copies by default."""
    parent = np.array(parent)
    copies = np.ones(parent.size) if copies is None else np.array(copies, dtype=float)
    groups = copies if groups is None else np.array(groups, dtype=float)
    start = np.arange(parent.size + 1)
    return Forest(start, parent, copies, np.ones(parent.size), groups)


def draw_forest(rng, most=30):
    """A random forest with random weights of groups: parents first, subtrees contiguous."""
    parent, way = [], []
    for node in range(rng.integers(1, most)):
        way = way[: rng.integers(0, len(way) + 1)]
        parent.append(way[-1] if way else -1)
        way.append(node)
    return forest_of(parent, groups=rng.uniform(0.2, 2, len(parent)))


def members(parent):
    """Which nodes are below each, itself among them."""
    below = np.eye(len(parent), dtype=bool)
    for node in range(len(parent) - 1, -1, -1):
        if parent[node] >= 0:
            below[parent[node]] |= below[node]
    return below


# Figure 1(a): 3 -> 4 -> {6 -> 6 -> {4, 5}, 7 -> 7}, and collapsed as in 1(b).
TRIE = forest_of([-1, 0, 1, 2, 3, 3, 1, 6])
TREE = forest_of([-1, 0, 1, 2, 2, 1], copies=[1, 1, 2, 1, 1, 2])
FIGURE = np.array([3.0, 4, 6, 6, 4, 5, 7, 7])


def test_figure_1d_exactly():
    found = proximal_step("treeinf", TRIE, FIGURE, 0.8)
    np.testing.assert_allclose(found, [3, 4, 5.2, 5.2, 3.2, 4.2, 5.4, 5.4], rtol=0, atol=1e-12)
    collapsed = proximal_step("treeinf", TREE, FIGURE[[0, 1, 2, 4, 5, 6]], 0.8)
    np.testing.assert_allclose(collapsed, [3, 4, 5.2, 3.2, 4.2, 5.4], rtol=0, atol=1e-12)


def test_figure_1c_as_far_as_its_print_is_legible():
    found = proximal_step("tree2", TRIE, FIGURE, 0.8).round(1)
    assert {2.8, 3.5, 4.8, 3.0, 5.6} <= set(found.tolist())


@pytest.mark.parametrize("kind", PENALTY_KINDS)
def test_steps_are_those_of_the_groups_one_after_another(kind):
    rng = np.random.default_rng(1)
    for _ in range(60):
        forest = draw_forest(rng)
        weights = np.round(rng.normal(1, 2, forest.parent.size), rng.integers(0, 4))
        threshold = rng.choice([0.0, 0.1, 0.7, 3.0])
        found = proximal_step(kind, forest, weights, threshold)
        expected = naive_step(kind, members(forest.parent), forest.groups, weights, threshold)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_the_bounded_step_minimises_squares_that_bound_the_norms():
    """By the formula: the penalty's bound is met where it starts, and is nowhere below it."""
    rng = np.random.default_rng(4)
    for _ in range(30):
        forest = draw_forest(rng)
        size, threshold = forest.parent.size, 0.7
        here, u = rng.uniform(0.1, 2, size), rng.normal(1, 2, size)
        scale, below = rng.uniform(0.5, 3, size), members(forest.parent)
        norms = np.sqrt(below @ here**2)
        weight = threshold * (forest.groups / norms) @ below
        found = u.copy()
        bounded_step(forest, found, here, scale, threshold, Work.of(size))
        np.testing.assert_allclose(found, scale * np.maximum(u, 0) / (scale + weight), rtol=1e-12)
        w = rng.uniform(0, 2, size)
        for point, equal in ((here, True), (w, False)):
            true = forest.groups @ np.sqrt(below @ point**2)
            bound = forest.groups @ (below @ point**2 / norms + norms) / 2
            assert bound == pytest.approx(true) if equal else bound >= true


def test_the_printed_algorithms_agree_with_ours():
    rng = np.random.default_rng(3)
    for trial in range(60):
        plain = draw_forest(rng)
        copies = rng.integers(1, 4, plain.parent.size)
        forest = forest_of(plain.parent, copies, plain.groups)
        weights = np.round(rng.normal(2, 2, copies.size), rng.integers(0, 3))
        threshold = rng.choice([0.0, 0.1, 0.7, 3.0])
        found = proximal_step("treeinf", forest, weights, threshold)
        by_pivots = step_by_pivots(forest, weights, threshold, seed=trial)
        by_heaps, lowered = step_by_heaps(forest, weights, threshold)
        np.testing.assert_allclose(by_pivots, found, rtol=0, atol=1e-12)
        np.testing.assert_allclose(by_heaps, found, rtol=0, atol=1e-12)
        assert (lowered <= members(forest.parent).sum(axis=1)).all()


def chain_and_tree(rng, decay):
    """A random collapsed forest, and the same with every copy a node; the weights of the groups."""
    tree = draw_forest(rng, 12)
    copies = rng.integers(1, 4, tree.parent.size)
    last = np.cumsum(copies) - 1
    parent = np.arange(-1, last[-1])
    parent[last - copies + 1] = np.where(tree.parent < 0, -1, last[tree.parent])
    depth = np.zeros(parent.size)
    for node, upper in enumerate(parent):
        depth[node] = depth[upper] + 1 if upper >= 0 else 0
    groups = decay**depth
    added = np.add.reduceat(groups, last - copies + 1)
    return forest_of(tree.parent, copies, added), forest_of(parent, groups=groups), copies


def differences(decay, trials):
    """How far steps on trees and on tries are apart."""
    rng = np.random.default_rng(4)
    for _ in range(trials):
        tree, trie, copies = chain_and_tree(rng, decay)
        weights = np.round(rng.uniform(0, 4, copies.size), 1)
        threshold = rng.uniform(0.1, 1.5)
        found = np.repeat(proximal_step("treeinf", tree, weights, threshold), copies)
        whole = proximal_step("treeinf", trie, np.repeat(weights, copies), threshold)
        yield abs(found - whole).max()


@pytest.mark.parametrize("decay", [1.0, 0.85, 0.5])
def test_chains_of_equal_weights_stay_equal_and_are_one_step(decay):
    # Propositions 1 and 2, also with weights of the groups that fall with depth.
    assert max(differences(decay, 60)) < 1e-12


def test_with_weights_that_rise_with_depth_they_do_not():
    assert max(differences(1.1, 60)) > 1e-3


def test_the_l2_norm_of_trees_does_not_keep_equal_weights_equal():
    # The last of (6, 6) is shrunk by 0.8 / 6 alone, to 5.2; then both by 0.8 / |(6, 5.2)|.
    factor = 1 - 0.8 / np.hypot(6, 5.2)
    found = proximal_step("tree2", forest_of([-1, 0]), np.array([6.0, 6.0]), 0.8)
    np.testing.assert_allclose(found, [6 * factor, 5.2 * factor])
    with pytest.raises(
        ValueError,
        match=exactly("tree2 requires the suffix trie: its step changes equal weights differently"),
    ):
        proximal_step("tree2", TREE, np.ones(6), 0.1)


@pytest.mark.parametrize("kind", ["l1", *TREES])
def test_the_largest_share_is_where_the_step_begins_to_leave_something(kind):
    rng = np.random.default_rng(5)
    for _ in range(30):
        forest = draw_forest(rng)
        slopes = rng.uniform(0, 2, forest.parent.size)
        code, work = PENALTY_KINDS.index(kind), Work.of(slopes.size)
        share = largest_share(code, forest, slopes, 0.5, work)
        assert 0 < share <= 1
        assert not proximal_step(kind, forest, (1 - 1e-9) * share * slopes, 0.5).any()
        if share < 0.999:
            assert proximal_step(kind, forest, 1.001 * share * slopes, 0.5).any()
