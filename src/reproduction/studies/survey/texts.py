"""Brown, cut as Bengio et al. (2003) cut it: words to train, to stop by, and to test.

The first 800,000 words train, the next 200,000 stop models that learn by steps, the rest is tested;
words that the training part has three times or less are one symbol. A smaller run has every
so many-th file and as many words in proportion: the genres follow each other in the same way.
"""

import numpy as np

from reproduction.corpora.blocks import list_words, number_sentences, save_block
from reproduction.corpora.sources import read_source


def find_brown(corpora, section, allow_other_hashes=False):
    """Return training, test and stopping sentences, and the words by their numbers.

    Parameters
    ----------
    corpora : mapping
        The config's entry of Brown, whose package has tags.
    section : mapping
        ``every`` so many-th file, ``least``; and ``train`` and ``stop``, shares of the
        words.
    allow_other_hashes : bool

    Returns
    -------
    block : (condprob.Sentences, condprob.Sentences, condprob.Sentences)
        Word 0 stands for those seen less than ``least`` times in the first.
    labels : list of str
    """
    ((name, entry),) = corpora.items()
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
    chosen = source.contents[:: section["every"]]
    sentences = [sentence for content in chosen for sentence in list_sentences(content)]
    ends = np.cumsum([len(sentence) for sentence in sentences])
    shares = np.array([section["train"], section["train"] + section["stop"]])
    first, second = np.searchsorted(ends, shares * ends[-1])
    train, stop, test = sentences[:first], sentences[first:second], sentences[second:]
    train_block, stop_block = number_sentences(train, stop, section["least"])
    _, test_block = number_sentences(train, test, section["least"])
    return (train_block, test_block, stop_block), list_words(train, section["least"])


def list_sentences(content):
    """Return the sentences of a file of Brown, lists of words: a line for each, words with tags."""
    return [
        [token.rsplit("/", 1)[0] for token in line.split()]
        for line in content.decode("ascii").splitlines()
        if line.strip()
    ]


def save_texts(words, labels, found):
    """Write the result of `find_brown` to two files; empty ones where the text could not be had."""
    block, names = found if found else (None, [])
    save_block(words, block)
    with open(labels, "wb") as file:
        np.savez(file, labels=np.array(names, dtype=str))
    return {}
