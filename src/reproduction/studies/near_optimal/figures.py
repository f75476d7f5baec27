"""The table of the exhibit that is not planned from the config alone."""

from dataclasses import replace

from reproduction.exhibits.tables import tabulate_cells


def tabulate_absolute_discounting(given):
    """Return the cells (`study.Material`) of the exhibit's own corpora and methods.

    The jobs of Table 1 have scores of others, too.
    """
    scores = given.scores
    if len(scores):
        own = scores["corpus"].isin(given.entry["corpora"])
        scores = scores[own & scores["method"].isin(given.entry["methods"])]
    return tabulate_cells(replace(given, scores=scores))
