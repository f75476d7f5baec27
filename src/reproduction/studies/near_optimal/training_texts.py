"""Table 1's comparison of methods on other training texts.

The intervals of Table 1 resample test words and starts; the training text is one. Here the halves
of each corpus change places, and Brown is cut into disjoint windows of the size that the paper
uses, each with its own vocabulary, training half and test half.
"""

from functools import partial
from itertools import product

import numpy as np
import pandas as pd

from reproduction.corpora.corpus import word_pairs
from reproduction.scores.intervals import student_interval
from reproduction.scores.pairs import paired_difference
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.near_optimal.parts import (
    AS_PRINTED,
    EXCHANGED,
    WINDOW,
    WINDOWS,
)

COLUMNS = [
    *("corpus", "text", "n", "method", "competitor", "value", "low", "high"),
    *("least", "most", "ahead", "texts"),
]


def list_texts(corpus, whole=None):
    """Yield the name, training words, test words and vocabulary size of each text of a corpus.

    ``whole`` is the corpus of which this one is the beginning; it is cut into disjoint windows of
    this one's size, of which the last words that fill none are left out.
    """
    yield AS_PRINTED, corpus.train, corpus.test, corpus.k
    yield EXCHANGED, corpus.test, corpus.train, corpus.k
    if whole is None:
        return
    train, size = corpus.train_words, corpus.train_words + corpus.test_words
    for place in range(len(whole.ids) // size):
        types, ids = np.unique(whole.ids[place * size : (place + 1) * size], return_inverse=True)
        yield f"{WINDOW} {place + 1:02d}", ids[:train], ids[train:], types.size


def score_training_texts(root, exhibit, corpus, whole, methods, rank, seeds):
    """Yield the scores of each text, `scores.columns.COLUMNS`; ``setting`` is its name."""
    for name, train, test, k in list_texts(corpus, whole):
        seed_of = partial(spawn_seed, root, exhibit, corpus.name, name)
        place = {"corpus": corpus.name, "setting": name, "n": len(train), "rank": rank}
        how = Fits(methods, rank, seeds, seed_of)
        for row in score_pairs(partial(seed_of, rank), word_pairs(train), word_pairs(test), k, how):
            yield place | row


def tabulate_training_texts(scores, pairs):
    """Return the differences, ours minus the competitor's, on each text and over the windows.

    ``pairs`` are (ours, competitor). ``value`` is in nats per word, negative where ours is better,
    with the interval over test words and starts. The row `WINDOWS` has the mean over windows with
    Student's interval, the ``least`` and ``most``, and on how many of the ``texts`` ours is
    ``ahead``.
    """
    rows = []
    for (corpus, text, n), part in scores.groupby(["corpus", "setting", "n"], sort=False):
        place = {"corpus": corpus, "text": text, "n": n}
        for ours, competitor in pairs:
            lead, low, high = paired_difference(part, ours, competitor)
            row = {"method": ours, "competitor": competitor, "texts": 1, "ahead": int(lead > 0)}
            rows.append(place | row | {"value": -lead, "low": -high, "high": -low})
    table = pd.DataFrame(rows, columns=COLUMNS)
    windows = table[table["text"].str.startswith(WINDOW)]
    means = []
    for corpus, (ours, competitor) in product(windows["corpus"].unique(), pairs):
        own = windows[windows["corpus"] == corpus]
        own = own[(own["method"] == ours) & (own["competitor"] == competitor)]
        value, low, high = student_interval(own["value"].to_numpy())
        row = {"corpus": corpus, "text": WINDOWS, "n": own["n"].iloc[0]}
        row |= {"method": ours, "competitor": competitor, "value": value, "low": low, "high": high}
        row |= {"least": own["value"].min(), "most": own["value"].max()}
        means.append(row | {"ahead": int((own["value"] < 0).sum()), "texts": len(own)})
    return pd.concat([table, pd.DataFrame(means, columns=COLUMNS)]) if means else table
