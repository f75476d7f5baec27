"""The tables of the study, each made from its scores."""

import pandas as pd

from reproduction.scores.intervals import student_interval
from reproduction.studies.beyond.constants import spell, used_value
from reproduction.studies.near_optimal.tables import TABULATE as PAPERS


def tabulate_constants(given):
    """Return how much is lost with each other value, nats per word: the mean over texts and seeds.

    ``difference`` is the loss with the ``other`` value minus that with the one ``used``, on the
    same text from the same seed. Its 95 % interval, ``low`` to ``high``, is Student's.
    """
    scores = given.scores.fillna({"constant": "", "value": ""})
    sums = scores.groupby(["constant", "value", "corpus", "seed"])[["loss", "pairs"]].sum()
    losses = sums["loss"] / sums["pairs"]
    base, rows = losses.loc["", ""], []
    for name, values in given.entry["changes"].items():
        for value in map(spell, values):
            mean, low, high = student_interval(losses.loc[name, value] - base)
            rows.append(
                {
                    "constant": name,
                    "meaning": given.entry["meanings"][name],
                    "used": spell(used_value(name)),
                    "other": value,
                    "difference": mean,
                    "low": low,
                    "high": high,
                    "fits": len(base),
                }
            )
    return pd.DataFrame(rows)


TABULATE = PAPERS | {"beyond-constants": tabulate_constants}
