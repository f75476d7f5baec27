"""The mean of a posterior: samples of a hierarchical model, each with a base of its own."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from condprob.entries import take
from condprob.model import Ended
from condprob.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False, repr=False)
class PosteriorMatrix(SparsePlusLowRank, kind="hierarchical Pitman-Yor"):
    """A posterior mean with the samples of the parameters behind it.

    The latent classes are the samples: row ``s`` of `right` is the base ``G_0`` of sample ``s``,
    column ``s`` of `left` what each context leaves to it, divided by the number of samples.

    Attributes
    ----------
    discounts, strengths : numpy.ndarray, shape (samples, 2)
        Of the base, then of the rows.
    tables : numpy.ndarray, shape (nnz,)
        Mean number of tables of each pair seen, in the order of the counts.
    """

    discounts: np.ndarray = field(repr=False, default=None)
    strengths: np.ndarray = field(repr=False, default=None)
    tables: np.ndarray = field(repr=False, default=None)

    @property
    def ended(self) -> Ended:
        """At its limit, for nothing measures whether the sampler has mixed."""
        return "limit"

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        return {
            "discounts": take(arrays, "discounts", "f", (None, 2), 0, 1),
            "strengths": take(arrays, "strengths", "f", (None, 2)),
            "tables": take(arrays, "tables", "f", (None,), 0),
        }
