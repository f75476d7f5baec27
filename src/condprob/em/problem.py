"""The matrix that EM factorises: non-negative, reduced to the rows and columns that differ.

Contexts never seen are alike, and so are outcomes never seen. For the smoothed methods they have
no counts and drop out. The naive methods smooth beforehand: these contexts are added up into one
row, these outcomes into one column. Both reductions are exact.
"""

from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import blocks
from condprob.frozen import read_only
from condprob.smoothing import VectorSmoother

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
            _starts_of_rows(counts),
            read_only(np.asarray(_columns(counts))),
            read_only(np.asarray(_values(counts))),
            np.zeros(contexts.size),
            np.ones(outcomes.size),
            sums,
            counts.shape[1],
            float(entropy),
        )

    @classmethod
    def of_smoothed(
        cls,
        counts: CountMatrix,
        smoother: VectorSmoother,
        weights: np.ndarray,
        unseen_row: np.ndarray,
    ) -> "Problem":
        """Smooth each row of counts, multiply it by its weight, add up equal rows and columns.

        The last row, if any context is unseen, is ``unseen_row``, the distribution after a context
        without counts, shape (outcomes,), times their weights, shape (contexts,); the last column,
        if any outcome is, adds up the unseen outcomes.
        """
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        above, unseen = smoother.sparse_rows(counts)
        alike = counts.shape[1] - outcomes.size
        base = np.ones(outcomes.size + (alike > 0))
        base[outcomes.size :] = alike
        indptr = _starts_of_rows(counts)
        columns = _places(outcomes, counts.shape[1])[counts.outcomes]
        values = weights[counts.contexts] * above
        background = (weights * unseen)[contexts]
        entropy = weights[counts.contexts] @ _x_log_x(above + unseen[counts.contexts])
        in_row = weights * (counts.shape[1] - counts.distinct_outcomes) * _x_log_x(unseen)
        entropy += in_row[contexts].sum()
        in_last_column = (background * alike).sum()
        if contexts.size < counts.shape[0]:
            weight = weights[counts.row_sums == 0].sum()
            row = np.append(unseen_row[outcomes], [1 - unseen_row[outcomes].sum()][: alike > 0])
            values = np.append(values, weight * row)
            columns = np.append(columns, np.arange(row.size, dtype=columns.dtype))
            indptr = np.append(indptr, indptr[-1] + row.size)
            background = np.append(background, 0.0)
            entropy += weight * _x_log_x(unseen_row).sum()
            in_last_column += weight * row[outcomes.size :].sum()
        # The product of the added-up column is `alike` times that of each of its outcomes.
        entropy += in_last_column * np.log(max(alike, 1))
        row_of = np.repeat(np.arange(background.size), np.diff(indptr))
        sums = np.bincount(row_of, values, minlength=background.size) + background * base.sum()
        stored = (read_only(columns), read_only(np.asarray(values)))
        return cls(indptr, *stored, background, base, sums, base.size, float(entropy))

    @property
    def is_dense(self) -> bool:
        """Whether whole rows are faster than single pairs."""
        is_positive = bool(self.background.any())
        return is_positive or self.values.size > DENSE_ABOVE * self.sums.size * self.base.size

    @property
    def size(self) -> int:
        """Pairs and rows of both factors that an iteration visits, at least one."""
        return self.values.size + self.sums.size + self.base.size + 1


def _starts_of_rows(counts: CountMatrix) -> np.ndarray:
    """Return ``indptr`` of the seen contexts alone."""
    return counts.indptr[np.concatenate([counts.seen_contexts, [counts.shape[0]]])]


def _places(labels: np.ndarray, size: int) -> np.ndarray:
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
    places = _places(counts.seen_outcomes, counts.shape[1])
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


def _x_log_x(x: np.ndarray) -> np.ndarray:
    """Return ``x log x``, zero where ``x`` is."""
    return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)
