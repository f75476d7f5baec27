"""What EM is given: a non-negative matrix, reduced to the rows and columns that differ.

Contexts never seen are alike, and so are outcomes never seen. For the smoothed methods they have
no counts and drop out; for the naive ones, which smooth beforehand, they are added up into one
row and one column. Both reductions are exact.
"""

from dataclasses import dataclass

import numpy as np

from condprob.em import kernels
from condprob.em.layout import in_lines, lines, with_padding
from condprob.smoothing import AbsoluteDiscount

CHUNK = 10**8  # pairs times classes between two chances to interrupt: some tenths of a second
DENSE_ABOVE = 0.4  # share of seen cells from which whole rows are faster than single pairs


@dataclass(frozen=True, eq=False)
class Cells:
    """The matrix ``background base^T + sparse``, shape (rows, columns).

    Attributes
    ----------
    indptr, outcomes, values : numpy.ndarray
        Compressed rows of the sparse part; ``outcomes`` are unsigned, so that the compiled loops
        need not ask whether an index counts from the end.
    background : numpy.ndarray, shape (rows,)
    base : numpy.ndarray, shape (columns,)
        How many outcomes each column stands for.
    row_sums : numpy.ndarray, shape (rows,)
        Of both parts together.
    entropy : float
        ``sum C log(C_ij / C_i)``: no factorisation has a larger log-likelihood.
    """

    indptr: np.ndarray
    outcomes: np.ndarray
    values: np.ndarray
    background: np.ndarray
    base: np.ndarray
    row_sums: np.ndarray
    entropy: float

    @classmethod
    def of_counts(cls, counts):
        """Keep the seen contexts and outcomes of a `CountMatrix`."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        row_sums = counts.row_sums[contexts].astype(float)
        values = counts.values.astype(float)
        entropy = float(values @ np.log(values) - row_sums @ np.log(row_sums))
        return cls(
            counts.indptr[np.concatenate([contexts, [counts.k]])],
            _ranks(outcomes, counts.k)[counts.outcomes],
            values,
            np.zeros(contexts.size),
            np.ones(outcomes.size),
            row_sums,
            entropy,
        )

    @classmethod
    def of_smoothed(cls, counts, smoother, weights, unseen_row):
        """Smooth each row of a `CountMatrix`, multiply by its weight, add up what is alike.

        The last row, if any context is unseen, is ``unseen_row`` (shape (k,)) times their
        weights; the last column, if any outcome is, adds up the unseen outcomes.
        """
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        entries, unseen = smoother.sparse_rows(counts)
        alike = counts.k - outcomes.size
        base = np.ones(outcomes.size + (alike > 0))
        base[outcomes.size :] = alike
        indptr = counts.indptr[np.concatenate([contexts, [counts.k]])]
        columns = _ranks(outcomes, counts.k)[counts.outcomes]
        values = weights[counts.contexts] * entries
        background = (weights * unseen)[contexts]
        seen = entries + unseen[counts.contexts]
        entropy = weights[counts.contexts] @ (seen * np.log(seen))
        spread = np.where(unseen > 0, unseen * np.log(np.where(unseen > 0, unseen, 1.0)), 0.0)
        entropy += (weights * (counts.k - counts.distinct_outcomes) * spread)[contexts].sum()
        in_last_column = (background * alike).sum()
        if contexts.size < counts.k:
            weight = weights[counts.row_sums == 0].sum()
            row = np.append(unseen_row[outcomes], [1 - unseen_row[outcomes].sum()][: alike > 0])
            values = np.append(values, weight * row)
            columns = np.append(columns, np.arange(row.size, dtype=np.uint32))
            indptr = np.append(indptr, indptr[-1] + row.size)
            background = np.append(background, 0.0)
            entropy += weight * (unseen_row @ np.log(unseen_row))
            in_last_column += weight * row[outcomes.size :].sum()
        # The product of the added-up column is `alike` times that of each of its outcomes.
        entropy += in_last_column * np.log(max(alike, 1))
        starts = np.repeat(np.arange(background.size), np.diff(indptr))
        row_sums = np.bincount(starts, values, minlength=background.size) + background * base.sum()
        return cls(indptr, columns, values, background, base, row_sums, float(entropy))

    def iterate(
        self, W, H, k, smooth_W, smooth_H, iterations, alternating, threads=1, progress=False
    ):
        """Run EM on ``W`` (rows, m) and transposed ``H`` (columns, m), in place.

        It runs in chunks of iterations, between which it can be interrupted.

        Returns
        -------
        risk : numpy.ndarray, shape (iterations + 1,)
            ``sum C log((C_ij / C_i) / Q_ij)`` before each iteration and after the last, nats.
        logs : numpy.ndarray, shape (iterations,)
            Sum of ``log W`` over these rows and of ``log H`` over all ``k`` outcomes.
        rest : numpy.ndarray, shape (m,)
            What each row of ``H`` gives to an outcome that has no column here.
        """
        kind = kernels.DISCOUNT if isinstance(smooth_H, AbsoluteDiscount) else kernels.CONSTANT
        parameter = smooth_H.discount if kind == kernels.DISCOUNT else smooth_H.constant
        smoothing = (float(smooth_W.constant), kind, float(parameter))
        dense = self.background.any() or self.values.size > DENSE_ABOVE * len(W) * len(H)
        matrix = (
            self.indptr, self.outcomes, self.values, self.background, self.base, self.row_sums,
        )  # fmt: skip
        m = W.shape[1]
        run, copies = kernels.iterate, ()
        if threads > 1:
            from condprob.em.threads import iterate as run

            copies = (threads,)
        stored_W, stored_H, soft_H = in_lines(W), in_lines(H), lines((*copies, *H.shape))
        factors = tuple(map(with_padding, (stored_W, stored_H, soft_H)))
        likelihood, logs = np.empty(iterations + 1), np.empty(iterations)
        steps = CHUNK // ((self.values.size + len(W) + len(H) + 1) * m) + 1
        for start, stop in _chunks(iterations, steps, progress):
            parts = likelihood[start : stop + (stop == iterations)], logs[start:stop]
            rest = run(matrix, dense, k, m, factors, smoothing, alternating, *parts)
        if not np.isfinite(likelihood).all():
            raise ValueError("the starting factors give probability zero to a pair that was seen")
        W[:], H[:] = stored_W, stored_H
        return self.entropy - likelihood, logs, rest


def _chunks(iterations, steps, progress):
    """Yield (start, stop) of every chunk, at least one; show a bar of iterations on request."""
    chunks = [(t, min(t + steps, iterations)) for t in range(0, max(iterations, 1), steps)]
    if not progress:
        yield from chunks
        return
    from tqdm import tqdm

    with tqdm(total=iterations, unit="iteration") as bar:
        for start, stop in chunks:
            yield start, stop
            bar.update(stop - start)


def _ranks(labels, k):
    """Return an array that maps each of ``labels`` to its place among them."""
    ranks = np.zeros(k, dtype=np.uint32)
    ranks[labels] = np.arange(labels.size)
    return ranks
