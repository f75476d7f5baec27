"""Direct methods: a vector smoother on each row of counts (Section 7, methods 1 and 2)."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator, wrong_fit
from condprob.matrix import ConditionalMatrix
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant, VectorSmoother
from condprob.options import AtLeastZero, Discount
from condprob.run import Run
from condprob.sparse_plus_low_rank import SparsePlusLowRank

if TYPE_CHECKING:
    from condprob.text.histories import HistoryModel
    from condprob.text.sentences import Sentences


@dataclass(frozen=True)
class AddHalf(Estimator):
    """Add 1/2 to every count (Krichevsky-Trofimov).

    ``(C_ij + 1/2) / (C_i + k/2)`` on each row (Section 3).

    READING: Section 7 prints the denominator as ``C_i + 1/2``; then a row does not sum to one.

    Attributes
    ----------
    constant : float
        Constant to add to every count.
    """

    counts_ngrams: ClassVar[bool] = True
    constant: AtLeastZero = 0.5

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        return smooth_rows(counts, AddConstant(self.constant))

    def fit_sentences(self, sentences: "Sentences", order: int, run: Run) -> "HistoryModel":
        """Fit n-grams as textbooks do: each distinct history is a context of its own.

        After a history that was never seen all words have the same probability.
        """
        from condprob.text.histories import fit_histories

        return fit_histories(self, sentences, order, run)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> SparsePlusLowRank:
        """See `Estimator.fold_in`: a row follows only from its own counts."""
        counts = as_counts(counts)
        if matrix.outcomes != counts.shape[1]:
            raise wrong_fit("this method", matrix, counts)
        return smooth_rows(counts, AddConstant(self.constant))


@dataclass(frozen=True)
class AddOne(AddHalf):
    """Add one to every count (Laplace).

    ``(C_ij + 1) / (C_i + k)``, the rule of textbooks.

    Attributes
    ----------
    constant : float
        Constant to add to every count.
    """

    constant: AtLeastZero = 1.0


@dataclass(frozen=True)
class AbsoluteDiscounting(Estimator):
    """Absolute discounting; the unseen outcomes of a context share the discounts.

    READING: a context never seen has no row to smooth. It gets the absolute-discounting
    distribution of the pooled counts (``unseen="unigram"``) or the uniform (``"uniform"``).

    Attributes
    ----------
    discount : float
        Amount to subtract from every count, ``alpha``.
    unseen : str
        Row of an unseen context: the pooled counts, smoothed by absolute discounting, or the
        uniform distribution.
    """

    discount: Discount = 0.75
    unseen: Literal["unigram", "uniform"] = "unigram"

    def fit_counts(self, counts: CountMatrix, run: Run) -> SparsePlusLowRank:
        matrix = smooth_rows(counts, AbsoluteDiscount(self.discount))
        return matrix if self.unseen == "uniform" else with_unigram(matrix, counts, self.discount)


def smooth_rows(counts: CountMatrix, smoother: VectorSmoother) -> SparsePlusLowRank:
    """Return the matrix of the smoothed rows of counts; a row without counts is uniform."""
    entries, unseen = smoother.sparse_rows(counts)
    ones = np.ones((1, counts.shape[1]))
    return SparsePlusLowRank.on_pattern(counts, unseen[:, None], ones, entries)


def unigram(counts: CountMatrix, discount: float) -> np.ndarray:
    """Return the absolute-discounting distribution of the pooled outcomes, shape (outcomes,)."""
    return AbsoluteDiscount(discount)(counts.column_sums)


def with_unigram(
    matrix: SparsePlusLowRank, counts: CountMatrix, discount: float
) -> SparsePlusLowRank:
    """Return the matrix with the unigram distribution in the rows of unseen contexts."""
    return with_row(matrix, counts.row_sums == 0, unigram(counts, discount))


def with_row(matrix: SparsePlusLowRank, contexts: np.ndarray, row: np.ndarray) -> SparsePlusLowRank:
    """Return the matrix with a distribution, shape (outcomes,), in the rows of some contexts.

    ``contexts`` is a mask, shape (contexts,). The sparse part must be empty in their rows.
    """
    left = np.column_stack([np.where(contexts[:, None], 0.0, matrix.left), contexts])
    return replace(matrix, left=left, right=np.vstack([matrix.right, row]))
