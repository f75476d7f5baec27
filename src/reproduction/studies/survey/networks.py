"""The neural models of Table 1, alone and mixed with a trigram; and the cases of its claims."""

from dataclasses import replace

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from reproduction.scores.estimators import build_estimator
from reproduction.scores.orders import score_orders
from reproduction.scores.pairs import paired_difference
from reproduction.studies.survey.parts import (
    ALONE,
    CLASSES,
    DIRECT,
    LARGE,
    PLAIN,
    PRINTED,
    WORDS,
)
from reproduction.verdicts.cases import at_least, make_case

LEAST = 1e-6  # nats per word that a difference is above zero
NEAR = 0.05  # how far a ratio of perplexities may be off the one in print


def score_networks(root, inputs, methods, given):
    """Score a network, mixed and alone, from one fit: a scorer (`study.Job`).

    Of two entries of methods, which differ in the weight of the trigram, the second has none. The
    stopping part stops the training and gives the weight of the trigram, which is counted in the
    training part, too. Sums are on one thread: jobs run side by side.
    """
    with threadpool_limits(1):
        yield from score_orders(root, inputs, methods, given, fit_network)


def fit_network(train, stop, methods, order, seed_of, given):
    """Yield a network mixed with its trigram, and the same alone."""
    (name, entry), (alone, _) = methods.items()
    kept = {"checkpoint": given["checkpoint"]} if "checkpoint" in given else {}
    model = build_estimator(entry).fit_beside(train, stop, order, seed_of(name), **kept)
    for called, each in ((name, model), (alone, replace(model, share=0.0))):
        yield called, each, {"steps": each.history.size - 1}


def check_table(scores):
    """Compare models of Table 1 with each other on the test part of Brown."""
    if not len(scores):
        return
    rows = [pick(scores, *each) for each in ((WORDS, 5), (CLASSES, 3))]
    if all(map(len, rows)):
        _, low, _ = paired_difference(pd.concat(rows), CLASSES, WORDS)
        case = "low end of what classes of order 3 gain on words of order 5, nats per word"
        yield at_least("n-classes", case, low, LEAST)
    yield from check_networks(scores)


def pick(scores, method, order):
    """Return the rows of one model at one order."""
    return scores[(scores["method"] == method) & (scores["order"] == order)]


def check_networks(scores):
    """Compare networks with each other and with n-grams on the test part of Brown."""
    highest = scores.groupby("method")["order"].max()
    rows = {name: pick(scores, name, order) for name, order in highest.items()}
    better = (("n-order-networks", LARGE, DIRECT), ("n-order-classes", DIRECT, CLASSES))
    better += tuple(("n-mixing", name, name + ALONE) for name in (LARGE, DIRECT, PLAIN))
    better += (("n-direct-alone", DIRECT + ALONE, PLAIN + ALONE), ("n-direct-mixed", PLAIN, DIRECT))
    for check, one, other in better:
        if one in rows and other in rows:
            _, low, _ = paired_difference(pd.concat([rows[one], rows[other]]), one, other)
            case = f"low end of what {one} gains on {other}, nats per word"
            yield at_least(check, case, low, LEAST)
    for name, printed in ((DIRECT, "MLP8"), (LARGE, "MLP10")):
        if name in rows and WORDS in rows:
            own, beside = (rows[each]["loss"].sum() / rows[each]["pairs"].sum()
                           for each in (name, WORDS))  # fmt: skip
            ratio, printed = np.exp(own - beside), PRINTED[printed] / PRINTED["Kneser-Ney"]
            case = f"{name}: its perplexity over Kneser-Ney's, {ratio:.3f}, is off {printed:.3f} by"
            yield make_case("n-cells", case, abs(ratio / printed - 1), NEAR)
