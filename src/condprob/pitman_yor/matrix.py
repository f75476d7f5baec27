"""The matrix of PY-LR: rows around a mean of low-rank matrices, and rows of further contexts."""

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from condprob.checks import ROW_SUM_TOLERANCE, counted
from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit
from condprob.pitman_yor.rows import MOST_DISCOUNTS, Rows
from condprob.sparse_plus_low_rank import SparsePart, SparsePlusLowRank
from condprob.stored import stored

TINY = np.finfo(float).tiny  # more than zero
LARGEST_RANK = 2**31  # so that no sum of some ranks is beyond 64 bits
# Of the soft counts of a further row: passes at most, and the change at which they end.
MOST_PASSES, LARGEST_LAST_CHANGE = 500, 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class PitmanYorMatrix(SparsePlusLowRank, kind="py-lr"):
    """Pitman-Yor rows around a mean of low-rank matrices, and what was learned.

    Attributes
    ----------
    strengths : numpy.ndarray, shape (3,)
        ``theta`` of the rows with three discounts, of those with one, and of Kneser-Ney, which is
        zero: tokens of the base in every row.
    discounts : numpy.ndarray, shape (3,)
        Discount of a count of one, of two, and of a larger count.
    unit : float
        What one token counts; one for whole counts.
    ranks : numpy.ndarray of int, shape (chains,)
        Numbers of classes. In ``left`` and ``right`` their columns and rows follow each other; two
        more are for the outcomes never seen, and for the lower order of Kneser-Ney.
    weights : numpy.ndarray, shape (chains,)
        Shares of the chains in the base.
    constants : numpy.ndarray, shape (sum of the ranks,)
        ``a`` of all classes: pseudo-tables of each class in a context.
    losses : numpy.ndarray, shape (chains,)
        Loss of the training tokens by each chain, each token left out, nats per token.
    tables : float
        Tables of a token: from some tenths in texts to one in draws from a low rank.
    of_classes : float
        Discount of the classes: zero of the Dirichlet prior, above zero of the Pitman-Yor prior.
    mixture : numpy.ndarray, shape (3,)
        Weights of the rows with three discounts, of those with one, and of Kneser-Ney.
    by_tokens : bool
        Whether new outcomes were counted among tokens; else among distinct pairs.
    bins : numpy.ndarray, shape (bins,)
    novel : numpy.ndarray, shape (2, bins + 1)
        Probability that outcomes never seen get beside the base's, in contexts seen less than
        ``bins[0]`` times, less than ``bins[1]`` times, and so on: with three discounts, and with
        one.
    """

    strengths: np.ndarray = stored("f", 3, default=None, low=0)
    discounts: np.ndarray = stored("f", 3, default=None, low=0)
    unit: float = stored("f", default=1.0, low=TINY)
    ranks: np.ndarray = stored("i", "chains", default=None, low=1, high=LARGEST_RANK)
    weights: np.ndarray = stored("f", "chains", default=None, low=0, high=1 + ROW_SUM_TOLERANCE)
    constants: np.ndarray = stored("f", "classes", default=None, low=TINY)
    losses: np.ndarray = stored("f", "chains", default=None, low=0)
    tables: float = stored("f", default=1.0, low=0, high=1)
    of_classes: float = stored("f", default=0.0, low=0, high=1)
    mixture: np.ndarray = stored("f", 3, default=None, low=0, high=1 + ROW_SUM_TOLERANCE)
    by_tokens: bool = stored("b", default=False)
    bins: np.ndarray = stored("f", "bins", default=None, low=0)
    novel: np.ndarray = stored("f", 2, "bins+1", default=None, low=0, high=1)

    @property
    def strength(self) -> float:
        """``theta`` of the rows with three discounts."""
        return float(self.strengths[0])

    @property
    def ended(self) -> Literal["limit"]:
        """Always "limit": a chain has a number of sweeps, and nothing measures its mixing."""
        return "limit"

    def in_plain_words(self) -> list[str]:
        ranks, told = ", ".join(map(str, np.unique(self.ranks))), "distinct pairs, as of a text"
        if self.by_tokens:
            told = "tokens, as pairs have no order"
        three, one, kneser_ney = self.mixture
        return [
            f"classes     {ranks}: the mean of {self.ranks.size} such models; their prior is "
            f"{'Pitman-Yor' if self.of_classes else 'Dirichlet'}",
            "contexts    each has its own counts beside the row of its classes, "
            f"which weighs as much as {counted(float(f'{self.strength:.3g}'), 'token')}",
            f"tokens      {self.tables:.0%} come from classes, the others repeat in their context",
            f"unseen      new outcomes are told by {told}",
            f"mixture     {three:.3f} these rows, {one:.3f} the same with one discount for all "
            f"counts, {kneser_ney:.3f} Kneser-Ney",
        ]

    def settings_in_lines(self) -> list[str]:
        return [*self.in_plain_words(), *super().settings_in_lines()]

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        classes = found.constants.size
        if found.ranks.sum() != classes or len(found.right) != classes + 2:
            raise ValueError("the array 'ranks' does not go with 'constants' and 'right'")
        return found


def parts_of(rows: Rows, strengths: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return `Rows.around` of the three parts: three discounts, one discount, and Kneser-Ney."""
    single = rows.with_one_discount()
    each_of = zip((rows, single, single), strengths, strict=True)
    return [each.around(strength) for each, strength in each_of]


def mix_rows(
    counts: CountMatrix,
    left: np.ndarray,
    parts: list[tuple[np.ndarray, np.ndarray]],
    novel: np.ndarray,
    mixture: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mixture of the three parts, Eq. (10): ``left`` of the factors, and the entries.

    Parameters
    ----------
    counts : CountMatrix
    left : numpy.ndarray, shape (contexts, classes)
        Weights of the classes of all chains, which sum to one in each row.
    parts : list
        See `parts_of`.
    novel : numpy.ndarray, shape (2, contexts)
        Share of the rows of the first two parts that goes to outcomes never seen.
    mixture : numpy.ndarray, shape (3,)
    """
    kept = mixture[:, None] * (1 - np.vstack([novel, np.zeros(counts.shape[0])]))
    of_base = kept * [share for _, share in parts]
    entries = sum(own[counts.contexts] * part for own, (part, _) in zip(kept, parts, strict=True))
    columns = (of_base[0] + of_base[1])[:, None] * left, mixture[:2] @ novel, of_base[2]
    return np.column_stack(columns), entries


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
        W = _fold(counts.indptr, counts.outcomes, rows.values, columns, a, strength, discount)
        found.append(weight * W)
    novel = matrix.novel[:, np.searchsorted(matrix.bins, rows.sums, side="right")]
    parts = parts_of(rows, matrix.strengths)
    left, entries = mix_rows(counts, np.hstack(found), parts, novel, matrix.mixture)
    sparse = SparsePart(counts.indptr, counts.outcomes, entries)
    seen = counts.seen_contexts, np.union1d(matrix.seen[1], counts.seen_outcomes)
    return replace(matrix, left=left, sparse=sparse, seen=seen)


@njit(**EXACT)
def _fold(indptr, outcomes, values, columns, a, strength, discount):
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
