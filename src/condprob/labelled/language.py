"""Language models: a text in, probabilities of words out, by the same cutting of texts."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from math import inf
from os import PathLike
from typing import Any, overload

import numpy as np

from condprob.annotations import Seed
from condprob.checks import check_integer, in_brief, rounded, warn_caller
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.evaluation import Losses, Score, bootstrap, in_stretches
from condprob.labelled.about import ABOUT, About, in_short
from condprob.labelled.estimate import UnseenContextWarning
from condprob.labelled.fitting import estimator_of, how_to_fit
from condprob.labelled.tables import labels_of
from condprob.labelled.text import UNKNOWN, Source, Text
from condprob.labelled_model import LabelledModel, log_of
from condprob.model import ConditionalModel, draw_by_inversion
from condprob.options import warn_of_rank
from condprob.sequences.arpa import END, is_arpa, read_arpa, write_arpa
from condprob.sequences.backoff_model import BackoffModel
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import NOTHING, Sentences
from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False, repr=False)
class LanguageModel(LabelledModel):
    """A model of words, its vocabulary, and how it cuts texts; `condprob.fit_text` makes it.

    Attributes
    ----------
    model : SequenceModel, or ConditionalMatrix where histories are single words over line ends
    words : Vocabulary
    text : Text
    about : About
        How it was made.
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
        """Words that the model sees at once."""
        return self.model.order if isinstance(self.model, SequenceModel) else 2

    def score(self, source: Source) -> Score:
        """Return the report on a text: a `Path` to a file, a string, or an iterable of sentences.

        A string is the text itself: see `Text.sentences`.

        Raises
        ------
        ValueError
            If the model knows none of its words, or a string looks like the name of a file.
        """
        return self.score_sentences(self.text.sentences(source))

    def score_sentences(self, found: list[list[str]], name: str = "the text") -> Score:
        """Do what `score` says with sentences as `Text.sentences` returns them."""
        losses, known, cut = self._losses(found, name)
        kept = losses[known]
        whole = inf if cut else float(losses.mean())
        left_out = cut
        if UNKNOWN in self.words:
            left_out = int((~known).sum())
            whole = float((losses.sum() + left_out * np.log(self.text.unknown or 1)) / losses.size)
        low_high = bootstrap(in_stretches(kept))
        return Score(float(kept.mean()), *low_high, kept.size, left_out, whole)

    @property
    def labels(self) -> tuple[Vocabulary, Text]:
        """See `LabelledModel.labels`."""
        return self.words, self.text

    def in_numbers(self, data: Source) -> Sentences | CountMatrix:
        """Return a text as the model takes it: of a matrix the pairs of neighbours."""
        sentences, _ = self.text.number(self.text.sentences(data), self.words)
        if isinstance(self.model, SequenceModel):
            return sentences
        return CountMatrix.from_pairs(*_neighbours(sentences), sentences.k)

    def block_losses(self, data: Source) -> Losses:
        """Return the losses of the words that are known, in stretches of neighbours."""
        losses, known, _ = self._losses(self.text.sentences(data), "the text")
        return in_stretches(losses[known])

    @overload
    def prob(self, history: str | Sequence[str], word: str) -> float: ...
    @overload
    def prob(self, history: str | Sequence[str], word: list[str]) -> np.ndarray: ...
    def prob(self, history: str | Sequence[str], word: str | list[str]) -> float | np.ndarray:
        """Return the probability of a word after a history; of a list of words, an array.

        A history is words between spaces, or a list; what is not known of a text is cut as the
        model cuts texts, a list is taken as it is. One with fewer words than the model sees
        begins a sentence, or the text where it goes over the ends of lines; what stands before
        ``</s>``, the end of a sentence, is no part of it. The probability of a
        word that is not known is the one of its class, divided by its size.
        """
        listed = words_of(word)
        is_other = np.array([UNKNOWN in self.words and w not in self.words for w in listed], bool)
        numbers = self.words.numbers(
            UNKNOWN if other else w for w, other in zip(listed, is_other, strict=True)
        )
        found = self.model.at(self.conditions([history]) * len(listed), numbers)
        found = np.where(is_other, found / (self.text.unknown or 1), found)
        return float(found[0]) if isinstance(word, str) else found

    def log_prob(self, history: str | Sequence[str], word: str | list[str]) -> Any:
        """Return the logarithm of `prob`, nats."""
        return log_of(self.prob(history, word))

    def row(self, history: str | Sequence[str]) -> dict[str, float]:
        """Return the probability of every word that is known after a history.

        That of ``<unk>`` is the one of the class of unknown words as a whole.
        """
        (row,) = self.model.rows(self.conditions([history]))
        return dict(zip(self.words, row.tolist(), strict=True))

    def top(
        self, history: str | Sequence[str], n: int = 10, *, exclude: str | Iterable[str] = ()
    ) -> list[tuple[str, float]]:
        """Return the likeliest words after a history, see `prob`, with their probabilities.

        A word, or words, of ``exclude``, such as ``"<unk>"``, the class of unknown words as a
        whole, are not listed.
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
        """Draw ``n`` words, each after the same history, and none of those that are excluded."""
        conditions, n = self.conditions([history]), check_integer("n", n, 0)
        left_out = self._left_out(exclude)
        if not left_out.size:
            return self.words.labels(self.model.sample(conditions * n, seed))
        row = np.array(self.model.rows(conditions))
        row[:, left_out] = 0.0
        if not row.any():
            raise ValueError(f"after {in_brief(history)} no other word can come")
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
        """Draw a text of ``n`` words, each after all before it; after ``</s>`` a line begins.

        A word, or words, of ``exclude``, such as ``"<unk>"``, are not drawn.
        """
        rng, text = np.random.default_rng(seed), self._listed(history)
        exclude = words_of(exclude, "exclude")
        start = len(text)
        for _ in range(check_integer("n", n, 0)):
            before = text[max(len(text) - self.order + 1, 0) :]
            text += self.sample(before, seed=rng, exclude=exclude)
        return text[start:]

    def conditions(self, histories: Iterable[str | Sequence[str]]) -> list[Any]:
        """Return what the model is asked for histories: numbers of words, or of the last word.

        Warns
        -----
        UnseenContextWarning
            If a word was never seen: its class stands for it, or without one the history is that of
            the words after it, at the start of a sentence, as in `score`. Where a history is one
            word, this is a ValueError.
        """
        numbered = []
        for history in histories:
            listed = self._since_end(self._listed(history))
            back = max(len(listed) - max(self.order - 1, 1), 0)
            numbered.append(tuple(self.words.numbers(self._known(listed[back:])).tolist()))
        if isinstance(self.model, SequenceModel):
            return numbered
        if not all(numbered):
            raise ValueError("a history of one word is needed, and this one is empty")
        return [history[-1] for history in numbered]

    def _listed(self, history):
        if not isinstance(history, str):
            return words_of(history, "history")
        cut = TOKENIZERS[self.text.tokenizer]
        parts = ([w] if w in self.words or w == END else cut(w) for w in history.split())
        return list(chain.from_iterable(parts))

    def _left_out(self, exclude: str | Iterable[str]) -> np.ndarray:
        """Return the numbers of the words to exclude that are known."""
        excluded = words_of(exclude, "exclude")
        return self.words.numbers(word for word in excluded if word in self.words)

    def _since_end(self, history: list[str]) -> list[str]:
        """Return the words after the last end of a sentence, which no history reaches over."""
        ends = [place for place, word in enumerate(history) if self.text.lines and word == END]
        return history[ends[-1] + 1 :] if ends else history

    def _known(self, history: list[str]) -> list[str]:
        """Return a history with the class of unknown words in place of these, or cut after them."""
        places = [place for place, word in enumerate(history) if word not in self.words]
        if not places or not (UNKNOWN in self.words or isinstance(self.model, SequenceModel)):
            return history
        known = [word if word in self.words else UNKNOWN for word in history]
        told = "the class of unknown words stands for it"
        if UNKNOWN not in self.words:
            known, told = history[places[-1] + 1 :], "the answer is that of the words after it"
        unknown = dict.fromkeys(in_brief(history[place]) for place in places)
        were = "was" if len(unknown) == 1 else "were"
        warn_caller(f"{', '.join(unknown)} {were} never seen: {told}", UnseenContextWarning)
        return known

    def _losses(self, found, name) -> tuple[np.ndarray, np.ndarray, int]:
        """Return the loss of each word predicted, which are known, and how many are cut out."""
        sentences, unknown = self.text.number(found, self.words)
        if isinstance(self.model, SequenceModel):
            losses, words, cut = -self.model.score(sentences), sentences.words, int(unknown.sum())
        else:
            before, words = _neighbours(sentences)
            losses, cut = -self.model.log_prob(before, words), unknown.size - 1 - words.size
        known = np.ones(losses.size, dtype=bool)
        if UNKNOWN in self.words:
            known = words != self.words.number(UNKNOWN, -1)
        if not known.any():
            raise ValueError(f"{name}: no pair of labels that the model knows")
        return losses, known, cut

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model with its words and its cutting to one file; `condprob.load` reads it.

        Under a name that ends in .arpa it is an ARPA file; see `to_arpa`.
        """
        if is_arpa(path):
            return self.to_arpa(path)
        words = list(self.words)
        about = {ABOUT: self.about.packed(text=asdict(self.text))}
        self.model.save(path, contexts=words, outcomes=words, **about)

    def to_arpa(self, path: str | PathLike[str]) -> None:
        """Write an ARPA file, which other programs for language models read.

        Raises
        ------
        ValueError
            If the model has not that form, which Kneser-Ney of sentences has.
        """
        if not isinstance(self.model, BackoffModel):
            raise ValueError(f"{self.about.method}: an ARPA file needs a back-off model, as of kn")
        (note,) = self.about.packed(text=asdict(self.text))
        write_arpa(path, self.model, list(self.words), note)

    @classmethod
    def from_arpa(cls, path: str | PathLike[str], text: Text | None = None) -> "LanguageModel":
        """Read an ARPA file, of whatever program.

        Parameters
        ----------
        path : str or path
        text : Text, optional
            How texts are cut, and how many words the class of unknown ones has. What `to_arpa`
            wrote says both itself. Of another program's file words are cut at white space, and
            ``<unk>`` is taken for one word: then scores with unknown words are too good.

        Raises
        ------
        ValueError
            If the file is none, or what it says of itself is damaged.
        OSError
            If it cannot be read.
        """
        model, words, note = read_arpa(path)
        about, cut = About("arpa"), Text(lines=True, unknown=int(UNKNOWN in words))
        if note:
            try:
                about, noted = About.unpacked(note)
                cut = Text(**noted or {})
            except (TypeError, ValueError) as error:
                raise ValueError(f"{path}: damaged: its first line is {error}") from None
        return cls(model, Vocabulary(words), text or cut, about)

    def _heading(self) -> list[str]:
        """See `LabelledModel`."""
        settings = ", ".join(f"{name}={value}" for name, value in asdict(self.text).items())
        return [
            f"{self.about.method} of order {self.order}: {len(self.words):,} types",
            f"trained on  {rounded(self.about.n)} words",
            f"text        {settings}",
        ]

    def __repr__(self) -> str:
        told = f"order {self.order}, {len(self.words):,} types, n = {rounded(self.about.n)}"
        return f"<LanguageModel by {self.about.method}: {told}, {in_short(self.model)}>"


