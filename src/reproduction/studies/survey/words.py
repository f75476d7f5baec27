"""Words on a map: where each model of the survey puts frequent words of Brown, and neighbours."""

import numpy as np

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.embeddings import embed
from reproduction.corpora.blocks import read_block
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.lowdim import project

NEAREST = "nearest"  # the group of the rows that have neighbours


def count_frequent(train, frequent):
    """Return the pairs of the most frequent words, and the numbers of these; unknown is none."""
    sums = np.bincount(train.words, minlength=train.k)
    sums[0] = 0
    chosen = np.argsort(-sums, kind="stable")[: min(frequent, np.count_nonzero(sums))]
    place = np.full(train.k + 1, -1)
    place[chosen] = np.arange(chosen.size)
    before, after = place[train.histories(2)[:, 0]], place[train.words]
    kept = (before >= 0) & (after >= 0)
    return CountMatrix.from_pairs(before[kept], after[kept], chosen.size), chosen


def place_words(root, words, labels, methods, given):
    """Place words in a plane by each method, and find their neighbours: a scorer.

    Pairs of neighbouring words that are both frequent are fitted. A word is the direction of its
    vector as a context (`condprob.embed`). The plane is that of the two principal components of
    the words shown.

    Parameters
    ----------
    root : int
    words, labels : path
        Files of `texts.save_texts`.
    methods : mapping
        Entries of the config's ``methods``, with their ranks.
    given : mapping
        How many words are ``frequent``; those ``shown``, by group; those whose neighbours are
        ``asked`` for, and how many ``neighbours``.

    Yields
    ------
    dict
        For each word shown its ``group``, its place ``x``, ``y``, and the word shown that is
        nearest to it, ``beside``. For each word asked for its neighbours, ``near``.
    """
    train, *_ = read_block(words)
    with np.load(labels) as file:
        labels = file["labels"]
    counts, chosen = count_frequent(train, given["frequent"])
    place = {word: i for i, word in enumerate(labels[chosen].tolist())}
    shown = [
        (group, word) for group, words in given["shown"].items() for word in words if word in place
    ]
    numbers = np.array([place[word] for _, word in shown], dtype=int)
    for name, entry in methods.items():
        options = {key: value for key, value in entry.items() if key != "method"}
        fit = method(entry["method"], **options).fit(counts, spawn_seed(root, "words", name))
        found = embed(fit)
        vectors = found.vectors[numbers]
        plane = project(vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1e-12))
        row = {"corpus": "brown", "method": name, "converged": fit.ended != "limit"}
        cosines = found.cosines(numbers, numbers)
        np.fill_diagonal(cosines, -np.inf)
        for i, (group, word) in enumerate(shown):
            beside = shown[cosines[i].argmax()][1]
            yield row | {
                "group": group,
                "word": word,
                "x": plane[i, 0],
                "y": plane[i, 1],
                "beside": beside,
            }
        queries = [word for word in given["asked"] if word in place]
        nearest, _ = found.nearest([place[word] for word in queries], given["neighbours"])
        for word, others in zip(queries, labels[chosen][nearest], strict=True):
            yield row | {"group": NEAREST, "word": word, "near": ", ".join(others)}


def share_beside(group, beside, rng, draws, quantile):
    """Return the share of words that are next to one of their group, and that of chance.

    Parameters
    ----------
    group : numpy.ndarray of int, shape (words,)
    beside : numpy.ndarray of int, shape (words,)
        The word nearest to each.
    rng : numpy.random.Generator
    draws : int
        Permutations of the groups.
    quantile : float
        Of the shares under them.

    Returns
    -------
    share, by_chance : float
    """
    drawn = [rng.permutation(group) for _ in range(draws)]
    by_chance = [np.mean(each == each[beside]) for each in drawn]
    return float(np.mean(group == group[beside])), float(np.quantile(by_chance, quantile))
