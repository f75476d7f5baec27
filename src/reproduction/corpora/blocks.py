"""Blocks of a text in sentences: training words, test words and more, by the words of the first."""

from collections import Counter

import numpy as np

from condprob.text.sentences import Sentences

PARTS = ("train", "test", "stop")  # the last, where there is one, stops what is trained
UNKNOWN = "<unknown>"


def list_words(train, least):
    """Return the words by their numbers: 0 is any other than those seen ``least`` times."""
    counts = Counter(word for sentence in train for word in sentence)
    return [UNKNOWN, *(word for word, count in counts.items() if count >= least)]


def number_sentences(train, test, least):
    """Return both parts as `Sentences` of the words that `list_words` has of the first."""
    words = list_words(train, least)
    number = {word: i for i, word in enumerate(words)}
    return tuple(
        Sentences.from_lists([[number.get(w, 0) for w in s] for s in part], len(words))
        for part in (train, test)
    )


def save_block(path, block):
    """Write the parts of `PARTS` that there are as an .npz."""
    arrays = {"k": np.array(block[0].k)}
    for name, part in zip(PARTS, block, strict=False):
        arrays |= {f"{name}_words": part.words.astype(np.int32), f"{name}_starts": part.starts}
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def read_block(path):
    """Read what `save_block` wrote: its parts."""
    with np.load(path) as arrays:
        return tuple(
            Sentences(
                int(arrays["k"]), arrays[f"{name}_words"].astype(np.int64), arrays[f"{name}_starts"]
            )
            for name in PARTS
            if f"{name}_words" in arrays
        )
