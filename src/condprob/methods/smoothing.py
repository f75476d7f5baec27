r"""Vector smoothers: from a vector of non-negative counts to a distribution.

A smoother takes a vector ``c`` of ``k`` counts, whole or fractional. The same object smooths
rows of counts (`direct`), pooled counts (`kneser_ney`) and the soft counts of the
low-rank factors (`low_rank`). Every smoother of the paper is an affine function of ``c`` and
``min(c, 1)``,

.. math:: p_j = (c_j + b \min(c_j, 1) + a (1 - \min(c_j, 1))) / z,

whose coefficients depend only on three sums: ``total``, the sum of ``c``; ``seen``, that of
``min(c, 1)`` (the paper's ``D + d``); and ``unseen``, that of ``1 - min(c, 1)`` (its
``k - D - d``). So it costs one pass over the vector and no branch. On integer counts ``b`` is
added to an outcome that was seen and ``a`` to one that was not. Written so, with each sum taken
by itself, nothing cancels: ``a`` is huge where ``unseen`` is tiny. A smoother adds a constant, or
takes a discount; `coefficients` knows both, and the compiled loop of `em` calls it.
"""

from dataclasses import dataclass
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit

# A vector whose counts fall short of 1 by less in all has every outcome seen. Not measured.
FULL_BELOW = 1e-9


def plain_coefficients(constant, discount, total, seen, unseen):
    """Return ``(b, a, z)`` of one vector: the one formula behind every smoother.

    The constant is added to every count; the discount is taken from every count, as far as it
    reaches, and shared by the outcomes not seen. ``total``, ``seen`` and ``unseen`` are the sums of
    ``c``, of ``min(c, 1)`` and of ``1 - min(c, 1)``.

    The passes of `em` call it once for each latent class; `VectorSmoother` has arrays of vectors.
    """
    taken = share = 0.0
    if unseen >= FULL_BELOW:
        taken, share = discount, discount * seen / unseen
    z = total + (seen + unseen) * constant
    if z == 0.0:  # nothing to normalise: uniform
        return 0.0, 1.0, unseen
    return constant - taken, constant + share, z


coefficients = njit(inline="always", **EXACT)(plain_coefficients)  # the same, compiled


def coefficients_of_vectors(
    constant: float, discount: float, total: np.ndarray, seen: np.ndarray, unseen: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return `coefficients` of many vectors, to the same bits: arrays of one shape."""
    is_open = unseen >= FULL_BELOW
    taken = np.where(is_open, discount, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        share = np.divide(discount * seen, unseen, out=np.zeros(unseen.shape), where=is_open)
        z = total + (seen + unseen) * constant
    is_empty = z == 0.0
    b = np.where(is_empty, 0.0, constant - taken)
    return b, np.where(is_empty, 1.0, constant + share), np.where(is_empty, unseen, z)


class VectorSmoother:
    """The base of all smoothers. A subclass defines `added_and_taken`."""

    @property
    def added_and_taken(self) -> tuple[float, float]:
        """The constant that is added to every count, and the discount that is taken from it."""
        raise NotImplementedError

    def __call__(self, counts: ArrayLike) -> np.ndarray:
        """Smooth vectors of counts along the last axis.

        Parameters
        ----------
        counts : array_like, shape (..., k)
            Non-negative, finite.

        Returns
        -------
        numpy.ndarray, shape (..., k)
            Distributions. A vector without counts becomes uniform.

        Raises
        ------
        ValueError
            If a count is negative or not finite, or there are none.
        """
        counts = np.asarray(counts, dtype=float)
        if counts.ndim == 0 or counts.shape[-1] == 0:
            raise ValueError("counts must be a vector of at least one count")
        if not (counts.min(initial=0) >= 0 and counts.max(initial=0) < np.inf):  # nor with a nan
            raise ValueError("counts must be finite and >= 0")
        clipped = np.minimum(counts, 1)
        short = 1 - clipped
        sums = [part.sum(axis=-1, keepdims=True) for part in (counts, clipped, short)]
        if counts.ndim == 1:  # arrays of one number take longer than the vector
            b, a, z = plain_coefficients(*self.added_and_taken, *(part.item() for part in sums))
        else:
            b, a, z = coefficients_of_vectors(*self.added_and_taken, *sums)
        return (counts + b * clipped + a * short) / z

    def sparse_rows(self, counts: CountMatrix) -> tuple[np.ndarray, np.ndarray]:
        """Smooth each row of a `CountMatrix` without building it.

        Returns
        -------
        seen : numpy.ndarray, shape (nnz,)
            The probability of a seen entry, less that of an unseen entry of its row.
        unseen : numpy.ndarray, shape (contexts,)
            Probability of each unseen outcome of a row.
        """
        seen = counts.clipped_row_sums
        sums = counts.row_sums, seen, counts.shape[1] - seen
        b, a, z = coefficients_of_vectors(*self.added_and_taken, *sums)
        above = (b - a)[counts.contexts] * counts.clipped
        return (counts.values + above) / z[counts.contexts], a / z


@dataclass(frozen=True)
class AddConstant(VectorSmoother):
    """Add the same pseudo-count to every outcome; 1/2 is the paper's (Section 3).

    With ``constant = 0`` it only normalises: the empirical distribution.
    """

    constant: float = 0.5

    def __post_init__(self) -> None:
        if not (np.isfinite(self.constant) and self.constant >= 0):
            raise ValueError(f"constant = {self.constant!r}: must be a number >= 0")

    @property
    def added_and_taken(self) -> tuple[float, float]:
        """See `VectorSmoother`: ``p_j = (c_j + constant) / (total + k constant)``."""
        return float(self.constant), 0.0


@dataclass(frozen=True)
class AbsoluteDiscount(VectorSmoother):
    """Soft absolute discounting (Section 5), ordinary absolute discounting on whole counts.

    It takes ``alpha min(c_j, 1)`` from every count and shares this mass in proportion to
    ``1 - min(c_j, 1)``: equally among the unseen outcomes if counts are whole.

    READING: if every ``c_j >= 1`` no outcome can receive the discounted mass, and the vector as
    printed sums to less than one. All outcomes then share it in proportion to what they gave, and
    the result is ``c / total``. A soft count of 1 may be a rounding below 1, and would then receive
    the whole mass: so "every" allows for `FULL_BELOW`.
    """

    discount: float = 0.75

    def __post_init__(self) -> None:
        check_discount(self.discount)

    @property
    def added_and_taken(self) -> tuple[float, float]:
        """See `VectorSmoother`; the freed mass is ``alpha seen / total``."""
        return 0.0, float(self.discount)


class Smoothing(NamedTuple):
    """How the soft counts of both factors are smoothed in `em`: see `coefficients`."""

    of_W: float  # constant that is added to the soft counts of ``W``
    constant: float  # of the rows of ``H``, as is the discount
    discount: float

    @classmethod
    def of(cls, smooth_W: AddConstant, smooth_H: VectorSmoother) -> "Smoothing":
        """Return the smoothing by vector smoothers of the rows of ``W`` and of ``H``."""
        return cls(float(smooth_W.constant), *smooth_H.added_and_taken)

    @property
    def is_penalised(self) -> bool:
        """Whether the fit has the penalty of Eq. (3): both factors are smoothed by a constant."""
        return self.of_W > 0.0 and self.constant > 0.0 and self.discount == 0.0


def check_discount(discount: float) -> None:
    """Raise ValueError unless ``0 < discount < 1``."""
    if not (isinstance(discount, Real) and 0 < discount < 1):
        raise ValueError(f"discount = {discount!r}: a number between 0 and 1, both excluded")
