"""Random splits of the training data: a part is held out to choose settings."""

from typing import NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix

HELD_OUT = 0.1  # share of the training data that is held out for one setting; not measured
# The unit of real counts, times their mean: 570a500:docs/settings.md, "Counts that are not whole".
UNIT_OF_REAL_COUNTS = 2.0
MOST_UNITS = 10**9  # of a real count, far above the repetitions in a text; not measured
MULTIPLE_TOLERANCE = 1e-9  # relative error of a whole multiple; not measured


class Split(NamedTuple):
    """Counts in two parts, whose sum they are."""

    rest: CountMatrix  # the training part
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


def units_of(counts: CountMatrix) -> np.ndarray:
    """Return in how many parts each count can be dealt out, int64, shape (nnz,), at least one.

    The unit is one observation: one of a whole count; the smallest count if all are its multiples;
    otherwise unknown, and twice the mean count stands for it. Larger units would hold out all of a
    pair or nothing, so that the training part would seem useless for it. Smaller units would cut an
    observation in two, so that the training part would seem to know all of it.
    """
    if counts.is_whole or not counts.nnz:
        return counts.values.astype(np.int64)
    units = counts.values / counts.values.min()
    if not np.allclose(units, np.rint(units), rtol=MULTIPLE_TOLERANCE, atol=0.0):
        units = counts.values / (UNIT_OF_REAL_COUNTS * counts.values.mean())
    return np.clip(np.rint(units), 1, MOST_UNITS).astype(np.int64)


def weigh_units(counts: CountMatrix, units: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the weight of ``drawn`` of the ``units`` of each count, shape (nnz,)."""
    return drawn if counts.is_whole else counts.values * (drawn / units)


def hold_out(counts: CountMatrix, share: float, seed: Seed) -> Split:
    """Hold out a share of the counts, drawn at random.

    Each unit of a count is held out with probability ``share``: see `units_of`.
    """
    units = units_of(counts)
    drawn = np.random.default_rng(seed).binomial(units, share)
    return take_out(counts, weigh_units(counts, units, drawn))
