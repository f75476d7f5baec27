"""ARPA files, in which programs for language models exchange back-off models.

A line has three fields: the logarithm (base 10) of the probability of an n-gram's last word after
the others; the n-gram; and the logarithm of the factor of its probabilities in the next shorter
history, when the whole n-gram is the history.
"""

import re
from dataclasses import replace
from math import isnan
from os import PathLike

import numpy as np

from condprob.checks import in_brief, read_integer, read_number, warn_caller
from condprob.data_files import compressing, ending_of, read_beginning, read_bytes
from condprob.io import replacing
from condprob.sequences.backoff_model import BackoffModel, sums_backed_off
from condprob.sequences.suffixes import NOWHERE
from condprob.sequences.tree_model import MOST_EDGES, Contexts
from condprob.tokenizers import (
    ARCHIVE,
    END,
    SPACES_OF_ARPA,
    SPELLINGS,
    START,
    decode,
    lines_of,
)

DATA = "\\data\\"  # the line before the data; readers skip the lines above it
NEVER = -99.0  # stands for the logarithm of zero
# Largest distance of a row's sum from one: four decimals of a logarithm are .00012. Not measured.
ROUNDED = 1e-3
NOTE = "# condprob "  # the beginning of our line above the data, which KenLM skips as well
_FIELD = re.compile(f"[^{SPACES_OF_ARPA}]+")
LINES = 1 << 14  # written at once; not measured
BEGINNING = 1 << 16  # bytes in which the line before the data must stand; not measured


def is_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by its name, compressed or not."""
    return ending_of(path) == ".arpa"


def holds_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by the line before its data, or by its name."""
    beginning = read_beginning(path, BEGINNING)
    has_data = DATA.encode() in map(bytes.strip, beginning.splitlines())
    return has_data or (is_arpa(path) and not beginning.startswith(ARCHIVE))


def write_arpa(
    path: str | PathLike[str], model: BackoffModel, words: list[str], note: str = ""
) -> None:
    """Write a model to an ARPA file, whole or not at all.

    Parameters
    ----------
    path : str or path
        The file is packed if its name ends in .gz, .bz2 or .xz.
    model : BackoffModel
    words : list of str
        In the order of their numbers.
    note : str
        One line above the data, where readers skip it.

    Raises
    ------
    ValueError
        If a word is no text, has a space, or is the start of a sentence.
    """
    wrong = next((word for word in words if not _is_word(word)), None)
    wrong = START if wrong is None and START in words else wrong
    if wrong is not None or len(words) != model.words:
        raise ValueError(f"{in_brief(wrong)}: a word without spaces is needed, and none is {START}")
    names = np.array([*words, START], dtype=object)
    missing = [END] if END not in words else []
    levels = [_level(model, n) for n in range(1, model.order + 1)]
    with replacing(path) as replaced, compressing(path, replaced) as file:
        sizes = [level[0].size + (n == 0) * len(missing) for n, level in enumerate(levels)]
        head = [f"ngram {n}={size}" for n, size in enumerate(sizes, 1)]
        noted = [f"{NOTE}{note}"] if note else []
        file.write("\n".join([*noted, DATA, *head, ""]).encode())
        for n, (chances, ngrams, left) in enumerate(levels, 1):
            lines = [f"{NEVER}\t{word}\n" for word in missing] if n == 1 else []
            file.write("".join(["\n", f"\\{n}-grams:\n", *lines]).encode())
            line = "%.9g\t" + " ".join(["%s"] * n) + "%s\n"
            for start in range(0, chances.size, LINES):
                part = slice(start, start + LINES)
                # One format of many lines is several times faster than a format of each.
                fields = np.column_stack([chances[part], names[ngrams[part]], left[part]])
                file.write((line * len(fields) % tuple(fields.ravel())).encode())
        file.write(b"\n\\end\\\n")


