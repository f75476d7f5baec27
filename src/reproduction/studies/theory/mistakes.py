"""Mistakes in how the values of this study's section go together."""

from itertools import product

from reproduction.config.exhibits import is_among


def find_mistakes(section, sections):
    """Yield the place of each mistake in this study's section, with a message."""
    corpus = section["descent"]["corpus"]
    yield from is_among(("descent", "corpus"), corpus, sections["corpora"], "the corpora")
    sizes = section["quantisation"]
    for rank, levels in product(sizes["rank"], sizes["levels"]):
        if levels % (rank // 2):
            yield (
                ("quantisation", "rank"),
                (f"{rank} is not allowed with levels {levels}: half of it must divide them"),
            )
