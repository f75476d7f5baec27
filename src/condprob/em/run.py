"""A fit: iterations in chunks that can be interrupted, until they are done or settled."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from condprob.em import loop, threads
from condprob.em.checkpoints import Checkpoint, Identity, Keeper
from condprob.em.problem import Problem
from condprob.em.state import Course, Factors, Smoothing, is_settled
from condprob.smoothing import AddConstant, VectorSmoother

CHUNK = 10**8  # pairs times classes between two chances to interrupt: some tenths of a second


@dataclass(frozen=True)
class Schedule:
    """How long EM goes on, and how.

    Attributes
    ----------
    iterations : int
        At most so many.
    tol : float or None
        Change of the objective in one iteration, nats per pair, at which it stops; None for
        never.
    alternating : bool
        Whether ``H`` is updated from the product with the new ``W``, not from the old one.
    threads : int
    progress : bool
        Whether a bar shows the iterations.
    checkpoint : Checkpoint or None
        Where the fit keeps what it has, and goes on from.
    """

    iterations: int
    tol: float | None = None
    alternating: bool = False
    threads: int = 1
    progress: bool = False
    checkpoint: Checkpoint | None = None

    @property
    def decisive(self) -> tuple:
        """What decides on the numbers of an iteration, or on when to stop before the last."""
        return self.tol, self.alternating, self.threads


class Fit(NamedTuple):
    """What the iterations leave, besides the factors, which they change in place.

    Attributes
    ----------
    risk : numpy.ndarray, shape (iterations done + 1,)
        ``sum C log((C_ij / C_i) / Q_ij)`` before each iteration and after the last, and the
        penalty of Eq. (3) where there is one; nats.
    rest : numpy.ndarray, shape (m,)
        What each row of ``H`` gives to an outcome that has no column.
    converged : bool or None
        Whether ``tol`` was met; None where none was given.
    """

    risk: np.ndarray
    rest: np.ndarray
    converged: bool | None


def run(
    problem: Problem,
    W: np.ndarray,
    H: np.ndarray,
    smooth_W: AddConstant,
    smooth_H: VectorSmoother,
    schedule: Schedule,
    penalty: float = 0.0,
) -> Fit:
    """Run EM on both factors, in place.

    Parameters
    ----------
    problem : Problem
    W : numpy.ndarray of float, shape (rows, m), C-contiguous
    H : numpy.ndarray of float, shape (columns, m), C-contiguous
        Transposed.
    smooth_W, smooth_H : VectorSmoother
        Of the rows of each factor.
    schedule : Schedule
    penalty : float
        Of the start: see `state.Course`.

    Raises
    ------
    ValueError
        If the start gives probability zero to a pair that was seen, or the checkpoint is not
        that of this fit.
    """
    copies = () if schedule.threads == 1 else (schedule.threads,)
    factors = Factors(W, H, np.zeros((*copies, *H.shape)), np.zeros(W.shape[1]))
    engine = loop if schedule.threads == 1 else threads
    smoothing = Smoothing(float(smooth_W.constant), *smooth_H.added_and_taken, problem.outcomes)
    course = Course(*np.zeros((2, schedule.iterations + 1)))
    course.penalty[0] = penalty
    tolerance = (schedule.tol or 0.0) * (problem.rows.sums.sum() or 1.0)
    given = (problem.rows, problem.is_dense, factors)
    keeper = Keeper(
        schedule.checkpoint,
        lambda: Identity.of(problem, (W, H), (*smoothing, *schedule.decisive)),
        {"W": W, "H": H, "rest": factors.rest},
        course._asdict(),
    )
    done = keeper.restore()
    steps = CHUNK // _work(problem, factors) + 1
    last = done if is_settled(course, done - 1, tolerance) else schedule.iterations
    for start, stop in chunks(last, steps, schedule.progress, done=done):
        how = (smoothing, schedule.alternating, course, start, stop, tolerance)
        done = engine.iterate(*given, *how)
        keeper.save(done, is_last=done < stop or done == last)
        if done < stop:
            break
    course.likelihood[done] = engine.evaluate(*given)
    likelihood, penalty = (part[: done + 1] for part in course)
    if not np.isfinite(likelihood).all():
        raise ValueError("the starting factors give probability zero to a pair that was seen")
    converged = None
    if schedule.tol is not None:
        # A change below `tol` is seen one iteration late, for that is when its end is known.
        converged = any(is_settled(course, t, tolerance) for t in (done - 1, done))
    return Fit(problem.entropy - likelihood - penalty, factors.rest, converged)


def _work(problem, factors):
    """Return the pairs, and rows of factors, that an iteration visits, times the classes."""
    return (problem.rows.values.size + len(factors.W) + len(factors.H) + 1) * factors.W.shape[1]


def chunks(
    total: int, steps: int, progress: bool, unit: str = "iteration", done: int = 0
) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of every chunk; show a bar of iterations on request.

    Parameters
    ----------
    total : int
        Iterations in all.
    steps : int
        Of a chunk, but the last may have fewer.
    progress : bool
    unit : str
        What the bar calls an iteration.
    done : int
        Iterations that are done already.

    Raises
    ------
    ImportError
        If a bar is wanted and tqdm is not installed.
    """
    found = ((t, min(t + steps, total)) for t in range(done, total, steps))
    if not progress:
        yield from found
        return
    try:
        from tqdm import tqdm
    except ImportError as error:
        message = "progress=True needs tqdm: pip install 'condprob[progress]'"
        raise ImportError(message) from error
    with tqdm(total=total, unit=unit, initial=done) as bar:
        for start, stop in found:
            yield start, stop
            bar.update(stop - start)
