"""Intervals of means, from the scores of trials and of texts.

Trials are independent: their means have Student's interval. The words of a text are not: its
interval is a bootstrap that draws whole stretches of the text ("blocks"), and random starts, with
replacement.
"""

from functools import lru_cache

import numpy as np
from scipy.special import stdtrit

from condprob.checks.frozen import read_only
from condprob.evaluation import CONFIDENCE

DRAWS = 4000  # of a bootstrap: its quantiles are then stable to a few per cent of the width
SEED = 2016  # of the bootstrap behind verdicts: one reading of the results has one interval


def student_half_width(sd, size, confidence=CONFIDENCE):
    """Return half the width of Student's interval for a mean of ``size`` independent values.

    It has the unit of ``sd``, the sample standard deviation (divisor ``size - 1``), and is nan
    where that is. Numbers or arrays.
    """
    freedom = np.maximum(size - 1, 1)
    return stdtrit(freedom, (1 + confidence) / 2) * sd / np.sqrt(size)


def student_interval(values, confidence=CONFIDENCE):
    """Return the mean of independent values with Student's interval; nan of a single value."""
    mean, size = values.mean(), values.size
    if size < 2:
        return mean, np.nan, np.nan
    half = student_half_width(values.std(ddof=1), size, confidence)
    return mean, mean - half, mean + half


def resample(size, draws, rng):
    """Return how often each of ``size`` items is sampled, over ``size``, shape (draws, size)."""
    return rng.multinomial(size, np.full(size, 1 / size), size=draws) / size


@lru_cache(maxsize=8)  # of 500 trials each takes 16 MB
def bootstrap_weights(size, stream=0):
    """Return `resample`'s weights from a fixed seed, shape (DRAWS, size), read-only.

    The same ``size`` and ``stream`` give the same draws: quantities that share blocks of text
    are resampled together.
    """
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(size, stream)))
    return read_only(resample(size, DRAWS, rng))


def resample_loss(losses, pairs, blocks, starts):
    """Return the mean loss per pair in each draw of a bootstrap, nats, shape (draws,).

    ``losses``, shape (starts, blocks), are summed over the ``pairs``, shape (blocks,), of each
    block, nats. ``blocks``, shape (draws, blocks), and ``starts``, shape (draws, starts), are
    weights from `resample`; those of the starts sum to one in each draw.
    """
    return ((starts @ losses) * blocks).sum(axis=1) / (blocks @ pairs)


def percentile_interval(draws, confidence=CONFIDENCE, method="linear"):
    """Return the interval ``low, high`` that leaves out as many draws below as above.

    See `numpy.quantile` for the method; ``nearest`` gives values that were sampled.
    """
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(draws, tails, method=method)
    return low, high
