"""The grid of readings of a small text at random, and its universes."""

from functools import cache

import numpy as np

from reproduction.jobs import write_rows
from reproduction.scores.columns import COLUMNS, complete_row
from reproduction.studies.readings.axes import READING_COLUMNS
from reproduction.studies.readings.grid import score_readings
from reproduction.studies.readings.texts import ReadText

AXES = {
    "split": ["halves"],
    "vocabulary": ["text", "train"],
    "discount": [0.75, "estimated"],
    "continuation": ["discounted", "floor"],
    "unseen": ["lower-order", "unigram", "plain"],
    "backoff": ["normalised", "published"],
    "initial": ["clusters", "random", "near-uniform", "frequent"],
    "update": ["simultaneous", "alternating"],
    "rank": [3, 2],
    "constant": [0.5, 0.25],
    "lr_discount": [0.75],
}
GRID = {"axes": AXES, "others": 3, "iterations": 3, "seeds": 2}
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


def write_scores(path, rows):
    """Write rows of scores as the rule does."""
    columns = dict.fromkeys([*COLUMNS, *READING_COLUMNS])
    write_rows(path, columns, map(complete_row, rows))
    return path
