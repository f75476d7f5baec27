"""Mistakes in how the values of this study's section go together."""

from itertools import product


def find_mistakes(section, _):
    """Yield the ranks of which half does not divide the levels, by their place in the section."""
    sizes = section["quantisation"]
    for (position, rank), levels in product(enumerate(sizes["rank"]), sizes["levels"]):
        if levels % (rank // 2):
            text = f"{rank} is not allowed with levels {levels}: half of it must divide them"
            yield ("quantisation", "rank", position), text
