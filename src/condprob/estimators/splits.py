"""Parts of the training data that are held out of a fit, to choose its settings by."""

from typing import NamedTuple

import numpy as np

from condprob.annotations import Seed
from condprob.counts import CountMatrix

HELD_OUT = 0.1  # share of the training data by which one setting is chosen; not measured


class Split(NamedTuple):
    """Counts in two parts, whose sum they are."""

    rest: CountMatrix  # what is left, to be fitted
    held_out: CountMatrix


def take_out(counts: CountMatrix, drawn: np.ndarray) -> Split:
    """Return the two parts of counts of which ``drawn``, shape (nnz,), is held out."""
    pairs = counts.contexts, counts.outcomes
    return Split(
        *(
            CountMatrix.from_pairs(*pairs, shape=counts.shape, weights=values)
            for values in (counts.values - drawn, drawn)
        )
    )


def hold_out(counts: CountMatrix, share: float, seed: Seed) -> Split:
    """Hold out a share of the counts, drawn at random.

    Of whole counts each pair observed is held out with probability ``share``; of real ones each
    distinct pair is, with all its weight.
    """
    rng = np.random.default_rng(seed)
    if counts.is_whole:
        drawn = rng.binomial(counts.values, share)
    else:
        drawn = np.where(rng.random(counts.nnz) < share, counts.values, 0.0)
    return take_out(counts, drawn)
