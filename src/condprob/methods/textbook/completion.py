"""Matrix completion: a product of thin factors, and biases, fitted only to the known entries."""

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from condprob.checks import check_memory
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.jit import EXACT, njit, products_at
from condprob.methods.choice import fit_chosen
from condprob.methods.direct import unigram
from condprob.methods.linked_matrix import LinkedMatrix
from condprob.options import AtLeastOne, AtLeastZero, Discount, Proportion, Range, Whole
from condprob.progress import chunks
from condprob.run import DEFAULT_RUN, Run

FACTOR_DEVIATION = 0.1  # standard deviation of the entries that factors begin with; not measured
Sampling = Literal["entries", "columns", "rows"]
Biases = Literal["both", "contexts", "none"]


class Entries(NamedTuple):
    """The known entries of a matrix."""

    rows: np.ndarray  # int, shape (n,)
    columns: np.ndarray  # int, shape (n,)
    values: np.ndarray  # shape (n,)


class Completed(NamedTuple):
    """``A_i B_j + a_i + b_j``, and the course of its fit."""

    A: np.ndarray  # shape (rows, rank)
    B: np.ndarray  # shape (columns, rank)
    a: np.ndarray  # shape (rows,)
    b: np.ndarray  # shape (columns,)
    history: np.ndarray  # mean squared error of the known entries, at first and after each pass

    def at(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the entry of each pair."""
        return products_at(rows, columns, self.A, self.B) + self.a[rows] + self.b[columns]


class Descent(NamedTuple):
    """How entries are descended on.

    Attributes
    ----------
    rate : float
        How far the first steps go along the gradient.
    ridge : float
    biases : "both", "contexts" or "none"
        Which biases to fit: of rows and columns, or only of rows.
    sampling : "entries", "columns" or "rows"
    """

    rate: float = 0.02
    ridge: float = 0.0
    biases: Biases = "both"
    sampling: Sampling = "entries"


DEFAULT_DESCENT = Descent()


def complete_matrix(
    entries: Entries,
    shape: tuple[int, int],
    rank: int,
    passes: int,
    descent: Descent = DEFAULT_DESCENT,
    run: Run = DEFAULT_RUN,
) -> Completed:
    """Complete a matrix by stochastic gradient descent.

    Minimises the mean of ``(M_ij - A_i B_j - a_i - b_j)^2``, plus ``ridge`` times the squares of
    these four, over the known entries. A step's sample is one entry, or all of a column or
    a row; each pass uses every entry once, in a new random order.

    READING: sources leave the size of the steps open. A pass that raises the mean squared error is
    taken back, and steps are half as long from then on.

    Parameters
    ----------
    entries : Entries
    shape : (int, int)
    rank, passes : int
    descent : Descent
    run : Run
    """
    rng, rate, across = run.generator(), descent.rate, descent.sampling == "rows"
    known = Entries(entries.columns, entries.rows, entries.values) if across else entries
    sides = shape[::-1] if across else shape
    now = [FACTOR_DEVIATION * rng.standard_normal((side, rank)) for side in sides]
    now += [np.zeros(side) for side in sides]
    which = np.array([descent.biases != "none", descent.biases == "both"], dtype=float)
    moving = which[::-1].copy() if across else which
    history, n = [_mean_squared_error(known, now)], known.values.size
    in_groups, ends = _group(known.columns if descent.sampling != "entries" else np.arange(n))
    for _ in chunks(passes if n else 0, 1, run.progress, "round"):
        moved = [part.copy() for part in now]
        order, ends_of_steps = _shuffle(in_groups, ends, rng)
        _descend(known, order, ends_of_steps, *moved, moving, rate, float(descent.ridge))
        error = _mean_squared_error(known, moved)
        if error <= history[-1]:
            now = moved
        else:  # also where it is not a number any more
            error, rate = history[-1], rate / 2
        history.append(error)
    A, B, a, b = (now[1], now[0], now[3], now[2]) if across else now
    return Completed(A, B, a, b, np.array(history))


def _mean_squared_error(entries, parts):
    if not entries.values.size:
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        found = Completed(*parts, None).at(entries.rows, entries.columns)
        return float(np.mean((entries.values - found) ** 2))


def _group(key):
    """Return entries sorted by key, and where each group of one key begins and ends."""
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    return order, np.append(starts, key.size)


def _shuffle(order, ends, rng):
    """Return groups of entries in a random order; see `_group`."""
    turn = rng.permutation(ends.size - 1)
    sizes = np.diff(ends)[turn]
    after = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(order.size) + np.repeat(ends[:-1][turn] - after[:-1], sizes)
    return order[places], after


@njit(**EXACT)
def _descend(known, order, ends, A, B, a, b, moving, rate, ridge):
    """Take a step for each group of entries ``order[ends[s]:ends[s + 1]]``, all of one column.

    A step is ``rate`` times minus the gradient of the mean over its sample. The column's part is
    added up and moves at last: all see the old one.
    """
    rows, columns, values = known.rows, known.columns, known.values
    rank = A.shape[1]
    of_column = np.empty(rank)
    for s in range(ends.size - 1):
        size = ends[s + 1] - ends[s]
        step, j = 2.0 * rate / size, columns[order[ends[s]]]
        of_column[:] = 0.0
        of_bias = 0.0
        for e in order[ends[s] : ends[s + 1]]:
            i = rows[e]
            left = values[e] - a[i] - b[j]
            for r in range(rank):
                left -= A[i, r] * B[j, r]
            for r in range(rank):
                of_column[r] += left * A[i, r] - ridge * B[j, r]
                A[i, r] += step * (left * B[j, r] - ridge * A[i, r])
            of_bias += left - ridge * b[j]
            a[i] += moving[0] * step * (left - ridge * a[i])
        for r in range(rank):
            B[j, r] += step * of_column[r]
        b[j] += moving[1] * step * of_bias


@dataclass(frozen=True)
class MatrixCompletion(Estimator):
    """Matrix factorisation by gradient descent; unseen pairs are missing entries.

    Missing entries are not zeros (see `complete_matrix`).

    ``link="log"`` completes ``log C_ij``, and a row is the softmax of ``A_i B_j + b_j``;
    ``"probability"`` completes ``C_ij / C_i``, and a row is its positive part, normalised. A
    share of the unigram distribution is mixed in.

    READING: a completion does not know that unseen pairs are rare. With ``negatives = r``, ``r``
    times as many of them as of seen ones, chosen at random, are known: their count is what absolute
    discounting gives an unseen pair on average, and their probability zero.

    Attributes
    ----------
    rank, iterations, rate, ridge, biases, sampling
        Rank, passes and gradient descent of the factorisation, see `complete_matrix`.
    link : "log" or "probability"
        Which numbers are completed, and how they become a row.
    negatives : int
        Number of unseen pairs to treat as known for each seen pair.
    weight : float or "learned"
        Weight of the unigram distribution that is mixed in; by default learned on a tenth of the
        pairs (`choice.choose`).
    discount : float
        Discount of the unigram distribution, which absolute discounting smooths.
    """

    is_random: ClassVar[bool] = True
    rank: AtLeastOne = 10
    iterations: Whole = 30
    rate: Annotated[float, Range(0, 1)] = 0.02
    ridge: AtLeastZero = 0.02
    biases: Biases = "both"
    sampling: Sampling = "entries"
    link: Literal["log", "probability"] = "log"
    negatives: Whole = 0
    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        return 8 * sum(shape) * (self.rank + 2)

    def fit_counts(self, counts: CountMatrix, run: Run) -> LinkedMatrix:
        held_out, start = (
            replace(run, seed=each) for each in run.generator().integers(2**63, size=2)
        )

        def fit(these, _):
            return self.fit_scores(these, start)

        return fit_chosen([None], fit, counts, self, held_out)

    def fit_scores(self, counts: CountMatrix, run: Run) -> LinkedMatrix:
        """Return the fit without a share of the unigram distribution."""
        rng = run.generator()
        cells = counts.shape[0] * counts.shape[1] - counts.nnz
        unseen = np.log(self.discount * counts.clipped.sum() / cells) if cells and counts.n else 0.0
        descent = Descent(self.rate, self.ridge, self.biases, self.sampling)
        entries, run = self._entries(counts, unseen, rng), replace(run, seed=rng)
        found = complete_matrix(entries, counts.shape, self.rank, self.iterations, descent, run)
        columns, rows = (counts.column_sums > 0)[:, None], (counts.row_sums > 0)[:, None]
        A, B = np.where(rows, found.A, 0.0), np.where(columns, found.B, 0.0)
        if self.link == "log":
            known = found.b[columns[:, 0]]
            b = np.where(columns[:, 0], found.b, min(unseen, known.min(initial=unseen)))
            left, right = np.column_stack([A, np.ones(len(A))]), np.column_stack([B, b])
        else:
            left = np.column_stack([A, np.where(rows[:, 0], found.a, 0.0), rows])
            right = np.column_stack([B, columns, np.where(columns[:, 0], found.b, 0.0)])
        base, seen = unigram(counts, self.discount), (counts.seen_contexts, counts.seen_outcomes)
        link = "softmax" if self.link == "log" else "clip"
        return LinkedMatrix(
            left=left.astype(float),
            right=right.T.astype(float),
            base=base,
            weight=0.0,
            link=link,
            seen=seen,
            ended="limit",
        )

    def _entries(self, counts, unseen, rng) -> Entries:
        rows, columns = counts.contexts, counts.outcomes
        values = np.log(counts.values)
        if self.link == "probability":
            values, unseen = counts.values / counts.row_sums[rows], 0.0
        check_memory(f"negatives = {self.negatives}", 32.0 * self.negatives * counts.nnz)
        drawn = [
            rng.choice(seen, self.negatives * counts.nnz if seen.size else 0)
            for seen in (counts.seen_contexts, counts.seen_outcomes)
        ]
        known, drawn = (r * counts.shape[1] + c for r, c in ((rows, columns), drawn))
        new = np.setdiff1d(drawn, known)
        more = np.divmod(new, counts.shape[1])
        rows, columns = (np.append(*both) for both in zip((rows, columns), more, strict=True))
        return Entries(rows, columns, np.append(values, np.full(new.size, unseen)))
