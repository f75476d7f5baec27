"""Contexts and pairs of a text: the trie by definition, the tree against the trie."""

import numpy as np
import pytest
from dense_log_linear import contexts_of

from condprob import CountMatrix, Sentences
from condprob.models.structured.problem import (
    Weighting,
    build_problem,
    can_collapse,
    places_of_counts,
    places_of_sentences,
)
from condprob.sequences.suffixes import build_contexts, sort_histories

RNG = np.random.default_rng(3)
LISTS = [RNG.choice(5, length, p=[0.5, 0.2, 0.15, 0.1, 0.05]).tolist() for length in (14, 1, 0, 25)]
LISTS += [[6, 5, 0, 1, 2], [6, 5, 0, 1, 2]]
TEXT = Sentences.from_lists(LISTS, k=8)
orders = pytest.mark.parametrize("order", [1, 2, 3, 6, 40])


def words_of(places, tree, node, length):
    """The words of a node's context of so many words, the nearest last."""
    end = places.ends[tree.place[node]]
    return tuple(int(word) for word in places.text[end - length : end])


def all_contexts(places, tree):
    """Every context with its node."""
    found = {}
    for node, (depth, copies) in enumerate(zip(tree.depth, tree.copies, strict=True)):
        for length in range(depth - copies + 1, depth + 1):
            assert words_of(places, tree, node, length) not in found
            found[words_of(places, tree, node, length)] = node
    return found


@pytest.mark.parametrize("collapse", [False, True])
@orders
def test_the_contexts_are_all_suffixes_of_all_histories(order, collapse):
    places = places_of_sentences(TEXT, order)
    tree = build_contexts(places, sort_histories(places), collapse)
    histories, contexts = contexts_of(LISTS, order)
    found = all_contexts(places, tree)
    assert set(found) == set(contexts)
    assert [found[history] for history in histories] == tree.leaf.tolist()
    for context, node in found.items():
        if context:
            shorter = found[context[1:]]
            assert shorter in (node, tree.parent[node])
            assert shorter == node or shorter < node
    assert (tree.copies == 1).all() or collapse


@orders
def test_a_node_of_the_tree_is_what_occurs_at_the_same_places(order):
    places = places_of_sentences(TEXT, order)
    tree = build_contexts(places, sort_histories(places), collapse=True)
    histories, contexts = contexts_of(LISTS, order)
    occurs = {
        c: frozenset(i for i, h in enumerate(histories) if h[len(h) - len(c) :] == c)
        for c in contexts
    }
    nodes = all_contexts(places, tree)
    for context in contexts:
        if len(context) > 1:
            together = occurs[context] == occurs[context[1:]]
            assert (nodes[context] == nodes[context[1:]]) == together, context
    assert tree.parent.size <= 2 * TEXT.n + 1


@pytest.mark.parametrize("collapse", [False, True])
@orders
def test_the_pairs_are_what_was_seen_and_how_often(order, collapse):
    places = places_of_sentences(TEXT, order)
    problem, tree = build_problem(places, TEXT.words, TEXT.k, collapse)
    histories, _ = contexts_of(LISTS, order)
    expected = {}
    for history, word in zip(histories, TEXT.words, strict=True):
        for d in range(len(history) + 1):
            pair = history[len(history) - d :], int(word)
            expected[pair] = expected.get(pair, 0) + 1
    pairs, forest, found = problem.pairs, problem.forest, {}
    for p, node in enumerate(pairs.context):
        copies = tree.copies[node]
        for length in range(tree.depth[node] - copies + 1, tree.depth[node] + 1):
            found[words_of(places, tree, node, length), int(pairs.outcome[p])] = pairs.counts[p]
        assert forest.copies[forest.start[p] : forest.start[p + 1]].sum() == copies
    assert found == expected
    assert problem.n == pairs.own.sum() == problem.own.sum() == TEXT.n
    weights = len(expected) if not collapse else pairs.parent.size
    assert forest.parent.size == weights


def test_each_weight_has_the_depth_of_its_context_and_the_parent_one_word_shorter():
    places = places_of_sentences(TEXT, 6)
    problem, _ = build_problem(places, TEXT.words, TEXT.k, False, Weighting(0.5, "features"))
    forest = problem.forest
    depth = np.round(-np.log2(forest.features)).astype(int)
    roots = forest.parent < 0
    assert (depth[roots] == 0).all()
    assert (depth[~roots] == depth[forest.parent[~roots]] + 1).all()
    assert (forest.parent < np.arange(depth.size)).all()
    assert (forest.groups == 1).all()


def test_group_weights_of_a_collapsed_node_add_up():
    places = places_of_sentences(TEXT, 6)
    whole, _ = build_problem(places, TEXT.words, TEXT.k, False, Weighting(0.7, "penalty"))
    tree, _ = build_problem(places, TEXT.words, TEXT.k, True, Weighting(0.7, "penalty"))
    of_pairs = np.add.reduceat(whole.forest.groups, whole.forest.start[:-1])
    np.testing.assert_allclose(tree.forest.groups, of_pairs)
    assert (tree.forest.features == 1).all()


def test_counts_are_pairs_with_weights():
    C = np.array([[2.5, 0, 1], [0, 0, 0], [0, 3, 0]])
    counts = CountMatrix.from_dense(C)
    places = places_of_counts(counts, 2)
    problem, _ = build_problem(places, counts.outcomes, 3, True, weights=counts.values)
    root = problem.pairs.parent < 0
    np.testing.assert_allclose(problem.pairs.counts[root], [2.5, 3, 1])
    np.testing.assert_allclose(sorted(problem.pairs.counts[~root]), [1, 2.5, 3])
    none, _ = build_problem(places_of_counts(counts, 1), counts.outcomes, 3, True)
    assert none.own.size == 1


def test_an_empty_text_has_the_empty_context_alone():
    empty = Sentences.from_lists([[], []], k=3)
    problem, _ = build_problem(places_of_sentences(empty, 4), empty.words, 3, True)
    assert (problem.own.tolist(), problem.pairs.parent.size, problem.n) == ([0.0], 0, 0.0)


def test_which_penalties_can_share_weights():
    plain, falling, rising = Weighting(), Weighting(0.9, "penalty"), Weighting(1.1, "penalty")
    assert [can_collapse(kind, plain) for kind in ("l1", "l2", "tree2", "treeinf")] == [
        True, True, False, True,
    ]  # fmt: skip
    assert can_collapse("treeinf", falling)
    assert not can_collapse("treeinf", rising)
    assert not can_collapse("treeinf", Weighting(0.9, "features"))
    assert not can_collapse("l1", falling)
