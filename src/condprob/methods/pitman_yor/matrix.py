"""The matrix of PY-LR: rows around a mean of low-rank matrices, and rows of further contexts."""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from condprob.checks import ROW_SUM_TOLERANCE, counted
from condprob.counts import CountMatrix
from condprob.files.stored import stored
from condprob.jit import EXACT, njit
from condprob.methods.pitman_yor.mixture import PARTS, Base, masses_of, mix_rows, parts_of
from condprob.methods.pitman_yor.rows import MOST_DISCOUNTS, Rows
from condprob.sparse_plus_low_rank import SparsePart, SparsePlusLowRank

TINY = np.finfo(float).tiny  # more than zero
AT_MOST = 1 + ROW_SUM_TOLERANCE  # of shares, which are rounded
LARGEST_RANK = 2**31  # so that no sum of some ranks is beyond 64 bits
# Of the soft counts of a further row: passes at most, and the change at which they end.
MOST_PASSES, LARGEST_LAST_CHANGE = 500, 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class PitmanYorMatrix(SparsePlusLowRank, kind="py-lr"):
    """Fit of `py-lr`: Pitman-Yor rows around a mean of low-rank matrices, with what was learned.

    Attributes
    ----------
    strength : float
        Strength ``theta`` of the base in every row, in pseudo-counts.
    discounts : numpy.ndarray, shape (3,)
        Discounts of a count of one, of two, and of a larger count.
    unit : float
        Weight of one token; one for whole counts.
    ranks : numpy.ndarray of int, shape (chains,)
        Numbers of classes. In ``left`` and ``right`` the columns and rows of the chains follow each
        other; two more are for unseen outcomes, and for the lower order of Kneser-Ney.
    weights : numpy.ndarray, shape (chains,)
        Weights of the chains in the base.
    constants : numpy.ndarray, shape (sum of the ranks,)
        Prior pseudo-counts ``a`` of all classes in a context.
    losses : numpy.ndarray, shape (chains,)
        Leave-one-out loss of the training tokens by each chain, in nats per token.
    tables : float
        Mean number of tables per token: a few tenths in texts, up to one in simulated low-rank
        data.
    of_classes : float
        Discount of the classes: zero for the Dirichlet prior, above zero for the Pitman-Yor prior.
    in_order : bool
        Whether the pairs were a sequence, as those of a text are, and not a table.
    bins : numpy.ndarray, shape (bins,)
        Edges of the bins of contexts: contexts observed less than ``bins[0]`` times, less than
        ``bins[1]`` times, and so on.
    mixture : numpy.ndarray, shape (3, bins + 1)
        Weights, in each bin and among observed outcomes, of the rows with three discounts, of those
        with one, and of Kneser-Ney's.
    unseen : numpy.ndarray, shape (3, bins + 1)
        Weights, in each bin, of three probabilities of unseen outcomes: that of the first rows or
        of Good and Turing, that of Kneser-Ney, and one.
    lacking : numpy.ndarray, shape (bins + 1,)
        Fraction of the first rows that unseen outcomes lack by Good and Turing; zero for a table.
    of_unseen : numpy.ndarray, shape (sum of the ranks + 1,)
        Probability of unseen outcomes in each class, and in the lower order of Kneser-Ney.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("py-lr", effort="light").fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]], seed=0)
    >>> matrix.in_order
    False
    """

    strength: float = stored("f", default=0.0, low=0)
    discounts: np.ndarray = stored("f", 3, default=None, low=0)
    unit: float = stored("f", default=1.0, low=TINY)
    ranks: np.ndarray = stored("i", "chains", default=None, low=1, high=LARGEST_RANK)
    weights: np.ndarray = stored("f", "chains", default=None, low=0, high=AT_MOST)
    constants: np.ndarray = stored("f", "classes", default=None, low=TINY)
    losses: np.ndarray = stored("f", "chains", default=None, low=0)
    tables: float = stored("f", default=1.0, low=0, high=1)
    of_classes: float = stored("f", default=0.0, low=0, high=1)
    in_order: bool = stored("b", default=False)
    bins: np.ndarray = stored("f", "bins", default=None, low=0)
    mixture: np.ndarray = stored("f", PARTS, "bins+1", default=None, low=0, high=AT_MOST)
    unseen: np.ndarray = stored("f", PARTS, "bins+1", default=None, low=0, high=AT_MOST)
    lacking: np.ndarray = stored("f", "bins+1", default=None, low=0, high=1)
    of_unseen: np.ndarray = stored("f", "classes+1", default=None, low=0, high=AT_MOST)

    @property
    def ended(self) -> Literal["limit"]:
        """Always "limit": a chain has a number of sweeps, and nothing measures its mixing."""
        return "limit"

    def in_plain_words(self) -> list[str]:
        ranks, pairs = ", ".join(map(str, np.unique(self.ranks))), "a table, without an order"
        if self.in_order:
            pairs = "a sequence, in their order"
        shares = (f"{low:.0%} to {high:.0%}" for low, high in self.ranges_of_mixture())
        three, one, kneser_ney = shares
        return [
            f"pairs       {pairs}: in_order={self.in_order}",
            f"classes     {ranks}: the mean of {self.ranks.size} such models; their prior is "
            f"{'Pitman-Yor' if self.of_classes else 'Dirichlet'}",
            "contexts    each combines its own counts with the row of its classes, "
            f"which weighs as much as {counted(float(f'{self.strength:.3g}'), 'token')}",
            f"tokens      {self.tables:.0%} come from classes; the others repeat an outcome",
            f"mixture     by how often a context was seen: these rows {three}, the same with one "
            f"discount for all counts {one}, Kneser-Ney {kneser_ney}",
        ]

    def ranges_of_mixture(self) -> list[tuple[float, float]]:
        """Return the smallest and the largest weight of each of the three rows over the bins."""
        return list(zip(self.mixture.min(axis=1), self.mixture.max(axis=1), strict=True))

    def settings_in_lines(self) -> list[str]:
        return [*self.in_plain_words(), *super().settings_in_lines()]

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        classes = found.constants.size
        if found.ranks.sum() != classes or len(found.right) != classes + 2:
            raise ValueError("the array 'ranks' does not go with 'constants' and 'right'")
        return found


