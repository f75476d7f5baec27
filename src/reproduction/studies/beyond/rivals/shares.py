"""Shares of a mixture that make given pairs likeliest, by Newton's method.

Of each pair a part of its probability is known, and the rest is a mixture:

    Q = sparse + left sum_b share_b B_b.

The likelihood is concave in the shares.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.jit import AT_ONCE, JIT, weighted_logs

# Limits of the numerical method, not measured.
STEPS = 100  # of Newton, at most
GAIN = 1e-12  # nats per pair: a step that can gain less is the last
INSIDE = 0.95  # of the way to where a share is zero: no step goes further
LEAST = np.finfo(float).tiny  # of a share, where counts are so large that rounding leaves none


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
    """Return the shares under which the pairs are likeliest, pseudo-pairs included.

    Parameters are the pairs, the shares to begin with, and ``prior``, pseudo-pairs of each
    component, positive; both have the shape (components,). A share of zero stays zero. If a pair
    has probability zero under ``start``, the start is returned, with minus infinity. The returned
    likelihood is without the pseudo-pairs.
    """
    used = np.flatnonzero(start)
    if used.size < start.size:
        pairs = pairs._replace(bases=pairs.bases[used])
    found, prior, enough = start[used], prior[used], GAIN * pairs.counts.sum()
    likelihood, slope, bend = _explain(*pairs, found)
    if likelihood == -np.inf:
        return Mixed(start, likelihood)
    for _ in range(STEPS):
        # The step changes each share to share (1 + u), with their sum as it is. Where several
        # steps are as good, as between two equal components, it is the shortest.
        gradient = np.append(slope + prior, 0.0)
        system = np.block([[bend + np.diag(prior), found[:, None]], [found, np.zeros(1)]])
        u = np.linalg.lstsq(system, gradient)[0][:-1]
        gain = gradient[:-1] @ u / 2
        if not gain > enough:
            break
        step, now = INSIDE / max(-u.min(), INSIDE), likelihood + prior @ np.log(found)
        while True:
            moved = np.maximum(found * (1 + step * u), LEAST)
            moved /= moved.sum()
            likelihood, slope, bend = _explain(*pairs, moved)
            if likelihood + prior @ np.log(moved) >= now or step * gain < enough:
                break
            step /= 2
        found = moved
    shares = np.zeros_like(start)
    shares[used] = found
    return Mixed(shares, likelihood)


# It is compiled in each process: a kept function would have the `weighted_logs` of its day.
@njit(**JIT | {"cache": False})
def _explain(sparse, left, bases, counts, shares):
    """Return the likelihood of the pairs, nats, and its derivatives.

    The parameters are those of `MixedPairs`, and the shares. The first derivatives, shape
    (components,), and the second, shape (components, components) and negated, are by the relative
    changes of the shares.
    Vectors run over pairs, of which so many are worked on at a time as stay near.
    """
    components, likelihood = shares.size, 0.0
    slope, bend = np.zeros(components), np.zeros((components, components))
    q, weighted, explained = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty((components, AT_ONCE))
    for start in range(0, counts.size, AT_ONCE):
        pairs = min(AT_ONCE, counts.size - start)
        for s in range(pairs):
            q[s] = 0.0
        for b in range(components):
            for s in range(pairs):
                explained[b, s] = shares[b] * bases[b, start + s]
            for s in range(pairs):
                q[s] += explained[b, s]
        for s in range(pairs):
            q[s] = sparse[start + s] + left[start + s] * q[s]
        likelihood += weighted_logs(counts[start : start + pairs], q[:pairs])
        for s in range(pairs):
            q[s] = left[start + s] / q[s]
        for b in range(components):
            for s in range(pairs):
                explained[b, s] *= q[s]
            for s in range(pairs):
                weighted[s] = counts[start + s] * explained[b, s]
            # A sum by itself runs by vectors; beside the product it would not.
            total = 0.0
            for s in range(pairs):
                total += weighted[s]
            slope[b] += total
            for c in range(b + 1):
                total = 0.0
                for s in range(pairs):
                    total += weighted[s] * explained[c, s]
                bend[b, c] += total
    for b in range(components):
        for c in range(b):
            bend[c, b] = bend[b, c]
    return likelihood, slope, bend
