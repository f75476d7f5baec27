r"""Expectation-maximisation with the smoothing inside (Section 5): the definition and the loop.

The counts ``C``, contexts by outcomes, are factorised: ``P(j | i) = sum_l W_il H_lj``. An iteration
turns the factors into soft counts, both from the same product, and smooths each row of them:

.. math::
    W_{il} \leftarrow W_{il} \sum_j \frac{C_{ij}}{(WH)_{ij}} H_{lj}, \qquad
    H_{lj} \leftarrow H_{lj} \sum_i \frac{C_{ij}}{(WH)_{ij}} W_{il}.

`factorise` is this definition on dense arrays. `iterate` computes the same numbers from sparse
counts: `Problem` reduces these to rows and columns that differ, `starts` makes the first factors,
an engine of `engines` does the iterations, whose passes over pairs are compiled in `passes`.
"""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from condprob.checks.entries import renumber, sum_of_x_log_x
from condprob.checks.frozen import read_only
from condprob.counts import CountMatrix
from condprob.files.checkpoints import Keeper
from condprob.progress import Goal, shown
from condprob.run import Run

Smoother = Callable[[np.ndarray], np.ndarray]
# Share of seen pairs from which whole rows are faster than single pairs. Not measured.
DENSE_ABOVE = 0.4


def factorise(
    C: np.ndarray,
    W: np.ndarray,
    H: np.ndarray,
    smooth_W: Smoother,
    smooth_H: Smoother,
    iterations: int,
    update: str = "simultaneous",
) -> tuple[np.ndarray, np.ndarray]:
    """Return the factors after so many iterations: the algorithm of Section 5, as it is printed.

    Parameters
    ----------
    C : numpy.ndarray, shape (contexts, outcomes)
    W, H : numpy.ndarray, shapes (contexts, m) and (m, outcomes)
    smooth_W, smooth_H : callable
        Vector smoothers (`smoothing`): each turns rows of soft counts into distributions.
    iterations : int
    update : "simultaneous" or "alternating"
        Whether the soft counts of ``H`` are those of the old ``W`` or of the new one.
    """

    def soft_counts(W, H):
        ratio = np.divide(C, W @ H, out=np.zeros(C.shape), where=C > 0)
        return W * (ratio @ H.T), H * (W.T @ ratio)

    for _ in range(iterations):
        soft_W, soft_H = soft_counts(W, H)
        W = smooth_W(soft_W)
        if update == "alternating":
            _, soft_H = soft_counts(W, H)
        H = smooth_H(soft_H)
    return W, H


class Problem(NamedTuple):
    """The matrix ``background base^T + sparse``, shape (rows, columns), as compiled passes read it.

    Contexts never seen are alike, and so are outcomes never seen. They have no counts and drop out,
    which is exact. The naive methods smooth beforehand and add them up: `naive.smoothed_problem`.

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
        columns, values, sums = counts.outcomes, counts.values, counts.row_sums[contexts]
        if outcomes.size < counts.shape[1]:
            columns = renumber(columns, outcomes, counts.shape[1])
        if values.dtype == np.int64 and not isinstance(values, np.memmap):
            values = read_only(values.astype(float))  # saves seconds of another compiled version
        return cls(
            indptr=starts_of_rows(counts),
            outcomes=np.asarray(columns),
            values=np.asarray(values),
            background=np.zeros(contexts.size),
            base=np.ones(outcomes.size),
            sums=sums.astype(float),
            k=counts.shape[1],
            entropy=float(sum_of_x_log_x(values) - sum_of_x_log_x(sums)),
        )

    @property
    def is_dense(self) -> bool:
        """Whether whole rows are faster than single pairs."""
        is_positive = bool(self.background.any())
        return is_positive or self.values.size > DENSE_ABOVE * self.sums.size * self.base.size


def starts_of_rows(counts: CountMatrix) -> np.ndarray:
    """Return ``indptr`` of the seen contexts alone, shape (seen contexts + 1,)."""
    return counts.indptr[np.concatenate([counts.seen_contexts, [counts.shape[0]]])]


class Fit(NamedTuple):
    """The course of a fit; the factors themselves are changed in place."""

    # ``sum C log((C_ij / C_i) / Q_ij)`` and the penalty of Eq. (3), if there is one; nats. Shape
    # (iterations done + 1,): before each iteration and after the last; or (2,), of the last alone
    objective: np.ndarray
    rest: np.ndarray  # shape (m,): the probability of an outcome without a column, by row of ``H``
    converged: bool | None  # whether ``tol`` was met; None where none was given


def iterate(
    engine: Any,
    run: Run,
    iterations: int,
    tol: float | None = None,
    history: bool = False,
    keeper_of: Callable[..., Keeper] = Keeper,
) -> Fit:
    """Iterate on both factors, in place, until the iterations are done or the objective settles.

    The objective needs logarithms. It is found where somebody reads it, in the first iteration,
    which so tells an impossible start, and in the last.

    Parameters
    ----------
    engine : Expectation, or another with its methods and attributes: see `engines`
    run : Run
    iterations : int
        At most so many.
    tol : float, optional
        The change of the objective in one iteration, nats per pair, at which it stops.
    history : bool
        Whether each iteration finds the objective; with ``tol`` each does.
    keeper_of : callable
        Makes the `Keeper` of the fit.

    Raises
    ------
    ValueError
        If the start gives probability zero to a pair that was seen, or the checkpoint belongs to
        another fit.
    """
    is_kept, objective = history or tol is not None, np.full(iterations + 1, inf)
    tolerance = (tol or 0.0) * (float(engine.problem.sums.sum()) or 1.0)
    fit = engine.problem, (engine.W, engine.H), (*engine.options, tol, history)
    keeper = keeper_of(run.checkpoint, fit, engine.state, {"objective": objective})
    done = keeper.restore()

    def change(t):
        """Return by how much iteration ``t`` changed the objective, nats."""
        return abs(float(objective[t]) - float(objective[t - 1])) if t > 0 else inf

    settled = change(done - 1) < tolerance
    goal = Goal("change", tol, lambda: change(done - 1) * tol / tolerance) if tol else None
    total = done if settled else iterations
    with shown(total, done=done, goal=goal, progress=run.progress) as show:
        while done < iterations and not settled:
            if is_kept or done in (0, iterations - 1):
                objective[done] = engine.step()
                settled = change(done) < tolerance  # this iteration shows what the one before did
                done += 1
            else:
                done += engine.steps(iterations - 1 - done)
            show(done)
            keeper.save(done, is_last=settled or done == iterations)
    objective[done] = engine.objective()
    settled |= change(done) < tolerance
    first = 0 if is_kept else max(done - 1, 0)
    return Fit(objective[first : done + 1], engine.rest, None if tol is None else settled)
