"""Entry points: from labelled data or a text to a model that answers in labels."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Any, overload

import numpy as np
from scipy.sparse import issparse

from condprob.catalogue import DEFAULT_METHOD, build
from condprob.checks import Seed, counted, in_brief, warn_caller
from condprob.counts import CountMatrix, PairsInOrder
from condprob.estimator import Estimator
from condprob.files.data_files import CountsByNgram
from condprob.labelled_model import About
from condprob.labels.estimate import Estimate
from condprob.labels.language import LanguageModel, neighbours, pairs_of_neighbours
from condprob.labels.ngram_counts import count_sentences, holds_ngrams, ngrams_of
from condprob.labels.pairs import (
    NO_NAMES,
    Names,
    as_known,
    has_coordinates,
    is_foreign_matrix,
    pairs_and_labels,
)
from condprob.labels.posterior_samples import LabelledPosterior
from condprob.labels.text import Source, Text
from condprob.methods.uncertainty import BURN_IN_SWEEPS, RANK, SAMPLES, Posterior, sample_posterior
from condprob.options import warn_of_rank
from condprob.run import Run
from condprob.text import SequenceModel
from condprob.text.sentences import NgramCounts, Sentences
from condprob.tokenizers import START, UNKNOWN
from condprob.vocabulary import Vocabulary

PROBABILITY_TOLERANCE = 1e-9  # relative difference between equal probabilities
# Share of the words that a word which never follows may not exceed; not measured.
SHARE_OF_WORDS_BELOW = 0.9
DEFAULT_TEXT = Text()
OF_TEXTS = "kn-modified", "kn"  # the default, and that for another ``discount``


# More arguments than a function of ours has elsewhere: it is public, and they are given by name.
def fit(
    data: Any,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    *,
    method: str | Estimator = DEFAULT_METHOD,
    seed: Seed = 0,
    contexts: Iterable[Hashable] | None = None,
    outcomes: Iterable[Hashable] | None = None,
    in_order: bool = False,
    progress: bool | None = None,
    checkpoint: str | PathLike[str] | None = None,
    **options: Any,
) -> Estimate:
    """Fit a method to labelled pairs and return an estimate that answers in labels.

    The estimate gives the probability of every outcome in every context, also for pairs that never
    occur in the data.

    Parameters
    ----------
    data : table, path, cross table, dictionary, pairs or matrix
        The observed pairs. Most often a pandas, polars, Arrow or DuckDB table with one row per pair
        (name its columns with ``context`` and ``outcome``), the path of a CSV file, or a list of
        ``(context, outcome)`` tuples, optionally with a weight as a third entry. Cross tables,
        nested dictionaries, counts by two columns and matrices (with ``contexts`` and ``outcomes``)
        are accepted as well. The page "Tables and ratings" lists all forms.
    context, outcome, weight : label of a column, optional
        Names of the columns that contain contexts, outcomes and (optionally) weights. Tables
        require the first two.
    method : str or Estimator
        Method to fit; `METHODS` contains the names.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.
    contexts, outcomes : iterable of labels, optional
        Labels of the rows and columns of a matrix. For other data, additional labels to include: an
        outcome that is in neither the data nor this list has no probability. These labels are
        numbered first, in their order; all others follow in sorted order, so that the order of rows
        changes nothing. A label can be any hashable value; labels that are equal in Python, such
        as 1, 1.0 and True, are one label. Only texts and numbers can be saved to a file.
    in_order : bool
        Whether the pairs are a sequence, such as the states of a process, so that later pairs may
        differ from earlier ones. By default they are a table without order. Only ``py-lr`` uses
        this; ``summary()`` reports which was used. Pairs of a sequence have no weights.
    progress : bool, optional
        Whether to show progress on standard error. By default it is shown at a terminal or in a
        notebook once a fit has taken three seconds.
    checkpoint : path, optional
        File in which the fit saves its state about once a minute. Calling ``fit`` again with the
        same arguments resumes from it and gives identical numbers. The low-rank and log-linear
        methods and ``nplm`` support this.
    **options
        Options of the method, for example ``discount=0.5`` for ``"kn"``.

    Returns
    -------
    Estimate
        Query it with ``prob``, ``top``, ``recommend`` and ``score``. A context that was not in the
        data gets the method's answer for a context without counts, with a warning.

    Raises
    ------
    ValueError
        If the data are not labelled counts or are ambiguous, if a cross table contains its
        own sums, if the method or an option does not exist, or if the method supports no
        checkpoint.

    Warns
    -----
    UserWarning
        If the rank exceeds that of any matrix of this shape, if unseen outcomes get more
        probability than observed ones, if the weights look like fractions of counts, or if the
        labels do not sort.

    Examples
    --------
    >>> from condprob import fit
    >>> estimate = fit([("ann", "tea"), ("ann", "tea"), ("bob", "milk")], method="kn")
    >>> estimate.top("ann", 1)
    [('tea', 0.8125)]
    """
    estimator = estimator_of(method, options, fit)
    run = Run.of(seed, progress, checkpoint)
    names = context, outcome, weight
    pairs, labels = pairs_and_labels(data, names, (contexts, outcomes))
    if in_order and pairs.weights is not None:
        problem = "in_order=True: the pairs of a sequence have no weights"
        raise ValueError(f"{problem}; list each pair as often as it occurs, in its order")
    counts, numbers = pairs.counted(*labels), pairs.numbered(*labels) if in_order else None
    how = {"titles": pairs.titles, "in_order": numbers}
    fitted = fit_counts(counts, estimator, labels, run, method, names, **how)
    _warn_of_unseen_outcomes(fitted, counts)
    return fitted


@overload
def posterior(
    data: CountMatrix | Sequence[Sequence[float]],
    samples: int = ...,
    seed: Seed = ...,
    burn_in: int = ...,
    *,
    rank: int = ...,
    progress: bool | None = ...,
) -> Posterior: ...
@overload
def posterior(
    data: Any,
    samples: int = ...,
    seed: Seed = ...,
    burn_in: int = ...,
    *,
    context: Hashable | None = ...,
    outcome: Hashable | None = ...,
    weight: Hashable | None = ...,
    contexts: Iterable[Hashable] | None = ...,
    outcomes: Iterable[Hashable] | None = ...,
    rank: int = ...,
    progress: bool | None = ...,
) -> Any: ...
def posterior(
    data: Any,
    samples: int = SAMPLES,
    seed: Seed = 0,
    burn_in: int = BURN_IN_SWEEPS,
    *,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    contexts: Iterable[Hashable] | None = None,
    outcomes: Iterable[Hashable] | None = None,
    rank: int = RANK,
    progress: bool | None = None,
) -> Any:
    """Sample from the posterior of all probabilities, to see how precisely the data tell them.

    Use it for credible intervals. It is not the best estimate: the samples are those of `py-lr`
    without discounts.

    Parameters
    ----------
    data : counts, or whatever `fit` takes
        A `CountMatrix`, a scipy matrix, an array or lists of rows of numbers are counts. Everything
        else, and what comes with names or labels, is labelled data: see `fit`.
    samples : int
        Number of Gibbs sweeps to keep.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.
    burn_in : int
        Number of Gibbs sweeps to discard first.
    context, outcome, weight : label of a column, optional
        Names of the columns of a table; see `fit`.
    contexts, outcomes : iterable of labels, optional
        Labels of a matrix, or additional labels; see `fit`.
    rank : int
        Largest number of classes that rows may mix; superfluous classes become empty. The samples
        take ``4 * samples * rank * (contexts + outcomes)`` bytes.
    progress : bool, optional
        Whether to show progress on standard error. By default it is shown at a terminal or in a
        notebook once it has taken three seconds.

    Returns
    -------
    Posterior or LabelledPosterior
        The second for labelled data. A context that is not in the data has no counts.

    Raises
    ------
    ValueError
        If the data are not counts, a number is too small, or the samples take more memory than
        there is.

    Warns
    -----
    UserWarning
        If counts are fractional: they are rounded to multiples of a common unit.

    Examples
    --------
    >>> from condprob import posterior
    >>> pairs = [("ann", "tea")] * 80 + [("ann", "milk")] * 20 + [("bob", "milk")]
    >>> low, high = posterior(pairs, seed=0).interval("ann", "tea")
    >>> 0.6 < low < 0.8 < high < 0.95
    True
    """
    run, named = Run.of(seed, progress), (context, outcome, weight, contexts, outcomes)
    if all(given is None for given in named) and _is_matrix(data):
        return sample_posterior(data, samples, burn_in, rank=rank, run=run)
    names = context, outcome, weight
    pairs, labels = pairs_and_labels(data, names, (contexts, outcomes))
    counts = pairs.counted(*labels)
    method = "add-half"  # any: the estimate has the labels alone
    estimate = fit_counts(counts, build(method, {}), labels, Run(), method, names, pairs.titles)
    draws = sample_posterior(counts, samples, burn_in, rank=rank, run=run)
    return LabelledPosterior(draws, estimate)


def _is_matrix(data: Any) -> bool:
    """Whether data are a matrix of numbers without labels."""
    if isinstance(data, CountMatrix) or issparse(data):
        return True
    if is_foreign_matrix(data) and not has_coordinates(data):
        data = np.asarray(data)
    if not isinstance(data, list | tuple | np.ndarray):
        return False
    try:
        return np.asarray(data).dtype.kind in "buif"
    except ValueError:  # rows of several lengths
        return False


def fit_counts(
    counts: CountMatrix,
    estimator: Estimator,
    labels: tuple[Vocabulary, Vocabulary],
    run: Run,
    method: str | Estimator,
    names: Names = NO_NAMES,
    titles: tuple[Any, Any] = (None, None),
    in_order: tuple[np.ndarray, np.ndarray] | None = None,
) -> Estimate:
    """Do what `fit` says with counts that have an empty last row, and the labels of both sides.

    Pairs of a sequence are given ``in_order`` as well: their contexts and outcomes, as numbers.
    """
    if not counts.n:
        raise ValueError("the weights of all pairs are zero: there is nothing to fit")
    about = About.of(method, estimator, run.seed, counts, names, titles)
    matrix = estimator.fit(PairsInOrder(*in_order, counts.shape) if in_order else counts, run)
    fitted = Estimate(matrix, *labels, about)
    warn_of_rank(estimator, *map(len, labels))
    _warn_of_shares(counts)
    return fitted


def _warn_of_shares(counts: CountMatrix) -> None:
    """Warn if the data hold shares, and not counts."""
    if counts.is_whole:
        return
    sums = counts.row_sums, counts.column_sums, np.array(counts.n)
    if any(np.allclose(s[s != 0], 1, rtol=PROBABILITY_TOLERANCE) for s in sums):
        problem = "the rows, columns or cells of the data sum to one: they are read as counts"
        warn_caller(f"{problem}; pass counts, which show how often each context was seen")


def _warn_of_unseen_outcomes(fitted: Estimate, counts: CountMatrix) -> None:
    """Warn if an outcome that was named and never seen has more than some that were seen."""
    seen = np.zeros(counts.shape[1], dtype=bool)
    seen[counts.seen_outcomes] = True
    if seen.all():
        return
    row = fitted.model.rows([len(fitted.contexts)])[0]
    most = row[~seen].max(initial=0.0)
    below = int((row[seen] < (1 - PROBABILITY_TOLERANCE) * most).sum())
    if below:
        never, method = int((~seen).sum()), fitted.about.method
        was, has = ("was", "has") if never == 1 else ("were", "have")
        warn_caller(
            f"{counted(never, 'outcome')} {was} named but never seen, and {has} a probability of "
            f"up to {most:.2g} in a new context, more than {below:,} of the seen outcomes "
            f"{'has' if below == 1 else 'have'}: {method} gives the freed probability to unseen "
            "outcomes alone; add-half, and kn with continuation='uniform', spread it over all"
        )


def estimator_of(
    method: str | Estimator, options: dict[str, Any], function: Callable[..., Any]
) -> Estimator:
    """Return the estimator for a method and its options.

    The message for an unknown option names a near argument of the public function as well.
    """
    if isinstance(method, str):
        return build(method, options, signature(function).parameters)
    if not isinstance(method, Estimator):
        wanted = "the id of a method, such as 'kn', or an estimator from `method`"
        raise ValueError(f"method = {in_brief(method)}: must be {wanted}")
    if options:
        raise ValueError(f"options {', '.join(options)}: set them in the estimator itself")
    return method


def fit_text(
    source: Source,
    order: int = 3,
    *,
    method: str | Estimator | None = None,
    text: Text = DEFAULT_TEXT,
    seed: Seed = 0,
    known: Iterable[str] = (),
    progress: bool | None = None,
    checkpoint: str | PathLike[str] | None = None,
    **options: Any,
) -> LanguageModel:
    """Fit a language model to a text.

    The model predicts each word from the ``order - 1`` words before it. By default it is a trigram
    Kneser-Ney model with three discounts for each order.

    Parameters
    ----------
    source : Path, str, iterable of str, of lists of words or of Paths, or counts of n-grams
        The training text. A `Path` is a file to read (.gz, .bz2 and .xz are decompressed); a string
        is the text itself; a list of strings is one sentence per string. N-gram counts are a
        dictionary such as ``{("the", "cat"): 3}``, a table whose last column contains the counts,
        or counts by several columns: with ``<s>`` and ``</s>`` the fit equals that to the sentences
        that were counted, otherwise it is a fit to pairs of words.
    order : int
        Order of the n-grams: the predicted word and the ``order - 1`` words before it.
    method : str or Estimator, optional
        Method to fit; by default ``"kn-modified"``. ``"kn"`` uses one discount of 0.75, as the
        paper does.
    text : Text
        How to split the text into words and sentences, and which words count as known.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.
    known : iterable of str
        Words to include in the vocabulary even if they do not occur in the text.
    progress : bool, optional
        Whether to show progress on standard error. By default it is shown at a terminal or in a
        notebook once a fit has taken three seconds.
    checkpoint : path, optional
        File from which an interrupted fit resumes; see `fit`.
    **options
        Options of the method.

    Returns
    -------
    LanguageModel
        Query it with ``prob``, ``top``, ``score`` and ``generate``; ``save`` writes it to a file.

    Raises
    ------
    ValueError
        If the text contains no word, or none that is frequent enough, if a string looks like the
        name of a file, or if the method or an option does not exist.

    Warns
    -----
    UserWarning
        If every sentence has one word, as happens if a list of words is passed as a list of
        sentences, or if the rank exceeds that of any matrix of the words.

    Notes
    -----
    The order of lines changes no fit to their counts. It matters to ``py-lr`` and, above order 2,
    to methods that are mixed with Kneser-Ney, because both learn weights on the end of the text.

    Examples
    --------
    >>> from condprob import fit_text
    >>> model = fit_text(["the cat sat", "the dog sat", "the cat ran", "a dog sat"], order=2)
    >>> model.top("the", 1)[0][0]
    'cat'
    """
    cutting = next((name for name in options if hasattr(DEFAULT_TEXT, name)), None)
    if cutting is not None:
        given = f"{cutting}={in_brief(options[cutting])}"
        raise ValueError(f"{given} is an option of Text: pass text=Text({given})")
    if method is None:
        method = OF_TEXTS["discount" in options]
    estimator = estimator_of(method, options, fit_text)
    if not isinstance(text, Text):
        hint = "pass Text(...), such as Text('letters'); the text itself comes first"
        raise ValueError(f"text = {in_brief(text)}: {hint}")
    run = Run.of(seed, progress, checkpoint)
    if holds_ngrams(source):
        return fit_ngram_counts(ngrams_of(source), order, estimator, run, method, text)
    known = as_known(known, "known")
    return fit_words(text.sentences_to_fit(source), order, estimator, text, run, method, known)


def fit_words(
    sentences: list[list[str]],
    order: int,
    estimator: Estimator,
    text: Text,
    run: Run,
    method: str | Estimator,
    known: Iterable[str] = (),
    further: Iterable[str] = (),
) -> LanguageModel:
    """Do what `fit_text` says with sentences of `Text.sentences_to_fit`; see `Text.learn`."""
    warn_of_single_words(text, sentences, order)
    learned = text.learn(sentences, known, further)
    data, _ = learned[0].number(sentences, learned[1])
    del sentences  # the lists of words are as large as half of a model
    model = fit_sentences(data, order, estimator, learned, run, method)
    _warn_of_unseen_words(model, data)
    return model


def warn_of_single_words(text: Text, sentences: list[list[str]], order: int) -> None:
    """Warn if a model of several words is fitted to lines of one word each.

    Such are a list of words, and a script without spaces.
    """
    if order != 1 and text.lines and len(sentences) > 1 and all(len(s) <= 2 for s in sentences):
        problem = "every sentence has a single word, so no word follows another"
        hint = "if the list is one sentence, pass [words], or lines=False (--no-lines)"
        script = "Text('characters'), or --tokenizer characters, cuts a script without spaces"
        warn_caller(f"{problem}: {hint}; {script}")


def fit_ngram_counts(
    ngrams: CountsByNgram,
    order: int | None,
    estimator: Estimator,
    run: Run,
    method: str | Estimator,
    text: Text = DEFAULT_TEXT,
) -> LanguageModel:
    """Do what `fit_text` says with counts of n-grams; by default of the longest order they have."""
    if order != 2 or any(START in ngram for ngram in ngrams):
        counts, learned = count_sentences(ngrams, order, text)
        model = fit_sentences(counts, counts.order, estimator, learned, run, method)
        _warn_of_unseen_words(model, counts)
        return model
    pairs = {ngram: n for ngram, n in ngrams.items() if len(ngram) == 2 and n}
    text, words = replace(text, lines=False).learn(
        [[word for pair in sorted(pairs) for word in pair]]
    )
    numbers = (words.numbers(side) for side in zip(*pairs, strict=True))
    counts = CountMatrix.from_pairs(*numbers, len(words), weights=list(pairs.values()))
    about = About.of(method, estimator, run.seed, counts, NO_NAMES)
    return LanguageModel(estimator.fit(counts, run), words, text, about)


def fit_sentences(
    sentences: Sentences | NgramCounts,
    order: int,
    estimator: Estimator,
    learned: tuple[Text, Vocabulary],
    run: Run,
    method: str | Estimator,
) -> LanguageModel:
    """Do what `fit_text` says with sentences in numbers, and the text and words of `Text.learn`.

    READING: at order 2, a text that is not cut into lines is its pairs of neighbours, as the
    paper has it: no word stands at a start.
    """
    text, words = learned
    data: CountMatrix | Sentences | NgramCounts = sentences
    if order == 2 and not text.lines and isinstance(sentences, Sentences):
        data = pairs_of_neighbours(sentences)
        fitted = estimator.fit(data, run)
    else:
        fitted = estimator.fit_text(sentences, order, run)
    warn_of_rank(estimator, len(words), len(words))
    about = About.of(method, estimator, run.seed, data, NO_NAMES)
    return LanguageModel(fitted, words, text, about)


def _warn_of_unseen_words(model: LanguageModel, sentences: Sentences | NgramCounts) -> None:
    """Warn if a known word never follows a word, but is still among the most probable.

    Such is the first word of a text, or a word of ``known``. The class of unknown words may be
    likely: it stands for all new words. With fewer than ten words the share has no meaning.
    """
    contexts, outcomes = None, sentences.words
    if not isinstance(model.model, SequenceModel) and isinstance(sentences, Sentences):
        contexts, outcomes = neighbours(sentences)
    seen = np.zeros(len(model.words), dtype=bool)
    seen[outcomes] = True
    unseen = ~seen
    if UNKNOWN in model.words:
        unseen[model.words.number(UNKNOWN, -1)] = False
    if not unseen.any() or seen.sum() * (1 - SHARE_OF_WORDS_BELOW) < 1:
        return
    most_frequent = () if contexts is None else int(np.bincount(contexts).argmax())
    row = model.model.rows([most_frequent])[0]
    likeliest = int(np.where(unseen, row, -1.0).argmax())
    if (row[seen] < row[likeliest]).mean() >= SHARE_OF_WORDS_BELOW:
        warn_caller(
            f"{in_brief(model.words[likeliest])} never follows a word, and still has "
            f"{row[likeliest]:.2g} in a row, more than {SHARE_OF_WORDS_BELOW:.0%} of the words: it "
            "alone gets the freed probability; kn with continuation='uniform', and add-half, "
            "spread it over all"
        )
