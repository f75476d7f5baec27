"""The table of the exhibit that is not planned from the config alone."""

from dataclasses import replace

from reproduction.exhibits.tables import tabulate_cells


def tabulate_absolute_discounting(given):
    """Return the cells (`study.Material`) of the exhibit's own methods.

    The jobs of Table 1 have scores of others, too.
    """
    own = given.scores["method"].isin(given.entry["methods"]) if len(given.scores) else []
    return tabulate_cells(replace(given, scores=given.scores[own] if len(own) else given.scores))
