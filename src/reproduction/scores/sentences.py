"""Scores of a text in sentences: its losses, stretch by stretch."""

from itertools import pairwise

import numpy as np

from reproduction.config.sizes import BLOCKS


def tell_losses(told, test, losses):
    """Yield the rows of a fit: the loss of each stretch of test words, but for unknown ones.

    ``told`` is what else a row says; ``losses`` are those of all test words, nats.
    """
    losses = np.where(test.words == 0, 0.0, losses)
    edges = np.linspace(0, test.n, BLOCKS + 1).astype(int)
    for block, (start, stop) in enumerate(pairwise(edges)):
        pairs = int((test.words[start:stop] != 0).sum())
        yield told | {"block": block, "pairs": pairs, "loss": losses[start:stop].sum()}
