"""The second paper's own example and propositions, and the work of its steps."""

import numpy as np
import pandas as pd

from condprob import Sentences
from reproduction.studies.structured import work
from reproduction.studies.structured.checks import check_theory
from reproduction.verdicts.cases import COLUMNS


def test_the_worked_example_and_the_propositions():
    cases = pd.DataFrame(check_theory(0))
    assert set(cases.columns) == set(COLUMNS)
    held = cases.groupby("check")["holds"].all()
    assert held[["t1", "t2", "t3", "t3-falling", "t4"]].all()
    assert not held["t3-rising"]


def test_work_is_counted_on_trie_and_tree_of_each_order_and_size():
    words = np.random.default_rng(3).integers(0, 4, 120)
    text = Sentences.from_lists(np.split(words, 12), 4)
    rows = pd.DataFrame(work.count_work("x", text, (2, 3), (60, 500), penalty=1))
    assert list(rows.columns) == work.WORK_COLUMNS
    places = rows[["order", "words", "structure"]].to_numpy().tolist()
    assert places == [
        [order, words, structure]  # a size beyond the text is left out
        for order, words in ((2, 120), (3, 120), (3, 60))
        for structure in ("tree", "trie")
    ]
    # Each node of a forest is in its own subtree at least; a heap pops no more than all below.
    assert (rows["pivots"] >= rows["weights"]).all()
    assert (rows["heaps"] <= rows["pivots"]).all()
    pairs = rows.pivot(index=["order", "words"], columns="structure", values="weights")
    assert (pairs["tree"] <= pairs["trie"]).all()


def test_a_part_of_a_text_has_the_words_that_are_frequent_in_it():
    text = Sentences.from_lists([[1, 1, 2], [2, 1, 3], [3, 3, 3]], 4)
    part = work.shorten(text, words=6, least=2)
    assert (part.k, part.words.tolist()) == (3, [1, 1, 2, 2, 1, 0])
