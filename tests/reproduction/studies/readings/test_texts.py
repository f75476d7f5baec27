"""How a text is cut into words and sentences, split, and which of its words count."""

from types import SimpleNamespace

import numpy as np
import pytest
from made_up_corpora import DRACOR, PLAY, put

from reproduction.corpora.corpus import load_corpus, number_words
from reproduction.corpora.sources import read_source
from reproduction.studies.readings.texts import (
    TOKENIZER_READINGS,
    choose_words,
    read_sentences,
    read_text,
    split_pairs,
    split_sizes,
)


def a_file(tmp_path, text):
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    return {"source": "file", "path": str(path), "tokenizer": "letters", "train": 4, "test": 4}


def source_of(*contents):
    return SimpleNamespace(contents=contents, texts=lambda: contents, to_text=str)


def test_sentences_end_at_full_stops_and_number_on_through_files():
    source = source_of('One two. "Three four?" Five\nsix', "Seven! Eight")
    words, sentences = read_sentences(source, {"source": "file"}, "letters", 100)
    assert words == ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert [sentences.tolist().index(s) for s in np.unique(sentences)] == [0, 2, 4, 6, 7]


def test_lines_of_verse_are_sentences(tmp_path):
    put(tmp_path, "corpora/tartuffe/moliere-tartuffe.xml", PLAY)
    words, sentences = read_sentences(
        read_source("play", DRACOR, search=[tmp_path]), DRACOR, "letters", 100
    )
    # "So glad é" / "And" / "you?", as in tests/made_up_corpora.py
    assert sentences.tolist() == [0, 0, 0, 1, 2]
    assert len(words) == 5
    verse = source_of("a\u2028b\nc")  # a line separator of Unicode ends no line
    assert read_sentences(verse, DRACOR, "letters", 100)[1].tolist() == [0, 0, 1]


def test_words_are_those_of_the_corpus_itself(tmp_path):
    entry = a_file(tmp_path, "A b. C d e! F g h? I j.")
    words, _ = read_sentences(read_source("mine", entry), entry, "letters", 100)
    np.testing.assert_array_equal(number_words(words)[0], load_corpus("mine", entry).ids)


def test_a_limit_cuts_words_and_sentences():
    words, sentences = read_sentences(source_of("a b. c d."), {"source": "file"}, "whitespace", 3)
    assert (words, sentences.tolist()) == (["a", "b.", "c"], [0, 0, 1])


def test_further_tokenizers():
    assert TOKENIZER_READINGS["whitespace-lower"]("A, b") == ["a,", "b"]
    assert TOKENIZER_READINGS["letters-plain"]("Éa l'ô") == ["ea", "l", "o"]


def test_sizes_are_the_entrys_for_its_own_tokenizer_and_halves_for_others():
    entry = {"tokenizer": "letters", "train": 4, "test": 3}
    assert split_sizes(entry, "letters", 11) == (4, 3)
    assert split_sizes(entry, "whitespace", 11) == (5, 6)
    assert split_sizes(entry, "letters", 6) == (3, 3)  # too short for them
    assert split_sizes(entry | {"train": "half", "test": "half"}, "letters", 11) == (5, 6)


def test_halves_have_no_pair_across():
    train, test = split_pairs(np.arange(6), np.zeros(6, int), "halves", 3, 3, 0)
    assert np.transpose(train).tolist() == [[0, 1], [1, 2]]
    assert np.transpose(test).tolist() == [[3, 4], [4, 5]]


@pytest.mark.parametrize("split", ["pairs", "sentences"])
def test_random_splits_share_out_every_pair_once(split):
    sentences = np.arange(100) // 5
    train, test = split_pairs(np.arange(100), sentences, split, 50, 50, 3)
    pairs = np.concatenate([np.transpose(train), np.transpose(test)])
    assert sorted(pairs.tolist()) == [[i, i + 1] for i in range(99)]
    assert 44 <= len(train[0]) <= 49
    if split == "sentences":  # each outcome, word 1 and on, lies in sentence word // 5
        assert not set(train[1] // 5) & set(test[1] // 5)
        assert len(set(train[1] // 5)) > 1
        assert sorted(train[1]) != list(range(1, len(train[1]) + 1))  # not just the first ones
    else:
        assert set(train[1] // 5) & set(test[1] // 5)


def test_vocabulary_of_the_training_pairs():
    train, test = ((1, 4), (4, 1)), ((1, 2, 4), (4, 4, 3))  # pairs 1 4, 4 1 / 1 4, 2 4, 4 3
    train, test = (tuple(map(np.array, pairs)) for pairs in (train, test))
    cut_train, cut_test, kept = choose_words(train, test, 5, "train")
    assert kept.tolist() == [1, 4]
    assert np.transpose(cut_train).tolist() == [[0, 1], [1, 0]]
    assert np.transpose(cut_test).tolist() == [[0, 1]]  # 2 and 3 were not in training
    assert choose_words(train, test, 5, "text")[2].tolist() == [0, 1, 2, 3, 4]


def test_a_corpus_is_read_as_a_job_is_told(tmp_path):
    entry = a_file(tmp_path, "A b. C d e! F g h? I j.")
    own = read_text("mine", "letters", entry, 7)
    assert (own.words, own.sizes) == (list("abcdefg"), (3, 4))  # too short for 4 and 4
    assert own.sentences.tolist() == [0, 0, 1, 1, 1, 2, 2]
    other = read_text("mine", "whitespace", entry, 7)
    assert (other.words[-1], other.sizes) == ("g", (3, 4))
    whole = read_text("mine", "letters", entry, 100)
    assert (len(whole.words), whole.sizes) == (10, (4, 4))
