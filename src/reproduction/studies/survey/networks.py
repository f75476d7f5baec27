"""The neural models of Table 1: each network alone, and mixed with a trigram."""

from dataclasses import replace

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from condprob.catalogue import method
from reproduction.corpora.blocks import read_block
from reproduction.scores.intervals import paired_difference
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.sentences import tell_losses
from reproduction.studies.survey.arithmetic import pick
from reproduction.studies.survey.parts.perplexities import (
    ALONE,
    CLASSES,
    DIRECT,
    LARGE,
    PLAIN,
    PRINTED,
    WORDS,
)
from reproduction.studies.survey.perplexities import describe_training
from reproduction.verdicts.cases import at_least, make_case

LEAST = 1e-6  # nats per word that a difference is above zero
NEAR = 0.05  # how far a ratio of perplexities may be off the one in print


def score_networks(root, inputs, methods, given):
    """Score a network, mixed and alone: a scorer (`study.Job`).

    The training part trains, the stopping part stops it and tells the weight of the trigram, which
    is counted in the training part, too. Sums are on one thread: jobs run side by side.

    Parameters
    ----------
    root : int
    inputs : mapping
        ``words``: a file of `texts.save_texts`.
    methods : mapping
        Two entries, which differ in the weight of the trigram: the second has none.
    given : mapping
        ``orders``, of which there is one, and perhaps a ``checkpoint``.
    """
    train, test, *others = read_block(inputs["words"])
    if not train.n:  # a text that could not be had
        return
    train, ended, stop = (part.with_stops() for part in (train, test, *others))
    (name, entry), (alone, _) = methods.items()
    options = {key: value for key, value in entry.items() if key != "method"}
    (order,) = given["orders"]
    kept = {"checkpoint": given["checkpoint"]} if "checkpoint" in given else {}
    seed = spawn_seed(root, "table", name, order)
    with threadpool_limits(1):
        model = method(entry["method"], **options).fit_beside(train, stop, order, seed, **kept)
        for called, each in ((name, model), (alone, replace(model, share=0.0))):
            told = describe_training(train) | {"method": called, "order": order}
            told |= {"parameters": each.parameters, "converged": each.ended != "limit"}
            told |= {"steps": each.history.size - 1}
            yield from tell_losses(told, ended, -each.score(ended))


def check_networks(scores):
    """Compare networks with each other and with n-grams on the test part of Brown."""
    if not len(scores):
        return
    highest = scores.groupby("method")["order"].max()
    rows = {name: pick(scores, name, order) for name, order in highest.items()}
    better = (("n-order-networks", LARGE, DIRECT), ("n-order-classes", DIRECT, CLASSES))
    better += tuple(("n-mixing", name, name + ALONE) for name in (LARGE, DIRECT, PLAIN))
    better += (("n-direct-alone", DIRECT + ALONE, PLAIN + ALONE), ("n-direct-mixed", PLAIN, DIRECT))
    for check, one, other in better:
        if one in rows and other in rows:
            _, low, _ = paired_difference(pd.concat([rows[one], rows[other]]), one, other)
            what = f"low end of what {one} gains on {other}, nats per word"
            yield at_least(check, what, low, LEAST)
    for name, printed in ((DIRECT, "MLP8"), (LARGE, "MLP10")):
        if name in rows and WORDS in rows:
            own, beside = (rows[each]["loss"].sum() / rows[each]["pairs"].sum()
                           for each in (name, WORDS))  # fmt: skip
            ratio, printed = np.exp(own - beside), PRINTED[printed] / PRINTED["Kneser-Ney"]
            what = f"{name}: its perplexity over Kneser-Ney's, {ratio:.3f}, is off {printed:.3f} by"
            yield make_case("n-cells", what, abs(ratio / printed - 1), NEAR)
