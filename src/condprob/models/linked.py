"""What methods share whose scores may leave a pair no probability: some of the unigram's."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, Literal, NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.matrix import ConditionalMatrix
from condprob.models.rivals.mixtures import learn_weights
from condprob.models.textbook.interpolation import ALMOST
from condprob.runtime.progress import Parts
from condprob.splits import HELD_OUT, hold_out

UNTOLD = 0.5  # the weight where there are no pairs to learn it from; not measured


def count_fits(settings: Sequence[Any], weight: float | str, progress: bool) -> Parts:
    """Return the parts of a fit that begins with `choose`: its fits, and the one to all pairs."""
    number = len(settings) + 1 if len(settings) > 1 or weight == "learned" else 1
    return Parts("fit", number, progress, may_end=len(settings) > 1)


class Choice(NamedTuple):
    """What held-out pairs have chosen."""

    setting: Any
    weight: float  # of the unigram distribution
    nats: float = np.nan  # of all held-out pairs; of none where nothing was to be chosen


def choose(
    settings: Iterable[Any],
    fit: Callable[[CountMatrix, Any], ConditionalMatrix],
    counts: CountMatrix,
    weight: float | Literal["learned"],
    discount: float,
    seed: Seed,
    told: Parts | None = None,
) -> Choice:
    """Return the setting of a fit, and the share of the unigram beside it, that are likeliest.

    Both are fitted to nine tenths of the pairs, drawn at random, and judged by the others. The
    likelihood is concave in the share. The first setting after which none is likelier is taken.

    Parameters
    ----------
    settings : iterable
        At least one.
    fit : function
        Takes counts and a setting, returns a matrix without such a share.
    counts : CountMatrix
    weight : float or "learned"
        A number is the share that is judged, and returned.
    discount : float
        Of the unigram distribution, `direct.unigram`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    told : Parts, optional
        Each fit is the next of them: see `count_fits`.

    Returns
    -------
    Choice
        A learned weight is between `ALMOST` and one less it; where a part has no pairs it is
        `UNTOLD`, and the setting the first.
    """
    settings = list(settings)
    if len(settings) == 1 and weight != "learned":
        return Choice(settings[0], float(weight))
    rest, held_out = hold_out(counts, HELD_OUT, seed)
    if not (rest.n and held_out.n):
        return Choice(settings[0], UNTOLD if weight == "learned" else float(weight))
    base, best, least = unigram(rest, discount)[held_out.outcomes], None, np.inf
    for setting in settings:
        with nullcontext() if told is None else told.next():
            scores = fit(rest, setting).at(held_out.contexts, held_out.outcomes)
        both, share = np.column_stack([scores, base]), weight
        if weight == "learned":
            found = learn_weights(both, held_out.values)[1]
            share = float(np.clip(found, ALMOST, 1 - ALMOST))
        with np.errstate(divide="ignore"):
            nats = -held_out.values @ np.log(both @ [1 - share, share])
        if best is not None and not nats < least:
            break
        best, least = Choice(setting, float(share), float(nats)), nats
    return best
