"""What both kinds of soft counts share: how factors are smoothed, and how a fit goes on."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.runtime.checkpoints import Checkpoint
from condprob.runtime.jit import JIT
from condprob.smoothing import AddConstant, VectorSmoother


class Smoothing(NamedTuple):
    """How the soft counts of both factors are smoothed."""

    of_W: float  # constant that is added to the soft counts of ``W``
    # `constant`, `discount`: of the rows of ``H``: see `smoothing.coefficients`
    constant: float
    discount: float
    # shape (columns,): where classes are interpolated, a distribution, without the outcomes that
    # have no column; else ones
    base: np.ndarray
    # Whether the discount is shared by all outcomes in the proportions of the base, and
    # ``strength`` tokens are added in the same proportions, as in a Pitman-Yor process. It needs
    # soft counts with a token left out, and no constant.
    is_interpolated: bool = False
    strength: float = 0.0

    @classmethod
    def of(cls, smooth_W: AddConstant, smooth_H: VectorSmoother, columns: int) -> "Smoothing":
        """Return what the vector smoothers of the rows of ``W`` and of ``H`` do."""
        return cls(float(smooth_W.constant), *smooth_H.added_and_taken, np.ones(columns))

    @classmethod
    def interpolated(
        cls, of_W: float, discount: float, strength: float, base: np.ndarray
    ) -> "Smoothing":
        """Return the smoothing that interpolates each class with a base."""
        return cls(float(of_W), 0.0, float(discount), base, True, float(strength))

    @property
    def numbers(self) -> tuple:
        """All but the base."""
        return (*self[:3], *self[4:])


@dataclass(frozen=True)
class Schedule:
    """How long a fit goes on, and how."""

    iterations: int  # at most so many
    # change of the objective in one iteration, nats per pair, at which it stops; None for never
    tol: float | None = None
    # whether ``H`` is updated from the product with the new ``W``, not from the old one: EM only
    alternating: bool = False
    threads: int = 1
    progress: bool = False  # whether it tells how far it is
    # with a token left out: whether the likelihood of the end is found, which is zero if it is not
    evaluated: bool = True
    # where the fit keeps what it has, and goes on from
    checkpoint: Checkpoint | None = None

    @property
    def decisive(self) -> tuple:
        """What decides on the numbers of an iteration, or on when to stop before the last."""
        return self.tol, self.alternating, self.threads


class Course(NamedTuple):
    """What the iterations tell of themselves."""

    # shape (iterations + 1,): ``sum C log Q``, nats: entry ``t`` is what the pass of iteration
    # ``t`` found, the last that of the factors
    likelihood: np.ndarray
    # shape (iterations + 1,): what the penalty of Eq. (3) adds to it: a constant times the sum of
    # ``log W`` over the rows and of ``log H`` over all outcomes; zero where there is none.
    penalty: np.ndarray


@njit(**JIT)
def is_settled(course, t, tolerance):
    """Whether the objective changed by less than ``tolerance`` between ``t - 1`` and ``t``.

    It has not where both are infinite, and says so without a warning.
    """
    if t < 1:
        return False
    change = course.likelihood[t] - course.likelihood[t - 1]
    return abs(change + course.penalty[t] - course.penalty[t - 1]) < tolerance


def check_possible(likelihood: np.ndarray) -> None:
    """Raise ValueError unless likelihoods are finite."""
    if not np.isfinite(likelihood).all():
        raise ValueError("the starting factors give probability zero to a pair that was seen")
