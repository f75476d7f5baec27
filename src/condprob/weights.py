"""The maximum-likelihood weights of a mixture: one solver for every place that needs them."""

import numpy as np
from numpy.typing import ArrayLike

# At most. 12,000 random mixtures of up to 11 components took 19 or fewer.
MOST_STEPS = 100
# Nats per pair: how far the likelihood of the weights may be below its maximum. Sums of a million
# pairs are rounded by some 1e-14.
LARGEST_GAP = 1e-12
# A step aims at this share of the products of weights and slacks, and goes at most this share of
# the way to a weight of zero: usual values (Wright 1997).
SHARE_AIMED_AT, SHARE_OF_WAY = 0.1, 0.99
# A step is halved until it gains this share of what its slope promises (Armijo's rule).
SHARE_OF_PROMISE = 1e-4
# Multiples of ``aim / weight`` between which slacks are kept, as in Waechter and Biegler (2006).
LARGEST_SLACK_RATIO = 1e10
HEIGHT_TOLERANCE = 1e-14  # of a height, relative: a step that seems to lose less is taken
# Pairs that are worked on at a time: they stay near, and need no second copy.
PAIRS_IN_BLOCK = 1 << 16


def mixture_weights(
    chances: ArrayLike,
    times: ArrayLike,
    prior: ArrayLike = 0.0,
    *,
    known: ArrayLike = 0.0,
    share: ArrayLike = 1.0,
) -> np.ndarray:
    """Return the weights ``w`` of a mixture under which pairs are most probable.

    They maximise ``sum_s times_s log(known_s + share_s sum_k w_k P_ks) + sum_k prior_k log w_k``
    over ``w >= 0`` with the sum one. The problem is concave. The method is a primal-dual
    interior-point method (Wright 1997, "Primal-Dual Interior-Point Methods") with a line search. It
    ends when no mixture is likelier by more than `LARGEST_GAP` nats per pair: by concavity the
    largest slope, less the mean slope under the weights, bounds what is left.

    Parameters
    ----------
    chances : array_like, shape (components, pairs)
        Probability of each pair by each component, ``P``.
    times : array_like, shape (pairs,)
        How often each pair was seen, >= 0.
    prior : array_like, shape () or (components,)
        Pseudo-observations of each component, >= 0.
    known, share : array_like, shape () or (pairs,)
        Part of each probability outside of the mixture, and the factor of the mixture, both >= 0.

    Returns
    -------
    numpy.ndarray, shape (components,)
        Without a prior the mixture is no less likely than each component by itself. Equal
        components have equal weights, and so have all if there is neither a pair nor a prior.

    Raises
    ------
    ValueError
        If there is no component, or a pair that was seen has probability zero in each.
    """
    chances, times = np.asarray(chances, dtype=float), np.asarray(times, dtype=float)
    size = len(chances)
    if not size:
        raise ValueError("a mixture of no components: pass at least one")
    prior = np.broadcast_to(np.asarray(prior, dtype=float), size)
    known = np.broadcast_to(np.asarray(known, dtype=float), times.shape)
    inside, outside, times = _scale(chances, times, known, np.asarray(share, dtype=float))
    n = times.sum() + prior.sum()
    if size == 1 or n == 0:
        return np.full(size, 1 / size)
    times, prior = times / n, prior / n
    weights = _climb(inside, outside, times, prior)
    if not prior.any():
        with np.errstate(divide="ignore"):
            alone = np.log(outside + inside) @ times
            mixed = np.log(outside + weights @ inside) @ times
        if alone.max() > mixed:
            return np.eye(size)[alone.argmax()]
    return weights


def _scale(chances, times, known, share):
    """Return the mixture's part and the known part of the pairs that were seen, and their times.

    Both parts of a pair are divided by the largest number among them: weights stay as they are, and
    nothing vanishes.
    """
    seen = times > 0
    if not seen.all():
        chances, times, known = chances[:, seen], times[seen], known[seen]
        share = share if share.ndim == 0 else share[seen]
    inside = chances * (share > 0)
    unit = inside.max(axis=0, initial=0.0)
    largest = np.maximum(unit * share, known)
    if not (largest > 0).all():
        raise ValueError("a pair was seen to which all components give probability zero")
    inside /= np.where(unit > 0, unit, 1.0)
    inside *= unit * share / largest
    return inside, known / largest, times


def _climb(inside, outside, times, prior):
    """Return the maximum-likelihood weights; ``times`` and ``prior`` sum to one together."""
    size = len(inside)
    weights, slack = np.full(size, 1 / size), np.ones(size)
    mixed = outside + weights @ inside
    system = np.zeros((size + 1, size + 1))
    for _ in range(MOST_STEPS):
        slopes, bend = _explain(inside, mixed, times, weights)
        slopes += prior
        gains = slopes / weights
        if gains.max() - slopes.sum() < LARGEST_GAP:
            break
        aim = SHARE_AIMED_AT * (weights @ slack) / size
        system[:size, :size] = bend + np.diag(prior + weights * slack)
        system[size, :size] = system[:size, size] = weights
        pull = slopes + aim
        # Where several steps are as good, as between equal components, it is the shortest.
        step = np.linalg.lstsq(system, np.append(pull, 0.0))[0][:size]
        step -= weights @ step
        promised, length = pull @ step, SHARE_OF_WAY / max(-step.min(), SHARE_OF_WAY)
        change, before = (weights * step) @ inside, _height(mixed, times, weights, prior + aim)
        while True:
            moved = weights * (1 + length * step)
            height = _height(mixed + length * change, times, moved, prior + aim)
            least = (
                before + SHARE_OF_PROMISE * length * promised - HEIGHT_TOLERANCE * (1 + abs(before))
            )
            if height >= least or length < LARGEST_GAP:
                break
            length /= 2
        of_slack = aim / weights - slack - slack * step
        slack = slack + SHARE_OF_WAY / max(-(of_slack / slack).min(), SHARE_OF_WAY) * of_slack
        weights = moved / moved.sum()
        slack = np.clip(
            slack, aim / LARGEST_SLACK_RATIO / weights, aim * LARGEST_SLACK_RATIO / weights
        )
        mixed = outside + weights @ inside
    return weights


def _explain(inside, mixed, times, weights):
    """Return the first derivatives of the likelihood, and the second, negated.

    Both are by relative changes of the weights, so that no number is far from one.
    """
    size = weights.size
    slopes, bend = np.zeros(size), np.zeros((size, size))
    for start in range(0, times.size, PAIRS_IN_BLOCK):
        part = slice(start, start + PAIRS_IN_BLOCK)
        relative = weights[:, None] * inside[:, part] / mixed[part]
        weighted = relative * times[part]
        slopes += weighted.sum(axis=1)
        bend += weighted @ relative.T
    return slopes, bend


def _height(mixed, times, weights, prior):
    """Return the likelihood with so many pseudo-observations of each component."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return times @ np.log(mixed) + prior @ np.log(weights)
