"""Table 1 and figure 2: fit on the pairs of the training words, score those of the test words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise, product

import numpy as np
from tqdm import tqdm

from condprob.counts import CountMatrix, PairsInOrder
from condprob.methods.em.clusters import cluster_contexts, factors_of_clusters
from condprob.methods.low_rank import LowRank
from reproduction.corpora.corpus import word_pairs
from reproduction.methods import METHODS
from reproduction.scores.columns import BLOCKS
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed


def score_corpus(root, exhibit, corpus, methods, words, ranks, seeds, split):
    """Fit methods to the training words of a corpus and score its test words.

    ``words`` are numbers of words to train on, a prefix of the text each, which is tested as
    ``split`` says (`corpora.corpus.Corpus.split`); or "train" for the corpus's own split. The
    ``exhibit`` is a part of the seeds.
    """
    for size, rank in product(words, ranks):
        own = size == "train"
        train, test = (corpus.train, corpus.test) if own else corpus.split(size, **split)
        place = {"corpus": corpus.name, "n": len(train), "rank": rank}
        pairs = word_pairs(train), word_pairs(test)
        seed_of = partial(spawn_seed, root, exhibit, corpus.name, len(train))
        how = Fits(methods, rank, seeds, seed_of)
        for row in score_pairs(partial(seed_of, rank), *pairs, corpus.k, how):
            yield place | row


@dataclass(frozen=True)
class Fits:
    """What is fitted to a text."""

    methods: Mapping  # entries of the config's ``methods``
    rank: int  # for methods that have a rank and whose entry gives none
    seeds: int  # starts of each method with randomness
    # of the clusters that fits start from, by rank and number of the start: they are found once for
    # all methods of that rank. Without it each fit finds its own.
    seed_of: Callable | None = None
    in_order: bool = True  # whether the pairs are those of a text; those of a table have no order


def score_pairs(start_of, train, test, k, how):
    """Fit every method to training pairs and score test pairs: contexts and outcomes, ``k`` words.

    ``start_of`` takes the number of a start and returns its seed. Yields `columns.COLUMNS` but for
    the place, and the values of the options that the method sweeps: ``loss`` in nats, summed over
    the ``pairs`` of the ``block``, a stretch of consecutive test words.
    """
    counts = CountMatrix.from_pairs(*train, k)
    contexts, outcomes = test
    edges = edges_of_blocks(contexts.size)
    for row, matrix in fits_of(counts, train, k, how, start_of):
        losses = np.add.reduceat(-matrix.log_prob(contexts, outcomes), edges[:-1])
        row["converged"] = has_converged(matrix)
        for block, (pairs, loss) in enumerate(zip(np.diff(edges), losses, strict=True)):
            yield row | {"block": block, "pairs": pairs, "loss": loss}


def fits_of(counts, train, k, how, start_of=None):
    """Yield each fit of `Fits` to counts, with its method, its start and its options.

    ``start_of`` takes the number of a start and returns its seed; by default it is that of the
    rank and the start.
    """
    start_of = start_of or partial(how.seed_of, how.rank)
    fits = [
        (name, values, estimator, seed)
        for name, entry in how.methods.items()
        for values, estimator in build_variants(entry, how.rank)
        for seed in range(how.seeds if METHODS[entry["method"]].estimator.is_random else 1)
    ]

    @cache
    def cluster(rank, seed):
        return cluster_contexts(counts, rank, how.seed_of(rank, seed))

    for name, values, estimator, seed in tqdm(fits, unit="fit", mininterval=1):
        if how.seed_of is not None:
            estimator = _with_clusters(estimator, counts, cluster, seed)
        if how.in_order:
            matrix = estimator.fit(PairsInOrder(*train, k), start_of(seed))
        else:
            matrix = estimator.fit(counts, start_of(seed))
        yield values | {"method": name, "seed": seed}, matrix


def edges_of_blocks(pairs):
    """Return the ends of the blocks of consecutive test pairs, shape (blocks + 1,)."""
    return np.linspace(0, pairs, min(BLOCKS, pairs) + 1).astype(int)


def in_blocks(losses):
    """Yield block, pairs and loss of each stretch of test pairs; losses are in nats, (pairs,)."""
    for block, (start, stop) in enumerate(pairwise(edges_of_blocks(losses.size))):
        yield {"block": block, "pairs": stop - start, "loss": losses[start:stop].sum()}


def _with_clusters(estimator, counts, cluster, seed):
    """Return the estimator with its start by clusters, found by ``cluster`` of rank and seed.

    One that also fits parts of the counts finds its own: clusters of all would tell of the rest.
    """
    is_of_all = isinstance(estimator, LowRank) and estimator.initial == "clusters"
    if not is_of_all:
        return estimator
    label = cluster(estimator.rank, seed)
    start = factors_of_clusters(counts, label, estimator.rank, estimator.start_discount)
    return replace(estimator, initial=start)
