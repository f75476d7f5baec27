"""Shares of a mixture that make given pairs most probable.

Of each pair a part of its probability is known, and the rest is a mixture:

    Q = sparse + left sum_b share_b B_b.

The likelihood is concave in the shares.
"""

from typing import NamedTuple

import numpy as np

from condprob.checks.entries import weighted_logs
from condprob.weights import mixture_weights


class MixedPairs(NamedTuple):
    """Pairs, their counts, and the parts of their probability."""

    # `sparse`, `left`: shape (pairs,): the part without the mixture, and the factor of the mixture
    sparse: np.ndarray
    left: np.ndarray
    bases: np.ndarray  # shape (components, pairs): probability of each pair by each component
    counts: np.ndarray  # shape (pairs,)

    def where(self, inside: np.ndarray) -> "MixedPairs":
        """Return the pairs of a mask, shape (pairs,)."""
        return MixedPairs(
            self.sparse[inside], self.left[inside], self.bases[:, inside], self.counts[inside]
        )


class Mixed(NamedTuple):
    """Shares, shape (components,), and the likelihood of the pairs under them, nats."""

    shares: np.ndarray
    likelihood: float


def fit_shares(pairs: MixedPairs, start: np.ndarray, prior: np.ndarray) -> Mixed:
    """Return the shares under which the pairs are most probable, pseudo-pairs included.

    Parameters are the pairs, the shares of which those that are zero stay zero, and ``prior``,
    pseudo-pairs of each component, positive; both have the shape (components,). If a pair has
    probability zero under ``start``, the start is returned, with minus infinity. The returned
    likelihood is without the pseudo-pairs.
    """
    likelihood = _likelihood(pairs, start)
    if likelihood == -np.inf:
        return Mixed(start, likelihood)
    used, shares = np.flatnonzero(start), np.zeros_like(start)
    how = {"known": pairs.sparse, "share": pairs.left}
    shares[used] = mixture_weights(pairs.bases[used], pairs.counts, prior[used], **how)
    return Mixed(shares, _likelihood(pairs, shares))


def _likelihood(pairs: MixedPairs, shares: np.ndarray) -> float:
    """Return the log likelihood of the pairs, nats."""
    return weighted_logs(pairs.counts, pairs.sparse + pairs.left * (shares @ pairs.bases))
