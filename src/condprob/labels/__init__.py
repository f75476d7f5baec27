"""The front doors: from labelled data or a text to a model that answers in labels."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Any, overload

import numpy as np
from scipy.sparse import issparse

from condprob.catalogue import build
from condprob.checks import Seed, counted, in_brief, warn_caller
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.labelled_model import About
from condprob.labels.estimate import Estimate
from condprob.labels.language import LanguageModel, pairs_of_neighbours
from condprob.labels.ngram_counts import CountsByNgram, count_sentences, holds_ngrams, ngrams_of
from condprob.labels.pairs import (
    NO_NAMES,
    Names,
    as_known,
    counts_of,
    has_coordinates,
    is_foreign_matrix,
    pairs_and_labels,
)
from condprob.labels.posterior_samples import LabelledPosterior
from condprob.labels.text import Source, Text
from condprob.methods.uncertainty import BURN_IN_SWEEPS, RANK, SAMPLES, Posterior, sample_posterior
from condprob.options import warn_of_rank
from condprob.run import Run
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
    method: str | Estimator = "py-lr",
    seed: Seed = 0,
    contexts: Iterable[Hashable] | None = None,
    outcomes: Iterable[Hashable] | None = None,
    in_order: bool = False,
    progress: bool | None = None,
    checkpoint: str | PathLike[str] | None = None,
    **options: Any,
) -> Estimate:
    """Fit labelled data, and return an estimate that answers in labels.

    Parameters
    ----------
    data : table, path, cross table, dictionary, pairs or matrix
        A table of pandas, polars, Arrow or DuckDB, the path of a CSV file, a dictionary of columns,
        or records, with a row for each pair: ``context`` and ``outcome`` name its columns. Labels
        of a CSV file are texts. Without these names: a cross
        table of counts, such as `pandas.crosstab` makes; counts by two columns, such as
        ``df.groupby(["user", "item"]).size()``; lists by context, ``{context: [outcome, ...]}`` or
        ``df.groupby("user")["item"].agg(list)``; ``{context: {outcome: count}}`` or
        ``{(context, outcome): count}``; an iterable of pairs, or of triples with a weight; a scipy
        matrix or an array of counts, with ``contexts`` and ``outcomes``. The recipes have a table
        of these forms. All methods of the estimate read data in the same way.
    context, outcome, weight : label of a column, optional
    method : str or Estimator
        See `condprob.method`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    contexts, outcomes : iterable of labels, optional
        For a matrix, the labels of its rows and columns. For other data, labels beside those that
        occur: without this list an outcome that never occurs has no probability. These labels have
        the first numbers, in their order; all others follow in sorted order, so that the order of
        rows changes nothing. Any hashable value is a label, and labels that are equal in Python,
        such as 1, 1.0 and True, are one label. A file holds only texts and numbers, such as `str`
        of a timestamp.
    in_order : bool
        Whether the order of the pairs means something: they are a sequence, such as the states of a
        process, and later pairs may differ from earlier ones. By default they are a table. Only
        ``py-lr`` makes a difference; ``summary()`` says which was used. Pairs of a sequence have no
        weights.
    progress : bool, optional
        Whether standard error shows how far the fit is; by default at a terminal or in a
        notebook, once it has taken three seconds.
    checkpoint : path, optional
        A file that the fit writes about once a minute. After an interruption the fit goes on from
        it, to the very same numbers. Low-rank and log-linear methods and ``nplm`` keep one.
    **options
        Options of the method.

    Returns
    -------
    Estimate
        Its last row, which has no label, is the method's answer for a context without counts.

    Warns
    -----
    UserWarning
        If there are too few pairs for a method that learns its settings from them, the rank is
        larger than the rank of any such matrix, outcomes that were never seen have more probability
        than some that were, the data have shares and not counts, or the labels do not sort.

    Raises
    ------
    ValueError
        If the data are no labelled counts or could be read in two ways, a cross table has sums in
        its last row and column, the method or an option does not exist, or the method keeps no
        checkpoint.

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
    return fit_counts(counts, estimator, labels, run, method, names, **how)


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
    """Sample how surely data give each probability.

    The posterior is that of `py-lr` without discounts: see `uncertainty.sample_posterior`. It
    measures how much the data say, and is not the best estimate.

    Parameters
    ----------
    data : counts, or whatever `fit` takes
        A `CountMatrix`, a scipy matrix, an array, or lists of rows of numbers are counts. All else,
        and what comes with names or labels, are labelled data: see `fit`.
    samples, burn_in : int
        Sweeps that are kept, and sweeps before them.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    context, outcome, weight, contexts, outcomes
        See `fit`.
    rank : int
        Classes that rows may mix, at most; superfluous classes empty. The samples take ``4 samples
        rank (contexts + outcomes)`` bytes.
    progress : bool, optional
        Whether standard error shows how far the fit is; by default at a terminal or in a
        notebook, once it has taken three seconds.

    Returns
    -------
    Posterior or LabelledPosterior
        The second for labelled data. A context that the data do not have is one without counts.

    Raises
    ------
    ValueError
        If the data are no counts, a number is too small, or the samples take more memory than there
        is.

    Warns
    -----
    UserWarning
        If counts have fractions: see `uncertainty.sample_posterior`.

    Examples
    --------
    >>> from condprob import posterior
    >>> pairs = [("ann", "tea")] * 80 + [("ann", "milk")] * 20 + [("bob", "milk")]
    >>> low, high = posterior(pairs, seed=0).interval("ann", "tea")
    >>> 0.6 < low < 0.8 < high < 0.95
    True
    """
    run, named = Run.of(seed, progress), (context, outcome, weight, contexts, outcomes)
    if all(given is None for given in named) and _are_counts(data):
        return sample_posterior(data, samples, burn_in, rank=rank, run=run)
    names = context, outcome, weight
    counts, labels, titles = counts_of(data, names, (contexts, outcomes))
    method = "add-half"  # any: the estimate has the labels alone
    estimate = fit_counts(counts, build(method, {}), labels, Run(), method, names, titles)
    draws = sample_posterior(counts, samples, burn_in, rank=rank, run=run)
    return LabelledPosterior(draws, estimate)


