"""The front door: from labelled data to an estimate that answers in labels."""

import warnings
from collections.abc import Callable, Hashable, Iterable
from inspect import signature
from itertools import chain
from typing import Any

from condprob.annotations import Seed
from condprob.checks import rounded
from condprob.data_files import PairData
from condprob.estimators.base import Estimator
from condprob.estimators.catalogue import METHODS, refuse_unknown
from condprob.estimators.catalogue import method as make
from condprob.labelled.about import About
from condprob.labelled.estimate import Estimate
from condprob.labelled.tables import count_pairs, labels_of, pairs_of
from condprob.vocabulary import Vocabulary


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
    progress: bool = False,
    **options: Any,
) -> Estimate:
    """Fit labelled data, and return an estimate that answers in labels.

    Parameters
    ----------
    data : table, cross table, dictionary, pairs or matrix
        A table of pandas, polars or Arrow, or a dictionary of columns, with a row for each pair:
        ``context`` and ``outcome`` name its columns. Without these names: a cross table of counts,
        such as `pandas.crosstab` makes; ``{context: {outcome: count}}`` or ``{(context, outcome):
        count}``; an iterable of pairs, or of triples with a weight; a scipy matrix or an array of
        counts, with ``contexts`` and ``outcomes``.
    context, outcome, weight : label of a column, optional
    method : str or Estimator
        See `condprob.method`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    contexts, outcomes : iterable of labels, optional
        Those of the rows and columns of a matrix; of other data, labels that there are besides
        those which occur: an outcome that is never named has no probability. Anything that can
        stand in a dictionary is a label; a file holds texts and numbers alone (`str` of a
        timestamp, for one).
    progress : bool
        Tell on standard error how far a fit is.
    **options
        Of the method.

    Returns
    -------
    Estimate
        Its last row, which has no label, is the method's answer for a context without counts.

    Warns
    -----
    UserWarning
        If there are too few pairs for a method that learns its settings from them, or a rank that
        was asked for is larger than any that such a matrix can have.

    Raises
    ------
    ValueError
        If the data are no labelled counts, or the method or an option does not exist.

    Examples
    --------
    >>> from condprob import fit
    >>> estimate = fit([("ann", "tea"), ("ann", "tea"), ("bob", "milk")], method="kn")
    >>> estimate.top("ann", 1)
    [('tea', 0.8125)]
    """
    estimator = estimator_of(method, options, fit)
    contexts, outcomes = (
        None if given is None else labels_of(given) for given in (contexts, outcomes)
    )
    pairs = pairs_of(data, context, outcome, weight, contexts, outcomes)
    rows = Vocabulary(chain(contexts or (), pairs.contexts))
    columns = Vocabulary(chain(outcomes or (), pairs.outcomes))
    how = {"seed": seed, "progress": progress}
    names = (context, outcome, weight)
    fitted = fit_pairs(pairs, estimator, (rows, columns), how, method, names)
    _warn_of_few(fitted)
    return fitted


def _warn_of_few(fitted: Estimate) -> None:
    """Warn of too few pairs for what learns its settings, and of a rank that no matrix has."""
    about, fewest = fitted.about, min(len(fitted.contexts), len(fitted.outcomes))
    rank = about.options.get("rank", 0)
    if isinstance(rank, int) and rank > fewest:
        told = f"rank={rank}: no matrix of {len(fitted.contexts):,} by {len(fitted.outcomes):,}"
        warnings.warn(f"{told} has a rank above {fewest:,}; the classes above serve no purpose",
                      stacklevel=3)  # fmt: skip
    least = METHODS[about.method].least if about.method in METHODS else 0
    if about.n < least:
        told = f"{about.method} learns next to nothing of {rounded(about.n)} pairs"
        told += f", fewer than {least}; method='kn' or 'add-half' takes them as they are"
        warnings.warn(told, stacklevel=3)


def estimator_of(
    method: str | Estimator, options: dict[str, Any], function: Callable[..., Any]
) -> Estimator:
    """Return what fits; an option that it has not may be meant for an argument of a function."""
    if isinstance(method, str):
        if method in METHODS:
            refuse_unknown(method, options, signature(function).parameters)
        return make(method, **options)
    if options:
        raise ValueError(f"options {', '.join(options)}: make them part of the estimator")
    return method


def fit_pairs(
    pairs: PairData,
    estimator: Estimator,
    labels: tuple[Vocabulary, Vocabulary],
    how: dict[str, Any],
    method: str | Estimator,
    names: tuple[Any, ...] = (None, None, None),
) -> Estimate:
    """Do what `fit` says with pairs of labels that are among those given."""
    if not pairs.contexts:
        raise ValueError("the data have no pair of labels")
    counts = count_pairs(pairs, *labels)
    if not counts.n:
        raise ValueError("the weights of all pairs are zero: there is nothing to fit")
    about = About.of(method, estimator, how["seed"], counts, names)
    return Estimate(estimator.fit(counts, **how), *labels, about)
