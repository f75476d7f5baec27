"""Frozen, then tried: texts that nobody had looked at when the estimator was finished.

Each is halved and scored under two readings of the vocabulary. The primary one, ``train``, has the
words that the first half has at least twice; all others are one more word, the unknown, which is
predicted and scored as any other. ``text`` has all words of the text, as the paper's sizes have it.
"""

import re
from functools import partial

import numpy as np

from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.receipts import left_out
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.fresh.debs import fetch_package, read_files, read_text
from reproduction.studies.fresh.plan import STUDY, VOCABULARIES
from reproduction.studies.readings import best_others

LEAST = 2  # a word that the first half has less often is unknown, as in the second paper
# Ideographs and kana, which are written without spaces, one by one; of other scripts whole words.
_CHARACTERS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\\W\\d_\u3040-\u9fff]+")


def split_characters(text):
    """Cut a text into ideographs and kana, and runs of other letters in lower case."""
    return _CHARACTERS.findall(text.lower())


def split_fives(text):
    """Cut a sequence into pieces of five, one after the other."""
    return re.findall(".{5}", text)


TOKENIZERS_OF_FRESH = TOKENIZERS | {"characters": split_characters, "fives": split_fives}


def find_texts(packages, given, allow_other_hashes):
    """Return the first words, at most so many as are given, of each text of a package, by name."""
    ((name, entry),) = packages.items()
    package = fetch_package(name, entry, allow_other_hashes=allow_other_hashes)
    files = read_files(name, entry, package)
    return {
        text: TOKENIZERS_OF_FRESH[told["tokenizer"]](read_text(text, files, told))[: given["words"]]
        for text, told in entry["texts"].items()
    }


def score_package(root, inputs, methods, given):
    """Fit every method to the first half of each text of a package: a scorer (`study.Job`).

    Parameters
    ----------
    root : int
        Of the random numbers.
    inputs : mapping
        ``texts``: a file of `readings.replication.save_texts`.
    methods : mapping
        Entries of the config's ``methods``.
    given : mapping
        ``package``, ``kinds`` by text, ``rank`` and ``seeds``.

    Yields
    ------
    dict
        `columns.COLUMNS`: ``corpus`` is the text, ``reading`` its vocabulary; and `plan.COLUMNS`.
    """
    with np.load(inputs["texts"]) as arrays:
        texts = {name.removesuffix("/ids"): arrays[name] for name in arrays if name[-4:] == "/ids"}
    for text, ids in texts.items():
        for vocabulary in VOCABULARIES:
            train, test, k = halve(ids.astype(np.int64), vocabulary)
            place = {"corpus": text, "reading": vocabulary, "k": k, "n": train.size}
            place |= {"package": given["package"], "kind": given["kinds"][text]}
            start_of = partial(spawn_seed, root, STUDY, text, vocabulary, given["rank"])
            how = Fits(methods, given["rank"], given["seeds"])
            for row in score_pairs(start_of, word_pairs(train), word_pairs(test), k, how):
                yield place | {"rank": given["rank"]} | row


def halve(ids, vocabulary):
    """Return both halves of a text under a reading of the vocabulary.

    Parameters
    ----------
    ids : numpy.ndarray of int64, shape (words,)
        Numbers of the words, ``0..k-1``.
    vocabulary : {"train", "text"}

    Returns
    -------
    train, test : numpy.ndarray of int64
    k : int
        Of ``train``, with the unknown word, which is 0.
    """
    half = ids.size // 2
    if vocabulary == "text":
        return ids[:half], ids[half:], int(ids.max()) + 1
    known = np.bincount(ids[:half], minlength=ids.max() + 1) >= LEAST
    number = np.where(known, np.cumsum(known), 0)
    return number[ids[:half]], number[ids[half:]], int(known.sum()) + 1


def tabulate(given):
    """Return the table of one vocabulary: `readings.best_others.tabulate_further`.

    ``collection`` is the package, whose texts depend on each other; the mean over texts is over
    texts drawn again one by one.
    """
    scores, methods = given.scores, given.entry["methods"]
    scores = scores[
        (scores["reading"] == given.entry["vocabulary"]) & scores["method"].isin(methods)
    ]
    scores = scores.assign(reading=scores["corpus"], corpus=scores["package"])
    ours, notes = given.entry["ours"], left_out(given.receipts)
    return best_others.tabulate_further(given.root, scores, ours, notes)


def draw(table, exhibit, methods):
    """Return the figure of one vocabulary: `readings.best_others.draw_further`."""
    return best_others.draw_further(table, methods, exhibit["ours"])
