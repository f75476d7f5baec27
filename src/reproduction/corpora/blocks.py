"""Blocks of a text in sentences: training words, test words and more, by the words of the first."""

from collections import Counter

import numpy as np

from condprob.sequences.sentences import Sentences

PARTS = ("train", "test", "stop")  # the last, where there is one, stops what is trained


def number_sentences(train, test, least):
    """Return both parts as `Sentences` of the words seen ``least`` times in the first.

    Word 0 is any other.
    """
    counts = Counter(word for sentence in train for word in sentence)
    known = (word for word, count in counts.items() if count >= least)
    number = {word: i for i, word in enumerate(known, 1)}
    return tuple(
        Sentences.from_lists([[number.get(w, 0) for w in s] for s in part], len(number) + 1)
        for part in (train, test)
    )


def save_block(path, block):
    """Write the parts of `PARTS` that there are as an .npz; no arrays where none is.

    Returns the fields of a receipt (`study.Texts`): none.
    """
    arrays = {}
    if block is not None:
        for name, part in zip(PARTS, block, strict=False):
            arrays |= {f"{name}_words": part.words.astype(np.int32), f"{name}_starts": part.starts}
        arrays["k"] = np.array(block[0].k)
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    return {}


def read_block(path):
    """Read what `save_block` wrote: its parts; two without words where there were none."""
    with np.load(path) as arrays:
        if "k" not in arrays:
            return Sentences.from_lists([], 1), Sentences.from_lists([], 1)
        return tuple(
            Sentences(
                int(arrays["k"]), arrays[f"{name}_words"].astype(np.int64), arrays[f"{name}_starts"]
            )
            for name in PARTS
            if f"{name}_words" in arrays
        )
