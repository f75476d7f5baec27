"""Conditional probabilities of labelled outcomes in labelled contexts."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from math import inf
from os import PathLike
from typing import Any, overload

import numpy as np

from condprob.catalogue import check_folding
from condprob.catalogue import method as make
from condprob.checks import (
    Seed,
    check_integer,
    check_memory,
    counted,
    in_brief,
    rounded,
    warn_caller,
)
from condprob.checks.values import as_labels
from condprob.counts import CountMatrix
from condprob.embeddings import nearest_labels
from condprob.evaluation import (
    Losses,
    NumberedPairs,
    OfContexts,
    Score,
    in_contexts,
    losses_of,
    student_interval,
)
from condprob.files.arpa import is_arpa
from condprob.labelled_model import ABOUT, About, LabelledModel
from condprob.labels.exclusion import numbers_among, numbers_to_exclude
from condprob.labels.pairs import (
    PairData,
    further_pairs,
    is_many,
    listed,
    listed_in_order,
)
from condprob.labels.posterior_samples import LabelledPosterior
from condprob.matrix import ConditionalMatrix
from condprob.methods.uncertainty import RANK, SAMPLES, sample_posterior
from condprob.model import corner_in_html
from condprob.run import Run
from condprob.vocabulary import Vocabulary, like_labels

SIMILAR_AT_ONCE = 256  # of which `similar` has the probabilities in memory at a time; not measured


class UnseenContextWarning(UserWarning):
    """Warning that a context is unseen, so that its answer is that for a context without counts."""


def warn_of_unseen(labels: list, known: Vocabulary, answer: str) -> None:
    """Warn of labels that a fit has never seen, and say what the answer is for them."""
    unseen = [label for label in labels if label not in known]
    if unseen:
        first = in_brief(unseen[0])
        problem = f"{first} was never seen"
        if len(unseen) > 1:
            problem = f"{len(unseen):,} of {len(labels):,} were never seen, such as {first}"
        near = like_labels(unseen[:1], known)[0]
        problem += f" ({in_brief(near)} was)" if near in known else ""
        warn_caller(f"{problem}: the answer is {answer}", UnseenContextWarning)


class ByContext(dict[Hashable, Any]):
    """Answers by context; of another context the error says that it was not asked for."""

    def __missing__(self, context: Hashable) -> Any:
        problem = f"{in_brief(context)} is not among the contexts of this result"
        raise KeyError(f"{problem}: top({in_brief(context)}) answers for any context")


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(LabelledModel):
    """Conditional probabilities in labels; the result of `condprob.fit`.

    Attributes
    ----------
    model : ConditionalMatrix, shape (contexts + 1, outcomes)
        The same in numbers: rows and columns in the order of the labels, and a last row for unseen
        contexts.
    contexts, outcomes : Vocabulary
        Labels of the rows and of the columns.
    about : About
        Method, options, seed and names of columns of the fit.

    Examples
    --------
    >>> from condprob import fit
    >>> estimate = fit([("ann", "tea"), ("ann", "tea"), ("bob", "milk")], method="kn")
    >>> estimate.prob("ann", ["tea", "milk"]).tolist()
    [0.8125, 0.1875]
    """

    model: ConditionalMatrix
    contexts: Vocabulary
    outcomes: Vocabulary
    about: About

    def __post_init__(self) -> None:
        object.__setattr__(self.model, "new_contexts", 1)

    @overload
    def prob(self, context: str | int, outcome: str | int) -> float: ...
    @overload
    def prob(self, context: Any, outcome: Any) -> Any: ...
    def prob(self, context: Any, outcome: Any) -> Any:
        """Return the probability of an outcome in a context; for lists, an array.

        Parameters
        ----------
        context, outcome : label, or list of labels
            Lists of the same length are pairs. A single label goes with each entry of a list.

        Raises
        ------
        ValueError
            If an outcome is not known.

        Warns
        -----
        UnseenContextWarning
            If a context is unseen: the answer is that of a context without counts.
        """
        columns = self.number_outcomes(listed_in_order(outcome))
        found = self.model.at(self.conditions(listed_in_order(context)), columns)
        return found if is_many(context) or is_many(outcome) else float(found[0])

    def row(self, context: Hashable) -> dict[Hashable, float]:
        """Return the probability of every outcome in a context."""
        (row,) = self.model.rows(self.conditions([context]))
        return dict(zip(self.outcomes, row.tolist(), strict=True))

    def top(self, context: Any, n: int = 10, *, exclude: Any = None, among: Any = None) -> Any:
        """Most probable outcomes of a context, or of each context in a list.

        Parameters
        ----------
        context : label, or list of labels
            The context or contexts.
        n : int
            Number of outcomes for each context.
        exclude : labelled pairs, or labels, optional
            Outcomes to leave out, such as those that were observed. Any data for `condprob.fit` are
            pairs to leave out, with the names of columns of the fit; a pair of weight zero, as in
            cross tables, stays. An outcome, or a list of outcomes, is left out after every context.
            A list of tuples or lists contains pairs, unless a tuple is an outcome. With ``{context:
            [outcome, ...]}``, or a pandas column of lists or sets indexed by contexts, outcomes are
            left out by context. Unknown labels exclude nothing.
        among : list of labels, optional
            Outcomes that may be returned, such as the items in stock; by default all. Those that
            the estimate does not know have no probability and are not returned.

        Returns
        -------
        list of (outcome, probability)
            The most probable first. For a list of contexts, a dictionary of such lists by context.

        Raises
        ------
        ValueError
            If ``exclude`` has another form, or is a table although the fit got no names of columns.
        """
        contexts = listed(context)
        numbers = self.conditions(contexts)
        if exclude is not None:
            shape = self.model.shape
            exclude = numbers_to_exclude(exclude, self.about.names, *self.labels, shape)
        if among is not None:
            among = numbers_among(among, self.outcomes)
        best, chances = self.model.top(numbers, n, exclude=exclude, among=among)
        found = ByContext()
        for label, row, p in zip(contexts, best.tolist(), chances.tolist(), strict=True):
            pairs = zip(row, p, strict=True)
            found[label] = [(self.outcomes[j], q) for j, q in pairs if j >= 0]
        return found if is_many(context) else found[context]

    def recommend(
        self, data: Any, n: int = 10, *, among: Any = None
    ) -> dict[Hashable, list[tuple[Hashable, float]]]:
        """Most probable outcomes of each context in the data, without those observed there.

        Parameters
        ----------
        data : whatever `condprob.fit` takes
            Pairs observed so far, with the names of columns of the fit.
        n : int
            Number of outcomes for each context.
        among : list of labels, optional
            Outcomes that may be returned; see `top`.
        """
        pairs = further_pairs(data, self.about.names, self.labels)
        return self.top(list(dict.fromkeys(pairs.contexts)), n, exclude=pairs, among=among)

    def recall(self, data: Any, n: int = 10, *, exclude: Any = None) -> float:
        """Recall at ``n``: the fraction of test pairs whose outcome is among the most probable.

        Parameters
        ----------
        data : whatever `condprob.fit` takes, named as there
            Test pairs; each distinct pair counts once. A pair with an unknown outcome counts as
            not found.
        n : int
            Number of most probable outcomes to consider for each context.
        exclude : labelled pairs, or labels, optional
            Outcomes to leave out first, such as those of the training data; see `top`.
        """
        pairs = further_pairs(data, self.about.names, self.labels)
        rows = zip(pairs.contexts, pairs.outcomes, pairs.amounts, strict=True)
        wanted = {(context, outcome) for context, outcome, weight in rows if weight}
        if not wanted:
            raise ValueError("the data have no pair with a weight above zero")
        best = self.top(list(dict.fromkeys(pairs.contexts)), n, exclude=exclude)
        listed = {(context, outcome) for context, row in best.items() for outcome, _ in row}
        return len(wanted & listed) / len(wanted)

    def similar(self, context: Hashable, n: int = 10) -> list[tuple[Hashable, float]]:
        """Contexts with the most similar distributions, the most similar first.

        The similarity of two rows ``p`` and ``q`` is the cosine of their square roots, the
        Bhattacharyya coefficient ``sum_j sqrt(p_j q_j)``: one for equal rows, zero for rows without
        a common outcome. For similar outcomes, fit the pairs the other way round.
        """
        (number,) = self.conditions([context])
        root = np.sqrt(self.model.rows([number])[0])
        found = np.concatenate(
            [
                np.sqrt(
                    self.model.rows(np.arange(len(self.contexts))[start : start + SIMILAR_AT_ONCE])
                )
                @ root
                for start in range(0, len(self.contexts), SIMILAR_AT_ONCE)
            ]
        )
        return nearest_labels(found, number, self.contexts, n)

    def sample(self, context: Any, n: int | None = None, *, seed: Seed = 0) -> Any:
        """Sample an outcome in a context, or ``n`` of them, or one for each context in a list."""
        contexts = listed_in_order(context) * (1 if n is None else check_integer("n", n, 0))
        drawn = self.outcomes.labels(self.model.sample(self.conditions(contexts), seed))
        return drawn if is_many(context) or n is not None else drawn[0]

    def to_frame(
        self, contexts: Iterable[Hashable] | str | None = None, n: int | None = None
    ) -> Any:
        """Return a pandas table of context, outcome and probability, the most probable first.

        The last column is called ``probability_`` if a column of labels is called ``probability``.

        Parameters
        ----------
        contexts : iterable of labels, or one text, optional
            Default: all.
        n : int, optional
            Number of outcomes for each context; default: all.

        Raises
        ------
        ImportError
            If pandas is not installed; `top` and `row` do not need it.
        """
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            problem = "to_frame needs pandas: pip install pandas; `top` and `row` do without"
            raise ImportError(problem) from None

        if contexts is None:
            contexts = list(self.contexts)
        contexts = [contexts] if isinstance(contexts, str) else as_labels(contexts)
        found = self.top(contexts, len(self.outcomes) if n is None else n)
        rows = [(c, o, p) for c, pairs in found.items() for o, p in pairs]
        context, outcome = self.about.titles
        names = [
            "context" if context is None else context,
            "outcome" if outcome is None else outcome,
        ]
        chance = "probability"
        while chance in names:
            chance += "_"
        return pandas.DataFrame(rows, columns=[*names, chance])

    def score(self, data: Any, name: str = "the data") -> Score:
        """Score the estimate on test data.

        Pairs with an unknown outcome count as unknown; those with an unseen context are scored.

        Parameters
        ----------
        data : whatever `condprob.fit` takes
            Test data, with the names of columns of the fit.
        name : str
            Name for the data in an error message.

        Raises
        ------
        ValueError
            If the model knows no outcome of the data.
        """
        known, unknown = self._read(data, name)
        losses = self._losses(known)
        n, nats = losses.n, losses.mean
        is_new = self._rows_of(known.contexts) == len(self.contexts)
        unseen = float(is_new @ np.array(known.amounts, dtype=float))
        low, high = student_interval(losses)
        return Score(
            nats=nats,
            low=low,
            high=high,
            n=n,
            unknown=unknown,
            nats_with_unknown=inf if unknown else nats,
            unseen=unseen,
        )

    @property
    def labels(self) -> tuple[Vocabulary, Vocabulary]:
        return self.contexts, self.outcomes

    def in_numbers(self, data: Any) -> CountMatrix:
        """Return counts of the pairs whose outcomes are known; the last row is of new contexts."""
        return self._read(data)[0].counted(*self.labels)

    def block_losses(self, data: Any, contexts: OfContexts = "drawn") -> Losses:
        """Return the losses of the same pairs in blocks: see `condprob.interval`."""
        return self._losses(self._read(data)[0], contexts)

    def _losses(self, known: PairData, contexts: OfContexts = "drawn") -> Losses:
        pairs = NumberedPairs(self._rows_of(known.contexts), self.outcomes.numbers(known.outcomes))
        which, amounts = known.contexts.codes, np.array(known.amounts, dtype=float)
        return in_contexts(which, losses_of(pairs, self.model), amounts, contexts)

    def _read(self, data: Any, name: str = "the data") -> tuple[PairData, float]:
        """Return the pairs of data whose outcomes are known, and the weight of the others."""
        pairs = further_pairs(data, self.about.names, self.labels)
        known, unknown = pairs.within(Vocabulary(pairs.contexts), self.outcomes)
        if not known.contexts:
            raise ValueError(f"{name}: no pair has an outcome that the model knows; pass more data")
        return known, unknown

    def number_outcomes(self, labels: list) -> np.ndarray:
        """Return the number of each outcome; the error says if it is a context instead."""
        try:
            return self.outcomes.numbers(labels)
        except ValueError as error:
            unknown = next((each for each in labels if each not in self.outcomes), None)
            if unknown is None or unknown not in self.contexts:
                raise
            problem = f"{in_brief(unknown)} is a context of this estimate, not an outcome"
            raise ValueError(f"{problem}; pass the context first, then the outcome") from error

    def _rows_of(self, contexts: Iterable[Hashable]) -> np.ndarray:
        """Return the number of each context; a context that was never seen has the last row."""
        return self.contexts.numbers(contexts, len(self.contexts))

    def conditions(self, labels: list) -> np.ndarray:
        """Return the row of each context, shape (labels,); the last one for a context never seen.

        Warns
        -----
        UnseenContextWarning
            If a context was never seen.
        """
        warn_of_unseen(labels, self.contexts, "that of a context without counts")
        return self._rows_of(labels)

    def fold_in(self, data: Any) -> "Estimate":
        """Return an estimate of new contexts, without fitting again.

        The factors of this estimate stay as they are.

        Parameters
        ----------
        data : whatever `condprob.fit` takes, named as there
            Pairs of the new contexts. For a context that the estimate knows, these counts
            replace those of the fit. Pairs with an unknown outcome are left out.

        Raises
        ------
        ValueError
            If the method cannot fold in contexts (the message names those that can), or if no
            outcome is known.

        Warns
        -----
        UserWarning
            If outcomes of some pairs are not known.
        """
        check_folding(self.about.method)
        pairs = further_pairs(data, self.about.names, self.labels)
        rows = Vocabulary.in_order(pairs.contexts)
        known, unknown = pairs.within(rows, self.outcomes)
        if not known.contexts:
            raise ValueError("nothing to fold in: no pair has an outcome that the estimate knows")
        counts = known.counted(rows, self.outcomes)
        if unknown:
            number = f"{unknown:g} of {counts.n + unknown:g} pairs"
            warn_caller(f"{number} have outcomes that are not known, and are left out")
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
        progress: bool | None = None,
    ) -> LabelledPosterior:
        """Sample the posterior of the probabilities from data, in the labels of this estimate.

        Parameters
        ----------
        data : whatever `condprob.fit` takes
            Mostly the data of the fit, with the same names of columns. Pairs with an unknown
            context or outcome are left out, because those of one new context say nothing about
            another.
        samples : int
            Number of Gibbs sweeps to keep.
        rank : int
            Largest number of classes that rows may mix.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Seed or generator for all random choices. The same seed gives the same result.
        progress : bool, optional
            Whether to show progress on standard error; see `condprob.posterior`.

        Raises
        ------
        ValueError
            If no outcome is known, or if the samples take more memory than the machine has.

        Warns
        -----
        UserWarning
            If contexts of some pairs are unknown, or if weights are fractional.

        Notes
        -----
        The posterior is that of `py-lr` without discounts, whatever the method of this estimate.

        Examples
        --------
        >>> from condprob import fit
        >>> pairs = [("ann", "tea")] * 80 + [("ann", "milk")] * 20 + [("bob", "milk")]
        >>> sure = fit(pairs, method="kn").posterior(pairs, seed=0)
        >>> low, high = sure.interval("ann", "tea")
        >>> 0.6 < low < 0.8 < high < 0.95
        True
        """
        pairs, _ = self._read(data)
        known, left_out = pairs.within(*self.labels)
        if left_out:
            number = f"{left_out:g} of {counted(sum(pairs.amounts), 'pair')}"
            warn_caller(f"{number} have contexts that the estimate does not know, and are left out")
        counts = known.counted(*self.labels)
        draws = sample_posterior(counts, samples, rank=rank, run=Run.of(seed, progress))
        return LabelledPosterior(draws, self)

    def seen(self, context: Hashable) -> bool:
        """Whether a context occurred in the data of the fit."""
        return context in self.contexts

    def save(self, path: str | PathLike[str]) -> None:
        """Write the estimate with its labels to one file; `condprob.load` reads it.

        Raises
        ------
        ValueError
            If labels are neither all texts nor all numbers, or the name is that of an ARPA file.
        OSError
            If the file cannot be written.
        """
        if is_arpa(path):
            raise ValueError(
                f"{path}: only language models can be saved as ARPA; use the suffix .safetensors"
            )
        labels = {"contexts": list(self.contexts), "outcomes": list(self.outcomes)}
        self.model.save(path, **labels, **{ABOUT: [self.about.to_json()]})

    def _heading(self) -> list[str]:
        about = self.about
        return [
            f"{about.method}: {self._sizes()}",
            f"pairs       {rounded(about.n)}, distinct {about.distinct:,}",
            f"seed        {about.seed}",
        ]

    def __repr__(self) -> str:
        sizes = f"{self._sizes()}, n = {rounded(self.about.n)}, {self._end_in_brief()}"
        return f"<Estimate by {self.about.method}: {sizes}>"

    def _repr_html_(self) -> str:
        """Return the first probabilities as a table with labels, as notebooks show it."""
        return corner_in_html(repr(self)[1:-1], self.model, *map(list, self.labels))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return the rows of all contexts with labels, shape (contexts, outcomes).

        Raises
        ------
        ValueError
            If there is no room for them.
        """
        rows, columns = map(len, self.labels)
        check_memory(f"an array of {rows:,} x {columns:,} probabilities", 8.0 * rows * columns)
        return np.asarray(self.model.rows(np.arange(len(self.contexts))), dtype)

    def _sizes(self):
        context, outcome = self.about.titles
        context = context if isinstance(context, str) else "contexts"
        outcome = outcome if isinstance(outcome, str) else "outcomes"
        return f"{len(self.contexts):,} {context} x {len(self.outcomes):,} {outcome}"
