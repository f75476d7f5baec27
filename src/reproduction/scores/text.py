"""Table 1 and figure 2: fit on the pairs of the training words, score those of the test words."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from tqdm import tqdm

from condprob.counts import CountMatrix
from condprob.em.starts import cluster_contexts, factors_of_clusters
from condprob.estimators.catalogue import METHODS
from condprob.estimators.low_rank import LowRank
from condprob.risk import pair_losses
from reproduction.config.sizes import BLOCKS
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed


def cluster_text(root, exhibit, corpus, train, k, rank, seeds):
    """Cluster the contexts of training words for every start of one rank, shape (seeds, k).

    Done once for all methods of an exhibit that start from clusters. Scikit-learn takes more than
    a second to import.
    """
    counts = CountMatrix.from_pairs(*word_pairs(train), k)
    starts = [spawn_seed(root, exhibit, corpus, len(train), rank, seed) for seed in range(seeds)]
    return np.array([cluster_contexts(counts, rank, start) for start in starts])


def score_file(root, inputs, methods, given):
    """Score one corpus, size and rank: the scorer of one point of an exhibit (`study.Job`).

    Inputs are ``words``, a file of `corpora.corpus.save_corpus`, and ``clusters``, files by
    `save_clusters`. Given are ``exhibit``, ``corpus``, ``rank`` and ``seeds``; ``words`` to train
    on, a prefix of the text, or "train" for the corpus's own split; and ``split``, how a prefix is
    tested: see `corpora.corpus.Corpus.split`.
    """
    corpus, words, rank = given["corpus"], given["words"], given["rank"]
    text = read_corpus(inputs["words"], corpus)
    if text is None:  # it could not be had
        return
    train, test = (
        (text.train, text.test) if words == "train" else text.split(words, **given["split"])
    )
    clusters = dict(map(read_clusters, inputs["clusters"]))
    place = {"corpus": corpus, "n": len(train), "rank": rank}
    pairs = word_pairs(train), word_pairs(test)
    start_of = partial(spawn_seed, root, given["exhibit"], corpus, len(train), rank)
    how = Fits(methods, rank, given["seeds"], clusters)
    for row in score_pairs(start_of, *pairs, text.k, how):
        yield place | row


def save_clusters(path, rank, labels):
    """Write what `cluster_text` found at one rank; nothing of a text that could not be had."""
    np.savez_compressed(path, rank=rank, labels=labels)


def read_clusters(path):
    """Return the rank and the labels that `save_clusters` wrote."""
    with np.load(path) as file:
        return int(file["rank"]), file["labels"]


@dataclass(frozen=True)
class Fits:
    """What is fitted to a text."""

    methods: Mapping  # entries of the config's ``methods``
    rank: int  # for methods that have a rank and whose entry gives none
    seeds: int  # starts of each method with randomness
    # by rank, what `cluster_text` returned; starts that it lacks are clustered here, to the same
    # numbers
    clusters: Mapping[int, np.ndarray] = field(default_factory=dict)


def score_pairs(start_of, train, test, k, how):
    """Fit every method to training pairs and score test pairs: contexts and outcomes, ``k`` words.

    ``start_of`` takes the number of a start and returns its seed. Yields `columns.COLUMNS` but for
    the place, and the values of the options that the method sweeps: ``loss`` in nats, summed over
    the ``pairs`` of the ``block``, a stretch of consecutive test words.
    """
    counts = CountMatrix.from_pairs(*train, k)
    contexts, outcomes = test
    edges = np.linspace(0, contexts.size, min(BLOCKS, contexts.size) + 1).astype(int)
    fits = [
        (name, values, estimator, seed)
        for name, entry in how.methods.items()
        for values, estimator in build_variants(entry, how.rank)
        for seed in range(how.seeds if METHODS[entry["method"]].random else 1)
    ]
    for name, values, estimator, seed in tqdm(fits, unit="fit", mininterval=1):
        matrix = _with_clusters(estimator, counts, how.clusters, seed).fit(counts, start_of(seed))
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
