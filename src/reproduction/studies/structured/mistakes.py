"""Mistakes in how the values of this study's section of the config go together."""

from condprob.options import nearest
from reproduction.mistakes import show


def find_mistakes(section, config):
    """Ask for a corpus of NLTK's, own methods, blocks and orders, and parts no longer than it."""
    if config["corpora"][section["corpus"]]["source"] != "nltk":
        text = f"{show(section['corpus'])} is not allowed; must be one with tags, of NLTK's"
        yield ("corpus",), text
    for name, orders in section.get("orders_of", {}).items():
        if name not in section["methods"]:
            hint = nearest(name, section["methods"])
            yield ("orders_of", name), f"{show(name)} is none of its methods{hint}"
        for position, order in enumerate(orders):
            if order not in section["orders"]:
                yield ("orders_of", name, position), f"{order} is none of its orders"
    for position, block in enumerate(section["fitted"]):
        if block not in section["blocks"]:
            yield ("fitted", position), f"{block} is none of its blocks"
    held_out, train = sum(section["choose"].values()), section["train"]
    if held_out > train:
        yield ("choose",), f"train + test = {held_out} words; must be at most train = {train}"
    for position, size in enumerate(section["sizes"]):
        if size > train:
            yield ("sizes", position), f"{size} is not allowed; must be at most train = {train}"
