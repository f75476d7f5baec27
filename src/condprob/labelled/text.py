"""How a text becomes words: a model keeps it, and uses it again for what it scores."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from os.path import isfile
from pathlib import Path

import numpy as np

from condprob.checks import check_integer, in_brief, warn_caller
from condprob.data_files import check_encoding, check_tokenizer, read_text
from condprob.sequences.arpa import END, START, UNKNOWN
from condprob.sequences.sentences import Sentences
from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import Vocabulary

OF_FILES = (".txt", ".gz", ".bz2", ".xz", ".csv", ".tsv")  # how their names end
Source = str | Path | Iterable[str] | Iterable[list[str]] | Iterable[Path]


@dataclass(frozen=True)
class Text:
    """How a text is cut into words and sentences, and which words are known.

    Attributes
    ----------
    tokenizer : str
        One of `condprob.tokenizers.TOKENIZERS`.
    lines : bool
        Whether each line is a sentence: no history reaches over its start, and its end ``</s>`` is
        a word to be predicted. Otherwise a text is one sentence without an end.
    min_count : int
        Words of the training text that occur less often are unknown.
    unknown : int or None
        How many words the class of unknown words, ``<unk>``, is said to have: each of them has that
        part of the probability of the class. Zero is no class: unknown words are left out, and no
        history reaches over them. The word after one is then scored as the first of a sentence, to
        which KenLM, that has the class in any case, gives what it has without a history. None is
        zero where ``min_count`` is one, else as many as it makes unknown.
    encoding : str
        Of files.
    """

    tokenizer: str = "whitespace"
    lines: bool = True
    min_count: int = 1
    unknown: int | None = None
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        check_encoding(self.encoding)
        if not isinstance(self.lines, bool):
            raise ValueError(f"lines = {in_brief(self.lines)}: must be true or false")
        check_integer("min_count", self.min_count, 1)
        if self.unknown is not None:
            check_integer("unknown", self.unknown, 0)

    def sentences(self, source: Source) -> list[list[str]]:
        """Return the sentences of a text as lists of words.

        Parameters
        ----------
        source : path, str, or iterable of str, of lists of words or of paths
            A path is that of a file, a string the text itself. An iterable has sentences, whose
            words are cut already if they are lists, or files, read one after the other.

        Raises
        ------
        ValueError
            If a string looks like the name of a file, or the source or a sentence is no text.

        Warns
        -----
        UserWarning
            If words are marks of the ends of sentences, which are added.
        """
        if isinstance(source, Path):
            return self.cut(read_text(str(source), self.encoding))
        if isinstance(source, str):
            _refuse_name(source)
            return self.cut(source)
        if not _has_parts(source):
            told = "a text, a Path, or a list of sentences or of Paths is needed"
            raise ValueError(f"{in_brief(source)} is of type {type(source).__name__}: {told}")
        if hasattr(source, "columns"):
            told = "one of its columns is needed, such as table['text']"
            raise ValueError(f"a table with columns is no text: {told}")
        parts = list(source)
        if not any(isinstance(part, Path) for part in parts):
            return self.cut(parts)
        other = next((part for part in parts if not isinstance(part, Path)), None)
        if other is not None:
            raise ValueError(f"{in_brief(other)} among paths: sentences or paths, not both")
        texts = [read_text(str(part), self.encoding) for part in parts]
        return self.cut("\n".join(texts))

    def cut(self, source: str | Iterable[str] | Iterable[list[str]]) -> list[list[str]]:
        """Do what `sentences` says with what is no path, whatever it looks like."""
        cut = TOKENIZERS[self.tokenizer]
        if isinstance(source, str):
            source = source.splitlines() if self.lines else [source]
        found = [
            cut(part) if isinstance(part, str) else _words_of(part, place)
            for place, part in enumerate(source)
        ]
        if not self.lines:
            return [list(chain.from_iterable(found))]
        _warn_of_marks(found)
        return [[*words, END] for words in found if words]

    def learn(
        self,
        sentences: list[list[str]],
        known: Iterable[str] = (),
        further: Iterable[str] = (),
    ) -> tuple["Text", Vocabulary]:
        """Return the words of training sentences, and the text with the size of its class.

        Parameters
        ----------
        sentences : list of lists of words
        known : iterable of str
            Words that are known besides, and need not occur; they have the first numbers, so that
            texts that know the same words number them alike.
        further : iterable of str
            Likewise, with the last numbers.

        Raises
        ------
        ValueError
            If there is no word, or none occurs ``min_count`` times and none is known besides.
        """
        if not any(sentences):
            raise ValueError("the text has no words")
        known, further = list(known), list(further)
        times = Counter(chain.from_iterable(sentences))
        other = next((word for word in [*times, *known] if not isinstance(word, str)), None)
        if other is not None:
            kind = type(other).__name__
            raise ValueError(f"the word {in_brief(other)} is of type {kind}: texts are needed")
        listed = {END, *known, *further}
        kept = [w for w, n in times.items() if n >= self.min_count or w in listed]
        rare = len(times) - len(kept)
        size = (
            self.unknown
            if self.unknown is not None
            else (max(rare, 1) if self.min_count > 1 else 0)
        )
        words = Vocabulary(chain(known, kept, further, [UNKNOWN] if size else []))
        if self.min_count > 1 and not {*kept, *known, *further} - {END}:
            most = max((n for word, n in times.items() if word != END), default=0)
            told = f"no word occurs so often, the largest count is {most:,}"
            raise ValueError(f"min_count = {in_brief(self.min_count)}: {told}")
        return replace(self, unknown=size), words

    def number(self, sentences: list[list[str]], words: Vocabulary) -> tuple[Sentences, np.ndarray]:
        """Return sentences in numbers, and which of all words are unknown.

        Unknown words have the number of their class; without one, sentences are cut there.

        Raises
        ------
        ValueError
            If a sentence is a string, whose characters would be its words.
        """
        whole = next((sentence for sentence in sentences if isinstance(sentence, str)), None)
        if whole is not None:
            told = "a list of words is needed, as `Text.sentences` makes it"
            raise ValueError(f"the sentence {in_brief(whole)} is a string: {told}")
        if UNKNOWN in words:
            other = words.number(UNKNOWN, -1)
            numbers = words.numbers(chain.from_iterable(sentences), other)
            starts = np.cumsum([0, *map(len, sentences)])
            numbered = Sentences(len(words), numbers, starts)
            return numbered, numbered.words == other
        parts: list = []
        unknown: list[np.ndarray] = []
        for sentence in sentences:
            found = words.numbers(sentence, -1)
            unknown.append(found < 0)
            for stretch in np.split(found, np.flatnonzero(found < 0)):
                part = stretch[stretch >= 0]
                parts += [part] if part.size else []
        known = np.concatenate([np.zeros(0, dtype=bool), *unknown])
        return Sentences.from_lists(parts, len(words)), known


def _has_parts(source: object) -> bool:
    """Whether it can be gone through; the parts of bytes are numbers."""
    return isinstance(source, Iterable) and not isinstance(source, bytes)


def _words_of(sentence: object, place: int) -> list[str]:
    """Return the words of a sentence that is cut, or raise ValueError if it is no such."""
    if not _has_parts(sentence):
        told = "a text or a list of words is needed"
        raise ValueError(f"sentence {place} is {in_brief(sentence)}: {told}")
    return list(sentence)


def _warn_of_marks(sentences: list[list[str]]) -> None:
    """Warn of sentences whose ends are marked, where ends are added."""
    marked = [
        (place, mark)
        for place, words in enumerate(sentences)
        for mark in (START, END)
        if mark in words
    ]
    if marked:
        place, mark = marked[0]
        others = len({place for place, _ in marked}) - 1
        more = f", and {others:,} more like it" if others else ""
        told = f"sentence {place} has the word {mark}{more}: the ends of sentences are added"
        warn_caller(f"{told}, so take {START} and {END} out of the text")


def _refuse_name(text: str) -> None:
    """Raise ValueError if a text looks like the name of a file."""
    if len(text.splitlines()) != 1:
        return
    is_word = len(text.split()) == 1
    looks = is_word and (text.lower().endswith(OF_FILES) or "/" in text or "\\" in text)
    if looks or isfile(text):
        told = f"give Path({in_brief(text)}), or the text as a list of one sentence"
        raise ValueError(f"{in_brief(text)} looks like the name of a file: {told}")
