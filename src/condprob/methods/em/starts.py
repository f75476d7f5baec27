"""Starting factors for EM: drawn at random, given, or from clusters of contexts."""

from copy import deepcopy

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.methods.em.clusters import cluster_factors

# Of a start by clusters, for methods without a discount; not measured.
START_DISCOUNT = 0.75
GIVEN_ROW_TOLERANCE = 1e-9  # of a row of a given factor; not measured


def starting_factors(
    initial: str | tuple[ArrayLike, ArrayLike],
    counts: CountMatrix,
    rank: int,
    seed: Seed,
    discount: float = START_DISCOUNT,
) -> tuple[np.ndarray, np.ndarray]:
    """Return ``(W, H)`` to start from, row-stochastic, (contexts, rank) and (rank, outcomes).

    Parameters
    ----------
    initial : "random", "clusters" or a pair (W, H)
    counts : CountMatrix
    rank : int
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    discount : float
        Smooths the pooled counts of the clusters.

    Raises
    ------
    ValueError
        If a pair has the wrong shapes, a negative entry, or a row that does not sum to one.
    ImportError
        If clusters are wanted and scikit-learn is not installed.
    """
    rng = np.random.default_rng(seed)
    if isinstance(initial, str) and initial == "random":
        return random_factors(counts, rank, rng)
    if isinstance(initial, str) and initial == "clusters":
        return cluster_factors(counts, rank, rng, discount)
    if isinstance(initial, str):
        raise ValueError(f"initial = {initial!r}: must be random, clusters or a pair (W, H)")
    contexts, outcomes = counts.shape
    try:
        W, H = (np.array(factor, dtype=float) for factor in initial)
    except (TypeError, ValueError):
        raise ValueError("initial: must be a pair (W, H) of arrays of numbers") from None
    for name, factor, shape in (("W", W, (contexts, rank)), ("H", H, (rank, outcomes))):
        if factor.shape != shape:
            raise ValueError(f"initial {name} has shape {factor.shape}: must be {shape}")
        sums = factor.sum(axis=1)
        if not (factor >= 0).all() or not np.allclose(sums, 1, atol=GIVEN_ROW_TOLERANCE):
            raise ValueError(f"initial {name}: must be rows of non-negative numbers with sum 1")
    return W, H


def random_factors(
    counts: CountMatrix, rank: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw every entry of both factors uniformly from (0, 1), then normalise the rows.

    READING: the paper does not say from where it starts on synthetic data. Rows uniform on the
    simplex are farther from each other, and on text end about 0.02 nats higher.
    """
    contexts, outcomes = counts.shape
    return draw_rows(rng, contexts, rank), draw_rows(rng, rank, outcomes)


def draw_rows(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Return rows of a start by `random_factors`, shape (rows, columns)."""
    found = 1 - rng.random((rows, columns))  # (0, 1]: never zero
    found /= found.sum(axis=1, keepdims=True)
    return found


def skip(seed: Seed, numbers: int) -> np.random.Generator:
    """Return a generator that goes on after so many uniform numbers, without drawing them.

    Raises
    ------
    ValueError
        If the seed is a generator that cannot do it, or counts its steps in another unit.
    """
    rng = np.random.default_rng(deepcopy(seed))
    if not isinstance(rng.bit_generator, np.random.PCG64 | np.random.PCG64DXSM):
        kind = type(rng.bit_generator).__name__
        raise ValueError(f"seed: {kind} cannot skip ahead; pass an integer or PCG64")
    rng.bit_generator.advance(numbers)
    return rng
