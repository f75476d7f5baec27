"""A log-linear bigram: a softmax whose scores are those of the outcome plus those of the pair."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from condprob.model import Ended
from condprob.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False, repr=False)
class LogLinearMatrix(SparsePlusLowRank, kind="log-linear"):
    """``Q_ij = exp(b_j + w_ij) / Z_i``, with ``w`` zero off the seen pairs: of rank one and sparse.

    Attributes
    ----------
    history : numpy.ndarray, shape (iterations + 1,)
        Objective before each iteration and after the last, nats per pair: log-loss and penalty.
    penalty : float
        Weight of the penalty beside the log-loss of all pairs.
    decay : float
        What a depth weighs beside the one above it.
    gap : float
        The objective is at most so much above its minimum, nats per pair.
    tol : float
        The gap that was asked for; zero in a file that does not say it.
    """

    history: np.ndarray = field(repr=False, default=None)
    penalty: float = np.nan
    decay: float = 1.0
    gap: float = np.inf
    tol: float = 0.0
    optional: ClassVar[tuple[str, ...]] = ("tol",)

    @property
    def ended(self) -> Ended:
        """Settled if the gap is as small as was asked for."""
        return "settled" if self.gap <= self.tol else "limit"
