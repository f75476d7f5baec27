"""ARPA files, in which programs for language models exchange back-off models.

A line has three fields: the logarithm (base 10) of the probability of an n-gram's last word after
the others; the n-gram; and the logarithm of the factor of its probabilities in the next shorter
history, when the whole n-gram is the history.
"""

import re
from array import array
from dataclasses import replace
from math import isnan, nan
from os import PathLike

import numpy as np

from condprob.checks import in_brief, read_integer, read_number, warn_caller
from condprob.checks.entries import narrow
from condprob.files import check_regular, replacing
from condprob.files.data_files import compressing, ending_of, read_beginning, read_bytes
from condprob.jit import EXACT, njit
from condprob.text.backoff_model import BackoffModel
from condprob.text.suffixes import NOWHERE, SuffixTree, nodes_of
from condprob.text.tree_model import MOST_EDGES
from condprob.tokenizers import (
    ARCHIVE,
    END,
    SPACES_OF_ARPA,
    SPELLINGS,
    START,
    decode,
)

DATA = "\\data\\"  # the line before the data; readers skip the lines above it
LOG_OF_ZERO = -99.0  # stands for the logarithm of zero
# Largest distance of a row's sum from one: four decimals of a logarithm are .00012. Not measured.
LARGEST_DISTANCE_FROM_ONE = 1e-3
NOTE = "# condprob "  # the beginning of our line above the data, which KenLM skips as well
_FIELD, _LINE = re.compile(f"[^{SPACES_OF_ARPA}]+"), re.compile("[^\n]*\n?")
DIGITS, DECIMALS = 9, 13  # of a logarithm: so many digits that count, or so many decimals
# A number, and the space or tab before it: no logarithm of a float has four digits.
LONGEST_NUMBER = 20
LINES_AT_ONCE = 1 << 14  # written at once; not measured
EFFECTS_OF_NO_MARK = {
    START: "the first word of a sentence has its probability without a history",
    END: "the end of a sentence is no word, and is not scored",
}
BYTES_OF_BEGINNING = 1 << 16  # bytes in which the line before the data must stand; not measured


def is_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by its name, compressed or not."""
    return ending_of(path) == ".arpa"


def holds_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by the line before its data, or by its name."""
    beginning = read_beginning(path, BYTES_OF_BEGINNING)
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
        raise ValueError(f"{in_brief(wrong)}: must be a word without spaces, other than {START}")
    names = [word.encode() for word in [*words, START]]
    spelt = np.frombuffer(b"".join(names), np.uint8), np.cumsum([0, *map(len, names)])
    missing = [END] if END not in words else []
    sizes = np.bincount(model.tree.depth, np.diff(model.first), minlength=model.order).astype(int)
    sizes[0] = len(names) + len(missing)
    with replacing(path) as replaced, compressing(path, replaced) as file:
        head = [f"ngram {n}={size}" for n, size in enumerate(sizes.tolist(), 1)]
        noted = [f"{NOTE}{note}"] if note else []
        file.write("\n".join([*noted, DATA, *head, ""]).encode())
        for n in range(1, model.order + 1):
            lines = [f"{LOG_OF_ZERO:g}\t{word}\n" for word in missing] if n == 1 else []
            file.write("".join(["\n", f"\\{n}-grams:\n", *lines]).encode())
            level = _level(model, n)
            for start in range(0, len(level[0]), LINES_AT_ONCE):
                file.write(
                    _put_lines(*(part[start : start + LINES_AT_ONCE] for part in level), *spelt)
                )
        file.write(b"\n\\end\\\n")


