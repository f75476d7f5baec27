"""The grid of readings of a small text at random."""

from functools import cache

import numpy as np

from reproduction.studies.readings.grid import score_readings
from reproduction.studies.readings.texts import ReadText

AXES = {
    "split": ["halves"],
    "vocabulary": ["text", "train"],
    "continuation": ["discounted", "uniform", "floor"],
    "unseen": ["continuation", "unigram"],
    "discount": [0.75, "estimated"],
    "initial": ["clusters", "random", "near-uniform", "frequent"],
}
GRID = {"axes": AXES, "rank": 3, "iterations": 3, "seeds": 2}
TEXT = ("made-up", "letters", "halves")


def made_up_words(words=400):
    """Words of a power law."""
    rng = np.random.default_rng(5)
    law = 1 / np.arange(1, 41)
    return [f"w{i}" for i in rng.choice(40, size=words, p=law / law.sum())]


@cache
def score(root=7, text=TEXT, **axes):
    """Return the rows of scores, of other values of some axes."""
    grid = GRID | {"axes": AXES | {axis: list(values) for axis, values in axes.items()}}
    words = made_up_words()
    read = ReadText(words, np.arange(len(words)) // 8, (200, 200))
    return list(score_readings(root, text, read, grid))
