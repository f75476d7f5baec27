"""Settings, and a share of the unigram distribution, that held-out pairs choose.

Scores of low rank may leave a pair without probability. A share of the unigram distribution next to
them gives every pair some.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.matrix import ConditionalMatrix
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.progress import Parts, Progress
from condprob.run import Run
from condprob.splits import TUNING_SHARE, hold_out
from condprob.weights import mixture_weights

UNKNOWN_WEIGHT = 0.5  # the learned weight where no pairs can be held out; not measured
# The distance that a learned weight keeps from zero and from one; not measured.
SMALLEST_WEIGHT = 1e-6


class SharesUnigram(Protocol):
    """An estimator whose rows have a share of the unigram distribution, with these two options."""

    weight: float | Literal["learned"]
    discount: float


class Choice(NamedTuple):
    """The setting and the share under which the held-out pairs are most probable."""

    setting: Any
    weight: float  # of the unigram distribution
    nats: float = np.nan  # log-loss of all held-out pairs; NaN where nothing was to be chosen


def fit_chosen(
    settings: Sequence[Any],
    fit: Callable[[CountMatrix, Any], LinkedMatrix],
    counts: CountMatrix,
    estimator: SharesUnigram,
    run: Run,
) -> LinkedMatrix:
    """Return the fit to all pairs of the setting that `choose` returns, with its share."""
    parts = count_fits(settings, estimator.weight, run.progress)
    chosen = choose(settings, fit, counts, estimator, run.seed, parts)
    with parts.next():
        return replace(fit(counts, chosen.setting), weight=chosen.weight)


def count_fits(settings: Sequence[Any], weight: float | str, progress: Progress) -> Parts:
    """Return the parts of a fit that begins with `choose`: its fits, and the one to all pairs."""
    number = len(settings) + 1 if len(settings) > 1 or weight == "learned" else 1
    return Parts("fit", number, progress)


def choose(
    settings: Sequence[Any],
    fit: Callable[[CountMatrix, Any], ConditionalMatrix],
    counts: CountMatrix,
    estimator: SharesUnigram,
    seed: Seed,
    parts: Parts | None = None,
) -> Choice:
    """Return the maximum-likelihood setting of a fit, and share of the unigram next to it.

    Both are fitted to nine tenths of the pairs, chosen at random, and judged by the others. The
    likelihood is concave in the share. The search ends at the first setting that is no likelier
    than the one before it.

    Parameters
    ----------
    settings : sequence
        At least one.
    fit : function
        Takes counts and a setting, and returns a matrix without the share.
    counts : CountMatrix
    estimator : SharesUnigram
        If its weight is a number, this share is judged and returned.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    parts : Parts, optional
        Each fit is the next of them: see `count_fits`.

    Returns
    -------
    Choice
        A learned weight lies between `SMALLEST_WEIGHT` and ``1 - SMALLEST_WEIGHT``. Where one of
        the two parts has no pairs, the weight is `UNKNOWN_WEIGHT` and the setting is the first.
    """
    weight = estimator.weight
    if len(settings) == 1 and weight != "learned":
        return Choice(settings[0], float(weight))
    rest, held_out = hold_out(counts, TUNING_SHARE, seed)
    if not (rest.n and held_out.n):
        return Choice(settings[0], UNKNOWN_WEIGHT if weight == "learned" else float(weight))
    base = unigram(rest, estimator.discount)[held_out.outcomes]
    best, least = None, np.inf
    for setting in settings:
        with nullcontext() if parts is None else parts.next():
            scores = fit(rest, setting).at(held_out.contexts, held_out.outcomes)
        both, share = np.column_stack([scores, base]), weight
        if weight == "learned":
            share = learn_share(both, held_out.values)
        with np.errstate(divide="ignore"):
            nats = -held_out.values @ np.log(both @ [1 - share, share])
        if best is not None and not nats < least:
            break
        best, least = Choice(setting, float(share), float(nats)), nats
    return best


def learn_share(probabilities: np.ndarray, counts: np.ndarray) -> float:
    """Return the maximum-likelihood weight of the second of two components.

    It is at least `SMALLEST_WEIGHT` from zero and from one.

    Parameters
    ----------
    probabilities : numpy.ndarray, shape (pairs, 2)
        The probability that each component gives to each pair; one of them is above zero.
    counts : numpy.ndarray, shape (pairs,)
    """
    return float(
        np.clip(mixture_weights(probabilities.T, counts)[1], SMALLEST_WEIGHT, 1 - SMALLEST_WEIGHT)
    )