LINES = Text()
AHEAD = 0.9  # of the words: above so many is no place for one that never follows; not measured


def words_of(words: str | Iterable[str], name: str = "word") -> list[str]:
    """Return words as a list; a string is one. ``name`` is what an error calls them."""
    if isinstance(words, bytes) or not isinstance(words, Iterable):
        raise ValueError(f"{name} = {in_brief(words)}: a text or a list of words is needed")
    return [words] if isinstance(words, str) else list(words)


def fit_text(
    source: Source,
    order: int = 3,
    *,
    method: str | Estimator = "kn",
    text: Text = LINES,
    seed: Seed = 0,
    known: Iterable[str] = (),
    progress: bool = False,
    checkpoint: str | PathLike[str] | None = None,
    **options: Any,
) -> LanguageModel:
    """Fit a text: the probability of each word after the ``order - 1`` words before it.

    Parameters
    ----------
    source : Path, str, or iterable of str, of lists of words or of Paths
        A path is that of a file, .gz, .bz2 and .xz among them, and a list of paths that of several;
        a string is the text itself. See
        `Text.sentences`.
    order : int
        Words that the model sees at once.
    method : str or Estimator
        See `condprob.method`.
    text : Text
        How the text is cut, and which of its words are known.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    known : iterable of str
        Words that the model shall know, and that need not occur.
    progress : bool
        Tell on standard error how far a fit is.
    checkpoint : path, optional
        A file from which the fit goes on after an interruption; see `condprob.fit`.
    **options
        Of the method.

    Returns
    -------
    LanguageModel

    Warns
    -----
    UserWarning
        If every sentence has one word, as where a list of words is given in place of one of
        sentences; words are marks of the ends of sentences, which are added; or the rank is larger
        than any that a matrix of the words can have.

    Raises
    ------
    ValueError
        If the text has no words, or none that is frequent enough, a string looks like the name of
        a file, a sentence is no text, or the method or an option does not exist.
    """
    cutting = next((name for name in options if hasattr(LINES, name)), None)
    if cutting is not None:
        given = f"{cutting}={in_brief(options[cutting])}"
        raise ValueError(f"{given} is of how texts are cut: text=Text({given})")
    estimator = estimator_of(method, options, fit_text)
    if not isinstance(text, Text):
        told = "Text(...) is needed, such as Text('letters'); the text itself comes first"
        raise ValueError(f"text = {in_brief(text)}: {told}")
    found, known = text.sentences(source), labels_of(known)
    how = how_to_fit(estimator, seed, progress, checkpoint)
    return fit_sentences(found, order, estimator, text.learn(found, known), how, method)


