"""Table 1 and figure 2: fit on the pairs of the training words, score those of the test words."""

from dataclasses import replace
from functools import partial

import numpy as np
from tqdm import tqdm

from condprob.counts import CountMatrix
from condprob.em.starts import cluster_contexts, factors_of_clusters
from condprob.estimators.catalogue import METHODS
from condprob.estimators.low_rank import LowRank
from condprob.risk import pair_losses
from reproduction.corpora.corpus import word_pairs
from reproduction.experiments.estimators import build_variants, has_converged
from reproduction.experiments.seeds import spawn_seed

BLOCKS = 50  # stretches of test text whose losses are kept apart, for block bootstraps


def cluster_text(root, exhibit, corpus, train, k, rank, seeds):
    """Cluster the contexts of the training words, for every start of one rank.

    Done once for all methods of an exhibit that start from clusters. Scikit-learn takes more than
    a second to import.

    Parameters
    ----------
    root : int
        Root of the random numbers.
    exhibit, corpus : str
    train : numpy.ndarray of int, shape (words,)
        The training words.
    k : int
        Number of words that there are.
    rank, seeds : int

    Returns
    -------
    numpy.ndarray of int, shape (seeds, k)
        `starts.cluster_contexts` for each start.
    """
    counts = CountMatrix.from_pairs(*word_pairs(train), k)
    starts = [spawn_seed(root, exhibit, corpus, len(train), rank, seed) for seed in range(seeds)]
    return np.array([cluster_contexts(counts, rank, start) for start in starts])


def score_text(root, exhibit, corpus, rank, train, test, k, methods, seeds, clusters=None):
    """Fit every method to the pairs of the training words and score those of the test words.

    Methods without randomness are fitted once, the others from ``seeds`` starts. ``clusters`` has,
    by rank, what `cluster_text` returned; starts that it lacks are clustered here, to the same
    numbers.

    Parameters
    ----------
    root : int
        Root of the random numbers.
    exhibit, corpus : str
    rank : int
        For methods that have a rank and whose entry gives none.
    train, test : numpy.ndarray of int, shape (words,)
    k : int
        Number of words that there are.
    methods : dict
        Entries of the config's ``methods``.
    seeds : int
    clusters : dict of int to numpy.ndarray, optional

    Yields
    ------
    dict
        `columns.TEXT_COLUMNS` and the values of the options that the method sweeps: ``n``
        training words; ``loss`` in nats, summed over the ``pairs`` of the ``block``, a stretch of
        consecutive test words.
    """
    place = {"corpus": corpus, "n": len(train), "rank": rank}
    pairs = word_pairs(train), word_pairs(test)
    start_of = partial(spawn_seed, root, exhibit, corpus, len(train), rank)
    for row in score_pairs(start_of, *pairs, k, rank, methods, seeds, clusters):
        yield place | row


def score_pairs(start_of, train, test, k, rank, methods, seeds, clusters=None):
    """Fit every method to training pairs and score test pairs.

    Parameters
    ----------
    start_of : function
        Takes the number of a start, returns its seed.
    train, test : (numpy.ndarray, numpy.ndarray)
        Contexts and outcomes.
    k, rank, methods, seeds, clusters
        See `score_text`.

    Yields
    ------
    dict
        See `score_text`, but for ``corpus``, ``n`` and ``rank``.
    """
    counts = CountMatrix.from_pairs(*train, k)
    contexts, outcomes = test
    edges = np.linspace(0, contexts.size, min(BLOCKS, contexts.size) + 1).astype(int)
    fits = [
        (name, values, estimator, seed)
        for name, entry in methods.items()
        for values, estimator in build_variants(entry, rank)
        for seed in range(seeds if METHODS[entry["method"]].random else 1)
    ]
    for name, values, estimator, seed in tqdm(fits, unit="fit", mininterval=1):
        matrix = _with_clusters(estimator, counts, clusters or {}, seed).fit(counts, start_of(seed))
        losses = np.add.reduceat(pair_losses(contexts, outcomes, matrix), edges[:-1])
        for block, loss in enumerate(losses):
            yield values | {
                "method": name,
                "seed": seed,
                "block": block,
                "pairs": edges[block + 1] - edges[block],
                "loss": loss,
                "converged": has_converged(matrix),
            }


def _with_clusters(estimator, counts, clusters, seed):
    """Return the estimator with its start by clusters, where they were found beforehand.

    One that fits parts of the counts, too, finds its own: clusters of all would tell of the rest.
    """
    is_of_all = isinstance(estimator, LowRank) and estimator.initial == "clusters"
    if not is_of_all or estimator.rank not in clusters:
        return estimator
    label = clusters[estimator.rank][seed]
    start = factors_of_clusters(counts, label, estimator.rank, estimator.start_discount)
    return replace(estimator, initial=start)
