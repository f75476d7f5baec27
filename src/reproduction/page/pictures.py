"""Figures inside a page: as data, small enough, and described for those who cannot see them."""

import io
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

COLOURS = 48  # of a reduced PNG: lines and letters on white need no more
UNQUOTED = " !$'()*+,-./:;=?@[]^_`{|}~"  # what may stand in a data address as it is


def embed_svg(path):
    """Return an SVG as a data address; text takes less room so than in base 64."""
    text = " ".join(Path(path).read_text(encoding="utf-8").split())
    return "data:image/svg+xml," + quote(text, safe=UNQUOTED)


def reduce_png(path):
    """Return the bytes of a PNG, reduced to `COLOURS`."""
    from PIL import Image

    with Image.open(path) as image:
        small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    raw = io.BytesIO()
    small.save(raw, "PNG", optimize=True)
    return raw.getvalue()


def embed_png(path):
    """Return a PNG as a data address, reduced to `COLOURS`."""
    return "data:image/png;base64," + b64encode(reduce_png(path)).decode()


def embed_figures(paths, limit):
    """Return ``{name: data address}``: SVG as far as the limit allows, the largest as PNG.

    Parameters
    ----------
    paths : sequence of str
        Of SVG files; a PNG of the same name lies beside each.
    limit : int
        Characters in all.
    """
    found = {Path(path).stem: (path, embed_svg(path)) for path in paths}
    for name in sorted(found, key=lambda name: -len(found[name][1])):
        if sum(len(address) for _, address in found.values()) <= limit:
            break
        path, _ = found[name]
        found[name] = path, embed_png(Path(path).with_suffix(".png"))
    return {name: address for name, (_, address) in found.items()}


def describe_figure(table, exhibit, labels):
    """Say in words what a figure shows: each curve's first and last value.

    Parameters
    ----------
    table : pandas.DataFrame
        The exhibit's CSV.
    exhibit : dict
        Its config entry.
    labels : dict
        Of the methods.
    """
    value = "difference" if "difference" in table else "mean"
    x = "rank" if exhibit["kind"] == "rank-selection" else "n"
    if table["n"].nunique() == 1 and "k" in table:
        x = "k"
    sign = {"rank": "m"}.get(x, x)
    sentences = []
    groups = table.dropna(subset=[value]).groupby(
        [column for column in ("corpus", "method") if column in table], sort=False
    )
    for names, part in groups:
        name = ", ".join([*names[:-1], labels.get(names[-1], names[-1])])
        part = part.sort_values(x)
        first, last = part.iloc[0], part.iloc[-1]
        if len(part) == 1 or exhibit["kind"] == "table":
            sentences.append(f"{name}: {first[value]:.4g}")
        else:
            sentences.append(
                f"{name}: {first[value]:.3g} at {sign} = {first[x]:,}, "
                f"{last[value]:.3g} at {sign} = {last[x]:,}"
            )
    return f"{exhibit.get('title', '')}. In nats. {'; '.join(sentences)}."