def fit_sentences(
    sentences: list[list[str]],
    order: int,
    estimator: Estimator,
    learned: tuple[Text, Vocabulary],
    how: dict[str, Any],
    method: str | Estimator,
) -> LanguageModel:
    """Do what `fit_text` says with sentences, and with what `Text.learn` learned of them.

    READING: at order 2, a text that is not cut into lines is its pairs of neighbours, as the
    paper has it: no word stands at a start.
    """
    text, words = learned
    numbered, _ = text.number(sentences, words)
    counted: CountMatrix | Sentences = numbered
    fitted: ConditionalModel
    if order == 2 and not text.lines:
        counted = CountMatrix.from_pairs(*_neighbours(numbered), numbered.k)
        fitted = estimator.fit(counted, **how)
    else:
        fitted = estimator.fit_text(numbered, order, **how)
    warn_of_rank(estimator, len(words), len(words))
    # With its end each has two: a list of words is taken for one of sentences.
    if order > 1 and text.lines and len(sentences) > 1 and {*map(len, sentences)} == {2}:
        told = "each sentence has one word, and no word comes after another"
        warn_caller(f"{told}: a list of words is one sentence as [words], or with lines=False")
    about = About.of(method, estimator, how["seed"], counted)
    model = LanguageModel(fitted, words, text, about)
    _warn_of_unseen(model, counted)
    return model


