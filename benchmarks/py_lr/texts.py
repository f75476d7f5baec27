"""Texts and tables of Debian's packages: those of `fresh`, and those that had been seen before.

A text is halved and scored under two readings of the vocabulary. The primary one, ``train``, has
the words that the first half has at least twice; all others are one more word, the unknown, which
is predicted and scored as any other. ``text`` has all words of the text, as the paper's sizes do.
The pairs of a table are shuffled first; its contexts and outcomes are those of the whole table.
"""

import re
from functools import partial
from unicodedata import category

import numpy as np

from py_lr.debs import R_DATA, find_package, read_files, read_r, read_text
from py_lr.samples import TABLES
from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.words import TOKENIZERS
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs

LEAST_TIMES_SEEN = 2  # a word that the first half has less often is unknown, as in the second paper
# Letters of scripts without spaces: Thai and Lao, Tibetan, Myanmar, Khmer, kana and ideographs.
_ALONE = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_MARKS = "".join(mark for mark in map(chr, range(0x10000)) if category(mark)[0] == "M")
_LETTER = f"[^\\W\\d_{_ALONE}]"
_WORD = re.compile(f"(?=[^\\W\\d_])[{_ALONE}][{_MARKS}]*|{_LETTER}(?:{_LETTER}|[{_MARKS}])*")


def split_words(text):
    """Cut a text into runs of letters with their marks, in lower case.

    A letter of a script without spaces is a word by itself, with its marks.
    """
    return _WORD.findall(text.lower())


_CUT = TOKENIZERS | {"words": split_words}


def find_samples(packages, given, allow_other_hashes):
    """Return the first words of each text of a package, and all pairs of each table, by name."""
    ((name, entry),) = packages.items()
    path = find_package(name, entry, allow_other_hashes=allow_other_hashes)
    files, found = read_files(name, entry, path), {}
    for sample, fields in entry["samples"].items():
        if "table" in fields:
            read = read_r if fields.get("form") == R_DATA else read_text
            content = read(sample, files, fields)
            found[sample] = list(TABLES[fields["table"]](content, **fields.get("how", {})))
        else:
            text = read_text(sample, files, fields)
            found[sample] = _CUT[fields.get("tokenizer", "words")](text)[: given["words"]]
    return found


def score_package(root, inputs, methods, given):
    """Fit every method to a half of each text or table of a package: a scorer.

    The input ``samples`` is a file of `corpus.save_samples`. Given are the name of the ``list``,
    the ``package``, the ``kinds`` of its samples, the ``pairs`` that a table has at most, the
    ``rank``, and the ``seeds`` of the methods ``many``; other methods, and the reading ``text``,
    have ``fewer``. Yields `columns.COLUMNS`, where ``corpus`` is the sample and ``setting`` its
    vocabulary, or ``table``; and ``package`` and ``kind``.
    """
    with np.load(inputs["samples"]) as samples:
        samples = dict(samples)
    for sample, numbers in samples.items():
        is_text = numbers.ndim == 1
        for reading in ("train", "text") if is_text else ("table",):
            seed_of = partial(spawn_seed, root, given["list"], sample, reading)
            if is_text:
                *halves, k = halve(numbers, reading)
                train, test = map(word_pairs, halves)
            else:
                train, test, k = halve_table(numbers, given["pairs"], seed_of("split"))
            place = {"corpus": sample, "setting": reading, "n": train[0].size}
            place |= {"package": given["package"], "kind": given["kinds"][sample]}
            place |= {"k": k if is_text else k[1], "rank": given["rank"]}
            for name, entry in methods.items():
                many = name in given["many"] and reading != "text"
                seeds = given["seeds" if many else "fewer"]
                how = Fits({name: entry}, given["rank"], seeds, in_order=is_text)
                for row in score_pairs(partial(seed_of, given["rank"]), train, test, k, how):
                    yield place | row


def halve(ids, vocabulary):
    """Return both halves of a text under a reading of the vocabulary.

    Parameters
    ----------
    ids : numpy.ndarray of int, shape (words,)
        Numbers of the words, ``0..k-1``.
    vocabulary : {"train", "text"}

    Returns
    -------
    train, test : numpy.ndarray of int
    k : int
        Of ``train``, with the unknown word, which is 0.
    """
    half = ids.size // 2
    if vocabulary == "text":
        return ids[:half], ids[half:], int(ids.max()) + 1
    known = np.bincount(ids[:half], minlength=ids.max() + 1) >= LEAST_TIMES_SEEN
    number = np.where(known, np.cumsum(known), 0)
    return number[ids[:half]], number[ids[half:]], int(known.sum()) + 1


def halve_table(pairs, most, seed):
    """Shuffle the pairs of a table, shape (pairs, 2), and halve at most so many.

    Returns contexts and outcomes of both halves, and the numbers of contexts and of outcomes.
    """
    chosen = np.random.default_rng(seed).permutation(pairs)[:most]
    half = len(chosen) // 2
    return tuple(chosen[:half].T), tuple(chosen[half:].T), tuple(pairs.max(axis=0) + 1)
