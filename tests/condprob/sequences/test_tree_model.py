"""From a history to its longest known context, by comparing it with every context of the text."""

import numpy as np
import pytest

from condprob import Sentences
from condprob.models.structured.problem import places_of_sentences
from condprob.sequences.sentences import NOTHING, as_histories
from condprob.sequences.suffixes import build_contexts, sort_histories
from condprob.sequences.tree_model import Contexts, edges_of, walk

K = 4
RNG = np.random.default_rng(6)
LISTS = [RNG.choice(3, length, p=[0.6, 0.3, 0.1]).tolist() for length in (40, 1, 9)]


@pytest.mark.parametrize("collapse", [False, True])
@pytest.mark.parametrize("order", [2, 3, 6])
def test_a_walk_ends_at_the_longest_context_that_was_seen(order, collapse):
    places = places_of_sentences(Sentences.from_lists(LISTS, K), order)
    tree = build_contexts(places, sort_histories(places), collapse)
    ends, nothing = places.ends[tree.place], np.zeros(tree.depth.size)
    contexts = Contexts(tree.parent, tree.depth, ends, nothing, np.zeros(tree.depth.size + 1, int))
    # More than any number of a word: those of texts may have a start of their own beyond K.
    edges = edges_of(contexts, places.text, int(places.text.max()) + 2)
    seen = set()
    for end, length in zip(places.ends, places.lengths, strict=True):
        words = tuple(places.text[end - length : end].tolist())
        seen |= {words[len(words) - n :] for n in range(len(words) + 1)}
    for _ in range(300):
        history = tuple(RNG.choice(K, RNG.integers(0, order), p=[0.5, 0.3, 0.15, 0.05]).tolist())
        (given,) = as_histories([history], order, K)
        assert (given[: order - 1 - len(history)] == NOTHING).all()
        longest = max(n for n in range(len(history) + 1) if history[len(history) - n :] in seen)
        node, of_node = walk(edges, contexts, given)
        above = contexts.depth[contexts.parent[node]] if node else 0
        assert above + of_node == longest if node else longest == 0
        end = contexts.ends[node]
        words = places.text[end - longest : end].tolist()
        assert tuple(words) == history[len(history) - longest :]
