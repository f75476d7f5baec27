"""Table 1 and figure 2: fit on the pairs of the training words, score those of the test words."""

from dataclasses import replace

import numpy as np

from condprob.counts import CountMatrix
from condprob.em.starts import cluster_contexts, factors_of_clusters
from condprob.estimators.registry import METHODS
from condprob.risk import pair_losses
from reproduction.corpora.corpus import word_pairs
from reproduction.experiments.estimators import build_method, has_converged
from reproduction.experiments.seeds import spawn_seed

BLOCKS = 50  # stretches of test text whose losses are kept apart, for block bootstraps
TEXT_COLUMNS = ("corpus", "n", "rank", "method", "seed", "block", "pairs", "loss", "converged")


def cluster_text(root, exhibit, corpus, train, k, ranks, seeds):
    """Cluster the contexts of the training words, for every rank and start that will be fitted.

    Done once for a text, because the embedding serves all of them and scikit-learn takes more
    than a second to import.

    Returns
    -------
    dict
        `initial.cluster_contexts` by ``(rank, seed)``.
    """
    counts = CountMatrix.from_pairs(*word_pairs(train), k)
    return {
        (rank, seed): cluster_contexts(
            counts, rank, spawn_seed(root, exhibit, corpus, len(train), rank, seed)
        )
        for rank in ranks
        for seed in range(seeds)
    }


def score_text(root, exhibit, corpus, rank, train, test, k, methods, seeds, clusters=None):
    """Fit every method to the pairs of the training words and score those of the test words.

    Methods without randomness are fitted once, the others from ``seeds`` starts. ``clusters`` is
    what `cluster_text` returned; starts that it lacks are clustered here, to the same numbers.

    Yields
    ------
    dict
        `TEXT_COLUMNS`: ``n`` training words; ``loss`` in nats, summed over the ``pairs`` of the
        ``block``, a stretch of consecutive test words.
    """
    counts = CountMatrix.from_pairs(*word_pairs(train), k)
    contexts, outcomes = word_pairs(test)
    edges = np.linspace(0, contexts.size, min(BLOCKS, contexts.size) + 1).astype(int)
    for name, entry in methods.items():
        estimator = build_method(entry, rank)
        for seed in range(seeds if METHODS[entry["method"]].random else 1):
            start = spawn_seed(root, exhibit, corpus, len(train), rank, seed)
            fitted = _with_clusters(estimator, counts, clusters or {}, seed)
            matrix = fitted.fit(counts, start)
            losses = np.add.reduceat(pair_losses(contexts, outcomes, matrix), edges[:-1])
            for block, loss in enumerate(losses):
                yield {
                    "corpus": corpus,
                    "n": len(train),
                    "rank": rank,
                    "method": name,
                    "seed": seed,
                    "block": block,
                    "pairs": edges[block + 1] - edges[block],
                    "loss": loss,
                    "converged": has_converged(matrix),
                }


def _with_clusters(estimator, counts, clusters, seed):
    """Return the estimator with its start by clusters, where they were found beforehand."""
    if getattr(estimator, "initial", None) != "clusters":
        return estimator
    label = clusters.get((estimator.rank, seed))
    if label is None:
        return estimator
    start = factors_of_clusters(counts, label, estimator.rank, estimator.start_discount)
    return replace(estimator, initial=start)
