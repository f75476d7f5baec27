"""The log-bilinear bigram (Mnih and Hinton 2007), by L-BFGS, in PY-LR's rows.

It is SDR of the rows, ``sdr-conditional``. A softmax is of no low rank: contexts that were seen
alike have one row, and there is a class for each of them.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.checks import check_memory
from condprob.counts import CountMatrix
from condprob.models.rivals.around import RowsAround
from condprob.models.survey.sdr import ConditionalReduction
from condprob.options import AtLeastOne, Positive
from condprob.pitman_yor.bases import FittedBase


@dataclass(frozen=True)
class BilinearBase:
    """A fit of the log-bilinear bigram; the fields are options of `BilinearRows`."""

    rank: int
    ridge: float
    iterations: int

    @property
    def name(self) -> str:
        """See `around.Base`."""
        return f"log-bilinear {self.rank}"

    def fit(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `around.Base`; it has no randomness."""
        bigram = ConditionalReduction(self.rank, self.ridge, 0.0, self.iterations)
        matrix, solution = bigram.fit_scores(counts, self.ridge, progress)
        _, first, kind = np.unique(matrix.left, axis=0, return_index=True, return_inverse=True)
        what = f"log-bilinear rows of {first.size:,} kinds of contexts"
        check_memory(what, 8.0 * first.size * sum(counts.shape))
        W = np.zeros((kind.size, first.size))
        W[np.arange(kind.size), kind] = 1.0
        return FittedBase(W, matrix.rows(first), solution.history)


@dataclass(frozen=True)
class BilinearRows(RowsAround):
    """Rows around the log-bilinear bigram.

    Rank and ridge are of ranks 10, 20 and 50 and of ridges 4, 8 and 16 on training halves of
    Genesis, Brown and pydoc, halved again: the best within .005 nats on each.

    Attributes
    ----------
    rank : int
        Of the scores.
    ridge : float
        See `sdr.SufficientReduction`.
    iterations : int
        Of L-BFGS, at most.
    """

    base: ClassVar[type] = BilinearBase
    rank: AtLeastOne = 20
    ridge: Positive = 8.0
    iterations: AtLeastOne = 100
    starts: ClassVar[int] = 1

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors; `BilinearBase` knows how many rows there are."""
        return 16 * sum(shape) * (self.rank + 1)
