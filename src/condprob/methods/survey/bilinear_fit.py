"""Scores ``phi(d) psi(w) + B(w)`` of pairs under a softmax, fitted by L-BFGS with exact gradients.

Contexts with the same counts have the same ``phi`` at any minimum, for at given ``psi`` and ``B``
the ridge leaves each one optimum; and so have outcomes with the same counts. Such rows and columns
are one, as often as there are of them: on a text of 10,000 words that leaves a tenth of the cells.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array

from condprob.counts import CountMatrix
from condprob.methods.softmax import softmax_loss
from condprob.methods.svd import truncated_svd
from condprob.model import Ended
from condprob.progress import Goal, Progress, shown

STEPS_REMEMBERED = 10  # steps that L-BFGS keeps; not measured
PAIRS_OF_SHRINKAGE = 10.0  # pairs by which the start is shrunk where few were seen; not measured
SHARE_OF_START = 0.4  # of the start, whose scores are too large as they come; not measured


class GroupedCounts(NamedTuple):
    """Counts, with the contexts and outcomes that are alike as one."""

    counts: CountMatrix  # rows by columns: of all pairs of a row and a column together
    rows: np.ndarray  # shape (rows,): how many contexts each stands for
    columns: np.ndarray  # shape (columns,): how many outcomes
    row_of: np.ndarray  # int, shape (seen contexts,)
    column_of: np.ndarray  # int, shape (seen outcomes,)

    @classmethod
    def of_counts(cls, counts: CountMatrix, with_unseen: bool) -> "GroupedCounts":
        """Group the seen ones; ``with_unseen`` adds a last column for all outcomes never seen."""
        seen = counts.sparse()[counts.seen_contexts][:, counts.seen_outcomes].astype(float)
        row_of, column_of = _alike(seen), _alike(seen.T.tocsr())
        rows, columns = np.bincount(row_of), np.bincount(column_of)
        pairs, unseen = seen.tocoo(), counts.shape[1] - counts.seen_outcomes.size
        if with_unseen and unseen:
            columns = np.append(columns, unseen)
        places = row_of[pairs.coords[0]], column_of[pairs.coords[1]]
        added = CountMatrix.from_pairs(*places, shape=(rows.size, columns.size), weights=pairs.data)
        return cls(added, rows.astype(float), columns.astype(float), row_of, column_of)


class Scores(NamedTuple):
    """The fitted numbers: factors and biases of rows and columns."""

    phi: np.ndarray  # shape (rows, rank)
    psi: np.ndarray  # shape (columns, rank)
    B: np.ndarray  # shape (columns,)


class Penalty(NamedTuple):
    """The ridge: half of it times the squares of all factors, and maybe of the biases."""

    ridge: float
    centre: np.ndarray | None = None  # shape (columns,): centre of the ridge of the biases, if any


class FittedScores(NamedTuple):
    """Scores, and how the fit ended."""

    scores: Scores
    history: np.ndarray  # objective at first and after each iteration, nats per pair
    ended: Ended


def loss_and_gradient(
    problem: GroupedCounts, scores: Scores, penalty: Penalty
) -> tuple[float, Scores]:
    """Return the log-loss of all pairs with the ridge, nats, and its gradient.

    With ``G`` the expected less the observed counts it is ``G psi``, ``G' phi`` and ``G' 1``,
    plus the gradient of the ridge.
    """
    phi, psi, B = scores
    counts, rows, columns, *_ = problem
    sizes = np.log(columns)
    left, right = np.column_stack([phi, np.ones(rows.size)]), np.vstack([psi.T, B + sizes])
    value, of_left, of_right = softmax_loss(counts, left, right)
    loss = counts.n * value + counts.column_sums @ sizes
    of_phi, of_right = counts.n * of_left[:, :-1], counts.n * of_right
    of_psi, of_B = of_right[:-1].T, of_right[-1]
    squares = rows @ (phi**2).sum(axis=1) + columns @ (psi**2).sum(axis=1)
    of_phi += penalty.ridge * rows[:, None] * phi
    of_psi += penalty.ridge * columns[:, None] * psi
    if penalty.centre is not None:
        squares += columns @ (B - penalty.centre) ** 2
        of_B += penalty.ridge * columns * (B - penalty.centre)
    return float(loss + penalty.ridge / 2 * squares), Scores(of_phi, of_psi, of_B)


def start_scores(problem: GroupedCounts, rank: int) -> Scores:
    """Return scores to start from: a correspondence analysis, shrunk where few pairs were seen.

    Near independence the log-likelihood is that of standardised residuals, whose best
    approximation is an SVD; the first singular vectors belong to the marginals.
    """
    counts, rows, columns, *_ = problem
    sums = counts.row_sums, counts.column_sums
    of_rows, of_columns = (
        1 / np.sqrt(each + PAIRS_OF_SHRINKAGE * size)
        for each, size in zip(sums, (rows, columns), strict=True)
    )
    U, s, V = truncated_svd(csr_array(counts.sparse() * of_rows[:, None] * of_columns), rank + 1)
    share = SHARE_OF_START * np.sqrt(s[1:] * counts.n)
    phi, psi = np.zeros((rows.size, rank)), np.zeros((columns.size, rank))
    phi[:, : share.size] = of_rows[:, None] * U[:, 1:] * share
    psi[:, : share.size] = of_columns[:, None] * V[1:].T * share
    return Scores(phi, psi, np.log(np.maximum(sums[1], sums[1][sums[1] > 0].min()) / columns))


def minimise_loss(
    problem: GroupedCounts,
    start: Scores,
    penalty: Penalty,
    tol: float,
    iterations: int,
    progress: Progress = False,
) -> FittedScores:
    """Minimise the log-loss with the ridge, per pair, by L-BFGS.

    Steps are scaled as the curvature is: by the pairs that were seen of each row and column, and
    the ridge. They end where one changes the objective by less than ``tol``, nats per pair.
    """
    counts, rows, columns, *_ = problem
    n, sums = counts.n, (counts.row_sums, counts.column_sums)
    of_biases = sums[1] + (0.0 if penalty.centre is None else penalty.ridge * columns)
    scales = [
        1 / np.sqrt(sums[0] + penalty.ridge * rows)[:, None],
        1 / np.sqrt(sums[1] + penalty.ridge * columns)[:, None],
        1 / np.sqrt(of_biases),
    ]
    ends = np.cumsum([part.size for part in start])[:-1]

    def unpack(x):
        parts = zip(np.split(x, ends), start, scales, strict=True)
        return Scores(*(part.reshape(like.shape) * scale for part, like, scale in parts))

    def pack(scores, power):
        parts = zip(scores, scales, strict=True)
        return np.concatenate([(part * scale**power).ravel() for part, scale in parts])

    def evaluate(x):
        loss, gradient = loss_and_gradient(problem, unpack(x), penalty)
        return loss / n, pack(gradient, 1) / n

    x = pack(start, -1)
    history = [evaluate(x)[0]]

    def last_change():
        return abs(history[-2] - history[-1])

    def look(intermediate_result):
        history.append(intermediate_result.fun)
        show(len(history) - 1)
        if abs(history[-2] - history[-1]) < tol:
            raise StopIteration

    how = {"maxiter": iterations, "maxfun": 3 * iterations + 3, "maxcor": STEPS_REMEMBERED}
    how |= {"ftol": 0.0, "gtol": 0.0}
    with shown(iterations, goal=Goal("change", tol, last_change), progress=progress) as show:
        found = minimize(evaluate, x, jac=True, method="L-BFGS-B", callback=look, options=how)
    settled = len(history) > 1 and abs(history[-2] - history[-1]) < tol
    return FittedScores(unpack(found.x), np.array(history), "settled" if settled else "limit")


def _alike(matrix: csr_array) -> np.ndarray:
    """Return a number for each row, the same for rows that are the same."""
    matrix.sort_indices()
    numbers: dict[bytes, int] = {}
    parts = (slice(*edge) for edge in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True))
    keys = (matrix.indices[part].tobytes() + matrix.data[part].tobytes() for part in parts)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