def fold_in(matrix: PitmanYorMatrix, counts: CountMatrix) -> PitmanYorMatrix:
    """Return the rows of further contexts, at the classes and settings of a fit.

    A row of each ``W`` is the fixed point of Eq. (4) with expected tables and soft counts, at the
    ``H`` of the fit: of a context that had no part in ``H`` nothing has to be left out.
    """
    rows = Rows(counts, counts.values / matrix.unit, matrix.discounts)
    discount = float(min(matrix.discounts[0], MOST_DISCOUNTS[0]))
    ends, found = np.cumsum(matrix.ranks), []
    for weight, first, stop in zip(matrix.weights, ends - matrix.ranks, ends, strict=True):
        columns = np.ascontiguousarray(matrix.right[first:stop].T)
        a, strength = matrix.constants[first:stop], matrix.strength
        W = _fold_rows(counts.indptr, counts.outcomes, rows.values, columns, a, strength, discount)
        found.append(weight * W)
    right, lower = matrix.right[:-2], matrix.right[-1]
    base = Base(np.hstack(found), right, lower, matrix.of_unseen)
    parts = parts_of(rows, matrix.strength, base)
    bins = np.searchsorted(matrix.bins, rows.sums, side="right")
    masses = masses_of(parts, matrix.lacking[bins])
    unseen = (matrix.unseen[:, bins] * masses).sum(axis=0) * matrix.of_unseen.any()
    left, entries = mix_rows(counts.contexts, parts, base, unseen, matrix.mixture[:, bins])
    sparse = SparsePart(counts.indptr, counts.outcomes, entries)
    seen = counts.seen_contexts, np.union1d(matrix.seen[1], counts.seen_outcomes)
    return replace(matrix, left=left, sparse=sparse, seen=seen)


@njit(**EXACT)
def _fold_rows(indptr, outcomes, values, columns, a, strength, discount):
    """Return the rows of ``W`` at fixed classes, shape (contexts, m)."""
    contexts, m = indptr.size - 1, a.size
    W, soft, shares = np.empty((contexts, m)), np.empty(m), np.empty(m)
    for i in range(contexts):
        W[i] = a / a.sum()
        for _ in range(MOST_PASSES):
            soft[:] = a
            seated = 0.0
            for p in range(indptr[i], indptr[i + 1]):
                total = 0.0
                for l in range(m):
                    shares[l] = W[i, l] * columns[outcomes[p], l]
                    total += shares[l]
                tables = expect_tables(values[p], total, strength, discount, seated)
                seated += tables
                for l in range(m):
                    soft[l] += tables * shares[l] / total
            all_soft, change = soft.sum(), 0.0
            for l in range(m):
                new = soft[l] / all_soft
                change = max(change, abs(new - W[i, l]))
                W[i, l] = new
            if change < LARGEST_LAST_CHANGE:
                break
    return W


@njit(**EXACT)
def expect_tables(customers, base, strength, discount, others):
    """Return about how many tables customers open, one after the other, beside ``others``."""
    tables = min(customers, 1.0)
    for s in range(1, int(customers)):
        opens = (strength + discount * (others + tables)) * base
        tables += opens / (opens + max(s - discount * tables, 0.0))
    return tables