def _are_counts(data: Any) -> bool:
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
    are_named: bool = True,
    in_order: tuple[np.ndarray, np.ndarray] | None = None,
) -> Estimate:
    """Do what `fit` says with counts as `counts_of` makes them, and the labels of both sides.

    ``are_named`` says whether the user has named the labels without counts. Pairs of a sequence
    are given ``in_order`` as well: their contexts and outcomes, as numbers.
    """
    if not counts.n:
        raise ValueError("the weights of all pairs are zero: there is nothing to fit")
    about = About.of(method, estimator, run.seed, counts, names, titles)
    if in_order is None:
        matrix = estimator.run_fit(counts, run)
    else:
        how = {"progress": run.progress, "checkpoint": run.checkpoint}
        matrix = estimator.fit_in_order(*in_order, counts.shape, run.seed, **how)
    fitted = Estimate(matrix, *labels, about)
    warn_of_rank(estimator, *map(len, labels))
    _warn_of_shares(counts)
    if are_named:
        _warn_of_unseen_outcomes(fitted, counts)
    return fitted


def _warn_of_shares(counts: CountMatrix) -> None:
    """Warn if the data hold shares, and not counts."""
    sums = counts.row_sums, counts.column_sums, np.array(counts.n)
    if not counts.is_whole and any(
        np.allclose(s[s != 0], 1, rtol=PROBABILITY_TOLERANCE) for s in sums
    ):
        problem = "the rows, columns or cells of the data sum to one: shares are taken for counts"
        warn_caller(f"{problem}; give counts, which say how often each context was seen")


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
        raise ValueError(f"method = {in_brief(method)}: {wanted} is needed")
    if options:
        raise ValueError(f"options {', '.join(options)}: make them part of the estimator")
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
    """Fit a text: the probability of each word after the ``order - 1`` words before it.

    Parameters
    ----------
    source : Path, str, iterable of str, of lists of words or of Paths, or counts of n-grams
        A path to a file, also to .gz, .bz2 and .xz; a list of paths; or a string, which is the text
        itself. See `Text.sentences`. Counts of n-grams are ``{("the", "cat"): 3}``, a table whose
        last column has the counts, or counts by several columns. With ``<s>`` and ``</s>`` the fit
        is to sentences that have these counts; without them to pairs of words, at order 2. The
        order of lines changes no fit to their counts. It matters to ``py-lr`` and, above order 2,
        to the methods that are mixed with Kneser-Ney: both learn weights from the end of the text.
    order : int
        Number of words that the model sees at once.
    method : str or Estimator, optional
        See `condprob.method`. The default is ``"kn-modified"``, Kneser-Ney with three discounts for
        each order; ``"kn"`` has one of 0.75, as in the paper.
    text : Text
        How the text is cut, and which of its words are known.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    known : iterable of str
        Words that the model shall know even if they do not occur.
    progress : bool, optional
        Whether standard error shows how far the fit is; by default at a terminal or in a
        notebook, once it has taken three seconds.
    checkpoint : path, optional
        A file from which the fit goes on after an interruption; see `condprob.fit`.
    **options
        Options of the method.

    Returns
    -------
    LanguageModel

    Warns
    -----
    UserWarning
        If every sentence has one word, as in a list of words that stands for a list of sentences;
        or if the rank is larger than the rank of any matrix of the words.

    Raises
    ------
    ValueError
        If the text has no words, or none that is frequent enough, a string looks like the name of
        a file, a sentence is no text, or the method or an option does not exist.
    """
    cutting = next((name for name in options if hasattr(DEFAULT_TEXT, name)), None)
    if cutting is not None:
        given = f"{cutting}={in_brief(options[cutting])}"
        raise ValueError(f"{given} is of how texts are cut: text=Text({given})")
    if method is None:
        method = OF_TEXTS["discount" in options]
    estimator = estimator_of(method, options, fit_text)
    if not isinstance(text, Text):
        hint = "Text(...) is needed, such as Text('letters'); the text itself comes first"
        raise ValueError(f"text = {in_brief(text)}: {hint}")
    run = Run.of(seed, progress, checkpoint)
    if holds_ngrams(source):
        return fit_ngram_counts(ngrams_of(source), order, estimator, run, method, text)
    sentences = text.sentences_to_fit(source)
    warn_of_single_words(text, sentences, order)
    learned = text.learn(sentences, as_known(known, "known"))
    data, _ = learned[0].number(sentences, learned[1])
    del sentences  # the lists of words are as large as half of a model
    return fit_sentences(data, order, estimator, learned, run, method)


