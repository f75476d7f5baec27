"""A mixture of two matrices of any kinds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from condprob.matrix import Classes, ConditionalMatrix
from condprob.model import Ended, pack, unpack, worst_end


@dataclass(frozen=True, eq=False, repr=False)
class MixedMatrix(ConditionalMatrix, kind="mixed matrices"):
    """``Q = (1 - share) one + share other``.

    Where both are sparse plus low rank, so is their mixture: see `mixture.MixtureMatrix`.

    Attributes
    ----------
    one, other : ConditionalMatrix
        Of the same shape.
    share : float
        Between zero and one.
    """

    one: ConditionalMatrix
    other: ConditionalMatrix
    share: float

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return self.one.shape

    @property
    def ended(self) -> Ended:
        """How the worse of the two ended."""
        return worst_end([self.one.ended, self.other.ended])

    def classes(self) -> tuple[Classes, Classes]:
        """Return the contexts and the outcomes that stand for all that are alike in both."""
        return tuple(map(_meet, self.one.classes(), self.other.classes()))

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """Return ``Q[contexts, outcomes]``, broadcast together."""
        return self._mix(self.one.at(contexts, outcomes), self.other.at(contexts, outcomes))

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        return self._mix(self.one.rows(contexts), self.other.rows(contexts))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        return self._mix(self.one.block(contexts, outcomes), self.other.block(contexts, outcomes))

    def row_sums(self) -> np.ndarray:
        """Return the sum of every row, shape (contexts,): one, up to rounding."""
        return self._mix(self.one.row_sums(), self.other.row_sums())

    def _mix(self, one, other):
        return (1 - self.share) * one + self.share * other

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold."""
        share = {"share": np.array(self.share)}
        return share | pack("one", self.one) | pack("other", self.other)

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "MixedMatrix":
        """Build the matrix from its `arrays`."""
        one, other = (unpack(name, arrays, ConditionalMatrix) for name in ("one", "other"))
        return cls(one, other, arrays["share"].item())


def _meet(one: Classes, other: Classes) -> Classes:
    """Return the classes of those that are alike in two divisions."""
    both = np.column_stack([one.class_of, other.class_of])
    _, first, class_of = np.unique(both, axis=0, return_index=True, return_inverse=True)
    return Classes(first, class_of.ravel())
