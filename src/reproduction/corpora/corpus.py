"""Corpora: from a text to word numbers, split into training and test words.

The paper does not say how it cuts and splits its texts: each corpus is an entry of config.yaml.
"""

import platform
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np

from condprob.checks import counted
from condprob.vocabulary import Vocabulary
from reproduction.corpora.errors import CorpusError
from reproduction.corpora.sources import read_source
from reproduction.corpora.words import TOKENIZERS

VOCABULARIES = ("text", "split")


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text as word numbers, and its split."""

    name: str  # the corpus's name in config.yaml
    # int64, shape (words,): the text: word types are numbered ``0..k-1`` in the order of their
    # first appearance. Read-only.
    ids: np.ndarray
    k: int  # size of the vocabulary
    # `train_words`, `test_words`: the default split: the first words of the text, and those that
    # follow them
    train_words: int
    test_words: int
    receipt: dict  # origin, SHA-256 and sizes of the text; nothing of the text itself

    @property
    def train(self):
        """Training words, in text order, shape (train_words,)."""
        return self.ids[: self.train_words]

    @property
    def test(self):
        """Test words, in text order, shape (test_words,)."""
        return self.ids[self.train_words : self.train_words + self.test_words]

    def split(self, train_words, test="next", test_words=None):
        """Train on a prefix of the text, for learning curves, and test on as many words by default.

        The test words follow the prefix ("next"), or are the last of the text ("last"). Returns
        word numbers of shapes (train_words,) and (test_words,); raises CorpusError if the text is
        too short, or either part is less than a pair.
        """
        test_words = train_words if test_words is None else test_words
        _check_sizes(self.name, len(self.ids), train_words, test_words)
        if test not in ("next", "last"):
            raise CorpusError(self.name, f"test {test!r} is not one of next, last")
        start = train_words if test == "next" else len(self.ids) - test_words
        return self.ids[:train_words], self.ids[start : start + test_words]


def number_words(words: Iterable[Hashable]) -> tuple[np.ndarray, int]:
    """Return words as numbers, in the order in which each type first appears.

    Returns
    -------
    numbers : numpy.ndarray of int64, shape (words,)
        Read-only.
    types : int
        Number of distinct words.
    """
    words = list(words)
    vocabulary = Vocabulary(words)
    numbers = vocabulary.numbers(words)
    numbers.flags.writeable = False
    return numbers, len(vocabulary)


def word_pairs(ids):
    """Return the contexts and outcomes of consecutive words: ``n`` words give ``n - 1`` pairs."""
    return ids[:-1], ids[1:]


def load_corpus(name, entry, search=None, downloads=".nltk_data", allow_other_hashes=False):
    """Find or fetch a corpus, verify it, cut it into words and split it.

    Its entry in config.yaml says where it comes from: `source` and what that source needs. How it
    is read: `tokenizer`, `encoding` (utf-8), `words` (only the first so many). How it is split:
    `train` and `test` (numbers of words, or "half"), `vocabulary` ("text": the types of the whole
    text, the default; "split": those of the training and test words, and the text ends with them).
    The other arguments and the errors are those of `reproduction.corpora.sources.read_source`.
    """
    tokenize = _choose(name, entry, "tokenizer", TOKENIZERS, None)
    vocabulary = _choose(name, entry, "vocabulary", VOCABULARIES, "text")
    source = read_source(name, entry, search, downloads, allow_other_hashes)
    words = _read_words(name, source.texts(), tokenize, entry.get("words"))
    half = len(words) // 2
    train = half if entry["train"] == "half" else entry["train"]
    test = len(words) - half if entry["test"] == "half" else entry["test"]
    _check_sizes(name, len(words), train, test)
    if vocabulary == "split":
        words = words[: train + test]
    ids, k = number_words(words)
    receipt = {
        "source": source.origin,
        "sha256": source.sha256,
        "content_sha256": source.content_sha256,
        "check": source.check,
        "tokenizer": entry["tokenizer"],
        "words": len(words),
        "types": k,
        "train_words": train,
        "test_words": test,
    }
    if source.origin == "python":
        receipt["python"] = platform.python_version()
    return Corpus(name, ids, k, train, test, receipt)


def _read_words(name, texts, tokenize, limit):
    """Cut texts into words; with a limit, read no more of them than it takes."""
    words = []
    for text in texts:
        words += tokenize(text)
        if limit is not None and len(words) >= limit:
            return words[:limit]
    if limit is not None:
        raise CorpusError(name, f"words: {limit}, but the text has {len(words)}")
    return words


def _check_sizes(name, words, train, test):
    """Refuse a split that the text is too short for, or that has a part without a pair."""
    for key, size in (("train", train), ("test", test)):
        if size < 2:
            raise CorpusError(name, f"{key}: {counted(size, 'word')}, but a pair takes 2")
    if train + test > words:
        raise CorpusError(
            name,
            f"train + test = {train} + {test} = {train + test} words, but the text has {words}",
        )


def _choose(name, entry, key, allowed, default):
    """Return the choice of an entry, or the value that it names in a dict."""
    choice = entry.get(key, default)
    if choice not in allowed:
        raise CorpusError(name, f"{key} {choice!r} is not one of {', '.join(allowed)}")
    return allowed[choice] if isinstance(allowed, dict) else choice


def save_corpus(path, corpus):
    """Write a corpus's word numbers and split as an .npz."""
    sizes = np.array([corpus.k, corpus.train_words, corpus.test_words])
    with open(path, "wb") as file:
        np.savez(file, ids=corpus.ids.astype(np.int32), sizes=sizes)


def save_samples(path, found):
    """Write texts and tables as numbers, an array (.npz) for each: (words,) or (pairs, 2).

    ``found`` has lists of words or of pairs by name. Returns the fields of the receipt:
    the ``words`` and ``types`` of each text, and the ``pairs`` and ``shape`` of each table.
    """
    arrays, sizes = {}, {}
    for name, sample in found.items():
        if isinstance(sample[0], str):
            arrays[name], types = number_words(sample)
            sizes[name] = {"words": len(sample), "types": types}
        else:
            columns, shape = zip(*map(number_words, zip(*sample, strict=True)), strict=True)
            arrays[name] = np.stack(columns, axis=1)
            sizes[name] = {"pairs": len(sample), "shape": shape}
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    return sizes


def read_corpus(path, name):
    """Read what `save_corpus` wrote: a `Corpus` without its receipt."""
    with np.load(path) as arrays:
        return Corpus(name, arrays["ids"].astype(np.int64), *map(int, arrays["sizes"]), receipt={})
