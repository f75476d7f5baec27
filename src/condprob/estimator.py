"""What every estimator is: hyperparameters in a frozen dataclass, `fit` and `fit_text`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np

from condprob.annotations import Seed
from condprob.checks import check_memory, check_order, check_seed
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.matrix import ConditionalMatrix
from condprob.options import check_options, refuse_options
from condprob.runtime.jit import interrupts_kept
from condprob.sequences.histories import HistoryModel, count_histories
from condprob.sequences.longer_histories import fit_grown
from condprob.sequences.model import SequenceModel, Trial
from condprob.sequences.sentences import Sentences


class Estimator(ABC):
    """From counts to a matrix of conditional probabilities, and from a text to a model of it.

    A subclass is a frozen dataclass whose fields are its hyperparameters, annotated as `options`
    says, and has `fit_counts`. Making one checks every field.
    """

    def __post_init__(self) -> None:
        check_options(self)

    def fit(self, counts: Counts, seed: Seed = 0, *, progress: bool = False) -> ConditionalMatrix:
        """Fit counts.

        Parameters
        ----------
        counts : CountMatrix, scipy sparse matrix or 2-D array
            Contexts by outcomes, numbers >= 0.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Of all randomness; a method without any ignores it.
        progress : bool
            Show a bar of a fit that has iterations.

        Returns
        -------
        ConditionalMatrix
            Of the shape of the counts. The estimator itself is not changed.

        Raises
        ------
        ValueError
            If the counts are no counts, the method is not defined for them, or the fit takes more
            memory than there is.
        """
        with interrupts_kept():
            return self.fit_counts(self.checked(counts, seed), seed, progress)

    def fit_text(
        self, sentences: Sentences, order: int = 2, seed: Seed = 0, *, progress: bool = False
    ) -> SequenceModel:
        """Fit a text: the distribution of a word after the ``order - 1`` words before it.

        At order 2 the contexts of pairs are the words and the start of a sentence. Above it, unless
        a method has a reading of its own, longer histories add to the bigram what their own counts
        ask for: see `longer_histories.fit_grown`. At order 1 the pairs have one context.

        Parameters
        ----------
        sentences : Sentences
        order : int
            Words that the model sees at once, the next one among them.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
        progress : bool
            See `fit`.

        Returns
        -------
        SequenceModel

        Raises
        ------
        ValueError
            If the order is below one, or as in `fit`.
        """
        return self._fit_order(sentences, order, seed, progress=progress)

    def _fit_order(self, sentences, order, seed, **how) -> SequenceModel:
        """Do what `fit_text` says; ``how`` is for the fit to all pairs."""
        if check_order(order) > 2:
            penalty, scout = self._penalty_of_growth(), self._scout()
            return fit_grown(self, sentences, order, penalty, seed, scout=scout, **how)
        return self._fit_histories(sentences, order, seed, **how)

    def _penalty_of_growth(self) -> float | Literal["learned"]:
        """Return the penalty of what longer histories add: see `longer_histories.fit_grown`."""
        return "learned"

    def _scout(self) -> "Estimator":
        """Return what stands for this one where that penalty is learned."""
        return self

    def _fit_histories(self, sentences, order, seed, **how) -> SequenceModel:
        """Fit each history as a context of pairs, whatever its shorter histories tell."""
        counts, histories = count_histories(sentences, order)
        return HistoryModel(self.fit(counts, seed, **how), histories, counts.nnz)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> ConditionalMatrix:
        """Return the rows of further contexts at the fixed bases of a matrix that was fitted.

        Parameters
        ----------
        matrix : ConditionalMatrix
            What `fit` returned.
        counts : CountMatrix, scipy sparse matrix or 2-D array
            Of the further contexts alone, over the same outcomes.

        Raises
        ------
        ValueError
            If the method has no bases that could be kept, or these are not of so many outcomes.
        """
        raise ValueError(f"{type(self).__name__} folds no contexts in: fit all the counts again")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options by name, as scikit-learn asks for them."""
        return {part.name: getattr(self, part.name) for part in fields(self)}  # type: ignore

    def set_params(self, **options: Any) -> "Estimator":
        """Return an estimator with other options: this one is frozen.

        Raises
        ------
        ValueError
            For an unknown option, or a value out of range.
        """
        refuse_options(type(self).__name__, options, self.get_params())
        return replace(self, **options)  # type: ignore[type-var]

    def trace_text(
        self,
        sentences: Sentences,
        held_out: Sentences,
        order: int = 2,
        seed: Seed = 0,
        *,
        scored: np.ndarray | None = None,
        tol: float | None = None,
        iterations: int | None = None,
    ) -> Iterator[Trial]:
        """Yield each setting that `fit_text` would choose from; nothing where it chooses nothing.

        Parameters
        ----------
        sentences, held_out : Sentences
            To fit, and to judge by.
        order, seed
            See `fit_text`.
        scored : numpy.ndarray of bool, shape (held_out.n,), optional
            Which held-out words count; all of them unless it is given.
        tol, iterations : optional
            Where the fit of a setting stops, if it has iterations.
        """
        scored = slice(None) if scored is None else scored

        def judge(model):
            return -model.score(held_out)[scored].mean()

        stops = {"tol": tol, "iterations": iterations}
        stops = {name: value for name, value in stops.items() if value is not None}
        yield from self._trace_text(sentences, check_order(order), seed, judge, stops)

    def _trace_text(self, sentences, order, seed, judge, stops) -> Iterator[Trial]:
        """Do what `trace_text` says; ``judge`` returns the mean loss of a model, nats per word."""
        yield from ()

    def chosen(self, trial: Trial) -> "Estimator":
        """Return the estimator with the settings of a trial."""
        return replace(self, **trial.settings)

    def checked(self, counts: Counts, seed: Seed) -> CountMatrix:
        """Return what `fit` fits, once it is known that it can be fitted; see there."""
        counts = as_counts(counts)
        check_seed(seed)
        rows, columns = counts.shape
        check_memory(f"a fit to {rows:,} x {columns:,} counts", self.memory(counts.shape))
        return counts

    def memory(self, shape: tuple[int, int]) -> int:
        """Return how many bytes a fit holds at least, besides counts of this shape."""
        return 16 * sum(shape)

    @abstractmethod
    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> ConditionalMatrix:
        """Do what `fit` says for a `CountMatrix`."""
