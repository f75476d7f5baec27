"""Texts that nobody had looked at when the estimator was finished.

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
from reproduction.exhibits.leads import tabulate_leads
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.fresh.debs import fetch_package, read_files, read_text
from reproduction.studies.fresh.plan import STUDY, VOCABULARIES
from reproduction.studies.readings.replication import read_texts

LEAST = 2  # a word that the first half has less often is unknown, as in the second paper
# Ideographs and kana, which are written without spaces, one by one; of other scripts whole words.
_CHARACTERS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\\W\\d_\u3040-\u9fff]+")


def split_characters(text):
    """Cut a text into ideographs and kana, and runs of other letters in lower case."""
    return _CHARACTERS.findall(text.lower())


def split_fives(text):
    """Cut a sequence into pieces of five, one after the other."""
    return re.findall(".{5}", text)


_CUT = TOKENIZERS | {"characters": split_characters, "fives": split_fives}


def find_texts(packages, given, allow_other_hashes):
    """Return the first words, at most so many as are given, of each text of a package, by name."""
    ((name, entry),) = packages.items()
    package = fetch_package(name, entry, allow_other_hashes=allow_other_hashes)
    files = read_files(name, entry, package)
    return {
        text: _CUT[fields["tokenizer"]](read_text(text, files, fields))[: given["words"]]
        for text, fields in entry["texts"].items()
    }


def score_package(root, inputs, methods, given):
    """Fit every method to the first half of each text of a package: a scorer (`study.Job`).

    The input ``texts`` is a file of `readings.replication.save_texts`. Given are the ``package``,
    the ``kinds`` by text, ``rank`` and ``seeds``. Yields `columns.COLUMNS`, where ``corpus`` is the
    text and ``reading`` its vocabulary; and `plan.COLUMNS`.
    """
    fits = Fits(methods, given["rank"], given["seeds"])
    for text, ids, _ in read_texts(inputs["texts"]):
        for vocabulary in VOCABULARIES:
            train, test, k = halve(ids, vocabulary)
            place = {"corpus": text, "reading": vocabulary, "k": k, "n": train.size}
            place |= {"package": given["package"], "kind": given["kinds"][text]}
            start_of = partial(spawn_seed, root, STUDY, text, vocabulary, given["rank"])
            for row in score_pairs(start_of, word_pairs(train), word_pairs(test), k, fits):
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
    """Return the table of one vocabulary: `exhibits.leads.tabulate_leads`.

    ``collection`` is the package, whose texts depend on each other; the mean over texts is over
    texts drawn again one by one.
    """
    scores, entry = given.scores, given.entry
    chosen = scores["reading"] == entry["vocabulary"]
    scores = scores[chosen & scores["method"].isin(entry["methods"])]
    scores = scores.assign(reading=scores["corpus"], corpus=scores["package"])
    return tabulate_leads(given.root, scores, entry["ours"], left_out(given.receipts))
