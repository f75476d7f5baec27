"""A weighted mean of models of histories."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from condprob.annotations import Conditions
from condprob.model import Ended, pack, unpack, worst_end
from condprob.sequences.model import SequenceModel

# Of a mixture in a file: they stand inside each other, which takes three calls inside calls for
# each, of the thousand that Python makes.
MOST_PARTS = 250


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
        """How the worst of the parts ended."""
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
        """Return what a file has to hold: all weights, the first part, and the rest.

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
        """Build the model from its `arrays`."""
        parts = [unpack(name, arrays, SequenceModel) for name in ("first", "rest")]
        weights = arrays["weights"]
        if weights.size > 2 and isinstance(parts[1], MixedModel):
            parts[1:] = parts[1].parts
        if len(parts) != weights.size:
            raise ValueError(f"{weights.size} weights are not those of the parts")
        if len({part.outcomes for part in parts}) > 1:
            raise ValueError("the parts are of other words")
        return cls(tuple(parts), weights)