def _level(model: BackoffModel, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the n-grams of ``n`` words in their order, each array of as many rows.

    They are the logarithms of the probabilities, the words, shape (n-grams, n), and the logarithms
    of the factors, NaN of an n-gram that is no context.
    """
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
    left[rank[len(ngrams) :]] = _log10(model.factor[nodes])
    order = np.argsort(rank[: len(ngrams)])
    return _log10(chances)[order], ngrams[order], left[rank[order]]


@njit(**EXACT)
def _put_lines(chances, ngrams, left, letters, ends):
    """Return the lines of n-grams, bytes; word ``w`` is ``letters[ends[w]:ends[w + 1]]``."""
    size = 2 * LONGEST_NUMBER * chances.size
    for word in ngrams.flat:
        size += ends[word + 1] - ends[word] + 1
    line = np.empty(size, dtype=np.uint8)
    at = 0
    for i in range(chances.size):
        at = _put_number(line, at, chances[i])
        for j in range(ngrams.shape[1]):
            line[at] = ord(" ") if j else ord("\t")
            at += 1
            for place in range(ends[ngrams[i, j]], ends[ngrams[i, j] + 1]):
                line[at] = letters[place]
                at += 1
        if not np.isnan(left[i]):
            line[at] = ord("\t")
            at = _put_number(line, at + 1, left[i])
        line[at] = ord("\n")
        at += 1
    return line[:at]


@njit(**EXACT)
def _put_number(line, at, value):
    """Write a number in `DIGITS` without zeros at the end; return the place after it."""
    decimals = DIGITS - 1
    while decimals < DECIMALS and abs(value) * 10**decimals < 10 ** (DIGITS - 1):
        decimals += 1
    rounded, size = np.int64(abs(value) * 10**decimals + 0.5), decimals + 1
    if value < 0 and rounded:
        line[at] = ord("-")
        at += 1
    while 10**size <= rounded:
        size += 1
    for place in range(at + size, at - 1, -1):
        if place == at + size - decimals:
            line[place] = ord(".")
        else:
            line[place] = ord("0") + rounded % 10
            rounded //= 10
    at += size + 1
    while line[at - 1] == ord("0"):
        at -= 1
    return at - 1 if line[at - 1] == ord(".") else at


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
        If a row is further from the sum one than rounding explains, or the file of another program
        has no start or no end of a sentence. KenLM refuses such a file; here an end is then no
        word, and the first word of a sentence has its probability without a history.
    """
    check_regular(path)
    try:
        text = decode(read_bytes(path), encoding)
        own, levels = _parse(text)
    except ValueError as error:
        raise ValueError(f"{path}: not an ARPA file: {error}") from None
    first, _, _ = text.partition("\n")
    note = first.removeprefix(NOTE).strip() if first.startswith(NOTE) else ""
    names = {word: word for word in own}
    for word in () if note else [word for word in names if word in SPELLINGS]:
        if SPELLINGS[word] not in names.values():
            names[word] = SPELLINGS[word]
    marks = {START}
    if note and next(iter(own)) == END and not levels[0][1][0]:
        marks.add(END)  # which `write_arpa` adds to a model without one, for other programs
    words = [name for name in names.values() if name not in marks]
    number = {name: place for place, name in enumerate(words)}
    number = np.array([number.get(name, len(words)) for name in names.values()])
    levels = [(number[ngrams], *numbers) for ngrams, *numbers in levels]
    model = _scaled(_build(levels, len(words)))
    for mark, effect in () if note else EFFECTS_OF_NO_MARK.items():
        if mark not in names.values():
            warn_caller(f"{path}: it has no {mark}: {effect}")
    if model.is_score:
        warn_caller(f"{path}: its rows do not sum to one, so its numbers are scores, as in KenLM")
    return model, words, note


def _parse(text):
    """Return the words, and for each order its n-grams, their probabilities, and factors.

    N-grams are rows of numbers of words. A factor is NaN where a line has none.
    """
    words, levels, sizes, found = {}, [], {}, []
    lines = enumerate((line[0].strip(SPACES_OF_ARPA) for line in _LINE.finditer(text)), 1)
    if not any(line == DATA for _, line in lines):  # `lines` goes on after it
        raise ValueError(f"it has no line {DATA}")
    for place, line in lines:
        if line.startswith("ngram ") and not levels:
            order, _, size = line.removeprefix("ngram ").partition("=")
            sizes[read_integer(order.strip())] = read_integer(size.strip())
        elif line.endswith("-grams:") and line.startswith("\\"):
            levels.append((array("i"), array("d"), array("d")))
            if line != f"\\{len(levels)}-grams:":
                raise ValueError(f"line {place}: \\{len(levels)}-grams: is missing")
        elif line == "\\end\\":
            break
        elif line and levels:
            chance, *ngram = _FIELD.findall(line)
            numbers, left = [_read_log(chance)], nan
            if len(ngram) == len(levels) + 1:
                numbers.append(_read_log(ngram.pop()))
                if numbers[1] > -LOG_OF_ZERO:
                    raise ValueError(f"line {place}: the factor of a history is too large")
                left = 10 ** numbers[1] if numbers[1] > LOG_OF_ZERO else 0.0
            if len(ngram) != len(levels) or any(map(isnan, numbers)):
                raise ValueError(f"line {place}: no {len(levels)}-gram")
            if len(levels) == 1:
                words.setdefault(ngram[0], len(words))
            unknown = next((word for word in ngram if word not in words), None)
            if unknown is not None:
                raise ValueError(f"line {place}: the word {in_brief(unknown)} has no 1-gram")
            levels[-1][0].extend(words[word] for word in ngram)
            # Rounding, and a fault of IRSTLM, write some logarithms above zero.
            levels[-1][1].append(10 ** min(numbers[0], 0) if numbers[0] > LOG_OF_ZERO else 0.0)
            levels[-1][2].append(left)
    else:
        raise ValueError("it has no line \\end\\")
    for n, (ngrams, *numbers) in enumerate(levels, 1):
        found.append((np.array(ngrams, dtype=np.intc).reshape(-1, n), *map(np.array, numbers)))
    if not words.keys() - {START}:
        raise ValueError("it has no 1-gram of a word")
    counted = [len(_distinct_rows(ngrams, len(words))) for ngrams, *_ in found]
    for n, (distinct, (ngrams, *_)) in enumerate(zip(counted, found, strict=True), 1):
        if distinct < len(ngrams):
            raise ValueError(f"a {n}-gram occurs twice")
    if not levels or [sizes.get(n) for n in range(1, len(sizes) + 1)] != counted:
        raise ValueError("the numbers of n-grams differ from those in its header")
    return words, found


def _read_log(text):
    """Return the number in a text, NaN if it is none; some programs write the log of zero so."""
    return LOG_OF_ZERO if text.lower() == "-inf" else read_number(text)


def _build(levels, words):
    """Return the model of n-grams, probabilities and factors of each order; see `_parse`."""
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


def _log10(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(values), LOG_OF_ZERO)
