"""Spectral estimates: truncated singular value decompositions of the frequencies of pairs.

Zhang and Wang (2020, IEEE Transactions on Information Theory 66) take the best approximation of a
rank to ``F = C / n``, its positive part, and normalise the rows.

Huang, Kakade, Kong and Valiant (2018, ITCS) divide by the square roots of the marginal frequencies
first, so that the noise of all cells is alike. READING: the publication sorts labels into bins by
their frequency, removes heavy rows of each bin, and mends the result by a second phase of least
squares. Here one matrix is divided by ``sqrt((r_i + 1/contexts) (c_j + 1/outcomes))``, as
regularised spectral clustering does, and there is no second phase.

Chhor, Klopp and Tsybakov (2024) sort contexts and outcomes into classes by the power of two of
their frequency. In each block of two classes only singular values above a threshold remain, so that
no rank is given. READING: recalled, for the text was not at hand. The threshold is a constant times
``sqrt(f / n)``, the size of the noise, where ``f`` is the largest frequency of the block's labels;
the publication has a logarithm in it, too, and takes half of the pairs for the classes. Here the
constant is learned, and all pairs serve for both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from condprob.models.since.chosen import Chosen, Estimate, list_ranks
from condprob.options import AtLeastOne, Positive

CONSTANTS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8)  # a learned threshold is one of these


@dataclass(frozen=True)
class SpectralTruncation(Chosen):
    """The positive part of the best approximation of a rank.

    Attributes
    ----------
    rank : int or "learned"
        Singular vectors that are kept; held-out pairs choose a learned number.
    scaling : "none" or "marginals"
        Whether frequencies are divided by the square roots of those of their labels.
    """

    rank: AtLeastOne | Literal["learned"] = "learned"
    scaling: Literal["none", "marginals"] = "none"

    def settings(self, block: np.ndarray) -> Sequence[int]:
        """See `Chosen`."""
        return list_ranks(self.rank, block)

    def estimate(self, block: np.ndarray, settings: Sequence[int]) -> Iterator[Estimate]:
        """See `Chosen`."""
        F = block / block.sum()
        of_rows = of_columns = np.ones(1)
        if self.scaling == "marginals":
            of_rows = np.sqrt(F.sum(axis=1) + 1 / F.shape[0])
            of_columns = np.sqrt(F.sum(axis=0) + 1 / F.shape[1])
        U, s, V = np.linalg.svd(F / of_rows[:, None] / of_columns, full_matrices=False)
        for rank in settings:
            left = of_rows[:, None] * U[:, :rank] * s[:rank]
            yield Estimate(left, V[:rank] * of_columns, rank)


@dataclass(frozen=True)
class BlockThresholding(Chosen):
    """Large singular values of blocks of labels that are about as frequent.

    Attributes
    ----------
    constant : float or "learned"
        Of the threshold.
    """

    constant: Positive | Literal["learned"] = "learned"

    def settings(self, block: np.ndarray) -> Sequence[float]:
        """See `Chosen`."""
        return CONSTANTS if self.constant == "learned" else [float(self.constant)]

    def estimate(self, block: np.ndarray, settings: Sequence[float]) -> Iterator[Estimate]:
        """See `Chosen`; the rank is the largest number of values that a block keeps."""
        n = block.sum()
        F = block / n
        rows, columns = F.sum(axis=1), F.sum(axis=0)
        parts = []
        for i, j in product(_classes(rows), _classes(columns)):
            cells, frequency = np.ix_(i, j), max(rows[i].max(), columns[j].max())
            parts.append((cells, np.linalg.svd(F[cells], full_matrices=False), frequency))
        for constant in settings:
            found, rank = np.zeros_like(F), 0
            for cells, (U, s, V), frequency in parts:
                kept = s > constant * np.sqrt(frequency / n)
                found[cells] = (U[:, kept] * s[kept]) @ V[kept]
                rank = max(rank, int(kept.sum()))
            yield Estimate(found, np.eye(F.shape[1]), rank)


def _classes(frequencies):
    """Return the places of each class: of one power of two, the last of all below 1/size."""
    powers = np.floor(-np.log2(frequencies))
    powers = np.minimum(powers, np.floor(np.log2(frequencies.size)))
    return [np.flatnonzero(powers == power) for power in np.unique(powers)]
