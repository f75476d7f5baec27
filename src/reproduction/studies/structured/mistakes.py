"""Mistakes in how the values of this study's section of the config go together."""

from condprob.options import nearest
from reproduction.mistakes import show


def find_mistakes(section, config):
    """Ask for a corpus of NLTK's, for its own methods, and for parts no longer than the text."""
    if config["corpora"][section["corpus"]]["source"] != "nltk":
        text = f"{show(section['corpus'])} is not allowed; must be one with tags, of NLTK's"
        yield ("corpus",), text
    for part in ("default", "large"):
        for position, name in enumerate(section.get(part, {}).get("methods", [])):
            if name not in section["methods"]:
                hint = nearest(name, section["methods"])
                yield (part, "methods", position), f"{show(name)} is none of its methods{hint}"
    held_out, train = sum(section["choose"].values()), section["train"]
    if held_out > train:
        yield ("choose",), f"train + test = {held_out} words; must be at most train = {train}"
    for position, size in enumerate(section["sizes"]):
        if size > train:
            yield ("sizes", position), f"{size} is not allowed; must be at most train = {train}"
