"""Files of scores are written here: see `columns`."""

from reproduction.jobs import write_rows
from reproduction.scores.columns import COLUMNS, PAIRS


def write_scores(path, rows):
    """Write rows of scores, with a further column for each key that the schema does not have.

    Most models have order 2, and their rows need not say so.
    """
    rows = [{"order": PAIRS} | row for row in rows]
    columns = dict.fromkeys(COLUMNS)
    for row in rows:
        columns |= dict.fromkeys(row)
    write_rows(path, columns, rows)
