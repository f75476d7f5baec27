"""An estimate that speaks in labels: a conditional matrix, and what its rows and columns are."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from os import PathLike
from typing import Any, overload

import numpy as np

from condprob.annotations import Seed
from condprob.catalogue import check_folding
from condprob.catalogue import method as make
from condprob.checks import check_integer, in_brief, rounded, warn_caller
from condprob.counts import CountMatrix
from condprob.data_files import PairData
from condprob.evaluation import Losses, Score, bootstrap
from condprob.labelled.about import ABOUT, About, in_short
from condprob.labelled.exclusion import outcomes_to_exclude, without_names
from condprob.labelled.sure import LabelledPosterior
from condprob.labelled.tables import (
    NoColumnError,
    column_names,
    computed,
    count_pairs,
    has_columns,
    is_many,
    labels_of,
    like_labels,
    listed,
    pairs_of,
)
from condprob.labelled_model import LabelledModel, log_of
from condprob.matrix import ConditionalMatrix
from condprob.sequences.arpa import is_arpa
from condprob.uncertainty.posterior import RANK, SAMPLES, posterior
from condprob.vocabulary import Vocabulary


class UnseenContextWarning(UserWarning):
    """A context was never seen: what is told of it is the method's answer without counts."""


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(LabelledModel):
    """Conditional probabilities of labelled outcomes in labelled contexts; `condprob.fit` makes it.

    Attributes
    ----------
    model : ConditionalMatrix, shape (contexts + 1, outcomes)
        In numbers: rows and columns in the order of the labels, and a last row for contexts that
        were never seen.
    contexts, outcomes : Vocabulary
    about : About
        How it was made.
    """

    model: ConditionalMatrix
    contexts: Vocabulary
    outcomes: Vocabulary
    about: About

    @overload
    def prob(self, context: str | int, outcome: str | int) -> float: ...
    @overload
    def prob(self, context: Any, outcome: Any) -> Any: ...
    def prob(self, context: Any, outcome: Any) -> Any:
        """Return the probability of an outcome in a context; of lists, an array.

        Parameters
        ----------
        context, outcome : label, or list of labels
            Lists of the same length are pairs; one label goes with each of a list.

        Raises
        ------
        ValueError
            If an outcome is not known.

        Warns
        -----
        UnseenContextWarning
            If a context was never seen: it has the method's answer for one without counts.
        """
        is_one = not (is_many(context) or is_many(outcome))
        found = self.model.at(
            self.conditions(listed(context)), self.outcomes.numbers(listed(outcome))
        )
        return float(found[0]) if is_one else found

    def log_prob(self, context: Any, outcome: Any) -> Any:
        """Return the logarithm of `prob`, nats."""
        return log_of(self.prob(context, outcome))

    def row(self, context: Hashable) -> dict[Hashable, float]:
        """Return the probability of every outcome in a context."""
        (row,) = self.model.rows(self.conditions([context]))
        return dict(zip(self.outcomes, row.tolist(), strict=True))

    def top(self, context: Any, n: int = 10, *, exclude: Any = None) -> Any:
        """Return the likeliest outcomes of a context, or of each of a list of contexts.

        Parameters
        ----------
        context : label, or list of labels
        n : int
            How many.
        exclude : labelled pairs, or labels, optional
            What not to list, such as the pairs that were seen: anything that `condprob.fit` takes,
            with the same names of columns; pairs of weight zero, as cross tables have them, are
            none. An outcome, or a list of outcomes, is left out after every context; a list of
            tuples or of lists is one of pairs, unless a tuple is an outcome. ``{context: [outcome,
            ...]}``, or a pandas column of lists or sets with contexts as its index, is left out by
            context. Labels that are not known exclude nothing.

        Returns
        -------
        list of (outcome, probability), the likeliest first
            Or, of a list of contexts, a dictionary of such lists by context.

        Raises
        ------
        ValueError
            If what is to be left out is none of these, or a table whose names of columns the fit
            was not told.
        """
        asked = listed(context)
        numbers = self.conditions(asked)
        left_out = None if exclude is None else self._left_out(exclude)
        best, chances = self.model.top(numbers, n, exclude=left_out)
        found = {}
        for label, row, p in zip(asked, best.tolist(), chances.tolist(), strict=True):
            pairs = zip(row, p, strict=True)
            found[label] = [(self.outcomes[j], q) for j, q in pairs if j >= 0]
        return found if is_many(context) else found[context]

    def sample(self, context: Any, n: int | None = None, *, seed: Seed = 0) -> Any:
        """Draw an outcome of a context, or ``n``, or one of each of a list of contexts."""
        asked = listed(context) * (1 if n is None else check_integer("n", n, 0))
        drawn = self.outcomes.labels(self.model.sample(self.conditions(asked), seed))
        return drawn if is_many(context) or n is not None else drawn[0]

    def to_frame(self, contexts: Iterable[Hashable] | None = None, n: int | None = None) -> Any:
        """Return a pandas table: context, outcome, probability; the likeliest first.

        Parameters
        ----------
        contexts : iterable of labels, optional
            All of them unless they are given.
        n : int, optional
            Of each, the likeliest; all of them unless it is given.

        Raises
        ------
        ImportError
            If pandas is not installed; `top` and `row` need it not.
        """
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            told = "to_frame needs pandas: pip install pandas; `top` and `row` do without"
            raise ImportError(told) from None

        asked = list(self.contexts) if contexts is None else labels_of(contexts)
        found = self.top(asked, len(self.outcomes) if n is None else n)
        rows = [(c, o, p) for c, pairs in found.items() for o, p in pairs]
        both = zip(self.about.names, ("context", "outcome"), strict=False)
        names = [other if name is None else name for name, other in both]
        return pandas.DataFrame(rows, columns=[*names, "probability"])

    def score(self, data: Any) -> Score:
        """Return the report on test data: anything that `condprob.fit` takes, named as there.

        A pair is unknown if its outcome is; a context never seen has an answer.

        Raises
        ------
        ValueError
            If the model knows no outcome of the data.
        """
        return self.score_pairs(data)

    def score_pairs(self, pairs: Any, name: str = "the data") -> Score:
        """Do what `score` says; ``name`` is what an error calls the data."""
        known, unknown = self._read(pairs, name)
        losses = self._losses(known)
        n = float(losses.sizes.sum())
        nats = float(losses.sums.sum() / n)
        new = [context not in self.contexts for context in known.contexts]
        unseen = float(np.array(new) @ self._weights_of(known))
        whole = inf if unknown else nats
        return Score(nats, *bootstrap(losses), n, unknown, whole, unseen)

    @property
    def labels(self) -> tuple[Vocabulary, Vocabulary]:
        """See `LabelledModel.labels`."""
        return self.contexts, self.outcomes

    def in_numbers(self, data: Any) -> CountMatrix:
        """Return the pairs of data whose outcomes are known; the last row is of new contexts."""
        known, _ = self._read(data)
        numbers = self._rows_of(known.contexts), self.outcomes.numbers(known.outcomes)
        return CountMatrix.from_pairs(*numbers, shape=self.model.shape, weights=known.weights)

    def block_losses(self, data: Any) -> Losses:
        """Return the losses of the same pairs, a block for each context."""
        return self._losses(self._read(data)[0])

    def _losses(self, known: PairData) -> Losses:
        weights = self._weights_of(known)
        pairs = self._rows_of(known.contexts), self.outcomes.numbers(known.outcomes)
        losses = -weights * self.model.log_prob(*pairs)
        which = Vocabulary(known.contexts).numbers(known.contexts)
        return Losses(np.bincount(which, losses), np.bincount(which, weights))

    @staticmethod
    def _weights_of(pairs: PairData) -> np.ndarray:
        if pairs.weights is None:
            return np.ones(len(pairs.contexts))
        return np.array(pairs.weights, dtype=float)

    def _read(self, data: Any, name: str = "the data") -> tuple[PairData, int]:
        """Return the pairs of data whose outcomes are known, and how many others there are."""
        pairs = self._pairs_of(data, self.contexts, self.outcomes)
        has_row = self.model.shape[0] > len(self.contexts)  # for contexts never seen
        rows = Vocabulary(pairs.contexts) if has_row else self.contexts
        known, unknown = pairs.within(rows, self.outcomes)
        if not known.contexts:
            raise ValueError(f"{name}: no pair of labels that the model knows")
        return known, unknown

    def _pairs_of(self, data: Any, *labels: Vocabulary, needs_weights: bool = True) -> PairData:
        """Return the pairs of data; of a table those of the columns that the fit was told."""
        data = computed(data)
        names = self._names_in(data)
        if not needs_weights and names[2] is not None and names[2] not in column_names(data):
            names = (*names[:2], None)
        try:
            return pairs_of(data, *names, *labels)
        except NoColumnError as error:
            named = ", ".join(repr(name) for name in self.about.names if name is not None)
            told = f"{error}; the fit's were {named}"
            if self.about.names[2] is not None:
                told += "; data without weights have a column of ones"
            raise NoColumnError(told) from None

    def _names_in(self, data: Any) -> tuple[Any, Any, Any]:
        """Return the names of columns that the fit was told; none for what has no such columns."""
        names = self.about.names
        are_counts = isinstance(data, Mapping) and data.keys().isdisjoint(names)
        return names if has_columns(data) and not are_counts else (None, None, None)

    def _rows_of(self, contexts: Iterable[Hashable]) -> np.ndarray:
        """Return the number of each context; of one never seen that of the last row."""
        last = len(self.contexts)
        return np.array([self.contexts.number(each, last) for each in contexts], dtype=np.int64)

    def fold_in(self, data: Any) -> "Estimate":
        """Return an estimate of further contexts at the fixed bases of this one.

        Parameters
        ----------
        data : whatever `condprob.fit` takes, named as there
            Of the further contexts. Of one that the estimate knows these counts stand alone: they
            are not added to those that it was fitted to. Pairs with an outcome that is not known
            are left out.

        Raises
        ------
        ValueError
            If the method folds no contexts in; it is told which do. If no outcome is known.

        Warns
        -----
        UserWarning
            If outcomes of some pairs are not known.
        """
        check_folding(self.about.method)
        pairs = self._pairs_of(data)
        rows = Vocabulary(pairs.contexts)
        known, unknown = pairs.within(rows, self.outcomes)
        if not known.contexts:
            raise ValueError("no pair has an outcome that the estimate knows: nothing to fold in")
        if unknown:
            told = f"{unknown:g} of {pairs.total:g} pairs have outcomes that are not known"
            warn_caller(f"{told}, and are left out")
        counts = count_pairs(known, rows, self.outcomes)
        estimator = make(self.about.method, **self.about.options)
        about = replace(self.about, n=counts.n, distinct=counts.nnz)
        return Estimate(estimator.fold_in(self.model, counts), rows, self.outcomes, about)

    def posterior(
        self,
        data: Any,
        samples: int = SAMPLES,
        *,
        rank: int = RANK,
        seed: Seed = 0,
        progress: bool = False,
    ) -> LabelledPosterior:
        """Sample how sure data make each probability: `condprob.posterior` of them, in labels.

        It is another model than the one that was fitted, whatever that is: rows around a base of
        low rank, which stands for how much data say and not for the best estimate.

        Parameters
        ----------
        data : whatever `condprob.fit` takes, named as there
            What the estimate was fitted to, most often. Pairs with an outcome that is not known
            have no part.
        samples, rank, seed, progress
            See `condprob.posterior`.

        Raises
        ------
        ValueError
            If no outcome is known, the weights of the data have fractions, or the samples take
            more memory than there is.

        Examples
        --------
        >>> from condprob import fit
        >>> pairs = [("ann", "tea")] * 8 + [("ann", "milk"), ("bob", "milk")]
        >>> sure = fit(pairs, method="kn").posterior(pairs, seed=0)
        >>> low, high = sure.interval("ann", "tea")
        >>> 0.3 < low < 0.8 < high < 1
        True
        """
        counts = self.in_numbers(data)
        draws = posterior(counts, samples, seed, rank=rank, progress=progress)
        return LabelledPosterior(draws, self)

    def seen(self, context: Hashable) -> bool:
        """Whether a context was named when the estimate was fitted."""
        return context in self.contexts

    def save(self, path: str | PathLike[str]) -> None:
        """Write the estimate with its labels to one file; `condprob.load` reads it.

        Raises
        ------
        ValueError
            If labels are neither texts nor numbers, or the name is that of an ARPA file.
        OSError
            If the file cannot be written.
        """
        if is_arpa(path):
            raise ValueError(f"{path}: an ARPA file is of a text, as `fit_text` makes it")
        labels = {"contexts": list(self.contexts), "outcomes": list(self.outcomes)}
        for name, given in labels.items():
            if any(all(isinstance(v, kind) for v in given) for kind in (str, int, float)):
                continue
            other = next((v for v in given if not isinstance(v, str | int | float)), None)
            told = "are of several types" if other is None else "are neither texts nor numbers"
            beside = "" if other is None else f", such as {type(other).__name__}"
            mend = "a file cannot hold them; make texts of them first, by str"
            raise ValueError(f"{name} {told}{beside}: {mend}")
        self.model.save(path, **labels, **{ABOUT: self.about.packed()})

    def _heading(self) -> list[str]:
        """See `LabelledModel`."""
        about, one, other = self.about, *self._sizes()
        return [
            f"{about.method}: {one} x {other}",
            f"pairs       {rounded(about.n)}, distinct {about.distinct:,}",
            f"seed        {about.seed}",
        ]

    def __repr__(self) -> str:
        one, other = self._sizes()
        told = f"{one} x {other}, n = {rounded(self.about.n)}, {in_short(self.model)}"
        return f"<Estimate by {self.about.method}: {told}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the whole matrix of the contexts that have labels."""
        return np.asarray(self.model.rows(np.arange(len(self.contexts))), dtype)

    def _sizes(self):
        both = zip(self.about.names, _NAMES, strict=False)
        names = (name if isinstance(name, str) else other for name, other in both)
        return [
            f"{len(v):,} {name}"
            for v, name in zip((self.contexts, self.outcomes), names, strict=False)
        ]

    def conditions(self, labels: list) -> np.ndarray:
        """Return the number of each context; of one never seen that of the last row."""
        known = self.contexts
        if self.model.shape[0] == len(known):  # a matrix without such a row, of an older file
            return known.numbers(labels)
        unseen = [label for label in labels if label not in known]
        if unseen:
            told = f"{in_brief(unseen[0])} was never seen"
            if len(unseen) > 1:
                told = f"{len(unseen):,} of {len(labels):,} were never seen, such as "
                told += in_brief(unseen[0])
            near = like_labels(unseen[:1], known)[0]
            told += f" ({in_brief(near)} was)" if near in known else ""
            told += ": the answer is that of a context without counts"
            warn_caller(told, UnseenContextWarning)
        return self._rows_of(labels)

    def _left_out(self, data: Any) -> CountMatrix | np.ndarray:
        """Return the known outcomes of a list, or the known pairs of other data."""
        data, outcomes = computed(data), self.outcomes
        data = list(data) if isinstance(data, Iterator) else data
        several = outcomes_to_exclude(data, outcomes)
        if several is not None:
            return outcomes.numbers(each for each in several if each in outcomes)
        if self._names_in(data)[0] is None:
            data = without_names(data, *self.labels)
        pairs = self._pairs_of(data, *self.labels, needs_weights=False)
        known, _ = pairs.within(*self.labels)
        numbers = self.contexts.numbers(known.contexts), outcomes.numbers(known.outcomes)
        return CountMatrix.from_pairs(*numbers, shape=self.model.shape)


_NAMES = ("contexts", "outcomes")
