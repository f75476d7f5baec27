"""Files of scores are read here: see `columns`."""

import csv
import os

import pandas as pd

from reproduction.scores.columns import COLUMNS, HELD_OUT


def read_scores(files, part=None, **how):
    """Read files of scores into one table, without the columns that are empty in all of them.

    The rows are those of test words, or of the ``part`` `HELD_OUT`; the rest is
    `pandas.read_csv`'s.
    """
    return read_parts(files, **how)[part == HELD_OUT]


def read_parts(files, **how):
    """Read files of scores once; return the rows of test words, and those held out."""
    for file in files:
        refuse_cut(file)
    tables = [pd.read_csv(file, **how) for file in files]
    # A table without rows has columns without a type.
    tables = [table for table in tables if len(table)] or tables[:1]
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=[*COLUMNS])
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
