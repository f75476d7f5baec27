"""Counts of n-grams as a source of texts.

Methods that know a text only by its n-grams of one order, such as Kneser-Ney, give the same fit to
its counts as to the text that was counted.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from condprob.checks import check_order, in_brief, warn_caller, whole_number
from condprob.checks.values import as_label, as_list, as_number
from condprob.files.data_files import CountsByNgram
from condprob.labels.pairs import column_names, has_columns, index_and_values, index_levels
from condprob.labels.text import Text
from condprob.text.sentences import NOTHING, NgramCounts
from condprob.tokenizers import END, START, UNKNOWN
from condprob.vocabulary import Vocabulary


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


def ngrams_of(source: Any) -> CountsByNgram:
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
        rows = list(zip(*index_and_values(source), strict=True))
    else:
        *words, counts = column_names(source)
        columns = [as_list(source[name]) for name in words]
        rows = list(zip(zip(*columns, strict=True), as_list(source[counts]), strict=True))
    found: Counter[tuple[str, ...]] = Counter()
    for words_of_row, count in rows:
        ngram = as_label(words_of_row)
        if not isinstance(ngram, tuple) or not all(isinstance(word, str) for word in ngram):
            raise ValueError(f"{in_brief(words_of_row)} is not an n-gram: must be a tuple of words")
        number = as_number(count)
        found[ngram] += (
            number
            if type(number) is int and number >= 0
            else whole_number(number, f"{in_brief(words_of_row)} has the count", count)
        )
    return dict(found)


def has_lists(source: Mapping) -> bool:
    """Whether a dictionary has columns, and not a count for each key."""
    return any(hasattr(value, "__len__") for value in source.values())


def count_sentences(
    ngrams: CountsByNgram, order: int | None, text: Text
) -> tuple[NgramCounts, tuple[Text, Vocabulary]]:
    """Return counts of n-grams of sentences in numbers, with the text and words of `Text.learn`.

    The order is the longest of the n-grams by default, and at most that. Only n-grams of this
    order count, and shorter ones that are a whole sentence: all others follow from them. A rare
    word becomes the class of unknown words, or, without a class, cuts its sentence, as in
    `Text.number`.

    Raises
    ------
    ValueError
        If the n-grams are too short, lack ``<s>``, or contain a sentence mark inside.

    Warns
    -----
    UserWarning
        If they are not all n-grams of some sentences, as where rare ones were left out.
    """
    longest = max(map(len, ngrams), default=0)
    order = longest if order is None else min(check_order(order), longest)
    if order < 2:
        raise ValueError("the n-grams have fewer than two words, so there are no contexts to fit")
    if not any(ngram[:1] == (START,) for ngram in ngrams):
        raise ValueError(
            f"the n-grams have no {START}: without it, only pairs can be fitted, order=2"
        )
    if not text.lines:
        raise ValueError(f"lines = False: n-grams with {START} come from lines")
    follows = _follows(ngrams, order)
    _warn_of_others(follows, order)
    times: Counter[str] = Counter()
    for (_, word), count in follows.items():
        times[word] += count
    before: Counter[str] = Counter()  # words that follow no other, where rare n-grams are left out
    for (history, _), count in follows.items():
        if history[-1] not in times and history[-1] != START:
            before[history[-1]] += count
    times += before
    text, words = text.learn_counts(times)
    number = {word: place for place, word in enumerate(words)}
    otherwise = number.get(UNKNOWN, NOTHING)
    number = {word: number.get(word, otherwise) for word in times} | {START: NOTHING}
    found: Counter[tuple[int, ...]] = Counter()
    for (history, word), count in follows.items():
        # Nothing stands before the start of a sentence, nor before an unknown word without a class.
        since = [number.get(each, otherwise) for each in history]
        since = [NOTHING] * (order - 1 - len(since)) + since
        for place in range(order - 2, -1, -1):
            if since[place] == NOTHING:
                since[:place] = [NOTHING] * place
                break
        if number[word] != NOTHING:
            found[(*since, number[word])] += count
    rows = np.array(list(found), dtype=np.int64).reshape(-1, order)
    in_order = np.lexsort(rows.T)  # tables and databases return groups in any
    rows, counts = rows[in_order], np.array(list(found.values()), dtype=np.int64)[in_order]
    return NgramCounts(len(words), order, rows[:, :-1], rows[:, -1], counts), (text, words)


def _follows(ngrams: CountsByNgram, order: int) -> Counter[tuple[tuple[str, ...], str]]:
    """Return how often each word follows each history of ``order - 1`` words, or of a start."""
    follows: Counter[tuple[tuple[str, ...], str]] = Counter()
    for ngram, count in ngrams.items():
        if START in ngram[1:] or END in ngram[:-1]:
            raise ValueError(f"{in_brief(' '.join(ngram))} has a sentence mark inside")
        if not count:
            continue
        if ngram[:1] != (START,):
            if len(ngram) == order:
                follows[ngram[:-1], ngram[-1]] += count
        elif len(ngram) == order or (ngram[-1] == END and len(ngram) < order):
            for length in range(1, len(ngram)):  # of a beginning, each once for each sentence
                follows[ngram[:length], ngram[length]] += count
    return follows


def _warn_of_others(follows: Counter[tuple[tuple[str, ...], str]], order: int) -> None:
    """Warn if n-grams are not all those of some sentences: a history ends as often as it begins."""
    left: Counter[tuple[str, ...]] = Counter()
    for (history, word), count in follows.items():
        left[history] += count
        left[(START,) if word == END else (*history, word)[1 - order :]] -= count
    other = next((history for history, count in left.items() if count), None)
    if other is not None:
        before = sum(count for (history, _), count in follows.items() if history == other)
        shown, after = in_brief(" ".join(other)), before - left[other]
        warn_caller(
            f"{shown} begins {before:,} n-grams of order {order} and ends {after:,}: these are not "
            "all n-grams of some sentences. If rare ones were left out, discounts and the "
            "probabilities of unseen words are estimated from the frequent ones alone"
        )
