"""The style of each entry of the config's ``methods``: the same in every figure of every study.

An entry states it in words, as in ``style: blue o dashed hollow``. One that does not has a style by
its name. Neither depends on what else a figure shows.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product

import numpy as np
from matplotlib.colors import to_hex, to_rgb

# Okabe and Ito's palette, in which the colour blind tell colours apart, and shades of it.
GREY, BLACK = "#7f7f7f", "#000000"
ORANGE, SKY, GREEN, BLUE = "#e69f00", "#56b4e9", "#009e73", "#0072b2"
VERMILION, PINK = "#d55e00", "#cc79a7"
BROWN, AMBER, FOREST, PLUM, NAVY = "#8a3d00", "#f5a15d", "#00573f", "#882255", "#332288"
LINE, DASHED, DOTTED = "-", (0, (4, 2)), (0, (1, 1.5))
CHAIN, LONG, TWO_DOTS = (0, (6, 2, 1, 2)), (0, (8, 3)), (0, (6, 1, 1, 1, 1, 1))
DASHES = (LINE, DASHED, DOTTED, CHAIN, TWO_DOTS, LONG)
# The words of an entry's style: see `read_style`.
COLOURS = {
    **{"grey": GREY, "black": BLACK, "orange": ORANGE, "sky": SKY, "green": GREEN, "blue": BLUE},
    **{"vermilion": VERMILION, "pink": PINK, "brown": BROWN, "amber": AMBER, "forest": FOREST},
    **{"plum": PLUM, "navy": NAVY},
}
LINES = {
    **{"dashed": DASHED, "dotted": DOTTED, "dash-dot": CHAIN, "long-dashed": LONG},
    "dash-dot-dot": TWO_DOTS,
}
MARKERS = "oXs^vDP*hd<>pH8"
SHADES = (0.0, -0.35, 0.4, -0.65, 0.6)  # of variants: towards black, or towards white
# An entry without a style has one of these markers, as matplotlib writes them (points, kind and
# angle), which no style in words has. Two such entries may look alike.
OTHER_MARKERS = ((4, 1, 0), (5, 0, 180), (6, 1, 0), (7, 0, 0), (8, 1, 0), (4, 1, 45), (12, 1, 0))
OTHER_COLOURS = (ORANGE, SKY, GREEN, BLUE, VERMILION, PINK, BLACK, GREY)
OF_ORACLE = {"color": BLACK, "marker": "", "lw": 1, "ls": (0, (1, 1)), "zorder": 1}


@dataclass(frozen=True)
class Style:
    """How the curve of a method is plotted; ``is_thin`` is that of a baseline."""

    colour: str
    marker: object
    dashes: object = LINE
    is_filled: bool = True
    is_thin: bool = False

    def curve(self):
        """Return the keywords of `Axes.errorbar` and of `Axes.plot` that make the curve."""
        face = self.colour if self.is_filled else "white"
        style = {"color": self.colour, "marker": self.marker, "mfc": face, "ls": self.dashes}
        return style | ({"lw": 0.8, "ms": 3.5, "zorder": 1.5} if self.is_thin else {})

    def dot(self):
        """Return the keywords of a single mark of the method."""
        return {"color": self.colour, "marker": self.marker, "mfc": self.curve()["mfc"]}


def read_style(words):
    """Return the `Style` that an entry states in words.

    They are a colour, by its name in `COLOURS` or as ``#rrggbb``; a marker of matplotlib; and
    perhaps a line of `LINES`, ``hollow`` for markers without a filling, and ``thin``.
    """
    colour, marker, *others = words.split()
    lines = [LINES[word] for word in others if word in LINES]
    return Style(
        COLOURS.get(colour, colour),
        marker,
        lines[0] if lines else LINE,
        is_filled="hollow" not in others,
        is_thin="thin" in others,
    )


def style_of(name, methods, turn=0):
    """Return the `Style` of an entry of the config's ``methods``.

    Parameters
    ----------
    name : str
        Name of the entry.
    methods : Mapping
        Entries by name, with this one.
    turn : int
        Place of the curve among those of the entry, which sweeps an option. The first has the style
        of the entry. Others have a shade of its colour, another marker, and other dashes or another
        fill, which show in grey.
    """
    words = methods[name].get("style")
    style = read_style(words) if words else _choose_style(name)
    return style if turn == 0 else _vary(style, turn)


def _choose_style(name):
    """Return a style that is derived only from a name."""
    number = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
    chosen = []
    for choices in (OTHER_COLOURS, OTHER_MARKERS, DASHES, (True, False)):
        number, place = divmod(number, len(choices))
        chosen.append(choices[place])
    return Style(*chosen)


def _vary(style, turn):
    """Return the style of a further curve of an entry."""
    first = (style.dashes, style.is_filled)
    pairs = [first, *(pair for pair in product(DASHES, (False, True)) if pair != first)]
    dashes, is_filled = (
        pairs[turn] if turn < len(pairs) else ((0, (1, 2 + turn - len(pairs))), True)
    )
    place = MARKERS.index(style.marker) if style.marker in list(MARKERS) else 0
    marker = MARKERS[(place + 4 * turn) % len(MARKERS)]
    share = SHADES[turn % len(SHADES)]
    aim = np.full(3, float(share > 0))
    colour = to_hex(np.array(to_rgb(style.colour)) * (1 - abs(share)) + aim * abs(share))
    return replace(style, colour=colour, marker=marker, dashes=dashes, is_filled=is_filled)
