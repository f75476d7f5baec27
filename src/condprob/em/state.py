"""What the iterations of EM share: the factors, how they are smoothed, and how the fit goes."""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.em.simd import JIT


class Factors(NamedTuple):
    """What the iterations change in place.

    Attributes
    ----------
    W : numpy.ndarray, shape (rows, m)
    H : numpy.ndarray, shape (columns, m)
        Transposed.
    soft_H : numpy.ndarray, shape (columns, m)
        Soft counts that lack their last factor, ``H`` itself, until `add_up`; zero between
        iterations. On several threads there is one array for each, shape (threads, columns, m).
    rest : numpy.ndarray, shape (m,)
        What each row of ``H`` gives to an outcome that has no column.
    """

    W: np.ndarray
    H: np.ndarray
    soft_H: np.ndarray
    rest: np.ndarray


class Smoothing(NamedTuple):
    """How the factors are smoothed.

    Attributes
    ----------
    of_W : float
        Constant that is added to the soft counts of ``W``.
    constant, discount : float
        Of the rows of ``H``: see `smoothing.coefficients`.
    outcomes : int
        Over how many outcomes a row of ``H`` is smoothed.
    """

    of_W: float
    constant: float
    discount: float
    outcomes: int


class Course(NamedTuple):
    """What the iterations tell of themselves.

    Attributes
    ----------
    likelihood : numpy.ndarray, shape (iterations + 1,)
        ``sum C log Q`` before each iteration and after the last, nats.
    penalty : numpy.ndarray, shape (iterations + 1,)
        What the penalty of Eq. (3) adds to it, at the same times: a constant times the sum of
        ``log W`` over the rows and of ``log H`` over all outcomes; zero where there is none.
    """

    likelihood: np.ndarray
    penalty: np.ndarray


@njit(**JIT)
def is_penalised(smoothing):
    """Whether the fit has the penalty of Eq. (3): both factors are smoothed by a constant."""
    return smoothing.of_W > 0.0 and smoothing.constant > 0.0 and smoothing.discount == 0.0


@njit(**JIT)
def is_settled(course, t, tolerance):
    """Whether the objective changed by less than ``tolerance`` between ``t - 1`` and ``t``."""
    if t < 1:
        return False
    change = course.likelihood[t] - course.likelihood[t - 1]
    return abs(change + course.penalty[t] - course.penalty[t - 1]) < tolerance
