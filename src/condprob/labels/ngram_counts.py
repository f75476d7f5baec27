"""Counts of n-grams as a source of texts: sentences that have these counts.

The n-grams of order ``n`` of a text are the edges of a graph: each leads from its first ``n - 1``
words to its last ``n - 1`` words. A walk along every edge, as often as it was counted, from ``<s>``
over ``</s>`` to ``<s>`` again is a text with these counts (Pevzner, Tang and Waterman 2001 read
DNA so). Methods that know a text by its n-grams of this order alone, such as Kneser-Ney, have the
same fit to it as to the text that was counted.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from condprob.checks import in_brief, read_number
from condprob.data_files import read_text
from condprob.labels.pairs import column_names, has_columns, index_levels
from condprob.tokenizers import END, START, lines_of, split_whitespace
from condprob.values import as_label, as_list, as_number

Ngrams = dict[tuple[str, ...], int]


def holds_ngrams(source: Any) -> bool:
    """Whether a source is counts of n-grams, and no text.

    A dictionary has tuples as keys; ``{"the cat": 3}`` may be sentences as well, and is none. A
    table has two columns or more, and numbers in the last.
    """
    if index_levels(source) > 1:
        return True
    if isinstance(source, Mapping) and not has_lists(source):
        return bool(source) and all(isinstance(key, tuple) for key in source)
    if not has_columns(source) or len(names := column_names(source)) < 2:
        return False
    return all(as_number(count) is not None for count in as_list(source[names[-1]])[:1])


def ngrams_of(source: Any) -> Ngrams:
    """Return counts by n-grams, from any of these forms.

    Parameters
    ----------
    source : dict, table, or pandas column with an index of several levels
        ``{("the", "cat"): 3}``; a table whose last column has the counts and whose other columns
        have the words; ``df.groupby([...]).size()``.

    Raises
    ------
    ValueError
        If an n-gram is none, or a count is no whole number.
    """
    rows: list[tuple[Any, Any]]
    if isinstance(source, Mapping) and not has_lists(source):
        rows = list(source.items())
    elif index_levels(source) > 1:
        column = source[source.columns[0]] if has_columns(source) else source
        rows = list(zip(as_list(source.index), as_list(column), strict=True))
    else:
        *words, counts = column_names(source)
        columns = [as_list(source[name]) for name in words]
        rows = list(zip(zip(*columns, strict=True), as_list(source[counts]), strict=True))
    found: Counter[tuple[str, ...]] = Counter()
    for words_of_row, count in rows:
        ngram = as_label(words_of_row)
        if not isinstance(ngram, tuple) or not all(isinstance(word, str) for word in ngram):
            raise ValueError(f"{in_brief(words_of_row)} is no n-gram: a tuple of words is needed")
        found[ngram] += _whole(as_number(count), f"{in_brief(words_of_row)} has the count", count)
    return dict(found)


def has_lists(source: Mapping) -> bool:
    """Whether a dictionary has columns, and not a count for each key."""
    return any(hasattr(value, "__len__") for value in source.values())


def read_ngrams(path: str, encoding: str = "utf-8") -> Ngrams:
    """Read a file of counts: a line has the words with spaces between, a tab, and the count.

    So do SRILM's ngram-count and Google's collections write them.

    Raises
    ------
    ValueError
        If a line has another form.
    OSError
        If the file cannot be read.
    """
    found: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(lines_of(read_text(path, encoding)), start=1):
        if not line.strip():
            continue
        words, tab, count = line.rpartition("\t")
        place = f"{path}:{number}"
        if not tab:
            raise ValueError(f"{place}: {in_brief(line)}: WORDS<tab>COUNT is needed")
        found[tuple(split_whitespace(words))] += _whole(
            read_number(count), f"{place}: count", count
        )
    return dict(found)


def _whole(number: float | None, name: str, given: Any) -> int:
    if number is None or not number >= 0 or number % 1:
        raise ValueError(f"{name} {in_brief(given)}: a whole number >= 0 is needed")
    return int(number)


def sentences_with(ngrams: Ngrams, order: int | None) -> tuple[list[list[str]], int]:
    """Return sentences with these counts of n-grams, and the order.

    The order is the longest of the n-grams by default, and at most that.

    Raises
    ------
    ValueError
        If the n-grams lack ``<s>`` and ``</s>``, or are not all of some sentences.
    """
    longest = max(map(len, ngrams), default=0)
    order = longest if order is None else min(order, longest)
    if order < 2:
        raise ValueError("the n-grams have less than two words")
    if not any(ngram[0] == START for ngram in ngrams):
        raise ValueError(
            f"the n-grams have no {START}: without marks of sentences the order is 2, of pairs"
        )
    sentences: list[list[str]] = [[]]
    for word in _walk(_edges(ngrams, order), order)[1:]:
        if word == END:
            sentences.append([])
        else:
            sentences[-1].append(word)
    return list(filter(None, sentences)), order


def _edges(ngrams: Ngrams, order: int) -> dict[tuple, Counter[str]]:
    """Return how often each word follows each history of ``order - 1`` words, or of a start."""
    follows: defaultdict[tuple, Counter[str]] = defaultdict(Counter)
    for ngram, count in ngrams.items():
        is_start = ngram[0] == START
        if (
            count
            and is_start
            and (len(ngram) == order or (ngram[-1] == END and len(ngram) < order))
        ):
            for length in range(1, len(ngram)):  # of a beginning, each once for each sentence
                follows[ngram[:length]][ngram[length]] += count
        elif count and len(ngram) == order:
            follows[ngram[:-1]][ngram[-1]] += count
    entered: Counter[tuple] = Counter()
    for history, words in follows.items():
        for word, count in words.items():
            entered[(START,) if word == END else (*history, word)[1 - order :]] += count
    for history in {**follows, **entered}:
        left = sum(follows[history].values()) if history in follows else 0
        if left != entered[history]:
            shown = " ".join(history)
            raise ValueError(
                f"{in_brief(shown)} begins {left:,} n-grams of order {order} and ends "
                f"{entered[history]:,}: these are not all n-grams of some sentences; order=2 "
                f"without {START} and {END} fits pairs of words"
            )
    return follows


def _walk(follows: dict[tuple, Counter[str]], order: int) -> list[str]:
    """Return the words of a walk along every edge, from a start to it again (Hierholzer 1873)."""
    left = {history: [*words.elements()] for history, words in follows.items()}
    path: list[tuple[tuple, str]] = [((START,), START)]
    found: list[str] = []
    while path:
        history, word = path[-1]
        if left.get(history):
            following = left[history].pop()
            if following == END:
                path.append(((START,), END))
            else:
                path.append(((*history, following)[1 - order :], following))
        else:
            path.pop()
            found.append(word)
    if any(left.values()):
        raise ValueError("the n-grams are of several texts that share no history")
    return found[::-1]
