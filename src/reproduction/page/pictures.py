"""Figures inside a page: as data, small enough, and described for those who cannot see them."""

import io
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from reproduction.exhibits.sweeps import SIGNS, choose_x, find_variants, rows_with, tell

PAGE_LIMIT = 1_950_000  # bytes: a page stays below 2 MB
THUMBNAIL = 320  # pixels
COLOURS = 48  # of a reduced PNG: lines and letters on white need no more
ON_MODELS = ("risk-curve", "risk-map")  # kinds of exhibits; others are on texts
UNQUOTED = " !$'()*+,-./:;=?@[]^_`{|}~"  # what may stand in a data address as it is


def embed_svg(path):
    """Return an SVG as a data address; text takes less room so than in base 64."""
    text = " ".join(Path(path).read_text(encoding="utf-8").split())
    return "data:image/svg+xml," + quote(text, safe=UNQUOTED)


def reduce_png(path, width=None):
    """Return the bytes of a PNG, reduced to `COLOURS` and at most so many pixels wide."""
    from PIL import Image

    with Image.open(path) as image:
        shown = image.convert("RGB")
        if width:
            shown.thumbnail((width, width))
        small = shown.quantize(COLOURS, dither=Image.Dither.NONE)
    raw = io.BytesIO()
    small.save(raw, "PNG", optimize=True)
    return raw.getvalue()


def embed_png(path, width=None):
    """Return a PNG as a data address, reduced as `reduce_png` does."""
    return "data:image/png;base64," + b64encode(reduce_png(path, width)).decode()


def embed_thumbnails(figures):
    """Return a small picture of each figure by name; beside each SVG lies a PNG of its name."""
    return {
        name: embed_png(Path(path).with_suffix(".png"), THUMBNAIL) for name, path in figures.items()
    }


def embed_figures(paths, limit):
    """Return ``{name: data address}``: SVG as far as the limit allows, the largest as PNG.

    The paths are those of SVG files, with a PNG of the same name beside each; the limit is of
    characters in all.
    """
    found = {Path(path).stem: (path, embed_svg(path)) for path in paths}
    for name in sorted(found, key=lambda name: -len(found[name][1])):
        if sum(len(address) for _, address in found.values()) <= limit:
            break
        path, _ = found[name]
        found[name] = path, embed_png(Path(path).with_suffix(".png"))
    return {name: address for name, (_, address) in found.items()}


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
    """Write the value of a size, such as m = 5, or of an option; a corpus by its name alone."""
    if size == "corpus":
        return value
    text = f"{value:,.0f}" if size in ("k", "rank", "n", "order") else tell(value)
    return f"{SIGNS.get(size, size)} = {text}"
