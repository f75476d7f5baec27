"""Sweeps in a tidy table: which options vary, over which values, and the horizontal axis."""

import pandas as pd

from reproduction.scores.columns import OF_MODEL, ORACLE

COLUMNS = {  # of the tables; a further one is an option that some method sweeps
    *("corpus", "k", "rank", "n", "method", "mean", "low", "high", "sd", "trials", "seeds"),
    *("converged", "difference", "difference_low", "difference_high", "paper", "error"),
    *("order", "perplexity", ORACLE, *OF_MODEL),
}
SIGNS = {"rank": "m"}  # of the sizes that have another name in the paper


def option_columns(table):
    """Return the options that some method of a table sweeps: its columns beyond the known ones."""
    return [column for column in table.columns if column not in COLUMNS]


def swept_values(part, options):
    """Return the values of the options that the rows of one method sweep, each combination once.

    Where it sweeps none there is one, empty.
    """
    found = [
        {option: row[option] for option in options if pd.notna(row[option])}
        for row in part[options].to_dict("records")
    ]
    return [values for place, values in enumerate(found) if values not in found[:place]] or [{}]


def rows_with(part, values):
    """Return the rows of a table that have these values of the options."""
    for option, value in values.items():
        part = part[part[option] == value]
    return part


def find_variants(table, methods, x=None):
    """Return the variants in a table: each method, at each value that it sweeps.

    Each is its name, the values of its options and its label, in the order of the methods. An
    option ``x`` that runs along the axis of a figure does not tell two variants apart.
    """
    swept, found = [option for option in option_columns(table) if option != x], []
    for name, entry in methods.items():
        for values in swept_values(table[table["method"] == name], swept):
            words = [f"{option} = {tell(value)}" for option, value in values.items()]
            found.append((name, values, ", ".join([entry.get("label", name), *words])))
    return found


def choose_x(exhibit, table):
    """Return the column that runs along the horizontal axis of a figure; of a table none does.

    As the exhibit says, or else the first of n, k, rank and the swept options with several values.
    """
    if exhibit["kind"] == "table":
        return None
    if exhibit["kind"] == "rank-selection":
        return "rank"
    columns = ["n", "k", "rank", *option_columns(table)]
    several = [c for c in columns if c in table and table[c].nunique() > 1]
    return exhibit.get("x") or (several or ["n"])[0]


def tell(value):
    """Write the value of an option."""
    return f"{value:g}" if isinstance(value, float) else str(value)
