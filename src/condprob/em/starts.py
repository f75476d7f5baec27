"""Starting factors for EM: drawn at random, given, or from clusters of contexts.

The paper starts from clusters on texts, by a heuristic that it does not describe.
"""

from copy import deepcopy
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.smoothing import AbsoluteDiscount

# Of a start by clusters, for methods without a discount; not measured.
START_DISCOUNT = 0.75
ROW_SUM_TOLERANCE = 1e-9  # of a row of a given factor; not measured
EMBEDDING_SEED = 0  # of the randomised SVD, for every seed and rank; any other would do
DIMENSIONS = 100  # READING: picked with the heuristic, see `cluster_contexts`
OWN = 0.5  # share of a context's own cluster in its row of W: picked with the heuristic, too
Centres = Literal["greedy", "k-means++", "random"]  # how k-means begins: see `cluster_contexts`


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
        raise ValueError(f"initial = {initial!r}: random, clusters or a pair (W, H) is needed")
    contexts, outcomes = counts.shape
    try:
        W, H = (np.array(factor, dtype=float) for factor in initial)
    except (TypeError, ValueError):
        raise ValueError("initial: a pair (W, H) of arrays of numbers is needed") from None
    for name, factor, shape in (("W", W, (contexts, rank)), ("H", H, (rank, outcomes))):
        if factor.shape != shape:
            raise ValueError(f"initial {name} has shape {factor.shape}: {shape} is needed")
        sums = factor.sum(axis=1)
        if not (factor >= 0).all() or not np.allclose(sums, 1, atol=ROW_SUM_TOLERANCE):
            raise ValueError(f"initial {name}: rows of non-negative numbers with sum 1 are needed")
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
        raise ValueError(f"seed: {kind} cannot skip numbers; a whole number, or PCG64, is needed")
    rng.bit_generator.advance(numbers)
    return rng


def cluster_factors(
    counts: CountMatrix, rank: int, rng: np.random.Generator, discount: float
) -> tuple[np.ndarray, np.ndarray]:
    """Start from clusters of contexts: `factors_of_clusters` of `cluster_contexts`."""
    return factors_of_clusters(counts, cluster_contexts(counts, rank, rng), rank, discount)


def cluster_contexts(
    counts: CountMatrix, rank: int, seed: Seed, initial: Centres = "greedy"
) -> np.ndarray:
    """Cluster the contexts by their outcomes.

    READING: rows of ``sqrt(C_ij / C_i)`` in 100 dimensions of a truncated SVD, k-means weighted
    by ``C_i``. This was picked among about 45 heuristics after the published numbers were known,
    which it fits: docs/reproduction.md says how far to trust it.

    Parameters
    ----------
    counts : CountMatrix
    rank : int
        Number of clusters; there are fewer where fewer contexts differ.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    initial : "greedy", "k-means++" or "random"
        The first centres. ``"k-means++"`` is Arthur and Vassilvitskii's (2007): each further centre
        is drawn in proportion to the squared distance to the nearest one so far. ``"greedy"``
        draws several candidates each time and keeps the one that lowers the cost most, which is
        scikit-learn's own. ``"random"`` draws all centres among the points.

    Returns
    -------
    numpy.ndarray of int, shape (contexts,)
        Cluster of each context, below ``rank``; -1 for contexts never seen.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.
    """
    KMeans, kmeans_plusplus, _, threadpool_limits = _cluster_tools()
    seen = counts.seen_contexts
    label = np.full(counts.shape[0], -1)
    points, different = embed_contexts(counts)
    if clusters := min(rank, different):
        state = int(np.random.default_rng(seed).integers(2**31))
        with threadpool_limits(1):  # sums in the same order whatever the machine's threads
            weights = counts.row_sums[seen]
            first = "random" if initial == "random" else "k-means++"
            if initial == "k-means++":
                first, _ = kmeans_plusplus(
                    points, clusters, sample_weight=weights, random_state=state, n_local_trials=1
                )
            kmeans = KMeans(clusters, init=first, n_init=1, random_state=state)
            label[seen] = kmeans.fit_predict(points, sample_weight=weights)
    return label


def factors_of_clusters(
    counts: CountMatrix, label: np.ndarray, rank: int, discount: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the start of contexts clustered by ``label`` (see `cluster_contexts`).

    READING: ``W`` is half uniform, half the context's own cluster; ``H`` the clusters' pooled
    counts after (soft) absolute discounting.
    """
    seen, (contexts, outcomes) = counts.seen_contexts, counts.shape
    W = np.full((contexts, rank), 1 / rank)
    W[seen] *= 1 - OWN
    W[seen, label[seen]] += OWN
    pooled = np.zeros((rank, outcomes))
    np.add.at(pooled, (label[counts.contexts], counts.outcomes), counts.values.astype(float))
    return W, AbsoluteDiscount(discount)(pooled)


@lru_cache(maxsize=1)  # fits by several seeds or ranks share it
def embed_contexts(counts: CountMatrix) -> tuple[np.ndarray, int]:
    """Return a truncated SVD of ``sqrt(C_ij / C_i)``, (seen, <= 100), and how many rows differ."""
    *_, TruncatedSVD, threadpool_limits = _cluster_tools()
    rows = counts.sparse()[counts.seen_contexts][:, counts.seen_outcomes]
    rows.data = np.sqrt(
        rows.data / np.repeat(counts.row_sums[counts.seen_contexts], np.diff(rows.indptr))
    )
    svd = TruncatedSVD(DIMENSIONS, random_state=EMBEDDING_SEED)
    with threadpool_limits(1):
        points = rows.toarray() if min(rows.shape) <= DIMENSIONS else svd.fit_transform(rows)
    return points, len(np.unique(points, axis=0))


def _cluster_tools():
    """Return the tools of scikit-learn, or raise ImportError with the package to install."""
    try:
        from sklearn.cluster import KMeans, kmeans_plusplus
        from sklearn.decomposition import TruncatedSVD
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        message = "initial = 'clusters' needs scikit-learn: pip install scikit-learn"
        raise ImportError(message) from error
    return KMeans, kmeans_plusplus, TruncatedSVD, threadpool_limits
