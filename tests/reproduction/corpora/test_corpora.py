"""Corpora at hand: their words, splits, receipts and blocks; sizes and Table 1 of the real ones."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from own_config import own_config

from condprob import CountMatrix, cross_entropy, method
from reproduction.corpora.blocks import number_sentences, read_block, save_block
from reproduction.corpora.corpus import load_corpus, number_words, word_pairs
from reproduction.corpora.errors import CorpusError
from reproduction.corpora.receipts import (
    ReceiptError,
    left_out,
    read_receipts,
    write_receipt,
)
from reproduction.corpora.sources import TARTUFFE, is_at_hand, read_source, search_path

TEXT = "b a b c a d c b"
FILE = {"source": "file", "tokenizer": "whitespace", "train": 3, "test": 2}


@pytest.fixture
def text_entry(tmp_path):
    """An entry for a made-up text of eight words, with whatever is to differ."""

    def build(text=TEXT, **changes):
        path = tmp_path / "mine.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return FILE | {"path": str(path)} | changes

    return build


def test_words_are_numbered_in_order_of_appearance(text_entry):
    corpus = load_corpus("mine", text_entry())
    assert corpus.ids.tolist() == [0, 1, 0, 2, 1, 3, 2, 0]
    assert corpus.k == 4
    assert corpus.train.tolist() == [0, 1, 0]
    assert corpus.test.tolist() == [2, 1]
    with pytest.raises(ValueError, match="read-only"):
        corpus.train[0] = 1


@pytest.mark.parametrize(
    ("text", "changes", "ids", "train", "test"),
    [
        # Half is the first half, and the rest.
        ("a b c d e", {"train": "half", "test": "half"}, [0, 1, 2, 3, 4], [0, 1], [2, 3, 4]),
        # A limit cuts the text; d comes only after the split.
        (
            TEXT,
            {"words": 6, "train": "half", "test": "half"},
            [0, 1, 0, 2, 1, 3],
            [0, 1, 0],
            [2, 1, 3],
        ),
        (TEXT, {"vocabulary": "split"}, [0, 1, 0, 2, 1], [0, 1, 0], [2, 1]),
    ],
)
def test_entries_say_which_words_are_read_and_how_they_are_split(
    text_entry, text, changes, ids, train, test
):
    corpus = load_corpus("mine", text_entry(text, **changes))
    assert [part.tolist() for part in (corpus.ids, corpus.train, corpus.test)] == [ids, train, test]
    assert corpus.k == 1 + max(ids)


def test_learning_curves_split_next_or_last(text_entry):
    corpus = load_corpus("mine", text_entry())
    train, test = corpus.split(2)
    assert (train.tolist(), test.tolist()) == ([0, 1], [0, 2])
    train, test = corpus.split(4, "last", 3)
    assert (train.tolist(), test.tolist()) == ([0, 1, 0, 2], [3, 2, 0])
    train, test = corpus.split(5, test="last", test_words=3)
    assert np.array_equal(np.concatenate([train, test]), corpus.ids)


def test_receipt_holds_sizes_and_hashes_only(text_entry):
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    assert load_corpus("mine", text_entry()).receipt == {
        "source": "file",
        "sha256": digest,
        "content_sha256": digest,
        "check": "not pinned",
        "tokenizer": "whitespace",
        "words": 8,
        "types": 4,
        "train_words": 3,
        "test_words": 2,
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(text_entry, encoding):
    # utf-8-sig puts a mark first, as some editors do: it is no part of the first word.
    entry = text_entry("été là été là là".encode(encoding), encoding=encoding)
    if encoding == "utf-8-sig":
        entry["encoding"] = "utf-8"
    assert load_corpus("mine", entry).ids.tolist() == [0, 1, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "changes", "message"),
    [
        ("a b c", {}, r"train \+ test = 3 \+ 2 = 5 words, but the text has 3"),
        ("a b c d e", {"train": 1}, "train: 1 word, but a pair takes 2"),
        ("a b c d e", {"test": 0}, "test: 0 words"),
        ("a b c d e", {"words": 6}, "words: 6, but the text has 5"),
        (b"abc \xe9t", {}, r"byte 4 \(0xe9\) is not utf-8"),
        ("a b", {"encoding": "utf-88"}, "unknown encoding: 'utf-88'"),
        ("a b", {"path": "no/such.txt"}, r"cannot read no/such.txt: No such file"),
        ("a b", {"tokenizer": "words"}, "tokenizer 'words' is not one of whitespace, letters"),
        ("a b", {"vocabulary": "all"}, "vocabulary 'all' is not one of text, split"),
    ],
)
def test_bad_entries_are_refused_in_one_line(text_entry, text, changes, message):
    with pytest.raises(CorpusError, match=message) as raised:
        load_corpus("mine", text_entry(text, **changes))
    assert str(raised.value).startswith("corpus 'mine': ")
    assert "\n" not in str(raised.value)


def test_learning_curve_longer_than_the_text(text_entry):
    corpus = load_corpus("mine", text_entry())
    with pytest.raises(CorpusError, match=r"5 \+ 5 = 10 words, but the text has 8"):
        corpus.split(5)
    with pytest.raises(CorpusError, match="test 'first' is not one of next, last"):
        corpus.split(3, test="first")


def test_pydoc_is_in_order_of_its_topics(monkeypatch):
    monkeypatch.setattr("pydoc_data.topics.topics", {"if": "c d c", "and": "a b"})
    entry = {"source": "python", "tokenizer": "letters", "train": "half", "test": "half"}
    corpus = load_corpus("pydoc", entry)
    assert corpus.ids.tolist() == [0, 1, 2, 3, 2]  # a b c d c
    assert corpus.receipt["sha256"] == hashlib.sha256(b"a b\nc d c").hexdigest()


def test_pydoc_is_always_there():
    entry = {"source": "python", "tokenizer": "letters", "train": "half", "test": "half"}
    corpus = load_corpus("pydoc", entry, search=[])
    assert corpus.receipt["source"] == "python"
    assert corpus.receipt["python"].startswith("3.")
    assert 50_000 < len(corpus.ids) < 100_000
    assert load_corpus("pydoc", entry).receipt == corpus.receipt


# The real corpora, where they are at hand: sizes, and the paper's Table 1 for the three methods
# that leave nothing open once the words are known.

CORPORA = own_config("config.yaml")["corpora"]
GENESIS, BROWN, TARTUFFE_ENTRY = (CORPORA[name] for name in ("genesis", "brown", "tartuffe"))
DOWNLOADS = Path(__file__).parents[3] / ".nltk_data"  # where the workflow puts them


def at_hand(*copies):
    """Skip the parameter's test unless a folder of the search path holds one of the copies."""
    folders = [*search_path(), DOWNLOADS]
    found = any(Path(folder, copy).exists() for folder in folders for copy in copies)
    reason = f"no {' or '.join(copies)} on NLTK's search path (NLTK_DATA) or in {DOWNLOADS.name}"
    return pytest.mark.skipif(not found, reason=reason)


