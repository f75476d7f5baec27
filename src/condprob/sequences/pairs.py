"""A text as pairs: each distinct history of ``order - 1`` words is a context of its own."""

import numpy as np

from condprob.checks import check_order
from condprob.counts import CountMatrix
from condprob.sequences.sentences import NOTHING, Sentences


def count_histories(sentences: Sentences, order: int) -> tuple[CountMatrix, np.ndarray]:
    """Return the counts of histories and the words after them, and the history of each context.

    At order 2 the contexts are all words and the start of a sentence: see `count_bigrams`.
    Otherwise they are the histories that occur, in lexicographic order, and one more without
    counts, which stands for all others. The second array is int64, shape (histories, order - 1).
    Raises ValueError if the order is below one.
    """
    order = check_order(order)
    if order == 2:
        return count_bigrams(sentences), np.append(np.arange(sentences.k), NOTHING)[:, None]
    histories, number = np.unique(sentences.histories(order), axis=0, return_inverse=True)
    shape = (len(histories) + 1, sentences.k)
    return CountMatrix.from_pairs(number.ravel(), sentences.words, shape=shape), histories


def count_bigrams(sentences: Sentences) -> CountMatrix:
    """Return the counts of pairs, shape (words + 1, words): see `bigram_contexts`."""
    shape = (sentences.k + 1, sentences.k)
    return CountMatrix.from_pairs(bigram_contexts(sentences), sentences.words, shape=shape)


def bigram_contexts(sentences: Sentences) -> np.ndarray:
    """Return the word before each; a sentence begins after a context of its own, the last."""
    contexts = sentences.histories(2)[:, 0]
    return np.where(contexts == NOTHING, sentences.k, contexts)
