"""Which method is best on data, and how surely: any number of models on the same test data."""

import warnings
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain
from math import isfinite, isnan, nan
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from condprob.catalogue import id_of
from condprob.checks import Seed, check_number, check_seed, counted, in_brief, warn_caller
from condprob.checks.values import as_labels, kept_rows
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.evaluation import (
    Difference,
    OfContexts,
    block_losses,
    check_together,
    difference,
    difference_of_losses,
    find_problem,
    student_interval,
)
from condprob.files.data_files import OF_TABLES, ending_of
from condprob.labelled_model import LabelledModel, options_in_words
from condprob.labels import (
    estimator_of,
    fit,
    fit_counts,
    fit_sentences,
    warn_of_single_words,
)
from condprob.labels.pairs import (
    NO_NAMES,
    PairData,
    further_pairs,
    has_columns,
    index_levels,
    is_many,
    is_numbered,
    pairs_and_labels,
)
from condprob.labels.text import Text
from condprob.model import ConditionalModel
from condprob.run import Run
from condprob.splits import hold_out, split_text
from condprob.vocabulary import Vocabulary

HELD_OUT_SHARE = 0.2  # of the data that are held out to compare methods


@dataclass(frozen=True, eq=False)
class Compared:
    """One model of a comparison.

    Attributes
    ----------
    name : str
    nats : float
        Cross-entropy of the test data, nats for each pair or word.
    low, high : float
        Its 95 % interval; NaN of few blocks.
    behind : Difference
        By how much it is worse than the best, with the interval of the difference; zero of the
        best itself.
    seconds : float
        That the fit took; NaN of a model that was fitted before.
    model : Estimate, LanguageModel or a model in numbers
    """

    name: str
    nats: float
    low: float
    high: float
    behind: Difference
    seconds: float
    model: Any


class Comparison(Sequence[Compared]):
    """Models on the same test data, from the best to the worst; the result of `condprob.compare`.

    It is a sequence of rows, and ``found["kn"]`` returns the row of a model. Print it to see a
    table with a sentence that says which model is best.

    Attributes
    ----------
    rows : tuple of Compared
        One row per model, best first.
    unit : str
        What the losses are per: a pair or a word.
    note : str
        Which words of a text are unknown, and how `score` differs; empty without such words.

    Examples
    --------
    >>> from condprob import compare
    >>> pairs = [(f"u{n % 20}", f"i{(n % 20 + n // 20 % 3) % 15}") for n in range(400)]
    >>> [row.name for row in compare(pairs, methods=["add-half", "kn"])]
    ['kn', 'add-half']
    """

    def __init__(self, rows: Sequence[Compared], unit: str, note: str = "") -> None:
        self._rows, self._unit, self.note = tuple(rows), unit, note

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._rows[key]
        found = next((row for row in self._rows if row.name == key), None)
        if found is None:
            raise KeyError(f"{key}: there are {', '.join(row.name for row in self._rows)}")
        return found

    @property
    def best(self) -> Compared:
        """The model with the lowest cross-entropy."""
        return self._rows[0]

    def in_words(self) -> str:
        """State in a sentence which model is best, and whether significantly."""
        best, others = self.best.name, self._rows[1:]
        alike = [row.name for row in others if not row.behind.is_clear]
        if not alike:
            return f"{best} is significantly better than all others."
        unsure = f"{best} is best here, but not significantly better than {', '.join(alike)}."
        if all(row.behind.is_nothing for row in others if row.name in alike):
            return f"{best} is best, and equally good are {', '.join(alike)}."
        return unsure

    def to_frame(self) -> Any:
        """Return a pandas table with a row for each model, the best first."""
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.records())

    def records(self) -> list[dict[str, Any]]:
        """Return the numbers of each model as a dictionary, the best first."""
        return [
            {
                "method": row.name,
                "nats": row.nats,
                "low": row.low,
                "high": row.high,
                "behind": row.behind.value,
                "behind_low": row.behind.low,
                "behind_high": row.behind.high,
                "seconds": row.seconds,
            }
            for row in self._rows
        ]

    def __repr__(self) -> str:
        head = ["", f"nats per {self._unit}", "95 % interval", "behind the best", "95 % interval"]
        table = [[*head, "seconds"]]
        for row in self._rows:
            behind = "" if row is self.best else f"{row.behind.value:.4f}"
            apart = "" if row is self.best else _ends(row.behind.low, row.behind.high)
            seconds = "" if isnan(row.seconds) else f"{row.seconds:.1f}"
            sure = _ends(row.low, row.high)
            table.append([row.name, f"{row.nats:.4f}", sure, behind, apart, seconds])
        if all(line[-1] == "" for line in table[1:]):  # of models that were fitted before
            table = [line[:-1] for line in table]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in table
        ]
        return "\n".join([*lines, self.in_words(), self.note]).rstrip()


