"""Mixtures of matrices: a weighted mean of sparse plus low rank is sparse plus low rank."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, get_args

import numpy as np

from condprob.checks import check_choice
from condprob.counts import CountMatrix
from condprob.model import Ended, worst_end
from condprob.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False, repr=False)
class MixtureMatrix(SparsePlusLowRank, kind="mixture"):
    """A weighted mean of matrices that were fitted to the same counts.

    Attributes
    ----------
    weights : numpy.ndarray, shape (components,)
        They sum to one.
    ended : "direct", "settled" or "limit"
        How the worst of the parts ended; a file that does not say it is read as "limit".
    """

    weights: np.ndarray = field(repr=False, default=None)
    ended: Ended = "limit"
    optional: ClassVar[tuple[str, ...]] = ("ended",)

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
        told = {"weights": np.asarray(weights, float)}
        told["ended"] = worst_end(part.ended for part in parts)
        mixed = cls.on_pattern(counts, left, right, entries, **told)
        # A part may tell contexts apart that were never seen, such as factors not iterated.
        return mixed if all(part.seen for part in parts) else replace(mixed, seen=None)

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "MixtureMatrix":
        """Build the matrix from its `arrays`."""
        found = super().from_arrays(arrays)
        check_choice("ended", found.ended, get_args(Ended))
        return found
