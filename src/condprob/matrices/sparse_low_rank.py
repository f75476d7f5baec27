"""What an estimator returns: a conditional probability matrix that is never built whole."""

from dataclasses import dataclass, field

import numpy as np

from condprob.counts import CountMatrix, check_labels

PAIRS_AT_ONCE = 1 << 16  # bounds the memory of `at`


@dataclass(frozen=True, eq=False)
class ConditionalMatrix:
    """``Q = S + L R``: a sparse part on the seen pairs plus a product of thin factors.

    Every estimator of the paper has this form. For absolute discounting, say, an unseen outcome
    has the same probability ``u_i`` wherever it stands in row ``i``: ``L R`` is ``u_i`` times a
    row of ones, and ``S`` holds what the seen pairs have above it.

    Attributes
    ----------
    counts : CountMatrix
        The counts it was fitted to: they say where ``S`` stands, and which contexts and
        outcomes were seen. Unseen contexts share one row and unseen outcomes one column.
    left : numpy.ndarray, shape (k, r)
    right : numpy.ndarray, shape (r, k)
    entries : numpy.ndarray, shape (nnz,), or None
        ``S`` on the entries of ``counts``; None where there is none.
    exchangeable : bool
        False where unseen contexts or outcomes may differ from each other after all.
    """

    counts: CountMatrix = field(repr=False)
    left: np.ndarray = field(repr=False)
    right: np.ndarray = field(repr=False)
    entries: np.ndarray | None = field(repr=False, default=None)
    exchangeable: bool = True

    @property
    def k(self):
        """Number of contexts, and of outcomes."""
        return self.counts.k

    @property
    def shape(self):
        """``(k, k)``."""
        return (self.k, self.k)

    def at(self, contexts, outcomes):
        """Return ``Q[contexts[s], outcomes[s]]`` for each ``s``.

        Parameters
        ----------
        contexts, outcomes : array_like of int, shape (n,)
            Values ``0..k-1``.

        Returns
        -------
        numpy.ndarray, shape (n,)
        """
        contexts = check_labels(contexts, self.k, "contexts")
        outcomes = check_labels(outcomes, self.k, "outcomes")
        if contexts.size != outcomes.size:
            raise ValueError(f"{contexts.size} contexts but {outcomes.size} outcomes: not pairs")
        columns = self.right.T
        values = np.empty(contexts.size)
        for start in range(0, contexts.size, PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            np.einsum(
                "sr,sr->s", self.left[contexts[part]], columns[outcomes[part]], out=values[part]
            )
        if self.entries is not None and self.entries.size:
            cells = self.counts.contexts * self.k + self.counts.outcomes
            wanted = contexts * self.k + outcomes
            place = np.minimum(np.searchsorted(cells, wanted), cells.size - 1)
            values += np.where(cells[place] == wanted, self.entries[place], 0.0)
        return values

    def rows(self, contexts):
        """Return the rows ``Q[contexts]``, shape (len(contexts), k)."""
        contexts = check_labels(contexts, self.k, "contexts")
        block = self.left[contexts] @ self.right
        if self.entries is not None:
            for row, context in zip(block, contexts, strict=True):
                part = slice(*self.counts.indptr[context : context + 2])
                row[self.counts.outcomes[part]] += self.entries[part]
        return block

    def dense(self):
        """Build the whole ``k x k`` array. Nothing else here does."""
        block = self.left @ self.right
        if self.entries is not None:
            block[self.counts.contexts, self.counts.outcomes] += self.entries
        return block

    def row_sums(self):
        """Return the sum of every row, shape (k,): one, up to rounding, for a distribution."""
        sums = self.left @ self.right.sum(axis=1)
        if self.entries is not None:
            sums += np.bincount(self.counts.contexts, self.entries, minlength=self.k)
        return sums

    def classes(self):
        """Return the contexts and the outcomes that stand for all: the seen, and one unseen.

        Returns
        -------
        contexts, outcomes : tuple of (representatives, class_of)
            ``representatives`` are labels, ``class_of`` (shape (k,)) numbers them.
        """
        if not self.exchangeable:
            everyone = np.arange(self.k)
            return (everyone, everyone), (everyone, everyone)
        return tuple(
            seen_and_one(seen, self.k)
            for seen in (self.counts.seen_contexts, self.counts.seen_outcomes)
        )

    def block(self, contexts, outcomes):
        """Return ``Q[contexts][:, outcomes]`` for distinct labels."""
        block = self.left[contexts] @ self.right[:, outcomes]
        if self.entries is not None:
            row_of, column_of = np.full(self.k, -1), np.full(self.k, -1)
            row_of[contexts] = np.arange(len(contexts))
            column_of[outcomes] = np.arange(len(outcomes))
            row, column = row_of[self.counts.contexts], column_of[self.counts.outcomes]
            inside = (row >= 0) & (column >= 0)
            block[row[inside], column[inside]] += self.entries[inside]
        return block


@dataclass(frozen=True, eq=False)
class LowRankMatrix(ConditionalMatrix):
    """A `ConditionalMatrix` with its rank-``m`` factors and the course of its fit.

    Attributes
    ----------
    W : numpy.ndarray, shape (k, m)
    H : numpy.ndarray, shape (m, k)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,)
        Objective before each iteration and after the last, nats per pair: the empirical risk
        of Eq. (2), with the penalty of Eq. (3) where both factors are smoothed by a constant.
    """

    W: np.ndarray = field(repr=False, default=None)
    H: np.ndarray = field(repr=False, default=None)
    history: np.ndarray = field(repr=False, default=None)

    @property
    def last_change(self):
        """Absolute change of the objective in the last iteration, nats per pair."""
        return abs(self.history[-1] - self.history[-2]) if self.history.size > 1 else np.inf


def seen_and_one(seen, k):
    """Return ``seen`` and the first unseen label, if any, with the class of every label."""
    class_of = np.full(k, seen.size)
    class_of[seen] = np.arange(seen.size)
    return np.concatenate([seen, np.flatnonzero(class_of == seen.size)[:1]]), class_of


def add_up_classes(rows, class_of):
    """Add up the rows of each class; no class is empty."""
    order = np.argsort(class_of, kind="stable")
    starts = np.searchsorted(class_of[order], np.arange(class_of.max() + 1))
    return np.add.reduceat(rows[order], starts)