def _ends(low: float, high: float) -> str:
    return f"{low:.4f} to {high:.4f}" if isfinite(low) else ""


def compare(
    data: Any,
    *models: Any,
    methods: Sequence[str | Estimator] | Mapping[str, str | Estimator] | None = None,
    test: Any = None,
    context: Hashable | None = None,
    outcome: Hashable | None = None,
    weight: Hashable | None = None,
    text: Text | None = None,
    order: int = 3,
    share: float = HELD_OUT_SHARE,
    seed: Seed = 0,
    contexts: OfContexts = "drawn",
    progress: bool | None = None,
) -> Any:
    """Compare methods or fitted models by their cross-entropy on held-out data.

    There are three ways to call it:

    - ``compare(data, methods=["kn", "py-lr"])`` holds out a fraction of the data at random (of a
      text, sentences), fits each method to the rest, and scores all of them on the held-out part.
      With ``test=...`` it fits the methods to all of the data and scores them on that.
    - ``compare(test, [one, other, third])`` scores models that are fitted already.
    - ``compare(one, other, test)`` returns only the paired difference between two models.

    Parameters
    ----------
    data : whatever `condprob.fit` or `condprob.fit_text` takes
        Data to split, or test data: a path or a string is a text, or with ``context`` and
        ``outcome`` the path of a CSV file. For models without labels: counts or `Sentences`.
    *models : list of models, or two models and test data as the last
        Fitted models to compare.
    methods : list of str or of Estimator, or dictionary of these
        Methods to fit and compare. The keys of a dictionary name the rows of the result.
    test : like ``data``, optional
        Test data for ``methods``; by default a fraction of the data is held out. The methods know
        the labels of both, and the words of both texts, unless ``text`` has a class of unknown
        words.
    context, outcome, weight : label of a column, optional
        Names of the columns of a table, with ``methods``.
    text : Text, optional
        How to split a text. With this argument, lists of words are a text and not pairs.
    order : int
        Order of the n-grams of language models.
    share : float
        Fraction of the pairs, or of the sentences, to hold out.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed of the split and of the fits. The numbers of a fit do not depend on where its method
        stands in the list.
    contexts : {"drawn", "fixed"}
        Population for which the intervals are valid: new contexts like these, or new pairs of the
        same contexts. See `condprob.interval`.
    progress : bool, optional
        Whether to show progress on standard error. By default it is shown at a terminal or in a
        notebook once a fit has taken three seconds.

    Returns
    -------
    Comparison
        One row per model, best first: cross-entropy in nats, difference from the best model, the
        95 % intervals of both, and the seconds of the fit. Print it to see a table.
    Difference
        For ``compare(one, other, test)``: the cross-entropy of ``other`` minus that of ``one``, so
        that a positive value means that ``one`` is better.

    Raises
    ------
    ValueError
        If there are fewer than two models, or if they do not match each other or the data.

    Warns
    -----
    UserWarning
        If there are too few blocks for an interval. Warnings of the fits are collected in one line
        that names the methods.

    Examples
    --------
    >>> from condprob import compare
    >>> pairs = [(f"u{n % 20}", f"i{(n % 20 + n // 20 % 3) % 15}") for n in range(400)]
    >>> found = compare(pairs, methods=["kn", "add-half"])
    >>> found.best.name, found["add-half"].behind.is_clear
    ('kn', True)
    """
    if methods is None:
        if test is not None:
            raise ValueError("test goes with methods=[...]; fitted models take test data as data")
        kinds = LabelledModel | ConditionalModel
        is_model = isinstance(data, kinds)
        if is_model and len(models) == 2:
            return difference(data, *models, contexts=contexts)
        fitted = (
            models[0] if len(models) == 1 and isinstance(models[0], Sequence | Mapping) else models
        )
        if is_model or not fitted or not all(isinstance(each, kinds) for each in _values(fitted)):
            hint = "compare(data, methods=[...]), compare(test, [one, other]) or (one, other, test)"
            raise ValueError(f"no models to compare: pass {hint}")
        return compare_models(data, fitted, contexts)
    if models or isinstance(methods, str | Estimator) or len(methods) < 2:
        given = "pass a list of at least two methods, and no models"
        raise ValueError(f"methods = {in_brief(methods)}: {given}")
    share, seed = check_number("share", share), check_seed(seed)
    if not 0 < share < 1:
        raise ValueError(f"share = {share:g}: must be a number between 0 and 1")
    columns = context, outcome, weight
    estimators = [estimator_of(each, {}, fit) for each in _values(methods)]
    ids = list(map(id_of, _values(methods)))
    names = list(methods)
    if not isinstance(methods, Mapping):
        names = _distinct_names(ids, list(map(options_in_words, estimators)))
    data, note = kept_rows(data), ""
    is_unclear = text is None and columns == NO_NAMES and isinstance(data, Path)
    if is_unclear and ending_of(data) in OF_TABLES:
        hint = "context= and outcome= for a table, text=Text() for a text"
        raise ValueError(f"{data}: a table or a text? Give {hint}")
    if text is not None or (columns == NO_NAMES and _is_text(data)):
        cutting = Text() if text is None else text
        train, further = cutting.sentences_to_fit(data), ()
        if test is None:
            train, test = split_text(train, share, seed)
        else:
            test = cutting.sentences(test)
            further = () if cutting.min_count > 1 or cutting.unknown is not None else test
        warn_of_single_words(cutting, train, order)
        note = _note_of_unknown(train, test, cutting.min_count, bool(further))
        learned = cutting.learn(train, further=chain.from_iterable(further))
        sentences, _ = learned[0].number(train, learned[1])

        def fit_one(id: str, estimator: Estimator, run: Run) -> Any:
            return fit_sentences(sentences, order, estimator, learned, run, id)
    else:
        pairs, labels = pairs_and_labels(data, columns)
        if test is None:
            counts, test = split_counts(pairs.counted(*labels), labels, share, seed)
        else:
            test = further_pairs(test, columns)
            labels = (
                Vocabulary.in_order([*pairs.contexts, *test.contexts]),
                Vocabulary.in_order([*pairs.outcomes, *test.outcomes]),
            )
            counts = pairs.counted(*labels)

        def fit_one(id: str, estimator: Estimator, run: Run) -> Any:
            return fit_counts(counts, estimator, labels, run, id, columns, pairs.titles)

    if isinstance(seed, np.random.Generator):  # which each fit would take on from the one before
        seed = int(seed.integers(2**63))
    found, seconds, told = {}, {}, _Told()
    for name, id, estimator in zip(names, ids, estimators, strict=True):
        started = perf_counter()
        with told.by(name):
            found[name] = fit_one(id, estimator, Run.of(deepcopy(seed), progress))
        seconds[name] = perf_counter() - started
    told.tell()
    return compare_models(test, found, contexts, seconds, note)


