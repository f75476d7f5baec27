"""Mixtures: weighted means of matrices, and of models of histories."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions
from condprob.counts import CountMatrix
from condprob.entries import take, take_shares
from condprob.matrix import Classes, ConditionalMatrix
from condprob.model import Ended, pack, take_ended, unpack, worst_end
from condprob.sequences import SequenceModel
from condprob.sparse_plus_low_rank import SparsePlusLowRank

# In a file the parts of a mixture are nested, and each takes three nested calls. Python allows a
# thousand.
MOST_PARTS = 250


@dataclass(frozen=True, eq=False, repr=False)
class MixtureMatrix(SparsePlusLowRank, kind="mixture"):
    """A weighted mean of matrices that were fitted to the same counts.

    Attributes
    ----------
    weights : numpy.ndarray, shape (components,)
        They sum to one.
    ended : "direct", "settled" or "limit"
        The worst end of the parts.
    """

    weights: np.ndarray = field(repr=False, default=None)
    ended: Ended = "limit"

    @classmethod
    def of(
        cls, counts: CountMatrix, parts: Sequence[SparsePlusLowRank], weights: Sequence[float]
    ) -> "MixtureMatrix":
        """Mix matrices whose sparse parts, if any, are on the pattern of the counts."""
        left = np.hstack([w * part.left for w, part in zip(weights, parts, strict=True)])
        right = np.vstack([part.right for part in parts])
        entries = None
        for weight, part in zip(weights, parts, strict=True):
            if part.sparse is not None:
                entries = (0.0 if entries is None else entries) + weight * part.sparse.values
        ended = worst_end(part.ended for part in parts)
        fields = {"weights": np.asarray(weights, float), "ended": ended}
        mixed = cls.on_pattern(counts, left, right, entries, **fields)
        # Contexts that were never seen may differ in a part, such as factors without iterations.
        return mixed if all(part.seen for part in parts) else replace(mixed, seen=None)

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        return {"weights": take_shares(arrays, "weights", (None,)), "ended": take_ended(arrays)}


@dataclass(frozen=True, eq=False, repr=False)
class MixedMatrix(ConditionalMatrix, kind="mixed matrices"):
    """``Q = (1 - share) one + share other``.

    Where both are sparse plus low rank, so is their mixture: see `MixtureMatrix`.

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
        """The worse end of the two."""
        return worst_end([self.one.ended, self.other.ended])

    def classes(self) -> tuple[Classes, Classes]:
        """Return classes of contexts and of outcomes that are alike in both matrices."""
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
        """Return the arrays of a file."""
        share = {"share": np.array(self.share)}
        return share | pack("one", self.one) | pack("other", self.other)

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "MixedMatrix":
        """Build the matrix from its `arrays`, or raise ValueError."""
        one, other = (unpack(name, arrays, ConditionalMatrix) for name in ("one", "other"))
        if one.shape != other.shape:
            raise ValueError(f"matrices of the shapes {one.shape} and {other.shape} are not mixed")
        return cls(one, other, take(arrays, "share", "f", (), 0, 1).item())


def _meet(one: Classes, other: Classes) -> Classes:
    """Return the classes of items that are alike in both divisions."""
    both = np.column_stack([one.class_of, other.class_of])
    _, first, class_of = np.unique(both, axis=0, return_index=True, return_inverse=True)
    return Classes(first, class_of.ravel())


@dataclass(frozen=True, eq=False, repr=False)
class MixedModel(SequenceModel, kind="mixed histories"):
    """``p = sum of weight_k p_k``, of models over the same words; their orders may differ.

    Attributes
    ----------
    parts : tuple of SequenceModel
    weights : numpy.ndarray, shape (parts,)
        They sum to one.
    """

    parts: tuple[SequenceModel, ...]
    weights: np.ndarray = field(repr=False)

    @property
    def order(self) -> int:
        """The largest of the parts."""
        return max(part.order for part in self.parts)

    @property
    def outcomes(self) -> int:
        """Number of words."""
        return self.parts[0].outcomes

    @property
    def ended(self) -> Ended:
        """The worst end of the parts."""
        return worst_end(part.ended for part in self.parts)

    def rows(self, histories: Conditions) -> np.ndarray:
        """Return the distribution after each history."""
        found = [w * part.rows(histories) for w, part in zip(self.weights, self.parts, strict=True)]
        return np.sum(found, axis=0)

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its history."""
        found = [part.at(histories, outcomes) for part in self.parts]
        return self.weights @ np.array(found)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays of a file: all weights, the first part, and the rest.

        The rest is the second of two parts, or the mixture of the others, whose own weights are
        not read. One part alone is there twice, the second time with the weight zero. Raises
        ValueError if there are more parts than a file has.
        """
        if len(self.parts) > MOST_PARTS:
            raise ValueError(f"{len(self.parts)} models: a file has mixtures of up to {MOST_PARTS}")
        first, *others = self.parts
        weights, rest = self.weights, others[0] if others else first
        if not others:
            weights = np.append(weights, 0.0)
        elif len(others) > 1:
            rest = MixedModel(tuple(others), np.full(len(others), 1 / len(others)))
        return {"weights": weights} | pack("first", first) | pack("rest", rest)

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "MixedModel":
        """Build the model from its `arrays`, or raise ValueError."""
        weights = take_shares(arrays, "weights", (None,))
        parts = [unpack(name, arrays, SequenceModel) for name in ("first", "rest")]
        if weights.size > 2 and isinstance(parts[1], MixedModel):
            parts[1:] = parts[1].parts
        if len(parts) != weights.size:
            raise ValueError(f"{weights.size} weights do not go with the parts")
        if len({part.outcomes for part in parts}) > 1:
            raise ValueError("the parts are of other words")
        return cls(tuple(parts), weights)
