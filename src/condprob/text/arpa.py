"""Back-off models as the n-grams of ARPA files, and the other way round."""

from dataclasses import replace
from os import PathLike

import numpy as np

from condprob.checks import warn_caller
from condprob.checks.entries import narrow
from condprob.files.arpa import Level, read_levels, write_levels
from condprob.text.backoff_model import BackoffModel
from condprob.text.suffixes import NOWHERE, SuffixTree, nodes_of
from condprob.text.tree_model import MOST_EDGES
from condprob.tokenizers import END, SPELLINGS, START

# Largest distance of a row's sum from one: four decimals of a logarithm are 0.00012 (chosen by
# hand).
LARGEST_DISTANCE_FROM_ONE = 1e-3
EFFECTS_OF_NO_MARK = {
    START: "the first word of a sentence has its probability without a history",
    END: "the end of a sentence is no word, and is not scored",
}


def write_arpa(
    path: str | PathLike[str], model: BackoffModel, words: list[str], note: str = ""
) -> None:
    """Write a model to an ARPA file, whole or not at all; see `files.arpa.write_levels`."""
    if len(words) != model.words:
        raise ValueError(f"a model of {model.words} words has {len(words)} names")
    sizes = np.bincount(model.tree.depth, np.diff(model.first), minlength=model.order).astype(int)
    sizes[0] = len(words) + 1  # all words, and the start
    levels = (_level(model, n) for n in range(1, model.order + 1))
    write_levels(path, levels, sizes.tolist(), words, note)


def _level(model: BackoffModel, n: int) -> Level:
    """Return the n-grams of ``n`` words in their order."""
    depth, sizes = model.tree.depth, np.diff(model.first)
    here = np.flatnonzero(depth == n - 1)
    pairs = np.flatnonzero(np.repeat(depth == n - 1, sizes))
    histories = _words_of(model, np.repeat(here, sizes[here]), n - 1)
    ngrams, chances = np.column_stack([histories, model.word[pairs]]), model.probability[pairs]
    if n == 1:  # It has every word, and the start, which readers need.
        seen, ngrams = ngrams[:, 0], np.arange(model.words + 1, dtype=ngrams.dtype)[:, None]
        found = np.repeat(model.factor[:1] / model.words, model.words + 1)
        found[-1], found[seen] = 0.0, chances
        chances = found
    nodes = np.flatnonzero(depth == n)  # none of the longest n-grams
    rank = _rank_rows(np.vstack([ngrams, _words_of(model, nodes, n)]), model.words + 1)
    left = np.full(rank.size, np.nan)
    left[rank[len(ngrams) :]] = model.factor[nodes]
    order = np.argsort(rank[: len(ngrams)])
    return Level(ngrams[order], chances[order], left[rank[order]])


def _rank_rows(rows: np.ndarray, words: int) -> np.ndarray:
    """Return the places of rows of words, shape (n, columns), among the different rows in order."""
    rank, different = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T:
        if different * words >= MOST_EDGES:
            rank = np.unique(rank, return_inverse=True)[1]
            different = rank.size
        rank, different = rank * words + column, different * words
    return np.unique(rank, return_inverse=True)[1]


def _words_of(model: BackoffModel, nodes: np.ndarray, depth: int) -> np.ndarray:
    """Return the words of contexts of one depth, shape (nodes, depth)."""
    ends = model.tree.ends[nodes][:, None]
    return model.tree.text[ends - depth + np.arange(depth, dtype=ends.dtype)]


