"""The front door: from labelled data to an estimate that answers in labels."""

from collections.abc import Callable, Hashable, Iterable
from inspect import signature
from itertools import chain, repeat
from os import PathLike
from typing import Any

import numpy as np

from condprob.annotations import Seed
from condprob.catalogue import METHODS, id_of, refuse_unknown
from condprob.catalogue import method as make
from condprob.checks import counted, in_brief, warn_caller
from condprob.data_files import PairData
from condprob.estimator import Estimator
from condprob.labelled.about import About
from condprob.labelled.estimate import Estimate
from condprob.labelled.tables import count_pairs, labels_of, pairs_of
from condprob.options import warn_of_rank
from condprob.vocabulary import Vocabulary

ROUNDING = 1e-9  # by which probabilities that are alike may differ


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
    checkpoint: str | PathLike[str] | None = None,
    **options: Any,
) -> Estimate:
    """Fit labelled data, and return an estimate that answers in labels.

    Parameters
    ----------
    data : table, cross table, dictionary, pairs or matrix
        A table of pandas, polars, Arrow or DuckDB, or a dictionary of columns, with a row for each
        pair: ``context`` and ``outcome`` name its columns. Without these names: a cross table of
        counts, such as `pandas.crosstab` makes; what pandas counts by two columns,
        ``df.groupby(["user", "item"]).size()``; ``{context: {outcome: count}}`` or
        ``{(context, outcome): count}``; an iterable of pairs, or of triples with a weight; a scipy
        matrix or an array of counts, with ``contexts`` and ``outcomes``.
    context, outcome, weight : label of a column, optional
    method : str or Estimator
        See `condprob.method`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    contexts, outcomes : iterable of labels, optional
        Those of the rows and columns of a matrix; of other data, labels that there are besides
        those which occur: an outcome that is never named has no probability. Anything that can
        stand in a dictionary is a label, and what Python takes for equal, such as 1, 1.0 and
        True, is one label; a file holds texts and numbers alone (`str` of a timestamp, for one).
    progress : bool
        Tell on standard error how far a fit is.
    checkpoint : path, optional
        A file that the fit writes about once a minute, and from which it goes on after an
        interruption, to the very same numbers. Low-rank and log-linear methods and ``nplm``
        keep one.
    **options
        Of the method.

    Returns
    -------
    Estimate
        Its last row, which has no label, is the method's answer for a context without counts.

    Warns
    -----
    UserWarning
        If there are too few pairs for a method that learns its settings from them, the rank is
        larger than any that such a matrix can have, outcomes that were never seen have more than
        some that were, or a cross table has shares and not counts.

    Raises
    ------
    ValueError
        If the data are no labelled counts, a cross table has sums in its last row and column, the
        method or an option does not exist, or the method keeps no checkpoint.

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
    how = how_to_fit(estimator, seed, progress, checkpoint)
    names = (context, outcome, weight)
    fitted = fit_pairs(pairs, estimator, (rows, columns), how, method, names)
    warn_of_fit(fitted, estimator, pairs)
    return fitted


def warn_of_fit(fitted: Estimate, estimator: Estimator, pairs: PairData) -> None:
    """Warn where a fit is none that is wished for, though it is what was asked for.

    Of too few pairs for what learns its settings from them; of a rank that no such matrix has; and
    of outcomes that were named and never seen, where they have more than some that were.
    """
    about = fitted.about
    warn_of_rank(estimator, len(fitted.contexts), len(fitted.outcomes))
    least = METHODS[about.method].least if about.method in METHODS else 0
    if about.n < least:
        told = f"{about.method} learns next to nothing of {counted(about.n, 'pair')}"
        told += f", fewer than {least}; method='kn' or 'add-half' takes them as they are"
        warn_caller(told)
    # What weighs nothing is not seen.
    weights = repeat(1) if pairs.weights is None else pairs.weights
    labels = {outcome for outcome, weight in zip(pairs.outcomes, weights, strict=False) if weight}
    seen = np.isin(np.arange(len(fitted.outcomes)), fitted.outcomes.numbers(labels))
    row = np.zeros(seen.size) if seen.all() else fitted.model.rows([len(fitted.contexts)])[0]
    most = row[~seen].max(initial=0.0)
    below = int((row[seen] < (1 - ROUNDING) * most).sum())
    if below:
        never = int((~seen).sum())
        one = never == 1
        told = f"{counted(never, 'outcome')} {'was' if one else 'were'} named but never seen, and "
        told += f"{'has' if one else 'have'} a probability of up to {most:.2g} in a new context, "
        told += f"more than {below:,} of the seen outcomes {'has' if below == 1 else 'have'}: "
        told += f"{about.method} gives what it takes off seen outcomes to unseen ones alone; "
        told += "add-half, and kn with continuation='uniform', share it among all"
        warn_caller(told)


def estimator_of(
    method: str | Estimator, options: dict[str, Any], function: Callable[..., Any]
) -> Estimator:
    """Return what fits; an option that it has not may be meant for an argument of a function."""
    if isinstance(method, str):
        if method in METHODS:
            refuse_unknown(method, options, signature(function).parameters)
        return make(method, **options)
    if not isinstance(method, Estimator):
        told = "the id of a method, such as 'kn', or what `method` makes"
        raise ValueError(f"method = {in_brief(method)}: {told}, is needed")
    if options:
        raise ValueError(f"options {', '.join(options)}: make them part of the estimator")
    return method


def how_to_fit(
    estimator: Estimator,
    seed: Seed,
    progress: bool,
    checkpoint: str | PathLike[str] | None,
    called: str = "checkpoint",
) -> dict[str, Any]:
    """Return what `Estimator.fit` is told besides its data; ``called`` is how a checkpoint is."""
    how: dict[str, Any] = {"seed": seed, "progress": progress}
    if checkpoint is None:
        return how
    if not estimator.keeps_checkpoint:
        told = "low-rank and log-linear methods and nplm do"
        raise ValueError(f"{called}: {id_of(estimator)} keeps none; {told}")
    return how | {"checkpoint": checkpoint}


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