def _warn_of_unseen(model: LanguageModel, counted: CountMatrix | Sentences) -> None:
    """Warn of known words that never follow a word, and are among the likeliest for all that.

    A word at the head of a text is one, and what was named beforehand. The class of unknown words
    may be: it stands for all that is new. Of fewer than ten words no such share can be told.
    """
    seen = np.zeros(len(model.words), dtype=bool)
    if isinstance(counted, CountMatrix):
        seen[counted.seen_outcomes] = True
        before = [int(counted.row_sums.argmax())]
    else:
        seen[counted.words] = True
        before = [()]
    unseen = ~seen
    if UNKNOWN in model.words:
        unseen[model.words.number(UNKNOWN, -1)] = False
    if not unseen.any() or seen.sum() * (1 - AHEAD) < 1:
        return
    row = model.model.rows(before)[0]
    likeliest = int(np.where(unseen, row, -1.0).argmax())
    if (row[seen] < row[likeliest]).mean() >= AHEAD:
        word, has = in_brief(model.words[likeliest]), f"{row[likeliest]:.2g}"
        told = f"{word} never follows a word, and has {has} in a row all the same, more than"
        told += f" {AHEAD:.0%} of the words: what is freed is its alone; kn with"
        told += " continuation='uniform', and add-half, share it among all"
        warn_caller(told)


def _neighbours(sentences: Sentences) -> tuple[np.ndarray, np.ndarray]:
    """Return the words that have one before them, after those."""
    before = sentences.histories(2)[:, 0]
    return before[before != NOTHING], sentences.words[before != NOTHING]