def read_arpa(
    path: str | PathLike[str], encoding: str = "utf-8"
) -> tuple[BackoffModel, list[str], str]:
    """Read a model, its words, and our note or an empty text.

    Marks that the file spells as in `tokenizers.SPELLINGS` are our own in the result, unless the
    file is our own.

    READING: where the digits of a file, which round its probabilities, explain that rows do not sum
    to one, every row is scaled. Otherwise the numbers are those of the file, as KenLM has them: CMU
    and others give some probability to the start of a sentence, which is no word here, and smooth
    or prune without a new factor.

    Raises
    ------
    ValueError
        If the file is no ARPA file.
    OSError
        If it cannot be read.

    Warns
    -----
    UserWarning
        If a row is further from the sum one than rounding explains, or the file of another program
        has no start or no end of a sentence. KenLM refuses such a file; here an end is then no
        word, and the first word of a sentence has its probability without a history.
    """
    levels, own, note = read_levels(path, encoding)
    names = {word: word for word in own}
    for word in () if note else [word for word in names if word in SPELLINGS]:
        if SPELLINGS[word] not in names.values():
            names[word] = SPELLINGS[word]
    marks = {START}
    if note and own[0] == END and not levels[0].probabilities[0]:
        marks.add(END)  # which `write_arpa` adds to a model without one, for other programs
    words = [name for name in names.values() if name not in marks]
    number = {name: place for place, name in enumerate(words)}
    number = np.array([number.get(name, len(words)) for name in names.values()])
    levels = [level._replace(ngrams=number[level.ngrams]) for level in levels]
    model = _scaled(_build(levels, len(words)))
    for mark, effect in () if note else EFFECTS_OF_NO_MARK.items():
        if mark not in names.values():
            warn_caller(f"{path}: it has no {mark}: {effect}")
    if model.is_score:
        warn_caller(f"{path}: its rows do not sum to one, so its numbers are scores, as in KenLM")
    return model, words, note


def _build(levels, words):
    """Return the model of the n-grams of each length."""
    contexts = [np.empty((0, len(levels)), dtype=int)]
    for (ngrams, _, left), (longer, _, _) in zip(levels[-2::-1], levels[:0:-1], strict=True):
        parts = longer[:, :-1], ngrams[~np.isnan(left)], contexts[-1][:, 1:]
        contexts.append(_distinct_rows(np.vstack(parts), words + 1))
    contexts = [np.empty((1, 0), dtype=int), *contexts[:0:-1]]
    begin = np.cumsum([0, *map(len, contexts)])
    depth = np.repeat(np.arange(len(contexts)), np.diff(begin))
    parent, factor, pairs = [np.array([NOWHERE])], np.ones(depth.size), []
    # Every word has a 1-gram: nothing is left to the uniform distribution behind.
    factor[0] = 0.0

    def numbers_of(histories):
        here = contexts[histories.shape[1]]
        rank = _rank_rows(np.vstack([here, histories]), words + 1)
        return begin[histories.shape[1]] + rank[len(here) :]

    for n, (ngrams, chances, left) in enumerate(levels, 1):
        pairs.append((numbers_of(ngrams[:, :-1]), ngrams[:, -1], chances))
        if n < len(levels):
            parent.append(numbers_of(contexts[n][:, 1:]))
            known = ~np.isnan(left)
            factor[numbers_of(ngrams[known])] = left[known]
    node, word, chance = map(np.concatenate, zip(*pairs, strict=True))
    order = np.lexsort((word, node))
    order = order[word[order] < words]  # the start of a sentence is never predicted
    first = np.append(0, np.cumsum(np.bincount(node[order], minlength=depth.size)))
    text = np.concatenate([context.ravel() for context in contexts])
    whole = (np.concatenate(parent), depth, np.cumsum(depth), first, text, word[order])
    parent, depth, ends, first, text, word = map(narrow, whole)
    tree = SuffixTree(text, parent, depth, ends)
    return BackoffModel(words, len(levels) - 1, tree, factor, first, word, chance[order])


def _distinct_rows(rows, words):
    """Return the different rows of numbers below ``words``, in order."""
    return rows[np.unique(_rank_rows(rows, words), return_index=True)[1]]


def _scaled(model):
    """Return the model with rows that sum to one exactly, or as it is if rounding is no reason."""
    scaled, node = model, nodes_of(model.first)
    for length in range(model.order):  # a row needs the row of the next shorter context
        sums = np.where(model.tree.depth == length, scaled.row_sums(), 1.0)
        if not (abs(sums - 1) <= LARGEST_DISTANCE_FROM_ONE).all():
            return replace(model, is_score=True)
        chances = scaled.probability / sums[node]
        scaled = replace(scaled, factor=scaled.factor / sums, probability=chances)
    return scaled
