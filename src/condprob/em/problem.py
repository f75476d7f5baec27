"""What EM is given: a non-negative matrix, reduced to the rows and columns that differ.

Contexts never seen are alike, and so are outcomes never seen. For the smoothed methods they have
no counts and drop out; for the naive ones, which smooth beforehand, they are added up into one
row and one column. Both reductions are exact.
"""

from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import blocks
from condprob.smoothing import VectorSmoother

# Share of seen pairs from which whole rows are faster than single pairs. Not measured.
DENSE_ABOVE = 0.4


class Rows(NamedTuple):
    """The matrix ``background base^T + sparse``, shape (rows, columns), as the kernels take it.

    The large arrays, of shape (nnz,), are those of the counts themselves where that can be, and may
    lie on disk. They are read only, so that one compiled version of a kernel serves both.
    """

    indptr: np.ndarray  # int64, shape (rows + 1,)
    outcomes: np.ndarray  # int32, shape (nnz,): columns, if some outcome has none
    values: np.ndarray  # shape (nnz,): compressed rows of the sparse part
    background: np.ndarray  # shape (rows,)
    base: np.ndarray  # shape (columns,): how many outcomes each column stands for
    sums: np.ndarray  # shape (rows,): of both parts together


@dataclass(frozen=True, eq=False)
class Problem:
    """A matrix to factorise."""

    rows: Rows
    # over how many outcomes the rows of ``H`` are smoothed: the columns, and those left out
    outcomes: int
    entropy: float  # ``sum C log(C_ij / C_i)``, nats: no factorisation has a larger log-likelihood

    @classmethod
    def of_counts(cls, counts: CountMatrix) -> "Problem":
        """Keep the seen contexts and outcomes of counts."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        sums = counts.row_sums[contexts].astype(float)
        rows = Rows(
            _starts_of_rows(counts),
            _read_only(_columns(counts)),
            _read_only(_values(counts)),
            np.zeros(contexts.size),
            np.ones(outcomes.size),
            sums,
        )
        entropy = _sum_of_x_log_x(counts.values) - _sum_of_x_log_x(sums)
        return cls(rows, counts.shape[1], float(entropy))

    @classmethod
    def of_smoothed(
        cls,
        counts: CountMatrix,
        smoother: VectorSmoother,
        weights: np.ndarray,
        unseen_row: np.ndarray,
    ) -> "Problem":
        """Smooth each row of counts, multiply it by its weight, add up what is alike.

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
        given = (_read_only(columns), _read_only(values))
        return cls(Rows(indptr, *given, background, base, sums), base.size, float(entropy))

    @property
    def is_dense(self) -> bool:
        """Whether whole rows are faster than single pairs."""
        rows, columns = self.rows.background.size, self.rows.base.size
        is_positive = bool(self.rows.background.any())
        return is_positive or self.rows.values.size > DENSE_ABOVE * rows * columns


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

    Of counts that stay on disk they are in a temporary file, which goes when they are not used any
    more. To look up the places anew in each pass would cost a quarter of it.
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
    """Return the counts of the entries; large ones in memory as floats, as which kernels take them.

    That saves seconds of compilation for integers of 64 bits, and no sum becomes another.
    """
    is_large = counts.values.dtype == np.int64 and not isinstance(counts.values, np.memmap)
    return counts.values.astype(float) if is_large else counts.values


def _read_only(array: np.ndarray) -> np.ndarray:
    """Return a plain array over the same memory, or file, that cannot be written to."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view


def _sum_of_x_log_x(x: np.ndarray) -> float:
    """Return ``sum x log x`` of positive numbers, of which only some at a time are floats."""
    parts = (x[part].astype(float) for part in blocks(x.size))
    return sum(part @ np.log(part) for part in parts)


def _x_log_x(x: np.ndarray) -> np.ndarray:
    """Return ``x log x``, zero where ``x`` is."""
    return np.where(x > 0, x * np.log(np.where(x > 0, x, 1.0)), 0.0)