def has_single_words(text: Text, sentences: list[list[str]]) -> bool:
    """Whether each of several lines has one word: a list of words, or a script without spaces."""
    return text.lines and len(sentences) > 1 and all(len(s) <= 2 for s in sentences)


def warn_of_single_words(text: Text, sentences: list[list[str]], order: int) -> None:
    """Warn if a model of several words is fitted to sentences of one word each."""
    if order != 1 and has_single_words(text, sentences):
        problem = "each sentence has one word, and no word comes after another"
        hint = "a list of words is one sentence as [words], or with lines=False"
        warn_caller(f"{problem}: {hint}; Text('characters') cuts a script without spaces")


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
        return fit_sentences(counts, counts.order, estimator, learned, run, method)
    pairs = {ngram: n for ngram, n in ngrams.items() if len(ngram) == 2 and n}
    text, words = replace(text, lines=False).learn(
        [[word for pair in sorted(pairs) for word in pair]]
    )
    numbers = (words.numbers(side) for side in zip(*pairs, strict=True))
    counts = CountMatrix.from_pairs(*numbers, len(words), weights=list(pairs.values()))
    about = About.of(method, estimator, run.seed, counts, NO_NAMES)
    return LanguageModel(estimator.run_fit(counts, run), words, text, about)


def fit_sentences(
    sentences: Sentences | NgramCounts,
    order: int,
    estimator: Estimator,
    learned: tuple[Text, Vocabulary],
    run: Run,
    method: str | Estimator,
    are_named: bool = True,
) -> LanguageModel:
    """Do what `fit_text` says with sentences in numbers, and the text and words of `Text.learn`.

    ``are_named`` says whether the user has named the words that do not occur.

    READING: at order 2, a text that is not cut into lines is its pairs of neighbours, as the
    paper has it: no word stands at a start.
    """
    text, words = learned
    data: CountMatrix | Sentences | NgramCounts = sentences
    if order == 2 and not text.lines and isinstance(sentences, Sentences):
        data = pairs_of_neighbours(sentences)
        fitted = estimator.run_fit(data, run)
    else:
        fitted = estimator.run_fit_of_text(sentences, order, run)
    warn_of_rank(estimator, len(words), len(words))
    about = About.of(method, estimator, run.seed, data, NO_NAMES)
    model = LanguageModel(fitted, words, text, about)
    if are_named:
        _warn_of_unseen_words(model, data)
    return model


def _warn_of_unseen_words(
    model: LanguageModel, data: CountMatrix | Sentences | NgramCounts
) -> None:
    """Warn if a known word never follows a word, and still is among the likeliest.

    Such is the first word of a text, or a word of ``known``. The class of unknown words may be
    likely: it stands for all new words. With fewer than ten words the share has no meaning.
    """
    seen = np.zeros(len(model.words), dtype=bool)
    if isinstance(data, CountMatrix):
        seen[data.seen_outcomes] = True
        before = [int(data.row_sums.argmax())]
    else:
        seen[data.words] = True
        before = [()]
    unseen = ~seen
    if UNKNOWN in model.words:
        unseen[model.words.number(UNKNOWN, -1)] = False
    if not unseen.any() or seen.sum() * (1 - SHARE_OF_WORDS_BELOW) < 1:
        return
    row = model.model.rows(before)[0]
    likeliest = int(np.where(unseen, row, -1.0).argmax())
    if (row[seen] < row[likeliest]).mean() >= SHARE_OF_WORDS_BELOW:
        warn_caller(
            f"{in_brief(model.words[likeliest])} never follows a word, and still has "
            f"{row[likeliest]:.2g} in a row, more than {SHARE_OF_WORDS_BELOW:.0%} of the words: it "
            "alone gets the freed probability; kn with continuation='uniform', and add-half, "
            "spread it over all"
        )