genesis_at_hand = at_hand("corpora/genesis.zip", "corpora/genesis/english-kjv.txt")
brown_at_hand = at_hand("corpora/brown.zip", "corpora/brown/ca01")
tartuffe_at_hand = at_hand(TARTUFFE)


@pytest.mark.parametrize(
    ("name", "entry", "words", "k", "pairs"),
    [
        pytest.param("genesis", GENESIS, 38240, 4408, (18999, 18999), marks=genesis_at_hand),
        pytest.param("brown", BROWN, 40000, 10452, (19999, 19999), marks=brown_at_hand),
        pytest.param("tartuffe", TARTUFFE_ENTRY, 18083, 2817, (9040, 9041), marks=tartuffe_at_hand),
    ],
)
def test_sizes_of_the_paper_corpora(name, entry, words, k, pairs):
    corpus = load_corpus(name, entry, downloads=DOWNLOADS)
    assert (len(corpus.ids), corpus.k) == (words, k)
    assert tuple(len(word_pairs(part)[0]) for part in (corpus.train, corpus.test)) == pairs
    assert corpus.receipt["check"] == "as pinned"


@pytest.mark.parametrize(
    ("name", "entry", "expected"),
    [
        # Genesis and Brown: the paper's Table 1 itself. Tartuffe: the authors' edition is unknown,
        # these are the values of DraCor's (the paper has 7.1808, 6.268 and 6.0426).
        pytest.param("genesis", GENESIS, (7.3039, 6.041, 5.9058), marks=genesis_at_hand),
        pytest.param("brown", BROWN, (8.847, 7.9819, 7.973), marks=brown_at_hand),
        pytest.param("tartuffe", TARTUFFE_ENTRY, (7.2021, 6.2895, 6.0814), marks=tartuffe_at_hand),
    ],
)
def test_direct_methods_reproduce_table_1(name, entry, expected):
    corpus = load_corpus(name, entry, downloads=DOWNLOADS)
    train, test = (
        CountMatrix.from_pairs(*word_pairs(part), corpus.k) for part in (corpus.train, corpus.test)
    )
    found = [cross_entropy(test, method(id).fit(train)) for id in ("add-half", "ad", "sb")]
    assert found == pytest.approx(expected, abs=0.001)


