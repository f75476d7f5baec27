"""The figures of a page: where they are, and what they show for those who cannot see them."""

import struct
from pathlib import Path

import pandas as pd

from reproduction.exhibits.sweeps import SIGNS, choose_x, find_variants, rows_with, tell

ON_MODELS = ("risk-curve", "risk-map")  # kinds of exhibits; others are on texts


def describe_pictures(figures):
    """Return the address and size of each exhibit's PNG, by name, for a page next to its folder.

    With the size a browser leaves room for a picture before it has loaded it.
    """
    found = {}
    for name, path in figures.items():
        with open(path, "rb") as file:
            width, height = struct.unpack(">II", file.read(24)[16:])  # of the header
        address = f"exhibits/{Path(path).name}"
        found[name] = {"address": address, "width": width, "height": height}
    return found


def describe_figure(table, exhibit, methods):
    """Say in words what a figure shows: each curve's first and last value, panel by panel."""
    of_models, x = exhibit["kind"] in ON_MODELS, choose_x(exhibit, table)
    value = "difference" if "difference" in table and not of_models else "mean"
    sizes = ("k", "rank", "n") if of_models else ("corpus",)
    panels = [size for size in sizes if size != x and size in table and table[size].nunique() > 1]
    known = table.dropna(subset=[value])
    sentences = []
    for place, panel in known.groupby(panels, sort=False) if panels else [((), known)]:
        where = [_name(size, v) for size, v in zip(panels, place, strict=True)]
        for name, values, label in find_variants(known, methods, x):
            rows = rows_with(panel[panel["method"] == name], values)
            if len(rows):
                sentences.append(f"{', '.join([*where, label])}: {_ends(rows, value, x)}")
    return f"{exhibit.get('title', '')}. In nats. {'; '.join(sentences)}."


def _ends(rows, value, x):
    """Say the first and the last value of a curve, or its only one."""
    if x is not None and rows[x].notna().all() and pd.api.types.is_numeric_dtype(rows[x]):
        rows = rows.sort_values(x)
    first, last = rows.iloc[0], rows.iloc[-1]
    if len(rows) == 1:
        return f"{first[value]:.4g}"
    return f"{first[value]:.3g} at {_name(x, first[x])}, {last[value]:.3g} at {_name(x, last[x])}"


def _name(size, value):
    """Write the value of a size, such as m = 5, or of an option; a corpus only by its name."""
    if size == "corpus":
        return value
    text = f"{value:,.0f}" if size in ("k", "rank", "n", "order") else tell(value)
    return f"{SIGNS.get(size, size)} = {text}"
