"""Readings of a text: how it is cut into words, how its pairs are split, which words count.

The paper (Section 7) says none of this. `reproduction.corpora.corpus` has the project's default;
here are the others that one could defend.
"""

import re
import unicodedata
from functools import partial
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from condprob.tokenizers import lines_of, split_letters
from reproduction.corpora.corpus import number_words, word_pairs
from reproduction.corpora.sources import TAGGED, read_source
from reproduction.corpora.words import TOKENIZERS
from reproduction.scores.seeds import spawn_seed

SENTENCE_END = re.compile(r"[.?!][\"'\u201d\u2019»)\]]*\s+")  # perhaps with a closing quote


def split_lower(name, text):
    """Cut a text into words by one of `corpora.words`, after lowering its case."""
    return TOKENIZERS[name](text.lower())


def split_plain_letters(text):
    """Cut a text into runs of letters in lower case, without their accents."""
    bare = (c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return split_letters("".join(bare))


TOKENIZER_READINGS = TOKENIZERS | {
    "whitespace-lower": partial(split_lower, "whitespace"),
    "wordpunct-lower": partial(split_lower, "wordpunct"),
    "reattached-lower": partial(split_lower, "reattached"),
    "letters-plain": split_plain_letters,
}


class ReadText(NamedTuple):
    """A text under a reading."""

    words: list  # of str
    sentences: np.ndarray  # int64, shape (words,): the sentence, or line of verse, of each word
    sizes: tuple  # (int, int): training and test words: see `split_sizes`


def read_text(corpus, tokenizer, entry, words, allow_other_hashes=False):
    """Return a corpus under a reading, cut by one of `TOKENIZER_READINGS`.

    The ``entry`` is the config's; at most so many ``words`` are read, and no more than it has. For
    ``allow_other_hashes`` see `reproduction.corpora.sources.read_source`.
    """
    source = read_source(corpus, entry, allow_other_hashes=allow_other_hashes)
    limit = min(words, entry.get("words", words))
    cut, sentences = read_sentences(source, entry, tokenizer, limit)
    return ReadText(cut, sentences, split_sizes(entry, tokenizer, len(cut)))


def read_sentences(source, entry, tokenizer, limit):
    """Cut a text into at most ``limit`` words and number its sentences.

    Returns the words, the same as `reproduction.corpora.corpus.load_corpus` takes, where the
    tokenizer is; and the sentence, or line of verse, of each, int64, shape (words,).

    READING: a sentence is a line of a tagged package (Brown), a line of verse of a play, and
    elsewhere a stretch that ends at a full stop, question or exclamation mark before white space.
    Words are those of the whole text; sentences are cut into words again only to count them.
    """
    tokenize = TOKENIZER_READINGS[tokenizer]
    words, sentences, count = [], [], 0
    for raw, text in zip(source.contents, source.texts(), strict=True):
        here = tokenize(text)
        ends = list(accumulate(len(tokenize(unit)) for unit in _units(source, entry, raw, text)))
        words += here
        sentences.append(count + np.searchsorted(ends, np.arange(len(here)), side="right"))
        count += len(ends) + 1
        if len(words) >= limit:
            break
    return words[:limit], np.concatenate(sentences)[:limit].astype(np.int64)


def _units(source, entry, raw, text):
    """Yield the sentences of one file."""
    if entry.get("package") in TAGGED:
        yield from (source.to_text(line) for line in raw.splitlines() if line.strip())
    elif entry["source"] == "dracor":
        yield from lines_of(text)
    else:
        start = 0
        for match in SENTENCE_END.finditer(text):
            yield text[start : match.end()]
            start = match.end()
        yield text[start:]


def split_sizes(entry, tokenizer, words):
    """Return the numbers of training and test words of a reading.

    READING: the sizes that an entry gives are those of its own tokenizer; with another the text
    has another length, and is halved. So is a text that is too short for them.
    """
    half = words // 2
    sizes = [entry[part] for part in ("train", "test")]
    if tokenizer != entry["tokenizer"] or "half" in sizes or sum(sizes) > words:
        return half, words - half
    return tuple(sizes)


def split_text(root, text, read):
    """Return the pairs of a text to train on and to test on, in numbers, and its types in all."""
    ids, k = number_words(read.words)
    seed = spawn_seed(root, "multiverse", *text)
    return *split_pairs(ids, read.sentences, text[2], *read.sizes, seed), k


def split_pairs(ids, sentences, split, train_words, test_words, seed):
    """Split the pairs of neighbouring words into training and test pairs: contexts and outcomes.

    The split is "halves", the first words against those that follow (no pair across); "pairs" at
    random; or "sentences" at random, each with the pairs that end in it.
    """
    ids = ids[: train_words + test_words]
    if split == "halves":
        return word_pairs(ids[:train_words]), word_pairs(ids[train_words:])
    rng = np.random.default_rng(seed)
    contexts, outcomes = word_pairs(ids)
    if split == "pairs":
        chosen = rng.permutation(contexts.size) < train_words - 1
    else:
        sentence = np.unique(sentences[1 : ids.size], return_inverse=True)[1]
        order = rng.permutation(sentence.max() + 1)
        filled = np.cumsum(np.bincount(sentence)[order])
        chosen = np.isin(sentence, order[filled < train_words])
    return (contexts[chosen], outcomes[chosen]), (contexts[~chosen], outcomes[~chosen])


def vary_vocabulary(text, train, test, k, vocabularies):
    """Yield each vocabulary of a text and the result of `choose_words`.

    Raises ValueError if no test pair is left.
    """
    for vocabulary in vocabularies:
        chosen = choose_words(train, test, k, vocabulary)
        if not chosen[1][0].size:
            raise ValueError(f"{', '.join(text)}, vocabulary {vocabulary}: no test pair is left")
        yield vocabulary, *chosen


def choose_words(train, test, k, vocabulary):
    """Apply a reading of the vocabulary to pairs over ``k`` words.

    "text": all types of the text, as the paper's sizes have it. "train": those of the training
    pairs, test pairs with another word being left out, as evaluations of language models often do.
    Returns the pairs in the numbers of the vocabulary, and its words, ascending.
    """
    if vocabulary == "text":
        return train, test, np.arange(k)
    kept = np.unique(np.concatenate(train))
    number = np.full(k, -1)
    number[kept] = np.arange(kept.size)
    train, test = (tuple(number[part] for part in pairs) for pairs in (train, test))
    known = (test[0] >= 0) & (test[1] >= 0)
    return train, tuple(part[known] for part in test), kept
