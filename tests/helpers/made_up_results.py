"""Results with known differences, as a run would leave them."""

import numpy as np
import pandas as pd

from reproduction.exhibits import panels
from reproduction.studies.near_optimal.figures import DRAW
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge
from reproduction.verdicts.source import Claim

RECEIPT = {"words": 1000, "types": 500, "train_words": 500, "test_words": 500}
WOBBLE = np.array([-0.01, 0.01, -0.01, 0.01])  # mean 0, sample variance 4e-4 / 3


def trial_scores(means, points=None, wobble=WOBBLE):
    """KL risks of four trials: the first method has 1, each other that plus its mean and wobble.

    ``means`` is ``{method: mean, or list of means}``, the list over ``points``, the values of n.
    """
    rows = []
    for at, n in enumerate(points or [100]):
        for trial, shift in enumerate(wobble):
            for place, (name, mean) in enumerate(means.items()):
                mean = mean[at] if isinstance(mean, list) else mean
                risk = 1 + mean + (shift if place else 0)
                rows.append(
                    {
                        "k": 9,
                        "rank": 2,
                        "n": n,
                        "order": 2,
                        "trial": trial,
                        "method": name,
                        "kl_risk": risk,
                        "converged": True,
                    }
                )
    return pd.DataFrame(rows)


def text_scores(losses, pairs=10, corpus="tale", n=500, rank=50, order=2):
    """Losses by block: ``losses`` is ``{method: (starts, blocks)}``, nats per pair."""
    rows = []
    for name, table in losses.items():
        for seed, blocks in enumerate(np.atleast_2d(table)):
            for block, loss in enumerate(blocks):
                rows.append(
                    {
                        "corpus": corpus,
                        "n": n,
                        "rank": rank,
                        "order": order,
                        "method": name,
                        "seed": seed,
                        "block": block,
                        "pairs": pairs,
                        "loss": loss * pairs,
                        "converged": True,
                    }
                )
    return pd.DataFrame(rows)


def results(scores=None, table=None, receipts=None):
    """One exhibit, called "made-up"."""
    return Results(
        {} if scores is None else {"made-up": scores},
        {} if table is None else {"made-up": table},
        {"tale": RECEIPT} if receipts is None else receipts,
    )


def claim(test, published=np.nan, tolerance=np.nan, **settings):
    """Return a claim on it."""
    return Claim(
        "made-up", "Table 9", "Something.", test, "made-up", published, tolerance, settings
    )


def verdict(made_up, found):
    """Return the verdict on a claim, without its numbers."""
    return judge(made_up, found)[0]["verdict"]


def draw_exhibit(table, exhibit, methods):
    """Draw an exhibit of the configuration as the workflow does: by the function of its kind."""
    return panels.draw_exhibit(DRAW[exhibit["kind"]], table, exhibit, methods)
