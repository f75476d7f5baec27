"""The start of EM from clusters of contexts, of which the paper says nothing but that it is so.

READING: the heuristic was picked among about 45 after the published numbers were known:
docs/reproduction.md.
"""

from functools import cache, lru_cache, partial
from typing import Literal

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.methods.smoothing import AbsoluteDiscount

EMBEDDING_SEED = 0  # of the randomised SVD, for every seed and rank; any other would do
DIMENSIONS = 100  # READING: picked with the heuristic, see `cluster_contexts`
# Share of a context's own cluster in its row of W: picked with the heuristic, too.
SHARE_OF_OWN_CLUSTER = 0.5
Centres = Literal["greedy", "k-means++", "random"]  # how k-means begins: see `cluster_contexts`


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
    KMeans, kmeans_plusplus, _, one_thread = _cluster_tools()
    seen = counts.seen_contexts
    label = np.full(counts.shape[0], -1)
    points, different = embed_contexts(counts)
    if clusters := min(rank, different):
        state = int(np.random.default_rng(seed).integers(2**31))
        with one_thread():  # sums in the same order whatever the machine's threads
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
    W[seen] *= 1 - SHARE_OF_OWN_CLUSTER
    W[seen, label[seen]] += SHARE_OF_OWN_CLUSTER
    pooled = np.zeros((rank, outcomes))
    np.add.at(pooled, (label[counts.contexts], counts.outcomes), counts.values.astype(float))
    return W, AbsoluteDiscount(discount)(pooled)


@lru_cache(maxsize=1)  # fits by several seeds or ranks share it
def embed_contexts(counts: CountMatrix) -> tuple[np.ndarray, int]:
    """Return a truncated SVD of ``sqrt(C_ij / C_i)``, (seen, <= 100), and how many rows differ."""
    *_, TruncatedSVD, one_thread = _cluster_tools()
    rows = counts.sparse()[counts.seen_contexts][:, counts.seen_outcomes]
    rows.data = np.sqrt(
        rows.data / np.repeat(counts.row_sums[counts.seen_contexts], np.diff(rows.indptr))
    )
    svd = TruncatedSVD(DIMENSIONS, random_state=EMBEDDING_SEED)
    with one_thread():
        points = rows.toarray() if min(rows.shape) <= DIMENSIONS else svd.fit_transform(rows)
    return points, len(np.unique(points, axis=0))


@cache
def _cluster_tools():
    """Return the tools of scikit-learn, or raise ImportError with the package to install.

    Its libraries of threads are looked for once: that takes longer than to cluster a short text.
    """
    try:
        from sklearn.cluster import KMeans, kmeans_plusplus
        from sklearn.decomposition import TruncatedSVD
        from threadpoolctl import ThreadpoolController
    except ImportError as error:
        message = "initial = 'clusters' needs scikit-learn: pip install scikit-learn"
        raise ImportError(message) from error
    one_thread = partial(ThreadpoolController().limit, limits=1)
    return KMeans, kmeans_plusplus, TruncatedSVD, one_thread
