"""The one schema of all scores.

A job that sweeps options, or readings, has a further column for each. A value that a row does not
have is empty, and a column that is empty throughout is not read. Jobs that score write rows and
read no table: pandas, whose import takes as long as a small fit, is imported where a table is read.
"""

import csv
import os

# The text and its reading, or the size of the model; pairs have order 2.
PLACE = ("corpus", "reading", "k", "rank", "n", "order")
# A fit, and a stretch of test text, or a trial; ``part`` marks rows that choose settings.
FIT = ("method", "trial", "seed", "block", "part")
# The result: the loss of so many pairs, nats in all; or the KL risk of a model, nats.
VALUES = ("pairs", "loss", "kl_risk", "converged")
# Of a model that chooses settings, or stops by a certificate.
OF_MODEL = ("chosen_penalty", "chosen_decay", "parameters", "gap", "steps")
COLUMNS = (*PLACE, *FIT, *VALUES, *OF_MODEL)
# Stretches of a test text whose losses are kept apart, for block bootstraps: rows of a fit.
BLOCKS = 50
PAIRS = 2  # the order of a model of pairs
HELD_OUT = "held-out"  # the part of rows that are no scores of test words
ALL = "all"  # collections, corpora, or texts, together, in tables


def complete_row(row):
    """Return a row of scores with the order that most have."""
    return {"order": PAIRS} | row


def read_scores(files, part=None, **how):
    """Read files of scores into one table, without the columns that are empty in all of them.

    The rows are those of test words, or of the ``part`` `HELD_OUT`; the rest is
    `pandas.read_csv`'s.
    """
    return read_parts(files, **how)[part == HELD_OUT]


def read_parts(files, **how):
    """Read files of scores once; return the rows of test words, and those held out."""
    import pandas as pd

    files = list(files)
    for file in files:
        refuse_cut(file)
    table = join_tables(pd.read_csv(file, **how) for file in files)
    held_out = table["part"] == HELD_OUT
    parts = [table[rows].reset_index(drop=True) for rows in (~held_out, held_out)]
    return [part.dropna(axis=1, how="all") if len(part) else part for part in parts]


def refuse_cut(path):
    """Raise ValueError for a file of scores that lost its end, or the end of a row.

    pandas would read the rest of a number as a number, and the rest of a row as a row.
    """
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        cells = len(next(rows, ()))
        short = next((rows.line_num for row in rows if len(row) != cells), None)
    with open(path, "rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
        if short is None and file.read(1) == b"\n":
            return
    where = f"line {short}" if short else "the last line"
    raise ValueError(f"{path}: {where} was cut short. Remove the file and run again")


def join_tables(frames):
    """Join tables but for empty ones, of corpora not to be had: their columns have no type."""
    import pandas as pd

    frames = list(frames)
    return pd.concat([frame for frame in frames if len(frame)] or frames[:1], ignore_index=True)
