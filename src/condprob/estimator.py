"""The base class of all methods: options in a frozen dataclass, `fit` and `fit_text`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, ClassVar, Generic

import numpy as np

from condprob.checks import Seed, check_memory, check_order, in_brief
from condprob.counts import CountMatrix, Counts, PairsInOrder, as_counts
from condprob.files.checkpoints import Checkpoint
from condprob.jit import interrupts_kept
from condprob.matrix import ConditionalMatrix
from condprob.options import WithOptions
from condprob.products import few_threads
from condprob.run import Run

if TYPE_CHECKING:  # a fit of pairs needs no texts
    from typing_extensions import TypeVar

    from condprob.text import SequenceModel
    from condprob.text.sentences import Sentences

    Matrix = TypeVar("Matrix", bound=ConditionalMatrix, default=ConditionalMatrix, covariant=True)
else:  # a default is for checkers of types alone before Python 3.13
    from typing import TypeVar

    Matrix = TypeVar("Matrix", covariant=True)


class Estimator(WithOptions, ABC, Generic[Matrix]):
    """Base class of all methods: fits counts to a matrix, and a text to a language model.

    A subclass is a frozen dataclass whose fields are the options of the method. Its constructor
    checks every field.

    Attributes
    ----------
    keeps_checkpoint : bool
        Whether `fit` supports a ``checkpoint``.
    is_random : bool
        Whether a fit depends on its seed.
    backs_off : bool
        Whether a fit to a text is a back-off model, which an ARPA file can contain.
    counts_ngrams : bool
        Whether a fit to a text needs only the counts of its n-grams, at any order.
    multiplies_matrices : bool
        Whether a fit multiplies or decomposes dense matrices: BLAS then uses one thread if they are
        small.

    Notes
    -----
    A subclass defines `fit_counts`, and `fit_sentences` if it treats texts in its own way; a `Run`
    contains seed, progress and checkpoint. Numbers that underflow become zero, whatever
    `numpy.seterr` says.

    Examples
    --------
    >>> from condprob import Estimator, method
    >>> isinstance(method("kn"), Estimator)
    True
    """

    is_random: ClassVar[bool] = False
    backs_off: ClassVar[bool] = False
    counts_ngrams: ClassVar[bool] = False
    keeps_checkpoint: ClassVar[bool] = False
    multiplies_matrices: ClassVar[bool] = False

    def fit(
        self,
        counts: Counts | PairsInOrder,
        seed: Seed | Run = 0,
        *,
        progress: bool | None = None,
        checkpoint: str | PathLike[str] | Checkpoint | None = None,
    ) -> Matrix:
        """Fit counts. An interrupt (Ctrl-C) ends the fit between two iterations.

        Parameters
        ----------
        counts : CountMatrix, scipy sparse matrix or 2-D array; or PairsInOrder
            Contexts by outcomes, numbers >= 0. Low-rank fits leave mapped counts
            (`CountMatrix.load`) on disk. Or the pairs of a sequence, in their order: most methods
            only count them.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator; or Run
            The source of all randomness; a method without randomness ignores it. A `Run` has
            progress and checkpoint as well.
        progress : bool, optional
            Whether standard error shows how far the fit is; by default at a terminal or in a
            notebook, once it has taken three seconds.
        checkpoint : path or Checkpoint, optional
            A file that the fit writes about once a minute. If the file exists, the fit goes on from
            it and ends with the same numbers as a fit without interruption. Counts, seed and
            options must be the same; ``iterations`` may be more. The file keeps the fit to all
            counts, not the search for a penalty or a temperature before it.

        Returns
        -------
        ConditionalMatrix
            Of the shape of the counts. The estimator itself is not changed.

        Raises
        ------
        ValueError
            If the counts are no counts, the method is not defined for them, or the fit needs more
            memory than there is. Or if the method keeps no checkpoint, or the file is no
            checkpoint, is damaged, or belongs to another fit.
        OSError
            If the checkpoint cannot be read or written.
        """
        in_order = counts if isinstance(counts, PairsInOrder) else None
        counted = CountMatrix.from_pairs(*counts) if in_order else as_counts(counts)
        run = replace(Run.of(seed, progress, checkpoint), in_order=in_order)
        self._check_run(run)
        rows, columns = counted.shape
        check_memory(f"a fit to {rows:,} x {columns:,} counts", self.memory(counted.shape))
        with self._guarded(counted.shape):
            return self.fit_counts(counted, run)

    @contextmanager
    def _guarded(self, shape: tuple[int, int]) -> Iterator[None]:
        """Keep interrupts, ignore underflow, and limit the threads of small products."""
        threads = few_threads(shape) if self.multiplies_matrices else nullcontext()
        with interrupts_kept(), np.errstate(under="ignore"), threads:
            yield

    def _check_run(self, run: Run) -> None:
        """Raise ValueError if a run has a checkpoint, and the method keeps none."""
        if run.checkpoint is not None and not self.keeps_checkpoint:
            able = "low-rank and log-linear methods and nplm do"
            raise ValueError(f"checkpoint: {type(self).__name__} keeps none; {able}")

    def fit_text(
        self,
        sentences: "Sentences",
        order: int = 2,
        seed: Seed | Run = 0,
        *,
        progress: bool | None = None,
        checkpoint: str | PathLike[str] | Checkpoint | None = None,
    ) -> "SequenceModel":
        """Fit a text: the distribution of a word after the ``order - 1`` words before it.

        Parameters
        ----------
        sentences : Sentences
            The text, as numbered words.
        order : int
            Order of the n-grams: the predicted word and the ``order - 1`` words before it.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Seed or generator for all random choices; see `fit`.
        progress : bool, optional
            Whether to show progress on standard error; see `fit`.
        checkpoint : path or Checkpoint, optional
            File from which an interrupted fit resumes; see `fit`.

        Returns
        -------
        SequenceModel
            The language model, in numbers.

        Raises
        ------
        ValueError
            If the text is not `Sentences`, if the order is below one, or as in `fit`.

        Notes
        -----
        At order 2 the contexts of pairs are the words and the start of a sentence; at order 1 all
        pairs have one context. Above order 2, the bigram is mixed with Kneser-Ney of the order,
        with weights learned on the last tenth of the text, unless the method treats texts in its
        own way.
        """
        from condprob.text.sentences import NgramCounts, Sentences

        if isinstance(sentences, NgramCounts):
            self._check_ngrams(order)
        elif not isinstance(sentences, Sentences):
            given = type(sentences).__name__
            raise ValueError(f"{given} given: expected Sentences; condprob.fit_text takes a text")
        order, run = check_order(order), Run.of(seed, progress, checkpoint)
        self._check_run(run)
        with self._guarded((sentences.k, sentences.k)):
            return self.fit_sentences(sentences, order, run)

    def fit_sentences(self, sentences: "Sentences", order: int, run: Run) -> "SequenceModel":
        """Fit sentences: see `fit_text`."""
        if order <= 2:
            from condprob.text.histories import fit_histories

            return fit_histories(self, sentences, order, run)
        from condprob.text.bigram_mixture import fit_mixture

        return fit_mixture(self, sentences, order, run)

    def _check_ngrams(self, order: int) -> None:
        """Raise ValueError if a fit to a text needs more of it than its counts of n-grams."""
        is_pairs = order <= 2 and type(self).fit_sentences is Estimator.fit_sentences
        if self.counts_ngrams or is_pairs:
            return
        needs = "the sentences themselves"
        if self.mixes(order):
            needs += ", because the weights of its mixture are learned from the end of the text"
        raise ValueError(
            f"{type(self).__name__} at order {order} needs {needs}. Counts of n-grams suffice for "
            "kn, katz, interpolated, mle, add-half and laplace, and at order 2 for most others"
        )

    @classmethod
    def mixes(cls, order: int) -> bool:
        """Whether a fit to a text of this order is a bigram mixed with Kneser-Ney."""
        return order > 2 and cls.fit_sentences is Estimator.fit_sentences

    def lighter(self) -> "Estimator":
        """Return the estimator of the bigram by which the weights of a text's mixture are learned.

        It is the method itself, or one that takes less time and is nearly as good.
        """
        return self

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> ConditionalMatrix:
        """Return the rows of further contexts at the fixed classes of a fitted matrix.

        Parameters
        ----------
        matrix : ConditionalMatrix
            The result of `fit`.
        counts : CountMatrix, scipy sparse matrix or 2-D array
            Counts of only the new contexts, over the same outcomes.

        Raises
        ------
        ValueError
            If the method cannot fold contexts in, or the matrix has another number of outcomes.
        """
        raise ValueError(f"{type(self).__name__} cannot fold in new contexts; fit all counts again")

    def memory(self, shape: tuple[int, int]) -> int:
        """Return the least bytes that a fit to counts of this shape needs besides the counts."""
        return 16 * sum(shape)

    @abstractmethod
    def fit_counts(self, counts: CountMatrix, run: Run) -> Matrix:
        """Fit a `CountMatrix`: see `fit`."""


def wrong_fit(wanted: str, matrix: object, counts: CountMatrix) -> ValueError:
    """Return the error for a matrix into which a method cannot fold counts."""
    size = f"over {counts.shape[1]:,} outcomes, as many as the counts have"
    return ValueError(f"matrix: must be a fit of {wanted} {size} (got {in_brief(matrix)})")
