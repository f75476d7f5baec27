"""The matrix that EM factorises: non-negative, reduced to the rows and columns that differ.

Contexts never seen are alike, and so are outcomes never seen. They have no counts and drop out,
which is exact. The naive methods smooth beforehand and add them up: `naive.smoothed_problem`.
"""

from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import blocks
from condprob.frozen import read_only

# Share of seen pairs from which whole rows are faster than single pairs. Not measured.
DENSE_ABOVE = 0.4


class Problem(NamedTuple):
    """The matrix ``background base^T + sparse``, shape (rows, columns), as compiled passes read it.

    The large arrays, of shape (nnz,), are those of the counts themselves if possible, and may lie
    on disk. They are read only, so that one compiled version of a pass serves both.
    """

    indptr: np.ndarray  # int64, shape (rows + 1,)
    outcomes: np.ndarray  # int32, shape (nnz,): columns, if some outcome has none
    values: np.ndarray  # shape (nnz,): compressed rows of the sparse part
    background: np.ndarray  # shape (rows,)
    base: np.ndarray  # shape (columns,): how many outcomes each column stands for
    sums: np.ndarray  # shape (rows,): of both parts together
    # over how many outcomes the rows of ``H`` are smoothed: the columns, and those left out
    k: int
    entropy: float  # ``sum C log(C_ij / C_i)``, nats: no factorisation has a larger log-likelihood

    @classmethod
    def of_counts(cls, counts: CountMatrix) -> "Problem":
        """Keep the seen contexts and outcomes of counts."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        sums = counts.row_sums[contexts].astype(float)
        entropy = _sum_of_x_log_x(counts.values) - _sum_of_x_log_x(sums)
        return cls(
            starts_of_rows(counts),
            read_only(np.asarray(_columns(counts))),
            read_only(np.asarray(_values(counts))),
            np.zeros(contexts.size),
            np.ones(outcomes.size),
            sums,
            counts.shape[1],
            float(entropy),
        )

    @property
    def is_dense(self) -> bool:
        """Whether whole rows are faster than single pairs."""
        is_positive = bool(self.background.any())
        return is_positive or self.values.size > DENSE_ABOVE * self.sums.size * self.base.size


def starts_of_rows(counts: CountMatrix) -> np.ndarray:
    """Return ``indptr`` of the seen contexts alone, shape (seen contexts + 1,)."""
    return counts.indptr[np.concatenate([counts.seen_contexts, [counts.shape[0]]])]


def places_of(labels: np.ndarray, size: int) -> np.ndarray:
    """Return an array, shape (size,), that maps each of ``labels`` to its place among them."""
    places = np.zeros(size, dtype=np.int32)
    places[labels] = np.arange(labels.size)
    return places


def _columns(counts: CountMatrix) -> np.ndarray:
    """Return the place of each entry's outcome among the seen ones.

    If the counts stay on disk, the places are in a temporary file, which is deleted after its last
    use. A look-up of the places in each pass would take a quarter of its time.
    """
    if counts.seen_outcomes.size == counts.shape[1]:
        return counts.outcomes
    places = places_of(counts.seen_outcomes, counts.shape[1])
    if not isinstance(counts.outcomes, np.memmap):
        return places[counts.outcomes]
    with TemporaryFile() as file:
        for part in blocks(counts.nnz):
            places[counts.outcomes[part]].tofile(file)
        file.flush()
        return np.memmap(file, places.dtype, "r")


def _values(counts: CountMatrix) -> np.ndarray:
    """Return the counts of the entries; integers of 64 bits in memory become floats.

    This saves the seconds of another compiled version, and no sum changes.
    """
    is_large = counts.values.dtype == np.int64 and not isinstance(counts.values, np.memmap)
    return counts.values.astype(float) if is_large else counts.values


def _sum_of_x_log_x(x: np.ndarray) -> float:
    """Return ``sum x log x`` of positive numbers, which become floats block by block."""
    parts = (x[part].astype(float) for part in blocks(x.size))
    return sum(part @ np.log(part) for part in parts)
