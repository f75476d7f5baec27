"""The cutting of texts into words: a model keeps it, and uses it again for further texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from itertools import chain
from os.path import isfile
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from condprob.checks import check_choice, check_integer, in_brief, warn_caller
from condprob.checks.values import as_argument, as_list
from condprob.files.data_files import COMPRESSED, OF_TABLES, ending_of, read_text
from condprob.text.sentences import Sentences
from condprob.tokenizers import (
    END,
    START,
    TOKENIZERS,
    UNKNOWN,
    check_encoding,
    lines_of,
    split_whitespace,
    width_of_wrapping,
)
from condprob.vocabulary import Vocabulary

OF_FILES = (".txt", *COMPRESSED, *OF_TABLES)  # endings of names of files
Source = str | Path | Iterable[str] | Iterable[list[str]] | Iterable[Path]


@dataclass(frozen=True)
class Text:
    """Rules for splitting a text into words and sentences.

    Attributes
    ----------
    tokenizer : str
        Name of the tokenizer, a key of `condprob.tokenizers.TOKENIZERS`.
    lines : bool
        Whether each line is a sentence: no history reaches over its start, and its end ``</s>`` is
        predicted like a word. Otherwise the text is one sentence without an end.
    min_count : int
        Words of the training text that occur less often are unknown.
    unknown : int or None
        Size of the class of unknown words, ``<unk>``: an unknown word has the probability of the
        class divided by this size. With zero there is no class: unknown words are left out, no
        history reaches over them, and the word after one is scored like the first of a sentence.
        None means zero if ``min_count`` is one, and otherwise the number of words that
        ``min_count`` makes unknown.
    encoding : str
        Encoding of files.

    Examples
    --------
    >>> from condprob import Text, fit_text
    >>> model = fit_text(["the cat sat", "the dog sat"], order=2, text=Text(min_count=2))
    >>> model.words.labels([1, 2])
    ['sat', 'the']
    """

    tokenizer: str = "whitespace"
    lines: bool = True
    min_count: int = 1
    unknown: int | None = None
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        check_choice("tokenizer", self.tokenizer, tuple(TOKENIZERS))
        check_encoding(self.encoding)
        object.__setattr__(self, "lines", as_argument(self.lines))
        if not isinstance(self.lines, bool):
            raise ValueError(f"lines = {in_brief(self.lines)}: must be true or false")
        object.__setattr__(self, "min_count", check_integer("min_count", self.min_count, 1))
        if self.unknown is not None:
            object.__setattr__(self, "unknown", check_integer("unknown", self.unknown, 0))

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> "Text":
        """Build it from the arguments in a file, or raise ValueError for an unknown argument."""
        try:
            return cls(**options)
        except TypeError:
            raise ValueError(f"not known: the text has {in_brief(options)}") from None

    def sentences(self, source: Source, *, keep_empty: bool = False) -> list[list[str]]:
        """Return the sentences of a text as lists of words.

        Parameters
        ----------
        source : path, str, or iterable of str, of lists of words or of paths
            A path names a file; a string is the text itself. An iterable has sentences, which are
            cut already if they are lists of words, or files, which are read one after the other.
        keep_empty : bool
            Whether a line without words is a sentence; by default there is none.

        Raises
        ------
        ValueError
            If a string looks like the name of a file, the source or a sentence is no text, or a
            mark of a sentence's end stands inside of a sentence. At an end it is the mark itself.
        """
        return self.cut(self._read(source), keep_empty)

    def sentences_to_fit(self, source: Source) -> list[list[str]]:
        """Do what `sentences` says with the text of a fit.

        Warns
        -----
        UserWarning
            If sentences run over the ends of lines, which an editor has wrapped, or if the text
            looks like a table.
        """
        read = self._read(source)
        lines = lines_of(read) if isinstance(read, str) else read
        if all(isinstance(line, str) for line in lines):
            if _is_like_a_table(source, lines):
                warn_caller(
                    "the text looks like a table. `fit` reads tables; on the command line, "
                    "--columns, --crosstab or --ngrams does"
                )
            if self.lines and (width := width_of_wrapping(lines)):
                warn_caller(
                    f"the lines look wrapped at {width} columns, so that sentences run over their "
                    "ends, but each line is read as a sentence. Text(lines=False), or --no-lines, "
                    "reads one sequence"
                )
        return self.cut(read)

    def _read(self, source: Source) -> Any:
        """Return a source as a text, or as a list of sentences."""
        if isinstance(source, Path):
            source = [source]
        if isinstance(source, str):
            _refuse_name(source)
            return source
        _refuse_no_text(source)
        if isinstance(source, set | frozenset):
            source = self._in_order(source)
        parts = as_list(source)
        if not any(isinstance(part, Path) for part in parts):
            return parts
        other = next((part for part in parts if not isinstance(part, Path)), None)
        if other is not None:
            raise ValueError(f"{in_brief(other)} among paths: sentences or paths, not both")
        return "\n".join(read_text(str(path), self.encoding) for path in parts)

    def _in_order(self, several: Set) -> list:
        """Return a set of sentences or paths in sorted order; ValueError if they are a sequence."""
        hint = "has no order: give a list, such as sorted(...)"
        if not self.lines:
            raise ValueError(f"{in_brief(several)} {hint}")
        try:
            return sorted(several)
        except TypeError:
            raise ValueError(f"{in_brief(several)} {hint}") from None

    def cut(
        self, source: str | Iterable[str] | Iterable[list[str]], keep_empty: bool = False
    ) -> list[list[str]]:
        """Do what `sentences` says with a source that is no path, whatever it looks like."""
        cut = TOKENIZERS[self.tokenizer]
        if not self.lines:
            parts = [source] if isinstance(source, str) else source
            found = (
                cut(p) if isinstance(p, str) else words_of(p, f"sentence {i}")
                for i, p in enumerate(parts)
            )
            return [list(chain.from_iterable(found))]
        found, seen = [], {}
        for place, part in enumerate(lines_of(source) if isinstance(source, str) else source):
            if not isinstance(part, str):
                words = _without_marks(words_of(part, f"sentence {place}"), place)
            elif START in part or END in part:  # before a tokenizer cuts these
                words = cut(" ".join(_without_marks(split_whitespace(part), place)))
            else:
                words = cut(part)
                words = [*map(seen.setdefault, words, words)]  # one object for all equal words
            if words or keep_empty:
                found.append([*words, END])
        return found

    def learn(
        self,
        sentences: list[list[str]],
        known: Iterable[str] = (),
        further: Iterable[str] = (),
    ) -> tuple["Text", Vocabulary]:
        """Return the text with the size of its unknown class, and the vocabulary of sentences.

        Words of lines are numbered in sorted order, so that the order of lines does not change a
        fit to counts. Words of a text that is one sequence are numbered by first appearance.

        Parameters
        ----------
        sentences : list of lists of words
            The training sentences.
        known : iterable of str
            Words to include even if they do not occur. They are numbered first, so that texts with
            the same known words number them alike.
        further : iterable of str
            Likewise, numbered last.

        Raises
        ------
        ValueError
            If there is no word, or if no word occurs ``min_count`` times and none is known besides.
        """
        try:
            times = Counter(chain.from_iterable(sentences))
        except TypeError:  # a list among the words, as of paragraphs
            words = chain.from_iterable(sentences)
            self._refuse_other(next(word for word in words if not isinstance(word, str)))
        return self.learn_counts(times, known, further)

    @staticmethod
    def _refuse_other(word: object) -> NoReturn:
        kind = type(word).__name__
        raise ValueError(f"the word {in_brief(word)} is of type {kind}: words must be texts")

    def learn_counts(
        self, times: Mapping[str, int], known: Iterable[str] = (), further: Iterable[str] = ()
    ) -> tuple["Text", Vocabulary]:
        """Do what `learn` says with how often each word occurs."""
        if not times:
            raise ValueError("the text has no words")
        known, further = list(known), list(further)
        other = next((word for word in [*times, *known] if not isinstance(word, str)), None)
        if other is not None:
            self._refuse_other(other)
        named = {END, *known, *further}
        listed = sorted(times) if self.lines else times
        kept = [w for w in listed if times[w] >= self.min_count or w in named]
        size = self.unknown
        if size is None:
            size = max(len(times) - len(kept), 1) if self.min_count > 1 else 0
        words = Vocabulary(chain(known, kept, further, [UNKNOWN] if size else []))
        if self.min_count > 1 and not {*kept, *known, *further} - {END}:
            most = max((n for word, n in times.items() if word != END), default=0)
            problem = f"no word occurs so often, the largest count is {most:,}"
            raise ValueError(f"min_count = {in_brief(self.min_count)}: {problem}")
        return replace(self, unknown=size), words

    def number(self, sentences: list[list[str]], words: Vocabulary) -> tuple[Sentences, np.ndarray]:
        """Return sentences in numbers, and whether each word is unknown, shape (all words,).

        Unknown words have the number of their class. Without a class they are left out, and the
        sentence is cut there. The end of a line is no word where none is known, as in some models
        of other programs.

        Raises
        ------
        ValueError
            If a sentence is a string, whose characters would become its words.
        """
        whole = next((sentence for sentence in sentences if isinstance(sentence, str)), None)
        if whole is not None:
            hint = "must be a list of words, as `Text.sentences` makes it"
            raise ValueError(f"the sentence {in_brief(whole)} is a string: {hint}")
        if self.lines and END not in words:
            sentences = [line[: len(line) - (line[-1:] == [END])] for line in sentences]
        class_of_unknown = words.number(UNKNOWN, -1)
        numbers = words.numbers(chain.from_iterable(sentences), class_of_unknown)
        starts = np.cumsum([0, *map(len, sentences)])
        is_unknown = numbers == class_of_unknown
        if UNKNOWN in words:
            return Sentences(len(words), numbers, starts), is_unknown
        known_before = np.append(0, np.cumsum(~is_unknown))
        cuts = np.append(starts, np.flatnonzero(is_unknown))
        starts = np.unique(known_before[cuts])
        return Sentences(len(words), numbers[~is_unknown], starts), is_unknown


def _is_like_a_table(source: Source, lines: list[str]) -> bool:
    """Whether a file is called like a table, or all lines of a text have as many tabs."""
    parts = source if isinstance(source, list | tuple) else [source]
    if any(isinstance(part, Path) and ending_of(part) in OF_TABLES for part in parts):
        return True
    tabs = {line.count("\t") for line in lines if line.strip()}
    return len(lines) > 2 and len(tabs) == 1 and tabs != {0}


def _refuse_no_text(source: object) -> None:
    """Raise ValueError unless a source is an iterable that may have sentences."""
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        kind = type(source).__name__
        hint = "must be a text, a Path, or a list of sentences or of Paths"
        raise ValueError(f"{in_brief(source)} is of type {kind}: {hint}")
    if hasattr(source, "columns"):
        hint = "pass one of its columns, such as table['text']"
        raise ValueError(f"a table with columns is no text: {hint}")
    if isinstance(source, Mapping):
        hint = "pass a list of sentences, such as list(counter.elements()) of a Counter"
        raise ValueError(f"{in_brief(source)} is a dictionary: {hint}")


def words_of(words: str | Iterable[str], name: str = "word") -> list[str]:
    """Return words as a list; a text is one word. ``name`` is the name in an error."""
    if isinstance(words, bytes) or not isinstance(words, Iterable):
        raise ValueError(f"{name} = {in_brief(words)}: must be a text or a list of words")
    return [words] if isinstance(words, str) else list(words)


def _without_marks(words: list[str], place: int) -> list[str]:
    """Return a sentence without the marks of its ends, or raise ValueError for one inside of it."""
    inside = words[words[:1] == [START] : len(words) - (words[-1:] == [END])]
    mark = next((mark for mark in (START, END) if mark in inside), None)
    if mark is not None:
        problem = f"sentence {place} has the word {mark} inside"
        raise ValueError(f"{problem}: it stands for an end, so take it out, or begin a new line")
    return inside


def _refuse_name(text: str) -> None:
    """Raise ValueError if a text looks like the name of a file."""
    if len(lines_of(text)) != 1:
        return
    is_word = len(split_whitespace(text)) == 1
    looks = is_word and (text.lower().endswith(OF_FILES) or "/" in text or "\\" in text)
    if looks or isfile(text):
        hint = f"give Path({in_brief(text)}), or the text as a list of one sentence"
        raise ValueError(f"{in_brief(text)} looks like the name of a file: {hint}")