def _level(model: BackoffModel, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the n-grams of ``n`` words in their order, each array of as many rows.

    They are the logarithms of the probabilities, the words, shape (n-grams, n), and the last fields
    of the lines, which are texts; an n-gram that is no context has an empty one.
    """
    contexts, word = model.contexts, model.word
    of_pairs = contexts.nodes_of_pairs
    pairs = np.flatnonzero(contexts.depth[of_pairs] == n - 1)
    ngrams = np.column_stack([_words_of(model, of_pairs[pairs], n - 1), word[pairs]])
    chances = _log10(model.probability[pairs])
    if n == 1:  # It has every word, and the start, which readers need.
        seen, ngrams = ngrams[:, 0], np.arange(model.words + 1)[:, None]
        found = np.repeat(_log10(contexts.factor[:1] / model.words), model.words + 1)
        found[-1], found[seen] = NEVER, chances
        chances = found
    nodes = np.flatnonzero(contexts.depth == n) if n < model.order else np.empty(0, dtype=int)
    rank = _rank_rows(np.vstack([ngrams, _words_of(model, nodes, n)]), model.words + 1)
    values, value_of = np.unique(_log10(contexts.factor[nodes]), return_inverse=True)
    fields = np.array([f"\t{value:.9g}" for value in values.tolist()], dtype=object)
    left = np.full(rank.size, "", dtype=object)
    left[rank[len(ngrams) :]] = fields[value_of]
    order = np.argsort(rank[: len(ngrams)])
    return chances[order], ngrams[order], left[rank[order]]


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
    return model.text[model.contexts.ends[nodes][:, None] - depth + np.arange(depth)]


def _is_word(word: object) -> bool:
    """Whether a reader finds a word as it is: a text without spaces, which UTF-8 can hold."""
    if not isinstance(word, str) or _FIELD.findall(word) != [word]:
        return False
    return word.encode("utf-8", "replace").decode() == word


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
        If a row is further from the sum one than rounding explains.
    """
    try:
        text = decode(read_bytes(path), encoding)
        levels, left = _parse(text)
    except ValueError as error:
        raise ValueError(f"{path}: not an ARPA file: {error}") from None
    first, _, _ = text.partition("\n")
    note = first.removeprefix(NOTE).strip() if first.startswith(NOTE) else ""
    names = {word: word for (word,) in levels[0]}
    for word in () if note else [word for word in names if word in SPELLINGS]:
        if SPELLINGS[word] not in names.values():
            names[word] = SPELLINGS[word]
    words = [name for name in names.values() if name != START]
    own = {name: word for word, name in names.items()}
    number = {own[name]: place for place, name in enumerate(words)}
    number[own.get(START, START)] = len(words)
    contexts = {(): 1.0}
    ngrams = {}
    for level in levels:
        for ngram, chance in level.items():
            try:
                *context, word = (number[w] for w in ngram)
            except KeyError as unknown:
                raise ValueError(f"{path}: the word {unknown} has no 1-gram") from None
            if word != len(words):
                ngrams[(*context, word)] = chance
            _add(contexts, tuple(context))
    for ngram, factor in left.items():
        if len(ngram) < len(levels):
            context = tuple(number[w] for w in ngram)
            _add(contexts, context)
            contexts[context] = factor
    model = _scaled(_build(contexts, ngrams, len(words), len(levels)))
    if model.is_score:
        warn_caller(
            f"{path}: its rows do not sum to one: its numbers are scores, as KenLM has them"
        )
    return model, words, note


def _parse(text):
    """Return the probabilities of the n-grams of each order, and the factors of histories."""
    levels, left, sizes, level = [], {}, {}, None
    lines = enumerate((line.strip(SPACES_OF_ARPA) for line in lines_of(text)), 1)
    if not any(line == DATA for _, line in lines):  # `lines` goes on after it
        raise ValueError(f"it has no line {DATA}")
    for place, line in lines:
        if line.startswith("ngram ") and level is None:
            order, _, size = line.removeprefix("ngram ").partition("=")
            sizes[read_integer(order.strip())] = read_integer(size.strip())
        elif line.endswith("-grams:") and line.startswith("\\"):
            level = {}
            levels.append(level)
            if line != f"\\{len(levels)}-grams:":
                raise ValueError(f"line {place}: \\{len(levels)}-grams: is needed")
        elif line == "\\end\\":
            break
        elif line and level is not None:
            chance, *ngram = _FIELD.findall(line)
            numbers = [_read_log(chance)]
            if len(ngram) == len(levels) + 1:
                numbers.append(_read_log(ngram.pop()))
                if numbers[1] > -NEVER:
                    raise ValueError(f"line {place}: the factor of a history is too large")
                left[tuple(ngram)] = 10 ** numbers[1] if numbers[1] > NEVER else 0.0
            if len(ngram) != len(levels) or any(map(isnan, numbers)):
                raise ValueError(f"line {place}: no {len(levels)}-gram")
            # Rounding, and a fault of IRSTLM, write some logarithms above zero.
            level[tuple(ngram)] = 10 ** min(numbers[0], 0) if numbers[0] > NEVER else 0.0
    else:
        raise ValueError("it does not end")
    if not levels or [sizes.get(n) for n in range(1, len(sizes) + 1)] != list(map(len, levels)):
        raise ValueError("it does not have as many n-grams as it says")
    return levels, left


def _read_log(text):
    """Return the number in a text, NaN if it is none; some programs write the log of zero so."""
    return NEVER if text.lower() == "-inf" else read_number(text)


def _add(contexts, context):
    """Add a context and all shorter ones, with the factor one where the file has none."""
    while context not in contexts:
        contexts[context] = 1.0
        context = context[1:]


def _build(contexts, ngrams, words, order):
    """Return the model, from the factors of contexts and the probabilities of n-grams."""
    ordered = sorted(contexts, key=lambda context: (len(context), context))
    node = {context: place for place, context in enumerate(ordered)}
    depth = np.array([len(context) for context in ordered])
    text = np.array([word for context in ordered for word in context], dtype=np.int64)
    parent = np.array([NOWHERE, *(node[context[1:]] for context in ordered[1:])])
    factor = np.array([contexts[context] for context in ordered])
    pairs = sorted((node[ngram[:-1]], ngram[-1], chance) for ngram, chance in ngrams.items())
    of_node = np.bincount([pair[0] for pair in pairs], minlength=depth.size)
    # Every word has a 1-gram: nothing is left to the uniform distribution behind.
    factor[0] = 0.0
    tree = Contexts(parent, depth, np.cumsum(depth), factor, np.append(0, np.cumsum(of_node)))
    word, chance = (np.array([pair[i] for pair in pairs]) for i in (1, 2))
    return BackoffModel(words, order - 1, text, tree, word, chance)


def _scaled(model):
    """Return the model with rows that sum to one exactly, or as it is if rounding is no reason."""
    contexts = model.contexts
    factor, chance = contexts.factor.copy(), model.probability.copy()
    node, scaled = contexts.nodes_of_pairs, contexts._replace(factor=factor)
    for depth in range(model.order):  # a row needs the row of the next shorter context
        at = contexts.depth == depth
        sums = np.where(at, sums_backed_off(scaled, model.word, chance, model.words), 1.0)
        if not (abs(sums - 1) <= ROUNDED).all():
            return replace(model, is_score=True)
        factor /= sums
        chance /= sums[node]
    return replace(model, contexts=scaled, probability=chance)


def _log10(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(values), NEVER)
