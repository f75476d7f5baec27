"""Settings of a method, chosen on a part of the training data that is held out: one way for all.

An option of the config's entry that is a list is chosen among its values, and a rank that the entry
does not give among the study's. The setting with the least loss on the held-out part is fitted
again to all the training data. No test word is looked at.
"""

import json

from condprob import cross_entropy
from condprob.catalogue import METHODS
from condprob.counts import CountMatrix
from condprob.splits import HELD_OUT
from reproduction.scores.estimators import build_variants


def hold_out_last(contexts, outcomes, k):
    """Return the counts of the first pairs of a text, and of the tenth of them that is last.

    READING: of a text a stretch is held out, and not pairs drawn at random: the final test is on
    a stretch, too.
    """
    cut = round((1 - HELD_OUT) * contexts.size)
    halves = (contexts[:cut], outcomes[:cut]), (contexts[cut:], outcomes[cut:])
    return tuple(CountMatrix.from_pairs(*pairs, k) for pairs in halves)


def choose_settings(entry, ranks, rest, held_out, seed):
    """Return the best estimator on the held-out part, its settings, and the loss of each setting.

    Parameters
    ----------
    entry : mapping
        Of the config's ``methods``.
    ranks : sequence of int
        Ranks to choose from, for a method that has one and whose entry gives none.
    rest, held_out : CountMatrix
        To fit, and to judge by.
    seed
        Of the fits: see `Estimator.fit`.

    Returns
    -------
    estimator : Estimator
    settings : str
        The options that were chosen, as JSON.
    losses : list of (str, float)
        Each setting with its loss, nats per pair; empty where there is nothing to choose.
    """
    variants = list(list_variants(entry, ranks))
    if len(variants) == 1:
        ((settings, estimator),) = variants
        return estimator, settings, []
    losses = [
        (settings, cross_entropy(held_out, estimator.fit(rest, seed)))
        for settings, estimator in variants
    ]
    best = min(range(len(losses)), key=lambda i: losses[i][1])
    return variants[best][1], losses[best][0], losses


def list_variants(entry, ranks):
    """Yield ``(settings, estimator)``: each combination of the values to choose from."""
    has_rank = "rank" in METHODS[entry["method"]].options and "rank" not in entry
    for rank in ranks if has_rank else (None,):
        for values, estimator in build_variants(entry, rank):
            yield json.dumps(({"rank": rank} if has_rank else {}) | values), estimator
