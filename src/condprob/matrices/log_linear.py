"""A log-linear bigram: a softmax whose scores are those of the outcome plus those of the pair."""

from dataclasses import dataclass, field

import numpy as np

from condprob.matrices.sparse_plus_low_rank import SparsePlusLowRank


@dataclass(frozen=True, eq=False)
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
    """

    history: np.ndarray = field(repr=False, default=None)
    penalty: float = np.nan
    decay: float = 1.0
    gap: float = np.inf

    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold."""
        numbers = {name: np.array(getattr(self, name)) for name in _NUMBERS}
        return super().arrays() | {"history": self.history} | numbers

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "LogLinearMatrix":
        """Build the matrix from its `arrays`."""
        plain = SparsePlusLowRank.from_arrays(arrays)
        numbers = (arrays[name].item() for name in _NUMBERS)
        parts = plain.left, plain.right, plain.sparse, plain.seen
        return cls(*parts, arrays["history"], *numbers)


_NUMBERS = ("penalty", "decay", "gap")
