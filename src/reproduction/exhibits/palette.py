"""The look of each entry of the config's ``methods``: the same in every figure of every study.

A look depends on the name of the entry alone, and never on what else stands in a figure.
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
MARKERS = "oXs^vDP*hd<>pH8"
SHADES = (0.0, -0.35, 0.4, -0.65, 0.6)  # of variants: towards black, or towards white
# Another entry has one of these markers, as matplotlib writes them (points, kind and angle), which
# no entry below has. Two such entries may look alike.
OTHER_MARKERS = ((4, 1, 0), (5, 0, 180), (6, 1, 0), (7, 0, 0), (8, 1, 0), (4, 1, 45), (12, 1, 0))
OTHER_COLOURS = (ORANGE, SKY, GREEN, BLUE, VERMILION, PINK, BLACK, GREY)
OF_ORACLE = {"color": BLACK, "marker": "", "lw": 1, "ls": (0, (1, 1)), "zorder": 1}


@dataclass(frozen=True)
class Look:
    """How the curve of a method is drawn; ``is_thin`` is that of a baseline."""

    colour: str
    marker: object
    dashes: object = LINE
    is_filled: bool = True
    is_thin: bool = False

    def style(self):
        """Return the keywords of `Axes.errorbar` and of `Axes.plot` that make the curve."""
        face = self.colour if self.is_filled else "white"
        style = {"color": self.colour, "marker": self.marker, "mfc": face, "ls": self.dashes}
        return style | ({"lw": 0.8, "ms": 3.5, "zorder": 1.5} if self.is_thin else {})

    def dot(self):
        """Return the keywords of a single mark of the method."""
        return {"color": self.colour, "marker": self.marker, "mfc": self.style()["mfc"]}


LOOKS = {
    # The paper's methods, those of its Kneser-Ney, and its starts.
    "add-half": Look("#4d4d4d", "s"),
    "ad": Look(ORANGE, "^"),
    "sb": Look(BLACK, "P"),
    "kn": Look(VERMILION, "X"),
    "kn-uniform": Look(VERMILION, "D", DASHED, is_filled=False),
    "kn-floor": Look(AMBER, "h", CHAIN, is_filled=False),
    "kn-nearest": Look(BROWN, "d", DOTTED, is_filled=False),
    "kn-estimated": Look(AMBER, "p", LONG),
    "kn-modified": Look(BROWN, "X", LONG),
    "naive-add-half-lr": Look(PINK, "v"),
    "naive-ad-lr": Look(SKY, "D"),
    "add-half-lr": Look(GREEN, "<"),
    "ad-lr": Look(BLUE, "o"),
    "ad-lr-random": Look(BLUE, "o", DASHED, is_filled=False),
    "ad-lr-iterations": Look(BLUE, "8", CHAIN),
    "ad-lr-constant": Look(BLUE, "p", DOTTED),
    "unigram-add-half": Look("#555555", "+", DASHED, is_thin=True),
    "unigram-ad": Look("#999999", "x", DOTTED, is_thin=True),
    # Ours, and its rivals.
    "py-lr": Look(PLUM, "H"),
    "kn-ad-lr-learned-gt": Look(NAVY, "D", CHAIN),
    "gibbs-rows": Look("#aa4499", "*", DASHED),
    "py-lr-dirichlet": Look(PLUM, "H", DASHED, is_filled=False),
    "py-lr-by-tokens": Look(PLUM, "^", DOTTED, is_filled=False),
    "py-lr-unmixed": Look(PLUM, "v", CHAIN, is_filled=False),
    "py-lr-no-novelty": Look(PLUM, "s", LONG, is_filled=False),
    "py-lr-one-rank": Look(PLUM, "D", TWO_DOTS, is_filled=False),
    "py-lr-smallest-2": Look("#aa4466", "<", DASHED),
    "py-lr-smallest-10": Look("#aa4466", "<", LONG, is_filled=False),
    "py-lr-largest-17": Look("#aa4466", ">", DOTTED),
    "py-lr-largest-68": Look("#aa4466", ">", LONG, is_filled=False),
    "py-lr-chains-1": Look("#cc6677", "o", DOTTED),
    "py-lr-chains-2": Look("#cc6677", "d", DASHED),
    "py-lr-chains-4": Look("#cc6677", "s", CHAIN),
    "py-lr-chains-8": Look("#cc6677", "8", LONG),
    "py-lr-sweeps-100": Look("#661144", "p", DOTTED),
    "py-lr-sweeps-400": Look("#661144", "h", LONG),
    # The textbook.
    "mle": Look("#bbbbbb", "1"),
    "laplace": Look("#999999", "2", DASHED),
    "interpolated": Look("#a6761d", "3"),
    "interpolated-backoff": Look("#a6761d", "4", DASHED),
    "jm": Look("#b8860b", "h"),
    "wb": Look("#806000", "d", CHAIN),
    # The survey.
    "class-kmeans": Look(FOREST, "s", DASHED, is_filled=False),
    "class-exchange": Look(FOREST, "s"),
    "class-kn": Look(FOREST, "P", LONG),
    "mf-sgd": Look("#4477aa", "x"),
    "lsa": Look("#44aa99", "d"),
    "plsa": Look("#44aa99", "<", DASHED, is_filled=False),
    "aso": Look("#bb5566", "P"),
    "sdr": Look("#ee8866", "v"),
    "sdr-conditional": Look("#ee8866", "v", DASHED, is_filled=False),
    "lsa-words": Look("#44aa99", "d", DOTTED),
    "plsa-words": Look("#44aa99", "<", DOTTED),
    "sdr-words": Look("#ee8866", "v", DOTTED),
    "aso-words": Look("#bb5566", "P", DOTTED),
    "nplm-words": Look(BLACK, "*", DOTTED),
    "ad-lr-words": Look(BLUE, "o", DOTTED),
    "nplm": Look(BLACK, "*"),
    "nplm-8": Look("#1b2a49", "8"),
    "nplm-8-alone": Look("#1b2a49", "8", DASHED, is_filled=False),
    "nplm-8-plain": Look("#5a6ea0", "p"),
    "nplm-8-plain-alone": Look("#5a6ea0", "p", DASHED, is_filled=False),
    "nplm-10": Look("#7a3b8f", ">"),
    "nplm-10-alone": Look("#7a3b8f", ">", DASHED, is_filled=False),
    # Structured penalties: a colour for each norm, dashed with the paper's weights by depth.
    "kn-text": Look(AMBER, "p", DOTTED, is_filled=False),
    "kn-text-modified": Look(BROWN, "X", DASHED, is_filled=False),
    "kn-text-fixed": Look(VERMILION, "D", DASHED, is_filled=False),  # the same as kn-uniform
    "ll-l1": Look("#999933", "^"),
    "ll-l2": Look(GREY, "8"),
    "ll-tree2": Look(SKY, "v"),
    "ll-treeinf": Look(NAVY, "s"),
    "ll-l1-w": Look("#999933", "^", DASHED, is_filled=False),
    "ll-l2-w": Look(GREY, "8", DASHED, is_filled=False),
    "ll-tree2-w": Look(SKY, "v", DASHED, is_filled=False),
    "ll-treeinf-w": Look(NAVY, "s", DASHED, is_filled=False),
    "ll-tree2-wp": Look(SKY, "<", CHAIN, is_filled=False),
    "ll-treeinf-wp": Look(NAVY, "D", CHAIN, is_filled=False),
    "ll-l1-a": Look("#999933", ">", DOTTED),
    "ll-l2-a": Look(GREY, "p", DOTTED),
    "ll-treeinf-a": Look(NAVY, "P", DOTTED),
}


def look_of(name, id=None, turn=0):
    """Return the `Look` of an entry of the config's ``methods``.

    Parameters
    ----------
    name : str
        Of the entry.
    id : str, optional
        Its method, whose colour an entry has that is in no configuration of ours.
    turn : int
        The place of the curve among those of the entry, which sweeps an option. The first has the
        look of the entry. Others have a shade of its colour, another marker, and other dashes or
        another fill, which show in grey.
    """
    look = LOOKS.get(name)
    if look is None:
        number = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        chosen = []
        for choices in (OTHER_COLOURS, OTHER_MARKERS, DASHES, (True, False)):
            number, place = divmod(number, len(choices))
            chosen.append(choices[place])
        look = Look(*chosen)
        if id in LOOKS:
            look = replace(look, colour=LOOKS[id].colour)
    return look if turn == 0 else _vary(look, turn)


def _vary(look, turn):
    """Return the look of a further curve of an entry."""
    first = (look.dashes, look.is_filled)
    pairs = [first, *(pair for pair in product(DASHES, (False, True)) if pair != first)]
    dashes, is_filled = (
        pairs[turn] if turn < len(pairs) else ((0, (1, 2 + turn - len(pairs))), True)
    )
    place = MARKERS.index(look.marker) if look.marker in list(MARKERS) else 0
    marker = MARKERS[(place + 4 * turn) % len(MARKERS)]
    share = SHADES[turn % len(SHADES)]
    aim = np.full(3, float(share > 0))
    colour = to_hex(np.array(to_rgb(look.colour)) * (1 - abs(share)) + aim * abs(share))
    return replace(look, colour=colour, marker=marker, dashes=dashes, is_filled=is_filled)
