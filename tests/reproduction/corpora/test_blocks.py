"""Blocks of sentences: their words by number, in memory and in files."""

import numpy as np
import pytest

from reproduction.corpora.blocks import list_words, number_sentences, read_block, save_block

TRAIN, TEST = [["a", "b", "a"], ["b", "c"]], [["c", "a", "d"]]


def test_rare_and_new_words_are_the_first_word():
    train, test = number_sentences(TRAIN, TEST, 2)
    assert train.words.tolist() == [1, 2, 1, 2, 0]
    assert (test.words.tolist(), test.k) == ([0, 1, 0], 3)
    assert list_words(TRAIN, 2)[1:] == ["a", "b"]


@pytest.mark.parametrize("count", [2, 3])
def test_blocks_come_back(count, tmp_path):
    parts = [*number_sentences(TRAIN, TEST, 2), number_sentences(TRAIN, TRAIN, 2)[1]][:count]
    save_block(tmp_path / "block.npz", parts)
    for before, after in zip(parts, read_block(tmp_path / "block.npz"), strict=True):
        assert before.k == after.k
        np.testing.assert_array_equal(before.words, after.words)
        np.testing.assert_array_equal(before.starts, after.starts)


def test_a_missing_text_leaves_nothing(tmp_path):
    save_block(tmp_path / "block.npz", None)
    train, test = read_block(tmp_path / "block.npz")
    assert (train.n, test.n) == (0, 0)