def _note_of_unknown(
    train: list[list[str]], test: list[list[str]], min_count: int, are_known: bool
) -> str:
    """Say which words of a test are not in the training text, and how `score` differs."""
    times = Counter(chain.from_iterable(train))
    unknown = sum(times[word] < min_count for word in chain.from_iterable(test))
    if not unknown:
        return ""
    words = counted(unknown, "word", ",")
    if are_known:
        return (
            f"The methods know all words of both texts; score would leave out {words} of the test."
        )
    is_or_are = "is" if unknown == 1 else "are"
    return f"{words} of the test {is_or_are} unknown and left out, as in score."


class _Told:
    """The warnings of several fits, which become one line."""

    def __init__(self) -> None:
        self._methods: dict[str, list[str]] = {}  # that gave a warning of ours, by its message

    @contextmanager
    def by(self, method: str) -> Iterator[None]:
        """Keep the warnings of a method's fit; those of other libraries pass."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            yield
        for each in caught:
            if each.category is UserWarning:
                methods = self._methods.setdefault(str(each.message), [])
                methods += [method] if method not in methods else []
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)

    def tell(self) -> None:
        """Warn of all that was kept, each message once with the methods that it concerns."""
        if self._methods:
            parts = (f"{', '.join(names)}: {told}" for told, names in self._methods.items())
            warn_caller("; ".join(parts))


def compare_models(
    data: Any,
    models: Sequence[Any] | Mapping[str, Any],
    contexts: OfContexts = "drawn",
    seconds: Mapping[str, float] | None = None,
    note: str = "",
) -> Comparison:
    """Compare fitted models on test data: see `compare`. A dictionary has their names."""
    if len(models) < 2:
        raise ValueError("there is only one model: pass at least two")
    if not isinstance(models, Mapping):
        options = [options_in_words(getattr(model, "about", None)) for model in models]
        names = _distinct_names([_name_of(model) for model in models], options)
        models = dict(zip(names, models, strict=True))
    first, *others = models.values()
    for other in others:
        check_together(first, other)
    data = kept_rows(data)  # each model reads it
    losses = {name: block_losses(data, model, contexts) for name, model in models.items()}
    best = min(losses, key=lambda name: losses[name].mean)
    rows = [
        Compared(
            name,
            own.mean,
            *student_interval(own),
            difference_of_losses(losses[best], own, warn=False),
            (seconds or {}).get(name, nan),
            models[name],
        )
        for name, own in losses.items()
    ]
    if problem := find_problem(losses[best]):
        warn_caller(problem)
    unit = "word" if losses[best].is_ordered else "pair"
    return Comparison(sorted(rows, key=lambda row: row.nats), unit, note)


def _values(models: Any) -> list[Any]:
    return list(models.values() if isinstance(models, Mapping) else models)


def _name_of(model: Any) -> str:
    return model.about.method if isinstance(model, LabelledModel) else type(model).__name__


def _distinct_names(names: list[str], options: list[str]) -> list[str]:
    """Return names, with the options of those that occur more than once, or with a number."""
    names = [
        f"{name} ({given})" if names.count(name) > 1 and given else name
        for name, given in zip(names, options, strict=True)
    ]
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _is_text(data: Any) -> bool:
    """Whether data are a text: a string, a path, or several of these. Pairs are none of them."""
    if isinstance(data, str | Path):
        return True
    is_column = isinstance(data, list | tuple | set | frozenset) or is_many(data)
    if not is_column or isinstance(data, Mapping) or has_columns(data) or not len(data):
        return False
    if index_levels(data) and not is_numbered(data.index):  # outcomes by context, perhaps
        return False
    return all(isinstance(each, str | Path) for each in as_labels(data))


def split_counts(
    counts: CountMatrix, labels: tuple[Vocabulary, Vocabulary], share: float, seed: Seed
) -> tuple[CountMatrix, PairData]:
    """Hold out a share of the counts; return the rest, and the pairs held out in their labels."""
    rest, test = hold_out(counts, share, seed)
    rows, columns = labels
    return rest, PairData(
        rows.labels(test.contexts), columns.labels(test.outcomes), test.values.tolist()
    )
