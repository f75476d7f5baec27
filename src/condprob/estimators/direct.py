"""Direct methods: a vector smoother on each row of counts (Section 7, methods 1 and 2)."""

from dataclasses import dataclass, replace

import numpy as np

from condprob.matrices.sparse_low_rank import ConditionalMatrix
from condprob.smoothing import AbsoluteDiscount, AddConstant


@dataclass(frozen=True)
class AddHalf:
    """Add-1/2 on each row: ``(C_ij + 1/2) / (C_i + k/2)`` (Section 3).

    READING: Section 7 prints the denominator as ``C_i + 1/2``, which is not a distribution.
    """

    constant: float = 0.5

    def __post_init__(self):
        AddConstant(self.constant)  # it checks its parameter

    def fit(self, counts, seed=None):
        """Fit a `CountMatrix`; the method uses no randomness and ignores ``seed``."""
        entries, unseen = AddConstant(self.constant).sparse_rows(counts)
        return ConditionalMatrix(counts, unseen[:, None], np.ones((1, counts.k)), entries)


@dataclass(frozen=True)
class AbsoluteDiscounting:
    """AD: absolute discounting on each row, the freed mass shared by the unseen outcomes.

    READING: a context never seen has no row to smooth. It gets the absolute-discounting
    distribution of the pooled counts (``unseen="unigram"``) or the uniform (``"uniform"``).
    """

    discount: float = 0.75
    unseen: str = "unigram"

    def __post_init__(self):
        AbsoluteDiscount(self.discount)  # it checks its parameter
        check_choice("unseen", self.unseen, ("unigram", "uniform"))

    def fit(self, counts, seed=None):
        """Fit a `CountMatrix`; the method uses no randomness and ignores ``seed``."""
        entries, unseen = AbsoluteDiscount(self.discount).sparse_rows(counts)
        uniform = ConditionalMatrix(counts, unseen[:, None], np.ones((1, counts.k)), entries)
        return uniform if self.unseen == "uniform" else with_unigram(uniform, self.discount)


def unigram(counts, discount):
    """Return the absolute-discounting distribution of the pooled outcomes, shape (k,)."""
    return AbsoluteDiscount(discount)(counts.column_sums)


def with_unigram(matrix, discount):
    """Return the same matrix with the unigram distribution in the rows of unseen contexts."""
    counts = matrix.counts
    unseen = counts.row_sums == 0
    left = np.column_stack([np.where(unseen[:, None], 0.0, matrix.left), unseen])
    right = np.vstack([matrix.right, unigram(counts, discount)])
    return replace(matrix, left=left, right=right)


def check_choice(name, value, allowed):
    """Raise ValueError unless ``value`` is one of ``allowed``."""
    if value not in allowed:
        raise ValueError(f"{name} = {value!r}: one of {', '.join(allowed)} is needed")
