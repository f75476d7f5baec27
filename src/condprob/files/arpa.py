"""ARPA files, in which programs for language models exchange back-off models.

A line has three fields: the logarithm (base 10) of the probability of an n-gram's last word after
the others; the n-gram; and the logarithm of the factor of its probabilities in the next shorter
history, when the whole n-gram is the history.
"""

import re
from array import array
from collections.abc import Iterable, Iterator
from math import isnan, nan
from os import PathLike
from typing import NamedTuple

import numpy as np

from condprob.checks import in_brief, read_integer, read_number
from condprob.files import check_regular, replacing
from condprob.files.data_files import compressing, ending_of, read_beginning, read_bytes
from condprob.tokenizers import ARCHIVE, END, SPACES_OF_ARPA, START, decode

DATA = "\\data\\"  # the line before the data; readers skip the lines above it
LOG_OF_ZERO = -99.0  # stands for the logarithm of zero
NOTE = "# condprob "  # the beginning of our line above the data, which KenLM skips as well
_FIELD, _LINE = re.compile(f"[^{SPACES_OF_ARPA}]+"), re.compile("[^\n]*\n?")
LINES_AT_ONCE = 1 << 14  # written at once (chosen by hand)
BYTES_OF_BEGINNING = 1 << 16  # in which the line before the data must stand (chosen by hand)


class Level(NamedTuple):
    """The n-grams of one length.

    Attributes
    ----------
    ngrams : numpy.ndarray of int, shape (n-grams, length)
        Rows of numbers of words.
    probabilities : numpy.ndarray, shape (n-grams,)
        Of the last word after the others.
    factors : numpy.ndarray, shape (n-grams,)
        NaN where an n-gram is no history.
    """

    ngrams: np.ndarray
    probabilities: np.ndarray
    factors: np.ndarray


def is_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by its name, compressed or not."""
    return ending_of(path) == ".arpa"


def holds_arpa(path: str | PathLike[str]) -> bool:
    """Whether a file is an ARPA file by the line before its data, or by its name."""
    beginning = read_beginning(path, BYTES_OF_BEGINNING)
    has_data = DATA.encode() in map(bytes.strip, beginning.splitlines())
    return has_data or (is_arpa(path) and not beginning.startswith(ARCHIVE))


def write_levels(
    path: str | PathLike[str],
    levels: Iterable[Level],
    sizes: list[int],
    words: list[str],
    note: str = "",
) -> None:
    """Write n-grams to an ARPA file, whole or not at all.

    Parameters
    ----------
    path : str or path
        The file is packed if its name ends in .gz, .bz2 or .xz.
    levels : iterable of Level
        Those of one word, of two, and so on. Number ``len(words)`` is the start of a sentence.
    sizes : list of int
        How many n-grams each level has.
    words : list of str
        In the order of their numbers. The end of a sentence is added, with probability zero, if it
        is none of them: other programs need it.
    note : str
        One line above the data, where readers skip it.

    Raises
    ------
    ValueError
        If a word is no text, has a space, or is the start of a sentence.
    """
    wrong = next((word for word in words if not _is_word(word)), None)
    wrong = START if wrong is None and START in words else wrong
    if wrong is not None:
        raise ValueError(f"{in_brief(wrong)}: must be a word without spaces, other than {START}")
    names, missing = [*words, START], [END] if END not in words else []
    with replacing(path) as replaced, compressing(path, replaced) as file:
        sizes = [sizes[0] + len(missing), *sizes[1:]]
        head = [f"ngram {n}={size}" for n, size in enumerate(sizes, 1)]
        noted = [f"{NOTE}{note}"] if note else []
        file.write("\n".join([*noted, DATA, *head, ""]).encode())
        for n, level in enumerate(levels, 1):
            lines = [f"{LOG_OF_ZERO:g}\t{word}\n" for word in missing] if n == 1 else []
            file.write("".join(["\n", f"\\{n}-grams:\n", *lines]).encode())
            for start in range(0, len(level.ngrams), LINES_AT_ONCE):
                part = Level(*(each[start : start + LINES_AT_ONCE] for each in level))
                file.write("".join(_lines_of(part, names)).encode())
        file.write(b"\n\\end\\\n")


def _lines_of(level: Level, names: list[str]) -> Iterator[str]:
    with np.errstate(divide="ignore"):
        logs = [np.maximum(np.log10(part), LOG_OF_ZERO).tolist() for part in level[1:]]
    # All words of one place at a time: twice as fast as n-gram by n-gram.
    words = [[names[word] for word in column] for column in level.ngrams.T.tolist()]
    ngrams = map(" ".join, zip(*words, strict=True))
    for log, ngram, factor in zip(logs[0], ngrams, logs[1], strict=True):
        yield f"{log:.9g}\t{ngram}\n" if isnan(factor) else f"{log:.9g}\t{ngram}\t{factor:.9g}\n"


def _is_word(word: object) -> bool:
    """Whether a reader finds a word as it is: a text without spaces, which UTF-8 can hold."""
    if not isinstance(word, str) or _FIELD.findall(word) != [word]:
        return False
    return word.encode("utf-8", "replace").decode() == word


def read_levels(
    path: str | PathLike[str], encoding: str = "utf-8"
) -> tuple[list[Level], list[str], str]:
    """Read an ARPA file: its n-grams, its words by their numbers, and our note or an empty text.

    Raises
    ------
    ValueError
        If the file is no ARPA file.
    OSError
        If it cannot be read.
    """
    check_regular(path)
    try:
        text = decode(read_bytes(path), encoding)
        levels, words = _parse(text)
    except ValueError as error:
        raise ValueError(f"{path}: not an ARPA file: {error}") from None
    first, _, _ = text.partition("\n")
    return levels, words, first.removeprefix(NOTE).strip() if first.startswith(NOTE) else ""


def _parse(text: str) -> tuple[list[Level], list[str]]:
    """Return the n-grams of each length, and the words by their numbers."""
    words: dict[str, int] = {}
    levels: list[tuple[array, array, array]] = []
    sizes: dict[float, float] = {}
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
    found = [
        Level(np.array(ngrams, dtype=np.intc).reshape(-1, n), *map(np.array, numbers))
        for n, (ngrams, *numbers) in enumerate(levels, 1)
    ]
    if not words.keys() - {START}:
        raise ValueError("it has no 1-gram of a word")
    for n, level in enumerate(found, 1):
        in_order = level.ngrams[np.lexsort(level.ngrams.T)]
        if (in_order[1:] == in_order[:-1]).all(axis=1).any():
            raise ValueError(f"a {n}-gram occurs twice")
    if [sizes.get(n) for n in range(1, len(sizes) + 1)] != [len(level.ngrams) for level in found]:
        raise ValueError("the numbers of n-grams differ from those in its header")
    return found, [*words]


def _read_log(text: str) -> float:
    """Return the number in a text, NaN if it is none; some programs write the log of zero so."""
    return LOG_OF_ZERO if text.lower() == "-inf" else read_number(text)