@brown_at_hand
def test_brown_has_the_words_of_nltk(monkeypatch):
    import nltk

    monkeypatch.setattr(nltk.data, "path", [*search_path(), str(DOWNLOADS)])
    words = " ".join(read_source("brown", BROWN, downloads=DOWNLOADS).texts()).split()
    assert words[:40000] == list(nltk.corpus.brown.words()[:40000])


def test_a_folder_of_which_the_system_tells_nothing_holds_no_copy():
    """Such as one in NLTK_DATA that may not be looked into; the config is read all the same."""
    entry = {"source": "nltk", "package": "genesis"}
    assert is_at_hand(entry, ["too-long" * 1000]) is False


def test_receipts_are_read_as_they_were_written(tmp_path):
    write_receipt(tmp_path / "a.json", {"words": 7, "source": "réseau"})
    receipts = read_receipts([str(tmp_path / "a.json")])
    assert receipts == {"a": {"words": 7, "source": "réseau"}}
    assert left_out(receipts | {"b": {"reason": "no network"}}) == {"b": "no network"}


BROKEN = [b"", b'{"words": ', b"null", b"\xff\xfe", b"[" * 100_000]


@pytest.mark.parametrize("content", BROKEN)
def test_half_a_receipt_is_refused_with_what_to_do(tmp_path, content):
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(ReceiptError, match=r"a\.json is not the receipt of a corpus: remove it"):
        read_receipts([tmp_path / "a.json"])


TRAIN, TEST = [["a", "b", "a"], ["b", "c"]], [["c", "a", "d"]]


def test_rare_and_new_words_are_the_first_word():
    train, test = number_sentences(TRAIN, TEST, 2)
    assert train.words.tolist() == [1, 2, 1, 2, 0]
    assert (test.words.tolist(), test.k) == ([0, 1, 0], 3)


@pytest.mark.parametrize("count", [2, 3])
def test_blocks_come_back(count, tmp_path):
    parts = [*number_sentences(TRAIN, TEST, 2), number_sentences(TRAIN, TRAIN, 2)[1]][:count]
    save_block(tmp_path / "block.npz", parts)
    for before, after in zip(parts, read_block(tmp_path / "block.npz"), strict=True):
        assert before.k == after.k
        np.testing.assert_array_equal(before.words, after.words)
        np.testing.assert_array_equal(before.starts, after.starts)


def test_words_as_numbers():
    numbers, types = number_words(["a", "rose", "is", "a", "rose"])
    assert (numbers.tolist(), types) == ([0, 1, 2, 0, 1], 3)
    with pytest.raises(ValueError, match="read-only"):
        numbers[0] = 5
    assert number_words([])[1] == 0
    assert number_words([])[0].dtype == np.int64
