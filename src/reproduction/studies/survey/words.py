"""Words on a map: where three methods put frequent words of Brown, and the neighbours of some."""

import numpy as np

from condprob import embed
from condprob.catalogue import method
from reproduction.corpora.blocks import read_block
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.lowdim import project
from reproduction.studies.textbook.ngrams import count_frequent


def place_words(root, inputs, methods, given):
    """Place words in a plane by each method, and find their neighbours: a scorer (`study.Job`).

    Pairs of neighbouring words that are both frequent are fitted. A word is the direction of its
    vector as a context (`condprob.embed`); the plane is that of the two principal components of
    the words shown.

    Parameters
    ----------
    root : int
    inputs : mapping
        ``words`` and ``labels``: files of `texts.save_texts`.
    methods : mapping
        Entries of the config's ``methods``, with their ranks.
    given : mapping
        How many words are ``frequent``; those ``shown``, by group; those whose neighbours are
        ``asked`` for, and how many ``neighbours``.
    """
    train, *_ = read_block(inputs["words"])
    if not train.n:
        return
    with np.load(inputs["labels"]) as file:
        labels = file["labels"]
    counts, chosen = count_frequent(train, given["frequent"])
    place = {word: i for i, word in enumerate(labels[chosen].tolist())}
    shown = [(group, word) for group, words in given["shown"].items() for word in words
             if word in place]  # fmt: skip
    for name, entry in methods.items():
        options = {key: value for key, value in entry.items() if key != "method"}
        fit = method(entry["method"], **options).fit(counts, spawn_seed(root, "words", name))
        found = embed(fit)
        vectors = found.vectors[[place[word] for _, word in shown]]
        plane = project(vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-12))
        for (group, word), (x, y) in zip(shown, plane, strict=True):
            yield {"corpus": "brown", "method": name, "group": group, "word": word, "x": x, "y": y}
        queries = [word for word in given["asked"] if word in place]
        nearest, _ = found.nearest([place[word] for word in queries], given["neighbours"])
        for word, others in zip(queries, labels[chosen][nearest], strict=True):
            yield {"corpus": "brown", "method": name, "group": "nearest", "word": word,
                   "near": ", ".join(others)}  # fmt: skip
