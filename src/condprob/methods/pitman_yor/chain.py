"""A chain of the sampler: burn-in, in which theta, a and b are learned, and the sweeps kept."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import digamma

from condprob.methods.pitman_yor import constants
from condprob.methods.pitman_yor.rows import Rows
from condprob.methods.pitman_yor.tables import DistinctPairs, Law, Seating, share_alone, sweep

SMALLEST_CONSTANT = 1e-3  # of an ``a_l``, which a step would keep at zero, and of ``b``


class Sampled(NamedTuple):
    """The end of a chain.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Means over the kept sweeps, row-stochastic.
    a : numpy.ndarray, shape (m,)
    base : numpy.ndarray, shape (nnz,)
        Probability of each pair without one of its tables: harmonic mean over the kept sweeps.
    strength, tables : float
        ``theta``, and the mean number of tables of a token.
    """

    W: np.ndarray
    H: np.ndarray
    a: np.ndarray
    base: np.ndarray
    strength: float
    tables: float


def learn_constants(counted: np.ndarray, sums: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Return the constants of Dirichlet priors after a step towards the most probable.

    Minka (2000), "Estimating a Dirichlet distribution", Eq. (55).

    Parameters
    ----------
    counted : numpy.ndarray, shape (rows, m)
    sums : numpy.ndarray, shape (rows,)
    a : numpy.ndarray, shape (m,)
    """
    place = np.flatnonzero(counted > 0)  # several times faster than by rows and columns
    l = place % a.size
    gains = digamma(counted.ravel()[place] + a[l]) - digamma(a)[l]
    up, total = np.bincount(l, gains, minlength=a.size), a.sum()
    down = (digamma(sums[sums > 0] + total) - digamma(total)).sum()
    return np.maximum(a * up / down, SMALLEST_CONSTANT) if down > 0 else a


def learn_strength_of_classes(seating: Seating, b: float, d: float) -> float:
    """Return the strength of classes with discount ``d`` after such a step: see Eq. (6)."""
    of_outcomes, sizes = seating.of_outcomes, seating.sizes[seating.sizes > 0]
    if d > 0:
        distinct = seating.distinct.astype(float)
        up = (digamma(b / d + distinct[distinct > 0]) - digamma(b / d)).sum() / d
    else:
        each = b / len(of_outcomes)
        counted = of_outcomes[of_outcomes > 0]
        up = (digamma(counted + each) - digamma(each)).sum() / len(of_outcomes)
    down = (digamma(sizes.astype(float) + b) - digamma(b)).sum()
    return max(float(b * up / down), SMALLEST_CONSTANT) if down > 0 else b


def run_chain(
    rows: Rows,
    customers: np.ndarray,
    m: int,
    sweeps: int,
    d: float,
    rng: np.random.Generator,
    show: Callable[[int], None],
) -> Sampled:
    """Run a chain with ``m`` classes of discount ``d``.

    Parameters
    ----------
    rows : Rows
    customers : numpy.ndarray of int64, shape (nnz,)
        Tokens that may have tables.
    m, sweeps : int
    d : float
    rng : numpy.random.Generator
    show : function
        Is called with the number of sweeps that are done.
    """
    counts, outcomes = rows.counts, rows.counts.shape[1]
    pairs = DistinctPairs.of(counts, customers)
    seating, base = Seating.empty(pairs, counts.shape, m), np.zeros(counts.nnz)
    burn_in, discount = int(constants.BURN_IN * sweeps), rows.discounts[0]
    alone = share_alone(discount, max(int(pairs.customers.max(initial=1)), 2))
    strength, share, done, kept = constants.MOST_STRENGTH, 1.0, 0, 0
    a, of_classes = np.full(m, 1 / m), counts.seen_outcomes.size / m
    W, H, inverse = np.zeros((counts.shape[0], m)), np.zeros((outcomes, m)), np.zeros(counts.nnz)

    def law() -> Law:
        b = of_classes * share + SMALLEST_CONSTANT
        is_whole = strength > constants.MOST_STRENGTH / 2  # each token has a table of its own
        return Law.of(a, b, d, 1 / outcomes, strength, discount, alone, is_whole)

    def sweep_until(stop: int, moves: bool) -> None:
        nonlocal done, inverse
        while done < stop:
            sweep(pairs, seating, now, base, moves, rng)
            done += 1
            if done > burn_in:
                inverse += 1 / base

    for step in range(0, sweeps, constants.EVERY):
        moves = step >= burn_in // 2
        if moves and 0 < step <= burn_in:
            strength = rows.learn_strength(base)
            share = rows.share_of_base(strength)
        now = law()
        sweep_until(step + 1, moves)
        if step > 0:
            a = learn_constants(seating.of_contexts[:, :m], seating.of_rows, a)
            of_classes = learn_strength_of_classes(seating, of_classes, d)
        if step >= burn_in:
            add_weights(seating, now, W, H)
            kept += 1
        now = law()
        sweep_until(min(step + constants.EVERY, sweeps), False)
        show(done)
    if not kept:  # of four sweeps or fewer
        add_weights(seating, now, W, H)
        kept = 1
    tables = float((seating.tables @ pairs.weights) / max(customers.sum(), 1))
    return Sampled(W / kept, H.T / kept, a, (sweeps - burn_in) / inverse, strength, tables)


def add_weights(seating: Seating, law: Law, W: np.ndarray, H: np.ndarray) -> None:
    """Add Eq. (4) to ``W`` and Eq. (5) to ``H``, shape (outcomes, m)."""
    n, x = weights_of_contexts(seating, law), weights_of_classes(seating, law)
    n /= n.sum(axis=1, keepdims=True)
    x /= x.sum(axis=0)
    W += n
    H += x


def weights_of_contexts(seating: Seating, law: Law) -> np.ndarray:
    """Return the numerators of Eq. (4), shape (contexts, m)."""
    return np.add(seating.of_contexts, law.a, dtype=float)[:, : law.m]


def weights_of_classes(seating: Seating, law: Law) -> np.ndarray:
    """Return the numerators of Eq. (5), shape (outcomes, m)."""
    of_outcomes, distinct = seating.of_outcomes[:, : law.m], seating.distinct[: law.m]
    kept = np.subtract(of_outcomes, law.d, dtype=float)  # below zero where there is none
    kept = np.maximum(kept, 0.0, out=kept)
    kept += (law.b + law.d * distinct.astype(float)) * law.v
    return kept
