"""Mistakes in how the values of this study's section of the config go together."""

from reproduction.config.checks import encoding_exists, names_fit
from reproduction.config.exhibits import is_among, single_fits
from reproduction.config.schema import show


def find_mistakes(section, sections):
    """Yield the mistakes, as pairs of a path inside the section and a text.

    The corpora of the grid have to exist, the first tokenizer of each its own; the methods have to
    exist, none of them swept, of which some are KN and some AD-LR.
    """
    for name, tokenizers in section["tokenizers"].items():
        path = ("tokenizers", name)
        yield from is_among(path, name, sections["corpora"], "the corpora")
        own = sections["corpora"].get(name, {}).get("tokenizer", tokenizers[0])
        if tokenizers[0] != own:
            text = f"{show(tokenizers[0])} is not allowed; must be {show(own)}, the corpus's own"
            yield (*path, 0), text
    yield from single_fits((), section, sections)
    for id in ("kn", "ad-lr"):
        methods = (sections["methods"].get(name, {}) for name in section["methods"])
        if not any(entry.get("method") == id for entry in methods):
            text = f"{show(section['methods'])} is not allowed; must have one whose method is {id}"
            yield ("methods",), text
    path, collections = ("new_texts", "collections"), section.get("new_texts", {})
    collections = collections.get("collections", {})
    yield from names_fit(path, collections)
    for name, collection in collections.items():
        for title, text in collection["texts"].items():
            for inside, mistake in encoding_exists(text, sections):
                yield (*path, name, "texts", title, *inside), mistake
