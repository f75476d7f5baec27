"""Language models: probabilities of words in texts that are cut in one way."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from math import exp, inf, log, nan
from os import PathLike
from typing import Any, NamedTuple, overload

import numpy as np

from condprob.checks import Seed, check_integer, in_brief, rounded, warn_caller
from condprob.counts import CountMatrix
from condprob.evaluation import (
    MOST_NATS,
    Losses,
    NumberedPairs,
    OfContexts,
    Score,
    in_stretches,
    losses_of,
    student_interval,
)
from condprob.files.arpa import is_arpa
from condprob.labelled_model import ABOUT, About, LabelledModel
from condprob.labels.estimate import UnseenContextWarning
from condprob.labels.text import Source, Text, words_of
from condprob.model import ConditionalModel, draw_by_inversion
from condprob.text import SequenceModel
from condprob.text.arpa import read_arpa, write_arpa
from condprob.text.backoff_model import BackoffModel
from condprob.text.bigram_mixture import BigramMixture
from condprob.text.sentences import NOTHING, Sentences
from condprob.tokenizers import (
    END,
    SPACE,
    SPACES,
    START,
    TOKENIZERS,
    TOKENIZERS_IN_SHORT,
    UNKNOWN,
    split_whitespace,
)
from condprob.vocabulary import Vocabulary

MOST_UNKNOWN = 0.05  # share of test data, without a warning; not measured


class SentenceScore(NamedTuple):
    """The log probabilities of the words of a sentence; see `LanguageModel.scores`.

    Attributes
    ----------
    words : list of str
        The words that are scored, with the end ``</s>`` if that is one.
    log_probs : numpy.ndarray, shape (words,)
        Log probability of each, nats. Minus infinity for an unknown word without a class; NaN for
        the first word of a model that gives it no probability.
    unknown : numpy.ndarray of bool, shape (words,)
        Whether each is unknown.
    """

    words: list[str]
    log_probs: np.ndarray
    unknown: np.ndarray

    @property
    def log_prob(self) -> float:
        """Log probability of the sentence: the sum over its words, nats."""
        return float(np.nansum(self.log_probs))

    @property
    def perplexity(self) -> float:
        """Perplexity per word; NaN of no words."""
        n = int((~np.isnan(self.log_probs)).sum())
        nats = -self.log_prob / n if n else nan
        return exp(nats) if not nats >= MOST_NATS else inf


@dataclass(frozen=True, eq=False, repr=False)
class LanguageModel(LabelledModel):
    """A language model with its vocabulary; the result of `condprob.fit_text`.

    Attributes
    ----------
    model : SequenceModel or ConditionalMatrix
        The same in numbers. It is a matrix for pairs of neighbours across the ends of lines.
    words : Vocabulary
        Words that the model knows.
    text : Text
        Rules for splitting texts.
    about : About
        Method, options and seed of the fit.

    Examples
    --------
    >>> from condprob import fit_text
    >>> model = fit_text(["the cat sat", "the dog sat", "the cat ran"], order=2)
    >>> model.score(["the dog ran"]).n
    4
    """

    model: ConditionalModel
    words: Vocabulary
    text: Text
    about: About

    @property
    def contexts(self) -> Vocabulary:
        """The words of histories."""
        return self.words

    @property
    def outcomes(self) -> Vocabulary:
        """The words that are predicted."""
        return self.words

    @property
    def order(self) -> int:
        """Order of the n-grams: the predicted word and the words before it."""
        return self.model.order if isinstance(self.model, SequenceModel) else 2

    def score(self, source: Source, *, end: bool = True) -> Score:
        """Score a text: a `Path` to a file, a string, or an iterable of sentences.

        A string is the text itself: see `Text.sentences`. With ``end=False`` the ends of sentences
        are not scored.

        Raises
        ------
        ValueError
            If the model knows no word of the text, or a string looks like the name of a file.

        Warns
        -----
        UserWarning
            If more than one word in twenty is unknown, and unknown words have no class.
        """
        losses, known, left_out = self._losses(source, end)
        kept = losses[known]
        whole = inf if left_out else float(losses.mean())
        if UNKNOWN in self.words:
            left_out = int((~known).sum())
            whole = float((losses.sum() + left_out * np.log(self.text.unknown or 1)) / losses.size)
        low, high = student_interval(in_stretches(kept))
        score = Score(
            nats=float(kept.mean()),
            low=low,
            high=high,
            n=kept.size,
            unknown=left_out,
            nats_with_unknown=whole,
        )
        if score.share_unknown > MOST_UNKNOWN and score.nats_with_unknown == inf:
            problem = f"{score.share_unknown:.0%} of the words are unknown, and are left out"
            hint = "a fit with Text(min_count=2), or --min-count 2, has a class for them"
            warn_caller(f"{problem}; {hint}")
        return score

    def scores(self, source: Source, *, end: bool = True) -> list[SentenceScore]:
        """Log probabilities of each sentence and of each of its words.

        There is one score for each line, including empty ones, or a single score for a text that is
        one sequence. Words are scored as in `score`.

        Parameters
        ----------
        source : Path, str, or iterable of str or of lists of words
            Text to score; see `Text.sentences`.
        end : bool
            Whether to score the end of each sentence, as a word.

        Examples
        --------
        >>> from condprob import fit_text
        >>> language = fit_text(["a b", "a c"], 2, method="add-half")
        >>> [round(found.log_prob, 3) for found in language.scores(["a b", "b a"])]
        [-2.144, -5.951]
        >>> found = language.scores(["a b"], end=False)[0]
        >>> found.words, found.log_probs.round(3).tolist()
        (['a', 'b'], [-0.47, -0.981])
        """
        sentences = self.text.sentences(source, keep_empty=True)
        if self.text.lines and END not in self.words:
            sentences = [line[: len(line) - (line[-1:] == [END])] for line in sentences]
        numbered, unknown = self.text.number(sentences, self.words)
        has_class = UNKNOWN in self.words
        places = np.arange(unknown.size) if has_class else np.flatnonzero(~unknown)
        found = np.where(unknown & (not has_class), -inf, nan)
        data: Sentences | NumberedPairs = numbered
        if not isinstance(self.model, SequenceModel):
            data = NumberedPairs(*neighbours(numbered))
            places = places[numbered.histories(2)[:, 0] != NOTHING]
        if places.size:
            found[places] = -losses_of(data, self.model)
        found[unknown] -= log(self.text.unknown or 1) if has_class else 0.0
        scores, start = [], 0
        for words in sentences:
            stop = start + len(words)
            kept = slice(start, stop - (not end and words[-1:] == [END]))
            listed = words[: kept.stop - start]
            scores.append(SentenceScore(listed, found[kept], unknown[kept]))
            start = stop
        return scores

    @property
    def labels(self) -> tuple[Vocabulary, Text]:
        return self.words, self.text

    def in_numbers(self, data: Source) -> Sentences | CountMatrix:
        """Return a text in the form for ``model``: a matrix takes counts of neighbours."""
        sentences, _ = self.text.number(self.text.sentences(data), self.words)
        is_sequence = isinstance(self.model, SequenceModel)
        return sentences if is_sequence else pairs_of_neighbours(sentences)

    def block_losses(self, data: Source, contexts: OfContexts = "drawn") -> Losses:
        """Return the losses of the known words, in stretches of neighbours."""
        losses, known, _ = self._losses(data)
        return in_stretches(losses[known], contexts)

    @overload
    def prob(self, history: str | Sequence[str], word: str) -> float: ...
    @overload
    def prob(self, history: str | Sequence[str], word: list[str]) -> np.ndarray: ...
    def prob(self, history: str | Sequence[str], word: str | list[str]) -> float | np.ndarray:
        """Probability of a word after a history; for a list of words, an array.

        A history is a text or a list of words. In a text, parts between spaces that are not known
        words are split as the model splits texts; a list is used as it is. A history with fewer
        words than the model uses is the beginning of a sentence, or of the whole text if sentences
        extend over the ends of lines.
        Words before ``</s>``, the end of a sentence, have no effect. An unknown word has the
        probability of the class of unknown words, divided by the size of the class.
        """
        words = words_of(word)
        if self.text.tokenizer == "characters":
            words = [SPACE if word == " " else word for word in words]
        is_other = np.array([UNKNOWN in self.words and w not in self.words for w in words], bool)
        numbers = self.words.numbers(
            UNKNOWN if other else w for w, other in zip(words, is_other, strict=True)
        )
        found = self.model.at(self.conditions([history]) * len(words), numbers)
        found = np.where(is_other, found / (self.text.unknown or 1), found)
        return float(found[0]) if isinstance(word, str) else found

    def row(self, history: str | Sequence[str]) -> dict[str, float]:
        """Return the probability of every known word after a history.

        The probability of ``<unk>`` is that of the whole class of unknown words.
        """
        (row,) = self.model.rows(self.conditions([history]))
        return dict(zip(self.words, row.tolist(), strict=True))

    def top(
        self, history: str | Sequence[str], n: int = 10, *, exclude: str | Iterable[str] = ()
    ) -> list[tuple[str, float]]:
        """Most probable words after a history, with their probabilities; see `prob`.

        ``exclude`` is a word, or words, to leave out, such as ``"<unk>"``, the class of unknown
        words.
        """
        left_out = self._left_out(exclude)
        best, chances = self.model.top(self.conditions([history])[0], n, exclude=left_out)
        found = zip(best.tolist(), chances.tolist(), strict=True)
        return [(self.words[word], chance) for word, chance in found if word >= 0]

    def sample(
        self,
        history: str | Sequence[str] = "",
        n: int = 1,
        *,
        seed: Seed = 0,
        exclude: str | Iterable[str] = (),
    ) -> list[str]:
        """Sample ``n`` words, each after the same history; words of ``exclude`` are never sampled.

        Raises
        ------
        ValueError
            If every word that can follow is excluded.
        """
        conditions, n = self.conditions([history]), check_integer("n", n, 0)
        left_out = self._left_out(exclude)
        if not left_out.size:
            return self.words.labels(self.model.sample(conditions * n, seed))
        row = np.array(self.model.rows(conditions))
        row[:, left_out] = 0.0
        if not row.any():
            raise ValueError(f"every word that can follow {in_brief(history)} is excluded")
        uniforms = np.random.default_rng(seed).random(n)
        return self.words.labels(draw_by_inversion(row, np.zeros(n, dtype=np.int64), uniforms))

    def generate(
        self,
        n: int,
        history: str | Sequence[str] = "",
        *,
        seed: Seed = 0,
        exclude: str | Iterable[str] = (),
    ) -> list[str]:
        """Generate a text of ``n`` words, each after all words before it; ``</s>`` ends a line.

        Words of ``exclude``, such as ``"<unk>"``, are never generated.
        """
        rng, text = np.random.default_rng(seed), self._listed(history)
        exclude = words_of(exclude, "exclude")
        start = len(text)
        for _ in range(check_integer("n", n, 0)):
            before = text[max(len(text) - self.order + 1, 0) :]
            text += self.sample(before, seed=rng, exclude=exclude)
        return text[start:]

    def conditions(self, histories: Iterable[str | Sequence[str]]) -> list[Any]:
        """Return histories in numbers, as ``model`` takes them; a matrix takes the last word.

        Raises
        ------
        ValueError
            If the model is a matrix, and the history is empty or ends in an unknown word.

        Warns
        -----
        UnseenContextWarning
            If a word was never seen. The class of unknown words stands for it. Without a class the
            history is that of the words after it, at the start of a sentence, as in `score`.
        """
        numbered = []
        for history in histories:
            words = self._since_end(self._listed(history))
            back = max(len(words) - max(self.order - 1, 1), 0)
            numbered.append(tuple(self.words.numbers(self._known(words[back:])).tolist()))
        if isinstance(self.model, SequenceModel):
            return numbered
        if not all(numbered):
            raise ValueError("the history is empty, or its last word is unknown: pass a known word")
        return [history[-1] for history in numbered]

    def _listed(self, history: str | Sequence[str]) -> list[str]:
        """Return the words of a history."""
        if not isinstance(history, str):
            return words_of(history, "history")
        if self.text.tokenizer == "characters":
            return _characters(history)
        cut = TOKENIZERS[self.text.tokenizer]
        whole = (START, END)
        parts = (
            [w] if w in self.words or w in whole else cut(w) for w in split_whitespace(history)
        )
        return list(chain.from_iterable(parts))

    def _left_out(self, exclude: str | Iterable[str]) -> np.ndarray:
        """Return the numbers of the known words to exclude."""
        excluded = words_of(exclude, "exclude")
        return self.words.numbers(word for word in excluded if word in self.words)

    def _since_end(self, history: list[str]) -> list[str]:
        """Return the words after the last end or start of a sentence: no history reaches over."""
        marks = (START, END) if self.text.lines else ()
        ends = [place for place, word in enumerate(history) if word in marks]
        return history[ends[-1] + 1 :] if ends else history

    def _known(self, history: list[str]) -> list[str]:
        """Return a history in which the class stands for unknown words, or the part after them."""
        places = [place for place, word in enumerate(history) if word not in self.words]
        if not places or not (UNKNOWN in self.words or isinstance(self.model, SequenceModel)):
            return history
        known = [word if word in self.words else UNKNOWN for word in history]
        effect = "the class of unknown words stands in"
        if UNKNOWN not in self.words:
            known = history[places[-1] + 1 :]
            effect = "the prediction uses only the words after it"
        unknown = dict.fromkeys(in_brief(history[place]) for place in places)
        are = "is" if len(unknown) == 1 else "are"
        problem = f"{', '.join(unknown)} {are} not in the vocabulary"
        warn_caller(f"{problem}: {effect}", UnseenContextWarning)
        return known

    def _losses(self, source: Source, end: bool = True) -> tuple[np.ndarray, np.ndarray, int]:
        """Return the loss of each word, whether it is known, and how many words are left out."""
        sentences, unknown = self.text.number(self.text.sentences(source), self.words)
        if isinstance(self.model, SequenceModel):
            data, words, cut = sentences, sentences.words, int(unknown.sum())
        else:
            data = NumberedPairs(*neighbours(sentences))
            words, cut = data.outcomes, unknown.size - 1 - data.outcomes.size
        losses = losses_of(data, self.model)
        known = np.ones(losses.size, dtype=bool)
        if UNKNOWN in self.words:
            known = words != self.words.number(UNKNOWN, -1)
        if not end:
            scored = words != self.words.number(END, -1)
            losses, known = losses[scored], known[scored]
        if not known.any():
            raise ValueError("the text contains no word that the model knows")
        return losses, known, cut

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model, its words and its rules for splitting texts to one file.

        `condprob.load` reads it. If the name ends in .arpa, it is an ARPA file; see `to_arpa`.
        """
        if is_arpa(path):
            return self.to_arpa(path)
        words, note = list(self.words), self.about.to_json(text=asdict(self.text))
        self.model.save(path, contexts=words, outcomes=words, **{ABOUT: [note]})

    def to_arpa(self, path: str | PathLike[str]) -> None:
        """Write an ARPA file, which other programs for language models read.

        A bigram that is mixed with Kneser-Ney is written as described in
        `BigramMixture.to_backoff`: exactly for seen n-grams, and approximately for others. A word
        that is a space, as in lists of letters, is written as ``▁``.

        Raises
        ------
        ValueError
            If the model has no back-off form. Kneser-Ney of sentences has one, and so has a bigram
            that is mixed with it.
        """
        model = self.model.to_backoff() if isinstance(self.model, BigramMixture) else self.model
        if not isinstance(model, BackoffModel):
            needed = "a back-off model: kn of lines, or at order 3"
            raise ValueError(f"{self.about.method}: an ARPA file needs {needed}")
        words, text = list(self.words), asdict(self.text)
        if " " in self.words and SPACE not in self.words:
            words = [SPACE if word == " " else word for word in words]
            text[SPACE] = " "  # for `from_arpa`
        write_arpa(path, model, words, self.about.to_json(text=text))

    @classmethod
    def from_arpa(cls, path: str | PathLike[str], text: Text | None = None) -> "LanguageModel":
        """Read an ARPA file of any program.

        Parameters
        ----------
        path : str or path
            The file.
        text : Text, optional
            Rules for splitting texts, and the number of words in the unknown class. A file that
            condprob wrote contains both. With files of other programs, texts are split at white
            space, and ``<unk>`` counts as one word, so that scores with unknown words are too good.

        Raises
        ------
        ValueError
            If the file is not an ARPA file, or if its record of the fit is damaged.
        OSError
            If the file cannot be read.
        """
        model, words, note = read_arpa(path, "utf-8" if text is None else text.encoding)
        about, cut = About("arpa"), Text(lines=True, unknown=int(UNKNOWN in words))
        if note:
            try:
                about, noted = About.from_json(note)
                if (noted or {}).pop(SPACE, None):
                    words = [" " if word == SPACE else word for word in words]
                cut = Text.from_options(noted or {})
            except ValueError as error:
                raise ValueError(f"{path}: damaged: its first line is {error}") from None
        return cls(model, Vocabulary(words), text or cut, about)

    def _heading(self) -> list[str]:
        text = self.text
        sentences = (
            "each line is a sentence" if text.lines else "one sequence over the ends of lines"
        )
        rare = f"words seen less than {text.min_count} times are <unk>; " * (text.min_count > 1)
        unknown = (
            f"<unk> stands for {text.unknown:,} words"
            if text.unknown
            else "unknown words are left out"
        )
        settings = f"cut {TOKENIZERS_IN_SHORT[text.tokenizer]}; {sentences}; {rare}{unknown}"
        return [
            f"{self.about.method} of order {self.order}: {len(self.words):,} types",
            f"trained on  {rounded(self.about.n)} words",
            f"text        {settings}",
        ]

    def __repr__(self) -> str:
        sizes = f"order {self.order}, {len(self.words):,} types, n = {rounded(self.about.n)}"
        return f"<LanguageModel by {self.about.method}: {sizes}, {self._end_in_brief()}>"


def _characters(history: str) -> list[str]:
    """Return the characters of a history; also white space at its ends is a `SPACE`."""
    found: list[str] = []
    for part in re.split(f"({START}|{END}|{UNKNOWN})", history):
        if part in (START, END, UNKNOWN):
            found.append(part)
        else:
            part = part.lstrip(SPACES) if found else part
            found.extend(re.sub(f"[{SPACES}]+", SPACE, part))
    return found


def pairs_of_neighbours(sentences: Sentences) -> CountMatrix:
    """Return the counts of a word after the word before it, shape (words, words)."""
    return CountMatrix.from_pairs(*neighbours(sentences), sentences.k)


def neighbours(sentences: Sentences) -> tuple[np.ndarray, np.ndarray]:
    """Return the word before each word that has one, and the word itself."""
    before = sentences.histories(2)[:, 0]
    return before[before != NOTHING], sentences.words[before != NOTHING]
