"""Mistakes in how the values of this study's section of the config go together."""

from reproduction.config.exhibits import is_among, single_fits
from reproduction.config.schema import show


def find_mistakes(section, sections):
    """Ask for a corpus of NLTK's, for methods that exist, and for parts no longer than the text."""
    yield from is_among(("corpus",), section["corpus"], sections["corpora"], "the corpora")
    if sections["corpora"].get(section["corpus"], {}).get("source", "nltk") != "nltk":
        text = f"{show(section['corpus'])} is not allowed; must be one with tags, of NLTK's"
        yield ("corpus",), text
    yield from single_fits((), section, sections)
    for part in ("default", "large"):
        for position, name in enumerate(section.get(part, {}).get("methods", [])):
            path = part, "methods", position
            yield from is_among(path, name, section["methods"], "its methods")
    held_out, train = sum(section["choose"].values()), section["train"]
    if held_out > train:
        yield ("choose",), f"train + test = {held_out} words; must be at most train = {train}"
    for position, size in enumerate(section["sizes"]):
        if size > train:
            yield ("sizes", position), f"{size} is not allowed; must be at most train = {train}"
