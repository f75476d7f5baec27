"""Kneser-Ney with the Good-Turing rule of PY-LR for outcomes never seen."""

from dataclasses import dataclass
from typing import Literal

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.kneser_ney import KneserNey
from condprob.options import Discount
from condprob.pitman_yor.bases import PLAIN_DISCOUNT
from condprob.pitman_yor.rows import BINS, RowsOfFactors, add_novelty, bin_of
from condprob.sparse_plus_low_rank import SparsePlusLowRank


def with_novelty(counts: CountMatrix, matrix: SparsePlusLowRank) -> SparsePlusLowRank:
    """Return a matrix that gives outcomes never seen what `rows.add_novelty` says.

    Parameters
    ----------
    counts : CountMatrix
        What the matrix was fitted to; its sparse part, if any, is on their pattern.
    matrix : SparsePlusLowRank
    """
    entries = None if matrix.sparse is None else matrix.sparse.values
    rows = RowsOfFactors(matrix.left, matrix.right, entries)
    rows, _ = add_novelty(counts, rows, bin_of(counts.row_sums), BINS.size + 1)
    return SparsePlusLowRank.on_pattern(counts, rows.left, rows.right, rows.entries)


def kneser_ney_of(counts: CountMatrix) -> KneserNey:
    """Return Kneser-Ney with three discounts, or of real counts, which have none, with 3/4."""
    return KneserNey("modified" if counts.is_whole else PLAIN_DISCOUNT)


@dataclass(frozen=True)
class KneserNeyGoodTuring(Estimator):
    """KN whose rows give outcomes never seen what Good-Turing on the distinct pairs says.

    Attributes
    ----------
    discount : float, "estimated" or "modified"
        See `backoff.KneserNey`; of real counts three discounts are 3/4.
    """

    discount: Discount | Literal["estimated", "modified"] = "modified"

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> SparsePlusLowRank:
        """See `Estimator.fit`."""
        kn = kneser_ney_of(counts) if self.discount == "modified" else KneserNey(self.discount)
        return with_novelty(counts, kn.fit(counts))
