"""Intervals for paired differences: of trials on the same counts, of losses on the same words."""

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95
DRAWS = 4000  # of a bootstrap: its quantiles are then stable to a few per cent of the width
SEED = 2016  # of every bootstrap: one reading of the results has one interval


def paired_difference(rows, better, worse, confidence=CONFIDENCE):
    """Return the mean of worse minus better, with its interval.

    Parameters
    ----------
    rows : pandas.DataFrame
        At one point of an exhibit: rows of `trials.score_trials`, paired by trial, or of
        `text.score_text`, paired by block of test words and averaged over starts.
    better, worse : str
        Names of methods.

    Returns
    -------
    difference, low, high : float
        Nats; nats per word for text.
    """
    if "trial" in rows:
        table = rows.pivot(index="trial", columns="method", values="kl_risk")
        return student_interval((table[worse] - table[better]).to_numpy(), confidence)
    return _block_interval(rows, better, worse, confidence)


def student_interval(values, confidence=CONFIDENCE):
    """Return the mean of independent values with Student's interval; nan of a single value."""
    mean, size = values.mean(), values.size
    if size < 2:
        return mean, np.nan, np.nan
    half = stdtrit(size - 1, (1 + confidence) / 2) * values.std(ddof=1) / np.sqrt(size)
    return mean, mean - half, mean + half


def bootstrap_weights(size, stream=0):
    """Return how often each of ``size`` items is drawn, over ``size``, shape (DRAWS, size).

    The same ``size`` and ``stream`` give the same draws: quantities that share blocks of text
    are resampled together.
    """
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(size, stream)))
    return rng.multinomial(size, np.full(size, 1 / size), size=DRAWS) / size


def _block_interval(rows, better, worse, confidence):
    """Resample the blocks of test words, the same for both methods, and each one's starts."""
    pairs = rows[rows["method"] == better].groupby("block")["pairs"].first().to_numpy()
    blocks = bootstrap_weights(pairs.size)
    value, drawn = 0.0, np.zeros(len(blocks))
    for stream, (sign, method) in enumerate([(1, worse), (-1, better)], start=1):
        part = rows[rows["method"] == method]
        losses = part.pivot(index="seed", columns="block", values="loss").to_numpy()
        starts = bootstrap_weights(len(losses), stream)
        value += sign * losses.mean(axis=0).sum() / pairs.sum()
        drawn += sign * ((starts @ losses) * blocks).sum(axis=1) / (blocks @ pairs)
    return value, *np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
