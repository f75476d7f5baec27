"""Mistakes in how the values of this study's section of the config go together."""

from reproduction.mistakes import encoding_mistakes, same_in_capitals, show


def find_mistakes(section, config):
    """Yield the mistakes, as pairs of a path inside the section and a text.

    The first tokenizer of a corpus has to be its own; some methods have to be KN, some AD-LR.
    """
    for name, tokenizers in section["tokenizers"].items():
        own = config["corpora"][name].get("tokenizer", tokenizers[0])
        if tokenizers[0] != own:
            text = f"{show(tokenizers[0])} is not allowed; must be {show(own)}, the corpus's own"
            yield ("tokenizers", name, 0), text
    ids = {config["methods"][name]["method"] for name in section["methods"]}
    for id in ("kn", "ad-lr"):
        if id not in ids:
            text = f"{show(section['methods'])} is not allowed; must have one whose method is {id}"
            yield ("methods",), text
    collections = section.get("new_texts", {}).get("collections", {})
    yield from same_in_capitals(("new_texts", "collections"), collections)
    for name, collection in collections.items():
        for title, text in collection["texts"].items():
            for inside, mistake in encoding_mistakes(text):
                yield ("new_texts", "collections", name, "texts", title, *inside), mistake
