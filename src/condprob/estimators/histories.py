"""N-grams by the methods for pairs: each distinct history is a context of its own."""

import numpy as np

from condprob.annotations import Seed
from condprob.checks import check_integer
from condprob.counts import CountMatrix
from condprob.estimators.base import Estimator
from condprob.sequences.histories import HistoryModel
from condprob.sequences.sentences import Sentences


def fit_histories(
    estimator: Estimator,
    sentences: Sentences,
    order: int,
    seed: Seed = 0,
    *,
    progress: bool = False,
) -> HistoryModel:
    """Fit a method for pairs to histories of ``order - 1`` words and the words after them.

    Parameters
    ----------
    estimator : Estimator
    sentences : Sentences
    order : int
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    progress : bool
        See `Estimator.fit`.

    Returns
    -------
    HistoryModel
        At order 2 its distributions are those of the matrix of the same pairs, whose first
        contexts are the start of a sentence and the words that occur.
    """
    order = check_integer("order", order, 1)
    every = sentences.histories(order)
    histories, number = np.unique(every, axis=0, return_inverse=True)
    shape = (len(histories) + 1, sentences.k)
    counts = CountMatrix.from_pairs(number.ravel(), sentences.words, shape=shape)
    return HistoryModel(estimator.fit(counts, seed, progress=progress), histories)
